//! What can be typed.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use driftlock_sim::{ChangeModel, ConnectedBy, Medium, Shape, Span, Undefined};

/// Locks for networks that move: simulate, reproduce and replay mutual exclusion protocols.
///
/// Exit codes: 0 all promises held, 1 a promise was broken, 2 bad input or could not run.
#[derive(Parser, Debug)]
#[command(name = "driftlock", version, about, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Simulate a protocol and measure it, with all monitors on
    Sim(Box<SimArgs>),
    /// Regenerate the tables and figures of a paper
    Reproduce(ReproduceArgs),
    /// Run a journal again and verify it step by step
    Replay(ReplayArgs),
    /// List the protocols: what they promise, where they are from, their variants
    Protocols(ProtocolsArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

/// Simulate a protocol and measure it, with all monitors on.
///
/// The scenario comes from flags, or from a TOML file whose values flags override:
///
///   driftlock sim rl --nodes 30 --connectivity 20 --load 1 --mobility 0.1 --link-changes toggle
///   driftlock sim --scenario run.toml --seed 9
#[derive(ClapArgs, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct SimArgs {
    /// The protocol: see `driftlock protocols`
    pub(crate) protocol: Option<String>,
    /// Read the scenario from a TOML file; flags override it
    #[arg(long, value_name = "FILE")]
    pub(crate) scenario: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
    /// Repetitions; repetition k has the seed SEED + k [default: 6, or 1 with --journal]
    #[arg(long, value_name = "N")]
    pub(crate) reps: Option<u64>,
    /// Threads [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Write the run to this file, for `driftlock replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The scenario. What is not given keeps the value of the file, or its default.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Scenario")]
pub(crate) struct WorldArgs {
    /// The text to follow: repaired (default) or published
    #[arg(long)]
    pub(crate) variant: Option<String>,
    /// The seed of all dice [default: 1]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// How many nodes [default: 30]
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<usize>,
    /// The shape of the network [default: random]
    #[arg(long, value_enum)]
    pub(crate) network: Option<ShapeArg>,
    /// Links of a random network, in percent of all pairs [default: 20]
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true)]
    pub(crate) connectivity: Option<f64>,
    /// Links of a random network, as a number
    #[arg(long, value_name = "N")]
    pub(crate) links: Option<usize>,
    /// Range of a geometric network, in sides of the square
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true)]
    pub(crate) range: Option<f64>,
    /// The links of a `file` network: a line each with two node numbers
    #[arg(long, value_name = "FILE")]
    pub(crate) edges: Option<PathBuf>,
    /// λ_req: requests per node and time unit of thinking; 0 is none [default: 1]
    #[arg(long, value_name = "RATE", allow_negative_numbers = true)]
    pub(crate) load: Option<f64>,
    /// Who asks, e.g. 0,3,7-9 [default: everyone]
    #[arg(long, value_name = "NODES", value_parser = parse_nodes)]
    pub(crate) requesters: Option<NodeList>,
    /// λ_mob: the rate of link changes [default: 0]
    #[arg(long, value_name = "RATE", allow_negative_numbers = true)]
    pub(crate) mobility: Option<f64>,
    /// How links change [default: literal if there is a rate]
    #[arg(long, value_enum, value_name = "MODEL")]
    pub(crate) link_changes: Option<ChangeModelArg>,
    /// On which links it is judged that the network stays connected [default: physical]
    #[arg(long, value_enum, value_name = "LINKS")]
    pub(crate) connected_by: Option<ConnectedByArg>,
    /// Delay over a link: 1, uniform:0.5..1.5 or exponential:1 [default: 1]
    #[arg(long, value_name = "SPAN", allow_negative_numbers = true)]
    pub(crate) delay: Option<Span>,
    /// Length of a critical section, likewise [default: 1]
    #[arg(long, value_name = "SPAN", allow_negative_numbers = true)]
    pub(crate) critical_section: Option<Span>,
    /// What carries messages [default: the protocol's own]
    #[arg(long, value_enum)]
    pub(crate) medium: Option<MediumArg>,
    /// Entries to pass over before measuring [default: 500]
    #[arg(long, value_name = "N")]
    pub(crate) warmup: Option<u64>,
    /// Entries to measure [default: 5000]
    #[arg(long, value_name = "N")]
    pub(crate) entries: Option<u64>,
    /// Measure until this time instead
    #[arg(long, value_name = "TIME", conflicts_with = "entries", allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// Measure the first N entries from time 0: the same as --warmup 0 --entries N
    #[arg(long, value_name = "N", conflicts_with_all = ["warmup", "entries", "until"])]
    pub(crate) cold: Option<u64>,
    /// What a step does that the published text leaves undefined [default: stop]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) undefined: Option<UndefinedArg>,
    /// How long the calm after the storm may last [default: long enough]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub(crate) calm_limit: Option<f64>,
}

/// A list of nodes.
#[derive(Clone, Debug)]
pub(crate) struct NodeList(pub(crate) Vec<u32>);

fn parse_nodes(text: &str) -> Result<NodeList, String> {
    let number = |part: &str| {
        let wrong = || format!("expected node numbers like 0,3,7-9, found `{part}`");
        part.trim().parse::<u32>().map_err(|_| wrong())
    };
    let mut nodes = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (number(first)?, number(last)?);
        if last < first || last - first > 1_000_000 {
            return Err(format!("`{part}` is no range of nodes"));
        }
        nodes.extend(first..=last);
    }
    nodes.sort_unstable();
    nodes.dedup();
    Ok(NodeList(nodes))
}

/// Regenerate the tables and figures of a paper.
#[derive(ClapArgs, Debug)]
pub(crate) struct ReproduceArgs {
    /// The paper, by its protocol: rl
    pub(crate) paper: String,
    /// The folder for CSV, SVG and HTML
    #[arg(long, value_name = "DIR", default_value = "reproduced/rl")]
    pub(crate) out: PathBuf,
    /// Take the time that tight intervals need: 30 repetitions, ten times the entries
    #[arg(long)]
    pub(crate) full: bool,
    /// Repetitions of each point [default: 6, as in the paper; 30 with --full]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) reps: Option<u64>,
    /// The seed of the first repetition
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

/// Run a journal again and verify it step by step.
#[derive(ClapArgs, Debug)]
pub(crate) struct ReplayArgs {
    /// The journal
    pub(crate) journal: PathBuf,
    /// Print every step
    #[arg(long)]
    pub(crate) print: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "print")]
    pub(crate) json: bool,
}

/// List the protocols.
#[derive(ClapArgs, Debug)]
pub(crate) struct ProtocolsArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Print a completion script for a shell.
#[derive(ClapArgs, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
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
typed!(ConnectedByArg = ConnectedBy { Physical, Known });
typed!(MediumArg = Medium { Links, Routed });
typed!(UndefinedArg = Undefined { Stop, Skip });
