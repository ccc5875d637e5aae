//! Requests, and the token.

use super::{
    ANY_HEIGHTS, AS_RL, ASKED_THEN, FOUR_NODES, HEARD_OF, NEXT_NOT_READ, ORDER, TAKEN_FOR_HIGHER,
};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    // Every event.
    mutant("nobody leads", "go_on", "self.lead(out);", ""),
    mutant("nobody follows", "go_on", "self.follow(out);", ""),
    mutant("everyone leads", "go_on", "self.leader", "true"),
    // Requesting the resource.
    mutant("RequestCS: does not wait", "on_request_cs", "self.status = Status::Waiting;", ""),
    mutant("RequestCS: not on Q", "on_request_cs", "self.q.renew(self.i, r, 0);", ""),
    // Receiving a request message.
    mutant("REQUEST: receivedLINK ignored", "on_request", "!link.received_li", "false"),
    mutant("REQUEST: receivedLINK negated", "on_request", "!link.received_li", "link.received_li"),
    mutant("REQUEST: height not stored", "on_request", "link.set_height(h);", "")
        .survives(TAKEN_FOR_HIGHER),
    mutant("REQUEST: also from below", "on_request", "self.my_height < h", "true"),
    mutant("REQUEST: only from below", "on_request", "self.my_height < h", "self.my_height > h"),
    mutant("REQUEST: not on Q", "on_request", "self.q.renew(j, r, again);", ""),
    mutant(
        "D6 REQUEST: several of one on Q",
        "on_request",
        "self.q.renew(j, r, again);",
        "self.q.enqueue(j, r);",
    ),
    mutant(
        "D6 REQUEST: number not kept",
        "on_request",
        "self.q.renew(j, r, again);",
        "self.q.renew(j, r, 0);",
    ),
    mutant(
        "D6 REQUEST: to the end of Q",
        "on_request",
        "self.q.renew(j, r, again);",
        "self.q.delete(j); self.q.renew(j, r, again);",
    )
    .survives(ORDER),
    mutant(
        "D6 REQUEST: the first one counts",
        "on_request",
        "self.q.renew(j, r, again);",
        "if !self.q.entries().iter().any(|entry| entry.j == j) { self.q.renew(j, r, again); }",
    ),
    mutant("D4 REQUEST: none is void", "on_request", "!void", "true").open(AS_RL),
    mutant("D4 removed", "on_request", "!void", "true")
        .with(&[("on_link", "self.send_request(j, out);", "")])
        .open(AS_RL),
    mutant("D12 WITHDRAW is ignored", "step_repaired", "self.q.delete(j)", ""),
    // Receiving the token message.
    mutant("TOKEN: ignored", "on_token", "self.take_token(j, h, out);", ""),
    mutant("TOKEN: not the leader", "take_token", "self.leader = true;", ""),
    mutant("TOKEN: height not stored", "take_token", "self.link[j].set_height(h);", "")
        .survives(TAKEN_FOR_HIGHER),
    mutant("TOKEN: height kept", "take_token", "self.my_height = below(h, self.i);", ""),
    mutant(
        "TOKEN: height one too high",
        "take_token",
        "below(h, self.i)",
        "Height::new(h.h1, h.h2, self.i)",
    ),
    mutant(
        "TOKEN: height one too low",
        "take_token",
        "below(h, self.i)",
        "Height::new(h.h1, h.h2 - 2, self.i)",
    ),
    mutant(
        "TOKEN: own h1 kept",
        "take_token",
        "below(h, self.i)",
        "Height::new(self.my_height.h1, h.h2 - 1, self.i)",
    ),
    mutant(
        "TOKEN: nobody told",
        "take_token",
        "out.send(k, Msg::Link(self.my_height, self.raises));",
        "",
    ),
    mutant("TOKEN: only the sender told", "take_token", "k == j || link.in_n", "k == j")
        .survives(TAKEN_FOR_HIGHER),
    mutant(
        "TOKEN: the sender not told",
        "take_token",
        "k == j || link.in_n",
        "k != j && link.in_n",
    ),
    mutant("D2 TOKEN: asked not reset", "take_token", "self.asked = None;", ""),
    mutant("D4 TOKEN: raises not kept", "take_token", "self.raises_before = self.raises;", "")
        .open(AS_RL),
    // Procedure transmitToken().
    mutant("transmitToken: token kept", "pass_token", "self.leader = false;", ""),
    mutant("transmitToken: next not set", "pass_token", "self.next = Some(next);", ""),
    mutant(
        "transmitToken: height not stored",
        "pass_token",
        "link.set_height(below(self.my_height, next));",
        "",
    ),
    mutant(
        "transmitToken: height one too high",
        "pass_token",
        "below(self.my_height, next)",
        "self.my_height",
    ),
    mutant("transmitToken: receivedLINK not reset", "pass_token", "link.received_li = false;", ""),
    mutant(
        "transmitToken: not sent",
        "pass_token",
        "out.send(next, Msg::Token(self.my_height));",
        "",
    ),
    mutant(
        "transmitToken: a wrong height sent",
        "pass_token",
        "Msg::Token(self.my_height)",
        "Msg::Token(below(self.my_height, self.i))",
    ),
    mutant("transmitToken: not asked back", "pass_token", "self.send_request(next, out);", "")
        .survives(ASKED_THEN),
    // Procedure forwardRequest().
    mutant(
        "forwardRequest: the highest",
        "lowest",
        "self.n().min_by_key(|(_, height)| *height)",
        "self.n().max_by_key(|(_, height)| *height)",
    ),
    mutant("forwardRequest: next not set", "forward_request", "self.next = Some(lowest);", ""),
    mutant("forwardRequest: not sent", "forward_request", "self.send_request(lowest, out);", ""),
    mutant("D1 forwardRequest: next kept", "forward_request", "self.next = None", "")
        .survives(NEXT_NOT_READ),
    mutant(
        "forwardRequest: for what it was before",
        "send_request",
        "self.q.head().map(|head| head.r).or(self.asked.and_then(|ask| ask.r))",
        "self.asked.and_then(|ask| ask.r).or(self.q.head().map(|head| head.r))",
    ),
    mutant(
        "forwardRequest: for the last on Q",
        "send_request",
        "self.q.head().map(|head| head.r)",
        "self.q.entries().last().map(|last| last.r)",
    )
    .survives(ORDER),
    mutant(
        "D2 forwardRequest: asked not set",
        "send_request",
        "self.asked = Some(Ask { r: Some(r), again });",
        "",
    ),
    mutant("D4 forwardRequest: knows of no raise", "send_request", "self.link[j].raises", "0"),
    mutant(
        "D6 forwardRequest: not numbered",
        "send_request",
        "self.asked.map_or(0, |ask| ask.again.wrapping_add(1))",
        "0",
    )
    .open(FOUR_NODES),
    mutant("D2: asks for nobody", "must_ask", "!self.q.is_empty() && !wanted", "!wanted"),
    mutant("D2: asked ignored", "must_ask", "!self.q.is_empty() && !wanted", "!self.q.is_empty()")
        .open(AS_RL),
    mutant(
        "D6: asks nothing else instead",
        "must_ask",
        "for_what.is_some_and(|r| self.q.has_some_for(r))",
        "for_what.is_some()",
    ),
    mutant("D4: void since any raise", "is_void", "unknown > since_token", "unknown > 0")
        .survives(HEARD_OF),
    mutant(
        "D4: void since the raise before",
        "is_void",
        "unknown > since_token",
        "unknown > since_token + 1",
    )
    .open(AS_RL),
    mutant("D4: void though known", "is_void", "unknown > since_token", "unknown >= since_token"),
    // What a node without the token does after every event.
    mutant("follow: never asks", "follow", "self.must_ask()", "false"),
    mutant("follow: not sent", "follow", "self.forward_request(out)", ""),
    mutant(
        "D6 follow: asks elsewhere instead",
        "follow",
        "self.send_request(next, out)",
        "self.forward_request(out)",
    )
    .open(FOUR_NODES),
    mutant("D6 follow: not asked instead", "follow", "self.send_request(next, out)", ""),
    mutant("D12: nothing withdrawn", "follow", "self.withdraw(out);", ""),
    mutant("D12: not told", "withdraw", "out.send(next, Msg::Withdraw);", ""),
    mutant(
        "D12: withdrawn again and again",
        "withdraw",
        "ask.r.take().is_some()",
        "ask.r.is_some()",
    ),
    mutant(
        "D12: the number is forgotten",
        "withdraw",
        "out.send(next, Msg::Withdraw);",
        "out.send(next, Msg::Withdraw); self.asked = None;",
    )
    .open(FOUR_NODES),
    // The start.
    mutant(
        "start: next is nobody",
        "new(i: NodeId, neighbors",
        "if i == NodeId(0) { Some(i) } else { lowest }",
        "None",
    )
    .survives(NEXT_NOT_READ),
    mutant(
        "start: heights upside down",
        "new(i: NodeId, neighbors",
        "height(i)",
        "Height::new(0, -height(i).h2, i)",
    )
    .survives(ANY_HEIGHTS),
];
