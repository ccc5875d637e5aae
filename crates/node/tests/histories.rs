//! What programs have seen of a lock, as a history, is that of a lock.

use driftlock_core::ResourceId;
use driftlock_locks::{Key, Kind, Ticket};
use todc_utils::linearizability::WGLChecker;
use todc_utils::linearizability::history::{Action, History};
use todc_utils::specifications::Specification;

use crate::air::{Air, Dice, HELLO};
use crate::book::{Book, Inside, Moment};
use crate::models::{OfGroups, OfNeighbors, OfPermits, Op};

mod planted;

type Actions = Vec<(usize, Action<Op>)>;

/// The history of a lock: each request from asking to entering, and from leaving to having left.
/// Who never entered may never have asked.
fn history(book: &Book, key: &Key) -> Actions {
    let of_lock = book.log.iter().filter(|(_, program, _)| program.key == *key);
    let entered = |ticket: &Ticket| {
        book.log.iter().find_map(|(other, program, moment)| match moment {
            Moment::Enters { fence } if other == ticket => Some(enter(*ticket, program, *fence)),
            _ => None,
        })
    };
    let action = |(ticket, _, moment): &(Ticket, Inside, Moment)| {
        let number = 2 * ticket.0 as usize;
        Some(match moment {
            Moment::Asks => (number, Action::Call(entered(ticket)?)),
            Moment::Enters { .. } => (number, Action::Response(entered(ticket)?)),
            Moment::Leaves => (number + 1, Action::Call(Op::Leave(ticket.0))),
            Moment::Left => (number + 1, Action::Response(Op::Leave(ticket.0))),
        })
    };
    of_lock.filter_map(action).collect()
}

fn enter(ticket: Ticket, program: &Inside, fence: u64) -> Op {
    let Inside { node, resource: ResourceId(group), .. } = *program;
    Op::Enter { who: ticket.0, node, group, fence }
}

/// Whether there is an order in which the model allows what has happened.
fn fits<M: Specification<Operation = Op>>(actions: &Actions) -> bool {
    actions.is_empty() || WGLChecker::<M>::is_linearizable(History::from_actions(actions.clone()))
}

/// Whether a history is one of its lock. What neighbors are depends on links, so local locks are
/// judged where these stay as they are.
fn fits_kind(kind: Kind, actions: &Actions) -> bool {
    match kind {
        Kind::Exclusive => fits::<OfPermits<1>>(actions),
        Kind::Permits(2) => fits::<OfPermits<2>>(actions),
        Kind::Permits(3) => fits::<OfPermits<3>>(actions),
        Kind::Permits(k) => panic!("no test has {k} permits"),
        Kind::Group => fits::<OfGroups>(actions),
        Kind::Local => true,
    }
}

/// The history of each lock is that of a lock.
pub(crate) fn judge(book: &Book) {
    let mut keys: Vec<&Key> = book.log.iter().map(|(_, program, _)| &program.key).collect();
    keys.sort();
    keys.dedup();
    for key in keys {
        assert!(fits_kind(key.kind, &history(book, key)), "the history of {key} is of no lock");
    }
}

/// Four nodes in a line, where somebody always wants everything.
fn crowd(seed: u64, keys: &[Key], links_change: bool) -> Air {
    let (mut dice, n) = (Dice::new(seed), 4);
    let mut air = Air::line(n, seed);
    air.run(5 * HELLO);
    for _ in 0..400 {
        let (key, node) = (&keys[dice.below(keys.len() as u64) as usize], dice.below(4) as usize);
        if air.book.asked.len() < 12 {
            let group = if key.kind == Kind::Group { dice.below(3) } else { 0 };
            air.acquire(node, key, group);
        }
        air.run(dice.below(8000));
        let inside: Vec<Ticket> = air.book.inside.keys().copied().collect();
        let leavers = inside.into_iter().filter(|_| dice.below(3) == 0);
        leavers.collect::<Vec<_>>().into_iter().for_each(|ticket| air.release(ticket));
        match dice.below(40) {
            0 if links_change => air.part(node, (node + 1) % n),
            1..4 if links_change => air.meet(node, (node + 1) % n),
            _ => {}
        }
    }
    (1..n).for_each(|i| air.meet(i - 1, i));
    air.run_out(60 * HELLO);
    air
}

fn key(kind: Kind) -> Key {
    Key::new(kind.name(), kind).expect("a name")
}

#[test]
fn histories_of_nodes_are_histories_of_locks() {
    let kinds = [Kind::Exclusive, Kind::Permits(3), Kind::Group];
    for kind in kinds {
        for seed in 0..6 {
            let air = crowd(seed, &[key(kind)], seed % 2 == 1);
            let actions = history(&air.book, &key(kind));
            assert!(200 < actions.len(), "{} steps of {kind}", actions.len());
            assert!(fits_kind(kind, &actions), "seed {seed}: the history of {kind} is of no lock");
        }
    }
}

#[test]
fn histories_of_neighbors_are_histories_of_local_locks() {
    for seed in 0..6 {
        let air = crowd(seed, &[key(Kind::Local)], false);
        let actions = history(&air.book, &key(Kind::Local));
        assert!(200 < actions.len(), "{} steps", actions.len());
        assert!(fits::<OfNeighbors>(&actions), "seed {seed}");
    }
}
