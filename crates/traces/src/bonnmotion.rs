//! BonnMotion's own files: `.movements`, often compressed, and `.params` beside it.
//!
//! One line for each node, with `t x y` for each of its waypoints, or `t x y z` in three
//! dimensions. `.params` tells which (`J`), how many nodes there are (`nn`) and when it ends
//! (`duration`). Without it, lines that only fit one of both decide.

use std::io::Read;

use crate::build::{Movement, ends};
use crate::read::{Field, Lines};
use crate::source::Source;
use crate::track::{Track, Waypoint};
use crate::{Format, Limits, Options, Trace, TraceError};

/// What stands in BonnMotion's `.params`, as far as it matters.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Params {
    /// When it ends, in seconds (`duration`).
    pub duration: Option<f64>,
    /// How many nodes there are (`nn`).
    pub n_nodes: Option<u64>,
    /// Whether waypoints have a third coordinate (`J=3D`).
    pub is_3d: Option<bool>,
}

impl Params {
    /// Read `.params`: lines like `key=value`.
    pub fn read(from: impl Read) -> Result<Params, TraceError> {
        let limits = Limits::default();
        let mut lines = Lines::new(Source::new(from, limits)?, Format::BonnMotion, limits);
        let mut params = Params::default();
        while lines.advance()? {
            let line = lines.line();
            let Some(equals) = line.text.find('=') else {
                return Err(line.wrong(line.text.len(), "there is no `=` (in .params)"));
            };
            let value = line.part(equals + 1, line.text.trim_end().len().max(equals + 1));
            match line.text[..equals].trim() {
                "duration" => params.duration = Some(value.time("duration")?),
                "nn" => params.n_nodes = Some(value.whole("number of nodes")?),
                "J" => params.is_3d = Some(value.text == "3D"),
                _ => {}
            }
        }
        Ok(params)
    }
}

/// Read `.movements`.
pub(crate) fn read(from: Source<'_>, options: &Options) -> Result<Trace, TraceError> {
    let params = options.params.unwrap_or_default();
    let mut lines = Lines::new(from, Format::BonnMotion, options.limits);
    let mut movement = Movement::default();
    // Nodes whose lines would do in two and in three dimensions, until another one decides.
    let mut is_3d = params.is_3d;
    let mut undecided: Vec<Vec<f64>> = Vec::new();
    while lines.advance()? {
        let numbers = numbers(&lines)?;
        lines.keep(numbers.len() as u64 / 3)?;
        if is_3d.is_none() {
            is_3d = dimension(&lines, &numbers)?;
        }
        undecided.push(numbers);
        if let Some(is_3d) = is_3d {
            for numbers in undecided.drain(..) {
                let name = movement.names.len().to_string();
                let track = track(&lines, &numbers, is_3d)?;
                *movement.track(&name) = track;
            }
        }
        lines.know(movement.names.len() + undecided.len())?;
    }
    for numbers in undecided {
        let name = movement.names.len().to_string();
        *movement.track(&name) = track(&lines, &numbers, false)?;
    }
    let n_nodes = movement.names.len() as u64;
    if let Some(expected) = params.n_nodes.filter(|&expected| expected != n_nodes) {
        let what = format!("the file ends after {n_nodes} nodes, and .params has nn={expected}");
        return Err(lines.wrong(what, "one of both is cut off, or they do not belong together"));
    }
    let (start, last) = ends(&movement.tracks).unwrap_or_default();
    let end = options.end.or(params.duration).unwrap_or(last);
    Ok(movement.trace(Format::BonnMotion, start.min(0.0), end))
}

/// All numbers of a line.
fn numbers(lines: &Lines<'_>) -> Result<Vec<f64>, TraceError> {
    let read = |field: Field<'_>| field.meters("number");
    lines.line().fields().map(read).collect()
}

/// Whether these numbers are waypoints in three dimensions; nothing, if one cannot tell.
fn dimension(lines: &Lines<'_>, numbers: &[f64]) -> Result<Option<bool>, TraceError> {
    match (fits(numbers, 3), fits(numbers, 4)) {
        (true, true) => Ok(None),
        (true, false) => Ok(Some(false)),
        (false, true) => Ok(Some(true)),
        // Let the error say what is wrong in two dimensions, which are more common.
        (false, false) => track(lines, numbers, false).map(|_| Some(false)),
    }
}

fn fits(numbers: &[f64], width: usize) -> bool {
    let times = || numbers.iter().step_by(width);
    numbers.len().is_multiple_of(width) && times().zip(times().skip(1)).all(|(a, b)| a <= b)
}

/// The waypoints of the line that was read last.
fn track(lines: &Lines<'_>, numbers: &[f64], is_3d: bool) -> Result<Track, TraceError> {
    let width = if is_3d { 4 } else { 3 };
    let line = lines.line();
    if !numbers.len().is_multiple_of(width) {
        let what =
            format!("a waypoint has {width} numbers, and {} are no whole waypoints", numbers.len());
        return Err(line.wrong(line.text.len(), what));
    }
    let mut track = Track::default();
    let mut last = f64::NEG_INFINITY;
    for (k, numbers) in numbers.chunks_exact(width).enumerate() {
        if numbers[0] < last {
            let what = "this time is before that of the waypoint before";
            let field = line.fields().nth(k * width);
            return Err(field.map_or_else(|| line.wrong(0, what), |field| field.wrong(what)));
        }
        last = numbers[0];
        let z = numbers.get(3).copied().unwrap_or(0.0);
        track.push(Waypoint { t: last, at: [numbers[1], numbers[2], z] });
    }
    Ok(track)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    fn parsed(text: &str, params: &str) -> Result<Trace, TraceError> {
        let params = (!params.is_empty()).then(|| Params::read(params.as_bytes())).transpose()?;
        let options = Options { params, ..Options::default() };
        read(Source::new(text.as_bytes(), options.limits)?, &options)
    }

    fn at(trace: &Trace, node: usize, t: f64) -> [f64; 3] {
        let Kind::Movement(tracks) = &trace.kind else { panic!("it is movement") };
        tracks[node].at(t).unwrap()
    }

    #[test]
    fn two_dimensions_or_three() {
        let flat =
            parsed("0.0 1.0 2.0 10.0 3.0 4.0\n0.0 7.0 8.0\n", "duration=20.0\nnn=2\n").unwrap();
        assert_eq!(at(&flat, 0, 5.0), [2.0, 3.0, 0.0]);
        assert_eq!((flat.nodes.len(), flat.span.end), (2, 20_000_000));
        let high = parsed("0.0 1.0 2.0 3.0 10.0 3.0 4.0 5.0\n", "").unwrap();
        assert_eq!(at(&high, 0, 5.0), [2.0, 3.0, 4.0]);
        // Twelve numbers fit both, if times do not decrease either way; the next line decides.
        let twelve = "0.0 1.0 2.0 0.0 1.0 2.0 3.0 3.0 4.0 4.0 4.0 5.0";
        let either = parsed(&format!("{twelve}\n0.0 1.0 2.0 3.0\n"), "").unwrap();
        assert_eq!(at(&either, 0, 0.0), [1.0, 2.0, 0.0]);
        assert_eq!(at(&either, 1, 0.0), [1.0, 2.0, 3.0]);
        assert_eq!(at(&parsed(twelve, "J=2D").unwrap(), 0, 9.0), [4.0, 5.0, 0.0]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let error = |text: &str, params: &str| parsed(text, params).unwrap_err().to_string();
        let cut = error("0.0 1.0 2.0 1.0 2.0\n", "");
        assert!(cut.starts_with("line 1, column 20: a waypoint has 3 numbers"), "{cut}");
        let back = error("0.0 1.0 2.0\n5.0 1.0 2.0 4.0 1.0 2.0\n", "");
        assert!(back.starts_with("line 2, column 13: this time is before"), "{back}");
        let few = error("0.0 1.0 2.0\n", "nn=2\n");
        assert!(few.starts_with("line 2, column 1: the file ends after 1 nodes"), "{few}");
        assert!(error("0.0 1.0 2.0\n", "nn\n").contains("there is no `=`"));
        assert!(error("0.0 2e9 2.0\n", "").contains("column 5: the number `2e9` is beyond"));
    }
}
