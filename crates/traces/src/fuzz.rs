//! Any bytes where traces are read.

use std::collections::BTreeSet;
use std::io::Write;

use driftlock_fuzz::{Script, fuzz, within};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::links::links_within;
use crate::radio::{LogDistance, QuasiUnitDisk, UnitDisk};
use crate::{
    Activity, Format, Limits, LinkChanges, LinksError, Options, Params, Radio, Trace, TraceError,
    inspect, read, sampled,
};

/// How much is looked at for the links of one input.
const WORK: u64 = 100_000;

const RADIOS: [Radio; 3] = [
    Radio::UnitDisk(UnitDisk { range: 12.0 }),
    Radio::Quasi(QuasiUnitDisk { inner: 8.0, outer: 12.0 }),
    Radio::LogDistance(LogDistance {
        power: 20.0,
        loss: 40.0,
        exponent: 3.0,
        sensitivity: -50.0,
        shadow: 4.0,
        coherence: 5.0,
        seed: 1,
    }),
];

fn options(format: Option<Format>) -> Options {
    let limits = Limits { nodes: 200, records: 4000, line: 4000, bytes: 100_000 };
    Options { format, limits, ..Options::default() }
}

/// Read it, in memory that is in proportion to it.
fn parsed(bytes: &[u8], format: Option<Format>) -> Result<Trace, TraceError> {
    let options = options(format);
    within(300_000 + 400 * bytes.len(), || read(bytes, &options))
}

/// What is refused is told with a place; what is read can be used.
fn used(bytes: &[u8], format: Option<Format>) {
    match parsed(bytes, format) {
        Ok(trace) => followed(&trace),
        Err(error) => {
            assert!(error.place().is_some(), "{error:?}");
            assert!(error.to_string().len() < 1500, "{error}");
        }
    }
}

/// Its links are in order, whatever the radio.
fn followed(trace: &Trace) {
    for radio in &RADIOS {
        match links_within(trace, radio, WORK) {
            Ok(changes) => consistent(trace, &changes),
            Err(error) => assert_eq!(error, LinksError::TooMuch(WORK)),
        }
    }
    let span = i128::from(trace.span.end) - i128::from(trace.span.start);
    let step = (span / 50).max(1) as i64;
    consistent(trace, &sampled(trace, &RADIOS[0], step).expect("fifty looks are not too many"));
}

fn consistent(trace: &Trace, changes: &LinkChanges) {
    let mut up = BTreeSet::new();
    let mut last = trace.span.start;
    for change in &changes.changes {
        assert!(change.at >= last && change.at <= trace.span.end, "{change:?}");
        assert!(change.a < change.b && (change.b as usize) < trace.nodes.len(), "{change:?}");
        let link = (change.a, change.b);
        assert!(if change.up { up.insert(link) } else { up.remove(&link) }, "{change:?}");
        last = change.at;
    }
    let found = inspect(trace, changes);
    let is_number = |number: f64| number.is_finite() && number >= 0.0;
    assert!((0.0..=1.0).contains(&found.share_connected), "{found:?}");
    assert!(is_number(found.degree) && is_number(found.partitions), "{found:?}");
    assert!(is_number(found.changes_per_second) && is_number(found.link_seconds), "{found:?}");
    assert!(found.most_partitions <= trace.nodes.len(), "{found:?}");
}

fn example(format: Format) -> Vec<u8> {
    let text = match format {
        Format::Ns2 => {
            "$node_(0) set X_ 0\n$node_(0) set Y_ 0\n$node_(1) set X_ 30\n$node_(1) set Y_ 1\n\
             $ns_ at 1.5 \"$node_(1) setdest 0 0 5.5\"\n$ns_ at 9 \"\\$node_(0) setdest 9 9 0\"\n\
             $ns_ at 8 \"$node_(1) set X_ 3\"\n$ns_ at 2 \"$g(0) start\"\n\
             $ns_ at 7 \"$g(0) stop\"\n"
        }
        Format::BonnMotion => "0.0 1.0 2.0 9.5 30.0 4.0\n0.0 3.0 4.0\n2.0 3.5 4.0 2.0 9.0 9.0\n",
        Format::BonnMotionCsv => "0 0.0 1.5 2.5\n0 9.5 20.0 2.5\n1 0.0 5.0 6.0\n1 0.5 5.0 7.0\n",
        Format::LinkDump => "BonnMotion 3\n0 1 0.0-1.5 2.0E-1-9.0\n0 2 3.5-9.0\ndone.\n",
        Format::Fcd => {
            "<fcd-export><!-- <fcd-output.geo value=\"true\"/> --><timestep time=\"0\">\
             <vehicle id=\"a\" x=\"0\" y=\"1\"/>\
             <person id=\"a\" x=\"2\" y=\"3\" z=\"1\"/></timestep>\
             <timestep time=\"1\"/><timestep time=\"2.5\"><vehicle id=\"a\" x=\"9\" y=\"1\"/>\
             </timestep></fcd-export>"
        }
        Format::OneMovement => "0 9 -5 5 0 9\n0 0 -5 1\n0 1 5 2\n3.5 0 5 2\n9 1 0 0\n",
        Format::OneConnectivity => "0.5 CONN 0 1 up\n1 C M1 0 1 9\n2 CONN p1 p0 down wifi\n",
        Format::Dtnsim2 => "@0.50 p0 <-> p1 up\n@2.25 p1 <-> p0 down\n@3 p2 <-> p0 up\n",
        Format::SocioPatterns => "20 1 2\n40 1 2 A B\n80 2 3\n",
        Format::Haggle => "1\t2\t0\t120\t1\t0\n2\t1\t60\t60\t1\t0\n1\t9\t7\t8\t1\t0\n",
        Format::Csv => "start,end,a,b\n0,5.5,ann,bob\n\"2\",9,bob,\"e,\"\"ve\"\n",
    };
    text.as_bytes().to_vec()
}

fn examples() -> Vec<Vec<u8>> {
    Format::ALL.map(example).to_vec()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("it is in memory");
    encoder.finish().expect("likewise")
}

#[test]
fn every_example_is_a_trace_with_links() {
    for format in Format::ALL {
        let trace = parsed(&example(format), None).expect("it is well-formed");
        assert_eq!(trace.format, format);
        followed(&trace);
        let found = links_within(&trace, &RADIOS[0], WORK).expect("it is small");
        // In degrees everybody is far away.
        assert_eq!(found.changes.is_empty(), format == Format::Fcd, "{format}");
    }
}

#[test]
fn any_bytes_are_a_trace_or_refused() {
    fuzz!(20_000, &examples(), |bytes| used(bytes, None));
}

/// Each reader gets what is not its own too.
#[test]
fn any_bytes_are_a_trace_of_a_given_format_or_refused() {
    fuzz!(30_000, &examples(), |bytes| {
        let mut script = Script::new(bytes);
        let format = Format::ALL[script.below(Format::ALL.len())];
        used(bytes, Some(format));
        let mut own = example(format);
        for _ in 0..=script.below(4) {
            script.alter(&mut own);
        }
        used(&own, Some(format));
    });
}

/// Compression changes nothing, and damaged compression is told.
#[test]
fn compressed_bytes_are_read_as_plain_ones_are_or_refused() {
    fuzz!(4000, &examples(), |bytes| {
        let packed = gzipped(bytes);
        let (plain, same) = (parsed(bytes, None), parsed(&packed, None));
        match (plain, same) {
            (Ok(plain), Ok(same)) => assert_eq!(plain, same),
            (Err(plain), Err(same)) => assert_eq!(plain.place(), same.place()),
            (plain, same) => panic!("{plain:?} {same:?}"),
        }
        let mut damaged = packed;
        Script::new(bytes).alter(&mut damaged);
        let read = within(2_000_000, || read(&damaged[..], &options(None)));
        assert!(read.is_ok() || read.is_err_and(|error| error.place().is_some()));
    });
}

#[test]
fn any_bytes_are_a_zip_file_or_refused() {
    let whole = include_bytes!("../tests/samples/workplace_InVS_tij.dat.zip");
    fuzz!(4000, &[whole[..400].to_vec()], |bytes| {
        let packed = [b"PK\x03\x04", bytes].concat();
        for bytes in [bytes, &packed] {
            let read = within(2_000_000, || read(bytes, &options(None)));
            assert!(read.is_ok() || read.is_err_and(|error| error.place().is_some()));
        }
    });
}

#[test]
fn any_bytes_are_a_companion_or_refused() {
    let params = b"model=RandomWaypoint\nduration=600.0\nnn=2\nJ=3D\n".to_vec();
    let activity = b"$ns_ at 1.0 \"$g(0) start\"\n$ns_ at 5 \"$g(1) stop\"; # ID\n".to_vec();
    fuzz!(10_000, &[params, activity], |bytes| {
        let params = within(300_000, || Params::read(bytes));
        let activity = within(300_000 + 200 * bytes.len(), || Activity::read(bytes));
        let options = Options { params: params.ok(), activity: activity.ok(), ..options(None) };
        for format in [Format::BonnMotion, Format::Ns2] {
            if let Ok(trace) = read(&example(format)[..], &options) {
                assert!(trace.nodes.len() <= 3);
                followed(&trace);
            }
        }
    });
}
