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
        let absent = 1.0 - found.present / found.n_nodes.max(1) as f64;
        let mut lines = match found.share_connected {
            share if share < 1.0 => self.in_parts(share, found.share_majority),
            _ => vec!["The network is in one piece all the time.".to_owned()],
        };
        if absent > 0.0 {
            lines.push(format!("Nodes are absent for {} % of the time.", short(100.0 * absent)));
        }
        if found.share_connected < 1.0 || absent > 0.0 {
            lines.push(self.held_together(absent > 0.0));
        }
        if found.n_down > 0 || found.n_up > found.n_initial {
            let names = self.need_fixed_links.join(", ");
            lines.push(format!("Its links change, which is nothing for: {names}."));
        }
        lines.join("\n") + "\n"
    }

    /// Who lives with that, and who does not.
    fn in_parts(&self, connected: f64, majority: f64) -> Vec<String> {
        let percent = |share: f64| short(100.0 * share);
        let (one, other) = (percent(connected), percent(1.0 - connected));
        let enough = self.need_a_majority.join(", ");
        vec![
            format!(
                "The network is in one piece for {one} % of the time. For the other {other} %,"
            ),
            format!(
                "protocols that need a connected network are broken: {}.",
                self.need_one_piece.join(", ")
            ),
            format!(
                "These live with partitions, as `driftlock protocols` says: {}.",
                self.live_with_partitions.join(", ")
            ),
            format!(
                "A part with more than half of all nodes is enough for {enough}, once the others"
            ),
            format!("have stopped. There is one for {} % of the time.", percent(majority)),
        ]
    }

    /// What runs do about it for those who do not live with partitions.
    fn held_together(&self, comes_and_goes: bool) -> String {
        let names: Vec<&str> =
            self.need_one_piece.iter().chain(&self.need_a_majority).copied().collect();
        let relays = match comes_and_goes {
            true => ",\nand absent nodes pass messages on all the same",
            false => "",
        };
        format!("`driftlock sim` holds it together for {}{relays}.", names.join(", "))
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
