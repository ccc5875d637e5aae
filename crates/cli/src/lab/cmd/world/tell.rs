//! What a trace holds, for people and for machines.

use std::fmt::Write;

use driftlock_lab::stats::Estimate;
use driftlock_lab::table::{Cell, Table};
use driftlock_traces::{Inspection, Slice, Span};
use serde_json::{Value, json};

use super::hint::Camps;
use super::{Inspected, figure};

/// A number with four digits.
pub(super) fn short(number: f64) -> String {
    Estimate::of(&[number]).map_or_else(|| number.to_string(), |estimate| estimate.to_string())
}

/// The ends of a time, in seconds.
fn ends(span: Span) -> (f64, f64) {
    (span.start as f64 / 1e6, span.end as f64 / 1e6)
}

impl Inspected<'_> {
    pub(super) fn plain_text(&self) -> String {
        let table = self.table().plain_text();
        let figure = figure(&self.course, self.found.span);
        format!("{table}\n{figure}{}", Camps::new().plain_text(&self.found))
    }

    fn table(&self) -> Table {
        let found = &self.found;
        let title = format!("{}: {}", self.args.file.display(), found.format);
        let mut table = Table::new(title, ["", "value", "unit"]);
        let mut row = |name: &str, value: String, unit: &str| {
            table.row([Cell::text(name), Cell::number(value), Cell::text(unit)]);
        };
        row("nodes", found.n_nodes.to_string(), "");
        row("  there", short(found.present), "on average over time");
        let (start, end) = ends(found.span);
        row("time", found.span.seconds().to_string(), &format!("s, from {start} to {end}"));
        let is_movement = self.radio.is_some();
        let records = if is_movement { "waypoints" } else { "contacts" };
        row(records, found.n_records.to_string(), "");
        if let Some(area) = found.area {
            row("area", size(area), "m");
        }
        row("link changes", short(found.changes_per_second), "per second");
        let initial = format!("{} of them at the start", found.n_initial);
        row("  links that come up", found.n_up.to_string(), &initial);
        row("  links that go down", found.n_down.to_string(), "");
        let all = found.n_nodes * found.n_nodes.saturating_sub(1) / 2;
        row(
            "  pairs that are linked",
            found.n_pairs.to_string(),
            &format!("at some time, of {all}"),
        );
        row("a link lasts", short(found.link_seconds), "s on average");
        row("degree", short(found.degree), "links of a node, on average over time");
        row("partitions", short(found.partitions), "on average over time");
        row("  at most", found.most_partitions.to_string(), "");
        row("in one piece", short(100.0 * found.share_connected), "% of the time");
        let majority = short(100.0 * found.share_majority);
        row("  more than half", majority, "% of the time, of all nodes");
        table.note(self.links());
        for note in &found.notes {
            table.note(note);
        }
        table
    }

    /// Where links are from.
    fn links(&self) -> String {
        let Some(radio) = self.radio else { return "The file has links itself.".into() };
        let mut text = format!("Links are by the radio {radio}");
        if self.args.range.is_none() && self.args.reading.radio.is_none() {
            text += ", since none was named: see --range and --radio";
        }
        if let Some(step) = self.args.reading.step {
            let _ = write!(text, "; they are looked at every {step} s");
        }
        text + "."
    }

    pub(super) fn json(&self) -> Value {
        let Inspection { format, span, area, notes, .. } = &self.found;
        let Inspected { args, found, .. } = self;
        let (start, end) = ends(*span);
        json!({
            "file": args.file.to_string_lossy(),
            "format": format.key(),
            "radio": self.radio.map(|radio| radio.to_string()),
            "step": args.reading.step,
            "n_nodes": found.n_nodes,
            "start": start,
            "end": end,
            "n_records": found.n_records,
            "area": area,
            "present": found.present,
            "n_initial": found.n_initial,
            "n_up": found.n_up,
            "n_down": found.n_down,
            "n_pairs": found.n_pairs,
            "changes_per_second": found.changes_per_second,
            "link_seconds": found.link_seconds,
            "degree": found.degree,
            "partitions": found.partitions,
            "most_partitions": found.most_partitions,
            "share_connected": found.share_connected,
            "share_majority": found.share_majority,
            "notes": notes,
            "course": self.course.iter().map(slice).collect::<Vec<_>>(),
            "protocols": Camps::new(),
        })
    }
}

fn slice(slice: &Slice) -> Value {
    let (start, end) = ends(slice.span);
    json!({
        "start": start,
        "end": end,
        "present": slice.present,
        "links": slice.links,
        "partitions": slice.partitions,
        "share_connected": slice.share_connected,
    })
}

/// How large a box is; where all is on the ground, without its height.
fn size([min, max]: [[f64; 3]; 2]) -> String {
    let [x, y, z] = [0, 1, 2].map(|k| max[k] - min[k]);
    let sides = if z > 0.0 { vec![x, y, z] } else { vec![x, y] };
    sides.into_iter().map(short).collect::<Vec<_>>().join(" × ")
}

/// How many links and parts there are while time goes on. A moment has no figure.
fn figure(course: &[Slice], span: Span) -> String {
    let Some(first) = course.first() else { return String::new() };
    let (start, end) = ends(span);
    let each = short(first.span.seconds());
    let title = format!("from {start} s to {end} s, {each} s in a column");
    let mut text = format!("{:14}{title:width$}  █ is\n", "", width = figure::WIDTH);
    let most = |value: fn(&Slice) -> f64| course.iter().map(value).fold(0.0, f64::max);
    let mut row = |name: &str, value: fn(&Slice) -> f64, most: f64, unit: &str| {
        let blocks = figure::row(course.iter().map(value), most);
        let whole = format!("{}{unit}", short(most));
        let _ = writeln!(text, "{name:14}{blocks:width$}  {whole}", width = figure::WIDTH);
    };
    row("links", |slice| slice.links, most(|slice| slice.links), "");
    row("partitions", |slice| slice.partitions, most(|slice| slice.partitions), "");
    row("in one piece", |slice| 100.0 * slice.share_connected, 100.0, " %");
    text + "\n"
}
