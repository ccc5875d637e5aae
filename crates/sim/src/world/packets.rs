//! Messages that are routed, and those of them that get lost.

use driftlock_core::{Input, NodeId};
use driftlock_journal::Event as Recorded;

use super::{Event, Phase, Simulated, World};
use crate::dice;
use crate::links::Transit;
use crate::routes::{Due, Routes};

impl<P: Simulated> World<'_, P> {
    /// A packet sets out.
    #[inline]
    pub(super) fn dispatch(&mut self, from: NodeId, kind: usize, packet: u32) {
        if let Some(place) = self.cursed.iter().position(|&cursed| cursed == kind) {
            self.cursed.remove(place);
            self.trouble();
            return self.give_up(packet);
        }
        self.forward(from, packet);
    }

    /// A packet has crossed a link.
    pub(super) fn hop(&mut self, transit: Transit, packet: u32) {
        // It went with a node that has crashed.
        if !self.crashed.is_empty() && self.links.has_lost(transit) {
            return self.lose(packet);
        }
        let (delivery, leaving) = self.links.arrive(transit);
        let Transit { from, to: at, .. } = transit;
        self.monitor.delivery(from, at, delivery);
        if self.is_lost() {
            self.lose(packet);
        } else if self.routes().packet(packet).to == at {
            let (sender, receiver) = self.routes().arrived(packet);
            self.hand_over(sender, receiver);
        } else {
            self.forward(at, packet);
        }
        if leaving {
            self.let_go(from, at);
        }
    }

    /// Send a packet on to the next node on its way, if there is one.
    fn forward(&mut self, at: NodeId, packet: u32) {
        let routes = self.routes.as_mut().expect(ROUTED);
        let sent = routes.packet(packet);
        let (to, kind, bytes) = (sent.to, P::kind(&sent.msg), self.meter.bytes_of(&sent.msg));
        let Some(next) = routes.next_hop(at, to, &self.links) else {
            return self.give_up(packet);
        };
        if let Some((arrival, transit)) = self.transmit(at, next, kind, bytes) {
            self.agenda.schedule(arrival, Event::Hop(transit, packet));
        }
    }

    /// Draw whether a packet is lost on the link it has crossed. That ends with the storm.
    fn is_lost(&mut self) -> bool {
        let may_be = self.scenario.loss > 0.0 && self.phase == Phase::Storm;
        may_be && dice::unit(self.losses.draw()) <= self.scenario.loss
    }

    /// A packet goes no farther. It is lost right after what is happening now, which may be a link
    /// change of which one end has still to be told.
    fn give_up(&mut self, packet: u32) {
        self.agenda.schedule(self.now, Event::Gone(packet));
    }

    /// A packet is lost.
    pub(super) fn lose(&mut self, packet: u32) {
        self.meter.lost();
        let (sender, receiver) = self.routes().lost(packet);
        if !self.has_crashed(receiver) {
            self.hand_over(sender, receiver);
        }
    }

    /// Hand over what is due from `sender` to `receiver`. A loss is written down when all that was
    /// sent before has arrived or is lost: then it is the oldest message in transit.
    fn hand_over(&mut self, sender: NodeId, receiver: NodeId) {
        while let Some(due) = self.routes().next_due(sender, receiver) {
            match due {
                Due::Message(msg) => self.step(receiver, Input::Recv { from: sender, msg }),
                Due::Lost => {
                    self.monitor.miscarried();
                    self.write_down_fault(receiver, Recorded::Lose(sender));
                }
            }
        }
    }

    #[inline]
    fn routes(&mut self) -> &mut Routes<P::Msg> {
        self.routes.as_mut().expect(ROUTED)
    }
}

const ROUTED: &str = "only a medium that routes has packets";
