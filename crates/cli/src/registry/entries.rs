//! The protocols: an entry each, and nothing else has to know of one.

use anyhow::{Result, bail};
use driftlock_protocols::Variant;
use driftlock_protocols::raymond::Raymond;
use driftlock_protocols::rl::{self, Rl};

use super::machine::Of;
use super::{Choice, Entry};

/// All protocols.
pub(crate) static PROTOCOLS: &[Entry] = &[
    Entry {
        name: "rl",
        aliases: &[],
        promise: "one at a time; everyone gets in once links cease to change; connected network",
        paper: "Walter, Welch, Vaidya: A Mutual Exclusion Algorithm for Ad Hoc Mobile \
                Networks, 2001",
        variants: &["repaired", "published"],
        media: &["links"],
        sees_links: true,
        tokens: false,
        groups: false,
        silent: true,
        apart: &[],
        machine: &Of::<Rl> {
            config: |choice| rl::Config::from(variant(choice)),
            fits: |config, n| heights_fit(config.heights.len(), n),
        },
    },
    Entry {
        name: "raymond",
        aliases: &["rr"],
        promise: "one at a time; everyone gets in; fixed tree, messages routed to tree neighbors",
        paper: "Raymond: A Tree-Based Algorithm for Distributed Mutual Exclusion, 1989",
        variants: &["published"],
        media: &["routed", "links"],
        sees_links: false,
        tokens: false,
        groups: false,
        silent: true,
        apart: &[],
        machine: &Of::<Raymond> { config: |_| (), fits: |(), _| Ok(()) },
    },
];

/// The text to follow.
fn variant(choice: &Choice<'_>) -> Variant {
    match choice.variant {
        Some("published") => Variant::Published,
        _ => Variant::Repaired,
    }
}

/// Initial heights are for all nodes or for none.
fn heights_fit(heights: usize, n: usize) -> Result<()> {
    if heights != 0 && heights != n {
        bail!("has initial heights of {heights} nodes, expected {n}");
    }
    Ok(())
}
