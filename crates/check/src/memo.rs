//! Every step is taken once: [`Memo`].
//!
//! By the step law, what a process answers depends on its state and on the input alone. A network
//! of a few nodes has millions of states, but each of its processes has a few thousand; so nearly
//! every step of the exploration has been taken before, and is looked up.

use driftlock_core::{Graph, Input, LinkRole, Medium, NodeId, Out, Output, ResourceId};
use driftlock_replay::attempt;
use driftlock_spec::application;

use crate::channels::Channels;
use crate::environment::{self, Environment, Event};
use crate::intern::{Map, Pool};
use crate::layout::{Layout, node};
use crate::levels::{ChannelShift, Shift};
use crate::restarts::UNSAVED;
use crate::setup::Setup;
use crate::site::{self, Checked, Site};

/// An input, without the message: a number stands for that.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    Request(u8),
    Release,
    Recv {
        from: u8,
        message: u32,
    },
    LinkUp {
        peer: u8,
        moving: bool,
    },
    LinkDown {
        peer: u8,
    },
    /// The timer at this place among those that are set.
    Timer(u8),
    Returned {
        to: u8,
        message: u32,
    },
    /// Not an input: the node stops.
    Crash,
}

/// What a step did.
#[derive(Clone, Debug)]
pub(crate) struct Effect {
    /// The node after the step.
    pub(crate) site: u32,
    /// What it sent, to whom, in order.
    pub(crate) sent: Box<[(u8, u32)]>,
    /// The timers that it set, a bit for each.
    pub(crate) set: u64,
    /// Whether it entered the critical section.
    pub(crate) entered: bool,
    /// Whether the process has to be written down after it.
    pub(crate) matters: bool,
    /// Whether the step by itself broke a promise.
    pub(crate) broken: bool,
}

/// A look-up that was never made before.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Miss {
    Step(u32, Key),
    Send(u32, u32),
    ShiftSite(u32, Shift),
    ShiftChannel(u32, ChannelShift),
    Event(u32, Event),
}

/// All that is known of a protocol in a setup.
pub(crate) struct Memo<P: Checked> {
    pub(crate) setup: Setup,
    pub(crate) layout: Layout,
    /// All timers that were ever set.
    timers: Vec<P::Timer>,
    sites: Pool<Site<P>>,
    site_facts: Vec<site::Facts>,
    steps: Map<(u32, Key), u32>,
    effects: Vec<Effect>,
    shifted_sites: Map<(u32, Shift), u32>,
    pub(crate) channels: Channels<P>,
    environments: Pool<Environment>,
    environment_facts: Vec<environment::Facts>,
    events: Map<(u32, Event), u32>,
    /// How many tokens there are.
    pub(crate) tokens: u32,
    /// What nodes wake up as that write nothing down: they have met nobody.
    pub(crate) cold: Vec<u32>,
    out: Out<P::Msg, P::Timer>,
}

impl<P: Checked> Memo<P> {
    /// Nothing is known but the initial state, which is returned as well.
    pub(crate) fn new(setup: &Setup, config: &P::Config) -> (Self, Vec<u32>) {
        let saves = setup.restarts > 0 && !P::FORKS;
        let layout = Layout::new(setup.graph.n_nodes(), saves);
        let mut memo = Memo {
            setup: setup.clone(),
            timers: Vec::new(),
            sites: Pool::new(),
            site_facts: Vec::new(),
            steps: Map::default(),
            effects: Vec::new(),
            shifted_sites: Map::default(),
            channels: Channels::new(),
            environments: Pool::new(),
            environment_facts: Vec::new(),
            events: Map::default(),
            tokens: 0,
            cold: Vec::new(),
            out: Out::new(),
            layout,
        };
        let mut row = vec![memo.keep_environment(Environment::new(setup, &memo.layout))];
        for process in P::initial(&setup.graph, config) {
            memo.tokens += process.held();
            row.push(memo.keep_site(Site::new(process)));
        }
        row.resize(memo.layout.left(), UNSAVED);
        row.resize(memo.layout.width(), crate::channels::EMPTY);
        if setup.restarts > 0 && P::FORKS {
            let alone = P::initial(&Graph::new(memo.layout.n), config).into_iter();
            memo.cold = alone.map(|process| memo.keep_site(Site::new(process))).collect();
        }
        (memo, row)
    }

    #[inline]
    pub(crate) fn site(&self, site: u32) -> &site::Facts {
        &self.site_facts[site as usize]
    }

    #[inline]
    pub(crate) fn environment(&self, environment: u32) -> &environment::Facts {
        &self.environment_facts[environment as usize]
    }

    #[inline]
    pub(crate) fn step(&self, site: u32, key: Key) -> Result<&Effect, Miss> {
        match self.steps.get(&(site, key)) {
            Some(&effect) => Ok(&self.effects[effect as usize]),
            None => Err(Miss::Step(site, key)),
        }
    }

    #[inline]
    pub(crate) fn send(&self, channel: u32, message: u32) -> Result<u32, Miss> {
        self.channels.sent(channel, message).ok_or(Miss::Send(channel, message))
    }

    #[inline]
    pub(crate) fn shift_site(&self, site: u32, shift: Shift) -> Result<u32, Miss> {
        self.shifted_sites.get(&(site, shift)).copied().ok_or(Miss::ShiftSite(site, shift))
    }

    #[inline]
    pub(crate) fn shift_channel(&self, channel: u32, shift: ChannelShift) -> Result<u32, Miss> {
        self.channels.shifted(channel, shift).ok_or(Miss::ShiftChannel(channel, shift))
    }

    #[inline]
    pub(crate) fn after(&self, environment: u32, event: Event) -> Result<u32, Miss> {
        self.events.get(&(environment, event)).copied().ok_or(Miss::Event(environment, event))
    }

    /// The timer at a place among those that are set at a site.
    pub(crate) fn timer(&self, site: u32, place: u8) -> P::Timer {
        self.sites.get(site).timers[usize::from(place)].clone()
    }

    /// The bit of the timer at a place among those that are set at a site.
    pub(crate) fn timer_bit(&self, site: u32, place: u8) -> u64 {
        let timer = &self.sites.get(site).timers[usize::from(place)];
        self.timers.iter().position(|other| other == timer).map_or(0, |k| 1 << k)
    }

    /// How many timers there are, by their names.
    pub(crate) fn n_timers(&self) -> u32 {
        self.timers.len() as u32
    }

    /// Find out what was missing.
    pub(crate) fn fill(&mut self, miss: Miss) {
        match miss {
            Miss::Step(site, key) => self.take(site, key),
            Miss::Send(channel, message) => drop(self.channels.send(channel, message)),
            Miss::ShiftChannel(channel, shift) => self.channels.shift(channel, shift),
            Miss::ShiftSite(site, shift) => {
                let shifted = self.sites.get(site).shifted(shift);
                let shifted = self.keep_site(shifted);
                self.shifted_sites.insert((site, shift), shifted);
            }
            Miss::Event(environment, event) => {
                let after =
                    self.environments.get(environment).after(event, &self.setup, &self.layout);
                let after = self.keep_environment(after);
                self.events.insert((environment, event), after);
            }
        }
    }

    /// Take a step, and remember what it did.
    fn take(&mut self, site: u32, key: Key) {
        let mut after = self.sites.get(site).clone();
        let mut effect = Effect {
            site,
            sent: Box::new([]),
            set: 0,
            entered: false,
            matters: false,
            broken: false,
        };
        match self.input(&mut after, key) {
            None => {
                after.crashed = true;
                after.timers.clear();
            }
            Some(input) => self.answer(&mut after, &input, &mut effect),
        }
        if !effect.broken {
            effect.site = self.keep_site(after);
        }
        self.steps.insert((site, key), self.effects.len() as u32);
        self.effects.push(effect);
    }

    fn input(&self, site: &mut Site<P>, key: Key) -> Option<Input<P::Msg, P::Timer>> {
        let input = match key {
            Key::Request(resource) => Input::RequestCs(ResourceId(resource.into())),
            Key::Release => Input::ReleaseCs,
            Key::Recv { from, message } => {
                Input::Recv { from: node(from), msg: self.channels.message(message).clone() }
            }
            Key::LinkUp { peer, moving } => {
                let role = if moving { LinkRole::Moving } else { LinkRole::Static };
                Input::LinkUp { peer: node(peer), role }
            }
            Key::LinkDown { peer } => Input::LinkDown { peer: node(peer) },
            Key::Timer(place) => Input::Timer(site.timers.remove(usize::from(place))),
            Key::Returned { to, message } => {
                Input::Returned { to: node(to), msg: self.channels.message(message).clone() }
            }
            Key::Crash => return None,
        };
        Some(input)
    }

    fn answer(
        &mut self,
        after: &mut Site<P>,
        input: &Input<P::Msg, P::Timer>,
        effect: &mut Effect,
    ) {
        let mut out = std::mem::take(&mut self.out);
        let gave_up = attempt(|| after.process.step(input.clone(), &mut out)).is_err();
        let outputs = out.as_slice();
        let status = after.process.status();
        // Which node it is shows only in the text, and that is written by whoever tells the story.
        match application::step(NodeId(0), after.section, input, outputs, status) {
            Ok(section) => after.section = section,
            Err(_) => effect.broken = true,
        }
        let undefined = outputs.iter().any(|output| matches!(output, Output::Undefined(_)));
        effect.broken |= gave_up || (undefined && self.setup.rules.undefined_stops);
        effect.entered = outputs.contains(&Output::EnterCs);
        effect.matters = P::is_written_down(input, outputs);
        if !effect.broken {
            after.follow(input, outputs, self.setup.resources > 1);
        }
        for output in out.as_slice() {
            if let Output::SetTimer { timer, .. } = output {
                effect.set |= bit_of(&mut self.timers, timer);
            }
        }
        let sent = out.drain().filter_map(|output| match output {
            Output::Send { to, msg } => Some((to.0 as u8, self.channels.intern(msg))),
            _ => None,
        });
        effect.sent = sent.collect();
        self.out = out;
    }

    fn keep_site(&mut self, mut site: Site<P>) -> u32 {
        // What is never read again is known only where the contract is kept.
        if self.setup.is_reliable() {
            site.process.forget();
        }
        site.process.forget_time();
        let mut facts = site::Facts::of(&mut site, self.layout.n);
        facts.set = site.timers.iter().fold(0, |set, timer| set | bit_of(&mut self.timers, timer));
        let (number, new) = self.sites.intern(site);
        if new {
            self.site_facts.push(facts);
        }
        number
    }

    fn keep_environment(&mut self, environment: Environment) -> u32 {
        // A mesh is in one piece, but for what nodes take along that stop.
        let mesh = self.setup.medium == Medium::Mesh;
        let apart = self.setup.partitions() || mesh || self.setup.rules.quorum;
        let settled = self.setup.rules.settled;
        let facts = environment::Facts::of(&environment, &self.layout, apart, settled);
        let (number, new) = self.environments.intern(environment);
        if new {
            self.environment_facts.push(facts);
        }
        number
    }
}

/// The bit of a timer among all that were ever set.
fn bit_of<T: Clone + PartialEq>(timers: &mut Vec<T>, timer: &T) -> u64 {
    let place = timers.iter().position(|other| other == timer).unwrap_or_else(|| {
        timers.push(timer.clone());
        timers.len() - 1
    });
    assert!(place < 64, "a process has at most 64 timers");
    1 << place
}
