//! What the ONE writes for dtnsim2: `@t pA <-> pB up|down`. Its tolerance is that of the ONE's own
//! events.

use crate::read::Lines;
use crate::source::Source;
use crate::updown::UpDown;
use crate::{Format, Options, Trace, TraceError};

/// Read links for dtnsim2.
pub(crate) fn read(from: Source<'_>, options: &Options) -> Result<Trace, TraceError> {
    let mut lines = Lines::new(from, Format::Dtnsim2, options.limits);
    let mut links = UpDown::default();
    while lines.advance()? {
        lines.keep(1)?;
        let line = lines.line();
        let start = line.text.len() - line.text.trim_start().len();
        if !line.text[start..].starts_with('@') {
            return Err(line.wrong(start, "a line should start with `@` and a time"));
        }
        let mut fields = line.fields_by(|c| c.is_whitespace() || c == '@');
        let t = links.time(fields.want("time")?)?;
        let one = fields.want("first host")?;
        fields.word("<->")?;
        let two = fields.want("second host")?;
        let how = fields.want("word `up` or `down`")?;
        fields.end()?;
        links.change(t, [one, two], how, "")?;
        lines.know(links.n_nodes())?;
    }
    Ok(links.trace(Format::Dtnsim2, options))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Contact, Kind, Limits};

    #[test]
    fn links_come_up_and_go_down() {
        let parsed = |text: &'static str| {
            let source = Source::new(text.as_bytes(), Limits::default()).unwrap();
            read(source, &Options::default())
        };
        let trace = parsed("@0.50 p4 <-> p17 up\n@7.25 p17 <-> p4 down\n").unwrap();
        assert_eq!(trace.nodes, ["4", "17"]);
        let contact = Contact { a: 0, b: 1, start: 500_000, end: Some(7_250_000) };
        assert_eq!(trace.kind, Kind::Contacts(vec![contact]));
        let error = |text| parsed(text).unwrap_err().to_string();
        assert!(error("@1 p4 -- p17 up\n").starts_with("line 1, column 7: `--` is not the word"));
        assert!(error("1 p4 <-> p17 up\n").starts_with("line 1, column 1: a line should start"));
    }
}
