//! `driftlock key`: who may join a network.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::Verdict;
use crate::args::{KeyArgs, KeyCommand};
use crate::terminal;

pub(crate) fn run(args: &KeyArgs) -> Result<Verdict> {
    let key = match &args.command {
        KeyCommand::New => driftlock_node::new_key().context("the system has no random numbers")?,
        KeyCommand::Public { file } => driftlock_link::public_key(&read(file)?),
    };
    terminal::say_line(&hex(&key))?;
    Ok(Verdict::Held)
}

/// The key in a file.
pub(crate) fn read(file: &Path) -> Result<[u8; 32]> {
    let text = text(file)?;
    parse(text.trim()).with_context(|| format!("{} is no key", file.display()))
}

/// What is in a file.
pub(crate) fn text(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// A key as it is written.
pub(crate) fn parse(text: &str) -> Result<[u8; 32]> {
    let digits: Vec<u8> =
        text.chars().map_while(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    if digits.len() != 64 || text.len() != 64 {
        bail!("expected 64 hex digits, as `driftlock key new` prints them");
    }
    let mut key = [0; 32];
    for (byte, pair) in key.iter_mut().zip(digits.chunks(2)) {
        *byte = pair[0] << 4 | pair[1];
    }
    Ok(key)
}

/// As it is written down.
pub(crate) fn hex(key: &[u8; 32]) -> String {
    key.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("text takes all");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_it_was_written() {
        let key: [u8; 32] = core::array::from_fn(|i| (i * 7 + 3) as u8);
        assert_eq!(parse(&hex(&key)).ok(), Some(key));
        for wrong in ["", "abc", &"g".repeat(64), &"a".repeat(63), &"a".repeat(65)] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
