//! What can be typed in the lab.

mod check;
mod compare;
mod join;
mod motion;
mod sweep;
mod trace;
mod world;

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use driftlock_sim::{ChangeModel, ConnectedBy, Medium, Session, Shape, Span, Undefined};

pub(crate) use self::check::{CheckArgs, EnvironmentArgs, TopologyArg};
pub(crate) use self::compare::{CompareArgs, SweptArgs};
pub(crate) use self::join::JoinArgs;
pub(crate) use self::motion::MotionArgs;
pub(crate) use self::sweep::{
    Engine, Intervals, MergeArgs, PlotArgs, ReportArgs, SlurmArgs, SweepArgs,
};
pub(crate) use self::trace::{ReadingArgs, TraceArgs};
pub(crate) use self::world::{InspectArgs, WorldCommand};
use crate::lab::values::{self, Crashes, NodeList, Script};

pub(crate) const START: &str = "\
To get going:
  driftlock demo               a dozen nodes on this machine, and programs that share locks
  driftlock protocols          what there is
  driftlock sim rl             simulate one of them: waiting times, messages, fairness
  driftlock sim --help         what can be varied, and how a scenario file looks
  driftlock compare rl rr      several of them on the same networks and seeds, side by side
  driftlock sweep --help       every combination of parameters, to tables and figures
  driftlock check rl           try every order of events in a small network: proof or counterexample
  driftlock world --help       what a file of movement or contacts holds: nodes, links, partitions
  driftlock reproduce rl       the tables and figures of a paper, in reproduced/rl/index.html

The published text of rl breaks its promise on this ring, and the run can be looked at:
  driftlock sim rl --variant published --network ring --nodes 4 --mobility 0.3 --link-changes toggle
  driftlock replay violation-rl-seed1.dlj --print

Exit codes: 0 all promises held, 1 a promise was broken, 2 bad input or could not run; 69 there is
no node to ask, or it went away.";

const SCENARIOS: &str = "\
Examples:
  driftlock sim rl --nodes 30 --connectivity 20 --load 1 --mobility 0.1 --link-changes toggle
  driftlock sim raymond --network grid --nodes 25 --until 10000 --json
  driftlock sim rl --journal run.dlj
  driftlock sim --scenario run.toml --seed 9
  driftlock sim lme2 --network geometric --nodes 100 --degree 8 --motion waypoint
  driftlock sim krl --trace rwp30.movements.gz --range 250
  driftlock sim rl --campaign --runs 1000

A scenario file. Whatever is left out has its default, and flags override the file:
  protocol = \"rl\"
  variant = \"repaired\"
  seed = 7
  delay = \"uniform:0.5..1.5\"
  network = { shape = \"clique\", nodes = 3 }
  requests = { rate = 0.5, nodes = [0, 2] }
  measure = { warmup = 0, until = 100 }
  link-changes = { model = \"scripted\" }
  script = [
    { at = 1, request = 1 },
    { at = 2, down = [0, 2] },
    { at = 3.5, up = [0, 2] },
  ]

Protocols that share take more: `tokens = 2`, or `resources = 3`, `session = 5` or
`session = \"off\"`, a share `popular` in `requests`, and `{ at = 4, request = 1, resource = 2 }` in
a script. Those that live with a network that falls apart take `connected-by = \"partitions\"` in
`link-changes`, and then `{ at = 5, crash = 3 }` in a script; `once = \"inside\"` or `\"waiting\"`
makes that the first such moment from then on. Local ones do so anyway; nodes of both may move:
  network = { shape = \"geometric\", nodes = 100, degree = 8, area = 10 }
  motion = { model = \"convoy\", speed = \"uniform:0.1..0.5\", pause = 5, moving = 0.5, group = 4 }
or `walk`, `gauss-markov` (with `memory`), `manhattan` (with `block`, `turn`) or `rpgm` (with
`group`, `spread`); `waypoint` takes `start = \"stationary\"`.
Where a script makes a link, `{ at = 6, up = [0, 2], moving = 0 }` says which end has moved.
Nodes and links may come from a file of movement or contacts instead of `network`, for as long as it
lasts, with `unit` seconds to a time unit and, for who needs it in one piece, `together = true`:
  trace = { file = \"rwp30.movements.gz\", range = 250, unit = 1 }
Those that live with faults on a mesh take `loss = 0.05`, crashes, and in a script
`{ at = 7, lose = \"Token\" }`: the next message of that kind is lost.

All times are in time units: by default a message takes one, and so does a critical section.

If a promise is broken, the run is written to violation-PROTOCOL-seedSEED.dlj (or to the file of
--journal), its last steps are shown, and so is the line that runs it again.

Ctrl-C stops; the repetitions that are finished are kept. A second one quits at once.";

const REPRODUCTION: &str = "\
Writes index.html with everything on one page, the tables as Markdown (results.md; table1.md and
table2.md for rl) and as CSV, the figures as SVG, and every single run as runs.csv. Ctrl-C stops and
writes what is finished.";

const REPLAYING: &str = "\
A journal is written by `driftlock sim --journal FILE`, and whenever a promise is broken. Every step
has to answer as recorded, and the run has to end as recorded; the exit code is that of the run: 0
all promises held, 1 a promise was broken. A journal that cannot be verified has 2.";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Simulate a protocol and measure it, with all monitors on
    #[command(after_help = SCENARIOS)]
    Sim(Box<SimArgs>),
    /// Measure several protocols on the same scenarios and seeds, side by side
    #[command(after_help = compare::COMPARING)]
    Compare(Box<CompareArgs>),
    /// Run every combination of parameters, on all cores or many machines; goes on where it stopped
    #[command(after_help = sweep::SWEEPING)]
    Sweep(SweepArgs),
    /// Join the parts of a sweep, and say which are missing
    #[command(after_help = sweep::MERGING)]
    Merge(MergeArgs),
    /// Draw any metric of a sweep against any parameter
    #[command(after_help = sweep::PLOTTING)]
    Plot(PlotArgs),
    /// Make one page of what a sweep has found
    #[command(after_help = sweep::REPORTING)]
    Report(ReportArgs),
    /// Prove the promises of a protocol on a small network, or show how one breaks
    #[command(after_help = check::CHECKING)]
    Check(Box<CheckArgs>),
    /// Regenerate the tables and figures of a paper
    #[command(after_help = REPRODUCTION)]
    Reproduce(ReproduceArgs),
    /// Run a journal again and verify it step by step
    #[command(after_help = REPLAYING)]
    Replay(ReplayArgs),
    /// Make one journal of what the nodes of a network wrote down
    #[command(after_help = join::JOINING)]
    Join(JoinArgs),
    /// Look at movement and contacts that other tools have written to files
    #[command(subcommand)]
    World(WorldCommand),
    /// List the protocols: what they promise, where they are from, their variants
    Protocols(ProtocolsArgs),
}

#[derive(ClapArgs, Debug)]
pub(crate) struct SimArgs {
    /// The protocol: see `driftlock protocols`
    pub(crate) protocol: Option<String>,
    /// Read the scenario from a TOML file; flags override it
    #[arg(long, value_name = "FILE")]
    pub(crate) scenario: Option<PathBuf>,
    /// Repetitions; the seeds count up from SEED [default: 6, or 1 with --journal]
    #[arg(long, value_name = "N", value_parser = values::repetitions)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) reps: Option<u64>,
    /// Threads [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = values::threads, allow_negative_numbers = true)]
    pub(crate) threads: Option<usize>,
    /// Write the run to this file, for `driftlock replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// Run scenarios drawn at random, one from each seed, and shrink what breaks a promise; without
    /// a protocol all of them take turns. Flags below settle what is not drawn
    #[arg(long, conflicts_with_all = ["scenario", "reps", "journal"])]
    pub(crate) campaign: bool,
    /// How many runs a campaign has [default: 200]
    #[arg(long, value_name = "N", value_parser = values::repetitions, requires = "campaign")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) runs: Option<u64>,
    /// The folder for what a campaign finds [default: seeds]
    #[arg(long, value_name = "DIR", requires = "campaign")]
    pub(crate) seeds_dir: Option<PathBuf>,
    /// Print JSON: the scenario, each repetition, and what they come to
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
}

/// The scenario. What is not given keeps the value of the file, or its default.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Scenario")]
pub(crate) struct WorldArgs {
    /// The text to follow, if a protocol has several [default: its first in `driftlock protocols`]
    #[arg(long)]
    pub(crate) variant: Option<String>,
    /// The seed of all dice [default: 1]
    #[arg(long, value_parser = values::whole::<u64>, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// How many nodes [default: 30]
    #[arg(long, value_name = "N", value_parser = values::whole::<usize>)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) nodes: Option<usize>,
    /// The shape of the network [default: random]
    #[arg(long, value_enum, value_name = "SHAPE")]
    pub(crate) network: Option<ShapeArg>,
    /// Links of a random network, in percent of all pairs [default: 20]
    #[arg(long, value_name = "PERCENT", value_parser = values::number)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) connectivity: Option<f64>,
    /// Links of a random network, as a number
    #[arg(long, value_name = "N", value_parser = values::whole::<usize>)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) links: Option<usize>,
    /// Range of a geometric network, in the measure of its area [default: enough to connect it], or
    /// of a trace, in meters
    #[arg(long, value_name = "LENGTH", value_parser = values::number)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) range: Option<f64>,
    /// Neighbors of a node of a geometric network on average, instead of a range
    #[arg(long, value_name = "NUMBER", value_parser = values::number)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) degree: Option<f64>,
    /// Side of the square that a geometric network lies in [default: 1]
    #[arg(long, value_name = "LENGTH", value_parser = values::number)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) area: Option<f64>,
    /// The links of a `file` network: a line each with two node numbers, counted from 0
    #[arg(long, value_name = "FILE", conflicts_with = "nodes")]
    pub(crate) edges: Option<PathBuf>,
    /// How many tokens there are, if the protocol has several [default: 1]
    #[arg(long, short = 'k', value_name = "K", value_parser = values::some)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) tokens: Option<u32>,
    /// How many resources there are to ask for, if the protocol has several [default: 1]
    #[arg(long, value_name = "M", value_parser = values::some, allow_negative_numbers = true)]
    pub(crate) resources: Option<u32>,
    /// How many entries a session of one resource has at most while others wait, if the protocol
    /// has sessions; with `off` any number, as published, and others may wait as long as someone
    /// comes for it [default: 16]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) session: Option<Session>,
    /// The share of requests that are for the first resource, from 0 to 1 [default: all alike]
    #[arg(long, value_name = "SHARE", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) popular: Option<f64>,
    /// λ_req: how often a node asks per time unit, while it neither waits nor is inside; 0 is never
    /// [default: 1]
    #[arg(long, value_name = "RATE", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) load: Option<f64>,
    /// Who asks, e.g. 0,3,7-9, or none [default: everyone]
    #[arg(long, value_name = "NODES", value_parser = values::nodes, allow_negative_numbers = true)]
    pub(crate) requesters: Option<NodeList>,
    /// λ_mob: the rate of link changes per time unit, of the whole network if literal, of each pair
    /// if toggle [default: 0]
    #[arg(long, value_name = "RATE", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) mobility: Option<f64>,
    /// How links change: literal replaces one link of the network by another at a time, toggle
    /// flips each pair of nodes, scripted does as the script of the file says; none of them
    /// disconnects the network, unless --connected-by says so [default: literal if there is a rate]
    #[arg(long, value_enum, value_name = "MODEL")]
    pub(crate) link_changes: Option<ChangeModelArg>,
    /// Which links have to keep the network connected: all that are up, those that both ends have
    /// learned of, or none: with partitions it may fall apart [default: physical]
    #[arg(long, value_enum, value_name = "LINKS")]
    pub(crate) connected_by: Option<ConnectedByArg>,
    /// Nodes that stop for good at a time, or once they wait or are inside from then on, e.g.
    /// 3@40,5@60.5:inside; goes with local protocols, with --connected-by partitions, and on a mesh
    /// with protocols that live with faults
    #[arg(long, value_name = "NODE@TIME", value_parser = values::crashes)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) crash: Option<Crashes>,
    /// What happens when besides what is drawn, as the script of a scenario file has it, e.g.
    /// '[{ at = 1, request = 0 }]'; added to that of the file
    #[arg(long, value_name = "EVENTS", value_parser = values::script)]
    pub(crate) script: Option<Script>,
    /// How likely a message is lost on each link it crosses, from 0 to less than 1; goes with
    /// protocols that live with faults [default: 0]
    #[arg(long, value_name = "P", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) loss: Option<f64>,
    /// How long a message may take to any node before it is taken for lost; goes with protocols
    /// that live with faults [default: as long as it can take]
    #[arg(long, value_name = "TIME", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) timeout: Option<f64>,
    /// How long a message takes over a link: 1, uniform:0.5..1.5 or exponential:1 [default: 1]
    #[arg(long, value_name = "SPAN", allow_negative_numbers = true)]
    pub(crate) delay: Option<Span>,
    /// How long a critical section takes, likewise [default: 1]
    #[arg(long, value_name = "SPAN", allow_negative_numbers = true)]
    pub(crate) critical_section: Option<Span>,
    /// What carries messages [default: the protocol's first in `driftlock protocols`]
    #[arg(long, value_enum)]
    pub(crate) medium: Option<MediumArg>,
    /// Entries to pass over before measuring [default: 500, or 0 with --until]
    #[arg(long, value_name = "N", value_parser = values::whole::<u64>)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) warmup: Option<u64>,
    /// Entries to measure [default: 5000]
    #[arg(long, value_name = "N", value_parser = values::whole::<u64>)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) entries: Option<u64>,
    /// Measure until this time instead
    #[arg(long, value_name = "TIME", value_parser = values::number, allow_negative_numbers = true)]
    #[arg(conflicts_with = "entries")]
    pub(crate) until: Option<f64>,
    /// Measure the first N entries from time 0: the same as --warmup 0 --entries N
    #[arg(long, value_name = "N", value_parser = values::whole::<u64>)]
    #[arg(allow_negative_numbers = true, conflicts_with_all = ["warmup", "entries", "until"])]
    pub(crate) cold: Option<u64>,
    /// What is done about a step that the published text leaves undefined: it is a violation, or
    /// it is skipped [default: stop]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) undefined: Option<UndefinedArg>,
    /// How long it may take, once requests and link changes have ceased, until everyone who waits
    /// got in and nothing is sent any more [default: long enough for all, one after the other]
    #[arg(long, value_name = "TIME", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) calm_limit: Option<f64>,
    #[command(flatten)]
    pub(crate) motion: MotionArgs,
    #[command(flatten)]
    pub(crate) trace: TraceArgs,
}

#[derive(ClapArgs, Clone, Debug)]
pub(crate) struct ReproduceArgs {
    /// The paper, by its protocol: rl, krl, gme, lme or cluster; or by its authors, like sbs2014
    pub(crate) paper: String,
    /// The folder for HTML, SVG and CSV; files of the same names in it are replaced [default:
    /// reproduced/ and the name of the paper]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Take the time that tight intervals need: 30 repetitions with five times the entries; for
    /// cluster 10 repetitions of the 1,500 s of the paper, which is ten times as long
    #[arg(long)]
    pub(crate) full: bool,
    /// Repetitions of each point [default: 6 for rl and 5 for krl, as in the papers, 5 for gme, 5
    /// for lme and 5 for cluster; with --full 10 for cluster and 30 for the others]
    #[arg(long, value_name = "N", value_parser = values::point_repetitions)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) reps: Option<u64>,
    /// The seed of the first repetition; each further one adds 1
    #[arg(long, default_value_t = 1, value_parser = values::whole::<u64>)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Threads [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = values::threads, allow_negative_numbers = true)]
    pub(crate) threads: Option<usize>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct ReplayArgs {
    /// The journal
    pub(crate) journal: PathBuf,
    /// Print every step: when, whose, what came, what was answered
    #[arg(long)]
    pub(crate) print: bool,
    /// Print the verdict as JSON
    #[arg(long, conflicts_with = "print")]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct ProtocolsArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// A value that can be typed, for a type of the simulator.
macro_rules! typed {
    ($arg:ident = $of:ident { $($name:ident),+ }) => {
        #[derive(ValueEnum, Clone, Copy, Debug)]
        pub(crate) enum $arg { $($name),+ }

        impl From<$arg> for $of {
            fn from(arg: $arg) -> Self {
                match arg { $($arg::$name => $of::$name),+ }
            }
        }
    };
}

typed!(ShapeArg = Shape { Random, Geometric, Line, Ring, Grid, Tree, Clique, File });
typed!(ChangeModelArg = ChangeModel { None, Literal, Toggle, Scripted });
typed!(ConnectedByArg = ConnectedBy { Physical, Known, Partitions });
typed!(MediumArg = Medium { Links, Routed, Mesh });
typed!(UndefinedArg = Undefined { Stop, Skip });
