//! The procedures, the expressions and the start.

use super::{
    ACKNOWLEDGED, ANY_RAISE, AS_RL, ASKED_THEN, ASKED_TWICE, CONFIRMED, HEARD_OF, JOINED_FIRST,
    MORE_MESSAGES, NEXT_NOT_READ, OUT_OF_REACH, SEARCHES, SECOND_TOKEN, SINK, TAKEN_FOR_HIGHER,
    TOLD_NOW, UP_AT_BOTH_ENDS,
};
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
        "D1 ForwardRequest: upwards",
        "forward_request",
        "variant == Variant::Published || height < self.my_height",
        "true",
    ),
    mutant("D1 ForwardRequest: next kept", "forward_request", "self.next = None", "")
        .survives(NEXT_NOT_READ),
    mutant(
        "D1 ForwardRequest: counts as asked",
        "forward_request",
        "self.next = None",
        "self.asked = true",
    ),
    mutant("D2 ForwardRequest: asked not set", "send_request", "self.asked = true;", ""),
    mutant("D4 ForwardRequest: knows of no raise", "send_request", "link.raises", "0"),
    mutant("D7 ForwardRequest: told kept", "send_request", "link.told = None;", "")
        .survives(MORE_MESSAGES),
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
    mutant("GiveToken 2: negated", "give_token_to_next", "next != self.i", "next == self.i"),
    mutant("GiveToken 2: always enters", "give_token_to_next", "next != self.i", "false"),
    mutant(
        "GiveToken 9: never asks back",
        "give_token_to_next",
        "self.num_tokens == 0 && self.must_ask(!self.q.is_empty())",
        "false",
    )
    .survives(ASKED_THEN),
    mutant(
        "D3 GiveToken 9: a holder asks back",
        "give_token_to_next",
        "self.num_tokens == 0 && self.must_ask(!self.q.is_empty())",
        "self.must_ask(true)",
    )
    .survives(SECOND_TOKEN),
    mutant(
        "D2 GiveToken 9: asks though asked",
        "give_token_to_next",
        "self.num_tokens == 0 && self.must_ask(!self.q.is_empty())",
        "self.num_tokens == 0 && !self.q.is_empty()",
    )
    .open(ASKED_TWICE),
    mutant(
        "GiveToken 9: asks back for nobody",
        "give_token_to_next",
        "self.num_tokens == 0 && self.must_ask(!self.q.is_empty())",
        "self.num_tokens == 0",
    ),
    mutant("GiveToken 10: not sent", "give_token_to_next", "self.send_request(next, out);", "")
        .survives(ASKED_THEN),
    mutant("GiveToken 11: next not set", "give_token_to_next", "self.point_to(self.i);", "")
        .survives(NEXT_NOT_READ),
    mutant("GiveToken 12: not inside", "give_token_to_next", "self.status = Status::Critical;", ""),
    mutant("GiveToken 13: no entry", "give_token_to_next", "out.enter_cs();", ""),
    mutant("GiveToken 3: token kept", "pass_token", "self.num_tokens -= 1;", ""),
    mutant("D6 GiveToken: still lowered", "pass_token", "self.lowered = false;", "")
        .survives(OUT_OF_REACH),
    mutant("GiveToken 5: next not set", "pass_token", "self.point_to(next);", ""),
    mutant(
        "D3 GiveToken 5: next of a holder",
        "pass_token",
        "published || self.num_tokens == 0",
        "true",
    )
    .survives(SECOND_TOKEN),
    mutant("GiveToken 6: height not stored", "pass_token", "link.set_height(below);", "")
        .survives(TAKEN_FOR_HIGHER),
    mutant(
        "GiveToken 6: height one too high",
        "pass_token",
        "self.my_height.below(next)",
        "Height { id: next, ..self.my_height }",
    )
    .survives(TAKEN_FOR_HIGHER),
    mutant(
        "D8 GiveToken 6: put higher",
        "pass_token",
        "published || link.height(next) > below",
        "true",
    )
    .survives(TAKEN_FOR_HIGHER),
    mutant("D5 GiveToken 7: not counted", "pass_token", "link.tokens_sent + 1", "1"),
    mutant("GiveToken 7: receivedLI not reset", "pass_token", "link.tokens_sent + 1", "0")
        .with(&[("hear", "link.tokens_sent -= u32::from(ack);", "")])
        .open(CONFIRMED),
    mutant("D7 GiveToken: told kept", "pass_token", "link.told = None;", "")
        .survives(MORE_MESSAGES),
    mutant(
        "GiveToken 8: not sent",
        "pass_token",
        "out.send(next, Msg::Token(self.my_height, load));",
        "",
    ),
    mutant(
        "GiveToken 8: sent to the highest neighbor",
        "pass_token",
        "out.send(next, Msg::Token(self.my_height, load));",
        "let highest = self.n().max_by_key(|(_, height)| *height); \
            out.send(highest.map_or(next, |(highest, _)| highest), \
            Msg::Token(self.my_height, load));",
    ),
    mutant(
        "GiveToken 8: a wrong height sent",
        "pass_token",
        "Msg::Token(self.my_height, load)",
        "Msg::Token(self.my_height.below(self.i), load)",
    )
    .open(CONFIRMED),
    // Procedure RaiseHeight.
    mutant("RaiseHeight 1: not above the lowest", "raise_height", "1 + lowest_h1", "lowest_h1"),
    mutant("RaiseHeight 1: two above the lowest", "raise_height", "1 + lowest_h1", "2 + lowest_h1")
        .survives(ANY_RAISE),
    mutant(
        "RaiseHeight 1: above the highest",
        "raise_height",
        "self.n().map(|(_, height)| height.level.h1).min()",
        "self.n().map(|(_, height)| height.level.h1).max()",
    )
    .survives(ANY_RAISE),
    mutant(
        "RaiseHeight 1: own h1 raised",
        "raise_height",
        "1 + lowest_h1",
        "1 + self.my_height.level.h1",
    ),
    mutant("RaiseHeight 2, 3: h2 kept", "raise_height", "self.my_height.h2 = lowest_h2 - 1;", "")
        .survives(ANY_RAISE),
    mutant("RaiseHeight 3: h2 one too high", "raise_height", "lowest_h2 - 1", "lowest_h2")
        .survives(ANY_RAISE),
    mutant("RaiseHeight 3: h2 two too high", "raise_height", "lowest_h2 - 1", "lowest_h2 + 1")
        .survives(ANY_RAISE),
    mutant("RaiseHeight 4, 5, 6: nobody told", "raise_height", "self.tell_all(out);", ""),
    mutant("RaiseHeight 7: not sent", "raise_height", "self.forward_request(out);", ""),
    mutant(
        "D2 RaiseHeight 7: always sent",
        "raise_height",
        "self.must_ask(!self.q.is_empty())",
        "true",
    )
    .open(ASKED_TWICE),
    mutant("D2 RaiseHeight: asked not reset", "raise_height", "self.asked = false;", "")
        .survives(SINK),
    mutant(
        "D4 RaiseHeight: not counted",
        "raise_height",
        "self.raises = self.raises.wrapping_add(1);",
        "",
    )
    .open(AS_RL),
    mutant(
        "D10 RaiseHeight: as the paper",
        "raise_height",
        "self.my_height = self.searching_height(lost);",
        "self.my_height.level.h1 = 1 + lowest_h1;",
    ),
    mutant(
        "RaiseHeight 4: not told",
        "tell_all",
        "out.send(k, Msg::LinkInfo(self.my_height, words.to(k)));",
        "",
    ),
    mutant(
        "RaiseHeight 4: only those above told",
        "tell_all",
        "out.send(k, Msg::LinkInfo(self.my_height, words.to(k)));",
        "if self.my_height < link.height(k) { out.send(k, Msg::LinkInfo(self.my_height, \
            words.to(k))); }",
    ),
    mutant(
        "RaiseHeight 4: only those below told",
        "tell_all",
        "out.send(k, Msg::LinkInfo(self.my_height, words.to(k)));",
        "if self.my_height > link.height(k) { out.send(k, Msg::LinkInfo(self.my_height, \
            words.to(k))); }",
    ),
    mutant(
        "RaiseHeight 5: those above deleted",
        "tell_all",
        "self.my_height > link.height(k)",
        "self.my_height < link.height(k)",
    ),
    mutant("RaiseHeight 6: stay on Q", "tell_all", "self.q.delete(k);", "").open(ASKED_TWICE),
    mutant("D7 RaiseHeight: told kept", "tell_all", "link.told = None;", "")
        .survives(MORE_MESSAGES),
    // Procedure LowerHeight.
    mutant("D6 LowerHeight: not kept in mind", "lower_height", "self.lowered = true;", ""),
    mutant("LowerHeight 1: not below the highest", "lower_height", "highest_h1 - 1", "highest_h1")
        .survives(OUT_OF_REACH),
    mutant("LowerHeight 1: two below", "lower_height", "highest_h1 - 1", "highest_h1 - 2")
        .survives(OUT_OF_REACH),
    mutant(
        "LowerHeight 1: below the lowest",
        "lower_height",
        "self.n().map(|(_, height)| height.level.h1).max()",
        "self.n().map(|(_, height)| height.level.h1).min()",
    )
    .survives(OUT_OF_REACH),
    mutant(
        "LowerHeight 1: h1 kept",
        "lower_height",
        "self.my_height.level = Level::plain(h1);",
        "",
    )
    .survives(OUT_OF_REACH),
    mutant("LowerHeight 2, 3: h2 kept", "lower_height", "self.my_height.h2 = highest_h2 + 1;", "")
        .survives(OUT_OF_REACH),
    mutant("LowerHeight 3: h2 one too low", "lower_height", "highest_h2 + 1", "highest_h2")
        .survives(OUT_OF_REACH),
    mutant("LowerHeight 3: h2 two too low", "lower_height", "highest_h2 + 1", "highest_h2 - 1")
        .survives(OUT_OF_REACH),
    mutant(
        "LowerHeight 4: not told",
        "lower_height",
        "out.send(k, Msg::LinkInfo(self.my_height, words.to(k)));",
        "",
    )
    .survives(OUT_OF_REACH),
    mutant(
        "LowerHeight 4: those below told",
        "lower_height",
        "link.height(k) > self.my_height",
        "link.height(k) < self.my_height",
    )
    .survives(OUT_OF_REACH),
    mutant(
        "LowerHeight 4: everyone told",
        "lower_height",
        "link.height(k) > self.my_height",
        "true",
    )
    .survives(MORE_MESSAGES),
    mutant(
        "D2 LowerHeight: asked upwards",
        "lower_height",
        "self.asked &= self.next_is_below();",
        "",
    ),
    mutant("D7 LowerHeight: told kept", "lower_height", "link.told = None;", "")
        .survives(MORE_MESSAGES),
    mutant(
        "D7 LowerHeight: not kept in mind",
        "lower_height",
        "link.told.get_or_insert(before);",
        "",
    )
    .open(UP_AT_BOTH_ENDS),
    mutant(
        "D7 LowerHeight: the last kept in mind",
        "lower_height",
        "link.told.get_or_insert(before);",
        "link.told = Some(before);",
    )
    .open(UP_AT_BOTH_ENDS),
    // The expressions.
    mutant(
        "sink: negated",
        "is_lowest",
        "self.my_height > height || height.level.missing",
        "self.my_height < height || height.level.missing",
    ),
    mutant(
        "D10 sink: next to one who misses it",
        "is_lowest",
        "self.my_height > height || height.level.missing",
        "self.my_height > height",
    ),
    mutant(
        "D10 sink: who misses the token",
        "is_lowest",
        "!self.my_height.level.missing && (!empty || self.variant == Variant::Published)",
        "!empty",
    )
    .survives(JOINED_FIRST),
    mutant(
        "D1: a node without neighbors is a sink",
        "is_lowest",
        "!empty || self.variant == Variant::Published",
        "true",
    ),
    mutant(
        "highest: negated",
        "is_highest",
        "self.my_height < link.height(k)",
        "self.my_height > link.height(k)",
    ),
    mutant(
        "D6: who has no token is lowered",
        "is_highest",
        "known && useful && self.is_holder()",
        "known && useful",
    )
    .survives(ACKNOWLEDGED),
    mutant(
        "D1: who has no neighbor is lowered",
        "is_highest",
        "known && useful && self.is_holder()",
        "useful && self.is_holder()",
    ),
    mutant(
        "D6: lowered whatever it is for",
        "is_highest",
        "known && useful && self.is_holder()",
        "known && self.is_holder()",
    ),
    mutant("D6: lowered again and again", "is_highest", "!self.lowered", "true"),
    mutant("D6: not lowered for what has happened", "is_highest", "!self.lowered", "false")
        .survives(OUT_OF_REACH),
    mutant(
        "D6: holders alone are lowered",
        "is_highest",
        "useful |= !link.holds;",
        "useful = true;",
    ),
    mutant(
        "D6: only the last one counts",
        "is_highest",
        "useful |= !link.holds;",
        "useful = !link.holds;",
    )
    .survives(OUT_OF_REACH),
    mutant("D6: not lowered for who has none", "is_highest", "useful |= !link.holds;", "")
        .survives(OUT_OF_REACH),
    mutant(
        "D2: asks when the paper does",
        "must_ask",
        "!self.q.is_empty() && !self.asked && !self.my_height.level.missing",
        "published && !self.my_height.level.missing",
    ),
    mutant(
        "D2: asked ignored",
        "must_ask",
        "!self.q.is_empty() && !self.asked && !self.my_height.level.missing",
        "!self.q.is_empty() && !self.my_height.level.missing",
    ),
    mutant(
        "D2: asks for nobody",
        "must_ask",
        "!self.q.is_empty() && !self.asked && !self.my_height.level.missing",
        "!self.asked && !self.my_height.level.missing",
    ),
    mutant(
        "D10: asks though there is no token",
        "must_ask",
        "!self.q.is_empty() && !self.asked && !self.my_height.level.missing",
        "!self.q.is_empty() && !self.asked",
    )
    .open(SEARCHES),
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
    mutant(
        "D2: next though asked elsewhere",
        "point_to",
        "self.variant == Variant::Published || !self.asked",
        "true",
    ),
    mutant(
        "D7: nothing is ever kept in mind",
        "keeps_what_is_told",
        "self.total_tokens > 1 || self.detects",
        "false",
    )
    .open(TOLD_NOW),
    mutant(
        "D7: with one token too",
        "keeps_what_is_told",
        "self.total_tokens > 1 || self.detects",
        "true",
    )
    .survives(MORE_MESSAGES),
    mutant(
        "D7: with one token not kept in mind",
        "keeps_what_is_told",
        "self.total_tokens > 1 || self.detects",
        "self.total_tokens > 1",
    )
    .open(TOLD_NOW),
    mutant(
        "D4: the number of raises is not said",
        "saying",
        "(self.raises, self.load.reach)",
        "(0, self.load.reach)",
    ),
    mutant("D6: nobody says to hold", "saying", "self.is_holder()", "false"),
    mutant("D6: everyone says to hold", "saying", "self.is_holder()", "true")
        .survives(OUT_OF_REACH),
    mutant("D2: nobody is counted on", "saying", "self.next.filter(|_| self.asked)", "None"),
    mutant("D2: next is counted on", "saying", "self.next.filter(|_| self.asked)", "self.next")
        .open(ASKED_TWICE),
    mutant("D2: next is always below", "next_is_below", "height < self.my_height", "true"),
    mutant("D2: next is never below", "next_is_below", "height < self.my_height", "false")
        .open(ASKED_TWICE),
    // The start.
    mutant(
        "start: next is nobody",
        "new(i: NodeId, neighbors",
        "if config.is_holder(i) { Some(i) } else { lowest }",
        "None",
    )
    .survives(NEXT_NOT_READ),
    mutant(
        "start: heights upside down",
        "new(i: NodeId, neighbors",
        "height(i)",
        "Height::new(0, -height(i).h2, i)",
    ),
    mutant(
        "D6 start: holders not known",
        "new(i: NodeId, neighbors",
        "config.is_holder(j)",
        "false",
    )
    .survives(OUT_OF_REACH),
    mutant(
        "D10 start: the clock stands at nothing",
        "new(i: NodeId, neighbors",
        "heights.iter().map(|height| height.level.h1).max().unwrap_or(0)",
        "-2",
    ),
    mutant(
        "start: a holder out of reach",
        "initial_heights",
        "let_requests_reach(graph, config, heights.collect())",
        "heights.collect()",
    )
    .survives(OUT_OF_REACH),
];
