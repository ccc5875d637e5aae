//! The mutants of Raymond's algorithm for several at once.

use super::{Mutant, Source, mutant};

pub(super) const SOURCE: Source =
    Source { name: "raymond_k", parts: &[], plumbing: PLUMBING, mutants: &[MUTANTS] };

const PLUMBING: &[(&str, &str)] = &[
    ("pub struct RaymondK { i: NodeId,", "pub struct RaymondK { mutant: u32, i: NodeId,"),
    ("pub struct Config {", "pub struct Config { pub mutant: u32,"),
    ("Config { tokens: 1 }", "Config { mutant: 0, tokens: 1 }"),
    ("| RaymondK { i,", "| RaymondK { mutant: config.mutant, i,"),
];

const MORE_CAREFUL: &str = "it waits for more replies than it has to, and all come in the end: \
    that several can be inside is allowed, not promised";

const STILL_SILENT: &str = "a reply that is not counted makes a node silent for ever, which was \
    silent when this one last entered: no more than k - 1 ever are, and these are not waited for";

const MUTANTS: &[Mutant] = &[
    // The events.
    mutant("request: does not wait", "on_request_cs", "self.status = Status::Waiting;", ""),
    mutant("request: time does not go on", "on_request_cs", "self.highest += 1;", ""),
    mutant(
        "request: since when is forgotten",
        "on_request_cs",
        "self.waiting_since = Some(self.highest);",
        "",
    ),
    mutant("request: no reply is missed", "on_request_cs", "peer.missing += 1;", ""),
    mutant(
        "request: one reply is missed",
        "on_request_cs",
        "peer.missing += 1;",
        "peer.missing = 1;",
    ),
    mutant("request: not sent", "on_request_cs", "out.send(j, Msg::Request(self.highest));", ""),
    mutant(
        "request: an older time sent",
        "on_request_cs",
        "Msg::Request(self.highest)",
        "Msg::Request(self.highest - 1)",
    ),
    mutant("request: no entry at once", "on_request_cs", "self.enter_if_allowed(out);", "")
        .survives(MORE_CAREFUL),
    mutant("release: stays inside", "on_release_cs", "self.status = Status::Remainder;", ""),
    mutant(
        "release: no replies",
        "on_release_cs",
        "out.send(j, Msg::Reply(core::mem::take(&mut peer.deferred)));",
        "",
    ),
    mutant(
        "release: replies again and again",
        "on_release_cs",
        "core::mem::take(&mut peer.deferred)",
        "peer.deferred",
    ),
    mutant(
        "release: one reply for all",
        "on_release_cs",
        "core::mem::take(&mut peer.deferred)",
        "{ peer.deferred = 0; 1 }",
    )
    .survives(STILL_SILENT),
    mutant("release: replies to everyone", "on_release_cs", "peer.deferred > 0", "true")
        .survives("a reply to no request tells nothing"),
    mutant(
        "REQUEST: its time is not seen",
        "on_request",
        "self.highest = self.highest.max(since);",
        "",
    ),
    mutant("REQUEST: the last time seen", "on_request", "self.highest.max(since)", "since"),
    mutant("REQUEST: never deferred", "on_request", "self.goes_before(j, since)", "false"),
    mutant("REQUEST: always deferred", "on_request", "self.goes_before(j, since)", "true"),
    mutant("REQUEST: deferred for ever", "on_request", "self.peer[j].deferred += 1;", ""),
    mutant(
        "REQUEST: one deferred",
        "on_request",
        "self.peer[j].deferred += 1;",
        "self.peer[j].deferred = 1;",
    )
    .survives(STILL_SILENT),
    mutant("REQUEST: no reply", "on_request", "out.send(j, Msg::Reply(1));", ""),
    mutant(
        "REPLY: one counted",
        "on_reply",
        "peer.missing.checked_sub(count)",
        "peer.missing.checked_sub(1)",
    )
    .survives(STILL_SILENT),
    mutant("REPLY: for all", "on_reply", "peer.missing.checked_sub(count)", "Some(0)"),
    mutant(
        "REPLY: not counted",
        "on_reply",
        "peer.missing.checked_sub(count)",
        "Some(peer.missing)",
    ),
    mutant("REPLY: no entry", "on_reply", "self.enter_if_allowed(out);", ""),
    // The procedure and the expressions.
    mutant(
        "entry: without a request",
        "enter_if_allowed",
        "self.status == Status::Waiting && self.silent() < self.k",
        "self.silent() < self.k",
    ),
    mutant(
        "entry: one too many",
        "enter_if_allowed",
        "self.silent() < self.k",
        "self.silent() <= self.k",
    ),
    mutant(
        "entry: one too few",
        "enter_if_allowed",
        "self.silent() < self.k",
        "self.silent() + 1 < self.k",
    ),
    mutant(
        "entry: when all have replied",
        "enter_if_allowed",
        "self.silent() < self.k",
        "self.silent() == 0",
    )
    .survives(MORE_CAREFUL),
    mutant("entry: not inside", "enter_if_allowed", "self.status = Status::Critical;", ""),
    mutant("entry: still waits", "enter_if_allowed", "self.waiting_since = None;", ""),
    mutant("entry: no entry", "enter_if_allowed", "out.enter_cs();", ""),
    mutant("one missing reply is none", "silent", "peer.missing > 0", "peer.missing > 1"),
    mutant("missing replies, not nodes", "silent", "u32::from(peer.missing > 0)", "peer.missing")
        .survives(MORE_CAREFUL),
    mutant(
        "goes before: ties to nobody",
        "goes_before",
        "(mine, self.i) < (since, j)",
        "mine < since",
    ),
    mutant(
        "goes before: ties to both",
        "goes_before",
        "(mine, self.i) < (since, j)",
        "mine <= since",
    ),
    mutant(
        "goes before: the later one",
        "goes_before",
        "(mine, self.i) < (since, j)",
        "(mine, self.i) > (since, j)",
    ),
    mutant(
        "goes before: though inside, not",
        "goes_before",
        "self.status == Status::Critical || asked_before",
        "asked_before",
    ),
    mutant(
        "goes before: only inside",
        "goes_before",
        "self.status == Status::Critical || asked_before",
        "self.status == Status::Critical",
    ),
];
