//! What is compared.

use driftlock_sim::Metrics;
use driftlock_sim::metrics::Recovery;

/// What is measured of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Quantity {
    /// The average wait.
    WaitingMean,
    /// 95 % waited at most so long.
    WaitingP95,
    /// The longest wait.
    WaitingMax,
    /// Messages per entry; one over several links counts once for each.
    Messages,
    /// Bytes of these messages.
    Bytes,
    /// Links a message went over.
    Hops,
    /// Jain's index.
    Fairness,
    /// How long nobody entered after the last trouble of the script.
    NextEntry,
    /// How long it took until all were served who waited then.
    Backlog,
}

impl Quantity {
    /// All of them.
    pub const ALL: [Quantity; 9] = [
        Quantity::WaitingMean,
        Quantity::WaitingP95,
        Quantity::WaitingMax,
        Quantity::Messages,
        Quantity::Bytes,
        Quantity::Hops,
        Quantity::Fairness,
        Quantity::NextEntry,
        Quantity::Backlog,
    ];

    /// The name for machines.
    pub fn key(self) -> &'static str {
        match self {
            Quantity::WaitingMean => "waiting_mean",
            Quantity::WaitingP95 => "waiting_p95",
            Quantity::WaitingMax => "waiting_max",
            Quantity::Messages => "messages_per_entry",
            Quantity::Bytes => "bytes_per_entry",
            Quantity::Hops => "hops_per_message",
            Quantity::Fairness => "fairness",
            Quantity::NextEntry => "recovery_next_entry",
            Quantity::Backlog => "recovery_backlog",
        }
    }

    /// The name over a column, below that of its group.
    pub(super) fn header(self) -> &'static str {
        match self {
            Quantity::WaitingMean | Quantity::Messages | Quantity::Bytes => "mean",
            Quantity::WaitingP95 => "95 %",
            Quantity::WaitingMax => "longest",
            Quantity::Hops => "hops",
            Quantity::Fairness => "fairness",
            Quantity::NextEntry => "next entry",
            Quantity::Backlog => "backlog",
        }
    }

    /// Whether it is told only where a script makes trouble.
    pub(super) fn is_of_trouble(self) -> bool {
        matches!(self, Quantity::NextEntry | Quantity::Backlog)
    }

    /// Whether the table has the difference to the first protocol.
    pub(super) fn has_difference(self) -> bool {
        matches!(self, Quantity::WaitingMean | Quantity::Messages | Quantity::Bytes)
    }

    /// Its value in a run. Where nobody entered there is nothing per entry.
    pub fn of(self, metrics: &Metrics) -> Option<f64> {
        let recovery = || metrics.detail?.recovery;
        match self {
            Quantity::NextEntry => recovery().and_then(|Recovery { next_entry, .. }| next_entry),
            Quantity::Backlog => recovery().and_then(|Recovery { backlog, .. }| backlog),
            _ if metrics.entries == 0 => None,
            Quantity::WaitingMean => Some(metrics.waiting.mean),
            Quantity::WaitingP95 => Some(metrics.waiting.p95),
            Quantity::WaitingMax => Some(metrics.waiting.max),
            Quantity::Messages => Some(metrics.messages_per_entry),
            Quantity::Bytes => metrics.detail.map(|detail| detail.bytes_per_entry),
            Quantity::Hops => Some(metrics.hops_per_message),
            Quantity::Fairness => Some(metrics.fairness),
        }
    }
}
