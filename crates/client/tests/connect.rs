//! Beginning a session, or not.

use std::io::Write;
use std::os::unix::net::UnixListener;

use driftlock_client::wire::{Code, Refusal};
use driftlock_client::{Client, ConnectError, Effect, blocking};

use crate::Place;

/// Both clients have to say the same.
async fn refused(path: &std::path::Path) -> String {
    let error = Client::connect(path).await.unwrap_err();
    let same = blocking::Client::connect(path).unwrap_err();
    assert_eq!(error.to_string(), same.to_string());
    assert_eq!(error.effect(), Effect::None);
    assert!(error.effect().is_definite());
    error.to_string()
}

#[tokio::test]
async fn a_node_says_who_it_is() {
    let place = Place::new();
    let client = place.client().await;
    assert_eq!((client.node().node, client.node().network.as_str()), (3, "fleet"));
    assert_eq!(place.blocking().node(), client.node());
}

#[tokio::test]
async fn without_a_node_the_error_says_where_there_is_none() {
    let place = Place::new();
    let path = place.folder.path().join("none.sock");
    assert!(refused(&path).await.contains("none.sock"));
    let error = Client::connect(&path).await.unwrap_err();
    assert!(matches!(error, ConnectError::Unreachable { .. }), "{error:?}");
}

#[tokio::test]
async fn a_node_can_refuse() {
    let place = Place::new();
    let refusal = |code| Refusal { code, message: "user 7 may not".into() };
    place.fake.refuse(refusal(Code::Denied));
    assert!(refused(place.fake.path()).await.contains("user 7 may not"));
    let error = Client::connect(place.fake.path()).await.unwrap_err();
    assert!(matches!(error, ConnectError::Denied(_)), "{error:?}");
    place.fake.refuse(refusal(Code::TooMany));
    let error = Client::connect(place.fake.path()).await.unwrap_err();
    assert!(matches!(error, ConnectError::TooMany(_)), "{error:?}");
}

#[tokio::test]
async fn another_version_is_not_spoken_to() {
    let place = Place::new();
    place.fake.speak(2);
    assert!(refused(place.fake.path()).await.contains("version 2"));
}

/// Whatever else listens there is told from a node.
#[tokio::test]
async fn what_is_no_node_is_noticed() {
    let openings: [&[u8]; 5] =
        [b"", b"HTTP/1.1 400", b"\0\0\0\x02[]", b"\0\0\0\x02{}", b"\0\0\0\x04nope"];
    for opening in openings {
        let place = Place::new();
        let path = place.folder.path().join("other.sock");
        let listener = UnixListener::bind(&path).unwrap();
        let other = std::thread::spawn(move || {
            for _ in 0..2 {
                listener.accept().unwrap().0.write_all(opening).unwrap();
            }
        });
        assert!(refused(&path).await.contains("is no driftlock node"), "{opening:?}");
        other.join().unwrap();
    }
}
