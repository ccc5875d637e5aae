//! The mutants of what happens to a node at all, and of its start.

use super::{ANY_CLUSTERS, ASKED_AGAIN, CALLS, DEPOSED, TWO_HEADS};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant("the global token is not used", "step", "self.use_global(out);", ""),
    mutant("time-out: nobody asks again", "step", "self.ask(out)", "()"),
    mutant("time-out: nothing is ever lost", "step", "self.on_lost(out)", "()"),
    mutant("time-out: answers may be missing", "step", "self.on_answers_late(out)", "()"),
    mutant("time-out: heads stay neighbors", "step", "self.on_contend(out)", "()")
        .survives(TWO_HEADS),
    mutant("LinkUp is ignored", "step", "self.on_link_up(j, out)", "()").survives(ANY_CLUSTERS),
    mutant("LinkDown is ignored", "step", "self.on_link_down(j, out)", "()"),
    mutant("Hello is ignored", "on_message", "self.on_hello(j, head, out)", "()").survives(CALLS),
    mutant("Beside is ignored", "on_message", "self.on_beside(j, heads)", "()"),
    mutant("Req is ignored", "on_message", "self.on_req(j, out)", "()"),
    mutant("Wake is ignored", "on_message", "self.on_wake(head, hops, out)", "()"),
    mutant("Over is ignored", "on_message", "self.on_over(j, epoch, out)", "()"),
    mutant("OverOut is ignored", "on_message", "self.on_over_out(epoch, out)", "()"),
    mutant("Local is ignored", "on_message", "self.on_local(j, token, out)", "()"),
    mutant("Global is ignored", "on_message", "self.on_global(j, token, out)", "()"),
    mutant("Inquire is ignored", "on_message", "self.on_inquire(j, epoch, out)", "()"),
    mutant("Inside is ignored", "on_message", "self.on_inside(j, epoch, out)", "()")
        .survives(ASKED_AGAIN),
    mutant("Promise is ignored", "on_message", "self.on_promise(j, epoch, wants, out)", "()"),
    mutant("Begun is ignored", "on_message", "self.learn(epoch, out)", "()").survives(DEPOSED),
    // The start.
    mutant(
        "start: nobody knows its way",
        "initial",
        "(i != NodeId(0)).then_some(NodeId(0))",
        "None",
    ),
    mutant(
        "start: two tokens",
        "initial",
        "processes.iter_mut().take(1)",
        "processes.iter_mut().take(2)",
    ),
    mutant(
        "start: no token",
        "initial",
        "processes.iter_mut().take(1)",
        "processes.iter_mut().take(0)",
    ),
    mutant("start: no clusters around", "initial", "border(graph, &heads, j)", "Vec::new()")
        .survives(CALLS),
    mutant("start: neighbors without heads", "initial", "Some(head(j))", "None"),
    mutant("start: everyone is a head", "clusters", "lower.min().unwrap_or(i)", "i"),
    mutant("start: heads need not be heads", "clusters", "heads[j.index()] == j", "true"),
];
