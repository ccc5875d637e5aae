//! The bytes of every message. Who changes them changes what nodes of two versions say to each
//! other.

use driftlock_core::{NodeId, ResourceId};
use driftlock_protocols::{chandy_misra, gme, krl, lme1, lme2, raymond, raymond_k, ring, rl};

#[test]
fn rl_messages() {
    let height = rl::Height::new(1, -2, NodeId(300));
    let bytes = |msg: rl::Msg| postcard::to_allocvec(&msg).unwrap();
    assert_eq!(bytes(rl::Msg::Request(height, 7)), [0, 2, 3, 172, 2, 7]);
    assert_eq!(bytes(rl::Msg::Token(height)), [1, 2, 3, 172, 2]);
    assert_eq!(bytes(rl::Msg::LinkInfo(height, 300)), [2, 2, 3, 172, 2, 172, 2]);
    let back: rl::Msg = postcard::from_bytes(&[1, 2, 3, 172, 2]).unwrap();
    assert_eq!(back, rl::Msg::Token(height));
}

#[test]
fn raymond_messages() {
    assert_eq!(postcard::to_allocvec(&raymond::Msg::Request).unwrap(), [0]);
    assert_eq!(postcard::to_allocvec(&raymond::Msg::Privilege).unwrap(), [1]);
}

#[test]
fn gme_messages() {
    let h = rl::Height::new(1, -2, NodeId(300));
    let r = ResourceId(5);
    let bytes = |msg: gme::Msg| postcard::to_allocvec(&msg).unwrap();
    let request = gme::Msg::Request { h, r, known: 7, again: 1 };
    assert_eq!(bytes(request), [0, 2, 3, 172, 2, 5, 7, 1]);
    assert_eq!(bytes(gme::Msg::Token(h)), [1, 2, 3, 172, 2]);
    assert_eq!(bytes(gme::Msg::Sub { r, w: 300, answers: None }), [2, 5, 172, 2, 0]);
    assert_eq!(bytes(gme::Msg::Sub { r, w: 1, answers: Some(4) }), [2, 5, 1, 1, 4]);
    assert_eq!(bytes(gme::Msg::Release(300)), [3, 172, 2]);
    assert_eq!(bytes(gme::Msg::Link(h, 7)), [4, 2, 3, 172, 2, 7]);
    assert_eq!(bytes(gme::Msg::Withdraw), [5]);
}

#[test]
fn raymond_k_messages() {
    let bytes = |msg: raymond_k::Msg| postcard::to_allocvec(&msg).unwrap();
    assert_eq!(bytes(raymond_k::Msg::Request(150)), [0, 172, 2]);
    assert_eq!(bytes(raymond_k::Msg::Reply(2)), [1, 2]);
}

#[test]
fn ring_messages() {
    let bytes = |msg: ring::Msg| postcard::to_allocvec(&msg).unwrap();
    assert_eq!(bytes(ring::Msg::Req(150)), [0, 172, 2]);
    let visit = ring::Visit { node: NodeId(5), neighbors: vec![NodeId(7), NodeId(300)] };
    let token = ring::Token { round: 1, next: NodeId(7), visited: vec![visit] };
    assert_eq!(bytes(ring::Msg::Token(token)), [1, 2, 7, 1, 5, 2, 7, 172, 2]);
}

#[test]
fn lme1_messages() {
    use lme1::doorway::{Doors, Doorway, Notice};
    let bytes = |msg: lme1::Msg| postcard::to_allocvec(&msg).unwrap();
    assert_eq!(bytes(Notice::Cross(Doorway::SdF).into()), [0, 0, 3]);
    assert_eq!(bytes(Notice::Exit(Doors::F).into()), [0, 1, 12]);
    assert_eq!(bytes(lme1::Msg::Req), [1]);
    assert_eq!(bytes(lme1::Msg::Fork(true)), [2, 1]);
    assert_eq!(bytes(lme1::Msg::UpdateColor(-1)), [3, 1]);
    assert_eq!(bytes(lme1::Msg::Info(None, Doors::NONE)), [4, 0, 0]);
    let msg = lme1::Msg::NewColor { session: 150, round: 1, color: Some(2) };
    assert_eq!(bytes(msg), [5, 150, 1, 1, 1, 2]);
    let answers = [lme1::Msg::Ack(1), lme1::Msg::Nack(1), lme1::Msg::Busy(1)];
    assert_eq!(answers.map(bytes), [[6, 1], [7, 1], [8, 1]]);
}

#[test]
fn lme2_messages() {
    let bytes = |msg: lme2::Msg| postcard::to_allocvec(&msg).unwrap();
    assert_eq!(bytes(lme2::Msg::Notify), [0]);
    assert_eq!(bytes(lme2::Msg::Prio(150)), [1, 172, 2]);
    assert_eq!(bytes(lme2::Msg::Info(-1)), [2, 1]);
    assert_eq!(bytes(lme2::Msg::Req), [3]);
    assert_eq!(bytes(lme2::Msg::Fork(true)), [4, 1]);
    assert_eq!(bytes(lme2::Msg::Switch), [5]);
}

#[test]
fn chandy_misra_messages() {
    assert_eq!(postcard::to_allocvec(&chandy_misra::Msg::Req).unwrap(), [0]);
    assert_eq!(postcard::to_allocvec(&chandy_misra::Msg::Fork).unwrap(), [1]);
}

#[test]
fn krl_messages() {
    use krl::{Height, Level, Load, Msg, Said};
    let bytes = |msg: Msg| postcard::to_allocvec(&msg).unwrap();
    let height = Height::new(1, -2, NodeId(300));
    assert_eq!(bytes(Msg::Request(height, 7)), [0, 0, 2, 0, 0, 3, 172, 2, 7]);
    let load = Load { level: 3, reach: 15 };
    assert_eq!(bytes(Msg::Token(height, load)), [1, 0, 2, 0, 0, 3, 172, 2, 3, 15]);
    let level = Level { missing: true, h1: 4, origin: Some(NodeId(6)), reflected: true };
    let search = Height { level, h2: 1, id: NodeId(2) };
    let said = Said { raises: 300, asks: true, holds: false, reach: 15 };
    let said_bytes = [172, 2, 1, 0, 15];
    let link_info = bytes(Msg::LinkInfo(search, said));
    assert_eq!(link_info, [&[2, 1, 8, 1, 6, 1, 2, 2][..], &said_bytes].concat());
    let ack = bytes(Msg::Ack(height, said));
    assert_eq!(ack, [&[3, 0, 2, 0, 0, 3, 172, 2][..], &said_bytes].concat());
    assert_eq!(postcard::from_bytes::<Msg>(&ack).unwrap(), Msg::Ack(height, said));
}

/// Whatever bytes come, decoding gives a message or an error.
#[test]
fn any_bytes_decode_or_fail() {
    let mut number = 1u64;
    for length in 0..40 {
        for _ in 0..200 {
            let bytes: Vec<u8> = (0..length)
                .map(|_| {
                    number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (number >> 56) as u8
                })
                .collect();
            if let Ok((msg, rest)) = postcard::take_from_bytes::<rl::Msg>(&bytes) {
                let again = postcard::to_allocvec(&msg).unwrap();
                assert!(again.len() <= bytes.len() - rest.len(), "the shortest bytes are written");
            }
        }
    }
}
