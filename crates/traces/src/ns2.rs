//! ns-2 movement, and SUMO's activity beside it.
//!
//! ```text
//! $node_(1) set X_ 10.0                       the initial place; anywhere in the file
//! $ns_ at 2.0 "$node_(1) setdest 10 20 5"     from 2.0 on towards (10, 20), at 5 m/s
//! $ns_ at 2.0 "$node_(1) set X_ 10.0"         a jump
//! $ns_ at 2.0 "$g(1) start"                   activity: it is there from 2.0 on; `stop`
//! $god_ set-dist 0 1 2                        left out, and so are `set` and `puts` of Tcl,
//! $ns_ at 9.0 "$ns_ halt"                     and whatever else ns-2 is told to do
//! ```
//!
//! Commands may come in any order; those of one time and one node count in the order of the file.
//! A node that arrives early waits. A speed of 0 means: stop where you are.

use std::collections::BTreeMap;
use std::io::Read;

use crate::build::{Movement, ends};
use crate::read::{Field, Fields, Line, Lines, MOST_TIME};
use crate::source::Source;
use crate::trace::micros;
use crate::track::{Track, Waypoint};
use crate::{Format, Limits, Options, Place, Trace, TraceError};

/// When nodes exist, from SUMO's activity file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Activity {
    /// By name: when it starts (true) and stops, in seconds.
    times: BTreeMap<String, Vec<(f64, bool)>>,
}

/// What a node is told.
enum Command {
    /// Go there, at this speed.
    Go(f64, f64, f64),
    /// Be at this coordinate of this axis.
    Set(usize, f64),
}

/// What is known of a node.
#[derive(Default)]
struct Node {
    initial: [Option<f64>; 3],
    commands: Vec<(f64, Command)>,
    first_line: u64,
}

/// A line that means something.
enum Said<'a> {
    Initial(&'a str, usize, f64),
    At(f64, &'a str, Command),
    Activity(f64, &'a str, bool),
    Nothing,
}

/// What else nodes are told, which does not move them.
const OTHER: [&str; 8] =
    ["reset", "color", "label", "shape", "start", "stop", "random-motion", "log-movement"];

/// Read ns-2 movement.
pub(crate) fn read(from: Source<'_>, options: &Options) -> Result<Trace, TraceError> {
    let mut lines = Lines::new(from, Format::Ns2, options.limits);
    let mut nodes: BTreeMap<String, Node> = BTreeMap::new();
    let mut activity = Activity::default();
    let mut n_skipped = 0;
    while lines.advance()? {
        lines.keep(1)?;
        let line = lines.line();
        match said(line)? {
            Said::Nothing => n_skipped += u64::from(!line.text.contains("$god_")),
            Said::Activity(t, name, starts) => activity.add(name, t, starts),
            Said::Initial(name, axis, value) => {
                node(&mut nodes, name, line).initial[axis] = Some(value)
            }
            Said::At(t, name, command) => node(&mut nodes, name, line).commands.push((t, command)),
        }
        lines.know(nodes.len())?;
    }
    if nodes.is_empty() {
        let advice = "there should be lines like `$node_(0) set X_ 10.0`; an activity file of SUMO \
                      is read with the mobility file that it belongs to";
        return Err(lines.wrong("no node has a place", advice));
    }
    let mut movement = Movement::default();
    for (name, node) in nodes {
        let track = node.track(&name)?;
        *movement.track(&name) = track;
    }
    if n_skipped > 0 {
        movement.notes.push(format!("{n_skipped} lines of other Tcl were left out."));
    }
    let (_, last) = ends(&movement.tracks).unwrap_or_default();
    let activity = options.activity.as_ref().unwrap_or(&activity);
    activity.apply(&mut movement);
    if options.end.is_none() && last > activity.last() {
        movement.notes.push(format!(
            "The file does not say when it ends: that is taken to be the last arrival, at {} s. \
             Another end can be given with --end.",
            micros(last) as f64 / 1e6
        ));
    }
    Ok(movement.trace(Format::Ns2, 0.0, options.end.unwrap_or(last.max(activity.last()))))
}

fn node<'n>(nodes: &'n mut BTreeMap<String, Node>, name: &str, line: Line<'_>) -> &'n mut Node {
    if !nodes.contains_key(name) {
        let node = Node { first_line: line.number, ..Node::default() };
        nodes.insert(name.to_owned(), node);
    }
    nodes.get_mut(name).expect("it was just put there")
}

/// What a line says. Quotes, and what the ONE puts before the dollar sign, are as good as spaces.
fn said(line: Line<'_>) -> Result<Said<'_>, TraceError> {
    let code = line.text.find('#').map_or(line.text, |end| &line.text[..end]);
    let line = Line { text: code, ..line };
    let is_command = code.trim_start().starts_with('$');
    if is_command && !code.matches('"').count().is_multiple_of(2) {
        let what = "the quotes are not balanced; the file may be cut off here";
        return Err(line.wrong(code.rfind('"').unwrap_or_default(), what));
    }
    let mut fields = line.fields_by(|c| c.is_whitespace() || matches!(c, '"' | '\\' | ';'));
    let first = fields.want("command")?;
    match first.text {
        "$ns_" | "$ns" => later(&mut fields),
        "$god_" | "set" | "puts" => Ok(Said::Nothing),
        _ => {
            let name = inside(first, "$node_(")?;
            let what = fields.want("word `set`")?;
            if OTHER.contains(&what.text) {
                return Ok(Said::Nothing);
            }
            if what.text != "set" {
                return Err(what.not("the word `set`"));
            }
            let (axis, value) = set(&mut fields)?;
            fields.end()?;
            Ok(Said::Initial(name, axis, value))
        }
    }
}

/// What is behind `$ns_`.
fn later<'a>(fields: &mut Fields<'a>) -> Result<Said<'a>, TraceError> {
    if fields.next().is_none_or(|word| word.text != "at") {
        return Ok(Said::Nothing);
    }
    let at = fields.want("time")?;
    let t = at.time("time")?;
    if t < 0.0 {
        return Err(at.wrong(format!("the time {} is negative", at.quoted())));
    }
    let who = fields.want("node")?;
    if !["$g(", "$node_("].iter().any(|start| who.text.starts_with(start)) {
        return Ok(Said::Nothing);
    }
    if who.text.starts_with("$g(") {
        let name = inside(who, "$g(")?;
        let what = fields.want("word `start` or `stop`")?;
        fields.end()?;
        return match what.text {
            "start" => Ok(Said::Activity(t, name, true)),
            "stop" => Ok(Said::Activity(t, name, false)),
            _ => Err(what.not("`start` or `stop`")),
        };
    }
    let name = inside(who, "$node_(")?;
    let what = fields.want("word `setdest` or `set`")?;
    if OTHER.contains(&what.text) {
        return Ok(Said::Nothing);
    }
    let command = match what.text {
        "set" => {
            let (axis, value) = set(fields)?;
            Command::Set(axis, value)
        }
        "setdest" => Command::Go(
            fields.want("x coordinate")?.meters("x coordinate")?,
            fields.want("y coordinate")?.meters("y coordinate")?,
            fields.want("speed")?.positive("speed")?,
        ),
        _ => return Err(what.not("`setdest` or `set`")),
    };
    fields.end()?;
    Ok(Said::At(t, name, command))
}

/// The axis and the coordinate behind `set`.
fn set(fields: &mut Fields<'_>) -> Result<(usize, f64), TraceError> {
    let axis = fields.want("axis")?;
    let number = match axis.text {
        "X_" => 0,
        "Y_" => 1,
        "Z_" => 2,
        _ => return Err(axis.not("`X_`, `Y_` or `Z_`")),
    };
    Ok((number, fields.want("coordinate")?.meters("coordinate")?))
}

/// The name between `$node_(` and `)`.
fn inside<'a>(field: Field<'a>, before: &str) -> Result<&'a str, TraceError> {
    let name = field.text.strip_prefix(before).and_then(|rest| rest.strip_suffix(')'));
    let name = name.ok_or_else(|| field.not("a node, like `$node_(1)`"))?;
    field.name()?;
    if name.starts_with('$') {
        let what = format!("`{name}` is a variable: programs in Tcl are not run, write it out");
        return Err(field.wrong(what));
    }
    Ok(name)
}

impl Node {
    /// Carry out its commands.
    fn track(mut self, name: &str) -> Result<Track, TraceError> {
        let [Some(x), Some(y), z] = self.initial else {
            return Err(TraceError::Malformed {
                format: Format::Ns2,
                place: Place { line: self.first_line, column: 1 },
                what: format!("node {name} has no initial place"),
                advice: format!("add `$node_({name}) set X_ ..` and `Y_`, anywhere in the file"),
            });
        };
        // The sort is stable: commands of one time stay in the order of the file.
        self.commands.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let mut here = Waypoint { t: 0.0, at: [x, y, z.unwrap_or(0.0)] };
        let mut track = Track::default();
        track.push(here);
        let mut goal = None;
        for (t, command) in self.commands {
            here = moved(&mut track, here, goal, t);
            goal = match command {
                Command::Go(x, y, speed) => Some(([x, y, here.at[2]], speed)),
                Command::Set(axis, value) => {
                    track.push(here);
                    here.at[axis] = value;
                    track.push(here);
                    None
                }
            };
        }
        moved(&mut track, here, goal, MOST_TIME);
        Ok(track)
    }
}

/// Move towards the goal until `t`, and say where that leads.
fn moved(track: &mut Track, from: Waypoint, goal: Option<([f64; 3], f64)>, t: f64) -> Waypoint {
    let Some((to, speed)) = goal else { return Waypoint { t, ..from } };
    let way = [to[0] - from.at[0], to[1] - from.at[1]];
    let distance = (way[0] * way[0] + way[1] * way[1]).sqrt();
    if speed <= 0.0 || distance <= 0.0 {
        return Waypoint { t, ..from };
    }
    track.push(from);
    let needed = distance / speed;
    if from.t + needed <= t {
        track.push(Waypoint { t: from.t + needed, at: to });
        return Waypoint { t, at: to };
    }
    let part = (t - from.t) / needed;
    let at = [from.at[0] + part * way[0], from.at[1] + part * way[1], from.at[2]];
    track.push(Waypoint { t, at });
    Waypoint { t, at }
}

impl Activity {
    /// Read an activity file of SUMO's traceExporter.
    pub fn read(from: impl Read) -> Result<Activity, TraceError> {
        let limits = Limits::default();
        let mut lines = Lines::new(Source::new(from, limits)?, Format::Ns2, limits);
        let mut activity = Activity::default();
        while lines.advance()? {
            lines.keep(1)?;
            let line = lines.line();
            match said(line)? {
                Said::Activity(t, name, starts) => activity.add(name, t, starts),
                _ => return Err(line.wrong(0, "this is not `$ns_ at 2.0 \"$g(1) start\"`")),
            }
        }
        Ok(activity)
    }

    fn add(&mut self, name: &str, t: f64, starts: bool) {
        if let Some(times) = self.times.get_mut(name) {
            times.push((t, starts));
        } else {
            self.times.insert(name.to_owned(), vec![(t, starts)]);
        }
    }

    fn last(&self) -> f64 {
        self.times.values().flatten().map(|&(t, _)| t).fold(0.0, f64::max)
    }

    /// Nodes are there only while they are active. Those that are not named are always there.
    fn apply(&self, movement: &mut Movement) {
        let mut n_unknown = 0;
        for (name, times) in &self.times {
            match movement.find(name) {
                Some(track) => *track = track.only(&intervals(times)),
                None => n_unknown += 1,
            }
        }
        if n_unknown > 0 {
            movement.notes.push(format!("{n_unknown} nodes are active and have no place."));
        }
    }
}

/// From a start to the next stop. A start after a start and a stop after a stop change nothing.
fn intervals(times: &[(f64, bool)]) -> Vec<(f64, f64)> {
    let mut times = times.to_vec();
    times.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut found = Vec::new();
    let mut since = None;
    for (t, starts) in times {
        match (since, starts) {
            (None, true) => since = Some(t),
            (Some(start), false) => {
                since = None;
                if start < t {
                    found.push((start, t));
                }
            }
            _ => {}
        }
    }
    found.extend(since.map(|start| (start, f64::INFINITY)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    fn parsed(text: &str) -> Result<Trace, TraceError> {
        read(Source::new(text.as_bytes(), Limits::default())?, &Options::default())
    }

    fn x(trace: &Trace, node: usize, t: f64) -> Option<f64> {
        let Kind::Movement(tracks) = &trace.kind else { panic!("it is movement") };
        tracks[node].at(t).map(|at| at[0])
    }

    const TEXT: &str = "# a comment\n\
        set val(nn) 2\n\
        $god_ set-dist 0 1 2\n\
        $ns_ at 5.0 \"$node_(0) setdest 0.0 0.0 1.0\"\n\
        $ns_ at 1.0 \"\\$node_(0) setdest 20.0 0.0 2.0\" ; # the ONE's way to write it\n\
        $ns_ at 7.0 \"$node_(0) setdest 0.0 0.0 0.0\"\n\
        $ns_ at 9.0 \"$node_(0) set X_ 50.0\"\n\
        $ns_ at 10.0 \"$node_(1) setdest 3.0 0.0 3.0\"\n\
        $ns_ at 2.0 \"$g(1) start\"\n$ns_ at 2.0 \"$g(9) start\"\n\
        $node_(0) set X_ 10.0\n$node_(0) set Y_ 0.0\n$node_(0) set Z_ 0.0\n\
        $node_(1) set X_ 0.0\n$node_(1) set Y_ 0.0\n";

    #[test]
    fn commands_are_carried_out_in_the_order_of_their_times() {
        let trace = parsed(TEXT).unwrap();
        assert_eq!(trace.nodes, ["0", "1"]);
        assert_eq!(trace.span.end, 11_000_000);
        let notes = [
            "1 lines of other Tcl were left out.",
            "1 nodes are active and have no place.",
            "The file does not say when it ends: that is taken to be the last arrival, at 11 s. \
             Another end can be given with --end.",
        ];
        assert_eq!(trace.notes, notes);
        let times = [0.5, 2.0, 5.0, 6.0, 8.0, 9.0, 20.0];
        let places = times.map(|t| x(&trace, 0, t).unwrap());
        assert_eq!(places, [10.0, 12.0, 18.0, 17.0, 16.0, 50.0, 50.0]);
        assert_eq!([x(&trace, 1, 1.9), x(&trace, 1, 10.5)], [None, Some(1.5)]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let error = |text: &str| parsed(text).unwrap_err().to_string();
        let late =
            error("$node_(0) set X_ 1\n$node_(0) set Y_ 2\n$ns_ at 1 \"$node_(0) setdest 3\"\n");
        assert!(late.starts_with("line 3, column 32: the y coordinate is missing"), "{late}");
        let speed = error("$ns_ at 1 \"$node_(0) setdest 1 2 -3\"\n");
        assert!(speed.starts_with("line 1, column 34: the speed `-3` is negative"), "{speed}");
        let place = error("\n$ns_ at 1 \"$node_(7) setdest 1 2 3\"\n");
        assert!(place.starts_with("line 2, column 1: node 7 has no initial place"), "{place}");
        assert!(error("$ns_ at 1.0 \"$g(0) start\"\n").contains("mobility file"));
        assert!(error("$node_(0) set W_ 1").contains("`W_` is not `X_`, `Y_` or `Z_`"));
        assert!(error("$ns_ at nan \"$node_(0) set X_ 1\"").contains("`nan` is not a number"));
    }

    #[test]
    fn what_does_not_move_anybody_is_left_out_and_counted() {
        let place = "$node_(0) set X_ 1\n$node_(0) set Y_ 2\n";
        let others = "$ns_ initial_node_pos $node_(0) 20\n$ns_ at 10.0 \"$ns_ halt\"\n\
            $ns_ at 10 \"stop\"\n$ns_ at 9 \"$node_(0) reset\";\n$node_(0) random-motion 0\n";
        let trace = parsed(&format!("{place}{others}")).unwrap();
        assert_eq!(trace.notes, ["5 lines of other Tcl were left out."]);
        assert_eq!((trace.nodes.len(), trace.span.end), (1, 0));
        let error = parsed("$node_($i) set X_ 1\n").unwrap_err().to_string();
        assert!(error.starts_with("line 1, column 1: `$i` is a variable: programs"), "{error}");
        let error = parsed(&format!("{place}$node_(0) setdst 1 2 3\n")).unwrap_err().to_string();
        assert!(error.starts_with("line 3, column 11: `setdst` is not the word `set`"), "{error}");
    }

    #[test]
    fn a_file_that_ends_within_a_command_is_refused() {
        let whole = "$node_(0) set X_ 1\n$node_(0) set Y_ 2\n\
            $ns_ at 1.0 \"\\$node_(0) setdest 10.25 20.5 5.75\"\n";
        assert_eq!(parsed(whole).unwrap().nodes.len(), 1);
        let quote = whole.find('"').unwrap();
        for end in quote + 1..whole.len() - 2 {
            let error = parsed(&whole[..end]).unwrap_err().to_string();
            assert!(error.starts_with("line 3, column 13: the quotes are not balanced"), "{error}");
        }
    }
}
