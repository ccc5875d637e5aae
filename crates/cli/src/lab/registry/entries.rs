//! The protocols: an entry each, and nothing else has to know of one.

use anyhow::{Result, bail};
use driftlock_core::Ticks;
use driftlock_protocols::Variant;
use driftlock_protocols::chandy_misra::ChandyMisra;
use driftlock_protocols::cluster::published::{self, Published};
use driftlock_protocols::cluster::{self, Cluster};
use driftlock_protocols::gme::{self, Gme};
use driftlock_protocols::krl::{self, Forwarding, Krl};
use driftlock_protocols::lme1::{self, Coloring, Lme1};
use driftlock_protocols::lme2::{self, Lme2};
use driftlock_protocols::raymond::Raymond;
use driftlock_protocols::raymond_k::{self, RaymondK};
use driftlock_protocols::ring::Ring;
use driftlock_protocols::rl::{self, Rl};
use driftlock_sim::Session;

use super::machine::{Either, Of};
use super::{Choice, Entry, Pace};

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
        counted: true,
        silent: |_| true,
        apart: &[],
        wakes: &[],
        faults: false,
        local: None,
        machine: &Of::<Rl> {
            config: |choice| rl::Config::from(variant(choice)),
            fits: |config, n| heights_fit(config.heights.len(), n),
        },
    },
    Entry {
        name: "rlp",
        aliases: &["rl-partitions"],
        promise: "one at a time, as rl; a part of the network without the token waits and knows it",
        paper: "rl, with the partition detection that its section 7 proposes (krl with one token)",
        variants: &["repaired"],
        media: &["links"],
        sees_links: true,
        tokens: false,
        groups: false,
        counted: true,
        silent: |_| true,
        apart: &["repaired"],
        wakes: &["repaired"],
        faults: false,
        local: None,
        machine: &Of::<Krl> {
            config: |choice| krl_config(choice, Forwarding::Never),
            fits: krl_fits,
        },
    },
    krl(
        "krl",
        "k at a time; everyone gets in once links cease to change; parts without a token wait",
        |_| true,
        &Of::<Krl> { config: |choice| krl_config(choice, Forwarding::Never), fits: krl_fits },
    ),
    krl(
        "krlf",
        "as krl; idle tokens move on all the time",
        |_| false,
        &Of::<Krl> { config: |choice| krl_config(choice, Forwarding::Always), fits: krl_fits },
    ),
    krl(
        "krla",
        "as krl; idle tokens move on while there is something to do (our addition)",
        |_| true,
        &Of::<Krl> { config: |choice| krl_config(choice, Forwarding::Adaptive), fits: krl_fits },
    ),
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
        counted: true,
        silent: |_| true,
        apart: &[],
        wakes: &[],
        faults: false,
        local: None,
        machine: &Of::<Raymond> { config: |_| (), fits: |(), _| Ok(()) },
    },
    Entry {
        name: "raymond-k",
        aliases: &[],
        promise: "k at a time, by permission; everyone gets in; messages routed to all nodes",
        paper: "Raymond: A Distributed Algorithm for Multiple Entries to a Critical Section, 1989",
        variants: &["published"],
        media: &["routed"],
        sees_links: false,
        tokens: true,
        groups: false,
        counted: false,
        silent: |_| true,
        apart: &[],
        wakes: &[],
        faults: false,
        local: None,
        machine: &Of::<RaymondK> {
            config: |choice| raymond_k::Config { tokens: choice.tokens },
            fits: |config, n| tokens_fit(config.tokens, n),
        },
    },
    Entry {
        name: "gme",
        aliases: &[],
        promise: "one resource at a time, any number of nodes; everyone gets in once links cease \
                  to change; connected network",
        paper: "Jiang: A Group Mutual Exclusion Algorithm for Ad Hoc Mobile Networks",
        variants: &["repaired", "published"],
        media: &["links"],
        sees_links: true,
        tokens: false,
        groups: true,
        counted: true,
        silent: |_| true,
        apart: &[],
        wakes: &["repaired"],
        faults: false,
        local: None,
        machine: &Of::<Gme> {
            config: |choice| gme::Config {
                session: session(choice),
                ..gme::Config::from(variant(choice))
            },
            fits: |config, _| gme_fits(config),
        },
    },
    Entry {
        name: "cluster",
        aliases: &["sbs"],
        promise: "one at a time; everyone gets in who is connected to more than half of all nodes; \
                  messages get lost, nodes move and stop, and whoever was written off is deposed",
        paper: "Sharma, Bhatia, Singh: A Token Based Protocol for Mutual Exclusion in Mobile Ad \
                Hoc Networks, 2014",
        variants: &["repaired", "published"],
        media: &["mesh"],
        sees_links: true,
        tokens: false,
        groups: false,
        counted: false,
        silent: |choice| choice.variant != Some("published"),
        apart: &[],
        wakes: &[],
        faults: true,
        local: None,
        machine: &Either {
            first: Of::<Cluster> { config: cluster_config, fits: |_, _| Ok(()) },
            published: Of::<Published> { config: published_config, fits: |_, _| Ok(()) },
        },
    },
    Entry {
        name: "ring",
        aliases: &["bvp"],
        promise: "one at a time; everyone gets in; messages routed to all nodes",
        paper: "Baldoni, Virgillito, Petrassi: A Distributed Mutual Exclusion Algorithm for Mobile \
                Ad Hoc Networks, 2002 (as far as Sharma, Bhatia and Singh tell)",
        variants: &["published"],
        media: &["mesh"],
        sees_links: true,
        tokens: false,
        groups: false,
        counted: true,
        silent: |_| true,
        apart: &[],
        wakes: &[],
        faults: false,
        local: None,
        machine: &Of::<Ring> { config: |_| (), fits: |(), _| Ok(()) },
    },
    lme1(
        "lme1a",
        "no two neighbors at once; everyone gets in unless a node has stopped",
        Some(|_| u32::MAX),
        &Of::<Lme1> { config: |choice| lme1_config(choice, Coloring::Greedy), fits: |_, _| Ok(()) },
    ),
    lme1(
        "lme1b",
        "no two neighbors at once; everyone gets in who is more than 6 links away from a node that \
         has stopped",
        Some(|_| 6),
        &Of::<Lme1> {
            config: |choice| lme1_config(choice, Coloring::Linial { n: 0, degree: 0 }),
            fits: |_, _| Ok(()),
        },
    ),
    Entry {
        name: "lme2",
        aliases: &[],
        promise: "no two neighbors at once; everyone gets in who is more than 2 links away from a \
                  node that has stopped",
        paper: "Attiya, Kogan, Welch: Efficient and Robust Local Mutual Exclusion in Mobile Ad Hoc \
                Networks, 2008 (Algorithm 2)",
        variants: &["repaired", "published", "quiet"],
        media: &["links"],
        sees_links: true,
        tokens: false,
        groups: false,
        counted: false,
        silent: |_| true,
        apart: &[],
        wakes: &["repaired"],
        faults: false,
        local: Some(|_| 2),
        machine: &Of::<Lme2> {
            config: |choice| lme2::Config {
                notifies: choice.variant != Some("quiet"),
                ..lme2::Config::from(variant(choice))
            },
            fits: |_, _| Ok(()),
        },
    },
    Entry {
        name: "choy-singh",
        aliases: &[],
        promise: "no two neighbors at once; everyone gets in who is more than 4 links away from a \
                  node that has stopped; fixed links",
        paper: "Choy, Singh: Efficient Fault-Tolerant Algorithms for Distributed Resource \
                Allocation, 1995 (as far as Algorithm 1 of Attiya, Kogan and Welch tells)",
        sees_links: false,
        ..lme1(
            "",
            "",
            Some(|_| 4),
            &Of::<Lme1> {
                config: |choice| lme1_config(choice, Coloring::Given),
                fits: |_, _| Ok(()),
            },
        )
    },
    Entry {
        name: "chandy-misra",
        aliases: &[],
        promise: "no two neighbors at once; everyone gets in unless a node has stopped; fixed \
                  links",
        paper: "Chandy, Misra: The Drinking Philosophers Problem, 1984",
        variants: &["published"],
        media: &["links"],
        sees_links: false,
        tokens: false,
        groups: false,
        counted: false,
        silent: |_| true,
        apart: &[],
        wakes: &[],
        faults: false,
        // One node that stops can hold up everybody.
        local: Some(|_| u32::MAX),
        machine: &Of::<ChandyMisra> { config: |_| (), fits: |(), _| Ok(()) },
    },
];

/// LME-1, with where colors are from.
const fn lme1(
    name: &'static str,
    promise: &'static str,
    local: Option<fn(&Choice<'_>) -> u32>,
    machine: &'static Of<Lme1>,
) -> Entry {
    Entry {
        name,
        aliases: &[],
        promise,
        paper: "Attiya, Kogan, Welch: Efficient and Robust Local Mutual Exclusion in Mobile Ad Hoc \
                Networks, 2008 (Algorithm 1)",
        variants: &["repaired", "published"],
        media: &["links"],
        sees_links: true,
        tokens: false,
        groups: false,
        counted: false,
        silent: |_| true,
        apart: &[],
        wakes: &[],
        faults: false,
        local,
        machine,
    }
}

fn lme1_config(choice: &Choice<'_>, coloring: Coloring) -> lme1::Config {
    lme1::Config { variant: variant(choice), coloring }
}

/// KRL, with what becomes of idle tokens.
const fn krl(
    name: &'static str,
    promise: &'static str,
    silent: fn(&Choice<'_>) -> bool,
    machine: &'static Of<Krl>,
) -> Entry {
    Entry {
        name,
        aliases: &[],
        promise,
        paper: "Walter, Cao, Mohanty: A k-Mutual Exclusion Algorithm for Wireless Ad Hoc Networks, \
                2001",
        variants: &["repaired", "published"],
        media: &["links"],
        sees_links: true,
        tokens: true,
        groups: false,
        counted: true,
        silent,
        apart: &["repaired"],
        wakes: &["repaired"],
        faults: false,
        local: None,
        machine,
    }
}

fn krl_config(choice: &Choice<'_>, forwarding: Forwarding) -> krl::Config {
    krl::Config::new(variant(choice), choice.tokens, forwarding)
}

fn krl_fits(config: &krl::Config, n: usize) -> Result<()> {
    tokens_fit(config.tokens, n)?;
    heights_fit(config.heights.len(), n)
}

fn tokens_fit(tokens: u32, n: usize) -> Result<()> {
    if !(1..=n).contains(&(tokens as usize)) {
        bail!("has {tokens} tokens for {n} nodes, expected from 1 to {n}");
    }
    Ok(())
}

fn session(choice: &Choice<'_>) -> Option<u32> {
    choice.session.map_or(gme::Config::default().session, Session::bound)
}

fn gme_fits(config: &gme::Config) -> Result<()> {
    if !(1..=1 << 62).contains(&config.units) {
        bail!("has {} units to a subtoken, expected from 1 to 2^62", config.units);
    }
    Ok(())
}

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

/// Time-outs that are right. Where no time passes, a node that has not answered once is written
/// off: to ask again would only make more schedules.
fn cluster_config(choice: &Choice<'_>) -> cluster::Config {
    match choice.pace {
        Some(Pace { message, others }) => {
            cluster::Config::for_delays(Ticks(message), Ticks(others))
        }
        None => cluster::Config { patience: Some(0), ..cluster::Config::default() },
    }
}

fn published_config(choice: &Choice<'_>) -> published::Config {
    let Some(Pace { message, others }) = choice.pace else { return published::Config::default() };
    published::Config { over: Ticks(others), other: Ticks(4 * message), dual: true }
}
