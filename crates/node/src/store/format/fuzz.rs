//! Any bytes where a state file is read.

use driftlock_fuzz::{Script, fuzz, within};

use super::*;

/// A file with a memory and two changes, entry by entry.
fn entries() -> [Vec<u8>; 3] {
    let link = driftlock_link::Remembered {
        memory: 1,
        epoch: 300,
        role: driftlock_core::LinkRole::Moving,
        received: Some(7),
        kept: vec![(1, vec![7; 20])],
        late: Vec::new(),
    };
    let changed = Change { links: vec![(NodeId(1), Some(link))], ..Change::default() };
    let forgotten = Change { links: vec![(NodeId(1), None)], forgotten: 300, ..Change::default() };
    let memory = Entry::of_memory(&Memory::new(NodeId(3), 77, true, 0));
    [memory, Entry::of_change(&changed, 1), Entry::of_change(&forgotten, 2)]
}

#[test]
fn a_state_file_is_read_or_refused() {
    let head = [Head::new(NodeId(3), "fleet").to_bytes(), Head::count(3).to_vec()].concat();
    let whole = [&head[..], &entries().concat()].concat();
    assert!(Head::read(&whole).is_ok_and(|head| read(&whole, head.entries).is_ok()));
    fuzz!(20_000, &[whole], |bytes| {
        let most = 4096 + 64 * bytes.len();
        let Ok(head) = within(most, || Head::read(bytes)) else { return };
        if let Ok(file) = within(most, || read(bytes, head.entries)) {
            assert!(head.entries <= file.entries && file.length <= bytes.len() as u64);
        }
    });
}

/// The check sums are right; what they are of is not.
#[test]
fn forged_entries_are_read_or_refused() {
    fuzz!(20_000, &[], |bytes| {
        let (mut script, mut file) = (Script::new(bytes), vec![0; HEAD]);
        for (k, entry) in (0..).zip(entries()) {
            let mut body = entry[8..].to_vec();
            match script.below(3) {
                0 => script.alter(&mut body),
                1 => body = script.bytes(40).to_vec(),
                _ => {}
            }
            file.extend((body.len() as u32).to_le_bytes());
            file.extend(check(k, &body).to_le_bytes());
            file.extend(body);
        }
        if let Ok(read) = within(4096 + 64 * file.len(), || read(&file, 1)) {
            assert!((1..=3).contains(&read.entries));
            // What was read can be written and is read again.
            let again = [vec![0; HEAD], Entry::of_memory(&read.memory)].concat();
            let same = super::read(&again, 1).expect("it was written just now");
            assert_eq!(same.memory, read.memory);
        }
    });
}
