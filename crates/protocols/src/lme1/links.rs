//! Link creation and failure, lines 44 to 61.

use driftlock_core::{NodeId, Out};

use super::doorway::{Doors, Doorway, Passage};
use super::{Link, Lme1, Msg, Phase};
use crate::Variant;

impl Lme1 {
    /// When LinkUp(j) arrives while static:
    pub(super) fn on_link_up_static(&mut self, j: NodeId, out: &mut Out<Msg>) {
        //                                                                             44
        self.link.insert(j, Link::new(true, Doors::NONE)); //                          45
        out.send(j, Msg::Info(self.color, self.place.doors())); //                     46
    }

    /// When LinkUp(j) arrives while moving:
    pub(super) fn on_link_up_moving(&mut self, j: NodeId, out: &mut Out<Msg>) {
        //                                                                             47
        self.link.insert(j, Link { awaited: true, ..Link::new(false, Doors::ALL) }); // 48
        self.moved = true;
        let hungry = self.phase != Phase::Thinking;
        if self.phase == Phase::Eating {
            out.demote(); //                                                       49, 50
        }
        if self.variant == Variant::Published {
            self.send_suspended(|_, _, _| true, out); //                                  51
            self.exit(Doors::ALL, out); //                                             52
        } else {
            self.exit(Doors::ALL, out); // D1
            self.send_suspended(|_, _, _| true, out);
        }
        self.forget_asked();
        self.recoloring = None;
        self.phase = if hungry { Phase::Arriving } else { Phase::Thinking }; //  53, 54, 55
    }

    /// A new neighbor that stood still has said where it is.
    pub(super) fn on_info(&mut self, j: NodeId, color: Option<i32>, behind: Doors) {
        let link = &mut self.link[j];
        (link.color, link.passage, link.awaited) = (color, Passage::behind(behind), false);
    }

    /// When LinkDown(j) arrives:
    pub(super) fn on_link_down(&mut self, j: NodeId, out: &mut Out<Msg>) {
        //                                                                             56
        let Some(link) = self.link.remove(j) else { return }; //                       58
        let low = self.is_low(j, &link);
        let collecting = match self.variant {
            Variant::Published => self.is_behind(Doorway::SdF), //                     57
            Variant::Repaired => self.phase == Phase::Collecting,
        };
        if collecting && !link.at && low {
            //                                                                         59
            self.exit(Doorway::SdF.into(), out); //                                    60
            if self.variant == Variant::Repaired {
                self.send_suspended(|_, _, _| true, out); // D7
            }
            self.forget_asked();
            self.go_to(Doorway::SdF);
        }
        if let Some(recoloring) = &mut self.recoloring {
            recoloring.leave(j); //                                                    61
        }
    }
}

impl Link {
    /// A link to a neighbor without a color that is behind these doorways.
    pub(super) fn new(at: bool, behind: Doors) -> Self {
        let passage = Passage::behind(behind);
        Link { color: None, passage, at, suspended: false, asked: false, awaited: false }
    }
}
