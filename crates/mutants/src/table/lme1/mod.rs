//! The mutants of LME-1 with its departures, by the files they are in. Those of the departures
//! begin with the number of the departure.

mod colorings;
mod doorways;
mod forks;
mod links;
mod recoloring;
mod way;

use super::Source;

pub(super) const SOURCE: Source = Source {
    name: "lme1",
    parts: &["coloring", "doorway", "family", "forks", "initial", "links", "outside", "recolor"],
    plumbing: PLUMBING,
    mutants: &[
        way::MUTANTS,
        doorways::MUTANTS,
        forks::MUTANTS,
        recoloring::MUTANTS,
        colorings::MUTANTS,
        links::MUTANTS,
    ],
};

const PLUMBING: &[(&str, &str)] = &[
    ("pub struct Lme1 { i: NodeId,", "pub struct Lme1 { mutant: u32, i: NodeId,"),
    ("pub struct Config {", "pub struct Config { pub mutant: u32,"),
    (
        "let coloring = config.coloring.on(graph);",
        "let mutant = config.mutant; let coloring = config.coloring.on(graph);",
    ),
    ("|i: NodeId| Lme1 { i,", "|i: NodeId| Lme1 { mutant, i,"),
    // Doorways are told the number.
    ("pub fn opens<'p>(self,", "pub fn opens<'p>(self, mutant: u32,"),
    ("doorway.opens(self.link", "doorway.opens(self.mutant, self.link"),
    ("pub fn hear(&mut self,", "pub fn hear(&mut self, mutant: u32,"),
    ("passage.hear(notice);", "passage.hear(self.mutant, notice);"),
    (
        "pub fn cross<M: From<Notice>>( &mut self,",
        "pub fn cross<M: From<Notice>>( &mut self, mutant: u32,",
    ),
    ("self.place.cross(doorway,", "self.place.cross(self.mutant, doorway,"),
    (
        "pub fn exit<M: From<Notice>>( &mut self,",
        "pub fn exit<M: From<Notice>>( &mut self, mutant: u32,",
    ),
    ("self.place.exit(doors,", "self.place.exit(self.mutant, doors,"),
    // So are colorings.
    ("fn messages(self)", "fn messages(self, mutant: u32)"),
    ("self.coloring.messages()", "self.coloring.messages(self.mutant)"),
    ("fn next(self, i: NodeId,", "fn next(self, mutant: u32, i: NodeId,"),
    (
        "self.coloring.next(self.i, recoloring)",
        "self.coloring.next(self.mutant, self.i, recoloring)",
    ),
    ("fn greedy(i: NodeId,", "fn greedy(mutant: u32, i: NodeId,"),
    ("=> greedy(i, recoloring)", "=> greedy(mutant, i, recoloring)"),
    ("fn linial(i: NodeId,", "fn linial(mutant: u32, i: NodeId,"),
    ("linial(i, round, recoloring)", "linial(mutant, i, round, recoloring)"),
    ("rounds(n.into(), degree).count()", "rounds(mutant, n.into(), degree).count()"),
    ("rounds(n.into(), degree).skip(", "rounds(mutant, n.into(), degree).skip("),
    ("pub fn rounds(n: u64,", "pub fn rounds(mutant: u32, n: u64,"),
    ("Round::first(n, degree),", "Round::first(mutant, n, degree),"),
    ("Round::first(last.colors(),", "Round::first(mutant, last.colors(),"),
    ("pub fn first(k: u64,", "pub fn first(mutant: u32, k: u64,"),
    ("Round { q: prime(k, degree, d), d }", "Round { mutant, q: prime(mutant, k, degree, d), d }"),
    ("fn prime(k: u64,", "fn prime(mutant: u32, k: u64,"),
    ("pub struct Round {", "pub struct Round { pub mutant: u32,"),
];
