//! Nodes that run, and whoever wishes them ill: on the radio, and on the same machine.

use std::io::{ErrorKind, Read, Write};
use std::net::UdpSocket;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use driftlock_client::wire::{Acquire, Kind, Op, Request};
use driftlock_client::{Lock, frame};
use driftlock_fuzz::{Dice, Script, times};

use crate::daemon::{Daemon, PATIENCE, free_port, until};
use crate::place::Place;

const KEY: &str = "1f1e1d1c1b1a191817161514131211100f0e0d0c0b0a09080706050403020100";

/// A node that has founded a network of its own.
fn alone(place: &Place) -> Daemon {
    place.write("key", KEY);
    let port = free_port();
    let air = format!("--listen 127.0.0.1:{port} --peer 127.0.0.1:1");
    Daemon::start(place, "one", &format!("--id 1 --key key --found {air}"))
}

/// Whether a node gives a lock to somebody else.
fn assert_serves(node: &Daemon, name: &str) {
    let guard = node.client().acquire(Lock::exclusive(name).wait(PATIENCE)).unwrap();
    guard.release().unwrap();
}

#[test]
fn hostile_frames_leave_two_nodes_serving() {
    let (place, foe) = (Place::new(), UdpSocket::bind(("127.0.0.1", 0)).unwrap());
    place.write("key", KEY);
    let (one, two, ear) = (free_port(), free_port(), foe.local_addr().unwrap());
    // Both tell the foe too that they are there.
    let line = |id: u32, own: u16, other: u16| {
        format!(
            "--id {id} --key key --listen 127.0.0.1:{own} --peer 127.0.0.1:{other} --peer {ear}"
        )
    };
    let nodes = [
        Daemon::start(&place, "one", &format!("{} --found", line(1, one, two))),
        Daemon::start(&place, "two", &line(2, two, one)),
    ];
    nodes.iter().for_each(|node| node.await_links(1));
    let heard: Vec<Vec<u8>> = (0..10)
        .map(|_| {
            let mut frame = vec![0; 2000];
            let length = foe.recv(&mut frame).unwrap();
            frame[..length].to_vec()
        })
        .collect();
    let mut dice = Dice::new(3);
    for number in 0..20_000 * times() {
        let mut said = heard[dice.below(heard.len())].clone();
        let random: [u8; 32] = core::array::from_fn(|_| dice.draw() as u8);
        // As a HELLO, a handshake, a message; altered, or as it was.
        said[1] = 1 + dice.below(4) as u8;
        (0..dice.below(3)).for_each(|_| Script::new(&random).alter(&mut said));
        let port = [one, two][dice.below(2)];
        // What is too much for the receiver is lost.
        let _ = foe.send_to(&said, ("127.0.0.1", port));
        if number % 5000 == 0 {
            assert_serves(&nodes[dice.below(2)], "pad");
        }
    }
    for node in &nodes {
        node.await_dropped("malformed");
        node.await_dropped("key");
        node.await_dropped("replayed");
        assert_serves(node, "pad");
        assert_eq!(node.client().status().unwrap().links, 1);
        assert_eq!(node.log().lines().count(), 1, "{}", node.log());
    }
}

#[test]
fn whatever_a_program_says_others_are_served() {
    let place = Place::new();
    let node = alone(&place);
    let ops = [Op::Status, Op::Queue("a".into()), Op::Release(1), Op::Locks(None), Op::Metrics];
    let examples: Vec<Vec<u8>> =
        ops.into_iter().map(|op| frame::encode(&Request { id: 1, op }).unwrap()).collect();
    for number in 0..300 * times() {
        let mut stream = UnixStream::connect(node.socket()).unwrap();
        let said: Vec<u8> =
            (0..3).flat_map(|k| driftlock_fuzz::input(3 * number + k, &examples)).collect();
        // It may have been hung up on in the middle.
        let _ = stream.write_all(&said);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut heard = Vec::new();
        let _ = stream.read_to_end(&mut heard);
        assert!(heard[4..].starts_with(br#"{"driftlock""#), "it was let in");
    }
    assert_serves(&node, "pad");
    assert_eq!(node.log().lines().count(), 1, "{}", node.log());
}

/// What is sent to it fails at once, each time, and nothing says that it has gone.
#[test]
fn a_program_that_does_not_listen_is_hung_up_on_and_holds_up_nobody() {
    let place = Place::new();
    let node = alone(&place);
    let mut stream = UnixStream::connect(node.socket()).unwrap();
    stream.shutdown(std::net::Shutdown::Read).unwrap();
    let hold = Request { id: 1, op: Op::Acquire(pad()) };
    stream.write_all(&frame::encode(&hold).unwrap()).unwrap();
    assert_serves(&node, "pad");
}

fn pad() -> Acquire {
    let (name, kind) = ("pad".into(), Kind::Exclusive);
    Acquire { name, kind, wait_ms: None, lease: None, keeper: None }
}

#[test]
fn a_program_that_never_reads_is_hung_up_on_and_holds_up_nobody() {
    let place = Place::new();
    let node = alone(&place);
    let mut stream = UnixStream::connect(node.socket()).unwrap();
    stream.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
    let hold = Request { id: 1, op: Op::Acquire(pad()) };
    stream.write_all(&frame::encode(&hold).unwrap()).unwrap();
    let client = node.client();
    until("holder", || client.locks().unwrap().first().is_some_and(|l| l.held == 1).then_some(()));
    let before = node.memory();
    let asked = frame::encode(&Request { id: 2, op: Op::Metrics }).unwrap().repeat(100);
    let end = until("end", || {
        assert_serves(&node, "other");
        stream.write_all(&asked).err()
    });
    assert!([ErrorKind::BrokenPipe, ErrorKind::ConnectionReset].contains(&end.kind()), "{end}");
    let more = node.memory().saturating_sub(before);
    assert!(more < 4 << 20, "{more} bytes more for one that does not read");
    assert_serves(&node, "pad");
}
