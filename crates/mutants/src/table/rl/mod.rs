//! The mutants of RL, by the functions they are in. Those of the departures begin with the number
//! of the departure.

mod links;
mod procedures;
mod requests;

use super::Source;

pub(super) const SOURCE: Source = Source {
    name: "rl",
    parts: &["cold", "height", "initial", "outside"],
    plumbing: PLUMBING,
    mutants: &[requests::MUTANTS, links::MUTANTS, procedures::MUTANTS],
};

const PLUMBING: &[(&str, &str)] = &[
    ("pub struct Rl { i: NodeId,", "pub struct Rl { mutant: u32, i: NodeId,"),
    ("pub struct Config {", "pub struct Config { pub mutant: u32,"),
    ("Config { variant,", "Config { mutant: 0, variant,"),
    ("&heights, config.variant)", "&heights, config.variant, config.mutant)"),
    ("variant: Variant) -> Self { let", "variant: Variant, mutant: u32) -> Self { let"),
    ("Rl { i,", "Rl { mutant, i,"),
    ("Rl { i: me,", "Rl { mutant: 0, i: me,"),
    (
        "Rl::cold(i, i == NodeId(0), &())",
        "Rl { mutant: config.mutant, ..Rl::cold(i, i == NodeId(0), &()) }",
    ),
];

// Why some survive.

const ANNOUNCED: &str = "who has raised its height has said so before it asks, and whoever heard \
    it has raised its own by then";

const ANY_RAISE: &str = "every height above that of the lowest neighbor will do, and heights only \
    rise: another rule of reversal, with more raises or fewer";

const MORE_MESSAGES: &str = "a message that tells nothing new";

const NEXT_NOT_READ: &str = "repaired, next is read only while a request is under way, and whoever \
    sent that has set next";

const NO_DIFFERENCE: &str = "with D2 and D4 what it is for does not happen: there are just as many \
    states and steps in a clique of 4 with 2 link changes, and in a line of 3 with 3 and two \
    requests each";

const TAKEN_FOR_HIGHER: &str = "a neighbor is only ever taken for higher than it is, which costs \
    raises and breaks no promise";

const GONE_NEXT: &str = "the link goes down in the next step anyway, and until then nobody is \
    given anything over it";

/// The trials with what comes back, and with nodes that start alone.
const SETTLED: &str = "settled links";
const COLD: &str = "cold start";

/// The trial that it takes to show what one request too many can do.
const TWO_CHANGES: &str = "clique of 4, 2 changes";

// What is open.

const ASKED_TWICE: &str = "a request too many can bring the token where nobody wants it. In a \
    clique of 4, with 2 link changes and where 0, 1 and 3 ask, it rests there";

const TOO_LARGE: &str = "the token goes round for ever in a clique of 4 with 2 link changes, which \
    takes 19 million states to see, more than a test should";

const CONFIRMED: &str = "what arrives before the confirmation of the token seems to be a request \
    sent twice at most, and the confirmation behind it puts right what that did";
