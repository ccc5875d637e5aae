//! `driftlock status`, `neighbors`, `locks`, `queue`, `top`, `leave` and `moving`.

use driftlock_client::Lock;

use crate::node_place::NodePlace;
use crate::place::Done;

fn fine(node: &NodePlace, words: &[&str]) -> Done {
    let done = node.run(words);
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{words:?}");
    done
}

#[test]
fn status_is_a_line_and_json() {
    let node = NodePlace::new();
    let line = fine(&node, &["status"]).out;
    assert_eq!(line, "node 3 of fleet, founder, static, up 1m30s: 1 link, 0 locks\n");
    let json = fine(&node, &["status", "--json"]).json();
    assert_eq!((json["node"].as_u64(), json["network"].as_str()), (Some(3), Some("fleet")));
    assert_eq!(json["in_doubt"], serde_json::json!([]));
}

#[test]
fn neighbors_are_a_table_and_json() {
    let node = NodePlace::new();
    let table = fine(&node, &["neighbors"]).out;
    assert_eq!(
        table,
        "node  state    for  role    rtt ms  queued  unacked  epoch  address\n\
         ----  -----  -----  ------  ------  ------  -------  -----  ----------------\n\
         \x20  5  up     29.0s  static    0.85       0        2      4  [fe80::5%2]:7400\n\
         \x20  9  heard   2.0s                       0        0      0\n"
    );
    assert_eq!(fine(&node, &["neighbours"]).out, table);
    let json = fine(&node, &["neighbors", "--json"]).json();
    assert_eq!(json["neighbors"][0]["state"], "up");
    assert!(json["neighbors"][1].get("rtt_us").is_none());
}

#[test]
fn locks_are_a_table_and_json() {
    let node = NodePlace::new();
    assert_eq!(fine(&node, &["locks"]).out, "no lock was asked for yet\n");
    let client = node.client();
    let guard = client.acquire(Lock::permits("camera", 2)).unwrap();
    client.acquire(Lock::exclusive("pad-3")).unwrap().release().unwrap();
    assert_eq!(
        fine(&node, &["locks"]).out,
        "name    kind       state  tokens  fence  held  waiting  holders\n\
         ------  ---------  -----  ------  -----  ----  -------  --------\n\
         camera  permits 2  held        1      1     1        0  76 1m00s\n\
         pad-3   exclusive  idle        1      1     0        0\n"
    );
    let json = fine(&node, &["locks", "--json"]).json();
    assert_eq!(json["locks"][0]["holders"][0]["grant"], guard.grant());
}

#[test]
fn a_queue_is_shown() {
    let node = NodePlace::new();
    let client = node.client();
    let guard = client.acquire(Lock::group("bridge", "north")).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| client.acquire(Lock::group("bridge", "south")).unwrap().fence());
        node.fake.expect(1, 1);
        assert_eq!(
            fine(&node, &["queue", "bridge"]).out,
            "bridge (group): 1 program here\nand on behalf of node 5\n\n\
             pid  user    for  group\n---  ----  -----  -----\n 77  1000  30.0s  south\n"
        );
        let json = fine(&node, &["queue", "bridge", "--json"]).json();
        assert_eq!(
            (json["waiters"].as_u64(), json["here"][0]["pid"].as_u64()),
            (Some(1), Some(77))
        );
        drop(guard);
    });
    assert_eq!(fine(&node, &["queue", "none"]).out, "none (exclusive): 0 programs here\n");
}

#[test]
fn top_prints_snapshots_where_there_is_no_terminal() {
    let node = NodePlace::new();
    let _guard = node.client().acquire(Lock::local("corner")).unwrap();
    let text = fine(&node, &["top", "--count", "2", "--interval", "0.01"]).out;
    assert_eq!(text.matches("node 3 of fleet").count(), 2, "{text}");
    assert_eq!(text.matches("corner  local").count(), 2, "{text}");
    assert!(!text.contains('\x1b'), "{text}");
    let text = fine(&node, &["top", "--count", "3", "--interval", "0", "--json"]).out;
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    for part in ["status", "neighbors", "locks"] {
        assert!(lines.iter().all(|line| line.get(part).is_some()), "{part}");
    }
}

#[test]
fn a_node_is_told_that_it_moves_and_that_it_leaves() {
    let node = NodePlace::new();
    assert_eq!(fine(&node, &["moving", "on"]).out, "");
    assert!(node.client().status().unwrap().moving);
    fine(&node, &["moving", "off"]);
    assert!(!node.client().status().unwrap().moving);
    assert_eq!(fine(&node, &["leave"]).out, "node 3 has left fleet\n");
    assert!(node.client().status().unwrap().leaving);
}
