//! The mutants of what a head does.

use super::{
    ANY_WAY, CALLED, GONE, LOW_EPOCH, LQ_IS_EMPTY, MISSED, MORE_EPOCHS, MORE_MESSAGES, ONCE_MORE,
    ONE_OVER_OUT, OVERWRITTEN, REFUSES, SAME_STEP, TIME, WHILE_SERVING, WOKEN,
};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    // Requests.
    mutant("D5: who is no head takes requests", "on_req", "!self.is_head()", "false"),
    mutant("D5: heads take no requests", "on_req", "!self.is_head()", "true"),
    mutant(
        "D5: who is no head does not say so",
        "on_req",
        "return out.send(j, Msg::Hello(self.head));",
        "return;",
    ),
    mutant(
        "D5: requests from out of range",
        "on_req",
        "j != self.i && !self.peer.contains(j)",
        "false",
    )
    .survives(GONE),
    mutant(
        "D5: heads do not ask themselves",
        "on_req",
        "j != self.i && !self.peer.contains(j)",
        "!self.peer.contains(j)",
    ),
    mutant("Req: forgotten", "on_req", "self.lq.enqueue(j)", "()"),
    mutant("Req: for the round after", "on_req", "self.lq.enqueue(j)", "self.nlq.enqueue(j)"),
    mutant("Req: of who is served", "on_req", "served.contains(j)", "false").survives(ONCE_MORE),
    mutant("Req: forgotten while others are served", "on_req", "served.contains(j)", "true"),
    mutant("Req: while others are served", "on_req", "self.nlq.enqueue(j)", "self.lq.enqueue(j)"),
    mutant("Req: each wakes the token", "on_req", "!others_wait", "true"),
    mutant("Req: none wakes the token", "on_req", "!others_wait", "false"),
    mutant("Req: not watched", "on_req", "self.watch(out);", ""),
    mutant("D7: the token is not woken", "on_req", "self.wake(self.i, self.n, out);", ""),
    mutant("D7: Wake goes one hop", "on_req", "self.n", "1"),
    // Wake.
    mutant("D7: Wake is no use", "on_wake", "round.called_by(self.mutant, head);", ""),
    mutant("D7: the token goes on resting", "on_wake", "self.forward(out);", "")
        .survives(SAME_STEP),
    mutant("D7: Wake does not go on", "on_wake", "self.wake(head, hops, out)", "()"),
    mutant("D7: Wake from where the token is", "wake", "self.global.is_some()", "false")
        .survives(MORE_MESSAGES),
    mutant("D7: Wake goes on for ever", "wake", "hops - 1", "hops"),
    mutant("D7: Wake is not sent", "wake", "out.send(to, Msg::Wake(head, hops - 1))", "()"),
    mutant("D4: Wake is forgotten", "wake", "self.call(head)", "()").survives(CALLED),
    mutant("D4: calls itself", "call", "head != self.i", "true").survives(MORE_MESSAGES),
    mutant("D4: who calls is forgotten", "call", "self.calls.insert(place, head);", "")
        .survives(CALLED),
    mutant("D4: calls are not heard", "take_global", "round.called_by(self.mutant, head)", "()")
        .survives(CALLED),
    mutant(
        "D4: calls are heard again",
        "take_global",
        "mem::take(&mut self.calls)",
        "self.calls.clone()",
    ),
    mutant("D4: who calls is not visited again", "called_by", "self.used = true;", ""),
    mutant("D4: who calls is not new", "called_by", "|| Color::W", "|| Color::R").survives(CALLED),
    mutant("D4: who calls was a head", "called_by", "*color == Color::G", "false").survives(CALLED),
    mutant("D4: who calls was visited", "called_by", "*color == Color::G", "true")
        .survives(MORE_MESSAGES),
    // Who is out of range.
    mutant("D5: who is gone is served", "forget", "self.lq.delete(j);", "").survives(GONE),
    mutant("D5: who is gone is served later", "forget", "self.nlq.delete(j);", "").survives(GONE),
    mutant("D5: who is gone is watched for", "forget", "self.watch(out);", "")
        .survives(MORE_EPOCHS),
    // The global token.
    mutant("D6: an old global token is taken", "on_global", "epoch < self.promised", "false"),
    mutant(
        "D6: no global token is taken",
        "on_global",
        "epoch < self.promised",
        "epoch <= self.promised",
    ),
    mutant(
        "D6: an old global token is not answered",
        "on_global",
        "return self.answer(j, out);",
        "return;",
    )
    .survives(MISSED),
    mutant(
        "D6: who is inside promises by refusing",
        "on_global",
        "return self.answer(j, out);",
        "return out.send(j, Msg::Promise(self.promised, false));",
    )
    .open(REFUSES),
    mutant("D6: a new global token is no news", "on_global", "self.learn(epoch, out);", "")
        .open(LOW_EPOCH),
    mutant("Global: time-outs stay long", "on_global", "self.missed = 0;", "").survives(TIME),
    mutant(
        "Global: was never here",
        "on_global",
        "round.color.insert(self.i, Color::R)",
        "round.color.get(self.i).copied()",
    ),
    mutant("Global: lost", "on_global", "self.take_global(round);", "let _ = round;"),
    mutant(
        "D5: who is no head takes the global token for itself",
        "on_global",
        "out.send(j, Msg::Hello(self.head));",
        "",
    )
    .survives(CALLED),
    mutant(
        "D5: who is no head says so to all",
        "on_global",
        "!self.is_head() && self.peer.contains(j)",
        "!self.is_head()",
    )
    .survives(MORE_MESSAGES),
    mutant(
        "D5: heads say that they are",
        "on_global",
        "!self.is_head() && self.peer.contains(j)",
        "self.peer.contains(j)",
    )
    .survives(MORE_MESSAGES),
    mutant("Global: served twice in a round", "on_global", "if visited { self.forward(out); }", "")
        .survives(MISSED),
    mutant("Global: time-outs go on", "on_global", "self.watch(out);", "").survives(TIME),
    // Those who were served.
    mutant("Over: of any epoch", "on_over", "epoch == self.promised", "true").survives(ONCE_MORE),
    mutant("Over: still served", "on_over", "served.delete(j);", ""),
    mutant("Over: time-outs stay long", "on_over", "self.missed = 0;", "").survives(TIME),
    mutant("Over: time-outs go on", "on_over", "self.watch(out);", "").survives(TIME),
    mutant(
        "OverOut: of any epoch",
        "on_over_out",
        "self.serving.is_some() && epoch == self.promised",
        "self.serving.is_some()",
    ),
    mutant(
        "OverOut: while nobody is served",
        "on_over_out",
        "self.serving.is_some() && epoch == self.promised",
        "epoch == self.promised",
    )
    .survives(ONE_OVER_OUT),
    mutant("OverOut: goes on serving", "on_over_out", "self.serving = None;", ""),
    mutant("D1: NLQ stays", "on_over_out", "self.lq = mem::take(&mut self.nlq);", ""),
    mutant("OverOut: the token stays", "on_over_out", "self.forward(out);", "").survives(MISSED),
    mutant("OverOut: time-outs stay long", "on_over_out", "self.missed = 0;", "").survives(TIME),
    mutant("OverOut: time-outs go on", "on_over_out", "self.watch(out);", ""),
    // To use it or to send it on.
    mutant("use: while others are served", "use_global", "self.serving.is_none()", "true")
        .survives(LQ_IS_EMPTY),
    mutant("use: not sent on", "use_global", "self.forward(out)", "()"),
    mutant("use: is none", "use_global", "round.used = true;", "").survives(WOKEN),
    mutant("use: requests stay", "use_global", "mem::take(&mut self.lq)", "self.lq.clone()")
        .survives(OVERWRITTEN),
    mutant("use: nobody is served", "use_global", "self.serving = Some(queue.clone());", ""),
    mutant("use: not for this epoch", "use_global", "self.promised", "Epoch::default()"),
    mutant(
        "use: the local token is lost",
        "use_global",
        "self.tell(first, Msg::Local(token), out);",
        "",
    ),
    mutant("forward: while others are served", "forward", "self.serving.is_none()", "true"),
    mutant("D5: who is no head goes on", "forward", "self.is_head()", "true").survives(MISSED),
    mutant(
        "D4: who is no head does not say so",
        "forward",
        "round.color.insert(self.i, Color::G);",
        "",
    )
    .survives(MORE_MESSAGES),
    mutant("forward: stays here too", "forward", "self.global.take()?", "self.global.clone()?"),
    mutant("D7: those who wait do not count", "forward", "round.used |= is_asked;", "")
        .survives(MISSED),
    mutant(
        "D7: where it went is forgotten",
        "forward",
        "self.toward = Some(to).filter(|_| !is_head || !round.used);",
        "",
    ),
    mutant("D4: who is no head counts on it", "forward", "!is_head || !round.used", "!round.used")
        .survives(CALLED),
    mutant(
        "D7: where it went though it comes back",
        "forward",
        "!is_head || !round.used",
        "{ let _ = is_head; true }",
    )
    .survives(MORE_MESSAGES),
    mutant("forward: of no epoch", "forward", "self.promised", "Epoch::default()"),
    mutant(
        "forward: lost",
        "forward",
        "out.send(to, Msg::Global(Global { epoch: self.promised, round }));",
        "",
    ),
    // Time-outs.
    mutant(
        "watch: while it begins an epoch",
        "watch",
        "self.is_asked() && self.inquiry.is_none()",
        "self.is_asked()",
    )
    .survives(MORE_EPOCHS),
    mutant(
        "watch: always",
        "watch",
        "self.is_asked() && self.inquiry.is_none()",
        "self.inquiry.is_none()",
    ),
    mutant(
        "watch: never",
        "watch",
        "out.set_timer(Timer::Lost, self.config.lost(self.missed));",
        "",
    ),
    mutant("watch: never over", "watch", "out.cancel_timer(Timer::Lost);", ""),
    mutant("watch: not for LQ", "is_asked", "!self.lq.is_empty()", "false"),
    mutant("watch: not for NLQ", "is_asked", "!self.nlq.is_empty()", "false")
        .survives(WHILE_SERVING),
    mutant("watch: not while it serves", "is_asked", "self.serving.is_some()", "false"),
    mutant("watch: time-outs stay short", "lost", "missed.min(16)", "0_u8").survives(TIME),
    // Rounds.
    mutant(
        "hold: was not here",
        "hold",
        "PeerMap::from_iter([(self.i, Color::R)])",
        "PeerMap::default()",
    )
    .survives(ANY_WAY),
    mutant(
        "hold: used before",
        "hold",
        "Round { color, used: false }",
        "Round { color, used: true }",
    )
    .survives(MORE_MESSAGES),
    mutant(
        "D4: neighbors are not named",
        "next_of",
        "color.get_or_insert_with(j, || Color::W);",
        "",
    ),
    mutant(
        "D7: never rests",
        "next_of",
        "unvisited(color).is_empty() && mem::take(used)",
        "unvisited(color).is_empty()",
    ),
    mutant(
        "D7: rounds without end",
        "next_of",
        "unvisited(color).is_empty() && mem::take(used)",
        "unvisited(color).is_empty() && *used",
    ),
    mutant(
        "rounds end early",
        "next_of",
        "unvisited(color).is_empty() && mem::take(used)",
        "mem::take(used)",
    )
    .survives(MISSED),
    mutant(
        "D4: who is no head any more stays",
        "next_of",
        "**color != Color::G",
        "{ let _ = color; true }",
    )
    .survives(MORE_MESSAGES),
    mutant(
        "D4: a round begins with the heads nearby",
        "next_of",
        "heads.chain(near.iter().copied()).map(|j| (j, Color::W)).collect()",
        "{ drop(heads); near.iter().copied().map(|j| (j, Color::W)).collect() }",
    )
    .survives(MISSED),
    mutant(
        "D4: a round begins without new heads",
        "next_of",
        "heads.chain(near.iter().copied())",
        "heads.chain(near[..0].iter().copied())",
    )
    .survives(MISSED),
    mutant("a round is over at once", "next_of", "(j, Color::W)", "(j, Color::R)"),
    mutant(
        "D3: any unvisited head",
        "next_of",
        "unvisited.iter().find(|j| near.contains(j)).or(unvisited.first()).copied()",
        "unvisited.first().copied()",
    )
    .survives(ANY_WAY),
    mutant(
        "D3: near heads alone",
        "next_of",
        "unvisited.iter().find(|j| near.contains(j)).or(unvisited.first()).copied()",
        "unvisited.iter().find(|j| near.contains(j)).copied()",
    ),
];
