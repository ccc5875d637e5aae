//! Requests, releases and tokens.

use super::{
    ANNOUNCED, AS_RL, ASKED_TWICE, CONFIRMED, CONFIRMED_HEIGHT, IDLE, MORE_MESSAGES, NEXT_NOT_READ,
    NO_TOKEN_WAITING, OUT_OF_REACH, TAKEN_FOR_HIGHER, TOLD_NOW, TOO_LARGE, UP_AT_BOTH_ENDS,
};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    // When node i requests access to the CS.
    mutant("RequestCS 1: does not wait", "on_request_cs", "self.status = Status::Waiting;", ""),
    mutant("RequestCS 2: not on Q", "on_request_cs", "self.q.enqueue(self.i);", ""),
    mutant("RequestCS 3: negated", "on_request_cs", "!self.is_holder()", "self.is_holder()"),
    mutant(
        "D2 RequestCS 3: asks again",
        "on_request_cs",
        "self.must_ask(self.q.is_just(self.i))",
        "true",
    )
    .by("plain 4 but for 0-1"),
    mutant("RequestCS 4: not sent", "on_request_cs", "self.forward_request(out);", ""),
    mutant(
        "RequestCS 5: not taken",
        "on_request_cs",
        "self.give_token_to_next(Freed::Before, out);",
        "",
    ),
    // When node i releases the CS.
    mutant(
        "ReleaseCS 1: token kept",
        "on_release_cs",
        "self.give_token_to_next(Freed::ByRelease, out);",
        "",
    ),
    mutant("ReleaseCS 1: token given to nobody", "on_release_cs", "!self.q.is_empty()", "true"),
    mutant("ReleaseCS 2: stays inside", "on_release_cs", "self.status = Status::Remainder;", ""),
    mutant("ReleaseCS 3: not lowered", "on_release_cs", "self.is_highest()", "false")
        .survives(OUT_OF_REACH),
    mutant(
        "ReleaseCS 3: always lowered",
        "on_release_cs",
        "self.is_highest()",
        "self.is_holder() && self.n().next().is_some()",
    ),
    mutant("ReleaseCS 4: not lowered", "on_release_cs", "self.lower_height(out);", "")
        .survives(OUT_OF_REACH),
    mutant("ReleaseCS: idle token kept", "on_release_cs", "self.pass_on_idle_token(out);", "")
        .survives(IDLE),
    // When Request(h) received at node i from node j.
    mutant("Request 1: receivedLI ignored", "on_request", "link.tokens_sent > 0", "false")
        .open(CONFIRMED),
    mutant(
        "Request 1: receivedLI negated",
        "on_request",
        "link.tokens_sent > 0",
        "link.tokens_sent == 0",
    ),
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
    mutant("Request 4: the holder asks on", "on_request", "self.is_holder()", "false"),
    mutant(
        "Request 5: given away inside the CS",
        "on_request",
        "self.status == Status::Remainder || (self.status == Status::Critical && \
            self.num_tokens > 1)",
        "true",
    ),
    mutant(
        "Request 5: the last one given away",
        "on_request",
        "self.num_tokens > 1",
        "self.num_tokens > 0",
    ),
    mutant(
        "Request 5: the second one kept",
        "on_request",
        "self.status == Status::Remainder || (self.status == Status::Critical && \
            self.num_tokens > 1)",
        "self.status == Status::Remainder",
    ),
    mutant(
        "Request 5: given away while waiting",
        "on_request",
        "self.status == Status::Critical && self.num_tokens > 1",
        "self.num_tokens > 1",
    )
    .survives(NO_TOKEN_WAITING),
    mutant("Request 5: given to nobody", "on_request", "!self.q.is_empty()", "true"),
    mutant(
        "Request 6: token kept",
        "on_request",
        "self.give_token_to_next(Freed::Before, out);",
        "",
    ),
    mutant("Request 7, 8: no sink", "on_request", "self.is_lowest()", "false").survives(ANNOUNCED),
    mutant("Request 9: no raise", "on_request", "self.raise_height(false, out);", "")
        .survives(ANNOUNCED),
    mutant(
        "D10 Request 9: as if a link had failed",
        "on_request",
        "self.raise_height(false, out);",
        "self.raise_height(true, out);",
    )
    .survives(ANNOUNCED),
    mutant(
        "Request 10: never asks on",
        "on_request",
        "self.must_ask(self.q.is_just(j) || self.must_reroute())",
        "false",
    ),
    mutant(
        "Request 10: always asks on",
        "on_request",
        "self.must_ask(self.q.is_just(j) || self.must_reroute())",
        "true",
    )
    .by("plain ring of 4"),
    mutant("Request 11: not sent", "on_request", "self.forward_request(out);", ""),
    mutant("D4 Request 3: no request is void", "on_request", "!self.is_void(known)", "true")
        .open(AS_RL),
    mutant("D4 removed", "on_request", "!self.is_void(known)", "true")
        .with(&[("on_link_info", "self.send_request(j, out);", "")])
        .open(AS_RL),
    mutant("D6 Request: still said to hold", "on_request", "link.holds = false;", "")
        .survives(OUT_OF_REACH),
    mutant("D6 Request: still lowered", "on_request", "self.lowered = false;", "")
        .survives(OUT_OF_REACH),
    mutant("D10 Request: the clock stays", "on_request", "self.see(h);", "").survives(ANNOUNCED),
    mutant("D10 Request: part not followed", "on_request", "self.follow_part(out)", "false")
        .survives(ANNOUNCED),
    // When Token(h) received at node i from node j.
    mutant("Token 1, 2: not taken", "on_token", "self.num_tokens += 1;", ""),
    mutant("Token 1, 2: not counted", "on_token", "self.num_tokens += 1;", "self.num_tokens = 1;"),
    mutant("Token: load not kept", "on_token", "self.load = load;", "").survives(IDLE),
    mutant("D6 Token: still lowered", "on_token", "self.lowered = false;", "")
        .survives(OUT_OF_REACH),
    mutant("D4 Token: raises not kept", "on_token", "self.raises_before = self.raises;", "")
        .open(AS_RL),
    mutant("D2 Token: asked not reset", "on_token", "self.asked &= self.next != Some(j);", ""),
    mutant(
        "D2 Token: any token answers",
        "on_token",
        "self.asked &= self.next != Some(j);",
        "self.asked = false;",
    )
    .open(ASKED_TWICE),
    mutant("D10 Token: the clock stays", "on_token", "self.see(h);", "").survives(ANNOUNCED),
    mutant(
        "Token: the sender not visited",
        "on_token",
        "link.visited = self.forwarding != Forwarding::Never;",
        "",
    )
    .survives(IDLE),
    mutant("D6 Token: still said to hold", "on_token", "link.holds = false;", "")
        .survives(OUT_OF_REACH),
    mutant("Token 3: height not stored", "on_token", "published || link.tokens_sent == 0", "false"),
    mutant(
        "D5 Token 3: receivedLI ignored",
        "on_token",
        "published || link.tokens_sent == 0",
        "true",
    )
    .open(CONFIRMED),
    mutant("Token 4: never comes below", "on_token", "self.my_height > h", "false"),
    mutant("Token 4: always comes below", "on_token", "self.my_height > h", "true"),
    mutant(
        "D5 Token 8: not confirmed",
        "on_token",
        "out.send(j, Msg::Ack(self.my_height, self.said(j)));",
        "",
    ),
    mutant(
        "D5 Token 8: confirmed by LinkInfo",
        "on_token",
        "out.send(j, Msg::Ack(self.my_height, self.said(j)));",
        "out.send(j, Msg::LinkInfo(self.my_height, self.said(j)));",
    ),
    mutant(
        "D5 Token 8: confirmed with the paper's height",
        "on_token",
        "out.send(j, Msg::Ack(self.my_height, self.said(j)));",
        "out.send(j, Msg::Ack(h.below(self.i), self.said(j)));",
    )
    .open(CONFIRMED),
    mutant("D7 Token: told kept", "on_token", "self.link[j].told = None;", "")
        .survives(MORE_MESSAGES),
    mutant("Token 9: Q not served", "use_token", "!self.q.is_empty()", "false"),
    mutant("Token 10: next not set", "use_token", "self.point_to(self.i);", "")
        .survives(NEXT_NOT_READ),
    mutant("Token: idle token kept", "use_token", "self.pass_on_idle_token(out);", "")
        .survives(IDLE),
    mutant(
        "Token 5: nobody told",
        "come_below",
        "out.send(k, Msg::LinkInfo(self.my_height, words.to(k)));",
        "",
    ),
    mutant(
        "Token 5: those above told",
        "come_below",
        "link.height(k) < before",
        "link.height(k) > before",
    ),
    mutant("Token 5: everyone told", "come_below", "link.height(k) < before", "true")
        .survives(MORE_MESSAGES),
    mutant(
        "Token 5: the old height told",
        "come_below",
        "out.send(k, Msg::LinkInfo(self.my_height, words.to(k)));",
        "out.send(k, Msg::LinkInfo(before, words.to(k)));",
    ),
    mutant(
        "Token 6: height one too high",
        "come_below",
        "h.below(self.i)",
        "Height { id: self.i, ..h }",
    ),
    mutant(
        "Token 6: height one too low",
        "come_below",
        "h.below(self.i)",
        "h.below(self.i).below(self.i)",
    )
    .survives(CONFIRMED_HEIGHT),
    mutant(
        "Token 7: own h1 kept",
        "come_below",
        "core::mem::replace(&mut self.my_height, h.below(self.i))",
        "{ let mine = Height { level: self.my_height.level, ..h.below(self.i) }; \
            core::mem::replace(&mut self.my_height, mine) }",
    ),
    mutant(
        "Token 6, 7: height kept",
        "come_below",
        "core::mem::replace(&mut self.my_height, h.below(self.i))",
        "self.my_height",
    ),
    mutant("D2 Token: asked upwards", "come_below", "self.asked &= self.next_is_below();", ""),
    mutant(
        "D2 Token: asked reset by any height",
        "come_below",
        "self.asked &= self.next_is_below();",
        "self.asked = false;",
    )
    .open(ASKED_TWICE),
    mutant("D7 Token 5: told kept", "come_below", "link.told = None;", "").survives(MORE_MESSAGES),
    mutant("D7 Token: not kept in mind", "come_below", "link.told.get_or_insert(before);", "")
        .open(TOLD_NOW),
    mutant(
        "D7 Token: the last kept in mind",
        "come_below",
        "link.told.get_or_insert(before);",
        "link.told = Some(before);",
    )
    .open(UP_AT_BOTH_ENDS),
];
