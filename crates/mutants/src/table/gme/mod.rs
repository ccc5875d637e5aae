//! The mutants of GME with its departures, by the functions they are in. Those of the departures
//! begin with the number of the departure.

mod links;
mod requests;
mod sessions;
mod weights;

use super::Source;

pub(super) const SOURCE: Source = Source {
    name: "gme",
    parts: &["cold", "initial", "outside", "published", "queue", "repaired", "weight"],
    plumbing: PLUMBING,
    mutants: &[requests::MUTANTS, weights::MUTANTS, sessions::MUTANTS, links::MUTANTS],
};

const PLUMBING: &[(&str, &str)] = &[
    ("pub struct Gme { i: NodeId,", "pub struct Gme { mutant: u32, i: NodeId,"),
    ("pub struct Config {", "pub struct Config { pub mutant: u32,"),
    ("Config { variant: Variant::Repaired,", "Config { mutant: 0, variant: Variant::Repaired,"),
    ("let height = |j: NodeId|", "let mutant = config.mutant; let height = |j: NodeId|"),
    ("Gme { i, config:", "Gme { mutant, i, config:"),
    ("Gme { i: me,", "Gme { mutant: config.mutant, i: me,"),
];

/// The trials with what comes back, and with nodes that start alone.
const SETTLED: &str = "settled links";
const COLD: &str = "cold start";

// Why some survive.

const ANY_HEIGHTS: &str =
    "raises lead to the token from any heights, as they have to where it is made anew";

const ANY_RAISE: &str = "every height above that of the lowest neighbor will do, and heights only \
    rise: another rule of reversal, with more raises or fewer";

const ASKED_THEN: &str =
    "LINK confirms the token, and whoever has to ask and has not asks then (D2)";

const BOUNDS: &str =
    "how long a session goes on is measured, not promised: requests are finite here";

const FEWER_UNITS: &str = "a unit is enough for one, and the others are asked for anew (D8)";

const HEARD_OF: &str = "whoever did not know of a raise hears of it and asks again, token or not";

const IN_N_ANYWAY: &str = "records are made in N, and dropped with their links (D2)";

const MORE_MESSAGES: &str = "a message that tells nothing new";

const NEXT_NOT_READ: &str = "next is read only while a request is under way, and whoever sent that \
    has set next";

const NOT_UNDER_WAY: &str = "who takes the token has no request under way any more";

const ORDER: &str = "in which order those who wait are served is not promised";

const OVERWRITTEN: &str = "whoever reads a record asks whether it is in N, and the first LINK \
    overwrites it";

const SET_ANEW: &str = "a link that comes back sets it anew, and nothing arrives before that";

const SINK: &str =
    "a sink has nothing under way: it has heard that next is above, or lost that link";

const TAKEN_FOR_HIGHER: &str = "a neighbor is only ever taken for higher than it is, which costs \
    raises and breaks no promise";

const WEIGHT_MAX: &str = "no network here has 2^63 units out";

const BEHIND: &str = "who waits behind a request for something else gets in later. Entering \
    together is promised while nobody wants anything else, and then there is no such request \
    (D6, D12)";

const NOTHING_ASKED: &str = "nobody but next has a request of this node, and nobody one of the \
    leader (D2, D4): no storm of 2,000 takes another course";

const NO_DIFFERENCE: &str = "with D2 and D4 what it is for does not happen: no storm of 2,000 \
    takes another course, and the same of RL has just as many states and steps";

// What is open.

const AS_RL: &str = "in RL it takes 4 nodes with 1 or 2 link changes to show what it does, or \
    more. 2,000 storms and 90,000 walks show nothing here";

const FOUR_NODES: &str = "D6 is known to take 4 nodes and 32 steps to show what it is for. 2,000 \
    storms and 90,000 walks do not show this one";
