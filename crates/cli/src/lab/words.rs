//! What is wrong with a file, in plain words.

use crate::names::unknown;

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
    let whole = ["usize", "u64", "u32"].into_iter();
    let found = whole.filter_map(|kind| message.strip_suffix(&format!("expected {kind}"))).next();
    match (found, message.strip_suffix("expected f64")) {
        (Some(before), _) => format!("{before}expected a whole number from 0 on"),
        (None, Some(before)) => format!("{before}expected a number"),
        (None, None) => message.into(),
    }
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
            ("unclosed table, expected `]`", "unclosed table, expected `]`"),
        ] {
            assert_eq!(in_plain_words(message), plain);
        }
    }
}
