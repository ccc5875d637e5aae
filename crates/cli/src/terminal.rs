//! What is said to people.

use std::io::{self, Write};

use anyhow::{Context, Result};

/// Print to standard output. If its reader has gone, the rest of the work is done all the same: the
/// exit code still counts.
pub(crate) fn say(text: &str) -> Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        said => said.context("cannot write to standard output"),
    }
}

/// Print a line to standard output.
pub(crate) fn say_line(text: &str) -> Result<()> {
    say(&format!("{text}\n"))
}

/// Say what went wrong, in one line on standard error.
pub(crate) fn complain(what: &str) {
    remark(&format!("error: {what}"));
}

/// Say something that is no result, in one line on standard error.
pub(crate) fn remark(what: &str) {
    // Without a standard error there is nowhere left to say so.
    let _ = io::stderr().lock().write_all(format!("{}\n", one_line(what)).as_bytes());
}

/// An error and its causes. A cause that the error has told already is not told again.
pub(crate) fn story(error: &anyhow::Error) -> String {
    let mut story = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if story.is_empty() {
            story = cause;
        } else if !story.ends_with(&cause) {
            story = format!("{story}: {cause}");
        }
    }
    story
}

/// What people typed may have line breaks in it.
fn one_line(text: &str) -> String {
    let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.into() };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn line_breaks_are_shown_and_not_made() {
        assert_eq!(one_line("a\nb\té\u{1b}[1m"), r"a\nb\té\u{1b}[1m");
    }

    #[test]
    fn a_cause_is_told_once() {
        let error = anyhow!("disk full").context("cannot be read: disk full").context("x.dlj");
        assert_eq!(story(&error), "x.dlj: cannot be read: disk full");
    }
}
