//! The mutants of Raymond's algorithm.

use super::{Mutant, Source, mutant};

pub(super) const SOURCE: Source =
    Source { name: "raymond", parts: &[], plumbing: PLUMBING, mutants: &[MUTANTS] };

const PLUMBING: &[(&str, &str)] = &[
    ("pub struct Raymond { i: NodeId,", "pub struct Raymond { mutant: u32, i: NodeId,"),
    ("type Config = ();", "type Config = u32;"),
    ("_: &()) -> Vec<Self> {", "config: &u32) -> Vec<Self> { let mutant = *config;"),
    ("| Raymond { i,", "| Raymond { mutant, i,"),
];

const LAST: &str = "{ let last = self.request_q.iter().last();
    last.inspect(|&last| self.request_q.delete(last)) }";

const MUTANTS: &[Mutant] = &[
    // The events.
    mutant("request: does not wait", "on_request_cs", "self.status = Status::Waiting;", ""),
    mutant("request: not on REQUEST_Q", "on_request_cs", "self.request_q.enqueue(self.i);", ""),
    mutant("release: stays inside", "on_release_cs", "self.status = Status::Remainder;", ""),
    mutant("REQUEST is ignored", "step", "self.request_q.enqueue(j)", ""),
    mutant("PRIVILEGE is ignored", "step", "self.holder = self.i", ""),
    mutant("no ASSIGN_PRIVILEGE", "step", "self.assign_privilege(out);", ""),
    mutant("no MAKE_REQUEST", "step", "self.make_request(out);", ""),
    mutant(
        "MAKE_REQUEST before ASSIGN_PRIVILEGE",
        "step",
        "self.assign_privilege(out); self.make_request(out);",
        "self.make_request(out); self.assign_privilege(out);",
    ),
    // ASSIGN_PRIVILEGE.
    mutant(
        "ASSIGN_PRIVILEGE: entry without privilege",
        "assign_privilege",
        "self.holder != self.i || self.status == Status::Critical",
        "self.status == Status::Critical",
    ),
    mutant(
        "ASSIGN_PRIVILEGE: given away while in use",
        "assign_privilege",
        "self.holder != self.i || self.status == Status::Critical",
        "self.holder != self.i",
    ),
    mutant("REQUEST_Q is a stack", "assign_privilege", "self.request_q.dequeue()", LAST),
    mutant(
        "ASSIGN_PRIVILEGE: the head stays on REQUEST_Q",
        "assign_privilege",
        "self.request_q.dequeue()",
        "self.request_q.iter().next()",
    ),
    mutant("ASSIGN_PRIVILEGE: HOLDER stays", "assign_privilege", "self.holder = head;", ""),
    mutant("ASKED is never reset", "assign_privilege", "self.asked = false;", ""),
    mutant(
        "ASSIGN_PRIVILEGE: USING is not set",
        "assign_privilege",
        "self.status = Status::Critical;",
        "",
    ),
    mutant("ASSIGN_PRIVILEGE: no entry", "assign_privilege", "out.enter_cs();", ""),
    mutant(
        "ASSIGN_PRIVILEGE: PRIVILEGE is not sent",
        "assign_privilege",
        "out.send(head, Msg::Privilege);",
        "",
    ),
    mutant(
        "ASSIGN_PRIVILEGE: PRIVILEGE goes to node 0",
        "assign_privilege",
        "out.send(head, Msg::Privilege);",
        "out.send(NodeId(0), Msg::Privilege);",
    ),
    // MAKE_REQUEST.
    mutant("MAKE_REQUEST: the holder asks", "make_request", "self.holder != self.i", "true"),
    mutant("MAKE_REQUEST: for nobody", "make_request", "!self.request_q.is_empty()", "true"),
    mutant("ASKED is ignored", "make_request", "!self.asked", "true"),
    mutant("ASKED is never set", "make_request", "self.asked = true;", ""),
    mutant(
        "MAKE_REQUEST: REQUEST is not sent",
        "make_request",
        "out.send(self.holder, Msg::Request);",
        "",
    ),
    mutant(
        "MAKE_REQUEST: REQUEST goes to node 0",
        "make_request",
        "out.send(self.holder, Msg::Request);",
        "out.send(NodeId(0), Msg::Request);",
    ),
    // The start.
    mutant("start: everyone has the privilege", "initial", "parent.unwrap_or(i)", "i"),
];
