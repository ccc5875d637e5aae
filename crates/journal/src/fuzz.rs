//! Any bytes where journals are read.

use driftlock_core::{LinkRole, NodeId, ResourceId};
use driftlock_fuzz::{Script, fuzz, within};

use crate::{Event, Footer, Header, JournalError, Reader, Record, Writer, checksum};

fn journal() -> Vec<u8> {
    let header = Header { protocol: "rl".into(), n_nodes: 3, ..Header::default() };
    let links = [(NodeId(0), NodeId(1)), (NodeId(1), NodeId(2))];
    let mut writer = Writer::new(Vec::new(), &header, links).expect("it is in memory");
    let events = [
        Event::Request(ResourceId(9)),
        Event::Recv(NodeId(1)),
        Event::LinkUp(NodeId(0), LinkRole::Moving),
        Event::Timer(vec![1, 2, 3]),
        Event::Crash,
    ];
    for (k, event) in (0..).zip(events) {
        writer.record(&Record { at: k * 300, node: NodeId(2), event, check: 7 }).expect("likewise");
    }
    writer.finish(&Footer { steps: 5, ..Footer::default() }).expect("likewise")
}

/// The blocks of a journal, by their places.
fn blocks(bytes: &[u8]) -> Vec<core::ops::Range<usize>> {
    let mut start = bytes.iter().position(|&byte| byte == b'\n').expect("a first line") + 1;
    let mut found = Vec::new();
    while start < bytes.len() {
        let length = u32::from_le_bytes(bytes[start + 1..start + 5].try_into().expect("4 bytes"));
        found.push(start..start + 9 + length as usize);
        start += 9 + length as usize;
    }
    found
}

/// Read all of it. Memory is in proportion to what is there.
fn read(bytes: &[u8]) -> Result<u64, JournalError> {
    within(16 * 1024 + 64 * bytes.len(), || {
        let mut reader = Reader::new(bytes)?;
        let (mut records, mut last) = (0, 0);
        while let Some(record) = reader.next_record()? {
            assert!(record.node.0 < reader.header().n_nodes && last <= record.at);
            (records, last) = (records + 1, record.at);
        }
        assert!(reader.footer().is_some());
        Ok(records)
    })
}

#[test]
fn any_bytes_are_read_or_refused() {
    assert!(matches!(read(&journal()), Ok(5)));
    fuzz!(20_000, &[journal()], |bytes| {
        let is_whole = bytes == journal();
        assert_eq!(read(bytes).is_ok(), is_whole);
    });
}

/// The check sums are right; what they are of is not.
#[test]
fn forged_blocks_are_read_or_refused() {
    fuzz!(20_000, &[], |bytes| {
        let whole = journal();
        let places = blocks(&whole);
        let mut script = Script::new(bytes);
        let mut forged = whole[..places[0].start].to_vec();
        let mut next = 0;
        while next < places.len() {
            let block = &whole[places[next].clone()];
            let (mut kind, mut contents) = (block[0], block[9..].to_vec());
            match script.below(4) {
                0 => script.alter(&mut contents),
                1 => contents = script.bytes(30).to_vec(),
                2 if script.below(8) == 0 => kind = script.byte(),
                _ => {}
            }
            forged.push(kind);
            forged.extend((contents.len() as u32).to_le_bytes());
            forged.extend(checksum(kind, &contents).to_le_bytes());
            forged.extend(contents);
            next += usize::from(script.is_over() || script.below(4) != 0);
        }
        if let Ok(records) = read(&forged) {
            assert!(records as usize <= forged.len());
        }
    });
}
