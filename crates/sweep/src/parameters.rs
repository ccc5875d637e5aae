//! The units and meanings of parameters: the columns that the keys of a scenario have.

use crate::columns::{NONE, TIME};

/// The unit of rates.
const RATE: &str = "1/time unit";
/// The unit of places in a network that is not from a trace.
const LENGTH: &str = "lengths";

/// Each parameter: name, unit and meaning.
pub const PARAMETERS: [(&str, &str, &str); 57] = [
    ("protocol", NONE, "the protocol, with its variant if that is not the usual one"),
    ("calm_limit", TIME, "how long nobody may be served before the run ends"),
    ("critical_section", TIME, "how long a critical section takes"),
    ("delay", TIME, "how long a message takes over a link"),
    ("link_changes_connected_by", NONE, "what is done about parts that come off"),
    ("link_changes_model", NONE, "how links change"),
    ("link_changes_rate", RATE, "how often links change"),
    ("loss", NONE, "how likely a message is lost on each link, on a mesh"),
    ("measure_entries", "entries", "entries that were to be measured"),
    ("measure_until", TIME, "until when was measured"),
    ("measure_warmup", "entries", "entries that were passed over first"),
    ("medium", NONE, "what carries messages"),
    ("motion_block", LENGTH, "how far streets are from each other"),
    ("motion_group", "nodes", "how many make a group"),
    ("motion_leg", TIME, "how long a node keeps its direction"),
    ("motion_memory", NONE, "how much of its velocity a node keeps from one leg to the next"),
    ("motion_model", NONE, "how nodes move"),
    ("motion_moving", NONE, "the share of nodes, or of groups, that move"),
    ("motion_pause", TIME, "how long a node rests between two ways"),
    ("motion_speed", "lengths/time unit", "how far a node goes in a unit of time"),
    ("motion_spread", LENGTH, "how far the members of a group are from its middle at most"),
    ("motion_start", NONE, "where nodes are at the start, and whether they are on their way"),
    ("motion_step", TIME, "the time between two looks at where a node is"),
    ("motion_together", NONE, "whether the network is kept in one piece"),
    ("motion_turn", NONE, "how likely a node turns at a crossing"),
    ("network_area", LENGTH, "the side of the square in which nodes are"),
    ("network_connectivity", "%", "links, in percent of all pairs"),
    ("network_degree", "nodes", "how many neighbors a node has, on average"),
    ("network_file", NONE, "the file with the links of the network"),
    ("network_links", "links", "how many links there are at first"),
    ("network_nodes", "nodes", "how many nodes there are"),
    ("network_range", LENGTH, "how far apart two nodes are linked at most"),
    ("network_shape", NONE, "how the network is made"),
    ("requests_nodes", NONE, "who asks, if not everyone: the numbers of nodes"),
    ("requests_popular", NONE, "the share of requests that are for the first resource"),
    ("requests_rate", RATE, "how often a node asks again after it has left"),
    ("resources", "resources", "how many resources there are"),
    ("script", NONE, "what happens at which time besides what is drawn"),
    ("session", "entries", "how many entries a session has at most while others wait, or off"),
    ("timeout", TIME, "how long a message may take before it counts as lost"),
    ("tokens", "tokens", "how many tokens there are"),
    ("trace_activity", NONE, "the file that says when nodes of the trace are there"),
    ("trace_degrees", NONE, "whether places in the trace are longitude and latitude"),
    ("trace_end", "seconds", "when the part of the trace ends, by its own clock"),
    ("trace_file", NONE, "the file that the network and its changes are from"),
    ("trace_format", NONE, "the format of the trace, if it was not recognized from its content"),
    ("trace_internal", NONE, "the id above which the trace has strangers, who are left out"),
    ("trace_mutual", NONE, "whether there is a link only while both see each other"),
    ("trace_pad", "seconds", "by how much a sighting in the trace lasts longer"),
    ("trace_radio", NONE, "what makes links of distances in the trace"),
    ("trace_range", "meters", "the radio range in the trace"),
    ("trace_slot", "seconds", "how long a line of the trace stands for"),
    ("trace_start", "seconds", "when the part of the trace starts, by its own clock"),
    ("trace_step", "seconds", "the time between two looks at the places of the trace"),
    ("trace_together", NONE, "whether the network of the trace is kept in one piece"),
    ("trace_unit", "seconds", "how long a time unit is in the trace"),
    ("undefined", NONE, "what a step that a published text does not define does to the run"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use driftlock_sim::Scenario;

    use super::*;

    /// The keys that a table of a scenario may have, of which an unknown one is told.
    fn keys(table: &str) -> Vec<String> {
        let header = if table.is_empty() { String::new() } else { format!("[{table}]\n") };
        let error = Scenario::from_toml(&format!("{header}nonsense = 1")).unwrap_err().to_string();
        let (_, known) = error.split_once("expected one of").unwrap_or_else(|| panic!("{error}"));
        known.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn every_key_of_a_scenario_has_a_unit_and_a_meaning() {
        let tables = ["network", "link-changes", "motion", "trace", "requests", "measure"];
        let mut all = BTreeSet::new();
        for table in tables {
            all.extend(keys(table).iter().map(|key| format!("{table}.{key}")));
        }
        let plain = keys("").into_iter().filter(|key| !tables.contains(&&**key));
        // The one has a column of its own, and the other stands with its protocol.
        all.extend(plain.filter(|key| !["seed", "variant"].contains(&&**key)));
        let columns: BTreeSet<String> =
            all.iter().map(|key| key.replace(['.', '-'], "_")).collect();
        let known: Vec<&str> = PARAMETERS.iter().map(|(name, ..)| *name).collect();
        assert_eq!(known.len(), known.iter().collect::<BTreeSet<_>>().len());
        assert_eq!(columns, known.into_iter().map(str::to_owned).collect());
        assert!(PARAMETERS.iter().all(|(_, unit, about)| !unit.is_empty() && !about.is_empty()));
    }

    /// The book has the same table.
    #[test]
    fn the_book_knows_every_parameter() {
        let book = include_str!("../../../docs/lab.md");
        for (name, unit, about) in PARAMETERS {
            let row = format!("\n| `{name}` | {unit} | {about} |\n");
            assert!(book.contains(&row), "docs/lab.md lacks{row}");
        }
    }
}
