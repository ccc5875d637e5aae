//! A lab with its nodes running and somebody to move them: [`Fleet`].

use std::time::{Duration, Instant};

use driftlock_client::blocking::Client;

use crate::bell::Bell;
use crate::book::{Book, Name, Summary};
use crate::lab::Lab;
use crate::load;
use crate::looks::{Looks, connect};
use crate::map::{Look, Map};

/// How long anything may take before it counts as never.
pub(crate) const NEVER: Duration = Duration::from_secs(20);

/// How long links have to be right before they count as settled.
const CALM: Duration = Duration::from_millis(200);

/// Nodes that run, and where they are.
pub(crate) struct Fleet {
    pub(crate) lab: Lab,
    pub(crate) map: Map,
    pub(crate) looks: Looks,
    pub(crate) processes: Vec<u32>,
    nodes: u32,
}

impl Fleet {
    /// Start all nodes; the first founds the network, and every other one moves.
    pub(crate) fn start(mut lab: Lab, nodes: u32, map: Map, hello: u64) -> Fleet {
        let begin = |node| {
            let found = if node == 1 { " --found" } else { "" };
            let moving = if node % 2 == 0 { " --moving" } else { "" };
            lab.start(node, &format!("--interface radio --hello {hello}{found}{moving}"))
        };
        let processes = (1..=nodes).map(begin).collect();
        let client = |node| (node, connect(&lab.socket(node), NEVER));
        let clients: Vec<(u32, Client)> = (1..=nodes).map(client).collect();
        Fleet { lab, map, looks: Looks::new(clients), processes, nodes }
    }

    /// Let these hear each other. Returns how long it took until all links were right, since the
    /// new rules were in place: on a busy machine that alone can take a second.
    pub(crate) fn become_near(&mut self, look: &Look) -> Result<Duration, String> {
        self.lab.set_near(&look.near);
        self.looks.until(&look.links, Instant::now(), NEVER)
    }

    /// Move everybody, `pairs` of them so that they hear each other in one direction only.
    pub(crate) fn go(&mut self, pairs: usize) -> (Look, Result<Duration, String>) {
        self.map.go();
        let look = self.map.look_with_one_way(pairs);
        let took = self.become_near(&look);
        (look, took)
    }

    /// Programs at every node want locks of all kinds while everybody moves so many times.
    pub(crate) fn contend(&mut self, moves: usize, think: f64) -> Contention {
        let (book, end, never) = (Book::default(), Bell::default(), Bell::default());
        let start = Instant::now();
        let places: Vec<_> = (1..=self.nodes).map(|node| (node, self.lab.socket(node))).collect();
        let times = std::thread::scope(|scope| {
            for (node, socket) in &places {
                for name in Name::ALL {
                    let (book, end) = (&book, &end);
                    scope.spawn(move || load::contend(*node, socket, name, think, book, end));
                }
            }
            let times: Vec<Duration> = (0..moves)
                .map(|_| {
                    let (look, took) = self.go(1);
                    never.wait(CALM);
                    if self.looks.wrong(&look.links).is_none() {
                        book.set_links(look.links);
                    }
                    never.wait(CALM);
                    book.set_links(Default::default());
                    took.unwrap_or_else(|wrong| {
                        book.complain(wrong);
                        NEVER
                    })
                })
                .collect();
            end.ring();
            times
        });
        Contention { times, took: start.elapsed(), summary: book.close() }
    }

    /// Stop all nodes, the founder first. Returns their exit codes.
    pub(crate) fn stop(mut self) -> Vec<i32> {
        let stop = |process: &u32| {
            let code = self.lab.run(&format!("kill -TERM {process}; wait {process}; echo $?"));
            code.trim().parse().unwrap()
        };
        self.processes.iter().map(stop).collect()
    }
}

/// What came of contention.
pub(crate) struct Contention {
    /// How long it took each time until all links were right.
    pub(crate) times: Vec<Duration>,
    /// The whole.
    pub(crate) took: Duration,
    /// What programs have seen.
    pub(crate) summary: Summary,
}
