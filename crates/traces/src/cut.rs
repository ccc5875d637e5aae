//! A trace from some moment on, or up to one: [`cut`].

use crate::trace::{micros, seconds};
use crate::{Contact, Kind, Options, Trace, TraceError};

/// Cut a trace to the time that is wanted. Nodes whose contacts are all cut off are gone with them,
/// as they would be from a file of that time; nodes that move stay, for there may be shadows that
/// depend on their numbers.
pub(crate) fn cut(mut trace: Trace, options: &Options) -> Result<Trace, TraceError> {
    if let (Some(end), Kind::Contacts(_)) = (options.end, &trace.kind) {
        trace.span.end = micros(end);
    }
    if let Some(start) = options.start {
        trace.span.start = micros(start);
    }
    let span = trace.span;
    if span.start > span.end {
        let (start, end) = (seconds(span.start), seconds(span.end));
        let what = format!("it starts at {start} s, after its end at {end} s");
        return Err(TraceError::Options(what));
    }
    if options.start.or(options.end).is_none() {
        return Ok(trace);
    }
    if let Kind::Contacts(contacts) = &mut trace.kind {
        let is_in = |contact: &Contact| {
            contact.start < span.end && contact.end.is_none_or(|end| end > span.start)
        };
        contacts.retain(is_in);
        keep_those_who_meet(&mut trace.nodes, contacts);
    }
    Ok(trace)
}

/// Forget nodes that meet nobody. The others keep their order.
fn keep_those_who_meet(nodes: &mut Vec<String>, contacts: &mut [Contact]) {
    let mut meets = vec![false; nodes.len()];
    for contact in &*contacts {
        (meets[contact.a as usize], meets[contact.b as usize]) = (true, true);
    }
    let mut places = vec![0; nodes.len()];
    let mut next = 0;
    for (place, meets) in places.iter_mut().zip(&meets) {
        *place = next;
        next += u32::from(*meets);
    }
    for contact in contacts {
        (contact.a, contact.b) = (places[contact.a as usize], places[contact.b as usize]);
    }
    let mut meets = meets.into_iter();
    nodes.retain(|_| meets.next() == Some(true));
}

#[cfg(test)]
mod tests {
    use crate::{Options, Radio, UnitDisk, inspect, links, read};

    const CONTACTS: &str = "start,end,a,b\n0,10,a,b\n5,30,b,c\n40,50,d,e\n";

    fn options(start: f64, end: f64) -> Options {
        Options { start: Some(start), end: Some(end), ..Options::default() }
    }

    #[test]
    fn contacts_are_cut_with_those_who_have_no_other() {
        let trace = read(CONTACTS.as_bytes(), &options(12.0, 25.0)).unwrap();
        assert_eq!(trace.nodes, ["b", "c"]);
        let radio = Radio::UnitDisk(UnitDisk { range: 1.0 });
        let changes = links(&trace, &radio).unwrap();
        let [up] = changes.changes[..] else { panic!("{:?}", changes.changes) };
        assert_eq!((up.at, up.a, up.b, up.up), (12_000_000, 0, 1, true));
        assert_eq!(inspect(&trace, &changes).share_connected, 1.0);
        let whole = read(CONTACTS.as_bytes(), &Options::default()).unwrap();
        assert_eq!((whole.nodes.len(), whole.span.end), (5, 50_000_000));
    }

    #[test]
    fn movement_starts_where_nodes_are_by_then() {
        let text = "$node_(0) set X_ 0\n$node_(0) set Y_ 0\n$node_(1) set X_ 300\n\
                    $node_(1) set Y_ 0\n$ns_ at 10.0 \"$node_(1) setdest 0 0 10\"\n";
        let radio = Radio::UnitDisk(UnitDisk { range: 250.0 });
        let at = |start| {
            let trace = read(text.as_bytes(), &options(start, 60.0)).unwrap();
            links(&trace, &radio).unwrap().changes[0].at
        };
        assert_eq!((at(0.0), at(20.0)), (15_000_000, 20_000_000));
    }

    #[test]
    fn a_start_after_the_end_is_refused() {
        let error = read(CONTACTS.as_bytes(), &options(30.0, 20.0)).unwrap_err().to_string();
        assert!(error.contains("it starts at 30 s, after its end at 20 s"), "{error}");
    }
}
