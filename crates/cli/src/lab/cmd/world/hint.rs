//! Which protocols can live with a network that falls apart: [`Camps`].

use driftlock_traces::Inspection;
use serde::Serialize;

use super::tell::short;
use crate::lab::registry::{Entry, protocols};

/// The protocols, by what they need of a network.
#[derive(Serialize)]
pub(super) struct Camps {
    /// It may fall apart.
    live_with_partitions: Vec<&'static str>,
    /// Whoever is in a part with most of the nodes goes on.
    need_a_majority: Vec<&'static str>,
    /// It has to be in one piece.
    need_one_piece: Vec<&'static str>,
    /// Its links may not change.
    need_fixed_links: Vec<&'static str>,
}

impl Camps {
    pub(super) fn new() -> Self {
        let changes = |entry: &Entry| entry.carriers().any(|medium| entry.may_change_links(medium));
        let apart = |entry: &Entry| entry.may_fall_apart(None);
        let names = |is_wanted: &dyn Fn(&Entry) -> bool| {
            let wanted = protocols().iter().filter(|entry| is_wanted(entry));
            wanted.map(|entry| entry.name).collect()
        };
        Camps {
            live_with_partitions: names(&|entry| changes(entry) && apart(entry)),
            need_a_majority: names(&|entry| changes(entry) && !apart(entry) && entry.faults),
            need_one_piece: names(&|entry| changes(entry) && !apart(entry) && !entry.faults),
            need_fixed_links: names(&|entry| !changes(entry)),
        }
    }

    /// What that means for this network, a sentence to a line.
    pub(super) fn plain_text(&self, found: &Inspection) -> String {
        let share = found.share_connected;
        let mut lines = Vec::new();
        if share < 1.0 {
            let (one, other) = (short(100.0 * share), short(100.0 * (1.0 - share)));
            lines.push(format!(
                "The network is in one piece for {one} % of the time. For the other {other} %,"
            ));
            lines.push(format!(
                "protocols that need a connected network are broken: {}.",
                self.need_one_piece.join(", ")
            ));
            lines.push(format!(
                "These live with partitions, as `driftlock protocols` says: {}.",
                self.live_with_partitions.join(", ")
            ));
            lines.push(format!(
                "A part with more than half of all nodes, for {} % of the time, is enough for: {}.",
                short(100.0 * found.share_majority),
                self.need_a_majority.join(", ")
            ));
        } else {
            lines.push("The network is in one piece all the time.".to_owned());
        }
        if found.n_down > 0 || found.n_up > found.n_initial {
            let names = self.need_fixed_links.join(", ");
            lines.push(format!("Its links change, which is nothing for: {names}."));
        }
        lines.join("\n") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_protocol_is_in_one_camp() {
        let camps = Camps::new();
        let Camps { live_with_partitions, need_a_majority, need_one_piece, need_fixed_links } =
            &camps;
        assert_eq!(need_a_majority, &["cluster"]);
        assert_eq!(need_fixed_links, &["choy-singh", "chandy-misra"]);
        assert_eq!(need_one_piece, &["rl", "raymond", "raymond-k", "gme", "ring"]);
        assert!(live_with_partitions.contains(&"krl") && live_with_partitions.contains(&"lme2"));
        let n = live_with_partitions.len() + 1 + need_one_piece.len() + need_fixed_links.len();
        assert_eq!(n, protocols().len());
    }
}
