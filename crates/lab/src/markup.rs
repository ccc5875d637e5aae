//! Escaping of text for HTML and SVG.

/// The text with everything that markup would interpret replaced by entities.
///
/// Control characters have no representation in XML at all; they become U+FFFD so that a stray one
/// in a name cannot make a whole figure unreadable.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(character),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ if character.is_control() => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Panics unless every tag is closed in order, every attribute is quoted and every ampersand
/// starts an entity. Enough to notice any slip this crate could make.
#[cfg(test)]
pub(crate) fn assert_well_formed(markup: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = markup;
    while let Some(start) = rest.find('<') {
        assert_entities(&rest[..start]);
        let end = rest[start..].find('>').expect("a tag ends") + start;
        let tag = &rest[start + 1..end];
        assert!(tag.matches('"').count().is_multiple_of(2), "quotes in <{tag}>");
        assert_entities(tag);
        rest = &rest[end + 1..];
        if tag.starts_with('!') || tag.ends_with('/') {
            continue;
        }
        let name = tag.split_whitespace().next().expect("a tag has a name");
        match name.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed), "closing tag out of order"),
            None => open.push(name),
        }
    }
    assert_entities(rest);
    assert!(open.is_empty(), "never closed: {open:?}");
}

#[cfg(test)]
fn assert_entities(text: &str) {
    for (at, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
        assert!(known.iter().any(|entity| text[at..].starts_with(entity)), "bare & in {text:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_replaces_what_markup_interprets() {
        assert_eq!(escape(r#"a < b & "c" > 'd'"#), "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
        assert_eq!(escape("λ ± 1\n"), "λ ± 1\n");
        assert_eq!(escape("bell\u{7}null\0"), "bell\u{fffd}null\u{fffd}");
    }

    #[test]
    fn the_check_accepts_nesting_and_self_closing_tags() {
        assert_well_formed("<!doctype html><a b=\"c\"><d/><e>&lt;</e></a>");
    }
}
