//! The names, units and meanings of the columns of results: the one table of them.

use driftlock_sim::Metrics;
use driftlock_sim::metrics::Still;

use crate::outcome::Value;
use crate::parameters::PARAMETERS;

/// A metric: a column of its own.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// The name of the column.
    pub name: &'static str,
    /// The unit; "1" for what has none.
    pub unit: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Whether it is a whole number.
    pub whole: bool,
    /// How it is read from what was measured.
    pub read: fn(&Metrics) -> Value,
}

const fn metric(
    name: &'static str,
    unit: &'static str,
    about: &'static str,
    read: fn(&Metrics) -> Value,
) -> Metric {
    Metric { name, unit, about, whole: false, read }
}

const fn count(
    name: &'static str,
    unit: &'static str,
    about: &'static str,
    read: fn(&Metrics) -> Value,
) -> Metric {
    Metric { name, unit, about, whole: true, read }
}

/// What there is only where somebody entered.
fn of_entries(metrics: &Metrics, value: impl Into<Value>) -> Value {
    if metrics.entries > 0 { value.into() } else { Value::Null }
}

/// How those fared who stood still, if any did.
fn still(metrics: &Metrics) -> Option<Still> {
    metrics.local.map(|local| local.still).filter(|still| still.entries > 0)
}

/// The unit of times: that of the papers, in which a message takes 1 unless something else is said.
pub const TIME: &str = "time units";
/// What has no unit.
pub const NONE: &str = "1";

/// Everything that is measured in a run, but for messages by kind and notes.
pub const METRICS: [Metric; 29] = [
    count("nodes", "nodes", "how many nodes there were", |m| m.nodes.into()),
    count("entries", "entries", "entries to the critical section", |m| m.entries.into()),
    metric("time", TIME, "how long measuring took", |m| m.time.into()),
    metric("waiting_mean", TIME, "from request to entry, on average", |m| {
        of_entries(m, m.waiting.mean)
    }),
    metric("waiting_median", TIME, "half waited at most so long", |m| {
        of_entries(m, m.waiting.median)
    }),
    metric("waiting_p95", TIME, "95 % waited at most so long", |m| of_entries(m, m.waiting.p95)),
    metric("waiting_p99", TIME, "99 % waited at most so long", |m| of_entries(m, m.waiting.p99)),
    metric("waiting_max", TIME, "the longest wait", |m| of_entries(m, m.waiting.max)),
    metric(
        "messages_per_entry",
        "messages/entry",
        "messages sent per entry; one over several links counts once for each",
        |m| of_entries(m, m.messages_per_entry),
    ),
    metric(
        "bytes_per_entry",
        "bytes/entry",
        "bytes of these messages, as they are encoded, without what carries them",
        |m| of_entries(m, m.detail.map(|detail| detail.bytes_per_entry)),
    ),
    metric("hops_per_message", "links/message", "links a message went over, on average", |m| {
        (m.messages_per_entry > 0.0).then_some(m.hops_per_message).into()
    }),
    metric("throughput", "entries/time unit", "entries per unit of time", |m| m.throughput.into()),
    metric(
        "fairness",
        NONE,
        "Jain's index of the entries of those who ask: 1 if all had the same number",
        |m| of_entries(m, m.fairness),
    ),
    count("link_changes", "changes", "links that came up or went down", |m| m.link_changes.into()),
    metric(
        "held_up",
        NONE,
        "the share of the time of all links for which they were held up to keep a trace together",
        |m| m.held_up.into(),
    ),
    metric("concurrency", "nodes", "how many were inside, on average over time", |m| {
        m.sharing.map(|sharing| sharing.concurrency).into()
    }),
    count("most_inside", "nodes", "how many were inside at most", |m| {
        m.sharing.map(|sharing| sharing.most_inside).into()
    }),
    metric(
        "switches_per_entry",
        "switches/entry",
        "entries for another resource than the entry before, per entry",
        |m| of_entries(m, m.choice.as_ref().map(|choice| choice.switches_per_entry)),
    ),
    count("demotions", "times", "how often someone inside was sent back to waiting", |m| {
        m.local.map(|local| local.demotions).into()
    }),
    count("still_entries", "entries", "entries of those who stood still while waiting", |m| {
        m.local.map(|local| local.still.entries).into()
    }),
    metric("still_waiting_mean", TIME, "how long these waited, on average", |m| {
        still(m).map(|still| still.mean).into()
    }),
    metric("still_waiting_max", TIME, "how long these waited at most", |m| {
        still(m).map(|still| still.max).into()
    }),
    count(
        "crashed",
        "nodes",
        "how many have stopped, where only neighbors exclude each other",
        |m| m.aftermath.map(|aftermath| aftermath.crashed).into(),
    ),
    count("starving", "nodes", "how many of the others wait for ever", |m| {
        m.aftermath.map(|aftermath| aftermath.starving).into()
    }),
    count("reach", "links", "from the nearest one that stopped to the farthest of these", |m| {
        m.aftermath.and_then(|aftermath| aftermath.reach).into()
    }),
    count("lost", "messages", "messages that never arrived, on a mesh", |m| {
        m.faults.map(|faults| faults.lost).into()
    }),
    count(
        "deposed",
        "entries",
        "entries under a token of which there was a later one: two were inside, under two epochs",
        |m| m.faults.map(|faults| faults.deposed).into(),
    ),
    metric(
        "recovery_next_entry",
        TIME,
        "from the last scripted crash or link change until someone entered",
        |m| m.detail.and_then(|detail| detail.recovery?.next_entry).into(),
    ),
    metric("recovery_backlog", TIME, "until all who waited then had entered", |m| {
        m.detail.and_then(|detail| detail.recovery?.backlog).into()
    }),
];

/// What stands before the metrics of a row, or beside them: name, unit and meaning.
pub const OTHERS: [(&str, &str, &str); 5] = [
    ("cell", NONE, "the number of the cell, from 1"),
    ("seed", NONE, "the seed of the run"),
    ("status", NONE, "held, or violated: a promise was broken, and nothing was measured"),
    ("steps", "steps", "steps of all processes, until the network has come to rest"),
    ("ended_at", TIME, "when the last one was"),
];

/// The place of a metric in [`METRICS`].
pub fn place(name: &str) -> Option<usize> {
    METRICS.iter().position(|metric| metric.name == name)
}

/// The unit and the meaning of a column; nothing for a parameter that is not known.
pub fn about(name: &str) -> (String, String) {
    let metrics = METRICS.iter().map(|metric| (metric.name, metric.unit, metric.about));
    let known = metrics.chain(OTHERS).chain(PARAMETERS).find(|(known, ..)| *known == name);
    let own = |text: &str| text.to_owned();
    match known {
        Some((_, unit, about)) => (own(unit), own(about)),
        None if name.starts_with(MESSAGES) => {
            (own("messages/entry"), "messages of this kind sent per entry".into())
        }
        None if name.starts_with(NOTES) => {
            (own("times"), "how often this procedure of the paper was carried out".into())
        }
        None => (String::new(), String::new()),
    }
}

/// What the names of columns with messages by kind begin with.
pub const MESSAGES: &str = "messages_";
/// What the names of columns with notes begin with.
pub const NOTES: &str = "notes_";

/// `LinkInfo` as it is in the name of a column: `link_info`. What is in capitals is one word.
pub fn snake(name: &str) -> String {
    let mut snake = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (at, &letter) in letters.iter().enumerate() {
        let follows_capital =
            at.checked_sub(1).is_some_and(|before| letters[before].is_uppercase());
        let is_followed = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let begins_word = letter.is_uppercase() && (!follows_capital || is_followed);
        if begins_word && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        let plain = if letter.is_alphanumeric() { letter } else { '_' };
        snake.extend(plain.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_there_once_and_can_be_typed() {
        let names: Vec<&str> = METRICS.iter().map(|metric| metric.name).collect();
        let distinct: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(distinct.len(), names.len());
        for name in names {
            assert_eq!(snake(name), name);
            assert!(!about(name).1.is_empty() && !about(name).0.is_empty(), "{name}");
        }
    }

    /// The book has the same table.
    #[test]
    fn the_book_knows_every_column() {
        let book = include_str!("../../../docs/lab.md");
        let metrics = METRICS.iter().map(|metric| (metric.name, metric.unit, metric.about));
        for (name, unit, about) in metrics.chain(OTHERS) {
            let row = format!("\n| `{name}` | {unit} | {about} |\n");
            assert!(book.contains(&row), "docs/lab.md lacks{row}");
        }
    }

    #[test]
    fn kinds_of_messages_become_names() {
        assert_eq!(snake("LinkInfo"), "link_info");
        assert_eq!(snake("Req"), "req");
        assert_eq!(snake("raise height"), "raise_height");
        assert_eq!(snake("REQ"), "req");
        assert_eq!(snake("LMEReply2"), "lme_reply2");
    }
}
