//! From the text of a sweep file to what is in it. What is wrong is told with its line.

use driftlock_sim::Scenario;
use serde::Deserialize;
use toml::de::{DeTable, DeValue, ValueDeserializer};
use toml::{Spanned, Table, Value};

use super::fault::Fault;
use super::{Axis, CELLS_MAX, Setting, scenario_of};
use crate::columns::{self, METRICS};
use crate::range::{Range, VALUES_MAX};
use crate::rule::{REPETITIONS_MAX, Rule, Until};

/// What a sweep file has.
pub(super) struct Parts {
    pub(super) base: Table,
    pub(super) axes: Vec<Axis>,
    pub(super) points: Vec<Vec<Setting>>,
    pub(super) rule: Rule,
    pub(super) seed: u64,
}

/// What is wrong, and in which line.
type Wrong = (Option<usize>, String);

/// The parts of a sweep file.
const SECTIONS: [&str; 5] = ["scenario", "grid", "zip", "points", "repetitions"];

/// A text, and where the lines in it are.
struct Text<'t>(&'t str);

impl Text<'_> {
    fn line(&self, start: usize) -> usize {
        self.0.get(..start).map_or(1, |before| before.matches('\n').count() + 1)
    }

    fn wrong<T>(&self, start: usize, what: impl Into<String>) -> Result<T, Wrong> {
        Err((Some(self.line(start)), what.into()))
    }

    /// What is wrong with a value, and the key of that.
    fn of_toml(&self, key: &str, error: &toml::de::Error) -> Wrong {
        let line = error.span().map(|span| self.line(span.start));
        (line, Fault::of(error).below(key).numbered(self.0).told())
    }
}

pub(super) fn parse(text: &str) -> Result<Parts, Wrong> {
    let at = Text(text);
    let document = DeTable::parse(text).map_err(|error| at.of_toml("", &error))?;
    let document = document.get_ref();
    for (key, _) in document {
        if !SECTIONS.contains(&&**key.get_ref()) {
            let what = format!(
                "`{}` is no part of a sweep: there are {} (what is the same in all runs stands \
                 in [scenario])",
                key.get_ref(),
                SECTIONS.join(", ")
            );
            return at.wrong(key.span().start, what);
        }
    }
    let (base, base_seed) = base(&at, document.get("scenario"))?;
    let mut axes = match document.get("grid") {
        Some(grid) => grid_axes(&at, grid)?,
        None => Vec::new(),
    };
    axes.extend(zips(&at, document.get("zip"))?);
    let points = points(&at, document.get("points"))?;
    check_number(&axes, points.len())?;
    check_twice(&axes)?;
    for setting in axes.iter().flat_map(|axis| &axis.steps).flatten() {
        check_alone(&base, setting)?;
    }
    for (k, point) in points.iter().enumerate() {
        let in_entry = |(line, what): Wrong| (line, format!("points[{k}]: {what}"));
        check_point(&base, point).map_err(in_entry)?;
    }
    let (rule, seed) = repetitions(&at, document.get("repetitions"), base_seed)?;
    Ok(Parts { base, axes, points, rule, seed })
}

/// What is the same in all cells, and its seed.
fn base(at: &Text<'_>, value: Option<&Spanned<DeValue<'_>>>) -> Result<(Table, u64), Wrong> {
    let Some(value) = value else { return Ok((Table::new(), Scenario::default().seed)) };
    let Some(_) = value.get_ref().as_table() else {
        return at.wrong(value.span().start, "scenario: expected a table");
    };
    let scenario = Scenario::deserialize(ValueDeserializer::from(value.clone()));
    let scenario = scenario.map_err(|error| at.of_toml("scenario", &error))?;
    let Value::Table(table) = plain(at, "scenario", value)? else { return Ok((Table::new(), 1)) };
    Ok((table, scenario.seed))
}

/// A value without its places.
fn plain(at: &Text<'_>, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Value, Wrong> {
    let plain = Value::deserialize(ValueDeserializer::from(value.clone()));
    plain.map_err(|error| at.of_toml(key, &error))
}

/// The entries of a table in the order of the text, with whole keys: those of tables below it are
/// `table.key`. A table with `from` is a value.
fn entries<'v, 't>(
    prefix: &str,
    table: &'v DeTable<'t>,
    into: &mut Vec<(String, usize, &'v Spanned<DeValue<'t>>)>,
) {
    for (key, value) in table {
        let name = format!("{prefix}{}", key.get_ref());
        match value.get_ref() {
            DeValue::Table(below) if !below.contains_key("from") => {
                entries(&format!("{name}."), below, into);
            }
            _ => into.push((name, key.span().start, value)),
        }
    }
    into.sort_by_key(|(_, start, _)| *start);
}

/// Each key with its values.
fn lists(
    at: &Text<'_>,
    value: &Spanned<DeValue<'_>>,
    section: &str,
) -> Result<Vec<Vec<Setting>>, Wrong> {
    let Some(table) = value.get_ref().as_table() else {
        return at.wrong(value.span().start, format!("{section}: expected a table"));
    };
    let mut found = Vec::new();
    entries("", table, &mut found);
    found.iter().map(|(key, start, value)| list(at, key, *start, value)).collect()
}

/// A key with all its values.
fn list(
    at: &Text<'_>,
    key: &str,
    start: usize,
    value: &Spanned<DeValue<'_>>,
) -> Result<Vec<Setting>, Wrong> {
    if key == "seed" {
        return at.wrong(start, "seed: the seeds of repetitions count up: see [repetitions]");
    }
    let setting =
        |start: usize, value: Value| Setting { key: key.to_owned(), value, line: at.line(start) };
    let values = match value.get_ref() {
        DeValue::Array(values) => {
            let each =
                values.iter().map(|value| Ok(setting(value.span().start, plain(at, key, value)?)));
            each.collect::<Result<Vec<Setting>, Wrong>>()?
        }
        DeValue::Table(_) => {
            let range = Range::deserialize(ValueDeserializer::from(value.clone()));
            let range = range.map_err(|error| at.of_toml(key, &error))?;
            let values =
                range.values().or_else(|what| at.wrong(start, format!("{key}: {what}")))?;
            values.into_iter().map(|value| setting(start, value)).collect()
        }
        _ => {
            let what = "expected a list of values, or { from, to, steps }; what is the same in all \
                        runs stands in [scenario]";
            return at.wrong(start, format!("{key}: {what}"));
        }
    };
    if values.is_empty() {
        return at.wrong(start, format!("{key}: there is no value"));
    }
    if values.len() > VALUES_MAX {
        return at.wrong(start, format!("{key}: more than {VALUES_MAX} values"));
    }
    Ok(values)
}

/// Every key by itself.
fn grid_axes(at: &Text<'_>, value: &Spanned<DeValue<'_>>) -> Result<Vec<Axis>, Wrong> {
    let axis = |values: Vec<Setting>| Axis { steps: values.into_iter().map(|v| vec![v]).collect() };
    Ok(lists(at, value, "grid")?.into_iter().map(axis).collect())
}

/// The tables of `[[name]]`.
fn tables<'v, 't>(
    at: &Text<'_>,
    value: Option<&'v Spanned<DeValue<'t>>>,
    name: &str,
) -> Result<Vec<&'v Spanned<DeValue<'t>>>, Wrong> {
    let Some(value) = value else { return Ok(Vec::new()) };
    match value.get_ref() {
        DeValue::Array(tables) => Ok(tables.iter().collect()),
        _ => at.wrong(value.span().start, format!("{name}: it is a list: write [[{name}]]")),
    }
}

/// Keys whose values go together.
fn zips(at: &Text<'_>, value: Option<&Spanned<DeValue<'_>>>) -> Result<Vec<Axis>, Wrong> {
    let mut axes = Vec::new();
    for table in tables(at, value, "zip")? {
        let lists = lists(at, table, "zip")?;
        let Some(first) = lists.first() else {
            return at.wrong(table.span().start, "zip: there is no key");
        };
        if let Some(other) = lists.iter().find(|list| list.len() != first.len()) {
            let (a, b) = (&first[0], &other[0]);
            let what = format!(
                "{}: {} values, but `{}` has {}: values that go together are as many",
                b.key,
                other.len(),
                a.key,
                first.len()
            );
            return Err((Some(b.line), what));
        }
        let step = |k: usize| lists.iter().map(|list| list[k].clone()).collect();
        axes.push(Axis { steps: (0..first.len()).map(step).collect() });
    }
    Ok(axes)
}

/// Points by hand.
fn points(at: &Text<'_>, value: Option<&Spanned<DeValue<'_>>>) -> Result<Vec<Vec<Setting>>, Wrong> {
    let mut points = Vec::new();
    for table in tables(at, value, "points")? {
        let Some(inner) = table.get_ref().as_table() else {
            return at.wrong(table.span().start, "points: expected a table");
        };
        let mut found = Vec::new();
        entries("", inner, &mut found);
        let setting = |(key, start, value): &(String, usize, &Spanned<DeValue<'_>>)| {
            if key == "seed" {
                let what = "seed: the seeds of repetitions count up: see [repetitions]";
                return at.wrong(*start, what);
            }
            Ok(Setting { key: key.clone(), value: plain(at, key, value)?, line: at.line(*start) })
        };
        points.push(found.iter().map(setting).collect::<Result<_, Wrong>>()?);
    }
    Ok(points)
}

fn check_number(axes: &[Axis], n_points: usize) -> Result<(), Wrong> {
    let mut lengths = axes.iter().map(|axis| axis.steps.len());
    let product = lengths.try_fold(1usize, |n, steps| n.checked_mul(steps));
    match product.and_then(|n| n.checked_add(n_points)) {
        Some(cells) if cells <= CELLS_MAX => Ok(()),
        _ => Err((None, format!("there are more than {CELLS_MAX} combinations"))),
    }
}

/// A key is varied in one place.
fn check_twice(axes: &[Axis]) -> Result<(), Wrong> {
    let mut seen = std::collections::BTreeSet::new();
    for setting in axes.iter().filter_map(|axis| axis.steps.first()).flatten() {
        if !seen.insert(&setting.key) {
            let what = format!("{}: it is varied twice", setting.key);
            return Err((Some(setting.line), what));
        }
    }
    Ok(())
}

/// Whether a scenario can have this value. How values go together is another question.
fn check_alone(base: &Table, setting: &Setting) -> Result<(), Wrong> {
    let tried = scenario_of(base, std::iter::once(setting));
    tried.map(drop).map_err(|fault| (Some(setting.line), fault.told_of(&setting.key)))
}

/// Whether a scenario can have these values, each alone and all together.
fn check_point(base: &Table, point: &[Setting]) -> Result<(), Wrong> {
    point.iter().try_for_each(|setting| check_alone(base, setting))?;
    let line = point.first().map(|setting| setting.line);
    scenario_of(base, point.iter()).map(drop).map_err(|fault| (line, fault.told()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Repetitions {
    count: Option<Spanned<u64>>,
    until: Option<Spanned<UntilKeys>>,
    seed: Option<Spanned<u64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct UntilKeys {
    metric: String,
    half_width: f64,
    #[serde(default = "four")]
    least: u64,
    #[serde(default = "hundred")]
    most: u64,
}

fn four() -> u64 {
    4
}

fn hundred() -> u64 {
    100
}

/// How many repetitions if nothing is said.
const COUNT: u64 = 6;

fn repetitions(
    at: &Text<'_>,
    value: Option<&Spanned<DeValue<'_>>>,
    base_seed: u64,
) -> Result<(Rule, u64), Wrong> {
    let Some(value) = value else { return Ok((Rule::Count(COUNT), base_seed)) };
    let said = Repetitions::deserialize(ValueDeserializer::from(value.clone()));
    let said = said.map_err(|error| at.of_toml("repetitions", &error))?;
    let (seed, seed_at) = match &said.seed {
        Some(seed) => (*seed.get_ref(), seed.span().start),
        None => (base_seed, value.span().start),
    };
    let rule = match (said.count, said.until) {
        (Some(_), Some(until)) => {
            return at.wrong(until.span().start, "until: it does not go with `count`");
        }
        (Some(count), None) if !(1..=REPETITIONS_MAX).contains(count.get_ref()) => {
            let what = format!("count: expected a number from 1 to {REPETITIONS_MAX}");
            return at.wrong(count.span().start, what);
        }
        (Some(count), None) => Rule::Count(*count.get_ref()),
        (None, Some(until)) => {
            let start = until.span().start;
            Rule::Until(check_until(until.into_inner()).or_else(|what| at.wrong(start, what))?)
        }
        (None, None) => Rule::Count(COUNT),
    };
    if seed.checked_add(rule.most()).is_none_or(|last| last > i64::MAX as u64) {
        return at.wrong(seed_at, "seed: the repetitions count up from it, so it is too large");
    }
    Ok((rule, seed))
}

fn check_until(keys: UntilKeys) -> Result<Until, String> {
    let UntilKeys { metric, half_width, least, most } = keys;
    if columns::place(&metric).is_none() {
        let names: Vec<&str> = METRICS.iter().map(|metric| metric.name).collect();
        return Err(format!("metric: there is no `{metric}`: there are {}", names.join(", ")));
    }
    if !(half_width > 0.0 && half_width.is_finite()) {
        return Err(format!("half-width: expected a part of the mean like 0.05, not {half_width}"));
    }
    if least < 2 || most < least || most > REPETITIONS_MAX {
        return Err(format!(
            "least, most: expected 2 <= least <= most <= {REPETITIONS_MAX}, not {least} and {most}"
        ));
    }
    Ok(Until { metric, half_width, least, most })
}
