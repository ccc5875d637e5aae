//! Who belongs to the network, as the local API has it.

use driftlock_client::wire::{
    Code, Counting, Done, Heard, Member as Listed, Members, Refusal, Voting,
};
use driftlock_core::NodeId;
use driftlock_roster::{Member, Pending, Wish};

use crate::shared::{Shared, refusal};

pub(crate) fn members(shared: &Shared) -> Members {
    let view = shared.engine.council.view();
    let mut members = Members { belongs: view.belongs, sure: view.sure, ..Members::default() };
    if let Some(list) = &view.roster {
        (members.version, members.epoch) = (list.version, list.epoch);
        let listed = list.members.iter().map(|(id, listed)| Listed {
            node: id.0,
            alone_ms: (0 < listed.lease).then_some(listed.lease / 1000),
            memory: format!("{:016x}", listed.memory),
        });
        members.members = listed.collect();
    }
    for pending in view.pending {
        match pending {
            Pending::Vote { wishes, agreed } => {
                members.voting = Some(voting(&wishes, numbers(agreed)));
            }
            Pending::Count { silent, until } => {
                let wait_ms = until.map_or(0, |until| until.saturating_sub(shared.now()) / 1000);
                members.counting = Some(Counting { silent: numbers(silent), wait_ms });
            }
            Pending::Heard(id, by) => {
                members.heard.push(Heard { node: id.0, by: numbers(by) });
            }
        }
    }
    members.oblivious = numbers(view.oblivious);
    members
}

fn voting(wishes: &[Wish], agreed: Vec<u32>) -> Voting {
    let mut voting = Voting { agreed, ..Voting::default() };
    for wish in wishes {
        let list = match wish {
            Wish::Forget(..) => &mut voting.forget,
            Wish::Leave(_) => &mut voting.leave,
            Wish::Join(..) => &mut voting.join,
        };
        let node = wish.member().id.0;
        if !list.contains(&node) {
            list.push(node);
        }
    }
    voting
}

fn numbers(ids: Vec<NodeId>) -> Vec<u32> {
    ids.into_iter().map(|id| id.0).collect()
}

/// What people should know about it.
pub(crate) fn warnings(shared: &Shared) -> Vec<String> {
    let members = members(shared);
    let mut warnings = Vec::new();
    let mut warn = |what: String| warnings.push(what);
    if members.version == 0 {
        warn("this node belongs to no network yet: no member of one was heard".to_owned());
    } else if !members.belongs {
        warn("this node is not a member yet: a majority has to agree".to_owned());
    } else if !members.sure {
        let what = "this node is not sure to be a member, and uses no tokens";
        warn(format!("{what}: it has not been heard by a majority since it was started or alone"));
    }
    if let Some(voting) = members.voting.filter(|_| members.belongs) {
        let wished = [("forget", voting.forget), ("leave", voting.leave), ("join", voting.join)];
        let wished = wished.into_iter().filter(|(_, nodes)| !nodes.is_empty());
        let wished: Vec<String> =
            wished.map(|(what, who)| format!("{what} {}", list(&who))).collect();
        let of = members.members.len();
        let wished = wished.join(", ");
        warn(format!("members: {wished}: {} of {of} have voted", voting.agreed.len()));
    }
    if let Some(counting) = members.counting {
        let what = "tokens are being counted, to make lost ones anew";
        warn(match (counting.silent.is_empty(), counting.wait_ms) {
            (false, _) => format!("{what}: node {} has not answered", list(&counting.silent)),
            (true, ms) => {
                format!("{what}, in {} s: until then, the old ones may be in use", ms / 1000)
            }
        });
    }
    for heard in members.heard {
        let by = list(&heard.by);
        warn(format!("node {} was not forgotten: it is heard by node {by}", heard.node));
    }
    for node in members.oblivious {
        let what = format!("node {node} has lost its memory, and what it had is missing");
        warn(format!("{what}: `driftlock forget {node} --stopped` makes it anew"));
    }
    for peer in &shared.engine.foreign {
        let what = format!("node {} belongs to another network of the same name and key", peer.0);
        warn(format!("{what}: only one node may be started with --found"));
    }
    warnings
}

fn list(nodes: &[u32]) -> String {
    nodes.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

impl Shared {
    /// Have the network forget a node; `stopped`: somebody has seen that nothing runs there.
    pub(crate) fn forget(&mut self, session: u64, request: u64, node: u32, stopped: bool) {
        let answer = self.may_forget(node, stopped).map(|member| {
            self.act(|engine, now, effects| engine.forget(now, member, effects));
            Done {}
        });
        self.answer(session, request, answer);
    }

    fn may_forget(&self, node: u32, stopped: bool) -> Result<Member, Refusal> {
        let bad = |what: String| refusal(Code::BadRequest, what);
        let id = NodeId(node);
        let council = &self.engine.council;
        let list = council.roster().filter(|_| council.belongs());
        let list = list.ok_or_else(|| bad("this node is not a member itself".to_owned()))?;
        if id == self.config.id {
            return Err(bad("this is that node: have it leave".to_owned()));
        }
        let listed = list.members.get(&id);
        let listed = listed.ok_or_else(|| bad(format!("node {node} is not a member")))?;
        if listed.lease == 0 && !stopped {
            let what = format!("node {node} may still be running what it holds locks for");
            let how = "see that it is off, and say so with --stopped";
            return Err(bad(format!("{what} (it was started without --alone): {how}")));
        }
        Ok(Member { id, memory: listed.memory })
    }
}
