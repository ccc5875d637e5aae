//! Places in a text: words and lines.

/// The line, counted from 1, that `offset` is on.
pub(crate) fn line_at(text: &str, offset: usize) -> usize {
    1 + text[..offset].matches('\n').count()
}

/// The first line that starts with `prefix`, or 1.
pub(crate) fn line_starting(text: &str, prefix: &str) -> usize {
    1 + text.lines().position(|line| line.starts_with(prefix)).unwrap_or(0)
}

/// Whether `c` may be part of a Rust name.
pub(crate) fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where `word` is in `text`, but not as a part of a longer name.
pub(crate) fn occurrences(text: &str, word: &str) -> Vec<usize> {
    let opens = word.starts_with(is_of_name);
    let closes = word.ends_with(is_of_name);
    let is_whole = |&k: &usize| {
        let goes_back = opens && text[..k].ends_with(is_of_name);
        let goes_on = closes && text[k + word.len()..].starts_with(is_of_name);
        !goes_back && !goes_on
    };
    text.match_indices(word).map(|(k, _)| k).filter(is_whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_no_part_of_a_name() {
        assert_eq!(occurrences("std::no_std::std", "std::"), [0]);
        assert_eq!(occurrences("f64 f640 af64 (f64)", "f64"), [0, 15]);
        assert_eq!(occurrences("a.unwrap() b.unwrap_or()", ".unwrap()"), [1]);
    }

    #[test]
    fn lines_count_from_one() {
        assert_eq!(line_at("a\nb", 0), 1);
        assert_eq!(line_at("a\nb", 2), 2);
        assert_eq!(line_starting("a\nb", "b"), 2);
    }
}
