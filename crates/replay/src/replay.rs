//! A journal, run again and verified step by step: [`replay`].

use std::io::BufRead;

use driftlock_core::{Graph, NodeId};
use driftlock_journal::{Header, JournalError, Reader, Record};
use driftlock_spec::{Rules, Violation};
use thiserror::Error;

use crate::stage::{Happening, Outputs, Stage};
use crate::{Replayable, Setting};

/// Why a replay ended before the journal did.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The journal cannot be read further.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The network in the journal is one that no run starts from.
    #[error("has an initial network that is not connected")]
    Network,
    /// The rules in the journal are none.
    #[error("has rules that make no sense: {0}")]
    Rules(String),
    /// A step cannot be taken.
    #[error("cannot be replayed from step {step} on: {what}")]
    Impossible {
        /// Which step, counted from 1.
        step: u64,
        /// Why.
        what: String,
    },
    /// A step answered something else than it did when the journal was written.
    #[error("differs in step {step}: the process of {node} answers otherwise than was recorded")]
    Differs {
        /// Which step, counted from 1.
        step: u64,
        /// Whose.
        node: NodeId,
    },
    /// The journal ends otherwise than the replay does.
    #[error("ends otherwise: recorded was `{recorded}`, replayed is `{replayed}`")]
    OtherEnd {
        /// What the journal says.
        recorded: String,
        /// What the replay says.
        replayed: String,
    },
}

/// A journal that was replayed to its end.
#[derive(Debug)]
pub struct Replayed {
    /// How many steps there were.
    pub steps: u64,
    /// The first broken promise.
    pub violation: Option<Violation>,
}

/// More nodes than this do not fit into the memory of today's machines.
const NODES_MAX: usize = 20_000_000;

/// What happened: when, to whom, what it was, what was answered.
pub type Seen<'s, P> = dyn FnMut(u64, NodeId, Happening<'_, P>, &Outputs<P>) + 's;

/// Run the steps of a journal again. `seen` is shown each of them.
pub fn replay<P: Replayable, R: BufRead>(
    reader: &mut Reader<R>,
    config: &P::Config,
    seen: &mut Seen<'_, P>,
) -> Result<Replayed, ReplayError> {
    let setting = setting_of(reader)?;
    let mut stage: Stage<P> = Stage::new(&setting, config).ok_or(ReplayError::Network)?;
    let mut ended_at = 0;
    while let Some(Record { at, node, event, check }) = reader.next_record()? {
        ended_at = at;
        let step = stage.steps() + 1;
        let answered = stage
            .take(at, node, &event, &mut |happening, outputs| seen(at, node, happening, outputs))
            .map_err(|what| ReplayError::Impossible { step, what })?;
        if answered != check {
            return Err(ReplayError::Differs { step: stage.steps(), node });
        }
    }
    let footer = reader.footer().cloned().unwrap_or_default();
    stage.end(ended_at, footer.end);
    let (recorded, replayed) = (footer.steps, stage.steps());
    if recorded != replayed {
        let (recorded, replayed) = (format!("{recorded} steps"), format!("{replayed} steps"));
        return Err(ReplayError::OtherEnd { recorded, replayed });
    }
    let violation = stage.violation().cloned();
    let told = |violation: Option<String>| violation.unwrap_or_else(|| "all promises held".into());
    let recorded = told(footer.violation);
    let replayed = told(violation.as_ref().map(Violation::to_string));
    if recorded != replayed {
        return Err(ReplayError::OtherEnd { recorded, replayed });
    }
    Ok(Replayed { steps: stage.steps(), violation })
}

/// The world of a journal.
pub(crate) fn setting_of<R: BufRead>(reader: &Reader<R>) -> Result<Setting, ReplayError> {
    let header = reader.header();
    let rules = rules_of(header)?;
    // A connected network has links enough for its nodes; a forged number reserves no memory. One
    // that need not be connected is no larger than what can be simulated.
    let alone = rules.partitions && reader.links().is_empty();
    let may_be_apart = rules.locality.is_some() || rules.settled || alone;
    let most = if may_be_apart { NODES_MAX } else { reader.links().len() + 1 };
    if header.n_nodes as usize > most {
        return Err(ReplayError::Network);
    }
    let mut graph = Graph::new(header.n_nodes as usize);
    for &(a, b) in reader.links() {
        graph.link(a, b);
    }
    let (protocol, medium) = (header.protocol.clone(), header.medium);
    Ok(Setting { protocol, graph, medium, rules })
}

fn rules_of(header: &Header) -> Result<Rules, ReplayError> {
    let usual = Rules { undefined_stops: header.undefined_stops, ..Rules::default() };
    if header.rules.is_null() {
        return Ok(usual);
    }
    let rules: Rules = serde_json::from_value(header.rules.clone())
        .map_err(|error| ReplayError::Rules(error.to_string()))?;
    if rules.undefined_stops != header.undefined_stops {
        return Err(ReplayError::Rules("undefined steps both stop the run and do not".into()));
    }
    Ok(rules)
}
