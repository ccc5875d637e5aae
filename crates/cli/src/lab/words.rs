//! What is wrong with a file, in plain words.

use crate::names::unknown;

/// Types as serde names them, and in plain words.
const TYPES: [(&str, &str); 7] = [
    ("usize", "a whole number from 0 on"),
    ("u64", "a whole number from 0 on"),
    ("u32", "a whole number from 0 on"),
    ("f64", "a number"),
    ("a boolean", "true or false"),
    ("a sequence", "a list"),
    ("a map", "a table"),
];

/// The message of a file that could not be understood, with the nearest name added to an unknown
/// one and types in plain words.
pub(crate) fn in_plain_words(message: &str) -> String {
    for (word, kind) in [("unknown field `", "key"), ("unknown variant `", "value")] {
        if let Some((before, rest)) = message.split_once(word)
            && let Some((name, expected)) = rest.split_once("`, expected ")
        {
            let names: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
            return format!("{before}{}", unknown(kind, name, names));
        }
    }
    if let Some((before, rest)) = message.split_once("missing field `") {
        return format!("{before}the key `{rest} is missing");
    }
    let Some((before, expected)) = message.rsplit_once("expected ") else { return message.into() };
    let plain = TYPES.iter().find(|(kind, _)| *kind == expected).map(|(_, plain)| *plain);
    let plain = plain.or(expected.starts_with("struct ").then_some("a table"));
    plain.map_or(message.into(), |plain| format!("{before}expected {plain}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_about_files_name_the_nearest_key_and_plain_types() {
        for (message, plain) in [
            (
                "line 3: unknown field `nodez`, expected one of `shape`, `nodes`",
                "line 3: there is no key `nodez`, did you mean `nodes`? (there are: shape, nodes)",
            ),
            (
                "unknown variant `stopp`, expected `stop` or `skip`",
                "there is no value `stopp`, did you mean `stop`? (there are: stop, skip)",
            ),
            (
                "invalid type: string \"x\", expected usize",
                "invalid type: string \"x\", expected a whole number from 0 on",
            ),
            ("invalid type: map, expected f64", "invalid type: map, expected a number"),
            ("network: expected struct Network", "network: expected a table"),
            ("x: missing field `to`", "x: the key `to` is missing"),
            ("unclosed table, expected `]`", "unclosed table, expected `]`"),
        ] {
            assert_eq!(in_plain_words(message), plain);
        }
    }
}
