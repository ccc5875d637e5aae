//! `driftlock check --suite`: a fixed list of checks, and what is known of each.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};
use driftlock_check::{Connectivity, End, Limits, Setup};
use driftlock_lab::table::{Cell, Table};
use driftlock_sim::Session;
use driftlock_spec::{Promise, Rules};
use serde_json::{Value, json};

use super::plan::{Plan, SPREAD, bound, linked};
use super::{Outcome, explore, grouped};
use crate::Verdict;
use crate::registry::{self, Choice};
use crate::terminal::{remark, say, say_line};

/// One check, and what it is known to find.
#[derive(Clone, Copy)]
struct Row {
    protocol: &'static str,
    variant: &'static str,
    links: &'static [(u32, u32)],
    /// How often each node asks; one number for all of them if it is the same.
    requests: &'static [u8],
    link_changes: u8,
    connectivity: Connectivity,
    /// How many tokens and resources there are, and how long sessions are.
    tokens: u32,
    resources: u8,
    session: Option<Session>,
    /// Whether undefined steps are skipped.
    skip: bool,
    /// The promise that is known to be broken.
    broken: Option<Promise>,
}

const PAIR: &[(u32, u32)] = &[(0, 1)];
const VEE: &[(u32, u32)] = &[(0, 1), (0, 2)];
const LINE: &[(u32, u32)] = &[(0, 1), (1, 2)];
const TRIANGLE: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 2)];
const LINE_4: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3)];
const STAR_4: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3)];
const FAR_STAR_4: &[(u32, u32)] = &[(0, 1), (1, 2), (1, 3)];
const RING_4: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (0, 3)];
const KITE: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (1, 3)];
const DIAMOND: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (0, 3), (1, 3)];
const CLIQUE_4: &[(u32, u32)] = &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
const LINE_5: &[(u32, u32)] = &[(0, 1), (1, 2), (2, 3), (3, 4)];
const TREE_5: &[(u32, u32)] = &[(0, 1), (0, 2), (2, 3), (2, 4)];
const TREE_6: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 3), (2, 4), (2, 5)];

/// The repaired RL, connected by all links that are up.
const fn rl(links: &'static [(u32, u32)], requests: &'static [u8], link_changes: u8) -> Row {
    Row {
        protocol: "rl",
        variant: "repaired",
        links,
        requests,
        link_changes,
        connectivity: Connectivity::Physical,
        tokens: 1,
        resources: 1,
        session: None,
        skip: false,
        broken: None,
    }
}

/// The same, connected by the links both ends know of.
const fn known(row: Row) -> Row {
    Row { connectivity: Connectivity::Known, ..row }
}

/// The published text, which breaks a promise.
const fn published(row: Row, skip: bool, broken: Option<Promise>) -> Row {
    Row { variant: "published", skip, broken, ..row }
}

const fn raymond(links: &'static [(u32, u32)], requests: &'static [u8]) -> Row {
    Row { protocol: "raymond", variant: "published", ..rl(links, requests, 0) }
}

/// The list that takes a minute or two.
const SUITE: &[Row] = &[
    rl(PAIR, &[3], 0),
    rl(VEE, &[1], 3),
    rl(LINE, &[1], 3),
    rl(TRIANGLE, &[1], 3),
    rl(TRIANGLE, &[2], 2),
    known(rl(VEE, &[1], 3)),
    known(rl(LINE, &[1], 3)),
    known(rl(TRIANGLE, &[1], 4)),
    rl(LINE_4, &[1], 1),
    rl(STAR_4, &[1], 1),
    rl(FAR_STAR_4, &[1], 1),
    rl(RING_4, &[1], 1),
    rl(KITE, &[1], 1),
    rl(DIAMOND, &[1], 1),
    rl(CLIQUE_4, &[1], 1),
    rl(CLIQUE_4, &[1, 1, 0, 1], 2),
    published(rl(VEE, &[1], 2), false, Some(Promise::DefinedStep)),
    published(rl(TRIANGLE, &[1], 3), false, Some(Promise::DefinedStep)),
    published(rl(VEE, &[1], 2), true, Some(Promise::NoStarvation)),
    published(rl(TRIANGLE, &[1], 3), true, Some(Promise::NoStarvation)),
    published(known(rl(LINE, &[1], 3)), false, None),
    published(known(rl(TRIANGLE, &[1], 4)), false, None),
    published(rl(RING_4, &[1], 1), false, None),
    published(rl(CLIQUE_4, &[1], 1), false, Some(Promise::Silence)),
    raymond(TRIANGLE, &[3]),
    raymond(FAR_STAR_4, &[2]),
    raymond(LINE_5, &[1]),
    raymond(TREE_5, &[2]),
];

/// What comes on top of it when there is time.
const DEEP: &[Row] = &[
    rl(LINE, &[3], 2),
    rl(TRIANGLE, &[3], 2),
    rl(LINE, &[1], 4),
    rl(TRIANGLE, &[1], 4),
    rl(LINE, &[2], 3),
    rl(TRIANGLE, &[2], 3),
    rl(LINE_4, &[1], 2),
    rl(STAR_4, &[1], 2),
    rl(FAR_STAR_4, &[1], 2),
    rl(RING_4, &[1], 2),
    known(rl(RING_4, &[1], 2)),
    known(rl(DIAMOND, &[1], 2)),
    rl(RING_4, &[2], 0),
    rl(LINE_5, &[1], 0),
    rl(TREE_5, &[1], 1),
    rl(CLIQUE_4, &[1], 2),
    published(known(rl(RING_4, &[1], 2)), false, None),
    raymond(TREE_6, &[2]),
    raymond(TREE_5, &[3]),
];

pub(super) fn run(deep: bool, json: bool, limits: &Limits, stop: &AtomicBool) -> Result<Verdict> {
    let rows: Vec<Row> = SUITE.iter().chain(DEEP.iter().filter(|_| deep)).copied().collect();
    let mut table = Table::new(
        "What was explored, and what was found",
        ["protocol", "links", "requests", "changes", "states", "depth", "cut", "verdict"],
    );
    let (mut results, mut done, mut otherwise) = (Vec::new(), 0, 0);
    for row in &rows {
        let plan = row.plan()?;
        let outcome = explore(&plan, limits, stop)?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        if !json {
            remark(&format!("{}, {}: {}", plan.subject(), plan.network(), row.verdict(&outcome)));
        }
        done += 1;
        otherwise += usize::from(!row.is_as_known(&outcome));
        results.push(row.describe(&plan, &outcome));
        table.row(row.cells(&plan, &outcome));
    }
    table.note("requests: of each node; changes: of links, known: judged on links both ends know");
    table.note("skipping: a step that the published text leaves undefined is skipped");
    table.note(format!("cut: steps to heights more than {SPREAD} apart, where it was not gone on"));
    if json {
        say_line(&serde_json::to_string_pretty(&json!({ "checks": results }))?)?;
    } else {
        say(&table.plain_text())?;
        let as_known = done - otherwise;
        say_line(&format!("{as_known} of {done} checks came out as they are known to"))?;
    }
    if done < rows.len() {
        bail!("interrupted: {done} of {} checks are finished", rows.len());
    }
    Ok(if otherwise == 0 { Verdict::Held } else { Verdict::Violated })
}

impl Row {
    fn plan(&self) -> Result<Plan> {
        let entry = registry::find(self.protocol)?;
        let Row { tokens, session, .. } = *self;
        let choice = Choice { variant: Some(self.variant), tokens, session };
        let n = self.links.iter().map(|&(a, b)| a.max(b) as usize + 1).max().unwrap_or(1);
        let setup = Setup::new(linked(n, self.links));
        let setup = Setup {
            requests: match self.requests {
                [all] => vec![*all; n],
                each => each.to_vec(),
            },
            link_changes: self.link_changes,
            connectivity: self.connectivity,
            resources: self.resources,
            rules: Rules { undefined_stops: !self.skip, ..entry.rules(&choice) },
            ..setup
        };
        let setup = Setup { spread: bound(&setup), ..setup };
        Ok(Plan { entry, variant: Some(self.variant.into()), tokens, session, setup })
    }

    fn is_as_known(&self, outcome: &Outcome) -> bool {
        let found = outcome.story.as_ref().map(|story| story.violation.promise);
        match self.broken {
            None => outcome.end == End::Complete,
            broken => found == broken,
        }
    }

    fn verdict(&self, outcome: &Outcome) -> String {
        let verdict = match (&outcome.story, outcome.end) {
            (None, End::Complete) => "held".into(),
            (None, _) => "not explored to the end".into(),
            (Some(story), _) => {
                let promise = story.violation.promise;
                match story.cycle {
                    None => format!("broken in {}: {promise}", story.actions),
                    Some(first) => {
                        format!("broken in {first} + {} for ever: {promise}", story.actions - first)
                    }
                }
            }
        };
        if self.is_as_known(outcome) { verdict } else { format!("{verdict} (NOT AS KNOWN)") }
    }

    fn cells(&self, plan: &Plan, outcome: &Outcome) -> [Cell; 8] {
        let number = |number: u64| Cell::number(grouped(number));
        let links: Vec<String> = self.links.iter().map(|(a, b)| format!("{a}-{b}")).collect();
        let requests: Vec<String> = self.requests.iter().map(u8::to_string).collect();
        let skip = if self.skip { ", skipping" } else { "" };
        let known = if self.connectivity == Connectivity::Known { " known" } else { "" };
        [
            Cell::text(format!("{}{skip}", plan.subject())),
            Cell::text(links.join(" ")),
            Cell::number(requests.join(",")),
            Cell::text(format!("{}{known}", self.link_changes)),
            number(outcome.explored.states),
            number(outcome.explored.depth.into()),
            number(outcome.cut),
            Cell::text(self.verdict(outcome)),
        ]
    }

    fn describe(&self, plan: &Plan, outcome: &Outcome) -> Value {
        json!({
            "protocol": self.protocol,
            "variant": self.variant,
            "network": plan.network(),
            "environment": plan.environment(),
            "states": outcome.explored.states,
            "edges": outcome.explored.edges,
            "depth": outcome.explored.depth,
            "cut": outcome.cut,
            "complete": outcome.end == End::Complete,
            "violation": outcome.story.as_ref().map(|story| story.violation.promise.name()),
            "as_known": self.is_as_known(outcome),
        })
    }
}
