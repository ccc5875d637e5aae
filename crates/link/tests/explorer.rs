//! Every order of everything that can happen to a few [`Machine`]s: a breadth-first search.
//!
//! The air is a set of all frames that were ever sent. Any of them may arrive at any time, any
//! number of times, or never: so losses, duplicates, delays and cut directions need no steps of
//! their own, and old frames haunt every later incarnation. An end may find at any time that it
//! does not hear the other, and at any time that it does. Times may be up at any time. A node may
//! be killed and started again at any time, with what it has written down; a crash in the midst of
//! a step is one before it if nothing was written down yet, and otherwise one after it whose frames
//! got lost.
//!
//! A token is a kept message. It is held by a node or was sent by one; sending, delivering and
//! returning move it. Whoever delivers or returns a token that is not on its way to or from it has
//! doubled it. A token that is on its way and not with its sender any more is lost.

use std::collections::{BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use driftlock_core::{LinkRole, NodeId};
use driftlock_link::Memory;
use driftlock_link::clear::Clear;
use driftlock_link::link::Act;
use driftlock_link::machine::{Acts, Machine};

/// One thing that can happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    Heard(usize, usize),
    Silent(usize, usize),
    GiveUp(usize, usize),
    Knock(usize, usize),
    Resend(usize, usize),
    Acknowledge(usize, usize),
    Ask(usize, usize),
    /// Send the token.
    Pass(usize, usize),
    /// Send a message that is not kept.
    Chat(usize, usize),
    Arrive(usize, usize, Clear),
    /// Killed, and started again.
    Restart(usize),
}

/// Where the token is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Place {
    Held(usize),
    Sent(usize, usize),
}

/// What one end of a link was told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Told {
    up: Option<(u64, LinkRole)>,
    epoch: u64,
    /// The last message delivered in this epoch.
    last: u8,
}

/// How often some things may happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Budget {
    /// An end breaks a link, because it hears nothing or because nothing comes back.
    pub(crate) breaks: u8,
    /// The token is passed.
    pub(crate) passes: u8,
    /// Messages that are not kept.
    pub(crate) chats: u8,
    /// Questions are repeated.
    pub(crate) asks: u8,
    /// A node is killed.
    pub(crate) restarts: u8,
}

/// A deliberate mistake in how broken links are settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mistake {
    None,
    /// Do not ask: what was not acknowledged did not arrive.
    TakeItBack,
    /// Do not ask: what was not acknowledged did arrive.
    LetItGo,
    /// Answer, and go on receiving.
    AnswerWithoutFreezing,
    /// Frames of an old incarnation count in the new one.
    OneKeyForAll,
    /// Not written down: that a token was sent.
    ForgetSent,
    /// Not written down: that a token was received.
    ForgetReceived,
    /// Not written down: that a link went down.
    ForgetDown,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State {
    machines: Vec<Machine>,
    /// What each node has written down.
    memories: Vec<Memory>,
    /// How often each was started.
    starts: Vec<u64>,
    air: BTreeSet<(usize, usize, Clear)>,
    token: Place,
    /// Every message has another number.
    sent: u8,
    told: Vec<Told>,
    left: Budget,
}

/// What is explored.
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) n: usize,
    pub(crate) mistake: Mistake,
    /// The pairs whose links may break.
    pub(crate) fragile: Vec<(usize, usize)>,
}

fn id(i: usize) -> NodeId {
    NodeId::at(i)
}

fn memory(i: usize) -> u64 {
    100 + i as u64
}

/// Starts are numbers far from each other.
fn start(k: u64) -> u64 {
    1_000 * k
}

impl Model {
    pub(crate) fn start(&self, left: Budget) -> State {
        let memory = |i| Memory { name: memory(i), ..Memory::default() };
        let memories: Vec<Memory> = (0..self.n).map(memory).collect();
        let machine = |i| Machine::new(id(i), &memories[i], start(1), 4);
        State {
            machines: (0..self.n).map(machine).collect(),
            memories: memories.clone(),
            starts: vec![1; self.n],
            air: BTreeSet::new(),
            token: Place::Held(0),
            sent: 0,
            told: vec![Told::default(); self.n * self.n],
            left,
        }
    }

    /// All links up, and nothing in the air.
    pub(crate) fn start_up(&self, left: Budget) -> State {
        let mut state = self.start(left);
        let right = Model { mistake: Mistake::None, ..self.clone() };
        right.heal(&mut state, true).expect("links come up");
        state.air.clear();
        state.left = left;
        state
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let n = self.n;
        (0..n).flat_map(move |i| (0..n).filter(move |&j| i != j).map(move |j| (i, j)))
    }

    fn is_fragile(&self, i: usize, j: usize) -> bool {
        self.fragile.contains(&(i, j)) || self.fragile.contains(&(j, i))
    }

    /// What can happen next.
    fn actions(&self, state: &State) -> Vec<Action> {
        let mut actions = Vec::new();
        for (i, j) in self.pairs() {
            let link = state.machines[i].link(id(j));
            let heard = link.filter(|link| link.is_heard()).map(|link| link.peer_start());
            if heard != Some(start(state.starts[j])) {
                actions.push(Action::Heard(i, j));
            }
            let Some(link) = link else { continue };
            if self.is_fragile(i, j) && state.left.breaks > 0 {
                if link.is_up() || link.is_pending() {
                    actions.push(Action::Silent(i, j));
                }
                if link.is_up() {
                    actions.push(Action::GiveUp(i, j));
                }
            }
            if link.wants_handshake() {
                actions.push(Action::Knock(i, j));
            }
            if link.wants_answer() {
                actions.push(Action::Resend(i, j));
            }
            if link.arq().is_some_and(|arq| arq.owes()) {
                actions.push(Action::Acknowledge(i, j));
            }
            if link.is_in_doubt() && state.left.asks > 0 {
                actions.push(Action::Ask(i, j));
            }
            if link.is_up() && self.is_fragile(i, j) {
                if state.left.chats > 0 {
                    actions.push(Action::Chat(i, j));
                }
                if state.left.passes > 0 && state.token == Place::Held(i) {
                    actions.push(Action::Pass(i, j));
                }
            }
        }
        if state.left.restarts > 0 {
            actions.extend((0..self.n).map(Action::Restart));
        }
        let air = state.air.iter().cloned();
        actions.extend(air.map(|(from, to, clear)| Action::Arrive(from, to, clear)));
        actions
    }

    /// What comes of it; the frames that were sent, or what is wrong.
    pub(crate) fn step(
        &self,
        state: &mut State,
        action: Action,
    ) -> Result<Vec<(usize, usize, Clear)>, String> {
        let mut out = Acts::new();
        let who = match action {
            Action::Heard(i, j) => {
                let life = (memory(j), start(state.starts[j]));
                state.machines[i].heard(id(j), life, &mut out);
                i
            }
            Action::Silent(i, j) => {
                state.left.breaks -= 1;
                state.machines[i].silent(id(j), &mut out);
                i
            }
            Action::GiveUp(i, j) => {
                state.left.breaks -= 1;
                state.machines[i].give_up(id(j), &mut out);
                i
            }
            Action::Knock(i, j) => {
                state.machines[i].knock(id(j), &mut out);
                i
            }
            Action::Resend(i, j) => {
                state.machines[i].resend(id(j), &mut out);
                i
            }
            Action::Acknowledge(i, j) => {
                state.machines[i].acknowledge(id(j), &mut out);
                i
            }
            Action::Ask(i, j) => {
                state.left.asks -= 1;
                state.machines[i].ask(id(j), &mut out);
                i
            }
            Action::Pass(i, j) => {
                state.left.passes -= 1;
                state.sent += 1;
                state.token = Place::Sent(i, j);
                state.machines[i].send(id(j), &[state.sent], true, &mut out);
                i
            }
            Action::Chat(i, j) => {
                state.left.chats -= 1;
                state.sent += 1;
                state.machines[i].send(id(j), &[state.sent, 0], false, &mut out);
                i
            }
            Action::Arrive(i, j, clear) => {
                self.arrive(state, i, j, clear, &mut out);
                j
            }
            Action::Restart(i) => {
                state.left.restarts -= 1;
                self.restart(state, i);
                return Ok(Vec::new());
            }
        };
        self.err(state, who, &mut out);
        self.write_down(state, who, &out);
        self.judge(state, who, out)
    }

    /// Write down what has to be remembered of a step, before anything comes of it.
    fn write_down(&self, state: &mut State, who: usize, out: &Acts) {
        let machine = &mut state.machines[who];
        let mut changed = machine.take_changed();
        if state.left.restarts == 0 {
            // Nobody will ever read it.
            return;
        }
        let got_token = |(_, act): &(NodeId, Act)| matches!(act, Act::Deliver(m) if m.len() == 1);
        let went_down = |(_, act): &(NodeId, Act)| matches!(act, Act::Down(_));
        let has_sent =
            |peer: &NodeId| machine.link(*peer).and_then(|l| l.arq()).is_some_and(|a| a.kept() > 0);
        match self.mistake {
            Mistake::ForgetSent => changed.retain(|peer| !has_sent(peer)),
            Mistake::ForgetDown if out.iter().any(went_down) => changed.clear(),
            _ => {}
        }
        if self.mistake != Mistake::ForgetReceived {
            changed.extend(out.iter().filter(|act| got_token(act)).map(|(peer, _)| *peer));
        }
        for peer in changed {
            let link = machine.to_remember(peer).expect("there is a link");
            state.memories[who].links.insert(peer, link);
        }
    }

    fn restart(&self, state: &mut State, i: usize) {
        state.starts[i] += 1;
        state.machines[i] = Machine::new(id(i), &state.memories[i], start(state.starts[i]), 4);
        if state.left.restarts == 0 {
            state.memories.iter_mut().for_each(|memory| memory.links.clear());
        }
        for j in (0..self.n).filter(|&j| j != i) {
            let link = state.machines[i].link(id(j));
            if !link.is_some_and(|link| link.is_in_doubt()) {
                state.told[i * self.n + j].up = None;
            }
        }
    }

    fn arrive(&self, state: &mut State, i: usize, j: usize, mut clear: Clear, out: &mut Acts) {
        if self.mistake == Mistake::OneKeyForAll
            && let Clear::Data(data) = &mut clear
        {
            let link = state.machines[j].link(id(i)).filter(|link| link.is_up());
            data.epoch = link.map_or(data.epoch, |link| link.epoch());
        }
        let is_question = match &clear {
            Clear::Tell(tell) => tell.ask,
            Clear::Relay(flood) => flood.ask && flood.to == id(j),
            _ => false,
        };
        if self.mistake == Mistake::AnswerWithoutFreezing && is_question {
            let mut copy = state.machines[j].clone();
            copy.rx(id(i), clear, out);
            out.retain(|(_, act)| matches!(act, Act::Send(_)));
        } else {
            state.machines[j].rx(id(i), clear, out);
        }
    }

    /// Make the mistake, if there is a place for it.
    fn err(&self, state: &mut State, who: usize, out: &mut Acts) {
        let guess = match self.mistake {
            Mistake::TakeItBack => 0,
            Mistake::LetItGo => u64::MAX,
            _ => return,
        };
        for j in (0..self.n).filter(|&j| j != who) {
            let machine = &mut state.machines[who];
            let Some(link) = machine.link(id(j)).filter(|link| link.is_in_doubt()) else {
                continue;
            };
            let statement = driftlock_link::settle::Statement {
                epoch: link.epoch(),
                received: Some(guess),
                from_memory: memory(j),
                to_memory: memory(who),
            };
            let tell = driftlock_link::clear::Tell { statement, ask: false };
            machine.rx(id(j), Clear::Tell(tell), out);
        }
    }

    /// Do what a node does, and see that it may.
    fn judge(
        &self,
        state: &mut State,
        who: usize,
        out: Acts,
    ) -> Result<Vec<(usize, usize, Clear)>, String> {
        let mut sent = Vec::new();
        for (peer, act) in out {
            let j = peer.index();
            let other = state.told[j * self.n + who];
            let told = &mut state.told[who * self.n + j];
            match act {
                Act::Send(clear) => {
                    state.air.insert((who, j, clear.clone()));
                    sent.push((who, j, clear));
                }
                Act::Up(epoch, role) => {
                    ensure(told.up.is_none() && epoch > told.epoch, "up twice")?;
                    ensure(
                        other.up.is_none_or(|(theirs, _)| theirs >= epoch),
                        "up while the other end has not closed",
                    )?;
                    let alike = other.up == Some((epoch, role));
                    ensure(!alike, "both ends have the same role")?;
                    *told = Told { up: Some((epoch, role)), epoch, last: 0 };
                }
                Act::Down(epoch) => {
                    ensure(told.up.is_some_and(|(up, _)| up == epoch), "down without up")?;
                    told.up = None;
                }
                Act::Deliver(message) => {
                    ensure(told.up.is_some(), "delivered on a link that is not up")?;
                    ensure(message[0] > told.last, "delivered out of order or twice")?;
                    told.last = message[0];
                    if message.len() == 1 {
                        let is_here = state.token == Place::Sent(j, who);
                        ensure(is_here, "a token was doubled: delivered, but not under way")?;
                        state.token = Place::Held(who);
                    }
                }
                Act::Returned(_) => {
                    ensure(told.up.is_some(), "returned on a link that is not up")?;
                    let is_here = state.token == Place::Sent(who, j);
                    ensure(is_here, "a token was doubled: returned, but not under way")?;
                    state.token = Place::Held(who);
                }
                Act::Lost(_) => return Err("nobody has forgotten anything".into()),
            }
        }
        if let Place::Sent(i, j) = state.token {
            let arq = state.machines[i].link(id(j)).and_then(|link| link.arq());
            ensure(arq.is_some_and(|arq| arq.kept() == 1), "a token was lost")?;
        }
        Ok(sent)
    }

    /// From here on every frame arrives once, in order, and times are up when they should. Links
    /// come up if `links`; or else broken ones stay broken. Afterwards nothing may be in doubt.
    pub(crate) fn heal(&self, state: &mut State, links: bool) -> Result<(), String> {
        for round in 0..10 {
            let mut queue = VecDeque::new();
            for (i, j) in self.pairs() {
                self.heal_one(state, i, j, links, round, &mut queue)?;
            }
            while let Some((from, to, clear)) = queue.pop_front() {
                queue.extend(self.step(state, Action::Arrive(from, to, clear))?);
            }
            if self.is_healed(state, links).is_ok() {
                break;
            }
        }
        self.is_healed(state, links)
    }

    fn is_healed(&self, state: &State, links: bool) -> Result<(), String> {
        ensure(matches!(state.token, Place::Held(_)), "the token stays in doubt")?;
        for (i, j) in self.pairs() {
            let [mine, theirs] = [(i, j), (j, i)].map(|(i, j)| state.told[i * self.n + j].up);
            let agree = mine.map(|(epoch, _)| epoch) == theirs.map(|(epoch, _)| epoch);
            ensure(agree, "the ends do not agree in the end")?;
            ensure(!links || mine.is_some(), "the link does not come up again")?;
            let open = state.machines[i].link(id(j)).and_then(|link| link.arq());
            ensure(open.is_none_or(|arq| arq.waiting() == 0), "a message stays under way")?;
            let link = state.machines[i].link(id(j));
            let is_quiet =
                link.is_none_or(|link| !link.wants_answer()) && open.is_none_or(|arq| !arq.owes());
            ensure(is_quiet, "an end waits for an answer")?;
        }
        Ok(())
    }

    fn heal_one(
        &self,
        state: &mut State,
        i: usize,
        j: usize,
        links: bool,
        round: usize,
        queue: &mut VecDeque<(usize, usize, Clear)>,
    ) -> Result<(), String> {
        let both_up = |state: &State| {
            [(i, j), (j, i)].iter().all(|&(i, j)| state.told[i * self.n + j].up.is_some())
        };
        let mut actions = vec![Action::Resend(i, j), Action::Acknowledge(i, j), Action::Ask(i, j)];
        if links {
            actions.extend([Action::Heard(i, j), Action::Knock(i, j)]);
        } else if self.is_fragile(i, j) && !both_up(state) {
            actions.push(Action::Silent(i, j));
        }
        if round == 4 {
            actions.push(Action::GiveUp(i, j));
        }
        for action in actions {
            let link = state.machines[i].link(id(j));
            let is_due = match action {
                Action::Resend(..) | Action::GiveUp(..) => {
                    link.is_some_and(|link| link.wants_answer())
                }
                Action::Acknowledge(..) => link.and_then(|l| l.arq()).is_some_and(|arq| arq.owes()),
                Action::Ask(..) => link.is_some_and(|link| link.is_in_doubt()),
                Action::Knock(..) => link.is_some_and(|link| link.wants_handshake()),
                _ => true,
            };
            state.left.asks = 255;
            state.left.breaks = 255;
            if is_due {
                queue.extend(self.step(state, action)?);
            }
        }
        Ok(())
    }

    /// Most frames that come again do nothing. To see that is cheaper than to compare states.
    fn changes_nothing(&self, state: &State, action: &Action) -> bool {
        let Action::Arrive(i, j, clear) = action else { return false };
        let (mut machine, mut out) = (state.machines[*j].clone(), Acts::new());
        machine.rx(id(*i), clear.clone(), &mut out);
        let is_new = |(to, act): &(NodeId, Act)| match act {
            Act::Send(clear) => !state.air.contains(&(*j, to.index(), clear.clone())),
            _ => true,
        };
        self.mistake == Mistake::None && machine == state.machines[*j] && !out.iter().any(is_new)
    }

    /// Try everything. Returns the number of states, or what is wrong and how it came to that.
    pub(crate) fn explore(&self, start: State, heal: &[bool]) -> Result<usize, String> {
        let mut seen = BTreeSet::from([name(&start)]);
        let mut frontier = VecDeque::from([(start, 0)]);
        let mut steps: Vec<(usize, Option<Action>)> = vec![(0, None)];
        while let Some((state, at)) = frontier.pop_front() {
            for action in self.actions(&state) {
                if self.changes_nothing(&state, &action) {
                    continue;
                }
                let mut next = state.clone();
                if let Err(what) = self.step(&mut next, action.clone()) {
                    steps.push((at, Some(action)));
                    return Err(trace(&what, &steps, steps.len() - 1));
                }
                if seen.insert(name(&next)) {
                    steps.push((at, Some(action)));
                    for &links in heal {
                        let healed = self.heal(&mut next.clone(), links);
                        healed.map_err(|what| trace(&what, &steps, steps.len() - 1))?;
                    }
                    frontier.push_back((next, steps.len() - 1));
                }
            }
        }
        Ok(seen.len())
    }
}

/// States would fill the memory. Two of a few million have the same 128 bits once in 10^25 runs.
fn name(state: &State) -> [u64; 2] {
    [1, 2].map(|salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        state.hash(&mut hasher);
        hasher.finish()
    })
}

fn trace(what: &str, steps: &[(usize, Option<Action>)], last: usize) -> String {
    let mut actions = Vec::new();
    let mut at = last;
    while let (before, Some(action)) = &steps[at] {
        actions.push(format!("  {action:?}"));
        at = *before;
    }
    actions.reverse();
    format!("{what} after {} steps:\n{}", actions.len(), actions.join("\n"))
}

fn ensure(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.into()) }
}
