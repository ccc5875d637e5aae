//! The mutants of the fork collection module of LME-1.

use super::{
    ANY_COLOR, ANY_ORDER, AS_IT_ARRIVES, ASKED_TWICE, COMES_BACK, DIFFERENT, GIVEN_NEXT, KEEPS,
    LOW_GET_IT, MORE_MESSAGES, NEVER_EATING, ONLY_HERE, OVERWRITTEN, TOTAL_ORDER, WILL_COME,
};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    // Leaving.
    mutant("5: stays inside", "on_release_cs", "self.phase = Phase::Thinking;", ""),
    mutant("6: keeps its color", "on_release_cs", "self.coloring != Coloring::Given", "false"),
    mutant(
        "6: given colors change too",
        "on_release_cs",
        "self.coloring != Coloring::Given",
        "true",
    )
    .survives(ANY_COLOR),
    mutant(
        "6: given colors alone change",
        "on_release_cs",
        "self.coloring != Coloring::Given",
        "self.coloring == Coloring::Given",
    ),
    mutant("6: always 0", "on_release_cs", "self.smallest_free_color()", "0"),
    mutant("6: not taken", "on_release_cs", "self.take_color(color, out);", ""),
    mutant(
        "7: nobody is told",
        "on_release_cs",
        "self.take_color(color, out);",
        "self.color = Some(color);",
    ),
    mutant(
        "8: forks that others wait for are kept",
        "on_release_cs",
        "self.exit(Doors::F, out); self.send_suspended(|_, _, _| true, out);",
        "self.exit(Doors::F, out);",
    ),
    mutant(
        "8: high neighbors alone get them",
        "on_release_cs",
        "self.exit(Doors::F, out); self.send_suspended(|_, _, _| true, out);",
        "self.exit(Doors::F, out); self.send_suspended(Self::is_high, out);",
    ),
    mutant(
        "9: no exit",
        "on_release_cs",
        "self.exit(Doors::F, out); self.send_suspended(|_, _, _| true, out);",
        "self.send_suspended(|_, _, _| true, out);",
    ),
    mutant(
        "9: stays behind AD^f",
        "on_release_cs",
        "self.exit(Doors::F, out); self.send_suspended(|_, _, _| true, out);",
        "self.exit(Doorway::SdF.into(), out); self.send_suspended(|_, _, _| true, out);",
    ),
    mutant(
        "9: stays behind SD^f",
        "on_release_cs",
        "self.exit(Doors::F, out); self.send_suspended(|_, _, _| true, out);",
        "self.exit(Doorway::AdF.into(), out); self.send_suspended(|_, _, _| true, out);",
    ),
    mutant(
        "D1: forks are given away before the exit",
        "on_release_cs",
        "self.exit(Doors::F, out); self.send_suspended(|_, _, _| true, out);",
        "self.send_suspended(|_, _, _| true, out); self.exit(Doors::F, out);",
    )
    .survives(COMES_BACK),
    mutant("leaving: remembers what it asked for", "on_release_cs", "self.forget_asked();", "")
        .survives(AS_IT_ARRIVES),
    // Requests.
    mutant("10: a fork that is not here is sent", "on_req", "!self.link[j].at", "false"),
    mutant(
        "D4: who is outside looks at colors",
        "on_req",
        "self.variant == Variant::Repaired && outside",
        "false",
    )
    .survives(TOTAL_ORDER),
    mutant("11: everyone is inside", "on_req", "!self.is_behind(Doorway::SdF)", "false"),
    mutant("11: everyone is outside", "on_req", "!self.is_behind(Doorway::SdF)", "true"),
    mutant(
        "11: who eats is outside",
        "on_req",
        "!self.is_behind(Doorway::SdF)",
        "self.phase != Phase::Collecting",
    ),
    mutant(
        "11: AD^f will do",
        "on_req",
        "!self.is_behind(Doorway::SdF)",
        "!self.is_behind(Doorway::AdF)",
    ),
    mutant(
        "11: who has all low forks gives to high ones",
        "on_req",
        "high && (!self.has_low_forks() || outside)",
        "high",
    ),
    mutant(
        "11: high ones get nothing",
        "on_req",
        "high && (!self.has_low_forks() || outside)",
        "high && outside",
    )
    .survives(GIVEN_NEXT),
    mutant(
        "11: low forks will do",
        "on_req",
        "high && (!self.has_low_forks() || outside)",
        "high && (!self.has_all_forks() || outside)",
    )
    .open(KEEPS),
    mutant(
        "13: who eats gives to low ones",
        "on_req",
        "low && (!self.has_all_forks() || outside)",
        "low",
    ),
    mutant(
        "13: low ones get nothing",
        "on_req",
        "low && (!self.has_all_forks() || outside)",
        "low && outside",
    ),
    mutant(
        "13: low ones as high ones",
        "on_req",
        "low && (!self.has_all_forks() || outside)",
        "low && (!self.has_low_forks() || outside)",
    ),
    mutant("15: high forks are kept", "on_req", "self.release_high_forks(out);", "")
        .survives(GIVEN_NEXT),
    mutant("16: forgotten", "on_req", "self.link[j].suspended = true;", ""),
    // Forks.
    mutant(
        "18: the fork is lost",
        "on_fork",
        "(link.at, link.asked) = (true, false);",
        "link.asked = false;",
    ),
    mutant(
        "18: still asked for",
        "on_fork",
        "(link.at, link.asked) = (true, false);",
        "link.at = true;",
    )
    .survives(OVERWRITTEN),
    mutant(
        "D2: who is not collecting keeps it",
        "on_fork",
        "self.phase == Phase::Collecting",
        "true",
    ),
    mutant(
        "D2: who is collecting sends it back",
        "on_fork",
        "self.phase == Phase::Collecting",
        "false",
    ),
    mutant(
        "D2: who has all forks eats anywhere",
        "on_fork",
        "flag && collecting && self.has_low_forks()",
        "{ if self.has_all_forks() { self.eat(out); } flag && collecting && self.has_low_forks() }",
    ),
    mutant(
        "20: kept without all low forks",
        "on_fork",
        "flag && collecting && self.has_low_forks()",
        "flag && collecting",
    )
    .survives(GIVEN_NEXT),
    mutant("21: not suspended", "on_fork", "self.link[j].suspended = true;", ""),
    mutant(
        "21: suspended though not wanted back",
        "on_fork",
        "flag && collecting && self.has_low_forks()",
        "collecting && self.has_low_forks()",
    )
    .survives(COMES_BACK),
    mutant("23: not sent back", "on_fork", "self.send_fork(j, out);", ""),
    // Collecting.
    mutant("2: never eats", "collect", "self.has_all_forks()", "false"),
    mutant("2: low forks are enough", "collect", "self.has_all_forks()", "self.has_low_forks()"),
    mutant("2: no fork is needed", "collect", "self.has_all_forks()", "true"),
    mutant("3: asks high ones first", "collect", "self.has_low_forks()", "!self.has_low_forks()"),
    mutant("3: never asks high ones", "collect", "self.request_high_forks(out);", ""),
    mutant("4: never asks low ones", "collect", "self.request_low_forks(out);", ""),
    mutant(
        "4: asks all at once",
        "collect",
        "self.request_low_forks(out);",
        "self.request(|_, _, _| true, out);",
    ),
    mutant(
        "D7: who comes to lack a low fork keeps others waiting",
        "collect",
        "self.release_high_forks(out);",
        "",
    )
    .open(KEEPS),
    mutant(
        "D7: who lacks a low fork gives to low ones alone",
        "collect",
        "self.release_high_forks(out);",
        "self.send_suspended(Self::is_low, out);",
    )
    .open(KEEPS),
    mutant("26: asks for what it has", "request", "!link.at", "true").survives(MORE_MESSAGES),
    mutant("D7: asks again and again", "request", "once && link.asked", "false").open(ASKED_TWICE),
    mutant("D7: does not know that it asked", "request", "self.link[j].asked = true;", "")
        .open(ASKED_TWICE),
    mutant("26: not sent", "request", "out.send(j, Msg::Req);", ""),
    mutant("26: asks anyone", "request", "from(self, j, link)", "true"),
    mutant(
        "31: never wanted back",
        "send_fork",
        "self.is_low(j, &self.link[j]) && self.is_behind(Doorway::SdF)",
        "false",
    )
    .survives(MORE_MESSAGES),
    mutant(
        "31: always wanted back",
        "send_fork",
        "self.is_low(j, &self.link[j]) && self.is_behind(Doorway::SdF)",
        "true",
    ),
    mutant(
        "31: wanted back outside too",
        "send_fork",
        "self.is_low(j, &self.link[j]) && self.is_behind(Doorway::SdF)",
        "self.is_low(j, &self.link[j])",
    )
    .survives(COMES_BACK),
    mutant(
        "31: wanted back from high ones too",
        "send_fork",
        "self.is_low(j, &self.link[j]) && self.is_behind(Doorway::SdF)",
        "self.is_behind(Doorway::SdF)",
    ),
    mutant(
        "31: wanted back from high ones",
        "send_fork",
        "self.is_low(j, &self.link[j]) && self.is_behind(Doorway::SdF)",
        "!self.is_low(j, &self.link[j]) && self.is_behind(Doorway::SdF)",
    ),
    mutant("32: kept and sent", "send_fork", "(false, false, flag)", "(true, false, flag)"),
    mutant(
        "32: still suspended",
        "send_fork",
        "(false, false, flag)",
        "(false, link.suspended, flag)",
    )
    .survives(COMES_BACK),
    mutant(
        "32: asked for though it is wanted back",
        "send_fork",
        "(false, false, flag)",
        "(false, false, false)",
    )
    .survives(MORE_MESSAGES),
    mutant("32: never asked for", "send_fork", "(false, false, flag)", "(false, false, true)"),
    mutant("32: not sent", "send_fork", "out.send(j, Msg::Fork(flag));", ""),
    mutant(
        "32: says nothing",
        "send_fork",
        "out.send(j, Msg::Fork(flag));",
        "out.send(j, Msg::Fork(false));",
    ),
    mutant(
        "34: forks nobody wants",
        "send_suspended",
        "link.suspended && link.at && to(self, j, link)",
        "link.at && to(self, j, link)",
    )
    .survives(COMES_BACK),
    mutant(
        "34: forks that are not here",
        "send_suspended",
        "link.suspended && link.at && to(self, j, link)",
        "link.suspended && to(self, j, link)",
    )
    .survives(ONLY_HERE),
    mutant(
        "34: to all",
        "send_suspended",
        "link.suspended && link.at && to(self, j, link)",
        "link.suspended && link.at",
    )
    .survives(LOW_GET_IT),
    mutant("35: not sent", "send_suspended", "self.send_fork(j, out);", ""),
    mutant(
        "nothing is forgotten",
        "forget_asked",
        "self.link.iter_mut().for_each(|(_, link)| link.asked = false);",
        "",
    )
    .survives(WILL_COME),
    mutant("19: eats twice", "eat", "self.phase != Phase::Eating", "true").survives(NEVER_EATING),
    mutant("19: not shown", "eat", "self.phase = Phase::Eating;", ""),
    mutant("19: not entered", "eat", "out.enter_cs();", ""),
    // The expressions.
    mutant(
        "all forks: one",
        "has_all_forks",
        "self.link.iter().all(|(_, link)| link.at)",
        "self.link.iter().any(|(_, link)| link.at)",
    ),
    mutant("all low forks: always", "has_low_forks", "link.at || !self.is_low(j, link)", "true"),
    mutant("all low forks: all", "has_low_forks", "link.at || !self.is_low(j, link)", "link.at"),
    mutant(
        "all low forks: all high ones",
        "has_low_forks",
        "link.at || !self.is_low(j, link)",
        "link.at || self.is_low(j, link)",
    ),
    mutant(
        "low: the larger color",
        "is_low",
        "rank(link.color, j) < rank(self.color, self.i)",
        "rank(link.color, j) > rank(self.color, self.i)",
    )
    .survives(ANY_ORDER),
    mutant(
        "low: the smaller identifier",
        "is_low",
        "rank(link.color, j) < rank(self.color, self.i)",
        "j < self.i",
    )
    .survives(ANY_ORDER),
    mutant(
        "D4: equal colors are high",
        "is_low",
        "rank(link.color, j) < rank(self.color, self.i)",
        "rank(link.color, self.i) < rank(self.color, self.i)",
    )
    .survives(DIFFERENT),
    mutant(
        "D4: equal colors are low",
        "is_low",
        "rank(link.color, j) < rank(self.color, self.i)",
        "rank(link.color, self.i) <= rank(self.color, self.i)",
    )
    .survives(DIFFERENT),
    mutant(
        "D4: no color is smaller than any",
        "is_low",
        "rank(link.color, j) < rank(self.color, self.i)",
        "(link.color, j) < (self.color, self.i)",
    )
    .survives(DIFFERENT),
    mutant(
        "D4: without a color neither low nor high",
        "is_low",
        "rank(link.color, j) < rank(self.color, self.i)",
        "link.color.zip(self.color).is_some_and(|(a, b)| a < b)",
    )
    .with(&[(
        "is_high",
        "!self.is_low(j, link)",
        "link.color.zip(self.color).is_some_and(|(a, b)| a > b)",
    )]),
    mutant("high: everyone", "is_high", "!self.is_low(j, link)", "true").survives(LOW_GET_IT),
    mutant("high: nobody", "is_high", "!self.is_low(j, link)", "false"),
    mutant(
        "6: the smallest that is used",
        "smallest_free_color",
        "link.color == Some(color)",
        "link.color != Some(color)",
    ),
    mutant("6: from 1", "smallest_free_color", "0..", "1..").survives(ANY_COLOR),
    mutant("6: colors of recoloring are free", "smallest_free_color", "0..", "-2.."),
];
