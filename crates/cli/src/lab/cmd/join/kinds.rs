//! What a lock of each kind is judged by.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Context, Result, ensure};
use driftlock_core::{Graph, Medium, NodeId};
use driftlock_locks::Kind;
use driftlock_protocols::Variant;
use driftlock_protocols::gme::{self, Gme};
use driftlock_protocols::krl::{self, Forwarding, Krl};
use driftlock_protocols::lme2::{self, Lme2};
use driftlock_replay::{Joined, PartStep, Replayable, Setting, join};
use driftlock_spec::Rules;
use driftlock_spec::exclusion::Exclusion;
use serde::Serialize;

/// Who writes journals.
const SOFTWARE: &str = concat!("driftlock ", env!("CARGO_PKG_VERSION"));

/// The steps of one lock, by node.
pub(super) type Parts = BTreeMap<NodeId, Vec<PartStep>>;

/// Join what the nodes of a network wrote down of a lock of this kind, and write it as a journal.
/// Node 0 has founded the network.
pub(super) fn join_parts(kind: Kind, parts: &Parts, to: &mut dyn Write) -> Result<Joined> {
    let most = |k| Rules { exclusion: Exclusion::AtMost(k), ..Rules::default() };
    let krl = |k, forwarding| krl::Config::new(Variant::Repaired, k, forwarding);
    let group = Rules { exclusion: Exclusion::SameGroup, ..Rules::default() };
    match kind {
        Kind::Exclusive => joined::<Krl>("rlp", most(1), &krl(1, Forwarding::Never), parts, to),
        Kind::Permits(k) => {
            let nodes = parts.keys().last().map_or(0, |node| node.index() + 1);
            ensure!(k as usize <= nodes, "a lock with {k} permits needs {k} nodes to be joined");
            joined::<Krl>("krla", most(k), &krl(k, Forwarding::Adaptive), parts, to)
        }
        Kind::Group => joined::<Gme>("gme", group, &gme::Config::default(), parts, to),
        Kind::Local => joined::<Lme2>("lme2", Rules::local(2), &lme2::Config::default(), parts, to),
    }
}

fn joined<P>(
    protocol: &str,
    rules: Rules,
    config: &P::Config,
    parts: &Parts,
    to: &mut dyn Write,
) -> Result<Joined>
where
    P: Replayable<Config: Serialize>,
{
    let nodes = parts.keys().last().context("nobody has written anything down")?;
    let setting = Setting {
        protocol: protocol.to_owned(),
        graph: Graph::new(nodes.index() + 1),
        medium: Medium::Links,
        rules: Rules { settled: true, partitions: true, ..rules },
    };
    let joined = join::<P>(&setting, config, parts)?;
    joined.write(&setting, config, SOFTWARE, to).context("cannot write the journal")?;
    Ok(joined)
}
