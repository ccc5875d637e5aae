//! What can happen, as a list: [`Action`]; and that of a journal: [`schedule_of`].

use std::io::BufRead;

use driftlock_core::{LinkRole, NodeId, ResourceId};
use driftlock_journal::{Event, Reader, Record};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::replay::setting_of;
use crate::{ReplayError, Setting};

/// One thing that happens to a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action<T> {
    /// The application of this node asks for this.
    Request(NodeId, ResourceId),
    /// The application of this node leaves the critical section.
    Release(NodeId),
    /// The oldest message in transit from `from` to `to` arrives.
    Deliver {
        /// Its sender.
        from: NodeId,
        /// Its receiver.
        to: NodeId,
    },
    /// A link comes up.
    LinkUp {
        /// The end that is told first.
        a: NodeId,
        /// The end that is told next.
        b: NodeId,
        /// Which of them moved.
        moving: NodeId,
    },
    /// A link goes down. What is in transit on it is lost, if the rules allow that.
    LinkDown {
        /// The end that is told first.
        a: NodeId,
        /// The end that is told next.
        b: NodeId,
    },
    /// Where links are settled, one end is told of a change. If it is the first to be told, that is
    /// when the link comes up or breaks. Before it hears that the link went down, what would be
    /// missed comes back to it.
    Tell {
        /// The end that is told.
        node: NodeId,
        /// The other end.
        peer: NodeId,
        /// As what it comes up, or nothing if it goes down.
        role: Option<LinkRole>,
    },
    /// This timer of this node goes off.
    Timer(NodeId, T),
    /// The oldest message in transit from `from` to `to` is lost.
    Lose {
        /// Its sender.
        from: NodeId,
        /// Its receiver.
        to: NodeId,
    },
    /// The oldest message in transit from `from` to `to` arrives and stays in transit as well.
    Duplicate {
        /// Its sender.
        from: NodeId,
        /// Its receiver.
        to: NodeId,
    },
    /// This node stops for good: it takes no more steps, what is sent to it is never received, and
    /// what it sent still arrives. If its links go down with it, a [`Lose`](Action::Lose) for each
    /// message it had sent and a [`LinkDown`](Action::LinkDown) for each link follow.
    Crash(NodeId),
    /// What this node is now it wakes up as if it is killed, unless something happens before that
    /// it has to write down.
    Save(NodeId),
    /// This node is killed, and wakes up as it was saved; if its protocol writes nothing down, as
    /// one that has met nobody. Its links are gone.
    Restart {
        /// Who is killed.
        node: NodeId,
        /// What for its application is still inside, if it outlives that and what was saved is not
        /// inside. It is let in again at once.
        inside: Option<ResourceId>,
    },
}

impl<T: Serialize> Action<T> {
    /// What a journal has of it: one event, or one for each end of a link.
    pub(crate) fn events(&self) -> Vec<(NodeId, Event)> {
        let role = |end, moving| if end == moving { LinkRole::Moving } else { LinkRole::Static };
        match *self {
            Action::Request(node, resource) => vec![(node, Event::Request(resource))],
            Action::Release(node) => vec![(node, Event::Release)],
            Action::Deliver { from, to } => vec![(to, Event::Recv(from))],
            Action::LinkUp { a, b, moving } => {
                let told = |end, peer| (end, Event::LinkUp(peer, role(end, moving)));
                vec![told(a, b), told(b, a)]
            }
            Action::LinkDown { a, b } => {
                vec![(a, Event::LinkDown(b)), (b, Event::LinkDown(a))]
            }
            Action::Tell { node, peer, role } => {
                vec![(node, role.map_or(Event::LinkDown(peer), |role| Event::LinkUp(peer, role)))]
            }
            Action::Timer(node, ref timer) => {
                let timer = postcard::to_allocvec(timer).expect("a timer can be serialized");
                vec![(node, Event::Timer(timer))]
            }
            Action::Lose { from, to } => vec![(to, Event::Lose(from))],
            Action::Duplicate { from, to } => vec![(to, Event::Duplicate(from))],
            Action::Crash(node) => vec![(node, Event::Crash)],
            Action::Save(node) => vec![(node, Event::Save)],
            Action::Restart { node, inside } => vec![(node, Event::Restart(inside))],
        }
    }
}

/// The schedule of a journal, and the world it runs in. What processes answered is not looked at.
pub fn schedule_of<T: DeserializeOwned, R: BufRead>(
    reader: &mut Reader<R>,
) -> Result<(Setting, Vec<Action<T>>), ReplayError> {
    let setting = setting_of(reader)?;
    let mut schedule = Vec::new();
    let settled = setting.rules.settled;
    // The end of a link that is told next belongs to the same action.
    let mut half_told = None;
    // So does what follows where something came back.
    let mut returning = None;
    for step in 1.. {
        let Some(record) = reader.next_record()? else { break };
        let comes_back = match record.event {
            Event::Returned(peer) => Some((record.node, peer)),
            _ => None,
        };
        let last = std::mem::replace(&mut returning, comes_back);
        let is_next = |(node, peer)| {
            let event = &record.event;
            node == record.node && [Event::Returned(peer), Event::LinkDown(peer)].contains(event)
        };
        if last.is_some_and(is_next) {
            continue;
        }
        let ends = match record.event {
            Event::LinkUp(peer, _) if !settled => Some((record.node, peer, true)),
            Event::LinkDown(peer) if !settled => Some((record.node, peer, false)),
            _ => None,
        };
        let is_second = half_told.is_some() && half_told == ends.map(|(b, a, up)| (a, b, up));
        half_told = ends.filter(|_| !is_second);
        if !is_second {
            let action = if settled { told_of(&record) } else { None };
            let action = action.map_or_else(|| action_of(record), Ok);
            schedule.push(action.map_err(|what| ReplayError::Impossible { step, what })?);
        }
    }
    Ok((setting, schedule))
}

/// What one end of a link is told by a record, where links are settled.
fn told_of<T>(record: &Record) -> Option<Action<T>> {
    let node = record.node;
    match record.event {
        Event::LinkUp(peer, role) => Some(Action::Tell { node, peer, role: Some(role) }),
        Event::Returned(peer) | Event::LinkDown(peer) => {
            Some(Action::Tell { node, peer, role: None })
        }
        _ => None,
    }
}

/// The action of a record; of a link, that of its first end.
fn action_of<T: DeserializeOwned>(record: Record) -> Result<Action<T>, String> {
    let node = record.node;
    Ok(match record.event {
        Event::Request(resource) => Action::Request(node, resource),
        Event::Release => Action::Release(node),
        Event::Recv(from) => Action::Deliver { from, to: node },
        Event::LinkUp(peer, role) => {
            let moving = if role == LinkRole::Moving { node } else { peer };
            Action::LinkUp { a: node, b: peer, moving }
        }
        Event::LinkDown(peer) => Action::LinkDown { a: node, b: peer },
        Event::Timer(bytes) => match postcard::from_bytes(&bytes) {
            Ok(timer) => Action::Timer(node, timer),
            Err(_) => return Err("its timer cannot be decoded".into()),
        },
        Event::Lose(from) => Action::Lose { from, to: node },
        Event::Duplicate(from) => Action::Duplicate { from, to: node },
        Event::Crash => Action::Crash(node),
        Event::Save => Action::Save(node),
        Event::Restart(inside) => Action::Restart { node, inside },
        Event::Returned(_) => return Err("nothing comes back on these links".into()),
    })
}
