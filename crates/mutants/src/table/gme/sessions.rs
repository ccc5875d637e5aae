//! What the leader does.

use super::{BEHIND, BOUNDS, NEXT_NOT_READ, ORDER, WEIGHT_MAX};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "D5: over though weight is out",
        "lead",
        "self.status != Status::Critical && self.weight == 0",
        "self.status != Status::Critical",
    ),
    mutant(
        "D5: over though the leader is inside",
        "lead",
        "self.status != Status::Critical && self.weight == 0",
        "self.weight == 0",
    ),
    mutant(
        "D5: never over",
        "lead",
        "self.status != Status::Critical && self.weight == 0",
        "false",
    ),
    mutant("D5: a session in a session", "lead", "self.sess.is_none()", "true"),
    mutant(
        "Q is a stack",
        "lead",
        "self.q.dequeue()",
        "{ let last = self.q.entries().last().copied(); \
            last.inspect(|last| self.q.delete(last.j)) }",
    )
    .survives(ORDER),
    mutant("the head stays on Q", "lead", "self.q.dequeue()", "self.q.head()"),
    mutant("D3: next of the leader kept", "lead", "self.next = Some(self.i)", "")
        .survives(NEXT_NOT_READ),
    mutant("the leader always enters", "lead", "head.j != self.i", "false"),
    mutant("the token is passed to oneself", "lead", "head.j != self.i", "true"),
    mutant("the token is not passed", "lead", "self.pass_token(head.j, out)", ""),
    mutant("no session is opened", "lead", "self.open_session(head.r, out)", ""),
    mutant("nobody is let in", "lead", "self.let_in(r, out);", ""),
    mutant("session: for nothing", "open_session", "self.sess = Some(r);", ""),
    mutant("session: next of the leader kept", "open_session", "self.next = Some(self.i);", "")
        .survives(NEXT_NOT_READ),
    mutant("session: the leader stays outside", "open_session", "self.enter(out);", ""),
    mutant("entry: not inside", "enter", "self.status = Status::Critical;", ""),
    mutant("entry: no entry", "enter", "out.enter_cs();", ""),
    mutant(
        "D11: bounds are not set",
        "open_session",
        "self.left = self.config.session.unwrap_or(0);",
        "",
    )
    .survives(BOUNDS),
    mutant("D11: bounds are wide", "open_session", "self.config.session.unwrap_or(0)", "u32::MAX")
        .survives(BOUNDS),
    mutant("session: not ended", "end_session", "self.sess = None;", ""),
    mutant("D11: what is left is kept", "end_session", "self.left = 0;", "").survives(BOUNDS),
    mutant(
        "D10: tried for ever",
        "end_session",
        "self.q.entries_mut().iter_mut().for_each(|entry| entry.tried = false);",
        "",
    )
    .survives(BEHIND),
    // Letting in.
    mutant(
        "the leader does not enter again",
        "let_in",
        "self.q.has(self.i, r) && self.may_let_in(r)",
        "false",
    ),
    mutant(
        "D11: the leader is not counted",
        "let_in",
        "self.q.has(self.i, r) && self.may_let_in(r)",
        "self.q.has(self.i, r)",
    )
    .survives(BOUNDS),
    mutant("the leader stays on Q", "let_in", "self.q.delete(self.i);", ""),
    mutant("the leader takes itself off Q only", "let_in", "self.enter(out);", ""),
    mutant(
        "who wants the same is not let in",
        "let_in",
        "if self.may_let_in(r) { self.q.delete(entry.j); self.send_subtoken(entry.j, r, \
            Some(entry.again), out); }",
        "",
    ),
    mutant("who is let in stays on Q", "let_in", "self.q.delete(entry.j);", ""),
    mutant(
        "who is let in is only taken off Q",
        "let_in",
        "self.send_subtoken(entry.j, r, Some(entry.again), out);",
        "",
    ),
    mutant("D6: the answer is no answer", "let_in", "Some(entry.again)", "None"),
    mutant("D6: a wrong number in the answer", "let_in", "Some(entry.again)", "Some(0)"),
    mutant(
        "D10: tried again and again",
        "let_in",
        "!entry.tried && self.may_let_in(r)",
        "self.may_let_in(r)",
    ),
    mutant(
        "D11: who wants something else not counted",
        "let_in",
        "!entry.tried && self.may_let_in(r)",
        "!entry.tried",
    )
    .survives(BOUNDS),
    mutant("D10: nobody behind is let in", "let_in", "!entry.tried && self.may_let_in(r)", "false")
        .survives(BEHIND),
    mutant(
        "D10: not known to be tried",
        "let_in",
        "tried.for_each(|entry| entry.tried = true);",
        "drop(tried);",
    ),
    mutant("D10: tried, but not sent", "let_in", "self.send_subtoken(entry.j, r, None, out);", "")
        .survives(BEHIND),
    mutant(
        "D8: more weight than can be booked",
        "may_let_in",
        "self.weight.checked_sub(signed(self.config.units)).is_none()",
        "false",
    )
    .survives(WEIGHT_MAX),
    mutant(
        "D11: no bound",
        "may_let_in",
        "self.config.session.is_some() && self.q.has_some_but(r)",
        "false",
    )
    .survives(BOUNDS),
    mutant(
        "D11: bound though nobody else waits",
        "may_let_in",
        "self.config.session.is_some() && self.q.has_some_but(r)",
        "self.config.session.is_some()",
    ),
    mutant(
        "D11: open sessions are bounded",
        "may_let_in",
        "self.config.session.is_some() && self.q.has_some_but(r)",
        "self.q.has_some_but(r)",
    )
    .survives(BOUNDS),
    mutant("D11: not counted", "may_let_in", "self.left = left;", "").survives(BOUNDS),
];
