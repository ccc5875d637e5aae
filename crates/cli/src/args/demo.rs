//! `driftlock demo`.

use clap::Args;

use crate::values;

pub(super) const SHOWING: &str = "\
Starts nodes as processes of their own, which talk over an emulated radio on this machine: some
stand, the others drift among them, and links come and go. At each node programs ask for four locks:
  pad-1      one holder in the network
  channel    two permits
  survey     holders of one group together, north or south
  crossing   one holder among neighbors
From outside it is watched that nobody is inside who must not be. Nothing is left behind: no
process, no file. Ctrl-C ends it early, with its summary.

Examples:
  driftlock demo
  driftlock demo --nodes 30 --for 60 --loss 0.1
  driftlock demo --json | jq .overlaps

Exit codes: 0 nobody was inside who must not be, and every lock was granted; 1 otherwise; 2 it could
not run.";

#[derive(Args, Debug)]
pub(crate) struct DemoArgs {
    /// How many nodes
    #[arg(long, value_name = "N", value_parser = nodes, default_value_t = 12)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) nodes: usize,
    /// How long, in seconds
    #[arg(long = "for", value_name = "SECS", value_parser = seconds, default_value_t = 20.0)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) seconds: f64,
    /// The seed of ways and programs; processes and frames take the time they take
    #[arg(long, value_name = "N", value_parser = values::whole::<u64>, default_value_t = 1)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// How likely a frame is lost at each node that would hear it, from 0 to 0.9
    #[arg(long, value_name = "P", value_parser = loss, default_value_t = 0.0)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) loss: f64,
    /// Nobody moves
    #[arg(long)]
    pub(crate) still: bool,
    /// Print the summary alone, as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

fn nodes(text: &str) -> Result<usize, String> {
    values::between(text, 2, 50)
}

fn seconds(text: &str) -> Result<f64, String> {
    within(text, 1.0, 86_400.0)
}

fn loss(text: &str) -> Result<f64, String> {
    within(text, 0.0, 0.9)
}

fn within(text: &str, least: f64, most: f64) -> Result<f64, String> {
    let number = values::number(text).ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("expected a number from {least} to {most}, found `{text}`"))
}
