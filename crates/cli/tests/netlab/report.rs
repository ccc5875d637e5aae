//! The report of a campaign: [`report`].

use crate::trial::outcome::Outcome;

/// A table, and what failed.
pub(crate) fn report(outcomes: &[Outcome]) -> String {
    let sum = |of: fn(&Outcome) -> u64| outcomes.iter().map(of).sum::<u64>();
    let worst = |of: fn(&Outcome) -> u64| outcomes.iter().map(of).max().unwrap_or_default();
    let failed: Vec<&Outcome> =
        outcomes.iter().filter(|outcome| !outcome.wrong.is_empty()).collect();
    let large = outcomes.iter().filter(|outcome| outcome.nodes > 8).count();
    let mut table = String::from("| | |\n|---|---|\n");
    let mut row = |what: &str, value: String| table += &format!("| {what} | {value} |\n");
    row("trials", format!("{}, of which {large} with 20 nodes or more", outcomes.len()));
    row("nodes", format!("{}, up to {} in a trial", sum(|o| o.nodes), worst(|o| o.nodes)));
    row("daemons killed and started again", sum(|o| o.kills).to_string());
    row("daemons stopped (SIGSTOP) for a while", sum(|o| o.stops).to_string());
    row("machines that failed, with all programs", sum(|o| o.failures).to_string());
    row("nodes cut off while inside", sum(|o| o.isolations).to_string());
    row("nodes forgotten", sum(|o| o.forgotten).to_string());
    row("links cut", sum(|o| o.cuts).to_string());
    row("links cut in one direction", sum(|o| o.one_way).to_string());
    row("networks split in two", sum(|o| o.splits).to_string());
    row("times with 5 to 40 % of frames lost", sum(|o| o.losses).to_string());
    row("programs", sum(|o| o.asks).to_string());
    row("of these served to the end", sum(|o| o.served).to_string());
    row("killed by the schedule", sum(|o| o.killed).to_string());
    row("told to stop while inside", sum(|o| o.cut_short).to_string());
    row("asked again because the node was killed", sum(|o| o.again).to_string());
    row("commands that were inside", sum(|o| o.entries).to_string());
    row("**overlaps**", sum(|o| o.overlaps).to_string());
    row("**lost updates**", sum(|o| o.lost_updates).to_string());
    row("longest wait after healing", format!("{:.1} s", worst(|o| o.worst_wait_ms) as f64 / 1e3));
    row("**failed trials**", failed.len().to_string());
    let failed: String = failed.iter().map(|outcome| outcome.complaint() + "\n").collect();
    format!("{table}\n{failed}")
}
