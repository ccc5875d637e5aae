//! The fixed list of checks, and what is known of each.

use driftlock_check::Connectivity;
use driftlock_spec::Promise;

/// One check, and what it is known to find.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) protocol: &'static str,
    pub(super) variant: &'static str,
    pub(super) links: &'static [(u32, u32)],
    /// How often each node asks; one number for all of them if it is the same.
    pub(super) requests: &'static [u8],
    pub(super) link_changes: u8,
    pub(super) crashes: u8,
    pub(super) losses: u8,
    pub(super) timeouts: u8,
    pub(super) connectivity: Connectivity,
    /// How many tokens and resources there are.
    pub(super) tokens: u32,
    pub(super) resources: u8,
    /// How far apart heights may be, if not as usual.
    pub(super) spread: Option<u32>,
    /// Whether undefined steps are skipped.
    pub(super) skip: bool,
    /// Whether any number may be inside together.
    pub(super) crowded: bool,
    /// Whether the protocol is local: links break with what is on them, and nobody is told that a
    /// node has stopped.
    pub(super) local: bool,
    /// The promise that is known to be broken.
    pub(super) broken: Option<Promise>,
}

const PAIR: &[(u32, u32)] = &[(0, 1)];
const VEE: &[(u32, u32)] = &[(0, 1), (0, 2)];
const LINE: &[(u32, u32)] = &[(0, 1), (1, 2)];
const TRIANGLE: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];
const LINE_4: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3)];
/// A line with the first two nodes, which have a token each, at its ends.
const ENDS_4: &[(u32, u32)] = &[(0, 2), (2, 3), (1, 3)];
const STAR_4: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3)];
const FAR_STAR_4: &[(u32, u32)] = &[(0, 1), (1, 2), (1, 3)];
const RING_4: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (0, 3)];
const KITE: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (1, 3)];
const DIAMOND: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (0, 3), (1, 3)];
const CLIQUE_4: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
/// Three heads, 0 to 2, with a member between each two.
const HEADS_5: &[(u32, u32)] = &[(0, 3), (1, 3), (1, 4), (2, 4)];
const LINE_5: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (3, 4)];
const TREE_5: &[(u32, u32)] = &[(0, 1), (0, 2), (2, 3), (2, 4)];
const TREE_6: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 3), (2, 4), (2, 5)];

type Links = &'static [(u32, u32)];
type Requests = &'static [u8];

/// A repaired protocol, connected by all links that are up.
const fn of(protocol: &'static str, links: Links, requests: Requests, link_changes: u8) -> Row {
    Row {
        protocol,
        variant: "repaired",
        links,
        requests,
        link_changes,
        crashes: 0,
        losses: 0,
        timeouts: 0,
        connectivity: Connectivity::Physical,
        tokens: 1,
        resources: 1,
        spread: None,
        skip: false,
        crowded: false,
        local: false,
        broken: None,
    }
}

const fn rl(links: Links, requests: Requests, link_changes: u8) -> Row {
    of("rl", links, requests, link_changes)
}

const fn rlp(links: Links, requests: Requests, link_changes: u8) -> Row {
    of("rlp", links, requests, link_changes)
}

const fn krl(tokens: u32, links: Links, requests: Requests, link_changes: u8) -> Row {
    Row { tokens, ..of("krl", links, requests, link_changes) }
}

/// Tokens go round for ever, and heights drift apart with them.
const fn krlf(tokens: u32, links: Links, requests: Requests, link_changes: u8) -> Row {
    Row { tokens, spread: Some(6), ..of("krlf", links, requests, link_changes) }
}

const fn krla(tokens: u32, links: Links, requests: Requests, link_changes: u8) -> Row {
    Row { tokens, ..of("krla", links, requests, link_changes) }
}

/// Two resources.
const fn gme(links: Links, requests: Requests, link_changes: u8) -> Row {
    Row { resources: 2, ..of("gme", links, requests, link_changes) }
}

const fn raymond(links: Links, requests: Requests) -> Row {
    Row { variant: "published", ..of("raymond", links, requests, 0) }
}

const fn raymond_k(tokens: u32, links: Links, requests: Requests) -> Row {
    Row { variant: "published", tokens, ..of("raymond-k", links, requests, 0) }
}

/// Nodes 0 and 1 are heads, and 2 if it is linked to none of them.
const fn cluster(links: Links, requests: Requests, link_changes: u8) -> Row {
    of("cluster", links, requests, link_changes)
}

/// The text was not to be had.
const fn ring(links: Links, requests: Requests, link_changes: u8) -> Row {
    Row { variant: "reconstructed", ..of("ring", links, requests, link_changes) }
}

/// A local protocol.
const fn local(protocol: &'static str, links: Links, requests: Requests, link_changes: u8) -> Row {
    let connectivity = Connectivity::Partitions;
    Row { connectivity, local: true, ..of(protocol, links, requests, link_changes) }
}

/// Links stay, and the text is the only one there is.
const fn chandy_misra(links: Links, requests: Requests) -> Row {
    Row { variant: "published", ..local("chandy-misra", links, requests, 0) }
}

/// The same, connected by the links both ends know of.
const fn known(row: Row) -> Row {
    Row { connectivity: Connectivity::Known, ..row }
}

/// The same, not connected by anything.
const fn apart(row: Row) -> Row {
    Row { connectivity: Connectivity::Partitions, ..row }
}

/// The same, and a node stops.
const fn crash(row: Row) -> Row {
    Row { crashes: 1, ..apart(row) }
}

/// The same with another bound for heights.
const fn within(spread: u32, row: Row) -> Row {
    Row { spread: Some(spread), ..row }
}

/// The published text, which breaks a promise or not.
const fn published(row: Row, broken: Option<Promise>) -> Row {
    Row { variant: "published", broken, ..row }
}

/// The published text, with undefined steps skipped.
const fn skipping(row: Row, broken: Promise) -> Row {
    Row { skip: true, ..published(row, Some(broken)) }
}

/// The same, with any number inside.
const fn crowded(row: Row) -> Row {
    Row { crowded: true, ..row }
}

/// The list that takes a minute or two.
pub(super) const SUITE: &[Row] = &[
    rl(PAIR, &[3], 0),
    rl(VEE, &[1], 3),
    rl(LINE, &[1], 3),
    rl(TRIANGLE, &[1], 3),
    rl(TRIANGLE, &[2], 2),
    known(rl(VEE, &[1], 3)),
    known(rl(LINE, &[1], 3)),
    known(rl(TRIANGLE, &[1], 4)),
    rl(LINE_4, &[1], 1),
    rl(STAR_4, &[1], 1),
    rl(FAR_STAR_4, &[1], 1),
    rl(RING_4, &[1], 1),
    rl(KITE, &[1], 1),
    rl(DIAMOND, &[1], 1),
    rl(CLIQUE_4, &[1], 1),
    rl(CLIQUE_4, &[1, 1, 0, 1], 2),
    published(rl(VEE, &[1], 2), Some(Promise::DefinedStep)),
    published(rl(TRIANGLE, &[1], 3), Some(Promise::DefinedStep)),
    skipping(rl(VEE, &[1], 2), Promise::NoStarvation),
    skipping(rl(TRIANGLE, &[1], 3), Promise::NoStarvation),
    published(known(rl(LINE, &[1], 3)), None),
    published(known(rl(TRIANGLE, &[1], 4)), None),
    published(rl(RING_4, &[1], 1), None),
    published(rl(CLIQUE_4, &[1], 1), Some(Promise::Silence)),
    rlp(TRIANGLE, &[1], 2),
    rlp(RING_4, &[1], 1),
    apart(rlp(LINE, &[1], 2)),
    apart(rlp(TRIANGLE, &[1], 3)),
    apart(rlp(LINE_4, &[1], 1)),
    apart(rlp(STAR_4, &[1], 1)),
    crash(rlp(TRIANGLE, &[1], 1)),
    krl(1, TRIANGLE, &[1], 2),
    krl(2, PAIR, &[3], 0),
    krl(2, VEE, &[1], 2),
    krl(2, LINE, &[1], 2),
    krl(2, LINE, &[2, 1, 2], 1),
    krl(2, TRIANGLE, &[2], 1),
    krl(2, TRIANGLE, &[1], 3),
    krl(2, ENDS_4, &[1, 1, 2, 2], 0),
    krl(2, LINE_4, &[1], 1),
    krl(2, RING_4, &[1], 1),
    apart(krl(2, LINE, &[1], 2)),
    apart(krl(2, TRIANGLE, &[1], 2)),
    apart(krl(2, LINE_4, &[1], 1)),
    crash(krl(2, LINE, &[1], 1)),
    published(krl(1, LINE, &[1], 2), Some(Promise::DefinedStep)),
    skipping(krl(1, VEE, &[1], 2), Promise::NoStarvation),
    published(apart(krl(1, PAIR, &[1], 1)), Some(Promise::DefinedStep)),
    skipping(apart(krl(1, LINE, &[1], 1)), Promise::Reachability),
    published(krl(2, PAIR, &[1], 0), Some(Promise::Silence)),
    published(krl(2, LINE, &[2, 1, 2], 1), Some(Promise::NoStarvation)),
    published(krl(2, ENDS_4, &[1, 1, 2, 2], 0), Some(Promise::NoStarvation)),
    published(known(krl(2, TRIANGLE, &[1], 3)), None),
    krlf(1, TRIANGLE, &[1], 0),
    krlf(2, PAIR, &[2], 0),
    krlf(2, LINE, &[1], 0),
    within(4, krlf(2, LINE, &[0, 0, 1], 1)),
    apart(krlf(2, PAIR, &[1], 2)),
    within(8, krlf(1, TRIANGLE, &[1], 1)),
    within(12, krlf(1, LINE_4, &[1], 0)),
    within(7, krlf(2, LINE_4, &[0, 1, 0, 1], 0)),
    within(7, krlf(2, ENDS_4, &[0, 0, 1, 1], 0)),
    published(krlf(1, LINE, &[1], 2), Some(Promise::DefinedStep)),
    published(krlf(2, PAIR, &[2], 0), None),
    published(krlf(2, LINE, &[1], 0), None),
    krla(1, TRIANGLE, &[1], 1),
    krla(2, PAIR, &[2], 0),
    krla(2, LINE, &[2], 0),
    krla(1, LINE_4, &[1], 0),
    krla(2, RING_4, &[1], 0),
    apart(krla(2, LINE, &[1], 1)),
    gme(PAIR, &[3], 0),
    gme(VEE, &[1], 1),
    gme(LINE, &[1], 1),
    gme(TRIANGLE, &[1], 1),
    gme(LINE_4, &[1], 0),
    gme(FAR_STAR_4, &[1], 0),
    gme(RING_4, &[1], 0),
    published(gme(PAIR, &[1], 0), Some(Promise::DefinedStep)),
    skipping(gme(PAIR, &[2, 1], 0), Promise::Weights),
    skipping(gme(LINE, &[1], 0), Promise::Weights),
    skipping(gme(VEE, &[1], 0), Promise::Exclusion),
    skipping(gme(TRIANGLE, &[0, 1, 1], 1), Promise::Weights),
    crowded(skipping(gme(FAR_STAR_4, &[1, 0, 1, 1], 0), Promise::NoStarvation)),
    raymond(TRIANGLE, &[3]),
    raymond(FAR_STAR_4, &[2]),
    raymond(LINE_5, &[1]),
    raymond(TREE_5, &[2]),
    raymond_k(1, VEE, &[2]),
    raymond_k(2, VEE, &[2]),
    cluster(ENDS_4, &[2], 0),
    cluster(ENDS_4, &[1], 1),
    Row { losses: 1, ..cluster(ENDS_4, &[1], 0) },
    Row { crashes: 1, ..cluster(ENDS_4, &[1], 0) },
    Row { timeouts: 1, ..cluster(ENDS_4, &[1], 0) },
    Row { timeouts: 1, losses: 1, crashes: 1, ..cluster(ENDS_4, &[0, 0, 1, 1], 0) },
    Row { timeouts: 1, ..cluster(ENDS_4, &[0, 0, 1, 1], 1) },
    cluster(HEADS_5, &[1], 0),
    Row { timeouts: 1, ..cluster(HEADS_5, &[1, 1, 1, 0, 0], 0) },
    Row { timeouts: 1, crashes: 1, ..cluster(HEADS_5, &[0, 0, 1, 1, 0], 0) },
    Row { variant: "published", ..cluster(ENDS_4, &[2], 0) },
    Row {
        variant: "published",
        timeouts: 1,
        broken: Some(Promise::Exclusion),
        ..cluster(ENDS_4, &[0, 0, 2, 2], 0)
    },
    Row {
        variant: "published",
        crashes: 1,
        broken: Some(Promise::NoStarvation),
        ..cluster(LINE, &[0, 1, 1], 0)
    },
    ring(PAIR, &[3], 0),
    ring(LINE, &[3], 0),
    ring(LINE, &[2], 1),
    ring(TRIANGLE, &[1], 2),
    ring(RING_4, &[2], 0),
    ring(CLIQUE_4, &[2], 0),
    ring(LINE_4, &[1], 1),
    local("lme1a", PAIR, &[3], 3),
    local("lme1a", TRIANGLE, &[1], 1),
    local("lme1a", LINE, &[1], 1),
    local("lme1a", LINE, &[0, 1, 1], 3),
    local("lme1a", LINE_4, &[1], 0),
    local("lme1a", STAR_4, &[1], 0),
    crash(local("lme1a", LINE, &[1], 0)),
    local("lme1b", TRIANGLE, &[1], 1),
    local("lme1b", LINE, &[0, 1, 1], 3),
    local("lme1b", LINE_4, &[1], 0),
    published(local("lme1a", PAIR, &[1], 0), Some(Promise::NoStarvation)),
    published(local("lme1a", PAIR, &[1], 1), Some(Promise::NoStarvation)),
    published(local("lme1b", LINE, &[1], 1), Some(Promise::NoStarvation)),
    local("choy-singh", TRIANGLE, &[2], 0),
    local("choy-singh", RING_4, &[1], 0),
    crash(local("choy-singh", LINE_4, &[1], 0)),
    published(local("choy-singh", LINE, &[1], 0), Some(Promise::EntryOnRequest)),
    local("lme2", TRIANGLE, &[1], 1),
    local("lme2", LINE, &[1], 2),
    local("lme2", RING_4, &[1, 1, 1, 0], 0),
    crash(local("lme2", LINE, &[1], 1)),
    crash(local("lme2", LINE_4, &[1], 0)),
    crash(local("lme2", STAR_4, &[1], 0)),
    published(local("lme2", TRIANGLE, &[1, 2, 1], 0), Some(Promise::NoStarvation)),
    published(local("lme2", LINE, &[1], 1), Some(Promise::NoStarvation)),
    chandy_misra(RING_4, &[2]),
    chandy_misra(CLIQUE_4, &[1]),
    crash(chandy_misra(LINE_4, &[1])),
];

/// What comes on top of it when there is time.
pub(super) const DEEP: &[Row] = &[
    rl(LINE, &[3], 2),
    rl(TRIANGLE, &[3], 2),
    rl(LINE, &[1], 4),
    rl(TRIANGLE, &[1], 4),
    rl(LINE, &[2], 3),
    rl(TRIANGLE, &[2], 3),
    rl(LINE_4, &[1], 2),
    rl(STAR_4, &[1], 2),
    rl(FAR_STAR_4, &[1], 2),
    rl(RING_4, &[1], 2),
    known(rl(RING_4, &[1], 2)),
    known(rl(DIAMOND, &[1], 2)),
    rl(RING_4, &[2], 0),
    rl(LINE_5, &[1], 0),
    rl(TREE_5, &[1], 1),
    rl(CLIQUE_4, &[1], 2),
    published(known(rl(RING_4, &[1], 2)), None),
    gme(LINE, &[1], 2),
    published(krl(2, LINE, &[1, 2, 2], 1), Some(Promise::NoStarvation)),
    published(krl(1, CLIQUE_4, &[1], 1), Some(Promise::Silence)),
    raymond(TREE_6, &[2]),
    raymond(TREE_5, &[3]),
    raymond_k(2, STAR_4, &[1]),
    Row { timeouts: 1, losses: 1, crashes: 1, ..cluster(HEADS_5, &[0, 0, 1, 1, 0], 0) },
    ring(TREE_5, &[2], 0),
    local("lme1a", LINE, &[1], 2),
    local("lme1a", LINE, &[1], 3),
    local("lme1a", RING_4, &[1], 0),
    crash(local("lme1a", LINE, &[1], 1)),
    local("lme1b", LINE, &[1], 2),
    local("lme2", TRIANGLE, &[2], 0),
    crash(local("lme2", LINE_5, &[1], 0)),
];
