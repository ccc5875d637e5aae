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
}
