//! The mutants of how a token that got lost is replaced (D6).

use super::{
    ALONE, ASKED_AGAIN, ASKS_AGAIN, BEGUN, CALLED, CUT, DEPOSED, EPOCHS_DIFFER, IN_VAIN, LOW_EPOCH,
    MISSED, MORE_EPOCHS, MORE_MESSAGES, ONCE_MORE, OTHER_HEAD, TIME,
};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    // A new epoch.
    mutant("lost: who is inside begins", "on_lost", "self.status == Status::Critical", "false"),
    mutant("lost: who is inside lets go", "on_lost", "return self.watch(out);", "return;")
        .open(OTHER_HEAD),
    mutant(
        "lost: time-outs stay short",
        "on_lost",
        "self.missed = self.missed.saturating_add(1);",
        "",
    )
    .survives(TIME),
    mutant("lost: the number stays", "on_lost", "self.promised.number + 1", "self.promised.number"),
    mutant(
        "lost: begun by another",
        "on_lost",
        "Epoch { number: self.promised.number + 1, by: self.i }",
        "Epoch { number: self.promised.number + 1, by: NodeId(0) }",
    ),
    mutant(
        "lost: not all are asked",
        "on_lost",
        "(0..self.n).map(NodeId)",
        "(1..self.n).map(NodeId)",
    ),
    mutant(
        "lost: goes on waiting",
        "on_lost",
        "self.watch(out); self.inquire(out);",
        "self.inquire(out);",
    )
    .survives(MORE_EPOCHS),
    mutant("lost: nobody is asked", "on_lost", "self.inquire(out);", ""),
    mutant("lost: alone", "on_lost", "self.begin_if_promised(out);", "").survives(ALONE),
    mutant(
        "inquire: not sent",
        "inquire",
        "out.send(j, Msg::Inquire(self.promised));",
        "let _ = j;",
    ),
    mutant(
        "inquire: once and never again",
        "inquire",
        "out.set_timer(Timer::Answers, self.config.answers);",
        "",
    ),
    // Answers.
    mutant("Inquire: no promise", "on_inquire", "epoch > self.promised", "false"),
    mutant("Inquire: of any epoch", "on_inquire", "epoch > self.promised", "true"),
    mutant("Inquire: twice", "on_inquire", "epoch > self.promised", "epoch >= self.promised")
        .survives(MISSED),
    mutant("Inquire: no answer", "on_inquire", "self.answer(j, out);", ""),
    mutant("answer: promised inside", "answer", "self.deferred", "false"),
    mutant("answer: inside for ever", "answer", "self.deferred", "true"),
    mutant("Promise: of no later epoch", "on_promise", "epoch > self.promised", "false"),
    mutant("Promise: of any epoch", "on_promise", "epoch == self.promised", "true"),
    mutant("Promise: forgotten", "on_promise", "missing.remove(j);", "let _ = missing;"),
    mutant("D4: who promises is not heard of", "on_promise", "self.call(j);", "").survives(CALLED),
    mutant("D4: whoever promises calls", "on_promise", "wants", "true").survives(MORE_MESSAGES),
    mutant("D4: who is no head calls", "a_promise", "self.is_head()", "true")
        .survives(MORE_MESSAGES),
    mutant("D4: who wants nothing calls", "a_promise", "self.is_asked()", "true")
        .survives(MORE_MESSAGES),
    mutant("Promise: nothing follows", "on_promise", "self.begin_if_promised(out);", ""),
    mutant("Inside: of no later epoch", "on_inside", "epoch > self.promised", "false")
        .survives(ASKED_AGAIN),
    mutant("Inside: written off", "on_inside", "*asked = 0", "{ let _ = asked; }")
        .survives(DEPOSED),
    mutant("Inside: not told", "on_inside", "out.send(j, Msg::Begun(self.promised))", "()")
        .survives(DEPOSED),
    mutant("Inside: told by anyone", "on_inside", "self.promised.by == self.i", "true")
        .survives(DEPOSED),
    // Those who do not answer.
    mutant("late: nobody is waited for", "on_answers_late", "patience.is_some()", "true"),
    mutant("late: one is enough", "on_answers_late", "all_gone &= is_gone;", "").survives(DEPOSED),
    mutant(
        "late: not counted",
        "on_answers_late",
        "*asked += u8::from(!is_gone);",
        "let _ = asked;",
    ),
    mutant(
        "late: the few go on",
        "on_answers_late",
        "2 * (n - gone) > n",
        "{ let _ = (n, gone); true }",
    )
    .survives(EPOCHS_DIFFER),
    mutant(
        "late: half is not enough",
        "on_answers_late",
        "2 * (n - gone) > n",
        "gone == 0 && n > 0",
    ),
    mutant("late: nobody is written off", "on_answers_late", "missing.retain(|_, _| false);", ""),
    mutant("late: not asked again", "on_answers_late", "self.inquire(out);", ""),
    mutant("late: nothing follows", "on_answers_late", "self.begin_if_promised(out);", ""),
    mutant(
        "begin: whoever has promised",
        "begin_if_promised",
        "missing.is_empty()",
        "{ let _ = missing; true }",
    ),
    mutant("begin: goes on asking", "begin_if_promised", "self.inquiry = None;", ""),
    mutant(
        "begin: answers may be late",
        "begin_if_promised",
        "out.cancel_timer(Timer::Answers);",
        "",
    )
    .survives(IN_VAIN),
    mutant("begin: no token", "begin_if_promised", "self.hold();", ""),
    mutant("begin: not watched", "begin_if_promised", "self.watch(out);", ""),
    // To promise.
    mutant("promise: not kept", "promise", "self.promised = epoch;", ""),
    mutant("promise: inside", "promise", "self.status == Status::Critical", "false"),
    mutant("promise: keeps the global token", "promise", "self.global = None;", ""),
    mutant(
        "promise: the way stays",
        "promise",
        "self.toward = Some(epoch.by).filter(|&by| by != self.i);",
        "",
    )
    .survives(MISSED),
    mutant("promise: calls stay", "promise", "self.calls.clear();", "").survives(MORE_MESSAGES),
    mutant(
        "promise: goes on asking",
        "promise",
        "self.inquiry.take().is_some()",
        "self.inquiry.is_some()",
    ),
    mutant("promise: answers may be late", "promise", "out.cancel_timer(Timer::Answers);", "")
        .survives(IN_VAIN),
    mutant("promise: goes on serving", "promise", "self.serving.take()", "self.serving.clone()"),
    mutant("promise: who is no head serves", "promise", "self.is_head()", "true")
        .survives(ONCE_MORE),
    mutant(
        "promise: NLQ stays",
        "promise",
        "mem::take(&mut self.nlq)",
        "driftlock_core::Fifo::new()",
    )
    .survives(ASKS_AGAIN),
    mutant(
        "promise: serves who is gone",
        "promise",
        "*j == self.i || self.peer.contains(*j)",
        "{ let _ = j; true }",
    )
    .open(CUT),
    mutant("promise: forgets who was served", "promise", "self.lq.enqueue(j)", "{ let _ = j; }")
        .survives(ASKS_AGAIN),
    mutant("promise: not watched", "promise", "self.watch(out);", ""),
    mutant(
        "promise: put off for ever",
        "give_promise",
        "mem::take(&mut self.deferred)",
        "self.deferred",
    ),
    mutant(
        "promise: put off and forgotten",
        "give_promise",
        "out.send(self.promised.by, self.a_promise());",
        "",
    )
    .survives(ASKED_AGAIN),
    // To learn of an epoch.
    mutant("learn: no promise", "learn", "epoch > self.promised", "false").open(LOW_EPOCH),
    mutant(
        "learn: stays inside",
        "learn",
        "token.epoch < epoch",
        "{ let _ = (token, epoch); false }",
    ),
    mutant("learn: keeps the token", "learn", "self.local = None;", ""),
    mutant("learn: does not wait", "learn", "self.status = Status::Waiting;", ""),
    mutant("learn: nobody is told", "learn", "out.demote();", ""),
    mutant("learn: no promise when it leaves", "learn", "self.give_promise(out);", "")
        .survives(BEGUN),
    mutant("learn: does not ask", "learn", "self.ask(out);", ""),
];
