//! Requests, releases and the token.

use super::{ANNOUNCED, MORE_MESSAGES, NEXT_NOT_READ, TAKEN_FOR_HIGHER, TOO_LARGE, TWO_CHANGES};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    // When node i requests access to the CS.
    mutant("RequestCS 1: does not wait", "on_request_cs", "self.status = Status::Waiting;", ""),
    mutant("RequestCS 2: not on Q", "on_request_cs", "self.q.enqueue(self.i);", ""),
    mutant("RequestCS 3: negated", "on_request_cs", "!self.token_holder", "self.token_holder"),
    mutant("RequestCS 4: not sent", "on_request_cs", "self.forward_request(out);", ""),
    mutant("RequestCS 5: not taken", "on_request_cs", "self.give_token_to_next(out);", ""),
    mutant(
        "D2 RequestCS 3: asks again",
        "on_request_cs",
        "self.must_ask(self.q.is_just(self.i))",
        "true",
    )
    .by("4 but for 0-1, 1 change"),
    // When node i releases the CS.
    mutant("ReleaseCS 1: token kept", "on_release_cs", "self.give_token_to_next(out);", ""),
    mutant("ReleaseCS 1: token given to nobody", "on_release_cs", "!self.q.is_empty()", "true"),
    mutant("ReleaseCS 2: stays inside", "on_release_cs", "self.status = Status::Remainder;", ""),
    // When Request(h) received at node i from node j.
    mutant("Request 1: receivedLI ignored", "on_request", "!link.received_li", "false"),
    mutant("Request 1: receivedLI negated", "on_request", "!link.received_li", "link.received_li"),
    mutant("Request 2: height not stored", "on_request", "link.set_height(h);", "")
        .survives(TAKEN_FOR_HIGHER),
    mutant("Request 3: enqueue also from below", "on_request", "self.my_height < h", "true")
        .open(TOO_LARGE),
    mutant(
        "Request 3: enqueue only from below",
        "on_request",
        "self.my_height < h",
        "self.my_height > h",
    ),
    mutant("Request 3: not enqueued", "on_request", "self.q.enqueue(j);", ""),
    mutant("Request 4: the holder asks on", "on_request", "self.token_holder", "false"),
    mutant(
        "Request 5: given away inside the CS",
        "on_request",
        "self.status == Status::Remainder",
        "true",
    ),
    mutant("Request 5: given to nobody", "on_request", "!self.q.is_empty()", "true"),
    mutant("Request 5: token kept", "on_request", "self.give_token_to_next(out);", ""),
    mutant("Request 6: no sink", "on_request", "self.is_lowest()", "false").survives(ANNOUNCED),
    mutant("Request 7: no raise", "on_request", "self.raise_height(out);", "").survives(ANNOUNCED),
    mutant(
        "Request 8: never asks on",
        "on_request",
        "self.must_ask(self.q.is_just(j) || self.must_reroute())",
        "false",
    ),
    mutant(
        "Request 8: always asks on",
        "on_request",
        "self.must_ask(self.q.is_just(j) || self.must_reroute())",
        "true",
    )
    .by("ring of 4, 1 change"),
    mutant("Request 9: not sent", "on_request", "self.forward_request(out);", ""),
    mutant("D4 Request 3: no request is void", "on_request", "!self.is_void(known)", "true")
        .by(TWO_CHANGES),
    mutant("D4 removed", "on_request", "!self.is_void(known)", "true")
        .with(&[("on_link_info", "self.send_request(j, out);", "")])
        .by(TWO_CHANGES),
    // When Token(h) received at node i from node j.
    mutant("Token 1: not taken", "on_token", "self.token_holder = true;", ""),
    mutant("Token 2: height not stored", "on_token", "self.link[j].set_height(h);", "")
        .survives(TAKEN_FOR_HIGHER),
    mutant(
        "Token 3: nobody told",
        "on_token",
        "out.send(k, Msg::LinkInfo(mine, self.raises));",
        "",
    ),
    mutant(
        "Token 3: only the sender told",
        "on_token",
        "k == j || (link.in_n && link.height(k) < self.my_height)",
        "k == j",
    )
    .survives(TAKEN_FOR_HIGHER),
    mutant(
        "Token 3: the sender not told",
        "on_token",
        "k == j || (link.in_n && link.height(k) < self.my_height)",
        "k != j && link.in_n && link.height(k) < self.my_height",
    ),
    mutant(
        "Token 3: those above told",
        "on_token",
        "link.height(k) < self.my_height",
        "link.height(k) > self.my_height",
    )
    .survives(TAKEN_FOR_HIGHER),
    mutant(
        "Token 3: everyone told",
        "on_token",
        "k == j || (link.in_n && link.height(k) < self.my_height)",
        "true",
    )
    .survives(MORE_MESSAGES),
    mutant(
        "Token 3: the old height told",
        "on_token",
        "out.send(k, Msg::LinkInfo(mine, self.raises));",
        "out.send(k, Msg::LinkInfo(self.my_height, self.raises));",
    ),
    mutant(
        "Token 4: height one too high",
        "on_token",
        "h.below(self.i)",
        "Height::new(h.h1, h.h2, self.i)",
    ),
    mutant(
        "Token 4: height one too low",
        "on_token",
        "h.below(self.i)",
        "Height::new(h.h1, h.h2 - 2, self.i)",
    ),
    mutant(
        "Token 5: own h1 kept",
        "on_token",
        "h.below(self.i)",
        "Height::new(self.my_height.h1, h.h2 - 1, self.i)",
    ),
    mutant("Token 4, 5: height kept", "on_token", "self.my_height = mine;", ""),
    mutant("Token 6: Q not served", "on_token", "!self.q.is_empty()", "false"),
    mutant("Token 6: next not set", "on_token", "self.next = Some(self.i);", "")
        .survives(NEXT_NOT_READ),
    mutant("D2 Token: asked not reset", "on_token", "self.asked = false;", ""),
    mutant("D4 Token: raises not kept", "on_token", "self.raises_before = self.raises;", "")
        .by(TWO_CHANGES),
];
