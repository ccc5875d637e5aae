//! Logs that are torn, damaged, or something else.

use std::fs;

use driftlock_sweep::digest::Key;
use driftlock_sweep::log::{self, Log, MAGIC};
use driftlock_sweep::outcome::{Done, Outcome, Status, Value};
use tempfile::tempdir;

fn cell(number: u8) -> (Key, Outcome) {
    let status = match number % 2 {
        0 => Status::Held,
        _ => Status::Violated("promise".into()),
    };
    let done = Done {
        status,
        steps: number.into(),
        ended_at: 0.1 + 0.2,
        values: vec![Value::Int(-1), Value::Null, Value::Float(f64::MIN_POSITIVE)],
        kinds: vec![("Request".into(), 1.5)],
        notes: vec![("raise".into(), 3)],
    };
    (Key([number; 32]), Outcome { runs: vec![done; 2] })
}

/// A log with three cells, and where each ends.
fn example() -> (Vec<u8>, Vec<usize>) {
    let mut bytes = MAGIC.to_vec();
    let mut ends = vec![bytes.len()];
    for number in 0..3 {
        let (key, outcome) = cell(number);
        bytes.extend(log::encode(&key, &outcome));
        ends.push(bytes.len());
    }
    (bytes, ends)
}

#[test]
fn what_is_whole_is_kept_wherever_a_log_is_torn() {
    let (bytes, ends) = example();
    let folder = tempdir().unwrap();
    let path = folder.path().join("cells.log");
    for length in 0..=bytes.len() {
        let contents = log::read(&bytes[..length]).unwrap();
        let whole = ends[1..].iter().filter(|&&end| end <= length).count();
        assert_eq!(contents.cells.len(), whole, "at {length}");
        fs::write(&path, &bytes[..length]).unwrap();
        let (log, contents) = Log::open(&path).unwrap();
        assert_eq!(contents.torn == 0, ends.contains(&length) || length == 0, "at {length}");
        let (key, outcome) = cell(9);
        log.add(&key, &outcome).unwrap();
        drop(log);
        let again = Log::look(&path).unwrap();
        assert_eq!((again.cells.len(), again.torn), (whole + 1, 0), "at {length}");
        assert_eq!(again.cells[&key], outcome);
    }
}

#[test]
fn a_damaged_byte_is_noticed() {
    let (bytes, ends) = example();
    for at in MAGIC.len()..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        let contents = log::read(&damaged).unwrap();
        let record = ends.iter().filter(|&&end| end <= at).count() - 1;
        let is_length = at - ends[record] < 4;
        // Where the length is wrong, nobody knows where the next one begins.
        let kept = if is_length { record..=record + 1 } else { ends.len() - 2..=ends.len() - 2 };
        assert!(kept.contains(&contents.cells.len()), "at {at}: {}", contents.cells.len());
        assert!(contents.torn > 0);
        let all: Vec<_> = (0..ends.len() as u8 - 1).map(cell).collect();
        assert!(contents.cells.into_iter().all(|cell| all.contains(&cell)));
    }
}

#[test]
fn something_else_is_left_alone() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("cells.log");
    fs::write(&path, "my cells are dear to me").unwrap();
    let error = Log::open(&path).unwrap_err().to_string();
    assert!(error.contains("this is no log of cells"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "my cells are dear to me");
}

#[test]
fn any_bytes_are_read_as_far_as_they_are_whole() {
    let examples = [example().0];
    driftlock_fuzz::fuzz!(20_000, &examples, |bytes| {
        if let Some(contents) = log::read(bytes) {
            let again = log::read(&bytes[..contents.whole]).unwrap();
            assert_eq!((again.whole, again.cells), (contents.whole, contents.cells));
            assert!(again.torn <= contents.torn && contents.whole <= bytes.len());
        }
    });
}
