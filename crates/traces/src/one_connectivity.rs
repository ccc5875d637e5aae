//! The ONE's events: `t CONN a b up|down [interface]`.
//!
//! Hosts may have the letters of their group before their number. Lines about messages (`C`, `S`,
//! `DE`, `A`, `DR`, `R`) are left out. A link is up while any of its interfaces is. Of links that
//! come up twice, or go down without having been up, the second line is left out, and a note counts
//! them.

use crate::read::Lines;
use crate::source::Source;
use crate::updown::UpDown;
use crate::{Format, Options, Trace, TraceError};

/// What else there may be on a line.
const MESSAGES: [&str; 6] = ["C", "S", "DE", "A", "DR", "R"];

/// Read events of the ONE.
pub(crate) fn read(from: Source<'_>, options: &Options) -> Result<Trace, TraceError> {
    let mut lines = Lines::new(from, Format::OneConnectivity, options.limits);
    let mut links = UpDown::default();
    while lines.advance()? {
        lines.keep(1)?;
        let mut fields = lines.line().fields();
        let t = links.time(fields.want("time")?)?;
        let kind = fields.want("word `CONN`")?;
        if MESSAGES.contains(&kind.text) {
            continue;
        }
        if kind.text != "CONN" {
            return Err(kind.not("`CONN`, nor an event of a message"));
        }
        let ends = [fields.want("first host")?, fields.want("second host")?];
        let how = fields.want("word `up` or `down`")?;
        let interface = fields.next().map_or("", |field| field.text);
        fields.end()?;
        links.change(t, ends, how, interface)?;
        lines.know(links.n_nodes())?;
    }
    Ok(links.trace(Format::OneConnectivity, options))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Contact, Kind, Limits};

    fn parsed(text: &str) -> Result<Trace, TraceError> {
        read(Source::new(text.as_bytes(), Limits::default())?, &Options::default())
    }

    #[test]
    fn links_come_up_and_go_down() {
        let text = "# events\n0.5 CONN p1 0 up\n0.5\tC\tM1\t0\t1\t100\n1.5 CONN 0 1 up wifi\n\
            2 CONN 1 0 down\n3 CONN 0 1 down wifi\n4 CONN 0 2 down\n5 CONN 0 2 up\n";
        let trace = parsed(text).unwrap();
        let Kind::Contacts(contacts) = &trace.kind else { panic!("they are contacts") };
        let one = Contact { a: 0, b: 1, start: 500_000, end: Some(3_000_000) };
        let two = Contact { a: 0, b: 2, start: 5_000_000, end: None };
        assert_eq!(contacts[..], [one, two]);
        assert_eq!((trace.span.start, trace.span.end), (500_000, 5_000_000));
        assert_eq!(trace.notes, ["1 links came up that were, or went down that were not."]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let error = |text: &str| parsed(text).unwrap_err().to_string();
        let back = error("2 CONN 0 1 up\n1 CONN 0 1 down\n");
        assert!(back.starts_with("line 2, column 1: the time `1` is before"), "{back}");
        assert!(error("2 CONN 0 1 on\n").starts_with("line 1, column 12: `on` is not `up`"));
        assert!(error("2 CONN 0 0 up\n").starts_with("line 1, column 10: a link has two ends"));
        assert!(error("2 CONN 0 p up\n").contains("`p` is not a host"));
        assert!(error("2 CON 0 1 up\n").contains("`CON` is not `CONN`"));
        assert!(error("2 CONN 0 1").starts_with("line 1, column 11: the word `up` or `down`"));
    }
}
