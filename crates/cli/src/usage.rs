//! What was typed wrongly, in one line.

use std::error::Error;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};

use crate::args::Args;
use crate::names::unknown;

/// What is wrong with the command line.
pub(crate) fn complaint(error: &clap::Error) -> String {
    let special = match error.kind() {
        ErrorKind::InvalidSubcommand => no_command(error),
        ErrorKind::UnknownArgument => no_argument(error),
        ErrorKind::InvalidValue => no_value(error),
        ErrorKind::ValueValidation => bad_value(error),
        ErrorKind::ArgumentConflict => conflict(error),
        ErrorKind::MissingRequiredArgument => missing(error),
        _ => None,
    };
    special.unwrap_or_else(|| first_paragraph(&error.to_string()))
}

fn no_command(error: &clap::Error) -> Option<String> {
    let name = text(error, ContextKind::InvalidSubcommand)?;
    let command = command();
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    // clap makes the command `help`, for those who know it.
    let names = shown.map(Command::get_name).filter(|&name| name != "help");
    Some(unknown("command", name, names))
}

fn no_argument(error: &clap::Error) -> Option<String> {
    let (name, command) = (text(error, ContextKind::InvalidArg)?, command());
    if !name.starts_with('-') {
        return Some(format!("`{name}` is one word too many: see {}", help(&command)));
    }
    let flags = command.get_arguments().filter_map(|arg| arg.get_long());
    let flags: Vec<String> = flags.map(|flag| format!("--{flag}")).collect();
    Some(unknown("flag", name, flags.iter().map(String::as_str)))
}

fn no_value(error: &clap::Error) -> Option<String> {
    let (argument, value) = (argument(error)?, text(error, ContextKind::InvalidValue)?);
    if value.is_empty() {
        return Some(format!("{argument}: a value is missing"));
    }
    let valid = texts(error, ContextKind::ValidValue);
    Some(format!("{argument}: {}", unknown("value", value, valid)))
}

fn bad_value(error: &clap::Error) -> Option<String> {
    Some(format!("{}: {}", argument(error)?, error.source()?))
}

fn conflict(error: &clap::Error) -> Option<String> {
    let argument = argument(error)?;
    let prior: Vec<&str> =
        texts(error, ContextKind::PriorArg).into_iter().filter_map(first_word).collect();
    if prior.contains(&argument) {
        return Some(format!("{argument} is given twice"));
    }
    Some(format!("{argument} does not go with {}", prior.join(", ")))
}

fn missing(error: &clap::Error) -> Option<String> {
    let what = texts(error, ContextKind::InvalidArg).join(" ");
    Some(format!("{what} is missing: see {}", help(&command())))
}

/// The command that was asked for, or the one above all.
fn command() -> Command {
    let mut command = Args::command();
    command.build();
    for word in std::env::args_os().skip(1) {
        let is_typed = |command: &&Command| {
            word == command.get_name() || command.get_all_aliases().any(|alias| word == alias)
        };
        let Some(below) = command.get_subcommands().find(is_typed).cloned() else { break };
        command = below;
    }
    command
}

fn help(command: &Command) -> String {
    format!("`{} --help`", command.get_bin_name().unwrap_or(command.get_name()))
}

fn argument(error: &clap::Error) -> Option<&str> {
    text(error, ContextKind::InvalidArg).and_then(first_word)
}

fn first_word(text: &str) -> Option<&str> {
    text.split_whitespace().next().map(|word| word.trim_matches(['[', ']']))
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

fn texts(error: &clap::Error, kind: ContextKind) -> Vec<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text],
        Some(ContextValue::Strings(texts)) => texts.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}

fn first_paragraph(message: &str) -> String {
    let lines = message.lines().map(str::trim).take_while(|line| !line.is_empty());
    let paragraph = lines.collect::<Vec<_>>().join(" ");
    paragraph.strip_prefix("error: ").unwrap_or(&paragraph).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_complaints_keep_their_first_paragraph() {
        let message = "error: something\n  is wrong\n\nUsage: driftlock\n";
        assert_eq!(first_paragraph(message), "something is wrong");
    }
}
