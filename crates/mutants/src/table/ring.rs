//! The mutants of the ring that is found on the way.

use super::{Mutant, Source, mutant};

pub(super) const SOURCE: Source = Source {
    name: "ring",
    parts: &["outside", "token"],
    plumbing: PLUMBING,
    mutants: &[EVENTS, PROCEDURES],
};

const PLUMBING: &[(&str, &str)] = &[
    ("pub struct Ring { i: NodeId,", "pub struct Ring { mutant: u32, i: NodeId,"),
    ("type Config = ();", "type Config = u32;"),
    ("(): &()) -> Vec<Self> {", "config: &u32) -> Vec<Self> { let mutant = *config;"),
    ("| Ring { i,", "| Ring { mutant, i,"),
];

// Why some survive.

const A_ROUND_TOO_MANY: &str = "a request of a round that has begun is taken for one of the next: \
    a round is begun that nobody wants, and ends; that costs messages and no promise";

const ANY_WAY: &str = "the token goes to all who have not had it, in whatever order: that the \
    nearest is next is about hops, and tests of the protocol see to it";

const ANY_COORDINATOR: &str = "who coordinates does not matter, as long as all are told";

const EVENTS: &[Mutant] = &[
    mutant("request: does not wait", "on_request_cs", "self.status = Status::Waiting;", ""),
    mutant(
        "request: a token that rests is not used",
        "on_request_cs",
        "self.token.take()",
        "None::<Token>",
    ),
    mutant("request: not sent", "on_request_cs", "self.coord != self.i", "false"),
    mutant(
        "request: for the round before",
        "on_request_cs",
        "Msg::Req(self.cround)",
        "Msg::Req(self.cround - 1)",
    ),
    mutant(
        "request: for the round after",
        "on_request_cs",
        "Msg::Req(self.cround)",
        "Msg::Req(self.cround + 1)",
    )
    .survives(A_ROUND_TOO_MANY),
    mutant("release: stays inside", "on_release_cs", "self.status = Status::Remainder;", ""),
    mutant(
        "release: the token stays here too",
        "on_release_cs",
        "self.token.take()",
        "self.token.clone()",
    ),
    mutant("release: the token is lost", "on_release_cs", "self.move_on(token, out);", ""),
    mutant(
        "release: the token stays here",
        "on_release_cs",
        "self.move_on(token, out);",
        "self.token = Some(token);",
    ),
    mutant("REQ: of any round", "on_req", "round < self.cround", "false")
        .survives(A_ROUND_TOO_MANY),
    mutant("REQ: of no round", "on_req", "round < self.cround", "true"),
    mutant(
        "REQ: of the round to come is ignored",
        "on_req",
        "round < self.cround",
        "round <= self.cround",
    ),
    mutant("REQ: forgotten", "on_req", "self.pending = true;", ""),
    mutant(
        "REQ: the token is given away while in use",
        "on_req",
        "self.token.take_if(|token| token.rests())",
        "self.token.take_if(|token| token.nearest(self.i, self.n).is_some())",
    ),
    mutant(
        "REQ: the token goes on resting",
        "on_req",
        "self.token.take_if(|token| token.rests())",
        "None::<Token>",
    ),
    mutant(
        "TOKEN: rounds have no end",
        "on_token",
        "token.visited.len() as u32 == self.n",
        "false",
    )
    .survives("the next coordinator has its turn once more in the old round, and ends it"),
    mutant(
        "TOKEN: rounds end one node early",
        "on_token",
        "token.visited.len() as u32 == self.n",
        "token.visited.len() as u32 + 1 == self.n",
    ),
    mutant("TOKEN: lost when all have had it", "on_token", "self.rest(token, out);", ""),
    mutant("TOKEN: neighbors are not told", "on_token", "&self.neighbors", "&[]").survives(ANY_WAY),
    mutant("TOKEN: lost on its way", "on_token", "self.serve(token, out);", ""),
    mutant("a new link is not seen", "on_link_up", "self.neighbors.insert(place, j);", "")
        .survives(ANY_WAY),
    mutant(
        "a link that goes down is not seen",
        "step",
        "self.neighbors.retain(|&neighbor| neighbor != j)",
        "{ let _ = j; }",
    )
    .survives(ANY_WAY),
];

const PROCEDURES: &[Mutant] = &[
    mutant("start: requests are not done with", "start", "self.pending = false;", ""),
    mutant("start: neighbors are not told", "start", "&self.neighbors", "&[]").survives(ANY_WAY),
    mutant(
        "start: the coordinator stays",
        "start",
        "token.next = token.nearest(self.i, self.n).unwrap_or(self.i);",
        "",
    )
    .survives(ANY_COORDINATOR),
    mutant("start: the token is lost", "start", "self.serve(token, out);", ""),
    mutant("serve: the next coordinator is not seen", "serve", "self.coord = token.next;", ""),
    mutant("serve: the next round is not seen", "serve", "self.cround = token.round + 1;", "")
        .survives(A_ROUND_TOO_MANY),
    mutant("serve: this round is the next", "serve", "token.round + 1", "token.round")
        .survives(A_ROUND_TOO_MANY),
    mutant("serve: who does not wait", "serve", "self.status == Status::Waiting", "true"),
    mutant("serve: nobody", "serve", "self.status == Status::Waiting", "false"),
    mutant("serve: not inside", "serve", "self.status = Status::Critical;", ""),
    mutant("serve: the token is not kept", "serve", "self.token = Some(token);", ""),
    mutant("serve: no entry", "serve", "out.enter_cs();", ""),
    mutant("serve: the token is not passed on", "serve", "self.move_on(token, out);", ""),
    mutant(
        "move: all is over at once",
        "move_on",
        "token.nearest(self.i, self.n)",
        "None::<NodeId>",
    ),
    mutant(
        "move: to the smallest identifier",
        "move_on",
        "token.nearest(self.i, self.n)",
        "(0..self.n).map(NodeId).find(|&j| !token.has_visited(j))",
    )
    .survives(ANY_WAY),
    mutant("move: rests with the last", "move_on", "token.next == self.i", "true"),
    mutant("rest: it is the same round", "rest", "token.round + 1", "token.round")
        .survives(A_ROUND_TOO_MANY),
    mutant("rest: all have had it", "rest", "Vec::new()", "token.visited"),
    mutant(
        "rest: though somebody has asked",
        "rest",
        "self.pending || self.status == Status::Waiting",
        "self.status == Status::Waiting",
    ),
    mutant(
        "rest: though the coordinator waits",
        "rest",
        "self.pending || self.status == Status::Waiting",
        "self.pending",
    ),
    mutant("rest: never", "rest", "self.pending || self.status == Status::Waiting", "true"),
    mutant("rest: the token is lost", "rest", "self.token = Some(token);", ""),
    mutant("start: everyone has a token", "initial", "i == coord", "coord <= i"),
    mutant("start: nobody has a token", "initial", "i == coord", "i < coord"),
];
