//! The mutants of the procedures and expressions of LME-2.

use super::{
    AGAIN, ANY_NUMBER, ANY_ORDER, ASKED_ANYWAY, EARLY, MORE_MESSAGES, OVERTAKING, UNTIL_KNOWN,
};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "a thinking node keeps its forks",
        "proceed",
        "self.send_forks(|_higher| true, out)",
        "()",
    ),
    mutant(
        "a thinking node gives to those above",
        "proceed",
        "self.send_forks(|_higher| true, out)",
        "self.send_forks(|is_higher| is_higher, out)",
    ),
    mutant("an eating node gives forks away", "proceed", "{}", "self.send_forks(|_| true, out)"),
    mutant(
        "forks from above are enough",
        "proceed",
        "self.has_all_forks()",
        "self.has_higher_forks()",
    ),
    mutant("no fork is needed", "proceed", "self.has_all_forks()", "true"),
    mutant("nobody eats", "proceed", "self.has_all_forks()", "false"),
    mutant("eating: not shown", "proceed", "self.status = Status::Critical;", ""),
    mutant("eating: not entered", "proceed", "out.enter_cs();", ""),
    mutant(
        "those above get nothing from who has their forks",
        "proceed",
        "self.send_forks(|is_higher| is_higher, out);",
        "",
    ),
    mutant(
        "those below get all",
        "proceed",
        "self.send_forks(|is_higher| is_higher, out);",
        "self.send_forks(|_| true, out);",
    ),
    mutant(
        "those below get what those above do not",
        "proceed",
        "self.send_forks(|is_higher| is_higher, out);",
        "self.send_forks(|is_higher| !is_higher, out);",
    ),
    mutant(
        "who lacks forks from above keeps those below waiting",
        "proceed",
        "if !self.has_higher_forks() { self.send_forks(|_| true, out); }",
        "",
    ),
    mutant(
        "who has all forks from above gives to those below",
        "proceed",
        "!self.has_higher_forks()",
        "self.has_higher_forks()",
    ),
    mutant("nobody asks", "proceed", "self.ask(out);", ""),
    mutant(
        "asks before it gives way",
        "proceed",
        "self.send_forks(|is_higher| is_higher, out); if !self.has_higher_forks() { \
            self.send_forks(|_| true, out); } self.ask(out);",
        "self.ask(out); self.send_forks(|is_higher| is_higher, out); if !self.has_higher_forks() \
            { self.send_forks(|_| true, out); }",
    )
    .open(EARLY),
    // Giving.
    mutant("forks nobody wants are sent", "send_forks", "wanted.suspended", "wanted.at"),
    mutant(
        "forks are never wanted back",
        "send_forks",
        "is_hungry && \
        is_higher",
        "false",
    )
    .survives(ASKED_ANYWAY),
    mutant("forks are always wanted back", "send_forks", "is_hungry && is_higher", "true"),
    mutant(
        "forks are wanted back from above, hungry or not",
        "send_forks",
        "is_hungry && is_higher",
        "is_higher",
    )
    .survives(MORE_MESSAGES),
    mutant(
        "forks are wanted back from below too",
        "send_forks",
        "is_hungry && is_higher",
        "is_hungry",
    ),
    mutant(
        "forks are wanted back from below",
        "send_forks",
        "is_hungry && is_higher",
        "is_hungry && !is_higher",
    ),
    mutant("a fork is kept and sent", "send_forks", "(false, false, flag)", "(true, false, flag)"),
    mutant(
        "a fork is wanted though it was sent",
        "send_forks",
        "(false, false, flag)",
        "(false, true, flag)",
    ),
    mutant(
        "a fork that is wanted back is asked for again",
        "send_forks",
        "(false, false, flag)",
        "(false, false, false)",
    )
    .survives(MORE_MESSAGES),
    mutant(
        "a fork that was sent is never asked for",
        "send_forks",
        "(false, false, flag)",
        "(false, false, true)",
    ),
    mutant("a fork is not sent", "send_forks", "out.send(j, Msg::Fork(flag));", ""),
    mutant(
        "forks say nothing",
        "send_forks",
        "out.send(j, Msg::Fork(flag));",
        "out.send(j, Msg::Fork(false));",
    ),
    // Asking.
    mutant("asks for all forks at once", "ask", "all || link.is_higher(j, mine)", "true"),
    mutant(
        "asks those above alone",
        "ask",
        "all || link.is_higher(j, mine)",
        "link.is_higher(j, mine)",
    ),
    mutant(
        "asks nobody before all forks from above are here",
        "ask",
        "all || link.is_higher(j, mine)",
        "all",
    ),
    mutant(
        "asks those below first",
        "ask",
        "all || link.is_higher(j, mine)",
        "all || !link.is_higher(j, mine)",
    ),
    mutant(
        "asks for forks it has",
        "ask",
        "!link.at && \
        !link.asked",
        "!link.asked",
    )
    .survives(MORE_MESSAGES),
    mutant("asks again and again", "ask", "!link.at && !link.asked", "!link.at"),
    mutant("does not know that it asked", "ask", "link.asked = true;", "").open(AGAIN),
    mutant("Req is not sent", "ask", "out.send(j, Msg::Req);", ""),
    // Priorities.
    mutant(
        "goes below one neighbor only",
        "raise_number",
        "known.map(|(j, link)| (link.c, j)).max()",
        "known.map(|(j, link)| (link.c, j)).min()",
    )
    .survives(ANY_NUMBER),
    mutant(
        "lowers itself though it is below all",
        "raise_number",
        "last < \
        self.mine()",
        "false",
    )
    .survives(ANY_NUMBER),
    mutant(
        "lowers itself though it is below some",
        "raise_number",
        "last < self.mine()",
        "last.0 < self.c",
    )
    .survives(ANY_NUMBER),
    mutant("takes the number of another", "raise_number", "last.0 + 1", "last.0"),
    mutant(
        "takes a number that is too high by one",
        "raise_number",
        "last.0 + 1",
        "last.0 + \
        2",
    )
    .survives(ANY_NUMBER),
    mutant(
        "takes the next number",
        "raise_number",
        "last.0 + 1",
        "self.c + \
        1",
    )
    .survives(ANY_NUMBER),
    mutant(
        "strangers count as 0",
        "raise_number",
        "link.rank == \
        Rank::Known",
        "true",
    )
    .survives(ANY_NUMBER),
    mutant(
        "tells nobody of its number",
        "raise_number",
        "self.link.keys().for_each(|j| out.send(j, Msg::Prio(self.c)));",
        "",
    ),
    mutant(
        "tells those alone whose number it knows",
        "raise_number",
        "self.link.keys().for_each(|j| out.send(j, Msg::Prio(self.c)));",
        "for (j, link) in self.link.iter() { if link.rank == Rank::Known { out.send(j, \
            Msg::Prio(self.c)); } }",
    ),
    mutant(
        "tells those alone that it went before",
        "raise_number",
        "self.c = last.0 + 1; self.link.keys().for_each(|j| out.send(j, Msg::Prio(self.c)));",
        "let mine = self.mine(); self.c = last.0 + 1; for (j, link) in self.link.iter() { if \
            !link.is_higher(j, mine) { out.send(j, Msg::Prio(self.c)); } }",
    ),
    // The expressions.
    mutant("equal numbers: both go first", "is_higher", "(self.c, j) < mine", "self.c < mine.0"),
    mutant("equal numbers: both go last", "is_higher", "(self.c, j) < mine", "self.c <= mine.0"),
    mutant(
        "equal numbers: the larger identifier goes first",
        "is_higher",
        "(self.c, j) < mine",
        "(self.c, mine.1) < (mine.0, j)",
    )
    .survives(ANY_ORDER),
    mutant(
        "higher numbers go first",
        "is_higher",
        "(self.c, j) < mine",
        "(self.c, j) > \
        mine",
    )
    .open(OVERTAKING),
    mutant("who stood still does not go first", "is_higher", "true", "false").survives(UNTIL_KNOWN),
    mutant("who stood still goes last", "is_higher", "false", "true").survives(UNTIL_KNOWN),
    mutant(
        "one fork is enough",
        "has_all_forks",
        "self.link.iter().all(|(_, link)| link.at)",
        "self.link.iter().any(|(_, link)| link.at)",
    ),
    mutant(
        "no fork from above is ever lacking",
        "has_higher_forks",
        "link.at || !link.is_higher(j, mine)",
        "true",
    ),
    mutant(
        "all forks count as from above",
        "has_higher_forks",
        "link.at || !link.is_higher(j, mine)",
        "link.at",
    ),
    mutant(
        "forks from below count as from above",
        "has_higher_forks",
        "link.at || !link.is_higher(j, mine)",
        "link.at || link.is_higher(j, mine)",
    ),
];
