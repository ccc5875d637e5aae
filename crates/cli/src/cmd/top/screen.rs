//! The terminal, borrowed: [`Screen`].

use std::io::stdin;

use anyhow::Result;
use nix::sys::termios::{LocalFlags, SetArg, Termios, tcgetattr, tcsetattr};
use terminal_size::{Height, Width, terminal_size};

use crate::terminal::say;

/// Another screen, without a cursor.
const ENTER: &str = "\x1b[?1049h\x1b[?25l";
const LEAVE: &str = "\x1b[?25h\x1b[?1049l";
const HOME: &str = "\x1b[H";
/// Clear to the end of the line, and to the end of the screen.
const CLEAR_LINE: &str = "\x1b[K";
const CLEAR_REST: &str = "\x1b[J";

/// A screen of its own, and keys without a line feed. The terminal is as it was once this is gone.
pub(super) struct Screen {
    /// How keys were read, if standard input is a terminal.
    before: Option<Termios>,
}

impl Screen {
    /// Begin.
    pub(super) fn open() -> Result<Self> {
        let before = tcgetattr(stdin()).ok();
        if let Some(before) = &before {
            let mut raw = before.clone();
            raw.local_flags.remove(LocalFlags::ICANON | LocalFlags::ECHO | LocalFlags::ISIG);
            tcsetattr(stdin(), SetArg::TCSANOW, &raw)?;
        }
        let screen = Screen { before };
        say(ENTER)?;
        Ok(screen)
    }

    /// Show as much of a text as fits.
    pub(super) fn show(&self, text: &str) -> Result<()> {
        let (Width(width), Height(height)) = terminal_size().unwrap_or((Width(80), Height(24)));
        say(&framed(text, width.into(), height.into()))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Nobody is left to be told that it could not be done.
        let _ = say(LEAVE);
        if let Some(before) = &self.before {
            let _ = tcsetattr(stdin(), SetArg::TCSANOW, before);
        }
    }
}

/// A text, cut to a screen, over what was there.
fn framed(text: &str, width: usize, height: usize) -> String {
    let mut all: Vec<&str> = text.lines().collect();
    if all.len() > height {
        all.truncate(height.saturating_sub(1));
        all.push("...");
    }
    let cut = |line: &str| line.chars().take(width).chain(CLEAR_LINE.chars()).collect::<String>();
    let lines: Vec<String> = all.into_iter().map(cut).collect();
    format!("{HOME}{}{CLEAR_REST}", lines.join("\r\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_to_the_screen() {
        let plain = |text: String| {
            let text = text.replace(CLEAR_LINE, "");
            text.strip_prefix(HOME).and_then(|text| text.strip_suffix(CLEAR_REST)).map(String::from)
        };
        assert_eq!(plain(framed("ab\ncde\n", 2, 2)).as_deref(), Some("ab\r\ncd"));
        assert_eq!(plain(framed("a\nb\nc\nd", 9, 3)).as_deref(), Some("a\r\nb\r\n..."));
        assert_eq!(plain(framed("a\nb", 0, 1)).as_deref(), Some(""));
    }
}
