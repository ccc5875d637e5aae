//! SocioPatterns: `t i j`, and often two more words, which are left out: the groups of i and j.
//!
//! A line says that i and j were in contact in the 20 seconds before t. Those that touch are one
//! contact. Lines may come in any order.

use crate::build::Meetings;
use crate::read::Lines;
use crate::source::Source;
use crate::trace::micros;
use crate::{Format, Options, Trace, TraceError};

/// Read contacts of SocioPatterns.
pub(crate) fn read(from: Source<'_>, options: &Options) -> Result<Trace, TraceError> {
    let mut lines = Lines::new(from, Format::SocioPatterns, options.limits);
    let slot = micros(options.slot.0);
    let mut meetings = Meetings::default();
    while lines.advance()? {
        lines.keep(1)?;
        let mut fields = lines.line().fields();
        let end = micros(fields.want("time")?.time("time")?);
        let (a, b) = (fields.want("first node")?, fields.want("second node")?);
        if let Some(group) = fields.next() {
            fields.want("second group")?;
            group.name()?;
        }
        fields.end()?;
        if a.text == b.text {
            return Err(b.wrong("a contact has two ends"));
        }
        let (a, b) = (meetings.names.number(a.name()?), meetings.names.number(b.name()?));
        meetings.meet(a, b, end.saturating_sub(slot), Some(end));
        lines.know(meetings.names.len())?;
    }
    Ok(meetings.trace(Format::SocioPatterns, options.end.map(micros)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Contact, Kind, Limits};

    #[test]
    fn slots_that_touch_are_one_contact() {
        let parsed = |text: &'static str| {
            let source = Source::new(text.as_bytes(), Limits::default()).unwrap();
            read(source, &Options::default())
        };
        let trace = parsed("40\t5\t7\tA\tB\n80 7 5\n60 5 7\n120 5 7\n").unwrap();
        let contact = |start: i64, end: i64| Contact {
            a: 0,
            b: 1,
            start: start * 1_000_000,
            end: Some(end * 1_000_000),
        };
        assert_eq!(trace.kind, Kind::Contacts(vec![contact(20, 80), contact(100, 120)]));
        assert_eq!(trace.span.start, 20_000_000);
        let error = |text| parsed(text).unwrap_err().to_string();
        assert!(error("40 5\n").starts_with("line 1, column 5: the second node is missing"));
        assert!(error("40 5 5\n").starts_with("line 1, column 6: a contact has two ends"));
        assert!(error("40 5 7 A\n").starts_with("line 1, column 9: the second group"));
    }
}
