//! The mutants of the cluster algorithm, by the files they are in. Those of the departures begin
//! with their number.

mod clustering;
mod events;
mod head;
mod member;
mod recovery;

use super::Source;

pub(super) const SOURCE: Source = Source {
    name: "cluster",
    parts: &["clustering", "head", "initial", "member", "outside", "recovery"],
    plumbing: PLUMBING,
    mutants: &[
        events::MUTANTS,
        member::MUTANTS,
        head::MUTANTS,
        clustering::MUTANTS,
        recovery::MUTANTS,
    ],
};

const PLUMBING: &[(&str, &str)] = &[
    ("pub mod published;", ""),
    ("pub struct Cluster { i: NodeId,", "pub struct Cluster { mutant: u32, i: NodeId,"),
    // Where nothing goes wrong, nothing is to be mended: `calm` makes that a promise.
    ("pub struct Config {", "pub struct Config { pub mutant: u32, pub calm: bool,"),
    ("Config { again: Ticks(", "Config { mutant: 0, calm: false, again: Ticks("),
    (
        "Input::Timer(Timer::Again) =>",
        "Input::Timer(Timer::Again | Timer::Lost) if self.config.calm => \
            panic!(\"nothing was lost\"), Input::Timer(Timer::Again) =>",
    ),
    (
        "let heads = clusters(graph);",
        "let mutant = config.mutant; let heads = clusters(mutant, graph);",
    ),
    ("Cluster { i, n:", "Cluster { mutant, i, n:"),
    ("fn clusters(graph: &Graph)", "fn clusters(mutant: u32, graph: &Graph)"),
    ("fn next_of(i: NodeId,", "fn next_of(mutant: u32, i: NodeId,"),
    ("next_of(self.i, round, &near)", "next_of(self.mutant, self.i, round, &near)"),
    ("fn called_by(&mut self, head:", "fn called_by(&mut self, mutant: u32, head:"),
    ("|head| round.called_by(head)", "|head| round.called_by(self.mutant, head)"),
    ("round.called_by(head); self.forward", "round.called_by(self.mutant, head); self.forward"),
];

// Why some survive.

const ALONE: &str = "it is for a network of one node, which never misses its token";

const ANYONE: &str = "the token is in one place: who has it and waits may enter, whoever is next";

const ANY_CLUSTERS: &str = "any clusters will do whose members hear their heads";

const ANY_WAY: &str = "messages get to everyone and the token to every head, whatever way \
    they go";

const ASKED_AGAIN: &str = "who has not promised is asked again, and promises when it is out";

const ASKS_AGAIN: &str = "who waits asks again, and NLQ has its turn after that";

const BEGUN: &str = "the epoch has begun without that promise, so nobody waits for it";

const CALLED: &str = "a head that the token has not heard of misses it and makes one, which \
    takes an epoch. No trial has so many changes or losses; driftlock-sim counts epochs in \
    tests/cluster_epochs.rs";

const CALLS: &str = "heads are heard of when they call for the token, too, and any clusters \
    will do";

const DEPOSED: &str = "who is written off though it lives is refused by the fence, and \
    leaves sooner or later";

const EPOCHS_DIFFER: &str = "no two epochs are the same, so fences hold whoever begins \
    them, and the few are promised nothing";

const GONE: &str = "who is gone is served here too, in vain; if it has stopped, the token \
    is lost with it and the next epoch is without it";

const IN_VAIN: &str = "a time-out that finds nothing to do, or comes early, as any may";

const LQ_IS_EMPTY: &str = "LQ is empty while others are served, and forward sees that they are";

const MISSED: &str = "at worst a token is lost or passes a head by: who waits there misses \
    it, is told of later epochs when it asks, and makes one with which it serves its own first";

const MORE_EPOCHS: &str = "an epoch that nobody needs, or one that takes the place of \
    another; time-outs double until there is time for answers";

const MORE_MESSAGES: &str = "a message that tells nothing new, or a round that nobody wants";

const OLD_TOKEN: &str = "it is the only one of its epoch: who has promised refuses it, and \
    who has not is still waited for";

const ONCE_MORE: &str = "who gets the local token and does not wait passes it on";

const ONE_OVER_OUT: &str = "each local token has one over&out, and in its epoch the head \
    serves until that comes";

const OVERWRITTEN: &str = "LQ is overwritten when all were served, and before that only a \
    new epoch reads it, which puts them there anyway";

const REPORTS_ANEW: &str = "a report is dropped with the next Hello, and who comes back \
    reports anew";

const SAME_STEP: &str = "the end of the step sends it on: this line is there to be read";

const TIME: &str = "it is about how long time-outs are, and they may go off at any time";

const TWO_HEADS: &str = "heads that hear each other may stay heads: the token visits one more";

const WHILE_SERVING: &str = "NLQ has requests only while others are served, and that is \
    asked too";

const WOKEN: &str = "the token rests sooner, and who is asked then sends a message after it";

// What is open.

const AT_ONCE: &str = "two heads that give up at the same moment begin anew. It takes two \
    early time-outs each time to go on for ever, and trials have a few";

const CUT: &str = "a local token is sent to who has stopped, again and again. Each time \
    the epoch is one later, and epochs far from that of the stopped node are cut off";

const GIVES_UP: &str = "who has a head that gives up stays with it. No head of a trial \
    that gives up has members who ask";

const KEPT: &str = "who gives up while it serves would keep NLQ in a new epoch and begin \
    epochs for ever. No trial is that long";

const LOW_EPOCH: &str = "a token gets an older epoch than it has: who knows better refuses \
    it, and it is made anew. It takes several that were written off to have two of one epoch";

const REFUSES: &str = "who is inside refuses an old token of the one who begins an epoch, and \
    has heard of that by others. A test has the schedule, which is longer than any trial";

const OTHER_HEAD: &str = "a head that is inside with the token of another cluster may not \
    wait for its own any more. No trial shows it";
