//! Files that are larger than they should be, or than memory is.

use std::io::{self, Read, Write};

use driftlock_fuzz::within;
use driftlock_traces::{Format, Limits, Options, Place, TraceError, read};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A file that is made up while it is read, piece by piece.
struct Pieces<F> {
    piece: F,
    number: u64,
    left: Vec<u8>,
}

fn pieces<F: FnMut(u64) -> Option<String>>(piece: F) -> Pieces<F> {
    Pieces { piece, number: 0, left: Vec::new() }
}

impl<F: FnMut(u64) -> Option<String>> Read for Pieces<F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left.is_empty() {
            let Some(piece) = (self.piece)(self.number) else { return Ok(0) };
            self.left = piece.into_bytes();
            self.number += 1;
        }
        let n_bytes = into.len().min(self.left.len());
        into[..n_bytes].copy_from_slice(&self.left[..n_bytes]);
        self.left.drain(..n_bytes);
        Ok(n_bytes)
    }
}

/// 20 nodes for so many seconds, half of which stand still.
fn samples(seconds: u64) -> impl Read {
    pieces(move |number| match number {
        0 => Some(format!("0.0 {seconds}.0 0.0 1000.0 0.0 1000.0\n")),
        number if number <= 20 * seconds => {
            let (t, node) = ((number - 1) / 20, (number - 1) % 20);
            let x = if node < 10 { 5.0 } else { (t * (node + 1)) as f64 / 7.0 };
            Some(format!("{t}.0 {node} {x} 7.5\n"))
        }
        _ => None,
    })
}

#[test]
fn what_is_kept_is_what_a_trace_holds_and_not_the_text() {
    // Four megabytes of text, and 100,000 waypoints that differ.
    let trace = within(8_000_000, || read(samples(10_000), &Options::default()));
    assert_eq!(trace.expect("it is well-formed").nodes.len(), 20);
    // Twelve megabytes in which vehicles stand still.
    let still = pieces(|number| match number {
        0 => Some("<fcd-export>\n".into()),
        1..=100_000 => Some(format!(
            "<timestep time=\"{number}\">\n<vehicle id=\"a\" x=\"1.0\" y=\"2.0\" lane=\"{number}\" \
             angle=\"0.0\" type=\"DEFAULT_VEHTYPE\" speed=\"0.0\"/>\n</timestep>\n"
        )),
        100_001 => Some("</fcd-export>\n".into()),
        _ => None,
    });
    // Eight bytes for each time step.
    let trace = within(2_500_000, || read(still, &Options::default())).expect("likewise");
    assert_eq!((trace.nodes.len(), trace.span.end), (1, 100_000_000_000));
}

fn limited(from: impl Read, limits: Limits) -> TraceError {
    read(from, &Options { limits, ..Options::default() }).expect_err("it is too much")
}

#[test]
fn what_is_too_much_is_told_with_its_place() {
    let plain = Limits::default();
    let records = limited(samples(1000), Limits { records: 100, ..plain });
    assert_eq!(records.place(), Some(Place { line: 103, column: 1 }));
    assert!(records.to_string().contains("more than 100 records"), "{records}");
    let nodes = limited(samples(1000), Limits { nodes: 5, ..plain });
    assert!(nodes.to_string().starts_with("line 8, column 1: more than 5 nodes"), "{nodes}");
    let bytes = limited(samples(1000), Limits { bytes: 20_000, ..plain });
    assert!(bytes.to_string().contains("more than 20000 bytes after"), "{bytes}");
    let line = pieces(|number| Some(if number == 0 { "20 1 2\n" } else { "7" }.repeat(500)));
    let line = within(1_000_000, || limited(line, Limits { line: 50_000, ..plain }));
    assert!(line.to_string().contains("more than 50000 bytes in one line"), "{line}");
    assert_eq!(line.place().map(|place| place.line), Some(501));
    let comment = pieces(|number| Some(if number == 0 { "<!--" } else { "never over" }.into()));
    let comment = within(1_000_000, || limited(comment, Limits { line: 90_000, ..plain }));
    assert!(comment.to_string().contains("more than 90000 bytes in one line"), "{comment}");
}

/// A megabyte of this is a gigabyte when it is unpacked.
#[test]
fn bombs_do_not_go_off() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(b"20 1 2\n").expect("it is in memory");
    for _ in 0..300 {
        encoder.write_all(&[b' '; 100_000]).expect("likewise");
    }
    let bomb = encoder.finish().expect("likewise");
    assert!(bomb.len() < 100_000);
    // The longest line, while there is room made for its double.
    let error = within(4 * (16 << 20), || limited(&bomb[..], Limits::default()));
    assert!(matches!(error, TraceError::TooMuch { .. }), "{error}");
}

/// The place is that of the last byte that could be read.
#[test]
fn damage_is_told_where_it_is() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    for t in 1..=10_000 {
        writeln!(encoder, "{} {} {}", 20 * t, t % 17, 20 + t % 23).expect("it is in memory");
    }
    let mut packed = encoder.finish().expect("likewise");
    assert_eq!(
        read(&packed[..], &Options::default()).expect("it is whole").format,
        Format::SocioPatterns
    );
    packed.truncate(packed.len() - 20_000);
    let error = read(&packed[..], &Options::default()).expect_err("it is cut off");
    let place = error.place().expect("it has a place");
    assert!((1000..9999).contains(&place.line), "{error}");
    assert!(error.to_string().contains("ends in the middle; get the file again"), "{error}");
}

/// Small files are whole in what is looked at to recognize them: damage there counts all the same.
#[test]
fn damage_of_a_small_file_is_told_without_a_format() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(b"20 1 2\n40 1 3\n").expect("it is in memory");
    let whole = encoder.finish().expect("likewise");
    assert!(read(&whole[..], &Options::default()).is_ok());
    let recognized = Some(Format::SocioPatterns);
    for format in [None, recognized] {
        let options = Options { format, ..Options::default() };
        // The last eight bytes are the check sum and the length.
        for k in 1..=8 {
            let mut damaged = whole.clone();
            let at = damaged.len() - k;
            damaged[at] ^= 1;
            let error = read(&damaged[..], &options).expect_err("it is damaged");
            assert!(error.to_string().contains("is damaged"), "{format:?}: {error}");
            assert!(error.place().is_some(), "{error}");
            let error = read(&whole[..at], &options).expect_err("it is cut off");
            assert!(error.to_string().contains("ends in the middle"), "{format:?}: {error}");
        }
    }
}
