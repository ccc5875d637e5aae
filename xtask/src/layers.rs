//! A Rust text taken apart into what is code and what is comment.

/// Two texts of the same shape as the original: what is not of the layer is blank, and every byte
/// that is has kept its place.
#[derive(Default)]
pub(crate) struct Layers {
    /// Everything but comments, strings and characters.
    pub(crate) code: String,
    /// The comments, with their slashes.
    pub(crate) comments: String,
}

enum Piece {
    Code,
    Comment,
    Literal,
}

/// Take `text` apart.
pub(crate) fn split(text: &str) -> Layers {
    let mut layers = Layers::default();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (piece, length) = first_piece(rest, first);
        let (taken, after) = rest.split_at(length);
        let (code, comment) = match piece {
            Piece::Code => (taken, &*blank(taken)),
            Piece::Comment => (&*blank(taken), taken),
            Piece::Literal => (&*blank(taken), &*blank(taken)),
        };
        layers.code.push_str(code);
        layers.comments.push_str(comment);
        rest = after;
    }
    layers
}

fn blank(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

/// What `rest` starts with, and its length.
fn first_piece(rest: &str, first: char) -> (Piece, usize) {
    if rest.starts_with("//") {
        return (Piece::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Piece::Comment, block_comment(rest));
    }
    let literal = match first {
        '"' => Some(quoted(rest, '"')),
        'r' => raw(rest),
        '\'' => character(rest),
        _ => None,
    };
    match literal {
        Some(length) => (Piece::Literal, length),
        None => (Piece::Code, first.len_utf8()),
    }
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut k) = (0, 0);
    while k < rest.len() {
        match rest.as_bytes().get(k..k + 2) {
            Some(b"/*") => (depth, k) = (depth + 1, k + 2),
            Some(b"*/") => (depth, k) = (depth - 1, k + 2),
            _ => k += 1,
        }
        if depth == 0 {
            return k;
        }
    }
    rest.len()
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (k, c) in rest.char_indices().skip(1) {
        if !escaped && c == quote {
            return k + 1;
        }
        escaped = !escaped && c == '\\';
    }
    rest.len()
}

fn raw(rest: &str) -> Option<usize> {
    let after = rest[1..].trim_start_matches('#').strip_prefix('"')?;
    let opening = rest.len() - after.len();
    let closing = format!("\"{}", "#".repeat(opening - 2));
    Some(after.find(&closing).map_or(rest.len(), |k| opening + k + closing.len()))
}

/// A character, unless the apostrophe starts a lifetime.
fn character(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1);
    match (chars.next()?, chars.next()?) {
        ((_, '\\'), _) => Some(quoted(rest, '\'')),
        (_, (k, '\'')) => Some(k + 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        let layers = split(text);
        assert_eq!(layers.code.len(), text.len());
        assert_eq!(layers.comments.len(), text.len());
        layers.code.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn literals_are_not_code() {
        assert_eq!(code(r#"a("{\"{", '{', '\'', '\u{7b}', '∅') {}"#), "a( , , , , ) {}");
        assert_eq!(code("a(r\"\\\", br##\"{\"#{\"##, r#type)"), "a( , b , r#type)");
    }

    #[test]
    fn lifetimes_are_code() {
        assert_eq!(code("fn a<'a, 'b>(c: &'a str) { '}' }"), "fn a<'a, 'b>(c: &'a str) { }");
    }

    #[test]
    fn comments_have_a_layer_of_their_own() {
        let text = "a(); // \"b\ne(/* { /* { */ { */); //! f";
        assert_eq!(code(text), "a(); e( );");
        let comments = split(text).comments;
        assert_eq!(comments.lines().next().map(str::trim), Some("// \"b"));
        assert!(comments.ends_with("//! f"));
    }
}
