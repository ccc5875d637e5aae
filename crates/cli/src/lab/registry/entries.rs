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
    Entry::new(
        "rl",
        "one at a time; everyone gets in once links cease to change; connected network",
        &Of::<Rl>::new(|choice| rl::Config::from(variant(choice)))
            .fitting(|config, n| heights_fit(config.heights.len(), n)),
    )
    .paper("Walter, Welch, Vaidya: A Mutual Exclusion Algorithm for Ad Hoc Mobile Networks, 2001")
    .variants(&["repaired", "published"])
    .sees_links()
    .tokens_are_counted(),
    Entry::new(
        "rlp",
        "one at a time, as rl; a part of the network without the token waits and knows it",
        &Of::<Krl>::new(|choice| krl_config(choice, Forwarding::Never)).fitting(krl_fits),
    )
    .aliases(&["rl-partitions"])
    .paper("rl, with the partition detection that its section 7 proposes (krl with one token)")
    .variants(&["repaired"])
    .sees_links()
    .tokens_are_counted()
    .lives_apart(&["repaired"])
    .wakes_up(&["repaired"]),
    krl(
        "krl",
        "k at a time; everyone gets in once links cease to change; parts without a token wait",
        &Of::<Krl>::new(|choice| krl_config(choice, Forwarding::Never)).fitting(krl_fits),
    ),
    krl(
        "krlf",
        "as krl; idle tokens move on all the time",
        &Of::<Krl>::new(|choice| krl_config(choice, Forwarding::Always)).fitting(krl_fits),
    )
    .never_silent(),
    krl(
        "krla",
        "as krl; idle tokens move on while there is something to do (our addition)",
        &Of::<Krl>::new(|choice| krl_config(choice, Forwarding::Adaptive)).fitting(krl_fits),
    ),
    Entry::new(
        "raymond",
        "one at a time; everyone gets in; fixed tree, messages routed to tree neighbors",
        &Of::<Raymond>::new(|_| ()),
    )
    .aliases(&["rr"])
    .paper("Raymond: A Tree-Based Algorithm for Distributed Mutual Exclusion, 1989")
    .media(&["routed", "links"])
    .tokens_are_counted(),
    Entry::new(
        "raymond-k",
        "k at a time, by permission; everyone gets in; messages routed to all nodes",
        &Of::<RaymondK>::new(|choice| raymond_k::Config { tokens: choice.tokens })
            .fitting(|config, n| tokens_fit(config.tokens, n)),
    )
    .paper("Raymond: A Distributed Algorithm for Multiple Entries to a Critical Section, 1989")
    .media(&["routed"])
    .several_tokens(),
    Entry::new(
        "gme",
        "one resource at a time, any number of nodes; everyone gets in once links cease to \
         change; connected network",
        &Of::<Gme>::new(gme_config).fitting(|config, _| gme_fits(config)),
    )
    .paper("Jiang: A Group Mutual Exclusion Algorithm for Ad Hoc Mobile Networks")
    .variants(&["repaired", "published"])
    .sees_links()
    .groups()
    .tokens_are_counted()
    .wakes_up(&["repaired"]),
    Entry::made_by(
        "cluster",
        "one at a time; everyone gets in who is connected to more than half of all nodes; \
         messages get lost, nodes move and stop, and whoever was written off is deposed (never if \
         `patient`, where no node may stop)",
        &Either {
            first: Of::<Cluster>::new(cluster_config),
            published: Of::<Published>::new(published_config),
        },
    )
    .aliases(&["sbs"])
    .paper(
        "Sharma, Bhatia, Singh: A Token Based Protocol for Mutual Exclusion in Mobile Ad Hoc \
         Networks, 2014",
    )
    .variants(&["repaired", "published", "patient"])
    .media(&["mesh"])
    .sees_links()
    .writes_nobody_off(&["patient"])
    .knows_no_epochs(&["published"])
    .silent_if(|choice| choice.variant != Some("published"))
    .lives_with_faults(),
    Entry::new(
        "ring",
        "one at a time; everyone gets in; messages routed to all nodes",
        &Of::<Ring>::new(|_| ()),
    )
    .aliases(&["bvp"])
    .paper(
        "Baldoni, Virgillito, Petrassi: A Distributed Mutual Exclusion Algorithm for Mobile Ad \
         Hoc Networks, 2002 (as far as Sharma, Bhatia and Singh tell)",
    )
    .variants(&["reconstructed"])
    .media(&["mesh"])
    .sees_links()
    .tokens_are_counted(),
    lme1(
        "lme1a",
        "no two neighbors at once; everyone gets in unless a node has stopped",
        &Of::<Lme1>::new(|choice| lme1_config(choice, Coloring::Greedy)),
    )
    .sees_links()
    .local(|_| u32::MAX),
    lme1(
        "lme1b",
        "no two neighbors at once; everyone gets in who is more than 6 links away from a node that \
         has stopped",
        &Of::<Lme1>::new(|choice| lme1_config(choice, Coloring::Linial { n: 0, degree: 0 })),
    )
    .sees_links()
    .local(|_| 6),
    Entry::new(
        "lme2",
        "no two neighbors at once; everyone gets in who is more than 2 links away from a node that \
         has stopped",
        &Of::<Lme2>::new(lme2_config),
    )
    .paper(
        "Attiya, Kogan, Welch: Efficient and Robust Local Mutual Exclusion in Mobile Ad Hoc \
         Networks, 2008 (Algorithm 2)",
    )
    .variants(&["repaired", "published", "quiet"])
    .sees_links()
    .wakes_up(&["repaired"])
    .local(|_| 2),
    lme1(
        "choy-singh",
        "no two neighbors at once; everyone gets in who is more than 4 links away from a node that \
         has stopped; fixed links",
        &Of::<Lme1>::new(|choice| lme1_config(choice, Coloring::Given)),
    )
    .paper(
        "Choy, Singh: Efficient Fault-Tolerant Algorithms for Distributed Resource Allocation, \
         1995 (as far as Algorithm 1 of Attiya, Kogan and Welch tells)",
    )
    .local(|_| 4),
    Entry::new(
        "chandy-misra",
        "no two neighbors at once; everyone gets in unless a node has stopped; fixed links",
        &Of::<ChandyMisra>::new(|_| ()),
    )
    .paper("Chandy, Misra: The Drinking Philosophers Problem, 1984")
    // One node that stops can hold up everybody.
    .local(|_| u32::MAX),
];

/// LME-1, with where colors are from.
const fn lme1(name: &'static str, promise: &'static str, of: &'static Of<Lme1>) -> Entry {
    Entry::new(name, promise, of)
        .paper(
            "Attiya, Kogan, Welch: Efficient and Robust Local Mutual Exclusion in Mobile Ad Hoc \
             Networks, 2008 (Algorithm 1)",
        )
        .variants(&["repaired", "published"])
}

fn lme1_config(choice: &Choice<'_>, coloring: Coloring) -> lme1::Config {
    lme1::Config { variant: variant(choice), coloring }
}

/// KRL, with what becomes of idle tokens.
const fn krl(name: &'static str, promise: &'static str, of: &'static Of<Krl>) -> Entry {
    Entry::new(name, promise, of)
        .paper(
            "Walter, Cao, Mohanty: A k-Mutual Exclusion Algorithm for Wireless Ad Hoc Networks, \
             2001",
        )
        .variants(&["repaired", "published"])
        .sees_links()
        .several_tokens()
        .tokens_are_counted()
        .lives_apart(&["repaired"])
        .wakes_up(&["repaired"])
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

fn gme_config(choice: &Choice<'_>) -> gme::Config {
    let session = choice.session.map_or(gme::Config::default().session, Session::bound);
    gme::Config { session, ..gme::Config::from(variant(choice)) }
}

fn gme_fits(config: &gme::Config) -> Result<()> {
    if !(1..=1 << 62).contains(&config.units) {
        bail!("has {} units to a subtoken, expected from 1 to 2^62", config.units);
    }
    Ok(())
}

fn lme2_config(choice: &Choice<'_>) -> lme2::Config {
    let notifies = choice.variant != Some("quiet");
    lme2::Config { notifies, ..lme2::Config::from(variant(choice)) }
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

/// Time-outs for what a scenario says of time. Where no time passes, a node that has not answered
/// once is written off: to ask again would only make more schedules. Who is patient writes nobody
/// off.
fn cluster_config(choice: &Choice<'_>) -> cluster::Config {
    let config = match choice.pace {
        Some(Pace { message, others }) => {
            cluster::Config::for_delays(Ticks(message), Ticks(others))
        }
        None => cluster::Config { patience: Some(0), ..cluster::Config::default() },
    };
    match choice.variant {
        Some("patient") => cluster::Config { patience: None, ..config },
        _ => config,
    }
}

fn published_config(choice: &Choice<'_>) -> published::Config {
    let Some(Pace { message, others }) = choice.pace else { return published::Config::default() };
    published::Config { over: Ticks(others), other: Ticks(4 * message), dual: true }
}
