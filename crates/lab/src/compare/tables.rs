//! One table of everything.

use std::collections::BTreeMap;

use driftlock_sim::Scenario;

use super::quantity::Quantity;
use super::{Contest, Measured, Row};
use crate::stats::Estimate;
use crate::table::{Cell, Table};

/// Columns that stand together under one label.
const GROUPS: [(&str, &[Quantity]); 5] = [
    ("waiting time", &[Quantity::WaitingMean, Quantity::WaitingP95, Quantity::WaitingMax]),
    ("messages per entry", &[Quantity::Messages]),
    ("bytes per entry", &[Quantity::Bytes]),
    ("", &[Quantity::Hops, Quantity::Fairness]),
    ("recovery", &[Quantity::NextEntry, Quantity::Backlog]),
];

/// The table, a row for each protocol in each case.
pub(super) fn table(contest: &Contest, rows: &[Row]) -> Table {
    let groups = &GROUPS[..if contest.has_trouble() { 5 } else { 4 }];
    let first = &contest.entrants[contest.reference()].name;
    let mut headers = vec!["world".to_owned(), contest.key.clone(), "protocol".to_owned()];
    headers.extend(contest.is_traced().then(|| "entries".to_owned()));
    let mut spans = vec![("", headers.len())];
    for (label, quantities) in groups {
        let before = headers.len();
        for quantity in *quantities {
            headers.push(quantity.header().into());
            if quantity.has_difference() {
                headers.push(format!("vs {first}"));
            }
        }
        spans.push((label, headers.len() - before));
    }
    let shown: Vec<Quantity> = groups.iter().flat_map(|(_, all)| *all).copied().collect();
    let columns = headers.len();
    let mut table = Table::new("Side by side", headers);
    table.groups(spans);
    let mut last = "";
    for (k, row) in rows.iter().enumerate() {
        let of = &contest.cases[k / contest.entrants.len()];
        let troubled = |quantity: &&Quantity| of.has_trouble() || !quantity.is_of_trouble();
        let told = shown.iter().filter(troubled).copied().collect::<Vec<Quantity>>();
        let mut cells = cells(row, &told, row.world != last, contest.is_traced());
        cells.resize_with(columns, Cell::empty);
        table.row(cells);
        last = &row.world;
    }
    for note in notes(contest, rows) {
        table.note(note);
    }
    table
}

/// A world is named where it begins.
fn cells(row: &Row, shown: &[Quantity], begins: bool, traced: bool) -> Vec<Cell> {
    let world = if begins { &*row.world } else { "" };
    let mut cells = vec![Cell::text(world), Cell::text(&row.value), Cell::text(&row.protocol)];
    cells.extend(traced.then(|| Cell::number(row.entries)));
    for quantity in shown {
        let Measured { value, difference, runs } = row.quantities[quantity.key()];
        cells.push(match value {
            _ if row.refused.is_some() && *quantity == Quantity::WaitingMean => {
                Cell::number("refused")
            }
            _ if quantity.is_of_trouble() && runs < row.runs => {
                Cell::number(format_args!("in {runs} of {}", row.runs))
            }
            Some(value) => Cell::from(value),
            None => Cell::empty(),
        });
        if quantity.has_difference() {
            let sign = |mean: f64| if mean > 0.0 { "+" } else { "" };
            cells.push(difference.map_or(Cell::empty(), |difference| {
                Cell::number(format_args!("{}{difference}", sign(difference.mean)))
            }));
        }
    }
    cells
}

fn notes(contest: &Contest, rows: &[Row]) -> Vec<String> {
    let first = &contest.entrants[contest.reference()].name;
    let mut notes: Vec<String> =
        contest.warnings.iter().map(|warning| format!("WARNING: {warning}")).collect();
    notes.extend(held_up(rows));
    notes.extend([
        "± 95 % confidence; times in time units".into(),
        format!(
            "vs {first}: the mean of the differences between runs of one seed, which have the same \
             network, the same changes of it and the same times to think"
        ),
        "messages and bytes count once on every link; bytes are those of the messages (postcard), \
         without what carries them"
            .into(),
    ]);
    if contest.is_traced() {
        notes.push(
            "entries: of all runs until the trace is over; who still waits then is not among them, \
             and nor is its wait"
                .into(),
        );
    }
    if contest.has_trouble() {
        notes.push(
            "recovery: from the last scripted crash, loss or link change until the next entry, and \
             until all got in who waited at that moment and have not stopped; a loss counts from \
             when the message was sent, a crash from when the node stopped"
                .into(),
        );
    }
    notes.extend(routing(contest));
    notes.extend(apart(contest));
    notes.extend(promises(contest));
    notes.extend(refusals(rows));
    for row in rows.iter().filter(|row| row.broken > 0) {
        notes.push(format!(
            "{} at {} {} in {}: a promise was broken in {} of {} runs, which are left out",
            row.protocol,
            contest.key,
            row.value,
            row.world,
            row.broken,
            row.broken + row.runs,
        ));
    }
    notes
}

/// For how long links of a trace were held up, in each world that is held together.
fn held_up(rows: &[Row]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for (row, share) in rows.iter().filter_map(|row| Some((row, row.held_up?))) {
        let percent = Estimate::of(&[100.0 * share]).map_or(String::new(), |p| p.to_string());
        told.push(format!(
            "{}: links were held up for {percent} % of the time of all links",
            row.world
        ));
    }
    told.sort();
    told.dedup();
    told
}

/// Who has its messages carried for nothing, where others do it themselves.
fn routing(contest: &Contest) -> Option<String> {
    let goes = |who: usize, routed: bool| {
        let mut taken = contest.scenarios.iter().filter_map(|case| case[who].as_ref().ok());
        taken.any(|scenario| scenario.medium().routes() == routed)
    };
    let all = 0..contest.entrants.len();
    if !all.clone().any(|who| goes(who, false)) {
        return None;
    }
    let routed = all.filter(|&who| goes(who, true));
    let names: Vec<&str> = routed.map(|who| &*contest.entrants[who].name).collect();
    let told = "messages are routed along shortest paths, and finding these costs nothing";
    (!names.is_empty()).then(|| format!("{}: {told}", names.join(", ")))
}

/// Who is in a network that may fall apart because nodes stop, where for others it may not.
fn apart(contest: &Contest) -> Option<String> {
    let cases = || contest.cases.iter().zip(&contest.scenarios);
    let is_apart = |&who: &usize| {
        cases().any(|(case, scenarios)| {
            let falls_apart = scenarios[who].as_ref().is_ok_and(Scenario::may_fall_apart);
            falls_apart && !case.scenario.may_fall_apart() && case.has_trouble()
        })
    };
    let all = (0..contest.entrants.len()).filter(is_apart);
    let names: Vec<&str> = all.map(|who| &*contest.entrants[who].name).collect();
    let told = "where nodes stop, the network may fall apart for these, and not everyone in it is \
                owed an entry";
    (!names.is_empty()).then(|| format!("{}: {told}", names.join(", ")))
}

/// Who promises what, where that is not the same.
fn promises(contest: &Contest) -> Vec<String> {
    let mut by_promise: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for who in &contest.entrants {
        by_promise.entry(&who.promise).or_default().push(&who.name);
    }
    if by_promise.len() < 2 {
        return Vec::new();
    }
    let told = by_promise.iter().map(|(promise, names)| format!("{}: {promise}", names.join(", ")));
    let told: Vec<String> = told.collect();
    let what = "NOT THE SAME PROMISE, so no difference is given between them";
    vec![format!("{what}: {}", told.join("; "))]
}

/// Why protocols were not run, each reason once with where it holds.
fn refusals(rows: &[Row]) -> Vec<String> {
    let mut places: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    for row in rows {
        let Some(why) = &row.refused else { continue };
        let known = places.iter_mut().find(|(who, what, _)| (*who, *what) == (&row.protocol, why));
        match known {
            Some((.., worlds)) if worlds.last() == Some(&&*row.world) => {}
            Some((.., worlds)) => worlds.push(&row.world),
            None => places.push((&row.protocol, why, vec![&row.world])),
        }
    }
    let told = |(who, why, worlds): (&str, &str, Vec<&str>)| {
        format!("refused: {who} in {}: {why}", worlds.join("; "))
    };
    places.into_iter().map(told).collect()
}
