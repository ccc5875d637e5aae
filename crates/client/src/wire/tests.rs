use serde_json::{Value, json};

use super::*;

fn requests() -> Vec<(Op, Value)> {
    let asked =
        |kind, wait_ms| Acquire { name: "pad".into(), kind, wait_ms, lease: None, keeper: None };
    let acquire = |kind, wait_ms| Op::Acquire(asked(kind, wait_ms));
    let leased = |ms, grace_ms| {
        let lease = Some(Lease { ms, grace_ms });
        Op::Acquire(Acquire { lease, ..asked(Kind::Exclusive, None) })
    };
    vec![
        (acquire(Kind::Exclusive, None), json!({"op": "acquire", "name": "pad"})),
        (
            acquire(Kind::Permits(3), Some(0)),
            json!({"op": "acquire", "name": "pad", "kind": "permits", "permits": 3, "wait_ms": 0}),
        ),
        (
            acquire(Kind::Group("é".into()), Some(9)),
            json!({"op": "acquire", "name": "pad", "kind": "group", "group": "é", "wait_ms": 9}),
        ),
        (acquire(Kind::Local, None), json!({"op": "acquire", "name": "pad", "kind": "local"})),
        (leased(1, 0), json!({"op": "acquire", "name": "pad", "lease_ms": 1})),
        (
            leased(LONGEST_LEASE_MS, 5000),
            json!({"op": "acquire", "name": "pad", "lease_ms": 604_800_000, "grace_ms": 5000}),
        ),
        (Op::Cancel(4), json!({"op": "cancel", "request": 4})),
        (Op::Release(5), json!({"op": "release", "grant": 5})),
        (Op::Status, json!({"op": "status"})),
        (Op::Neighbors, json!({"op": "neighbors"})),
        (Op::Locks(None), json!({"op": "locks"})),
        (Op::Locks(Some("a".into())), json!({"op": "locks", "after": "a"})),
        (Op::Queue("a".into()), json!({"op": "queue", "name": "a"})),
        (Op::Metrics, json!({"op": "metrics"})),
        (Op::Moving(true), json!({"op": "moving", "on": true})),
        (Op::Leave, json!({"op": "leave"})),
    ]
}

#[test]
fn requests_are_written_as_documented_and_read_back() {
    for (op, mut written) in requests() {
        written["id"] = json!(7);
        let request = Request { id: 7, op };
        assert_eq!(serde_json::to_value(&request).unwrap(), written);
        written["later"] = json!({"not": "known"});
        assert_eq!(Request::parse(written.to_string().as_bytes()), Ok(request));
    }
}

/// Whoever gave an id gets an answer, whatever else is wrong.
#[test]
fn bad_requests_are_refused_with_what_is_wrong() {
    let long = "n".repeat(65);
    let bad = [
        (json!({"id": 1}), "`op`"),
        (json!({"id": 1, "op": "dance"}), "`dance`"),
        (json!({"id": 1, "op": "acquire"}), "`name`"),
        (json!({"id": 1, "op": "acquire", "name": ""}), "0 bytes"),
        (json!({"id": 1, "op": "acquire", "name": long}), "65 bytes"),
        (json!({"id": 1, "op": "acquire", "name": 3}), "invalid type"),
        (json!({"id": 1, "op": "acquire", "name": "a", "kind": "group"}), "`group`"),
        (json!({"id": 1, "op": "acquire", "name": "a", "kind": "group", "group": ""}), "0 bytes"),
        (json!({"id": 1, "op": "acquire", "name": "a", "kind": "permits"}), "`permits`"),
        (json!({"id": 1, "op": "acquire", "name": "a", "kind": "permits", "permits": 0}), "is 0"),
        (
            json!({"id": 1, "op": "acquire", "name": "a", "kind": "permits", "permits": 1001}),
            "is 1001",
        ),
        (json!({"id": 1, "op": "acquire", "name": "a", "kind": "odd"}), "`kind`"),
        (json!({"id": 1, "op": "acquire", "name": "a", "wait_ms": -1}), "invalid value"),
        (json!({"id": 1, "op": "acquire", "name": "a", "lease_ms": 0}), "`lease_ms` is 0"),
        (
            json!({"id": 1, "op": "acquire", "name": "a", "lease_ms": 604_800_001}),
            "1 to 604800000 can be",
        ),
        (json!({"id": 1, "op": "acquire", "name": "a", "lease_ms": 1.5}), "invalid type"),
        (json!({"id": 1, "op": "acquire", "name": "a", "grace_ms": 1}), "`lease_ms`"),
        (
            json!({"id": 1, "op": "acquire", "name": "a", "lease_ms": 7, "grace_ms": 7}),
            "`grace_ms` is 7",
        ),
        (json!({"id": 1, "op": "cancel"}), "`request`"),
        (json!({"id": 1, "op": "release"}), "`grant`"),
        (json!({"id": 1, "op": "queue"}), "`name`"),
        (json!({"id": 1, "op": "moving"}), "`on`"),
    ];
    for (request, part) in bad {
        let refused = Request::parse(request.to_string().as_bytes()).unwrap_err();
        assert_eq!((refused.id, refused.refusal.code), (Some(1), Code::BadRequest), "{request}");
        assert!(refused.refusal.message.contains(part), "{request}: {}", refused.refusal.message);
    }
    for bytes in [&b""[..], b"{", b"[]", b"\xff", b"{\"op\":\"status\"}", b"{\"id\":-1}"] {
        assert_eq!(Request::parse(bytes).unwrap_err().id, None, "{bytes:?}");
    }
}

fn write(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

#[test]
fn what_nodes_say_is_written_as_documented_and_read_back() {
    let read = |value: Value| Incoming::parse(value.to_string().as_bytes()).unwrap();
    let granted = Answer { id: 7, result: Ok(Granted { grant: 12, fence: 40, alone_ms: None }) };
    let written = json!({"id": 7, "ok": {"grant": 12, "fence": 40}});
    assert_eq!(write(&granted), written);
    let Incoming::Answer(7, Ok(ok)) = read(written) else { panic!("it is an answer") };
    assert_eq!(serde_json::from_str::<Granted>(ok.get()).unwrap(), granted.result.unwrap());

    let refusal = Refusal { code: Code::NotHeld, message: "no".into() };
    let refused: Answer<Done> = Answer { id: 8, result: Err(refusal.clone()) };
    let written = json!({"id": 8, "error": {"code": "not-held", "message": "no"}});
    assert_eq!(write(&refused), written);
    assert!(matches!(read(written), Incoming::Answer(8, Err(read)) if read == refusal));

    let lost = Lost { grant: 12, reason: Reason::Demoted, message: "a neighbor".into() };
    let written =
        json!({"event": "lost", "grant": 12, "reason": "demoted", "message": "a neighbor"});
    assert_eq!(write(Event::Lost(lost.clone())), written);
    assert!(matches!(read(written), Incoming::Lost(read) if read == lost));

    for (reason, name) in [(Reason::Lease, "lease"), (Reason::Leaving, "leaving")] {
        assert_eq!(write(reason), json!(name));
        assert_eq!(serde_json::from_value::<Reason>(json!(name)).unwrap(), reason);
    }

    let greeting = Greeting { api: API, version: "0.1.0".into(), node: 3, network: "fleet".into() };
    let written =
        json!({"driftlock": {"api": 1, "version": "0.1.0", "node": 3, "network": "fleet"}});
    assert_eq!(write(&Hello { driftlock: greeting.clone() }), written);
    assert!(matches!(read(written), Incoming::Hello(read) if read == greeting));

    let written = json!({"error": {"code": "denied", "message": "uid 7 may not"}});
    let Incoming::Farewell(refusal) = read(written.clone()) else { panic!("it is over") };
    assert_eq!(write(&Farewell { error: refusal }), written);
}

/// A newer node may say more, and an older one less.
#[test]
fn what_is_not_known_is_no_error() {
    let parse = |text: &str| Incoming::parse(text.as_bytes());
    assert!(matches!(parse(r#"{"event": "eclipse", "grant": "?"}"#), Ok(Incoming::Other)));
    assert!(matches!(parse(r#"{"id": 1}"#), Ok(Incoming::Other)));
    let Ok(Incoming::Answer(1, Err(refusal))) = parse(r#"{"id":1,"error":{"code":"new"}}"#) else {
        panic!("it is an answer");
    };
    assert_eq!(refusal.code, Code::Other);
    let Ok(Incoming::Lost(lost)) = parse(r#"{"event":"lost","grant":7,"reason":"eclipse"}"#) else {
        panic!("it is a loss");
    };
    assert_eq!((lost.grant, lost.reason), (7, Reason::Other));
    let view = json!({"name": "a", "kind": "sponge", "state": "odd", "x": [1], "held": 2});
    let view: LockView = serde_json::from_value(view).unwrap();
    assert_eq!((view.kind, view.state, view.held), (KindName::Other, LockState::Other, 2));
    for bytes in [&b""[..], b"[]", b"{\"id\":\"a\"}", b"\xff\xff", b"{\"event\":\"lost\"}"] {
        assert!(Incoming::parse(bytes).is_err(), "{bytes:?}");
    }
}
