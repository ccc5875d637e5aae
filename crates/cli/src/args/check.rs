//! What can be typed after `driftlock check`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use driftlock_check::Connectivity;

use super::{MediumArg, UndefinedArg};
use crate::values::{self, Counts, Links};

pub(super) const CHECKING: &str = "\
Examples:
  driftlock check rl --nodes 4 --topology ring --link-changes 1
  driftlock check rl --variant published --nodes 3 --topology line --link-changes 2
  driftlock check raymond --links 0-1,1-2,1-3 --requests 2,1,1,2
  driftlock check --suite

Explores every order in which messages arrive, nodes ask and leave, and links change, within the
numbers given here, and says what it has proved. A broken promise is told as the shortest way to it,
and written as a journal (counterexample-PROTOCOL.dlj, or the file of --journal) that
`driftlock replay` runs.

Exit codes: 0 everything was explored and all promises held, 1 a promise is broken, 2 bad input, or
not everything could be explored.

Ctrl-C stops and tells how far it came.";

/// The arguments of `driftlock check`.
#[derive(ClapArgs, Debug)]
pub(crate) struct CheckArgs {
    /// The protocol: see `driftlock protocols`
    pub(crate) protocol: Option<String>,
    /// The text to follow, if a protocol has several [default: its first in `driftlock protocols`]
    #[arg(long)]
    pub(crate) variant: Option<String>,
    /// Run a fixed list of checks over all protocols and variants, and print one table
    #[arg(long, conflicts_with_all = ["protocol", "variant"])]
    pub(crate) suite: bool,
    /// With --suite: the long list, for an hour to spare
    #[arg(long, requires = "suite")]
    pub(crate) deep: bool,
    #[command(flatten)]
    pub(crate) network: NetworkArgs,
    #[command(flatten)]
    pub(crate) environment: EnvironmentArgs,
    /// Threads [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = values::threads, allow_negative_numbers = true)]
    pub(crate) threads: Option<usize>,
    /// Memory to use at most
    #[arg(long, value_name = "SIZE", value_parser = values::size, default_value = "4GiB")]
    pub(crate) memory: u64,
    /// Explore as far as memory goes, however many states there seem to be
    #[arg(long, conflicts_with = "suite")]
    pub(crate) force: bool,
    /// Where the journal of a counterexample goes
    #[arg(long, value_name = "FILE", conflicts_with = "suite")]
    pub(crate) journal: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The network.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Network")]
pub(crate) struct NetworkArgs {
    /// How many nodes, 8 at most [default: 3]
    #[arg(long, value_name = "N", value_parser = values::whole::<usize>)]
    #[arg(allow_negative_numbers = true, conflicts_with_all = ["links", "suite"])]
    pub(crate) nodes: Option<usize>,
    /// The shape of the initial network; node 0 has the token [default: ring]
    #[arg(long, value_enum, value_name = "SHAPE", conflicts_with_all = ["links", "suite"])]
    pub(crate) topology: Option<TopologyArg>,
    /// The initial links, e.g. 0-1,1-2,1-3
    #[arg(long, value_name = "LINKS", value_parser = values::links, conflicts_with = "suite")]
    pub(crate) links: Option<Links>,
    /// What carries messages [default: the protocol's first in `driftlock protocols`]
    #[arg(long, value_enum, conflicts_with = "suite")]
    pub(crate) medium: Option<MediumArg>,
}

/// What happens to the network, and how often.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Environment")]
pub(crate) struct EnvironmentArgs {
    /// How often each node asks: one number for all, or one for each, e.g. 1,1,2 [default: 1]
    #[arg(long, value_name = "COUNTS", value_parser = values::counts, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) requests: Option<Counts>,
    /// For how many different resources nodes ask [default: 1]
    #[arg(long, value_name = "N", value_parser = values::small, conflicts_with = "suite")]
    pub(crate) resources: Option<u8>,
    /// How many times a link comes up or goes down [default: 1, or 0 where links mean nothing]
    #[arg(long, value_name = "N", value_parser = values::small, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) link_changes: Option<u8>,
    /// Which links have to keep the network connected: all that are up, those that both ends have
    /// learned of, or none; progress is then judged only while it is connected [default: physical]
    #[arg(long, value_enum, value_name = "LINKS", conflicts_with = "suite")]
    pub(crate) connectivity: Option<ConnectivityArg>,
    /// Let links go down with messages in transit, which are lost
    #[arg(long, conflicts_with = "suite")]
    pub(crate) lossy_links: bool,
    /// How many timers go off early; those that are due go off anyway [default: 0]
    #[arg(long, value_name = "N", value_parser = values::small, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) timeouts: Option<u8>,
    /// How many messages get lost [default: 0]
    #[arg(long, value_name = "N", value_parser = values::small, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) losses: Option<u8>,
    /// How many messages arrive twice [default: 0]
    #[arg(long, value_name = "N", value_parser = values::small, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) duplications: Option<u8>,
    /// How many nodes stop for good [default: 0]
    #[arg(long, value_name = "N", value_parser = values::small, conflicts_with = "suite")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) crashes: Option<u8>,
    /// Demand progress even after a loss, a duplication or a crash
    #[arg(long, conflicts_with = "suite")]
    pub(crate) progress_despite_faults: bool,
    /// What is done about a step that the published text leaves undefined: it is a violation, or
    /// it is skipped [default: stop]
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with = "suite")]
    pub(crate) undefined: Option<UndefinedArg>,
    /// How far apart heights may be before a state is cut off; some networks are infinite without
    /// a bound [default: 12]
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>, conflicts_with = "suite")]
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
