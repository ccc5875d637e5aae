//! Haggle's sightings, as CRAWDAD has them: `i j start end k gap`.
//!
//! i saw j in every scan from start to end; it was the k-th time, `gap` seconds after the last.
//! Only some devices scan, so that sightings have a direction, and about half of them have no
//! length: j was seen in one scan. [`Haggle`](crate::Haggle) says what becomes of both. Lines may
//! come in any order.

use crate::build::{Meetings, joined};
use crate::read::{Fields, Lines};
use crate::source::Source;
use crate::trace::micros;
use crate::{Contact, Format, Options, Trace, TraceError};

/// Read sightings of Haggle.
pub(crate) fn read(from: Source<'_>, options: &Options) -> Result<Trace, TraceError> {
    let mut lines = Lines::new(from, Format::Haggle, options.limits);
    let pad = micros(options.haggle.pad);
    let mut meetings = Meetings::default();
    // Those seen by the lower number, and those seen by the higher one, if it takes both.
    let mut seen = [Vec::new(), Vec::new()];
    let (mut n_external, mut last) = (0, None);
    while lines.advance()? {
        lines.keep(1)?;
        let (i, j, start, end) = sighting(&mut lines.line().fields())?;
        if options.haggle.internal.is_some_and(|most| i.max(j) > most) {
            n_external += 1;
            continue;
        }
        let (i, j) = (meetings.names.number(&i.to_string()), meetings.names.number(&j.to_string()));
        let end = end.saturating_add(pad);
        last = last.max(Some(end));
        if options.haggle.mutual {
            let contact = Contact { a: i.min(j), b: i.max(j), start, end: Some(end) };
            seen[usize::from(i > j)].push(contact);
        } else {
            meetings.meet(i, j, start, Some(end));
        }
        lines.know(meetings.names.len())?;
    }
    if n_external > 0 {
        meetings.notes.push(format!("{n_external} sightings of other devices were left out."));
    }
    let [up, down] = seen.map(joined);
    for contact in both(&up, &down) {
        meetings.meet(contact.a, contact.b, contact.start, contact.end);
    }
    Ok(meetings.trace(Format::Haggle, options.end.map(micros).or(last)))
}

/// Who saw whom, and from when to when.
fn sighting(fields: &mut Fields<'_>) -> Result<(u64, u64, i64, i64), TraceError> {
    let i = fields.want("id of who saw")?.whole("id")?;
    let who = fields.want("id of who was seen")?;
    let j = who.whole("id")?;
    if i == j {
        return Err(who.wrong("nobody sees themselves"));
    }
    let start = fields.want("start")?.time("start")?;
    let until = fields.want("end")?;
    let end = until.time("end")?;
    if end < start {
        return Err(until.wrong("the end is before the start"));
    }
    fields.want("running number")?.whole("running number")?;
    fields.want("gap")?.time("gap")?;
    fields.end()?;
    Ok((i, j, micros(start), micros(end)))
}

/// When contacts of both lists are there at once. Both are in order, and joined.
fn both(one: &[Contact], two: &[Contact]) -> Vec<Contact> {
    let (mut found, mut from) = (Vec::new(), 0);
    for a in one {
        let is_before = |b: &Contact| (b.a, b.b, b.end) < (a.a, a.b, Some(a.start));
        from += two[from..].iter().take_while(|b| is_before(b)).count();
        for b in two[from..].iter().take_while(|b| (b.a, b.b) == (a.a, a.b)) {
            let (start, end) = (a.start.max(b.start), a.end.min(b.end));
            if end > Some(start) {
                found.push(Contact { start, end, ..*a });
            } else if b.start > a.start {
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Haggle, Kind, Limits};

    fn parsed(text: &str, haggle: Haggle) -> Result<Trace, TraceError> {
        let options = Options { haggle, ..Options::default() };
        read(Source::new(text.as_bytes(), Limits::default())?, &options)
    }

    fn times(trace: &Trace) -> Vec<(u32, u32, i64, i64)> {
        let Kind::Contacts(contacts) = &trace.kind else { panic!("they are contacts") };
        let seconds = |micros: i64| micros / 1_000_000;
        let times = contacts.iter().map(|contact| {
            (contact.a, contact.b, seconds(contact.start), seconds(contact.end.unwrap()))
        });
        times.collect()
    }

    const TEXT: &str =
        "1\t2\t100\t340\t1\t0\n1\t2\t900\t900\t2\t560\n2\t1\t220\t460\t1\t0\n1\t30\t0\t120\t1\t0\n";

    #[test]
    fn one_direction_is_enough_unless_both_are_wanted() {
        let plain = Haggle { pad: 0.0, ..Haggle::default() };
        let trace = parsed(TEXT, plain).unwrap();
        assert_eq!(times(&trace), [(0, 1, 100, 460), (0, 2, 0, 120)]);
        assert_eq!(trace.notes, ["1 contacts of no length were left out."]);
        let padded = parsed(TEXT, Haggle::default()).unwrap();
        assert_eq!(times(&padded), [(0, 1, 100, 580), (0, 1, 900, 1020), (0, 2, 0, 240)]);
        let mutual = Haggle { mutual: true, internal: Some(9), ..plain };
        let trace = parsed(TEXT, mutual).unwrap();
        assert_eq!(times(&trace), [(0, 1, 220, 340)]);
        assert_eq!(trace.notes[0], "1 sightings of other devices were left out.");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let error = |text: &str| parsed(text, Haggle::default()).unwrap_err().to_string();
        assert!(error("1 2 9 8 1 0\n").starts_with("line 1, column 7: the end is before"));
        assert!(error("1 1 9 9 1 0\n").starts_with("line 1, column 3: nobody sees themselves"));
        assert!(error("1 2 9 9 1\n").starts_with("line 1, column 10: the gap is missing"));
        assert!(error("-1 2 9 9 1 0\n").contains("`-1` is not a whole number"));
    }
}
