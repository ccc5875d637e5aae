//! BonnMotion's CSVFile: `node t x y`, with spaces, whatever it is called.

use crate::build::{Movement, ends};
use crate::read::Lines;
use crate::source::Source;
use crate::track::Waypoint;
use crate::{Format, Options, Trace, TraceError};

/// Read what CSVFile writes. The times of each node do not decrease.
pub(crate) fn read(from: Source<'_>, options: &Options) -> Result<Trace, TraceError> {
    let mut lines = Lines::new(from, Format::BonnMotionCsv, options.limits);
    let mut movement = Movement::default();
    while lines.advance()? {
        lines.keep(1)?;
        let mut fields = lines.line().fields();
        let name = fields.want("node")?.name()?;
        let time = fields.want("time")?;
        let t = time.time("time")?;
        let x = fields.want("x coordinate")?.meters("x coordinate")?;
        let y = fields.want("y coordinate")?.meters("y coordinate")?;
        let z = fields.next().map_or(Ok(0.0), |field| field.meters("z coordinate"))?;
        fields.end()?;
        let track = movement.track(name);
        if track.last().is_some_and(|last| t < last.t) {
            return Err(time.wrong(format!("node {name} was further in time already")));
        }
        track.push(Waypoint { t, at: [x, y, z] });
        lines.know(movement.names.len())?;
    }
    let (start, last) = ends(&movement.tracks).unwrap_or_default();
    Ok(movement.trace(Format::BonnMotionCsv, start.min(0.0), options.end.unwrap_or(last)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    #[test]
    fn times_of_a_node_do_not_decrease() {
        let parsed = |text: &'static str| {
            let source = Source::new(text.as_bytes(), Limits::default()).unwrap();
            read(source, &Options::default())
        };
        let trace = parsed("3 0.0 1 2\n4 0.0 5 6\n3 9.5 1 3\n").unwrap();
        assert_eq!((trace.nodes, trace.span.end), (vec!["3".into(), "4".into()], 9_500_000));
        let error = parsed("3 1.0 1 2\n3 0.5 1 2\n").unwrap_err().to_string();
        assert!(error.starts_with("line 2, column 3: node 3 was further"), "{error}");
    }
}
