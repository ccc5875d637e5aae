//! What can be typed after `driftlock check`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use driftlock_check::Connectivity;
use driftlock_sim::Session;

use super::{MediumArg, UndefinedArg};
use crate::lab::values::{self, Counts, Links};

pub(super) const CHECKING: &str = "\
Examples:
  driftlock check rl --nodes 4 --topology ring --link-changes 1
  driftlock check rl --variant published --nodes 3 --topology line --link-changes 2
  driftlock check raymond --links 0-1,1-2,1-3 --requests 2,1,1,2
  driftlock check krl --nodes 2 --settled-links --link-changes 0 --restarts 2
  driftlock check --suite

Tries every order in which messages can arrive, nodes can ask and leave, and links can change,
within the numbers given here. What holds then holds in all of these runs: it is proved for this
network, and for no larger one. If a promise is broken, the shortest run to that is shown (of one
that goes round for ever, the shortest way in), and is written to the file of --journal for
`driftlock replay`.

Memory grows many times over with every further node, request and link change. What will not fit is
refused at once.

Exit codes: 0 all promises held, up to the bound of --spread where it says so, 1 a promise was
broken, 2 bad input, or memory or time ended it before everything was explored.

Ctrl-C stops and tells how far it came. A second one quits at once.";

/// The arguments of `driftlock check`.
#[derive(ClapArgs, Debug)]
pub(crate) struct CheckArgs {
    /// The protocol: see `driftlock protocols`
    pub(crate) protocol: Option<String>,
    /// The text to follow, if a protocol has several [default: its first in `driftlock protocols`]
    #[arg(long)]
    pub(crate) variant: Option<String>,
    /// Run a fixed list of checks of all protocols instead, which takes about a minute, and print
    /// one table
    #[arg(long, conflicts_with_all = ["protocol", "variant"])]
    pub(crate) suite: bool,
    /// With --suite: the long list, a quarter of an hour with --memory 8GiB
    #[arg(long)]
    pub(crate) deep: bool,
    /// Threads [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = values::threads, allow_negative_numbers = true)]
    pub(crate) threads: Option<usize>,
    /// Memory to use at most, e.g. 500MB
    #[arg(long, value_name = "SIZE", value_parser = values::size, default_value = "4GiB")]
    #[arg(allow_hyphen_values = true)]
    pub(crate) memory: u64,
    /// Do not refuse what seems too large, and explore as far as memory goes
    #[arg(long, conflicts_with = "suite")]
    pub(crate) force: bool,
    /// Where a run that breaks a promise goes [default: counterexample-PROTOCOL.dlj, with
    /// the variant in its name if there are several]
    #[arg(long, value_name = "FILE", conflicts_with = "suite")]
    pub(crate) journal: Option<PathBuf>,
    /// Print JSON: the network, how much was explored, and the violation
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) network: NetworkArgs,
    #[command(flatten)]
    pub(crate) environment: EnvironmentArgs,
}

/// The network.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Network")]
pub(crate) struct NetworkArgs {
    /// How many nodes, from 1 to 8 [default: 3]
    #[arg(long, value_name = "N", value_parser = values::checked_nodes)]
    #[arg(allow_negative_numbers = true, conflicts_with_all = ["links", "suite"])]
    pub(crate) nodes: Option<usize>,
    /// The shape of the network at first; node 0 has the token [default: ring]
    #[arg(long, alias = "network", value_enum, value_name = "SHAPE")]
    #[arg(conflicts_with_all = ["links", "suite"])]
    pub(crate) topology: Option<TopologyArg>,
    /// The links of the network at first, instead of a shape, e.g. 0-1,1-2,1-3
    #[arg(long, value_name = "LINKS", value_parser = values::links, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) links: Option<Links>,
    /// What carries messages [default: the protocol's first in `driftlock protocols`]
    #[arg(long, value_enum, conflicts_with = "suite")]
    pub(crate) medium: Option<MediumArg>,
}

/// What happens to the network, and how often.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Environment")]
pub(crate) struct EnvironmentArgs {
    /// How often each node asks at most: one number for all, or one for each node, e.g. 1,1,2
    /// [default: 1]
    #[arg(long, value_name = "COUNTS", value_parser = values::counts, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) requests: Option<Counts>,
    /// How many tokens there are, if the protocol has several [default: 1]
    #[arg(long, short = 'k', value_name = "K", value_parser = values::some)]
    #[arg(allow_negative_numbers = true, conflicts_with = "suite")]
    pub(crate) tokens: Option<u32>,
    /// How many entries a session of one resource has at most while others wait, if the protocol
    /// has sessions; with `off` any number, as published, and others may wait as long as someone
    /// comes for it [default: 16]
    #[arg(long, value_name = "N", conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) session: Option<Session>,
    /// How many resources there are to ask for, if the protocol has several [default: 1]
    #[arg(long, value_name = "N", value_parser = values::resources, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) resources: Option<u8>,
    /// How often links come up or go down at most, all together [default: 1, or 0 if the protocol
    /// does not see links change]
    #[arg(long, value_name = "N", value_parser = values::small, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) link_changes: Option<u8>,
    /// Which links keep the network connected: all that are up, those that both ends have learned
    /// of, or none: with partitions it may fall apart; then who waits has to get in if there is a
    /// token in their part, and everyone else has to know that there is none [default: physical]
    #[arg(long, alias = "connected-by", value_enum, value_name = "LINKS")]
    #[arg(conflicts_with = "suite")]
    pub(crate) connectivity: Option<ConnectivityArg>,
    /// Let links go down while messages are on them, which are then lost
    #[arg(long, conflicts_with = "suite")]
    pub(crate) lossy_links: bool,
    /// Let the ends of links be told of changes one by one, as on real links: what carries a token
    /// or weight and does not arrive comes back to its sender, and all else on a link that breaks
    /// is lost
    #[arg(long, conflicts_with_all = ["suite", "lossy_links"])]
    pub(crate) settled_links: bool,
    /// How many timers go off early at most; when all else is done they go off anyway [default: 0]
    #[arg(long, value_name = "N", value_parser = values::small, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) timeouts: Option<u8>,
    /// How many messages get lost at most [default: 0]
    #[arg(long, value_name = "N", value_parser = values::small, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) losses: Option<u8>,
    /// How many messages arrive twice at most [default: 0]
    #[arg(long, value_name = "N", value_parser = values::small, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) duplications: Option<u8>,
    /// How many nodes stop for good at most; with --connectivity partitions their links go down,
    /// and whoever has a token in their part has to get in all the same; on a mesh they go down
    /// too, and a protocol that lives with faults goes on where most nodes are [default: 0]
    #[arg(long, value_name = "N", value_parser = values::small, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) crashes: Option<u8>,
    /// How many times a node is killed at most and wakes up as it was written down, with
    /// --settled-links: its links break, and come up again whenever they like. A node is written
    /// down when a token or a share of one has come, gone or come back; a local protocol never is,
    /// and starts anew. For the protocols that real nodes run [default: 0]
    #[arg(long, value_name = "N", value_parser = values::small, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) restarts: Option<u8>,
    /// Whoever waits has to get in even after a loss, a duplication or a crash, which is otherwise
    /// not asked for
    #[arg(long, conflicts_with = "suite")]
    pub(crate) progress_despite_faults: bool,
    /// What is done about a step that the published text leaves undefined: it is a violation, or
    /// it is skipped [default: stop]
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with = "suite")]
    pub(crate) undefined: Option<UndefinedArg>,
    /// How far apart the heights of nodes may be before a run is followed no further; without a
    /// bound some networks have infinitely many states [default: 12 with two link changes or more,
    /// faults, restarts or partitions; otherwise none]
    #[arg(long, value_name = "N", value_parser = values::spread, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) spread: Option<u32>,
}

/// A shape of a small network.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TopologyArg {
    Line,
    Ring,
    Star,
    Clique,
}

/// Which links keep the network connected.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum ConnectivityArg {
    Physical,
    Known,
    Partitions,
}

impl From<ConnectivityArg> for Connectivity {
    fn from(arg: ConnectivityArg) -> Self {
        match arg {
            ConnectivityArg::Physical => Connectivity::Physical,
            ConnectivityArg::Known => Connectivity::Known,
            ConnectivityArg::Partitions => Connectivity::Partitions,
        }
    }
}
