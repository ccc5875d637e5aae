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
    ("fn greedy(i: NodeId,", "fn greedy(mutant: u32, i: NodeId,"),
    ("fn linial(i: NodeId,", "fn linial(mutant: u32, i: NodeId,"),
    ("=> greedy(self.i, recoloring)", "=> greedy(self.mutant, self.i, recoloring)"),
    ("linial(self.i, round, recoloring)", "linial(self.mutant, self.i, round, recoloring)"),
    ("pub fn new(n: u32, degree: u32)", "pub fn new(mutant: u32, n: u32, degree: u32)"),
    ("Rounds::new(n, degree)", "Rounds::new(mutant, n, degree)"),
    ("rounds(n.into(), degree).take(", "rounds(mutant, n.into(), degree).take("),
    ("pub fn rounds(n: u64,", "pub fn rounds(mutant: u32, n: u64,"),
    ("Round::first(n, degree),", "Round::first(mutant, n, degree),"),
    ("Round::first(last.colors(),", "Round::first(mutant, last.colors(),"),
    ("pub fn first(k: u64,", "pub fn first(mutant: u32, k: u64,"),
    ("Round { q: prime(k, degree, d), d }", "Round { mutant, q: prime(mutant, k, degree, d), d }"),
    ("fn prime(k: u64,", "fn prime(mutant: u32, k: u64,"),
    ("pub struct Round {", "pub struct Round { pub mutant: u32,"),
];

// Why some survive.

const AGAIN: &str = "recolors more often, with a legal color every time";

const ALL_FORKS: &str = "who eats has all forks";

const ANYWHERE: &str = "where forks are at first does not matter";

const ANY_COLOR: &str = "any color will do that no neighbor has; small ones are for speed";

const ANY_ORDER: &str = "any order of neighbors will do that both know; colors are for speed";

const APART: &str = "whatever the sets are, a node takes a point that is in no set of a \
    neighbor, or a color apart: the coloring is legal, with more colors or fewer";

const AS_IT_ARRIVES: &str = "who eats has all forks, and of each that arrives asked is reset";

const AWAITED: &str = "until Info arrives a new neighbor counts as behind all doorways, and none \
    opens; and who awaits its color is at none. Either will do";

const BEHIND_AD_F: &str = "who is done and has left is behind AD^f, where it is known to be, and \
    who recolors longer does not cross AD^f before it has eaten";

const BY_IDENTIFIERS: &str = "identifiers tell those apart who have no color (D4), and who has \
    eaten has one";

const COMES_BACK: &str = "a fork comes to who does not want it, and is given to whoever asks \
    (D4)";

const DIFFERENT: &str = "neighbors who compete have different colors, which is promised and \
    checked, and the others are outside, where every fork is given away (D4)";

const DROPPED: &str = "who has left is not waited for (D5), and nobody else can have its color";

const ELSEWHERE: &str = "a neighbor that takes part says nothing else before it is done or \
    leaves, and who is outside has said nothing";

const EXITED_FIRST: &str = "who was in R and is outside has exited SD^r, and the others have \
    heard that first (D5)";

const GIVEN_NEXT: &str = "who lacks a low fork gives what is suspended to high neighbors right \
    after (D7)";

const IDENTIFIERS: &str = "identifiers are a legal coloring too";

const LATER: &str = "those that are not waited for are told \"not now\", and recolor later";

const LOW_GET_IT: &str = "a low neighbor gets the fork that it asks for unless all forks are \
    here";

const MORE_MESSAGES: &str = "a message that tells nothing new, or one where another has said the \
    same";

const NEVER_EATING: &str = "nobody who eats collects";

const ONLY_HERE: &str = "a fork that is suspended is here: it is sent and no longer suspended in \
    one step";

const OUTSIDE_ANYWAY: &str = "who is outside SD^r says so, and who crosses it again begins anew";

const OVERWRITTEN: &str = "asked is read where the fork is not here, and who gives it away sets \
    it";

const TOTAL_ORDER: &str = "a neighbor is low or high (D4), so lines 11 to 14 give the fork away \
    as well";

const WILL_COME: &str = "what was asked for will come, and need not be asked for again";

// What is open.

const ASKED_TWICE: &str = "a request too many takes a fork to who does not want it. In LME-2 \
    that can go on for ever, here in none of 6,000 random schedules";

const DOORWAY: &str = "doorways are for how often a node is overtaken and for how far one that \
    stops is felt. The crowd shows nothing, and neither do 6,000 lines of 7 to 10 nodes on which \
    one stops";

const KEEPS: &str = "a node may wait longer, for one that is itself waiting. Nobody waits for \
    ever in 5,000 random schedules, and nobody is reached by one that stops farther than is \
    promised in 6,000 lines";

const MANY: &str = "it takes more neighbors who recolor together than a node should have, so that \
    some find no point. Random schedules of up to 6 nodes show nothing";

const RARE: &str = "it takes a recoloring that is broken off while messages of it are in \
    transit. 4,000 random schedules and 100 simulated runs end well";

const RETURN: &str = "the way back is for how long others wait, and how far one that stops is \
    felt. 4,000 random schedules and 100 simulated runs end well";
