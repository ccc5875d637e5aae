//! A protocol whose nodes forget to write something down: [`Careless`].

use driftlock_core::{
    Canonical, Graph, Initial, Input, Inspect, Level, NodeId, Out, Output, Protocol, Status, Tokens,
};

/// That a token, or a share of one, went.
pub(crate) const WENT: u8 = 0;
/// That one came.
pub(crate) const CAME: u8 = 1;
/// That one came back.
pub(crate) const CAME_BACK: u8 = 2;

/// A process that is not written down when it should be.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Careless<P, const FORGETS: u8>(P);

impl<P: Protocol, const FORGETS: u8> Protocol for Careless<P, FORGETS> {
    type Msg = P::Msg;
    type Timer = P::Timer;

    fn step(&mut self, input: Input<P::Msg, P::Timer>, out: &mut Out<P::Msg, P::Timer>) {
        self.0.step(input, out);
    }

    fn status(&self) -> Status {
        self.0.status()
    }
}

impl<P: Initial, const FORGETS: u8> Initial for Careless<P, FORGETS> {
    type Config = P::Config;

    fn initial(graph: &Graph, config: &P::Config) -> Vec<Self> {
        P::initial(graph, config).into_iter().map(Careless).collect()
    }
}

impl<P: Inspect, const FORGETS: u8> Inspect for Careless<P, FORGETS> {
    const KINDS: &'static [&'static str] = P::KINDS;

    fn kind(msg: &P::Msg) -> usize {
        P::kind(msg)
    }

    fn knows(&self, peer: NodeId) -> bool {
        self.0.knows(peer)
    }
}

impl<P: Tokens, const FORGETS: u8> Tokens for Careless<P, FORGETS> {
    fn held(&self) -> u32 {
        self.0.held()
    }

    fn carried(msg: &P::Msg) -> u32 {
        P::carried(msg)
    }

    fn weight(&self) -> i64 {
        self.0.weight()
    }

    fn weight_of(msg: &P::Msg) -> i64 {
        P::weight_of(msg)
    }

    fn misses_token(&self) -> bool {
        self.0.misses_token()
    }

    fn is_at_rest(&self) -> bool {
        self.0.is_at_rest()
    }

    fn is_written_down(
        input: &Input<P::Msg, P::Timer>,
        outputs: &[Output<P::Msg, P::Timer>],
    ) -> bool {
        let came = P::is_written_down(input, &[]);
        let went = P::is_written_down(&Input::ReleaseCs, outputs);
        match (FORGETS, input) {
            (WENT, _) => came,
            (CAME, Input::Recv { .. }) | (CAME_BACK, Input::Returned { .. }) => went,
            _ => came || went,
        }
    }
}

impl<P: Canonical, const FORGETS: u8> Canonical for Careless<P, FORGETS> {
    fn levels(&mut self, each: &mut dyn FnMut(Level, &mut i64)) {
        self.0.levels(each);
    }

    fn levels_in(msg: &mut P::Msg, each: &mut dyn FnMut(Level, &mut i64)) {
        P::levels_in(msg, each);
    }

    fn forget(&mut self) {
        self.0.forget();
    }
}
