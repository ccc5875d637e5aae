//! The strongly connected components of a part of the graph of calm edges.

use crate::store::Store;

/// The states that lie on a cycle of calm edges or behind one. In a protocol that comes to rest
/// there is none, and finding that out takes one number for each state.
pub(crate) fn restless(store: &Store) -> Vec<u32> {
    let n = store.expanded() as u32;
    let mut before = vec![0_u32; store.len()];
    for state in 0..n {
        for &next in store.edges(state) {
            before[next as usize] += 1;
        }
    }
    let mut free: Vec<u32> = (0..n).filter(|&state| before[state as usize] == 0).collect();
    while let Some(state) = free.pop() {
        for &next in store.edges(state) {
            before[next as usize] -= 1;
            if before[next as usize] == 0 && next < n {
                free.push(next);
            }
        }
    }
    (0..n).filter(|&state| before[state as usize] > 0).collect()
}

/// The strongly connected components, of those of `states` (in order) that are `within`, that have
/// an edge in them. This is Tarjan's algorithm with a stack of its own.
pub(crate) fn components(
    store: &Store,
    states: &[u32],
    within: impl Fn(u32) -> bool,
) -> Vec<Vec<u32>> {
    let mut tarjan = Tarjan {
        store,
        states,
        within: states.iter().map(|&state| within(state)).collect(),
        order: vec![0; states.len()],
        low: vec![0; states.len()],
        done: vec![false; states.len()],
        stack: Vec::new(),
        seen: 0,
        found: Vec::new(),
    };
    for place in 0..states.len() {
        if tarjan.within[place] && tarjan.order[place] == 0 {
            tarjan.visit(place);
        }
    }
    tarjan.found
}

struct Tarjan<'t> {
    store: &'t Store,
    states: &'t [u32],
    within: Vec<bool>,
    /// When each was seen first, from 1; and the earliest that it leads back to.
    order: Vec<u32>,
    low: Vec<u32>,
    /// Whether its component is complete.
    done: Vec<bool>,
    stack: Vec<usize>,
    seen: u32,
    found: Vec<Vec<u32>>,
}

impl Tarjan<'_> {
    fn visit(&mut self, root: usize) {
        let mut calls = vec![(root, 0)];
        self.enter(root);
        while let Some((place, edge)) = calls.pop() {
            let edges = self.store.edges(self.states[place]);
            let Some(&next) = edges.get(edge) else {
                self.leave(place);
                if let Some(&(above, _)) = calls.last() {
                    self.low[above] = self.low[above].min(self.low[place]);
                }
                continue;
            };
            calls.push((place, edge + 1));
            let Ok(next) = self.states.binary_search(&next) else { continue };
            if !self.within[next] || self.done[next] {
                continue;
            }
            if self.order[next] == 0 {
                self.enter(next);
                calls.push((next, 0));
            } else {
                self.low[place] = self.low[place].min(self.order[next]);
            }
        }
    }

    fn enter(&mut self, place: usize) {
        self.seen += 1;
        self.order[place] = self.seen;
        self.low[place] = self.seen;
        self.stack.push(place);
    }

    fn leave(&mut self, place: usize) {
        if self.low[place] != self.order[place] {
            return;
        }
        let first = self.stack.iter().rposition(|&other| other == place).unwrap_or(0);
        let members = self.stack.split_off(first);
        for &member in &members {
            self.done[member] = true;
        }
        let mut component: Vec<u32> = members.iter().map(|&member| self.states[member]).collect();
        component.sort_unstable();
        let state = self.states[place];
        if component.len() > 1 || self.store.edges(state).contains(&state) {
            self.found.push(component);
        }
    }
}
