//! Subtokens, and the weight that goes back.

use super::{BEHIND, FEWER_UNITS, FOUR_NODES, NOTHING_ASKED};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    // Releasing the resource.
    mutant("ReleaseCS: stays inside", "on_release_cs", "self.status = Status::Remainder;", ""),
    mutant("ReleaseCS: weight kept", "on_release_cs", "self.send_release(w, out);", ""),
    mutant(
        "ReleaseCS: weight kept and sent",
        "on_release_cs",
        "mem::take(&mut self.weight)",
        "self.weight",
    ),
    mutant("ReleaseCS: the leader's weight sent", "on_release_cs", "!self.leader", "true"),
    // Receiving a subtoken message.
    mutant("D7 SUBTOKEN: the leader passes it on", "on_subtoken", "self.leader", "false")
        .survives(NOTHING_ASKED),
    mutant("D7 SUBTOKEN: lost at the leader", "on_subtoken", "self.weight += signed(w)", "")
        .survives(NOTHING_ASKED),
    mutant(
        "D6 SUBTOKEN: answers nothing",
        "on_subtoken",
        "self.next == Some(j) && answers.is_some() && self.asked.map(|ask| ask.again) == answers",
        "false",
    ),
    mutant(
        "D6 SUBTOKEN: any answers",
        "on_subtoken",
        "self.next == Some(j) && answers.is_some() && self.asked.map(|ask| ask.again) == answers",
        "true",
    ),
    mutant(
        "D6 SUBTOKEN: any number answers",
        "on_subtoken",
        "self.next == Some(j) && answers.is_some() && self.asked.map(|ask| ask.again) == answers",
        "self.next == Some(j) && answers.is_some()",
    )
    .open(FOUR_NODES),
    mutant(
        "D6 SUBTOKEN: anyone answers",
        "on_subtoken",
        "self.next == Some(j) && answers.is_some() && self.asked.map(|ask| ask.again) == answers",
        "answers.is_some() && self.asked.map(|ask| ask.again) == answers",
    )
    .survives(NOTHING_ASKED),
    mutant(
        "D6 SUBTOKEN: no number answers",
        "on_subtoken",
        "self.next == Some(j) && answers.is_some() && self.asked.map(|ask| ask.again) == answers",
        "self.next == Some(j) && self.asked.map(|ask| ask.again) == answers",
    )
    .survives("without a number on either side there is nothing to reset"),
    mutant("D7 SUBTOKEN: nobody can use it, lost", "on_subtoken", "self.send_release(w, out)", ""),
    mutant("SUBTOKEN: no weight taken", "on_subtoken", "self.weight += signed(part);", ""),
    mutant(
        "SUBTOKEN: own request stays on Q",
        "on_subtoken",
        "self.weight += signed(part); self.q.delete(entry.j);",
        "self.weight += signed(part);",
    ),
    mutant("SUBTOKEN: no entry", "on_subtoken", "self.enter(out);", ""),
    mutant(
        "SUBTOKEN: stays on Q",
        "on_subtoken",
        "self.q.delete(entry.j); out.send(entry.j, Msg::Sub { r, w: part, answers: \
            Some(entry.again) });",
        "out.send(entry.j, Msg::Sub { r, w: part, answers: Some(entry.again) });",
    ),
    mutant(
        "SUBTOKEN: not passed on",
        "on_subtoken",
        "out.send(entry.j, Msg::Sub { r, w: part, answers: Some(entry.again) });",
        "",
    ),
    mutant("D6 SUBTOKEN: passed on as no answer", "on_subtoken", "Some(entry.again)", "None"),
    mutant("D6 SUBTOKEN: a wrong number", "on_subtoken", "Some(entry.again)", "Some(0)"),
    mutant(
        "D10 SUBTOKEN: share of others lost",
        "on_subtoken",
        "out.send(entry.j, Msg::Sub { r, w: part, answers: None });",
        "",
    ),
    mutant("D10 SUBTOKEN: others off Q too", "on_subtoken", "entry.r == r", "true"),
    mutant("D10 SUBTOKEN: always to all", "on_subtoken", "answers.is_none()", "true")
        .survives(BEHIND),
    mutant("D10 SUBTOKEN: never to all", "on_subtoken", "answers.is_none()", "false")
        .survives(BEHIND),
    mutant("SUBTOKEN: not for itself", "to_serve", "entry.j == self.i && entry.r == r", "false"),
    mutant(
        "SUBTOKEN: for whatever it wants",
        "to_serve",
        "entry.j == self.i && entry.r == r",
        "entry.j == self.i",
    ),
    mutant(
        "SUBTOKEN: not for neighbors",
        "to_serve",
        "own.chain(wanting).collect()",
        "{ drop(wanting); own.collect() }",
    ),
    mutant(
        "D8 SUBTOKEN: more parts than units",
        "to_serve",
        "served.truncate(usize::try_from(w).unwrap_or(usize::MAX));",
        "",
    ),
    mutant("neighbors on Q: itself too", "neighbors_on_q", "entry.j != self.i", "true"),
    // Receiving a release message.
    mutant("RELEASE: lost at the leader", "on_release", "self.weight += signed(w);", ""),
    mutant("RELEASE: not passed on", "on_release", "self.send_release(w, out);", ""),
    mutant("RELEASE: the leader passes it on", "on_release", "self.leader", "false"),
    // Procedure sendRelease().
    mutant("sendRelease: not sent", "send_release", "out.send(lowest, Msg::Release(w))", ""),
    mutant(
        "D9 sendRelease: next is set",
        "send_release",
        "out.send(lowest, Msg::Release(w))",
        "{ self.next = Some(lowest); out.send(lowest, Msg::Release(w)) }",
    ),
    mutant("D1 sendRelease: lost", "send_release", "self.buffer = w", ""),
    mutant(
        "D1 sendRelease: what waited is lost",
        "send_release",
        "w + mem::take(&mut self.buffer)",
        "{ self.buffer = 0; w }",
    ),
    mutant(
        "D1 sendRelease: what waited waits on",
        "send_release",
        "w + mem::take(&mut self.buffer)",
        "w + self.buffer",
    ),
    mutant("D1 follow: what waits is not sent", "follow", "self.send_release(0, out);", ""),
    // A subtoken with all its units.
    mutant("subtoken: not booked", "send_subtoken", "self.weight -= weight::signed(w);", ""),
    mutant("subtoken: not sent", "send_subtoken", "out.send(to, Msg::Sub { r, w, answers });", ""),
    mutant("subtoken: one unit", "send_subtoken", "self.config.units", "1").survives(FEWER_UNITS),
];
