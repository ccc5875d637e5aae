//! What is said to people.

use std::io::{self, Write};

use anyhow::Result;

/// Print to standard output.
pub(crate) fn say(text: &str) -> Result<()> {
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}

/// Print a line to standard output.
pub(crate) fn say_line(text: &str) -> Result<()> {
    say(text)?;
    say("\n")
}

/// Say what went wrong, in one line on standard error.
pub(crate) fn complain(what: &str) {
    remark(&format!("error: {what}"));
}

/// Say something that is no result, in one line on standard error.
pub(crate) fn remark(what: &str) {
    // Without a standard error there is nowhere left to say so.
    let _ = writeln!(io::stderr().lock(), "{what}");
}

/// Whether all that went wrong is that the reader of our output has seen enough.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
