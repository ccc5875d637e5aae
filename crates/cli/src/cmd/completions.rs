//! `driftlock completions`.

use anyhow::Result;
use clap::CommandFactory;

use crate::Verdict;
use crate::args::{Args, CompletionsArgs};
use crate::terminal::say;

pub(crate) fn run(args: &CompletionsArgs) -> Result<Verdict> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "driftlock", &mut script);
    say(&String::from_utf8_lossy(&script))?;
    Ok(Verdict::Held)
}
