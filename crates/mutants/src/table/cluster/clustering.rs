//! The mutants of who is in which cluster.

use super::{
    ANY_CLUSTERS, AT_ONCE, CALLS, GIVES_UP, GONE, IN_VAIN, KEPT, MISSED, MORE_EPOCHS,
    MORE_MESSAGES, ONCE_MORE, REPORTS_ANEW, TIME, TWO_HEADS,
};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant("LinkUp: not seen", "on_link_up", "self.peer.insert(j, Peer::default());", "")
        .survives(ANY_CLUSTERS),
    mutant("LinkUp: nothing is said", "on_link_up", "out.send(j, Msg::Hello(self.head));", "")
        .survives(CALLS),
    mutant("LinkDown: not seen", "on_link_down", "self.peer.remove(j);", ""),
    mutant("LinkDown: its request stays", "on_link_down", "self.forget(j, out);", "")
        .survives(GONE),
    mutant(
        "LinkDown: the head stays",
        "on_link_down",
        "self.choose(contends, out);",
        "let _ = contends;",
    ),
    mutant("LinkDown: not reported", "on_link_down", "self.report(&before, out);", "")
        .survives(MISSED),
    mutant(
        "Hello: forgotten",
        "on_hello",
        "*peer = Peer { head: Some(head), ..Peer::default() };",
        "let _ = (peer, head);",
    )
    .survives(CALLS),
    mutant("Hello: reports are dropped", "on_hello", "peer.head != Some(head)", "true"),
    mutant("Hello: who left reports still", "on_hello", "Peer::default()", "peer.clone()")
        .survives(REPORTS_ANEW),
    mutant("Hello: nobody joins", "on_hello", "self.choose(contends, out);", "let _ = contends;")
        .open(GIVES_UP),
    mutant("Hello: not reported", "on_hello", "self.report(&before, out);", ""),
    mutant("Beside: forgotten", "on_beside", "peer.beside = heads;", "let _ = (peer, heads);"),
    mutant("contend: whoever it is", "on_contend", "self.is_head()", "true").survives(IN_VAIN),
    mutant("contend: nobody gives up", "on_contend", "self.join(j, out);", "let _ = j;")
        .survives(TWO_HEADS),
    mutant("contend: not reported", "on_contend", "self.report(&before, out);", "")
        .survives(MISSED),
    mutant(
        "choose: nobody contends",
        "choose",
        "now == contends",
        "{ let _ = (now, contends); true }",
    )
    .survives(TWO_HEADS),
    mutant(
        "choose: time begins anew",
        "choose",
        "now == contends",
        "{ let _ = (now, contends); false }",
    )
    .survives(TIME),
    mutant("choose: contends for ever", "choose", "out.cancel_timer(Timer::Contend)", "()")
        .survives(IN_VAIN),
    mutant(
        "choose: stays with who is gone",
        "choose",
        "self.peer.get(self.head).is_none_or(|peer| peer.head != Some(self.head))",
        "self.peer.get(self.head).is_some_and(|peer| peer.head != Some(self.head))",
    ),
    mutant(
        "choose: stays with who is no head",
        "choose",
        "peer.head != Some(self.head)",
        "{ let _ = peer; false }",
    ),
    mutant(
        "choose: everyone is a head",
        "choose",
        "self.heads().next().unwrap_or(self.i)",
        "self.i",
    ),
    mutant(
        "choose: the highest head",
        "choose",
        "self.heads().next().unwrap_or(self.i)",
        "self.heads().last().unwrap_or(self.i)",
    )
    .survives(ANY_CLUSTERS),
    mutant("join: not done", "join", "core::mem::replace(&mut self.head, head)", "self.head"),
    mutant(
        "join: nothing is said",
        "join",
        "self.peer.keys().for_each(|j| out.send(j, Msg::Hello(head)));",
        "",
    ),
    mutant("join: contends for ever", "join", "out.cancel_timer(Timer::Contend);", "")
        .survives(IN_VAIN),
    mutant("join: keeps LQ", "join", "self.lq = Fifo::new();", "").survives(ONCE_MORE),
    mutant("join: keeps NLQ", "join", "self.nlq = Fifo::new();", "").open(KEPT),
    mutant("join: time-outs go on", "join", "self.watch(out);", "").survives(MORE_EPOCHS),
    mutant("join: does not ask", "join", "self.status == Status::Waiting", "false"),
    mutant("join: asks in any case", "join", "self.status == Status::Waiting", "true"),
    mutant("report: always", "report", "now != *before", "{ let _ = before; true }")
        .survives(MORE_MESSAGES),
    mutant("report: never", "report", "out.send(self.head, Msg::Beside(now.1));", ""),
    mutant("all neighbors are heads", "heads", "peer.head == Some(*j)", "peer.head.is_some()"),
    mutant(
        "no neighbor is a head",
        "heads",
        "peer.head == Some(*j)",
        "{ let _ = (j, peer); false }",
    ),
    mutant("every head is lower", "lower_head", "j < self.i", "{ let _ = j; true }").open(AT_ONCE),
    mutant(
        "border: its own cluster too",
        "border(&self)",
        "head != self.head",
        "{ let _ = head; true }",
    )
    .survives(MORE_MESSAGES),
    mutant(
        "N-LIST: by those who left",
        "n_list",
        "peer.head == Some(self.i)",
        "{ let _ = peer; true }",
    )
    .survives(REPORTS_ANEW),
    mutant(
        "N-LIST: heads that are heard",
        "n_list",
        "sorted(heard.chain(beside).filter(|&head| head != self.i))",
        "sorted(heard.filter(|&head| head != self.i))",
    )
    .survives(CALLS),
    mutant(
        "N-LIST: heads that members hear",
        "n_list",
        "sorted(heard.chain(beside).filter(|&head| head != self.i))",
        "sorted(beside.filter(|&head| head != self.i))",
    )
    .survives(CALLS),
];
