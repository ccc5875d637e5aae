//! The mutants of Chandy and Misra's philosophers.

use super::{Mutant, Source, mutant};

pub(super) const SOURCE: Source =
    Source { name: "chandy_misra", parts: &[], plumbing: PLUMBING, mutants: &[MUTANTS] };

const PLUMBING: &[(&str, &str)] = &[
    ("pub struct ChandyMisra {", "pub struct ChandyMisra { mutant: u32,"),
    ("type Config = ();", "type Config = u32;"),
    ("(): &()) -> Vec<Self> {", "config: &u32) -> Vec<Self> { let mutant = *config;"),
    (
        "ChandyMisra { status: Status::Remainder,",
        "ChandyMisra { mutant, status: Status::Remainder,",
    ),
];

const START: &str = "Link { fork: i < j, dirty: i < j, reqf: j < i }";

// Why some survive.

const CLEAN_THERE: &str = "who gave a fork away has not kept it dirty";

const GIVEN_BEFORE: &str = "a dirty fork that is asked for is never kept by who does not eat: it \
    is given away when the request arrives, or on leaving";

const MUTANTS: &[Mutant] = &[
    // The events.
    mutant("request: does not wait", "on_request_cs", "self.status = Status::Waiting;", ""),
    mutant("release: stays inside", "on_release_cs", "self.status = Status::Remainder;", ""),
    mutant("R3: the request token is lost", "on_req", "self.link[j].reqf = true;", ""),
    mutant("R4: the fork is lost", "on_fork", "(true, false)", "(false, false)"),
    mutant("R4: the fork is dirty", "on_fork", "(true, false)", "(true, true)"),
    mutant(
        "R4: the fork may be dirty",
        "on_fork",
        "(link.fork, link.dirty) = (true, false);",
        "link.fork = true;",
    )
    .survives(CLEAN_THERE),
    mutant("nothing is carried out", "step", "self.proceed(out);", ""),
    // What the rules allow.
    mutant(
        "forks are given away while eating",
        "proceed",
        "self.status == Status::Critical",
        "false",
    ),
    mutant(
        "a hungry node gives nothing away",
        "proceed",
        "self.release_forks(out);",
        "if self.status == Status::Remainder { self.release_forks(out); }",
    ),
    mutant(
        "a thinking node gives nothing away",
        "proceed",
        "self.release_forks(out);",
        "if self.status == Status::Waiting { self.release_forks(out); }",
    ),
    mutant(
        "who has all forks eats first",
        "proceed",
        "self.release_forks(out);",
        "if self.status == Status::Remainder || !self.link.iter().all(|(_, link)| link.fork) { \
            self.release_forks(out); }",
    )
    .survives(GIVEN_BEFORE),
    mutant("who does not ask eats", "proceed", "self.status == Status::Remainder", "false"),
    mutant(
        "who lacks forks eats",
        "proceed",
        "self.link.iter().all(|(_, link)| link.fork)",
        "true",
    ),
    mutant(
        "one fork is enough",
        "proceed",
        "self.link.iter().all(|(_, link)| link.fork)",
        "self.link.iter().any(|(_, link)| link.fork)",
    ),
    mutant(
        "clean forks alone count",
        "proceed",
        "self.link.iter().all(|(_, link)| link.fork)",
        "self.link.iter().all(|(_, link)| link.fork && !link.dirty)",
    ),
    mutant("nobody eats", "proceed", "self.link.iter().all(|(_, link)| link.fork)", "false"),
    mutant("eating: not shown", "proceed", "self.status = Status::Critical;", ""),
    mutant("eating: not entered", "proceed", "out.enter_cs();", ""),
    mutant(
        "eating: forks stay clean",
        "proceed",
        "self.link.iter_mut().for_each(|(_, link)| link.dirty = true);",
        "",
    ),
    mutant(
        "eating: the forks that are asked for get dirty",
        "proceed",
        "link.dirty = true",
        "link.dirty |= link.reqf",
    ),
    mutant("R1: nobody asks", "proceed", "self.request_forks(out);", ""),
    // R2.
    mutant(
        "R2: clean forks too",
        "release_forks",
        "link.dirty && link.reqf",
        "link.fork && link.reqf",
    ),
    mutant("R2: not asked for", "release_forks", "link.dirty && link.reqf", "link.dirty"),
    mutant(
        "R2: only what nobody asked for",
        "release_forks",
        "link.dirty && link.reqf",
        "link.dirty && !link.reqf",
    ),
    mutant(
        "R2: the fork stays",
        "release_forks",
        "(link.fork, link.dirty) = (false, false);",
        "link.dirty = false;",
    ),
    mutant(
        "R2: it stays dirty",
        "release_forks",
        "(link.fork, link.dirty) = (false, false);",
        "link.fork = false;",
    ),
    mutant("R2: not sent", "release_forks", "out.send(j, Msg::Fork);", ""),
    // R1.
    mutant("R1: what is here too", "request_forks", "!link.fork && link.reqf", "link.reqf"),
    mutant(
        "R1: without the request token",
        "request_forks",
        "!link.fork && link.reqf",
        "!link.fork",
    ),
    mutant("R1: the request token stays", "request_forks", "link.reqf = false;", ""),
    mutant("R1: not sent", "request_forks", "out.send(j, Msg::Req);", ""),
    // The start.
    mutant(
        "start: forks are clean",
        "initial",
        START,
        "Link { fork: i < j, dirty: false, reqf: j < i }",
    ),
    mutant(
        "start: forks are dirty where they are not",
        "initial",
        START,
        "Link { fork: i < j, dirty: j < i, reqf: j < i }",
    ),
    mutant(
        "start: no request token",
        "initial",
        START,
        "Link { fork: i < j, dirty: i < j, reqf: false }",
    ),
    mutant(
        "start: a request token at both ends",
        "initial",
        START,
        "Link { fork: i < j, dirty: i < j, reqf: true }",
    ),
    mutant(
        "start: the request token is with the fork",
        "initial",
        START,
        "Link { fork: i < j, dirty: i < j, reqf: i < j }",
    ),
];
