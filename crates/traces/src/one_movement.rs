//! The ONE's ExternalMovement: a header, and then samples, one line for each node and time.
//!
//! ```text
//! minT maxT minX maxX minY maxY [minZ maxZ]
//! t id x y [z]
//! ```
//!
//! As the ONE does, the minima are taken off. Times do not decrease. The ONE wants samples at even
//! intervals; here nodes move in straight lines between any two.

use crate::build::Movement;
use crate::read::{Field, Lines};
use crate::source::Source;
use crate::track::Waypoint;
use crate::{Format, Options, Trace, TraceError};

/// What the first line says.
struct Header {
    start: f64,
    end: f64,
    least: [f64; 3],
    is_3d: bool,
}

/// Read ExternalMovement.
pub(crate) fn read(from: Source<'_>, options: &Options) -> Result<Trace, TraceError> {
    let mut lines = Lines::new(from, Format::OneMovement, options.limits);
    if !lines.advance()? {
        return Err(lines.wrong("the header is missing", "the file is empty: get it again"));
    }
    let header = header(&lines)?;
    let mut movement = Movement::default();
    let mut last = header.start;
    while lines.advance()? {
        lines.keep(1)?;
        let mut fields = lines.line().fields();
        let time = fields.want("time")?;
        let t = time.time("time")?;
        if t < last {
            return Err(time.wrong(format!("the time goes back from {last} to {t}")));
        }
        last = t;
        let name = fields.want("id")?.name()?;
        let mut meters = |name| fields.want(name).and_then(|field| field.meters(name));
        let (x, y) = (meters("x coordinate")?, meters("y coordinate")?);
        let z = if header.is_3d { meters("z coordinate")? } else { 0.0 };
        fields.end()?;
        let [min_x, min_y, min_z] = header.least;
        let waypoint = Waypoint { t: t - header.start, at: [x - min_x, y - min_y, z - min_z] };
        movement.track(name).push(waypoint);
        lines.know(movement.names.len())?;
    }
    let end = options.end.unwrap_or(last.max(header.end) - header.start);
    Ok(movement.trace(Format::OneMovement, 0.0, end))
}

fn header(lines: &Lines<'_>) -> Result<Header, TraceError> {
    let line = lines.line();
    let fields: Vec<Field<'_>> = line.fields().collect();
    if ![6, 8].contains(&fields.len()) {
        let what = format!(
            "the header has {} numbers and should be `minT maxT minX maxX minY maxY [minZ maxZ]`",
            fields.len()
        );
        return Err(line.wrong(0, what));
    }
    let (start, end) = (fields[0].time("start")?, fields[1].time("end")?);
    if end < start {
        return Err(fields[1].wrong("the end is before the start"));
    }
    let mut least = [0.0; 3];
    for (axis, ends) in fields[2..].chunks_exact(2).enumerate() {
        least[axis] = ends[0].meters("minimum")?;
        ends[1].meters("maximum")?;
    }
    Ok(Header { start, end, least, is_3d: fields.len() == 8 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Limits};

    fn parsed(text: &str) -> Result<Trace, TraceError> {
        read(Source::new(text.as_bytes(), Limits::default())?, &Options::default())
    }

    #[test]
    fn the_minima_are_taken_off() {
        let trace = parsed("10 30 -5 5 100 200\n10 a -5 100\n12 a 5 102\n").unwrap();
        assert_eq!((trace.span.start, trace.span.end), (0, 20_000_000));
        let Kind::Movement(tracks) = &trace.kind else { panic!("it is movement") };
        assert_eq!(tracks[0].at(1.0), Some([5.0, 1.0, 0.0]));
        let high = parsed("0 1 0 1 0 1 7 9\n0 a 0 0 8\n").unwrap();
        let Kind::Movement(tracks) = &high.kind else { panic!("it is movement") };
        assert_eq!(tracks[0].at(1.0), Some([0.0, 0.0, 1.0]));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let error = |text: &str| parsed(text).unwrap_err().to_string();
        let back = error("0 9 0 1 0 1\n2 a 0 0\n1 a 0 0\n");
        assert!(back.starts_with("line 3, column 1: the time goes back from 2 to 1"), "{back}");
        assert!(error("0 9 0\n").starts_with("line 1, column 1: the header has 3 numbers"));
        assert!(error("9 0 0 1 0 1\n").starts_with("line 1, column 3: the end is before"));
        assert!(error("0 9 0 1 0 1\n2 a 0\n").starts_with("line 2, column 6: the y coordinate"));
    }
}
