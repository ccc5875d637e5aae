//! The mutants of the events of LME-2, and of its start.

use super::{
    ANY_NUMBER, ANYWHERE, LOWERS_ANYWAY, MORE_MESSAGES, NEVER_DECREASES, NEVER_VOID, NOTIFIED,
    OVERWRITTEN, UNTIL_KNOWN, UNTOLD,
};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant("nothing follows", "step", "self.proceed(out);", ""),
    mutant("LinkDown is ignored", "step", "drop(self.link.remove(j))", "()"),
    mutant(
        "LinkDown: nothing follows",
        "step",
        "drop(self.link.remove(j))",
        "return drop(self.link.remove(j))",
    ),
    mutant("Notify is ignored", "step", "self.on_notify(j, out)", "()").survives(NOTIFIED),
    mutant("Prio is ignored", "step", "self.on_prio(j, c)", "()"),
    mutant("Info is ignored", "step", "self.on_info(j, c, out)", "()"),
    mutant("Req is ignored", "step", "self.on_req(j)", "()"),
    mutant("Fork is ignored", "step", "self.on_fork(j, flag)", "()"),
    mutant("LinkUp is ignored by who stood still", "step", "self.on_link_up_static(j, out)", "()"),
    mutant("LinkUp is ignored by who moved", "step", "self.on_link_up_moving(j, out)", "()"),
    // Asking and leaving.
    mutant("request: does not wait", "on_request_cs", "self.status = Status::Waiting;", ""),
    mutant(
        "request: nobody is \
        notified",
        "on_request_cs",
        "self.notifies",
        "false",
    )
    .survives(NOTIFIED),
    mutant(
        "request: those below are notified",
        "on_request_cs",
        "self.link.keys().for_each(|j| out.send(j, Msg::Notify));",
        "let mine = self.mine(); for (j, link) in self.link.iter() { if !link.is_higher(j, mine) \
            { out.send(j, Msg::Notify); } }",
    )
    .survives(NOTIFIED),
    mutant("release: stays inside", "on_release_cs", "self.status = Status::Remainder;", ""),
    mutant("release: keeps its priority", "on_release_cs", "self.lower(out);", ""),
    // Notify.
    mutant(
        "Notify: hungry nodes lower themselves too",
        "on_notify",
        "self.status == Status::Remainder",
        "self.status != Status::Critical",
    ),
    mutant(
        "Notify: eating nodes lower themselves too",
        "on_notify",
        "self.status == Status::Remainder",
        "self.status != Status::Waiting",
    )
    .survives(LOWERS_ANYWAY),
    mutant(
        "Notify: hungry nodes lower themselves instead",
        "on_notify",
        "self.status == Status::Remainder",
        "self.status == Status::Waiting",
    ),
    mutant(
        "Notify: those below lower themselves too",
        "on_notify",
        "!self.link[j].is_higher(j, self.mine())",
        "true",
    )
    .survives(NOTIFIED),
    mutant(
        "Notify: those below lower themselves instead",
        "on_notify",
        "!self.link[j].is_higher(j, self.mine())",
        "self.link[j].is_higher(j, self.mine())",
    )
    .survives(NOTIFIED),
    mutant("Notify: nobody lowers itself", "on_notify", "self.lower(out);", "").survives(NOTIFIED),
    // Priorities.
    mutant("Prio: the number is not kept", "on_prio", "(c, Rank::Known)", "(link.c, Rank::Known)"),
    mutant("Prio: it is not known", "on_prio", "(c, Rank::Known)", "(c, link.rank)"),
    mutant(
        "Prio: the higher one is kept",
        "on_prio",
        "(c, Rank::Known)",
        "(link.c.max(c), Rank::Known)",
    )
    .survives(NEVER_DECREASES),
    mutant("Info: the number is not kept", "on_info", "self.on_prio(j, c);", ""),
    mutant(
        "Info: does not lower \
        itself",
        "on_info",
        "!self.lower(out)",
        "true",
    )
    .survives(ANY_NUMBER),
    mutant(
        "Info: says nothing if it is below anyway",
        "on_info",
        "!self.lower(out)",
        "{ self.lower(out); false }",
    )
    .open(UNTOLD),
    mutant(
        "Info: says its number twice",
        "on_info",
        "!self.lower(out)",
        "{ self.lower(out); true }",
    )
    .survives(MORE_MESSAGES),
    // Forks.
    mutant(
        "Req: void requests count",
        "on_req",
        "link.suspended = link.at;",
        "link.suspended = true;",
    )
    .survives(NEVER_VOID),
    mutant("Req: forgotten", "on_req", "link.suspended = link.at;", ""),
    mutant(
        "Req: a request that is void forgets another",
        "on_req",
        "link.suspended = link.at;",
        "link.suspended = !link.at;",
    ),
    mutant("Fork: lost", "on_fork", "(true, false, flag)", "(false, false, flag)"),
    mutant(
        "Fork: still asked for",
        "on_fork",
        "(true, false, flag)",
        "(true, link.asked, \
        flag)",
    )
    .survives(OVERWRITTEN),
    mutant(
        "Fork: the sender does not get it back",
        "on_fork",
        "(true, false, flag)",
        "(true, false, false)",
    ),
    mutant(
        "Fork: the sender gets it back",
        "on_fork",
        "(true, false, flag)",
        "(true, false, true)",
    ),
    mutant(
        "Fork: who does not want it back gets it",
        "on_fork",
        "(true, false, flag)",
        "(true, false, !flag)",
    ),
    // Links.
    mutant("LinkUp: who stood still has no fork", "on_link_up_static", "true", "false"),
    mutant(
        "LinkUp: who stood still goes \
        last",
        "on_link_up_static",
        "Rank::Lower",
        "Rank::Higher",
    )
    .survives(UNTIL_KNOWN),
    mutant(
        "LinkUp: the priority of a stranger is known",
        "on_link_up_static",
        "Rank::Lower",
        "Rank::Known",
    )
    .survives(UNTIL_KNOWN),
    mutant("LinkUp: no Info", "on_link_up_static", "out.send(j, Msg::Info(self.c));", ""),
    mutant(
        "LinkUp: Prio in place of Info",
        "on_link_up_static",
        "out.send(j, Msg::Info(self.c));",
        "out.send(j, Msg::Prio(self.c));",
    ),
    mutant(
        "LinkUp: Info says 0",
        "on_link_up_static",
        "out.send(j, Msg::Info(self.c));",
        "out.send(j, Msg::Info(0));",
    ),
    mutant("LinkUp: who moved has a fork too", "on_link_up_moving", "false", "true"),
    mutant(
        "LinkUp: who moved goes \
        first",
        "on_link_up_moving",
        "Rank::Higher",
        "Rank::Lower",
    )
    .survives(UNTIL_KNOWN),
    mutant(
        "LinkUp: the priority of who stood still is known",
        "on_link_up_moving",
        "Rank::Higher",
        "Rank::Known",
    )
    .survives(UNTIL_KNOWN),
    mutant(
        "LinkUp: who moved goes on eating",
        "on_link_up_moving",
        "self.status == Status::Critical",
        "false",
    ),
    mutant(
        "LinkUp: who moved stops asking",
        "on_link_up_moving",
        "self.status = Status::Waiting;",
        "self.status = Status::Remainder;",
    ),
    mutant(
        "LinkUp: who moved only says that it stops",
        "on_link_up_moving",
        "self.status = Status::Waiting;",
        "",
    ),
    mutant("LinkUp: who moved stops in silence", "on_link_up_moving", "out.demote();", ""),
    mutant(
        "LinkUp: the new neighbor is not notified",
        "on_link_up_moving",
        "out.send(j, Msg::Notify);",
        "",
    )
    .survives(NOTIFIED),
    mutant(
        "LinkUp: the new neighbor is notified of nothing",
        "on_link_up_moving",
        "self.status == Status::Waiting && self.notifies",
        "self.notifies",
    )
    .survives(NOTIFIED),
    // The start.
    mutant(
        "start: forks are where priority is not",
        "new(i: NodeId",
        "i < j",
        "j < \
        i",
    )
    .survives(ANYWHERE),
    mutant("start: everyone goes first", "new(i: NodeId", "Rank::Known", "Rank::Lower"),
    mutant("start: everyone goes last", "new(i: NodeId", "Rank::Known", "Rank::Higher"),
    mutant(
        "D1: flags",
        "new(i: NodeId",
        "Rank::Known",
        "if j < i { Rank::Higher } else { Rank::Lower }",
    )
    .with(&[("new(i: NodeId", "Variant::clone(&config.variant)", "Variant::Published")]),
];
