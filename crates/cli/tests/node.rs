//! Nodes that run: what goes wrong, and what they say and do then.

use std::fs::Permissions;
use std::io::{Read, Write};
use std::net::UdpSocket;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use driftlock_client::wire::{Op, Reason, Request};
use driftlock_client::{Lock, frame};
use driftlock_fuzz::skipped;
use serde_json::Value;

use crate::daemon::{Daemon, PATIENCE, free_port, until};
use crate::place::Place;

const KEY: &str = "1f1e1d1c1b1a191817161514131211100f0e0d0c0b0a09080706050403020100";

/// The user that nobody is.
const STRANGER: u32 = 65534;

/// A place with two keys in it.
pub(crate) fn place() -> Place {
    let place = Place::new();
    place.write("key", KEY);
    place.write("other", KEY.replace("1f", "2f"));
    place
}

/// The options of two nodes that listen to each other.
fn two() -> [String; 2] {
    let (one, two) = (free_port(), free_port());
    let air = |own, peer| format!("--listen 127.0.0.1:{own} --peer 127.0.0.1:{peer}");
    [format!("--id 1 {}", air(one, two)), format!("--id 2 {}", air(two, one))]
}

/// Two nodes that are linked; the first has founded the network.
pub(crate) fn linked(place: &Place) -> [Daemon; 2] {
    let [one, two] = two();
    let one = Daemon::start(place, "one", &format!("{one} --key key --found"));
    let two = Daemon::start(place, "two", &format!("{two} --key key"));
    one.await_links(1);
    two.await_links(1);
    [one, two]
}

#[test]
fn with_the_wrong_key_nodes_do_not_link_and_count_why() {
    let (place, [one, two]) = (place(), two());
    let one = Daemon::start(&place, "one", &format!("{one} --key key --found"));
    let two = Daemon::start(&place, "two", &format!("{two} --key other"));
    for node in [&one, &two] {
        node.await_dropped("key");
        assert_eq!(node.client().neighbors().unwrap(), []);
        assert_eq!(node.log().lines().count(), 1, "{}", node.log());
    }
}

#[test]
fn in_another_network_nodes_do_not_link_and_count_why() {
    let (place, [one, two]) = (place(), two());
    let one = Daemon::start(&place, "one", &format!("{one} --key key --network north --found"));
    let two = Daemon::start(&place, "two", &format!("{two} --key key --network south"));
    for node in [&one, &two] {
        node.await_dropped("network");
        assert_eq!(node.client().neighbors().unwrap(), []);
        assert_eq!(node.log().lines().count(), 1, "{}", node.log());
    }
}

#[test]
fn garbage_is_dropped_and_counted() {
    let (place, port) = (place(), free_port());
    let line = format!("--id 1 --key key --listen 127.0.0.1:{port} --peer 127.0.0.1:1 --found");
    let node = Daemon::start(&place, "one", &line);
    let socket = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
    socket.send_to(b"?", ("127.0.0.1", port)).unwrap();
    node.await_dropped("malformed");
    assert_eq!(node.log().lines().count(), 1, "{}", node.log());
}

#[test]
fn an_interface_that_does_not_exist_is_refused() {
    let line = "node --id 1 --key key --socket a.sock --interface no-such-one";
    place().refused(line, &["no network interface `no-such-one`", "ip link"]);
}

#[test]
fn a_port_that_is_in_use_is_refused() {
    let socket = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
    let address = socket.local_addr().unwrap();
    let line = "node --id 1 --key key --socket a.sock --peer 127.0.0.1:1 --listen";
    place().refused(&format!("{line} {address}"), &[&format!("{address} is in use"), "--listen"]);
}

#[test]
fn a_place_for_metrics_that_is_in_use_is_refused() {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let line = "node --id 1 --key key --socket a.sock --loopback --metrics";
    place().refused(&format!("{line} {address}"), &[&format!("cannot serve metrics at {address}")]);
}

#[test]
fn a_socket_that_is_in_use_is_refused() {
    let (place, [one, two]) = (place(), two());
    let _running = Daemon::start(&place, "one", &format!("{one} --key key"));
    let line = format!("node {two} --key key --socket one.sock");
    place.refused(&line, &["a node is running already at one.sock", "--socket"]);
}

#[test]
fn a_file_that_is_no_socket_is_left_alone() {
    let (place, [one, _]) = (place(), two());
    let line = format!("node {one} --key key --socket key");
    place.refused(&line, &["key is not a socket", "--socket"]);
    assert_eq!(place.read("key"), KEY.as_bytes());
}

#[test]
fn a_socket_that_a_dead_node_has_left_is_no_hindrance() {
    let (place, [one, _]) = (place(), two());
    Daemon::start(&place, "one", &format!("{one} --key key")).kill();
    assert!(place.path("one.sock").exists());
    let again = Daemon::start(&place, "one", &format!("{one} --key key"));
    assert_eq!(again.terminate(), Some(0));
    assert!(!place.path("one.sock").exists());
    drop(UnixListener::bind(place.path("one.sock")).unwrap());
    Daemon::start(&place, "one", &format!("{one} --key key"));
}

/// Whoever was there first keeps its links.
#[test]
fn of_two_nodes_with_one_id_both_warn_and_the_second_is_not_linked_with() {
    let (place, port) = (place(), free_port());
    let line = |id: u32| format!("--id {id} --key key --loopback --port {port}");
    let older = Daemon::start(&place, "older", &format!("{} --found", line(1)));
    let third = Daemon::start(&place, "third", &line(2));
    third.await_links(1);
    let epoch = third.client().neighbors().unwrap()[0].epoch;
    let newer = Daemon::start(&place, "newer", &line(1));
    for node in [&older, &newer] {
        let warning = node.await_warning("another node has the id");
        assert!(warning.contains("--id"), "{warning}");
        assert!(node.log().contains("another node has the id of this one"), "{}", node.log());
    }
    assert_eq!(newer.client().status().unwrap().links, 0);
    let neighbors = third.client().neighbors().unwrap();
    assert_eq!((neighbors.len(), neighbors[0].epoch), (1, epoch));
}

/// It takes root to be somebody else; with another user this checks nothing, and says so.
#[test]
fn a_user_who_may_not_is_refused_and_told_how() {
    if !nix::unistd::geteuid().is_root() {
        return skipped("only root can ask as somebody else");
    }
    let (place, [one, two]) = (place(), two());
    let open = |path: PathBuf| std::fs::set_permissions(path, Permissions::from_mode(0o755));
    open(place.path("")).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_driftlock"), place.path("driftlock")).unwrap();
    let ask = |node: &Daemon| {
        let mut command = Command::new(place.path("driftlock"));
        command.arg("status").env("DRIFTLOCK_SOCKET", node.socket()).uid(STRANGER);
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let node = Daemon::start(&place, "one", &format!("{one} --key key --socket-mode 666"));
    let (code, error) = ask(&node);
    assert_eq!(code, Some(77), "{error}");
    let allow = format!("--allow-uid {STRANGER}");
    assert!(error.contains("may not use this node") && error.contains(&allow), "{error}");
    let node = Daemon::start(&place, "two", &format!("{two} --key key {allow}"));
    let (code, error) = ask(&node);
    assert_eq!(code, Some(77), "{error}");
    assert!(error.contains("Permission denied") && error.contains("--socket-mode"), "{error}");
    let line = format!("{two} --key key {allow} --socket-mode 666");
    assert_eq!(node.terminate(), Some(0));
    let node = Daemon::start(&place, "two", &line);
    assert_eq!(ask(&node), (Some(0), String::new()));
}

#[test]
fn a_program_cannot_release_what_another_has() {
    let (place, [one, _]) = (place(), two());
    let node = Daemon::start(&place, "one", &format!("{one} --key key --found"));
    let client = node.client();
    let guard = client.acquire(Lock::exclusive("pad")).unwrap();
    let answer = ask(&node, Op::Release(guard.grant()));
    assert_eq!(answer["error"]["code"], "not-held", "{answer}");
    assert_eq!(client.locks().unwrap()[0].held, 1);
    guard.release().unwrap();
}

/// Ask in a session of its own, which then ends.
fn ask(node: &Daemon, op: Op) -> Value {
    let mut stream = UnixStream::connect(node.socket()).unwrap();
    stream.write_all(&frame::encode(&Request { id: 7, op }).unwrap()).unwrap();
    let mut next = || {
        let mut length = [0; 4];
        stream.read_exact(&mut length).unwrap();
        let mut bytes = vec![0; u32::from_be_bytes(length) as usize];
        stream.read_exact(&mut bytes).unwrap();
        serde_json::from_slice::<Value>(&bytes).unwrap()
    };
    let hello = next();
    assert_eq!(hello["driftlock"]["api"], 1, "{hello}");
    next()
}

#[test]
fn the_lock_of_a_program_that_has_gone_is_free() {
    let place = place();
    let [one, two] = linked(&place);
    let guard = two.client().acquire(Lock::exclusive("pad").wait(PATIENCE)).unwrap();
    let fence = guard.fence();
    let client = one.client();
    assert!(client.acquire(Lock::exclusive("pad").try_now()).is_err());
    // The last handle to that session: as if the program had died.
    drop(guard);
    let next = client.acquire(Lock::exclusive("pad").wait(PATIENCE)).unwrap();
    assert!(next.fence() > fence);
}

#[test]
fn a_node_that_is_stopped_hands_on_what_it_has() {
    let place = place();
    let [one, two] = linked(&place);
    let guard = one.client().acquire(Lock::exclusive("pad")).unwrap();
    let fence = guard.fence();
    guard.release().unwrap();
    assert_eq!(one.terminate(), Some(0));
    let client = two.client();
    until("founder", || client.status().unwrap().founder.then_some(()));
    let next = client.acquire(Lock::exclusive("pad").wait(PATIENCE)).unwrap();
    assert!(next.fence() > fence);
    for (k, lock) in [Lock::exclusive("a"), Lock::permits("b", 2), Lock::group("c", "g")]
        .into_iter()
        .chain([Lock::local("d")])
        .enumerate()
    {
        let fresh = client.acquire(lock.wait(PATIENCE));
        assert!(fresh.is_ok(), "new name {k}: {fresh:?}");
    }
}

/// A program that holds a lock is told, and has the time that was promised.
#[test]
fn a_node_that_is_stopped_tells_those_inside() {
    let place = place();
    let [one, two] = linked(&place);
    let guard = one.client().acquire(Lock::exclusive("pad")).unwrap();
    let fence = guard.fence();
    let stopped = std::thread::scope(|scope| {
        let stopped = scope.spawn(|| one.terminate());
        let lost = guard.wait_lost(PATIENCE).unwrap();
        assert_eq!(lost.reason, Reason::Leaving, "{lost:?}");
        let soon = Lock::exclusive("pad").wait(Duration::from_millis(200));
        let busy = two.client().acquire(soon);
        assert!(busy.is_err(), "{busy:?}");
        guard.release().unwrap();
        stopped.join().unwrap()
    });
    assert_eq!(stopped, Some(0));
    let next = two.client().acquire(Lock::exclusive("pad").wait(PATIENCE)).unwrap();
    assert!(next.fence() > fence);
}
