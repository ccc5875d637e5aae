//! The procedures, the expressions and the start.

use super::{ANY_RAISE, ASKED_TWICE, CONFIRMED, NEXT_NOT_READ, TWO_CHANGES};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    // Procedure ForwardRequest.
    mutant(
        "ForwardRequest 1: the highest",
        "forward_request",
        "self.n().min_by_key(|(_, height)| *height)",
        "self.n().max_by_key(|(_, height)| *height)",
    ),
    mutant("ForwardRequest 1: next not set", "forward_request", "self.next = Some(lowest);", ""),
    mutant("ForwardRequest 2: not sent", "forward_request", "self.send_request(lowest, out);", ""),
    mutant(
        "ForwardRequest 2: old next asked",
        "forward_request",
        "self.next = Some(lowest); self.send_request(lowest, out);",
        "if let Some(next) = self.next.replace(lowest) { self.send_request(next, out); }",
    ),
    mutant(
        "D1 ForwardRequest: to nobody",
        "forward_to_nobody",
        "self.next = None",
        "out.undefined(\"nobody\")",
    ),
    mutant("D1 ForwardRequest: next kept", "forward_to_nobody", "self.next = None", "")
        .survives(NEXT_NOT_READ),
    mutant(
        "D1 ForwardRequest: counts as asked",
        "forward_to_nobody",
        "self.next = None",
        "self.asked = true",
    ),
    mutant("D2 ForwardRequest: asked not set", "send_request", "self.asked = true;", ""),
    mutant("D4 ForwardRequest: knows of no raise", "send_request", "self.link[j].raises", "0"),
    // Procedure GiveTokenToNext.
    mutant(
        "GiveToken 1: Q is a stack",
        "give_token_to_next",
        "self.q.dequeue()",
        "{ let last = self.q.iter().last(); last.inspect(|&last| self.q.delete(last)) }",
    ),
    mutant(
        "GiveToken 1: stays on Q",
        "give_token_to_next",
        "self.q.dequeue()",
        "self.q.iter().next()",
    ),
    mutant("GiveToken 1: next not set", "give_token_to_next", "self.next = Some(next);", ""),
    mutant("GiveToken 2: negated", "give_token_to_next", "next != self.i", "next == self.i"),
    mutant("GiveToken 2: always enters", "give_token_to_next", "next != self.i", "false"),
    mutant("GiveToken 3: token kept", "give_token_to_next", "self.token_holder = false;", ""),
    mutant(
        "GiveToken 4: height not stored",
        "give_token_to_next",
        "link.set_height(self.my_height.below(next));",
        "",
    ),
    mutant(
        "GiveToken 4: height one too high",
        "give_token_to_next",
        "self.my_height.below(next)",
        "self.my_height",
    ),
    mutant(
        "GiveToken 5: receivedLI not reset",
        "give_token_to_next",
        "link.received_li = false;",
        "",
    )
    .open(CONFIRMED),
    mutant(
        "GiveToken 6: not sent",
        "give_token_to_next",
        "out.send(next, Msg::Token(self.my_height));",
        "",
    ),
    mutant(
        "GiveToken 6: sent to the highest neighbor",
        "give_token_to_next",
        "out.send(next, Msg::Token(self.my_height));",
        "let highest = self.n().max_by_key(|(_, height)| *height); \
            out.send(highest.map_or(next, |(highest, _)| highest), \
            Msg::Token(self.my_height));",
    ),
    mutant(
        "GiveToken 6: a wrong height sent",
        "give_token_to_next",
        "Msg::Token(self.my_height)",
        "Msg::Token(self.my_height.below(self.i))",
    ),
    mutant(
        "GiveToken 7: not asked back",
        "give_token_to_next",
        "self.send_request(next, out);",
        "",
    )
    .survives("LinkInfo confirms the token, and whoever has to ask and has not asks then (D2)"),
    mutant(
        "GiveToken 7: asked back for nobody",
        "give_token_to_next",
        "!self.q.is_empty()",
        "true",
    ),
    mutant("GiveToken 9: not inside", "give_token_to_next", "self.status = Status::Critical;", ""),
    mutant("GiveToken 10: no entry", "give_token_to_next", "out.enter_cs();", ""),
    // Procedure RaiseHeight.
    mutant("RaiseHeight 1: not above the lowest", "raise_height", "1 + lowest_h1", "lowest_h1"),
    mutant("RaiseHeight 1: two above the lowest", "raise_height", "1 + lowest_h1", "2 + lowest_h1")
        .survives(ANY_RAISE),
    mutant(
        "RaiseHeight 1: above the highest",
        "raise_height",
        "self.n().map(|(_, height)| height.h1).min()",
        "self.n().map(|(_, height)| height.h1).max()",
    )
    .survives(ANY_RAISE),
    mutant(
        "RaiseHeight 1: own h1 raised",
        "raise_height",
        "1 + lowest_h1",
        "1 + self.my_height.h1",
    ),
    mutant("RaiseHeight 2, 3: h2 kept", "raise_height", "self.my_height.h2 = lowest_h2 - 1;", "")
        .survives(ANY_RAISE),
    mutant("RaiseHeight 3: h2 one too high", "raise_height", "lowest_h2 - 1", "lowest_h2")
        .survives(ANY_RAISE),
    mutant("RaiseHeight 3: h2 two too high", "raise_height", "lowest_h2 - 1", "lowest_h2 + 1")
        .survives(ANY_RAISE),
    mutant(
        "RaiseHeight 4: not told",
        "raise_height",
        "out.send(k, Msg::LinkInfo(self.my_height, self.raises));",
        "",
    ),
    mutant(
        "RaiseHeight 4: only those above told",
        "raise_height",
        "out.send(k, Msg::LinkInfo(self.my_height, self.raises));",
        "if self.my_height < link.height(k) { out.send(k, Msg::LinkInfo(self.my_height, \
            self.raises)); }",
    ),
    mutant(
        "RaiseHeight 4: only those below told",
        "raise_height",
        "out.send(k, Msg::LinkInfo(self.my_height, self.raises));",
        "if self.my_height > link.height(k) { out.send(k, Msg::LinkInfo(self.my_height, \
            self.raises)); }",
    ),
    mutant("RaiseHeight 5: stay on Q", "raise_height", "self.q.delete(k);", "").open(ASKED_TWICE),
    mutant(
        "RaiseHeight 5: those above deleted",
        "raise_height",
        "self.my_height > link.height(k)",
        "self.my_height < link.height(k)",
    )
    .open(ASKED_TWICE),
    mutant("RaiseHeight 6: not sent", "raise_height", "self.forward_request(out);", ""),
    mutant("D2 RaiseHeight: asked not reset", "raise_height", "self.asked = false;", "").survives(
        "a sink has nothing under way: it has heard that next is above, or lost that link",
    ),
    mutant(
        "D4 RaiseHeight: not counted",
        "raise_height",
        "self.raises = self.raises.wrapping_add(1);",
        "",
    )
    .by(TWO_CHANGES),
    // The expressions.
    mutant(
        "D1: a node without neighbors is a sink",
        "is_lowest",
        "!empty || self.variant == Variant::Published",
        "true",
    ),
    mutant(
        "sink: negated",
        "is_lowest",
        "self.my_height > link.height(k)",
        "self.my_height < link.height(k)",
    ),
    mutant(
        "D2: asks when the paper does",
        "must_ask",
        "!self.q.is_empty() && !self.asked",
        "published",
    ),
    mutant(
        "D2: asked ignored",
        "must_ask",
        "!self.q.is_empty() && !self.asked",
        "!self.q.is_empty()",
    ),
    mutant("D2: asks for nobody", "must_ask", "!self.q.is_empty() && !self.asked", "!self.asked"),
    mutant("D4: void since any raise", "is_void", "unknown > since_token", "unknown > 0")
        .survives("whoever did not know of a raise hears of it and asks again, token or not"),
    mutant(
        "D4: void since the raise before",
        "is_void",
        "unknown > since_token",
        "unknown > since_token + 1",
    )
    .by(TWO_CHANGES),
    mutant("D4: void though known", "is_void", "unknown > since_token", "unknown >= since_token"),
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
    ),
];
