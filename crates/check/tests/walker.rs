//! A node that walks through doorways and does nothing behind them: the doorways of LME-1 alone.

use driftlock_core::{
    Canonical, Graph, Initial, Input, Inspect, NoTimer, NodeId, Out, PeerMap, Protocol, Status,
    Tokens,
};
use driftlock_protocols::lme1::doorway::{Doors, Doorway, Notice, Passage, Place};
use serde::{Deserialize, Serialize};

/// Which doorways there are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// One, synchronous.
    Synchronous,
    /// One, asynchronous.
    Asynchronous,
    /// A synchronous one within an asynchronous one, and how often a node takes the return path.
    Double {
        /// How often it goes back to the entry of the inner doorway.
        returns: u8,
    },
}

/// The process: hungry is at an entry, eating is behind all doorways.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Walker {
    kind: Kind,
    status: Status,
    /// The doorway at whose entry it is.
    at: Option<Doorway>,
    /// How often it will take the return path.
    returns: u8,
    place: Place,
    neighbor: PeerMap<Passage>,
}

impl Protocol for Walker {
    type Msg = Notice;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Notice>, out: &mut Out<Notice>) {
        match input {
            Input::RequestCs(_) => {
                self.status = Status::Waiting;
                self.returns = match self.kind {
                    Kind::Double { returns } => returns,
                    Kind::Synchronous | Kind::Asynchronous => 0,
                };
                self.go_to(match self.kind {
                    Kind::Synchronous => Doorway::SdF,
                    Kind::Asynchronous | Kind::Double { .. } => Doorway::AdF,
                });
            }
            Input::ReleaseCs => {
                self.status = Status::Remainder;
                self.place.exit(Doors::F, self.neighbor.keys(), out);
            }
            Input::Recv { from, msg } => self.neighbor[from].hear(msg),
            Input::LinkUp { .. } | Input::LinkDown { .. } | Input::Returned { .. } => {
                unreachable!("links stay")
            }
            Input::Timer(never) => match never {},
        }
        while self.passes(out) {}
    }

    fn status(&self) -> Status {
        self.status
    }
}

impl Walker {
    fn go_to(&mut self, doorway: Doorway) {
        self.at = Some(doorway);
        Doorway::begin(self.neighbor.iter_mut().map(|(_, passage)| passage));
    }

    /// Cross the doorway at whose entry the node is, if it opens.
    fn passes(&mut self, out: &mut Out<Notice>) -> bool {
        let mut passages = self.neighbor.iter_mut().map(|(_, passage)| passage);
        let opens = self.at.filter(|doorway| doorway.opens(&mut passages));
        drop(passages);
        let Some(doorway) = opens else { return false };
        self.place.cross(doorway, self.neighbor.keys(), out);
        self.at = None;
        if doorway == Doorway::AdF && self.kind != Kind::Asynchronous {
            self.go_to(Doorway::SdF);
        } else if self.returns > 0 {
            self.returns -= 1;
            self.place.exit(Doorway::SdF.into(), self.neighbor.keys(), out);
            self.go_to(Doorway::SdF);
        } else {
            self.status = Status::Critical;
            out.enter_cs();
        }
        true
    }
}

impl Initial for Walker {
    type Config = Kind;

    fn initial(graph: &Graph, kind: &Kind) -> Vec<Self> {
        let outside = |&j: &NodeId| (j, Passage::behind(Doors::NONE));
        let walker = |i: NodeId| Walker {
            kind: *kind,
            status: Status::Remainder,
            at: None,
            returns: 0,
            place: Place::default(),
            neighbor: graph.neighbors(i).iter().map(outside).collect(),
        };
        graph.nodes().map(walker).collect()
    }
}

impl Inspect for Walker {
    const KINDS: &'static [&'static str] = &["Cross", "Exit"];

    fn kind(msg: &Notice) -> usize {
        usize::from(matches!(msg, Notice::Exit(_)))
    }

    fn knows(&self, _: NodeId) -> bool {
        true
    }
}

impl Tokens for Walker {
    fn held(&self) -> u32 {
        0
    }

    fn carried(_: &Notice) -> u32 {
        0
    }
}

impl Canonical for Walker {}
