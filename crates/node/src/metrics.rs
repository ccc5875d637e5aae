//! What a node counts, in the text format of Prometheus.

use std::fmt::Write;

use driftlock_client::wire::Metrics;
use driftlock_link::PeerState;

use crate::meter::{CLASSES, Times};
use crate::shared::Shared;

pub(crate) fn answer(shared: &Shared) -> Metrics {
    Metrics { text: text(shared) }
}

/// All numbers.
pub(crate) fn text(shared: &Shared) -> String {
    let engine = &shared.engine;
    let (links, meter) = (engine.links.counters(), &engine.meter);
    let peers: Vec<_> = engine.links.peers().collect();
    let up = peers.iter().filter(|peer| peer.state == PeerState::Up).count();
    let in_doubt: usize = peers.iter().map(|peer| peer.in_doubt).sum();
    let epoch = peers.iter().map(|peer| peer.epoch).max().unwrap_or(0);
    let mut page = Page::default();
    page.times("wait_seconds", "From request to grant.", &meter.waits);
    page.times("hold_seconds", "From grant to release.", &meter.holds);
    page.gauge("links", "Links that are up.", up as u64);
    page.gauge("link_epoch", "The latest incarnation of any link.", epoch);
    page.gauge("messages_in_doubt", "Tokens sent of which nobody knows where.", in_doubt as u64);
    page.gauge("locks", "Locks that are known here.", engine.locks.len() as u64);
    page.gauge("sessions", "Programs that are connected.", shared.sessions.len() as u64);
    for (name, help, value) in [
        ("refused_total", "Requests that were not granted.", meter.refused),
        ("lost_total", "Grants that were taken back.", meter.demoted),
        ("messages_total", "Messages about locks to neighbors.", meter.messages),
        ("hops_total", "Those of them that carried a token.", meter.hops),
        ("garbled_total", "Messages that could not be read.", meter.garbled),
        ("overflows_total", "Links given up as too much waited for them.", meter.overflows),
        ("link_ups_total", "Links that came up.", links.ups),
        ("link_downs_total", "Links that went down.", links.downs),
        ("doubts_total", "Links that broke with a token on them.", links.doubts),
        ("returned_total", "Tokens that came back from a broken link.", links.returned),
        ("frames_sent_total", "Frames put on the air.", links.frames_sent),
        ("bytes_sent_total", "Their bytes.", links.bytes_sent),
        ("frames_heard_total", "Frames that came in.", links.frames_heard),
        ("bytes_heard_total", "Their bytes.", links.bytes_heard),
        ("hellos_sent_total", "HELLOs sent.", links.hellos_sent),
        ("retransmissions_total", "Messages sent again.", links.retransmissions),
        ("handshakes_total", "Sessions begun with neighbors.", links.sessions),
    ] {
        page.counter(name, help, value);
    }
    page.head("dropped_total", "Frames dropped, by reason.", "counter");
    let dropped = &links.dropped;
    for (reason, value) in [
        ("malformed", dropped.malformed),
        ("version", dropped.version),
        ("network", dropped.network),
        ("key", dropped.key),
        ("stranger", dropped.stranger),
        ("replayed", dropped.replayed),
        ("session", dropped.session),
        ("conflict", dropped.conflict),
        ("crowded", dropped.crowded),
        ("stale", dropped.stale),
    ] {
        page.line(&format!("dropped_total{{reason=\"{reason}\"}}"), &value.to_string());
    }
    page.text
}

#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn head(&mut self, name: &str, help: &str, kind: &str) {
        writeln!(self.text, "# HELP driftlock_{name} {help}").expect("text takes all");
        writeln!(self.text, "# TYPE driftlock_{name} {kind}").expect("text takes all");
    }

    fn line(&mut self, name: &str, value: &str) {
        writeln!(self.text, "driftlock_{name} {value}").expect("text takes all");
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.head(name, help, "counter");
        self.line(name, &value.to_string());
    }

    fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.head(name, help, "gauge");
        self.line(name, &value.to_string());
    }

    fn times(&mut self, name: &str, help: &str, times: &Times) {
        self.head(name, help, "histogram");
        let mut so_far = 0;
        for (class, end) in times.classes.iter().zip(CLASSES) {
            so_far += class;
            let end = end as f64 / 1e6;
            self.line(&format!("{name}_bucket{{le=\"{end}\"}}"), &so_far.to_string());
        }
        self.line(&format!("{name}_bucket{{le=\"+Inf\"}}"), &times.count.to_string());
        self.line(&format!("{name}_sum"), &(times.sum as f64 / 1e6).to_string());
        self.line(&format!("{name}_count"), &times.count.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_times_add_up() {
        let mut times = Times::default();
        [50, 250, 250_000_000].into_iter().for_each(|micros| times.add(micros));
        let mut page = Page::default();
        page.times("wait_seconds", "Help.", &times);
        let lines: Vec<&str> = page.text.lines().collect();
        assert_eq!(lines[1], "# TYPE driftlock_wait_seconds histogram");
        assert_eq!(lines[2], "driftlock_wait_seconds_bucket{le=\"0.0001\"} 1");
        assert_eq!(lines[3], "driftlock_wait_seconds_bucket{le=\"0.0003\"} 2");
        assert_eq!(lines[14], "driftlock_wait_seconds_bucket{le=\"100\"} 2");
        assert_eq!(lines[15], "driftlock_wait_seconds_bucket{le=\"+Inf\"} 3");
        assert_eq!(lines[16], "driftlock_wait_seconds_sum 250.0003");
    }
}
