//! `driftlock check --suite`: a fixed list of checks, and what is known of each.

mod rows;

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};
use driftlock_check::{Connectivity, End, Limits, Setup};
use driftlock_lab::table::{Cell, Table};
use driftlock_spec::Rules;
use driftlock_spec::exclusion::Exclusion;
use serde_json::{Value, json};

use self::rows::{DEEP, Row, SUITE};
use super::plan::{Plan, SPREAD, bound, linked};
use super::{Outcome, explore, grouped};
use crate::Verdict;
use crate::lab::registry::{self, Choice};
use crate::terminal::{remark, say, say_line};

/// What the words of the table mean.
const NOTES: &[&str] = &[
    "k: tokens, m: resources; requests: of each node",
    "changes: of links; known: judged on links both ends know; apart: the network may fall apart",
    "stop: a node stops for good; lose: a message gets lost; late: a timer goes off too early",
    "lme, choy-singh, chandy-misra: a link that goes down takes along what is in transit on it",
    "skipping: a step that the published text leaves undefined is skipped",
    "crowded: any number may be inside, or that would be found first",
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
    for note in NOTES {
        table.note(*note);
    }
    table.note(format!(
        "cut: steps to heights more than {SPREAD} apart, or as many as it says; it ended there"
    ));
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
        let Row { tokens, crashes, losses, timeouts, crowded, .. } = *self;
        let choice = Choice { variant: Some(self.variant), tokens, session: None, pace: None };
        let n = self.links.iter().map(|&(a, b)| a.max(b) as usize + 1).max().unwrap_or(1);
        let rules = entry.rules(&choice);
        let all = Exclusion::AtMost(n as u32);
        let exclusion = if crowded { all } else { rules.exclusion };
        let setup = Setup {
            medium: registry::medium(entry, None)?,
            requests: match self.requests {
                [all] => vec![*all; n],
                each => each.to_vec(),
            },
            link_changes: self.link_changes,
            connectivity: self.connectivity,
            resources: self.resources,
            crashes,
            losses,
            timeouts,
            progress_despite_faults: crashes > 0 || losses > 0,
            rules: Rules { exclusion, undefined_stops: !self.skip, ..rules },
            ..Setup::new(linked(n, self.links))
        };
        let setup = Setup { spread: self.spread.or_else(|| bound(&setup)), ..setup };
        Ok(Plan { entry, variant: Some(self.variant.into()), tokens, session: None, setup })
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
        let cut = match self.spread {
            Some(spread) if outcome.cut > 0 => format!("{} at {spread}", grouped(outcome.cut)),
            _ => grouped(outcome.cut),
        };
        [
            Cell::text(self.subject(plan)),
            Cell::text(links.join(" ")),
            Cell::number(requests.join(",")),
            Cell::text(self.changes()),
            number(outcome.explored.states),
            number(outcome.explored.depth.into()),
            Cell::number(cut),
            Cell::text(self.verdict(outcome)),
        ]
    }

    /// The protocol, with what it shares.
    fn subject(&self, plan: &Plan) -> String {
        let Row { tokens, resources, .. } = self;
        let name = self.protocol;
        let mut subject = plan.subject();
        if plan.entry.tokens {
            subject = subject.replacen(name, &format!("{name} k={tokens}"), 1);
        }
        if plan.entry.groups {
            subject = subject.replacen(name, &format!("{name} m={resources}"), 1);
        }
        for (is_so, word) in [(self.skip, ", skipping"), (self.crowded, ", crowded")] {
            subject.push_str(if is_so { word } else { "" });
        }
        subject
    }

    /// How often links change, and what that may do to the network.
    fn changes(&self) -> String {
        let how = match self.connectivity {
            Connectivity::Physical => "",
            Connectivity::Partitions if self.local => "",
            Connectivity::Known => " known",
            Connectivity::Partitions => " apart",
        };
        let mut changes = format!("{}{how}", self.link_changes);
        let faults = [(self.timeouts, " late"), (self.losses, " lose"), (self.crashes, " stop")];
        for (_, word) in faults.iter().filter(|(number, _)| *number > 0) {
            changes.push_str(word);
        }
        changes
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
