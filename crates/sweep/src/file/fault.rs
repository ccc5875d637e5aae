//! What is wrong with a text, and under which key.

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    /// The key of the value with which it is, `a.b`; nothing if it is with everything.
    pub(super) key: String,
    what: String,
}

impl From<String> for Fault {
    fn from(what: String) -> Self {
        Fault { key: String::new(), what }
    }
}

impl Fault {
    pub(super) fn of(error: &toml::de::Error) -> Self {
        let mut error = error.clone();
        // Beside its text an error shows no keys.
        error.set_input(None);
        let (shown, what) = (error.to_string(), error.message());
        let key = shown.strip_prefix(what).and_then(|shown| {
            shown.trim().strip_prefix("in `").and_then(|shown| shown.strip_suffix('`'))
        });
        Fault { key: key.unwrap_or_default().into(), what: what.trim().replace('\n', " ") }
    }

    /// With the whole key, if that is below another one.
    pub(super) fn told(&self, above: &str) -> String {
        let Fault { key, what } = self;
        match (above.is_empty(), key.is_empty()) {
            (true, true) => what.clone(),
            (true, false) => format!("{key}: {what}"),
            (false, true) => format!("{above}: {what}"),
            (false, false) => format!("{above}.{key}: {what}"),
        }
    }

    /// With the key that was set, or with one below it.
    pub(super) fn told_of(&self, key: &str) -> String {
        let is_below = self.key.strip_prefix(key).is_some_and(|below| below.starts_with('.'));
        if is_below { self.told("") } else { format!("{key}: {}", self.what) }
    }
}

#[cfg(test)]
mod tests {
    use driftlock_sim::Scenario;

    use super::*;

    #[test]
    fn the_key_is_told() {
        for (text, told) in [
            ("network.nodes = 'x'", "network.nodes: invalid type: string \"x\""),
            ("[network]\nnodez = 3", "network: unknown field `nodez`"),
            ("protocl = 'rl'", "unknown field `protocl`"),
            ("script = [{ at = 'x' }]", "script.at: invalid type"),
            ("a = [", "unclosed array"),
        ] {
            let error = toml::from_str::<Scenario>(text).unwrap_err();
            let with_text = Fault::of(&error).told("");
            assert!(with_text.starts_with(told), "{with_text}");
            assert_eq!(crate::file::scenario(text), Err(with_text));
        }
    }
}
