//! Words as a shell takes them.

/// A word as it is typed: in quotes if it would be taken for something else.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The word that was [`quoted`].
pub fn unquoted(typed: &str) -> String {
    let inner = typed.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    inner.map_or_else(|| typed.into(), |inner| inner.replace(r"'\''", "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_the_same_word() {
        for word in ["load.toml", "my load.toml", "my run's.toml", "'a'", "$HOME", ""] {
            assert_eq!(unquoted(&quoted(word)), word);
        }
        assert_eq!(quoted("load.toml"), "load.toml");
        assert_eq!(quoted("my run's.toml"), r"'my run'\''s.toml'");
    }
}
