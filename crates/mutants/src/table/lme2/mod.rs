//! The mutants of LME-2, by the functions they are in. That of the departure begins with its
//! number.

mod events;
mod procedures;

use super::Source;

pub(super) const SOURCE: Source = Source {
    name: "lme2",
    parts: &["initial", "outside"],
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
