//! Names that nothing has: which there are, and which was meant.

/// What to say of a name that nothing has: the names there are, and the nearest.
pub(crate) fn unknown<'n>(
    kind: &str,
    name: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    format!("there is no {kind} `{name}`{}", instead(name, &names))
}

/// `, did you mean this? (there are: this, that)`
fn instead(name: &str, names: &[&str]) -> String {
    let near = names
        .iter()
        .map(|other| (strsim::damerau_levenshtein(name, other), *other))
        .filter(|(apart, other)| *apart <= other.len() / 2 + 1)
        .min();
    let hint = near.map_or(String::new(), |(_, other)| format!(", did you mean `{other}`?"));
    format!("{hint} (there are: {})", names.join(", "))
}

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
    fn the_nearest_name_is_offered_if_it_is_near() {
        assert_eq!(
            unknown("protocol", "rll", ["rl", "raymond"]),
            "there is no protocol `rll`, did you mean `rl`? (there are: rl, raymond)"
        );
        assert_eq!(
            unknown("protocol", "xyz", ["rl", "raymond"]),
            "there is no protocol `xyz` (there are: rl, raymond)"
        );
    }

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
