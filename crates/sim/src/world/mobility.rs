//! Links that come and go, and nodes that move.

use driftlock_core::{Input, LinkRole, NodeId};
use driftlock_spec::links::Downfall;

use super::{Event, Phase, Simulated, World};
use crate::changes::Change;
use crate::scenario::ConnectedBy;

impl<P: Simulated> World<'_, P> {
    pub(super) fn change(&mut self) {
        let changes = self.changes.as_mut().expect("changes are due only where there are any");
        let made = changes.make();
        let due = changes.due().max(self.now);
        self.agenda.schedule(due, Event::Change);
        for change in made.into_iter().flatten() {
            let change = self.with_role(change);
            self.follow(change);
        }
    }

    /// Draw which end has moved to make a new link, where that matters.
    pub(super) fn with_role(&mut self, change: Change) -> Change {
        match change {
            Change::Up(a, b) if self.is_local() && self.roles.draw() % 2 == 1 => Change::Up(b, a),
            other => other,
        }
    }

    /// A node sets out, or is somewhere else now.
    pub(super) fn travel(&mut self, node: NodeId) {
        let Some(movers) = self.movers.as_mut().filter(|_| !self.crashed.contains(&node)) else {
            return;
        };
        let (moved, next) = movers.step(node, self.now);
        self.agenda.schedule(next, Event::Move(node));
        if !moved {
            return;
        }
        // Which of its links were to go is seen anew.
        let links = &self.links;
        self.held_up.retain(|&(a, b)| a != node && b != node || !links.lasts(a, b));
        let mut moves = std::mem::take(&mut self.moves);
        match self.rules.lossy {
            true => movers.changes(node, self.now, self.links.peers(node), &mut moves),
            false => movers.changes(node, self.now, self.links.lasting(node), &mut moves),
        }
        for change in moves.drain(..) {
            // It may have been the last entry that a change has brought about.
            if self.phase == Phase::Storm {
                self.follow(change);
            }
        }
        self.moves = moves;
    }

    /// Do as planned.
    pub(super) fn follow(&mut self, change: Change) {
        let (Change::Up(a, b) | Change::Down(a, b)) = change;
        let (a_gone, b_gone) = (self.has_crashed(a), self.has_crashed(b));
        // Whoever has crashed stays, and others may come and go.
        if a_gone && b_gone || (a_gone || b_gone) && !self.is_local() {
            return;
        }
        match change {
            Change::Up(a, b) if self.links.is_up(a, b) => self.keep(a, b),
            Change::Up(a, b) if b_gone => self.link_up(b, a),
            Change::Up(a, b) => self.link_up(a, b),
            Change::Down(a, b) if self.rules.lossy => self.link_down(a, b),
            Change::Down(a, b) => self.send_off(a, b),
        }
    }

    /// A link that was to go down is not to any more.
    fn keep(&mut self, a: NodeId, b: NodeId) {
        self.links.set_leaving(a, b, false);
        if self.may_hold_up() {
            self.held_up.retain(|&held| held != (a, b) && held != (b, a));
            self.let_go_held_up();
        }
    }

    /// A link comes up; `still` has not moved.
    fn link_up(&mut self, still: NodeId, moving: NodeId) {
        self.monitor.link_up(still, moving, self.links.is_up(still, moving));
        self.links.raise(still, moving);
        self.meter.link_changed();
        if self.scenario.medium().shows_links() {
            if !self.has_crashed(still) {
                self.step(still, Input::LinkUp { peer: moving, role: LinkRole::Static });
            }
            self.step(moving, Input::LinkUp { peer: still, role: LinkRole::Moving });
            self.sites[moving.index()].moved = true;
            if self.is_local() {
                self.monitor.both_told();
            }
        }
        if self.may_hold_up() {
            self.let_go_held_up();
        }
    }

    /// Whether links are held up that the network needs. What is planned leaves it in one piece,
    /// but for traces, and for nodes that move or have stopped.
    pub(super) fn may_hold_up(&self) -> bool {
        let planned = self.movers.is_none() && self.walk.is_none() && self.crashed.is_empty();
        self.scenario.stays_together() && !planned
    }

    /// Links that were about to go may be needed now that a node has crashed.
    pub(super) fn hold_up_leaving(&mut self) {
        for (a, b) in self.links.leaving() {
            self.links.set_leaving(a, b, false);
            self.held_up.push((a, b));
        }
    }

    /// See whether links can go by now that were needed so far.
    pub(super) fn let_go_held_up(&mut self) {
        for (a, b) in std::mem::take(&mut self.held_up) {
            match self.may_hold_up() && self.links.lasts(a, b) {
                true => self.send_off(a, b),
                false => self.let_go(a, b),
            }
        }
    }

    /// A link is to go down, unless the network needs it: there has to be another way for what is
    /// sent from now on.
    fn send_off(&mut self, a: NodeId, b: NodeId) {
        if self.may_hold_up() && !self.links.lasting_without(a, b) {
            self.held_up.push((a, b));
            return;
        }
        self.links.set_leaving(a, b, true);
        self.let_go(a, b);
    }

    /// Take a link down that is to go down, unless something is in transit on it or it is needed.
    pub(super) fn let_go(&mut self, a: NodeId, b: NodeId) {
        if self.phase != Phase::Storm || !self.links.may_leave(a, b) {
            return;
        }
        let by_known = self.scenario.link_changes.connected_by == ConnectedBy::Known;
        let needed = by_known && self.routes.is_none() && self.links.is_known(a, b);
        if needed && !self.links.joined_without(a, b, true) {
            self.held_up.push((a, b));
            return;
        }
        self.link_down(a, b);
    }

    /// A link goes down, with what is in transit on it.
    fn link_down(&mut self, a: NodeId, b: NodeId) {
        let in_transit = self.links.in_transit(a, b);
        let joined = self.apart() || self.links.joined_without(a, b, false);
        self.monitor.link_down(a, b, Downfall { in_transit, joined });
        self.links.tore(a, b);
        self.meter.link_changed();
        if !self.scenario.medium().shows_links() {
            return;
        }
        for (end, peer) in [(a, b), (b, a)] {
            if !self.has_crashed(end) {
                self.step(end, Input::LinkDown { peer });
            }
        }
    }

    /// `node` may have come to know `peer`; then links that were needed so far may go.
    pub(super) fn learn(&mut self, node: NodeId, peer: NodeId) {
        let known = self.sites[node.index()].process.knows(peer);
        if self.links.set_known(node, peer, known) {
            self.let_go_held_up();
        }
    }
}

#[cfg(test)]
mod tests {
    use driftlock_core::NodeId;
    use driftlock_protocols::raymond::Raymond;
    use driftlock_protocols::ring::Ring;
    use driftlock_protocols::rl::{self, Rl};

    use super::{Phase, Simulated, World};
    use crate::network::{Network, Shape};
    use crate::scenario::{
        ConnectedBy, Measure, Medium, Motion, MotionModel, Requests, Scenario, Traced,
    };

    fn scenario(model: MotionModel, medium: Medium) -> Scenario {
        let (nodes, degree) = (20, Some(5.0));
        Scenario {
            medium: Some(medium),
            network: Network { shape: Shape::Geometric, nodes, degree, ..Network::default() },
            motion: Some(Motion { model, together: true, ..Motion::default() }),
            requests: Requests { rate: 0.1, ..Requests::default() },
            measure: Some(Measure { until: Some(200.0), ..Measure::default() }),
            ..Scenario::default()
        }
    }

    /// The links that are not about to go down, whenever they have changed.
    fn plans<P: Simulated>(scenario: &Scenario, config: &P::Config) -> Vec<Vec<(NodeId, NodeId)>> {
        let mut world = World::<P>::new(scenario, config).unwrap();
        let nodes = || (0..scenario.n_nodes()).map(NodeId::at);
        let mut plans = Vec::new();
        while world.next() {
            let of = |a: NodeId| world.links.lasting(a).map(move |b| (a, b));
            let plan: Vec<_> = nodes().flat_map(of).collect();
            if plans.last() != Some(&plan) {
                plans.push(plan);
            }
            assert!(world.phase != Phase::Storm || is_up_for_a_reason(&world));
        }
        plans
    }

    /// Whether each link that is to go is in use or held up.
    fn is_up_for_a_reason<P: Simulated>(world: &World<'_, P>) -> bool {
        let held_up = |(a, b)| world.held_up.iter().any(|&held| held == (a, b) || held == (b, a));
        let in_use = |(a, b)| world.links.in_transit(a, b) > 0;
        world.links.leaving().into_iter().all(|link| in_use(link) || held_up(link))
    }

    /// Which links go and which are held up is the same whoever sends what over them.
    #[test]
    fn all_media_have_one_plan() {
        for model in [MotionModel::Waypoint, MotionModel::Convoy] {
            let rl = plans::<Rl>(&scenario(model, Medium::Links), &rl::Config::default());
            let routed = plans::<Raymond>(&scenario(model, Medium::Routed), &());
            let mesh = plans::<Ring>(&scenario(model, Medium::Mesh), &());
            let mut known = scenario(model, Medium::Links);
            known.link_changes.connected_by = ConnectedBy::Known;
            let known = plans::<Rl>(&known, &rl::Config::default());
            assert!(rl.len() > 100, "{}", rl.len());
            assert_eq!(rl, routed);
            assert_eq!(rl, mesh);
            assert_eq!(rl, known);
        }
    }

    /// So it is where a file says how links change.
    #[test]
    fn all_media_have_one_plan_of_a_trace() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../traces/tests/samples");
        for name in ["rwp30.movements.gz", "generated_grid_fcd.xml"] {
            let mut scenario = Scenario {
                trace: Some(Traced {
                    together: true,
                    end: Some(200.0),
                    ..Traced::of(format!("{folder}/{name}"))
                }),
                requests: Requests { rate: 0.1, ..Requests::default() },
                ..Scenario::default()
            };
            let rl = plans::<Rl>(&scenario, &rl::Config::default());
            scenario.medium = Some(Medium::Routed);
            let routed = plans::<Raymond>(&scenario, &());
            scenario.medium = Some(Medium::Mesh);
            let mesh = plans::<Ring>(&scenario, &());
            assert!(rl.len() > 100, "{}", rl.len());
            assert_eq!(rl, routed);
            assert_eq!(rl, mesh);
        }
    }
}
