//! Writing a run down.

use std::io;

use driftlock_core::NodeId;
use driftlock_journal::{Digest, Event as Recorded, Record, Writer};
use driftlock_spec::Rules;
use serde::Serialize;

use super::setup::{set_up_on, start_of};
use super::{Simulated, World};
use crate::scenario::Undefined;
use crate::span::TICKS_PER_UNIT;

/// A journal being written. The first error ends the writing and is told at the end of the run.
pub(super) struct Journal<'w> {
    pub(super) writer: Writer<&'w mut dyn io::Write>,
    /// The input of the step that is being taken.
    pub(super) input: Option<Recorded>,
    digest: Digest,
    pub(super) error: Option<io::Error>,
}

impl<'w, P: Simulated> World<'w, P> {
    /// Write the run down.
    pub fn record(
        mut self,
        config: &P::Config,
        software: &str,
        to: &'w mut dyn io::Write,
    ) -> Result<Self, io::Error>
    where
        P::Config: Serialize,
    {
        let graph = start_of(self.scenario, self.rules).map_err(io::Error::other)?.graph;
        let graph = set_up_on(self.scenario, &graph).map_err(io::Error::other)?;
        let header = driftlock_journal::Header {
            software: software.into(),
            protocol: self.scenario.protocol.clone(),
            config: serde_json::to_value(config)?,
            medium: self.scenario.medium(),
            undefined_stops: self.scenario.undefined == Undefined::Stop,
            n_nodes: NodeId::at(self.sites.len()).0,
            ticks_per_unit: TICKS_PER_UNIT,
            scenario: Some(self.scenario.to_toml()),
            rules: self.unusual_rules()?,
        };
        let writer = Writer::new(to, &header, graph.links())?;
        self.journal =
            Some(Journal { writer, input: None, digest: Digest::default(), error: None });
        Ok(self)
    }

    /// The rules, unless a journal need not tell them.
    fn unusual_rules(&self) -> Result<serde_json::Value, io::Error> {
        let undefined_stops = self.rules.undefined_stops;
        if self.rules == (Rules { undefined_stops, ..Rules::default() }) {
            return Ok(serde_json::Value::Null);
        }
        Ok(serde_json::to_value(self.rules)?)
    }

    #[cold]
    pub(super) fn write_down(&mut self, node: NodeId) {
        let status = self.sites[node.index()].process.status();
        let Some(journal) = self.journal.as_mut().filter(|journal| journal.error.is_none()) else {
            return;
        };
        let check = journal.digest.of(self.out.as_slice(), status);
        if let Some(event) = journal.input.take() {
            let record = Record { at: self.now, node, event, check };
            journal.error = journal.writer.record(&record).err();
        }
    }

    /// Write down what is no step of any process. After a broken promise nothing counts.
    pub(super) fn write_down_fault(&mut self, node: NodeId, event: Recorded) {
        if self.monitor.violation().is_some() {
            return;
        }
        if let Some(journal) = self.journal.as_mut().filter(|journal| journal.error.is_none()) {
            let record = Record { at: self.now, node, event, check: 0 };
            journal.error = journal.writer.record(&record).err();
        }
    }
}
