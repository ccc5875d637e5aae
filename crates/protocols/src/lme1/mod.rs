//! LME-1, local mutual exclusion with doorways, forks and colors: no two neighbors at once, and
//! whoever stands still gets in after a time that hardly depends on the size of the network.
//!
//! H. Attiya, A. Kogan, J. L. Welch: *Efficient and Robust Local Mutual Exclusion in Mobile Ad Hoc
//! Networks*. ICDCS 2008, sections 3 and 4. The line numbers are those of Algorithm 1. The extended
//! abstract leaves out the code of the doorways and of `new-color()`; these are reconstructions.
//!
//! # Idea
//!
//! There is a fork for each link, and who has all its forks eats. Nodes have colors, and the
//! smaller one goes first. A hungry node first collects the forks that it shares with its low
//! neighbors (with smaller colors), giving away any fork it is asked for; once it has these it asks
//! for the rest, and keeps what it has from its high neighbors. Who has eaten takes the smallest
//! color that no neighbor has. Who has moved takes a new color first, together with those of its
//! neighbors that do so at the same time. Doorways see to it that nobody who comes late interferes
//! (Figure 3):
//!
//! ```text
//!        moved: AD^r → SD^r → recoloring ──┐                           ┌── return path ──┐
//! hungry ──────────────────────────────────┴→ AD^f → exit SD^r, AD^r → SD^f → collect forks → eat
//! ```
//!
//! | file | what it is | in the paper |
//! |---|---|---|
//! | [`doorway`] | doorways | section 3 |
//! | `forks` | the fork collection module | lines 1 to 35 |
//! | `recolor` | the wrapper of the recoloring module | lines 36 to 43 |
//! | `coloring` | `new-color()`, greedy and Linial's | section 4.4 |
//! | [`family`] | the sets of Linial's coloring | Theorem 6 |
//! | `links` | link creation and failure | lines 44 to 61 |
//!
//! # Model
//!
//! Links are bidirectional and FIFO. Both ends learn at the same time that a link comes up or goes
//! down, one of them as the end that stood still; links change only where a node moves. What is in
//! transit on a link that goes down is lost with its fork. The network may fall apart. Nodes may
//! stop for good, and nobody is told.
//!
//! # Names
//!
//! | paper | here |
//! |---|---|
//! | thinking, hungry, eating | `Remainder`, `Waiting`, `Critical` |
//! | `N` | the peers of `link` |
//! | `color[i]`, `color[j]` | `color`, `link[j].color`; none is ⊥ |
//! | `S` | the peers with `link[j].suspended` |
//! | `at[j]`, `L[j]` | `link[j].at`, `link[j].passage` |
//! | `R` | the peers of `recoloring` |
//!
//! # Reading of the published text
//!
//! Lines 52 to 55 do not depend on line 49, as the text says. To wait for the color of a new
//! neighbor (line 53) is a state, not a line on which a node stands still, and it is over when the
//! link goes down. A node that never had a color is one that has moved.
//!
//! # Where this departs from the paper
//!
//! * **D1.** Who has eaten exits the doorways before it gives its forks away. In the paper (lines 8
//!   and 9) it gives them away while it is still behind, with a color that is new, and so may ask
//!   to have them back though it wants nothing.
//! * **D2.** A fork that arrives counts only where forks are being collected, and goes back at once
//!   elsewhere if it is wanted back. In the paper (lines 19 to 23) whoever has all forks eats, even
//!   if it is thinking or waits at a doorway, where it gives its forks to whoever asks: two
//!   neighbors eat.
//! * **D3.** When a link goes down, the node looks whether it has all forks now, or all low ones.
//!   In the paper (lines 56 to 61) it does not, and waits for ever for the fork of a node that
//!   left.
//! * **D4.** Equal colors are told apart by the identifiers, and ⊥ is larger than any color. A node
//!   outside `SD^f` never suspends a request. In the paper a neighbor of the same color, or with
//!   none, is neither low nor high: it is never asked, and its requests are suspended for ever.
//! * **D5.** A node that leaves the recoloring before it is done is dropped by the others when they
//!   hear that it has exited `SD^r`. In the paper (lines 40 to 43, 61) they wait for its next
//!   message for ever.
//! * **D6.** Recolorings are numbered, and a node takes part only with those who have said so: each
//!   first message is answered by "so do I", "not I", or "not now", and who is told "not now" goes
//!   back to the entry of `SD^r`. In the paper (line 43) a NACK may be meant for an earlier
//!   recoloring, and a node that has crossed `SD^r` but is done is waited for.
//! * **D7.** Who goes back to the entry of `SD^f`, or comes to lack a low fork, gives away all
//!   forks that others wait for, as the text says (section 4.1) and line 60 does not. A fork is
//!   asked for once.
//! * **D8.** Greedy, a node waits for the colors of those recoloring neighbors that have smaller
//!   identifiers, and takes the smallest color that none of them took; see [`Coloring`].

mod coloring;
pub mod doorway;
pub mod family;
mod forks;
mod initial;
mod links;
mod outside;
mod recolor;

use alloc::boxed::Box;

use driftlock_core::{Input, LinkRole, NoTimer, NodeId, Out, PeerMap, Protocol, Status};

use self::doorway::{Doors, Doorway, Notice, Passage, Place};
use self::family::Rounds;
pub use self::initial::{Coloring, Config};
use self::recolor::Recoloring;
use crate::Variant;

/// The messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Msg {
    /// The sender has crossed or exited doorways.
    Notice(Notice),
    /// The sender wants the fork.
    Req,
    /// The fork; and whether the sender wants it back.
    Fork(bool),
    /// The sender's color has changed.
    UpdateColor(i32),
    /// The sender's color and the doorways that it is behind, over a new link.
    Info(Option<i32>, Doors),
    /// A message of `new-color()`.
    NewColor {
        /// Which of the sender's recolorings it is of (D6).
        session: u32,
        /// After how many rounds.
        round: u8,
        /// The sender's color then; none if it has taken a color that nobody else can have.
        color: Option<u32>,
    },
    /// To a message of `new-color()`: the receiver's recoloring of this number has the sender in
    /// its company (D6).
    Ack(u32),
    /// It has not.
    Nack(u32),
    /// It has to wait for the sender (D6).
    Busy(u32),
}

impl From<Notice> for Msg {
    fn from(notice: Notice) -> Self {
        Msg::Notice(notice)
    }
}

/// Where a node is on its way from thinking to eating.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Phase {
    Thinking,
    /// Hungry, and the colors of new neighbors are not known yet, line 53.
    Arriving,
    /// At the entry of a doorway.
    At(Doorway),
    /// Behind `SD^r`.
    Recoloring,
    /// Behind `SD^f`.
    Collecting,
    Eating,
}

/// What a node knows of the link to a neighbor `j`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Link {
    /// `color[j]`.
    color: Option<i32>,
    /// `L[j]`.
    passage: Passage,
    /// `at[j]`.
    at: bool,
    /// `j ∈ S`.
    suspended: bool,
    /// Whether the fork is not here and `j` knows that it is wanted, or will know (D7).
    asked: bool,
    /// Whether the color of `j` is awaited, to which this node has moved.
    awaited: bool,
}

/// The process of one node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lme1 {
    i: NodeId,
    variant: Variant,
    coloring: Coloring,
    /// The rounds of a recoloring, if it is Linial's.
    rounds: Rounds,
    phase: Phase,
    /// Whether this node has to recolor before it eats: it has moved, or never had a color.
    moved: bool,
    place: Place,
    color: Option<i32>,
    link: PeerMap<Link>,
    /// The number of the last recoloring of this node (D6).
    session: u32,
    recoloring: Option<Box<Recoloring>>,
}

impl Protocol for Lme1 {
    type Msg = Msg;
    type Timer = NoTimer;

    fn step(&mut self, input: Input<Msg>, out: &mut Out<Msg>) {
        match input {
            Input::RequestCs(_) => self.on_request_cs(),
            Input::ReleaseCs => self.on_release_cs(out),
            Input::Recv { from: j, msg } => self.on_message(j, msg, out),
            Input::LinkUp { peer: j, role: LinkRole::Static } => self.on_link_up_static(j, out),
            Input::LinkUp { peer: j, role: LinkRole::Moving } => self.on_link_up_moving(j, out),
            Input::LinkDown { peer: j } => self.on_link_down(j, out),
            Input::Timer(never) => match never {},
            Input::Returned { .. } => panic!("nothing here carries a token or weight"),
        }
        self.proceed(out);
    }

    fn status(&self) -> Status {
        match self.phase {
            Phase::Thinking => Status::Remainder,
            Phase::Eating => Status::Critical,
            _ => Status::Waiting,
        }
    }
}

/// The events, but for those that have a file of their own; `proceed` follows each of them.
impl Lme1 {
    fn on_message(&mut self, j: NodeId, msg: Msg, out: &mut Out<Msg>) {
        match msg {
            Msg::Notice(notice) => self.on_notice(j, notice),
            Msg::Req => self.on_req(j, out),
            Msg::Fork(flag) => self.on_fork(j, flag, out),
            Msg::UpdateColor(color) => self.link[j].color = Some(color),
            Msg::Info(color, behind) => self.on_info(j, color, behind),
            Msg::NewColor { session, round, color } => {
                self.on_new_color(j, session, round, color, out);
            }
            Msg::Ack(session) => self.on_ack(j, session),
            Msg::Nack(session) => self.on_nack(j, session),
            Msg::Busy(session) => self.on_busy(session, out),
        }
    }

    fn on_request_cs(&mut self) {
        assert_eq!(self.phase, Phase::Thinking, "RequestCs only in the remainder section");
        self.start();
    }

    fn on_notice(&mut self, j: NodeId, notice: Notice) {
        let passage = &mut self.link[j].passage;
        let was_behind = passage.behind;
        passage.hear(notice);
        let gone = was_behind.contains(Doorway::SdR) && !passage.behind.contains(Doorway::SdR);
        if gone && self.variant == Variant::Repaired {
            self.drop_who_left(j); // D5
        }
    }
}

/// How the modules are composed (Figure 3).
impl Lme1 {
    /// A hungry node is on its way.
    fn start(&mut self) {
        let awaits = self.link.iter().any(|(_, link)| link.awaited);
        match (awaits, self.moved) {
            (true, _) => self.phase = Phase::Arriving,
            (false, true) => self.go_to(Doorway::AdR),
            (false, false) => self.go_to(Doorway::AdF),
        }
    }

    /// Begin the entry of a doorway.
    fn go_to(&mut self, doorway: Doorway) {
        self.phase = Phase::At(doorway);
        Doorway::begin(self.link.iter_mut().map(|(_, link)| &mut link.passage));
    }

    /// Go on as far as possible.
    fn proceed(&mut self, out: &mut Out<Msg>) {
        while self.go_on(out) {}
    }

    /// Take the next step on the way. Returns whether there was one to take.
    fn go_on(&mut self, out: &mut Out<Msg>) -> bool {
        match self.phase {
            Phase::Thinking | Phase::Eating => return false,
            Phase::Arriving if self.link.iter().any(|(_, link)| link.awaited) => return false,
            Phase::Arriving => self.start(),
            Phase::At(doorway) => return self.opens(doorway) && self.cross(doorway, out),
            Phase::Recoloring => return self.recolor(out),
            Phase::Collecting => {
                self.collect(out);
                return false;
            }
        }
        true
    }

    fn opens(&mut self, doorway: Doorway) -> bool {
        doorway.opens(self.link.iter_mut().map(|(_, link)| &mut link.passage))
    }

    fn cross(&mut self, doorway: Doorway, out: &mut Out<Msg>) -> bool {
        self.place.cross(doorway, self.link.keys(), out);
        match doorway {
            Doorway::AdR => self.go_to(Doorway::SdR),
            Doorway::SdR => self.on_sd_r_crossed(out),
            Doorway::AdF => {
                self.exit(Doors::R, out);
                self.go_to(Doorway::SdF);
            }
            Doorway::SdF => self.on_sd_f_crossed(out),
        }
        true
    }

    fn exit(&mut self, doors: Doors, out: &mut Out<Msg>) {
        self.place.exit(doors, self.link.keys(), out);
    }

    #[inline]
    fn is_behind(&self, doorway: Doorway) -> bool {
        self.place.is_behind(doorway)
    }
}
