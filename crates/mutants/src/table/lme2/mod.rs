//! The mutants of LME-2, by the functions they are in. That of the departure begins with its
//! number.

mod events;
mod procedures;

use super::Source;

pub(super) const SOURCE: Source = Source {
    name: "lme2",
    parts: &["cold", "initial", "outside"],
    plumbing: PLUMBING,
    mutants: &[events::MUTANTS, procedures::MUTANTS],
};

const PLUMBING: &[(&str, &str)] = &[
    ("pub struct Lme2 { i: NodeId,", "pub struct Lme2 { mutant: u32, i: NodeId,"),
    ("pub struct Config {", "pub struct Config { pub mutant: u32,"),
    ("Config { variant, notifies: true }", "Config { mutant: 0, variant, notifies: true }"),
    ("let rank = |j: NodeId|", "let mutant = config.mutant; let rank = |j: NodeId|"),
    (
        "Lme2 { i, variant: config.variant,",
        "Lme2 { mutant, i, variant: Variant::clone(&config.variant),",
    ),
    // A link has the number too, for what it is asked.
    ("struct Link { c: i64,", "struct Link { mutant: u32, c: i64,"),
    ("fn new(rank: Rank, at: bool)", "fn new(mutant: u32, rank: Rank, at: bool)"),
    ("Link { c: 0,", "Link { mutant, c: 0,"),
    ("Link::new(rank(j), i < j)", "Link::new(mutant, rank(j), i < j)"),
    ("Link::new(Rank::Lower, true)", "Link::new(self.mutant, Rank::Lower, true)"),
    ("Link::new(Rank::Higher, false)", "Link::new(self.mutant, Rank::Higher, false)"),
    // Or these would be there twice.
    ("|(_, link)| link.suspended)", "|(_, wanted)| wanted.suspended)"),
    (
        "Status::Remainder => self.send_forks(|_| true, out),",
        "Status::Remainder => self.send_forks(|_higher| true, out),",
    ),
];

// Why some survive.

const ANYWHERE: &str = "where forks are at first does not matter";

const ANY_NUMBER: &str = "any higher number will do: there is one order of all nodes, and which \
    it is matters for speed alone";

const ANY_ORDER: &str = "any order will do that both ends know";

const ASKED_ANYWAY: &str = "a fork that is not said to be wanted back is asked for in the same \
    step";

const LOWERS_ANYWAY: &str = "who eats lowers itself when it leaves";

const MORE_MESSAGES: &str = "a message that tells nothing new, or a fork for who does not want \
    it";

const NEVER_DECREASES: &str = "numbers never decrease, and messages come in order";

const NEVER_VOID: &str = "a fork is sent only to who asked for it, and nobody asks twice, so \
    there is no such request";

const NOTIFIED: &str = "a thinking node may lower itself at any time, or never: without \
    notifications everyone gets in as well, only later";

const OVERWRITTEN: &str = "asked is read where the fork is not here, and who gives it away sets \
    it";

const UNTIL_KNOWN: &str = "it is so only until the number of the other end is known, which each \
    end of a new link is told";

// What is open.

const AGAIN: &str = "a request too many takes a fork to who does not want it. To ask for what is \
    wanted back as well does harm, this in none of 12,000 random schedules";

const EARLY: &str = "a node asks those below a step before it gives way to those above. To ask \
    them always does harm, this in none of 12,000 random schedules";

const OVERTAKING: &str = "who has eaten goes first, and may overtake others as long as it asks. \
    The crowd does not show it";

const UNTOLD: &str = "the end that stood still may come to be below the other and not know it. \
    No harm is seen in 12,000 random schedules and 300 simulated runs";
