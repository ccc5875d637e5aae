//! What BonnMotion's LinkDump prints: `i j start-stop start-stop ...`, one line for each pair.
//!
//! Its output starts and ends with other lines, which are left out. A link that is up at the end
//! has the duration as its stop; so the latest stop of the file is taken for the end of the trace,
//! and links that last until then are still up. If the trace is to end later, nobody knows what
//! becomes of them, and what the file says counts.

use crate::build::Meetings;
use crate::read::{Field, Lines};
use crate::source::Source;
use crate::trace::micros;
use crate::{Format, Options, Trace, TraceError};

/// Read what LinkDump printed.
pub(crate) fn read(from: Source<'_>, options: &Options) -> Result<Trace, TraceError> {
    let mut lines = Lines::new(from, Format::LinkDump, options.limits);
    let mut meetings = Meetings::default();
    let mut times = Vec::new();
    while lines.advance()? {
        let line = lines.line();
        if !line.text.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let mut fields = line.fields();
        let (a, b) = (fields.want("first node")?, fields.want("second node")?);
        a.whole("node")?;
        b.whole("node")?;
        if a.text == b.text {
            return Err(b.wrong("a link has two ends"));
        }
        let (a, b) = (meetings.names.number(a.name()?), meetings.names.number(b.name()?));
        let known = times.len();
        for field in fields {
            let (start, end) = interval(field)?;
            times.push((a, b, start, end));
        }
        lines.keep((times.len() - known) as u64)?;
        lines.know(meetings.names.len())?;
    }
    let last = times.iter().map(|&(.., end)| end).max();
    let until = options.end.map(micros).or(last);
    for (a, b, start, end) in times {
        let stays = Some(end) == last && until <= last;
        meetings.meet(a, b, start, Some(end).filter(|_| !stays));
    }
    Ok(meetings.trace(Format::LinkDump, until))
}

/// `start-stop`, where a number may have an exponent with a sign of its own.
fn interval(field: Field<'_>) -> Result<(i64, i64), TraceError> {
    let dash = field.text.match_indices('-').map(|(at, _)| at);
    let is_sign = |at: usize| at == 0 || field.text[..at].ends_with(['E', 'e', '-']);
    let Some(dash) = dash.into_iter().find(|&at| !is_sign(at)) else {
        return Err(field.not("`start-stop`"));
    };
    let (start, end) = (field.cut(0, dash), field.cut(dash + 1, field.text.len()));
    let times = (start.time("start")?, end.time("stop")?);
    if times.1 < times.0 {
        return Err(end.wrong("the stop is before the start"));
    }
    Ok((micros(times.0), micros(times.1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Contact, Kind, Limits};

    /// A link lasts no longer than the file says, also if the trace does.
    #[test]
    fn stops_stay_where_they_are() {
        let stops = |end: f64| -> Vec<Option<i64>> {
            let source = Source::new(&b"0 1 0.0-5.0 7.0-9.0\n"[..], Limits::default()).unwrap();
            let options = Options { end: Some(end), ..Options::default() };
            let Kind::Contacts(contacts) = read(source, &options).unwrap().kind else {
                panic!("they are contacts")
            };
            contacts.iter().map(|contact| contact.end).collect()
        };
        assert_eq!(stops(20.0), [Some(5_000_000), Some(9_000_000)]);
        assert_eq!(stops(9.0), [Some(5_000_000), None]);
        assert_eq!(stops(8.0), [Some(5_000_000), None]);
    }

    #[test]
    fn pairs_have_their_times() {
        let parsed = |text: &'static str| {
            let source = Source::new(text.as_bytes(), Limits::default()).unwrap();
            read(source, &Options::default())
        };
        let trace = parsed("LinkDump ...\n0 1 0.0-1.0E-2 3-9.5\n1 2 2.0-4.0\ndone.\n").unwrap();
        let contact = |a, b, start, end| Contact { a, b, start, end };
        let contacts = vec![
            contact(0, 1, 0, Some(10_000)),
            contact(0, 1, 3_000_000, None),
            contact(1, 2, 2_000_000, Some(4_000_000)),
        ];
        assert_eq!((trace.kind, trace.span.end), (Kind::Contacts(contacts), 9_500_000));
        let error = |text| parsed(text).unwrap_err().to_string();
        assert!(error("0 1 3.0\n").starts_with("line 1, column 5: `3.0` is not `start-stop`"));
        assert!(error("0 1 3.0-2\n").starts_with("line 1, column 9: the stop is before"));
        assert!(error("0 1 3.0-\n").starts_with("line 1, column 9: the stop `` is not a number"));
    }
}
