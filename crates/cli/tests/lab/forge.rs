//! Journals that nobody wrote so.

use driftlock_journal::{Footer, Header, Reader, Record, Writer};

use crate::place::Place;

/// What can be forged of a journal.
pub(crate) struct Parts {
    pub(crate) header: Header,
    pub(crate) records: Vec<Record>,
    pub(crate) footer: Footer,
}

impl Place {
    /// Write a journal again with something changed in it.
    pub(crate) fn forge(&self, from: &str, to: &str, change: impl FnOnce(&mut Parts)) {
        let bytes = self.read(from);
        let mut reader = Reader::new(bytes.as_slice()).unwrap();
        let mut records = Vec::new();
        while let Some(record) = reader.next_record().unwrap() {
            records.push(record);
        }
        let header = reader.header().clone();
        let mut parts = Parts { header, records, footer: reader.footer().unwrap().clone() };
        change(&mut parts);
        let links = reader.links().iter().copied();
        let mut writer = Writer::new(Vec::new(), &parts.header, links).unwrap();
        parts.records.iter().for_each(|record| writer.record(record).unwrap());
        self.write(to, writer.finish(&parts.footer).unwrap());
    }
}
