//! The fork collection module, lines 1 to 35: preemptive, low forks first.

use driftlock_core::{NodeId, Out};

use super::doorway::{Doors, Doorway};
use super::{Coloring, Link, Lme1, Msg, Phase};
use crate::Variant;

/// The events.
impl Lme1 {
    /// When `SD^f` is crossed:
    pub(super) fn on_sd_f_crossed(&mut self, out: &mut Out<Msg>) {
        //                                                                              1
        self.phase = Phase::Collecting;
        if self.variant == Variant::Published {
            if self.has_all_forks() {
                self.eat(out); //                                                       2
            }
            if self.has_low_forks() {
                self.request_high_forks(out); //                                        3
            } else {
                self.request_low_forks(out); //                                         4
            }
        }
    }

    /// When the state is set to thinking:
    pub(super) fn on_release_cs(&mut self, out: &mut Out<Msg>) {
        assert_eq!(self.phase, Phase::Eating, "ReleaseCs only in the critical section");
        self.phase = Phase::Thinking; //                                                5
        if self.coloring != Coloring::Given {
            let color = self.smallest_free_color(); //                                  6
            self.take_color(color, out); //                                             7
        }
        if self.variant == Variant::Published {
            self.send_suspended(|_, _, _| true, out); //                                   8
            self.exit(Doors::F, out); //                                                9
        } else {
            self.exit(Doors::F, out); // D1
            self.send_suspended(|_, _, _| true, out);
        }
        self.forget_asked();
    }

    /// When `req` is received from `j`:
    pub(super) fn on_req(&mut self, j: NodeId, out: &mut Out<Msg>) {
        if !self.link[j].at {
            return; //                                                                 10
        }
        let outside = !self.is_behind(Doorway::SdF);
        let link = &self.link[j];
        let (low, high) = (self.is_low(j, link), self.is_high(j, link));
        if self.variant == Variant::Repaired && outside {
            self.send_fork(j, out); // D4
        } else if high && (!self.has_low_forks() || outside) {
            self.send_fork(j, out); //                                             11, 12
        } else if low && (!self.has_all_forks() || outside) {
            //                                                                     13, 14
            self.send_fork(j, out);
            self.release_high_forks(out); //                                           15
        } else {
            self.link[j].suspended = true; //                                          16
        }
    }

    /// When `<fork, flag>` is received from `j`:
    pub(super) fn on_fork(&mut self, j: NodeId, flag: bool, out: &mut Out<Msg>) {
        let link = &mut self.link[j]; //                                               17
        (link.at, link.asked) = (true, false); //                                      18
        if self.variant == Variant::Published {
            return self.go_on_with_fork(j, flag, out);
        }
        let collecting = self.phase == Phase::Collecting; // D2
        if flag && collecting && self.has_low_forks() {
            self.link[j].suspended = true;
        } else if flag {
            self.send_fork(j, out);
        }
    }

    fn go_on_with_fork(&mut self, j: NodeId, flag: bool, out: &mut Out<Msg>) {
        if self.has_all_forks() {
            self.eat(out); //                                                          19
        }
        if self.has_low_forks() {
            //                                                                         20
            self.link[j].suspended |= flag; //                                         21
            self.request_high_forks(out); //                                           22
        } else if flag {
            self.send_fork(j, out); //                                                 23
        }
    }
}

/// The procedures.
impl Lme1 {
    /// What a node does that collects forks, after every event: lines 2 to 4 and 19 to 22.
    pub(super) fn collect(&mut self, out: &mut Out<Msg>) {
        if self.variant == Variant::Published {
            return;
        }
        if self.has_all_forks() {
            self.eat(out); // D3
        } else if self.has_low_forks() {
            self.request_high_forks(out);
        } else {
            self.release_high_forks(out); // D7
            self.request_low_forks(out);
        }
    }

    fn request_low_forks(&mut self, out: &mut Out<Msg>) {
        self.request(Self::is_low, out); //                                        24, 25, 26
    }

    fn request_high_forks(&mut self, out: &mut Out<Msg>) {
        self.request(Self::is_high, out); //                                       27, 28, 29
    }

    fn request(&mut self, from: impl Fn(&Self, NodeId, &Link) -> bool, out: &mut Out<Msg>) {
        let once = self.variant == Variant::Repaired; // D7
        for k in 0..self.link.len() {
            let (j, link) = self.link.nth(k);
            let asked = once && link.asked;
            if !link.at && !asked && from(self, j, link) {
                self.link[j].asked = true;
                out.send(j, Msg::Req);
            }
        }
    }

    pub(super) fn send_fork(&mut self, j: NodeId, out: &mut Out<Msg>) {
        let flag = self.is_low(j, &self.link[j]) && self.is_behind(Doorway::SdF); //      30, 31
        let link = &mut self.link[j];
        (link.at, link.suspended, link.asked) = (false, false, flag); //               32
        out.send(j, Msg::Fork(flag));
    }

    fn release_high_forks(&mut self, out: &mut Out<Msg>) {
        self.send_suspended(Self::is_high, out); //                                33, 34, 35
    }

    /// Send the forks that were asked for, to those neighbors that are meant.
    pub(super) fn send_suspended(
        &mut self,
        to: impl Fn(&Self, NodeId, &Link) -> bool,
        out: &mut Out<Msg>,
    ) {
        for k in 0..self.link.len() {
            let (j, link) = self.link.nth(k);
            if link.suspended && link.at && to(self, j, link) {
                self.send_fork(j, out);
            }
        }
    }

    /// Nothing is asked for any more.
    pub(super) fn forget_asked(&mut self) {
        self.link.iter_mut().for_each(|(_, link)| link.asked = false);
    }

    fn eat(&mut self, out: &mut Out<Msg>) {
        if self.phase != Phase::Eating {
            self.phase = Phase::Eating;
            out.enter_cs();
        }
    }
}

/// The expressions.
impl Lme1 {
    /// `all-forks`.
    fn has_all_forks(&self) -> bool {
        self.link.iter().all(|(_, link)| link.at)
    }

    /// `all-low-forks`.
    fn has_low_forks(&self) -> bool {
        self.link.iter().all(|(j, link)| link.at || !self.is_low(j, link))
    }

    /// `color[j] < color[i]`.
    pub(super) fn is_low(&self, j: NodeId, link: &Link) -> bool {
        match self.variant {
            Variant::Published => link.color.zip(self.color).is_some_and(|(j, i)| j < i),
            Variant::Repaired => rank(link.color, j) < rank(self.color, self.i), // D4
        }
    }

    /// `color[j] > color[i]`.
    fn is_high(&self, j: NodeId, link: &Link) -> bool {
        match self.variant {
            Variant::Published => link.color.zip(self.color).is_some_and(|(j, i)| j > i),
            Variant::Repaired => !self.is_low(j, link), // D4
        }
    }

    /// The smallest non-negative color not used by any neighbor.
    fn smallest_free_color(&self) -> i32 {
        let used = |color: i32| self.link.iter().any(|(_, link)| link.color == Some(color));
        (0..).find(|&color| !used(color)).unwrap_or(i32::MAX)
    }
}

/// The order in which nodes go: by color, ⊥ last, then by identifier.
fn rank(color: Option<i32>, node: NodeId) -> (bool, Option<i32>, NodeId) {
    (color.is_none(), color, node)
}
