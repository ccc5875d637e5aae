//! The mutants of what a node does that wants to enter.

use super::{ANY_WAY, ANYONE, MISSED, OLD_TOKEN};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant("request: does not wait", "on_request_cs", "self.status = Status::Waiting;", ""),
    mutant("request: does not ask", "on_request_cs", "self.ask(out);", ""),
    mutant(
        "request: once and never again",
        "ask",
        "out.set_timer(Timer::Again, self.config.again);",
        "",
    ),
    mutant("request: not sent", "ask", "self.tell(self.head, Msg::Req, out);", ""),
    // The local token.
    mutant("D6: an old local token is taken", "on_local", "token.epoch < self.promised", "false"),
    mutant(
        "D6: no local token is taken",
        "on_local",
        "token.epoch < self.promised",
        "token.epoch <= self.promised",
    ),
    mutant(
        "D6: an old local token is not answered",
        "on_local",
        "return self.answer(j, out);",
        "return;",
    )
    .survives(MISSED),
    mutant("D6: a new local token is no news", "on_local", "self.learn(token.epoch, out);", ""),
    mutant("D2: for another", "on_local", "next != Some(self.i)", "false").survives(ANYONE),
    mutant("enter: asks again", "on_local", "out.cancel_timer(Timer::Again);", ""),
    mutant("enter: not inside", "on_local", "self.status = Status::Critical;", ""),
    mutant("enter: the token is not kept", "on_local", "self.local = Some(token);", ""),
    mutant("enter: no entry", "on_local", "out.enter_cs();", ""),
    mutant(
        "Local: lost at who does not wait",
        "on_local",
        "self.pass_on(token, out)",
        "drop(token)",
    ),
    // Leaving.
    mutant("release: stays inside", "on_release_cs", "self.status = Status::Remainder;", ""),
    mutant(
        "release: an old token is passed on",
        "on_release_cs",
        "token.epoch == self.promised",
        "true",
    )
    .survives(OLD_TOKEN),
    mutant("release: the token is lost", "on_release_cs", "token.epoch == self.promised", "false"),
    mutant("D6: no promise when it leaves", "on_release_cs", "self.give_promise(out);", ""),
    mutant("pass on: nobody is the last", "pass_on", "token.queue.is_empty()", "false"),
    mutant("pass on: everyone is the last", "pass_on", "token.queue.is_empty()", "true"),
    mutant(
        "pass on: over&out is not said",
        "pass_on",
        "return self.tell(token.co, Msg::OverOut(token.epoch), out);",
        "return;",
    ),
    mutant(
        "pass on: over for over&out",
        "pass_on",
        "Msg::OverOut(token.epoch)",
        "Msg::Over(token.epoch)",
    ),
    mutant(
        "pass on: over is not said",
        "pass_on",
        "self.tell(token.co, Msg::Over(token.epoch), out);",
        "",
    ),
    mutant("pass on: the token is lost", "pass_on", "self.send_on(token, out);", ""),
    mutant(
        "send on: out of range too",
        "send_on",
        "self.i == token.co || self.peer.contains(to)",
        "{ let _: NodeId = to; true }",
    )
    .survives(ANY_WAY),
    mutant(
        "send on: by way of the head",
        "send_on",
        "self.i == token.co || self.peer.contains(to)",
        "{ let _: NodeId = to; self.i == token.co }",
    )
    .survives(ANY_WAY),
    mutant("send on: lost", "send_on", "self.tell(to, Msg::Local(token), out);", ""),
];
