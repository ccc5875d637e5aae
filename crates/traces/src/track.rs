//! Where a node is, and when: [`Track`].

/// A node that moves in straight lines from waypoint to waypoint, while it is there.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Track {
    /// When it is there, one after the other. They do not overlap.
    pub stretches: Vec<Stretch>,
}

/// A time in which a node is there without a break.
#[derive(Clone, PartialEq, Debug)]
pub struct Stretch {
    /// Where it is; at least one. Times do not decrease; two waypoints of one time are a jump. It
    /// moves evenly in between, and stands still after the last one.
    pub waypoints: Vec<Waypoint>,
    /// When it is gone, in seconds. Infinity, if it stays.
    pub until: f64,
}

/// A place, and when a node is there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Waypoint {
    /// The time, in seconds.
    pub t: f64,
    /// The place, in meters.
    pub at: [f64; 3],
}

/// What a node does from some moment on until something changes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Leg {
    /// When something changes, which is later than that moment.
    pub(crate) until: f64,
    /// The waypoints that it moves between. It is not there, if there are none.
    pub(crate) way: Option<(Waypoint, Waypoint)>,
}

impl Leg {
    /// Where it is, at a time of this leg, or right before its end.
    pub(crate) fn at(&self, t: f64) -> Option<[f64; 3]> {
        let (from, to) = self.way?;
        let length = to.t - from.t;
        if length <= 0.0 || t <= from.t {
            return Some(from.at);
        }
        let part = ((t - from.t) / length).min(1.0);
        let along = |k: usize| from.at[k] + part * (to.at[k] - from.at[k]);
        Some([along(0), along(1), along(2)])
    }
}

impl Stretch {
    /// When it starts.
    pub fn start(&self) -> f64 {
        self.waypoints.first().map_or(f64::INFINITY, |waypoint| waypoint.t)
    }

    /// Go on to a waypoint. One that tells nothing new replaces the one before.
    pub(crate) fn push(&mut self, waypoint: Waypoint) {
        if let [.., one, two] = &mut self.waypoints[..]
            && one.at == two.at
            && two.at == waypoint.at
        {
            two.t = waypoint.t;
            return;
        }
        self.waypoints.push(waypoint);
    }

    /// The leg that it is on at `t`, which lies in this stretch.
    fn leg(&self, t: f64) -> Leg {
        let next = self.waypoints.partition_point(|waypoint| waypoint.t <= t);
        let from = self.waypoints[next.max(1) - 1];
        match self.waypoints.get(next) {
            Some(&to) => Leg { until: to.t.min(self.until), way: Some((from, to)) },
            None => Leg { until: self.until, way: Some((from, from)) },
        }
    }
}

impl Track {
    /// One stretch, from its first waypoint on for ever.
    pub(crate) fn whole(waypoints: Vec<Waypoint>) -> Self {
        Track { stretches: vec![Stretch { waypoints, until: f64::INFINITY }] }
    }

    /// Where the node is at a time, in seconds; nowhere, if it is not there. Of a jump this is
    /// where it leads to.
    pub fn at(&self, t: f64) -> Option<[f64; 3]> {
        self.leg(t).at(t)
    }

    /// Whether the node is on its way somewhere at a time, in seconds.
    pub fn moves_at(&self, t: f64) -> bool {
        self.leg(t).way.is_some_and(|(from, to)| from.at != to.at)
    }

    /// What the node does at `t`.
    pub(crate) fn leg(&self, t: f64) -> Leg {
        let next = self.stretches.partition_point(|stretch| stretch.start() <= t);
        if let Some(stretch) = self.stretches[..next].last()
            && t < stretch.until
        {
            return stretch.leg(t);
        }
        let until = self.stretches.get(next).map_or(f64::INFINITY, Stretch::start);
        Leg { until, way: None }
    }

    /// The last waypoint.
    pub(crate) fn last(&self) -> Option<&Waypoint> {
        self.stretches.last().and_then(|stretch| stretch.waypoints.last())
    }

    /// All waypoints.
    pub fn waypoints(&self) -> impl Iterator<Item = &Waypoint> {
        self.stretches.iter().flat_map(|stretch| &stretch.waypoints)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waypoint(t: f64, x: f64) -> Waypoint {
        Waypoint { t, at: [x, 0.0, 0.0] }
    }

    #[test]
    fn a_node_moves_waits_jumps_and_is_gone() {
        let mut stretch = Stretch { waypoints: vec![waypoint(1.0, 0.0)], until: 9.0 };
        for (t, x) in [(3.0, 4.0), (4.0, 4.0), (5.0, 4.0), (5.0, 7.0)] {
            stretch.push(waypoint(t, x));
        }
        assert_eq!(stretch.waypoints.len(), 4, "standing still takes two waypoints");
        let late = Stretch { waypoints: vec![waypoint(12.0, 1.0)], until: f64::INFINITY };
        let track = Track { stretches: vec![stretch, late] };
        let x = |t| track.at(t).map(|at| at[0]);
        assert_eq!([x(0.5), x(1.0), x(2.0)], [None, Some(0.0), Some(2.0)]);
        assert_eq!([x(4.5), x(5.0), x(8.9)], [Some(4.0), Some(7.0), Some(7.0)]);
        assert_eq!([x(9.0), x(12.0), x(1e9)], [None, Some(1.0), Some(1.0)]);
        let moves = |t| track.moves_at(t);
        assert_eq!([moves(2.0), moves(3.5), moves(8.0), moves(10.0)], [true, false, false, false]);
        let untils: Vec<f64> = [0.0, 1.0, 3.5, 8.0, 9.0].map(|t| track.leg(t).until).into();
        assert_eq!(untils, [1.0, 3.0, 5.0, 9.0, 12.0]);
    }
}
