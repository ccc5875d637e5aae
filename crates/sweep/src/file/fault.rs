//! What is wrong with a text, and under which key.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    /// The key of the value with which it is, `a.b`; nothing if it is with everything.
    key: String,
    what: String,
    /// Where that is in the text, if it is from one.
    span: Option<Range<usize>>,
}

impl From<String> for Fault {
    fn from(what: String) -> Self {
        Fault { key: String::new(), what, span: None }
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
        let (key, what) = (key.unwrap_or_default().into(), what.trim().replace('\n', " "));
        Fault { key, what, span: error.span() }
    }

    /// The same, of what stands under a key.
    pub(super) fn below(self, above: &str) -> Self {
        let key = match (above.is_empty(), self.key.is_empty()) {
            (true, _) => self.key,
            (false, true) => above.into(),
            (false, false) => format!("{above}.{}", self.key),
        };
        Fault { key, ..self }
    }

    /// The same, with the numbers of the entries in lists that the key leads through: `a[2].b`.
    pub(super) fn numbered(self, text: &str) -> Self {
        let Some(span) = &self.span else { return self };
        let Ok(document) = DeTable::parse(text) else { return self };
        let key = numbered(document.get_ref(), &self.key, span.start);
        Fault { key: key.unwrap_or(self.key), ..self }
    }

    pub(super) fn told(&self) -> String {
        let Fault { key, what, .. } = self;
        if key.is_empty() { what.clone() } else { format!("{key}: {what}") }
    }

    /// With the key that was set, or with one below it.
    pub(super) fn told_of(&self, key: &str) -> String {
        let is_below = self.key.strip_prefix(key).is_some_and(|below| below.starts_with('.'));
        if is_below { self.told() } else { format!("{key}: {}", self.what) }
    }
}

/// A key with the numbers of entries on the way to a place in the text. Nothing if there is no such
/// key.
fn numbered(table: &DeTable<'_>, key: &str, place: usize) -> Option<String> {
    let (name, below) = key.split_once('.').map_or((key, None), |(a, b)| (a, Some(b)));
    let mut told = name.to_owned();
    let mut value = table.get(name)?;
    while let DeValue::Array(entries) = value.get_ref() {
        let k = entries.iter().rposition(|entry| entry.span().start <= place);
        let Some(k) = k else { break };
        told.push_str(&format!("[{k}]"));
        value = &entries[k];
    }
    let Some(below) = below else { return Some(told) };
    let below = numbered(value.get_ref().as_table()?, below, place)?;
    Some(format!("{told}.{below}"))
}

#[cfg(test)]
mod tests {
    use crate::file::scenario;

    #[test]
    fn the_key_is_told() {
        for (text, told) in [
            ("network.nodes = 'x'", "network.nodes: invalid type: string \"x\""),
            ("[network]\nnodez = 3", "network: unknown field `nodez`"),
            ("protocl = 'rl'", "unknown field `protocl`"),
            ("script = [{ at = 1 }, { at = 'x' }]", "script[1].at: invalid type"),
            ("[[script]]\nat = 1\n[[script]]\nupp = [1, 2]", "script[1]: unknown field `upp`"),
            ("[[script]]\nup = [1, 'x']\n[[script]]\n", "script[0].up[1]: invalid type"),
            ("script = 3", "script: invalid type"),
            ("requests.nodes = ['x']", "requests.nodes[0]: invalid type"),
            ("a = [", "unclosed array"),
        ] {
            let wrong = scenario(text).unwrap_err();
            assert!(wrong.starts_with(told), "{wrong}");
        }
    }
}
