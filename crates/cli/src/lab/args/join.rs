//! `driftlock join`.

use std::path::PathBuf;

use clap::Args;

pub(super) const JOINING: &str = "\
For example, after `driftlock node --id 0 --journal n0.part …` and so on:
  driftlock join n0.part n1.part n2.part --lock pad-3 --out pad-3.dlj
  driftlock replay pad-3.dlj --print

Every node of the network has to have written its part, from its start on, and node 0 has to be the
one that founded it. Exit codes: 0 all promises held, 1 one was broken, 2 bad input.";

#[derive(Args, Debug)]
pub(crate) struct JoinArgs {
    /// What the nodes wrote: the files of `driftlock node --journal`
    #[arg(required = true, value_name = "FILE")]
    pub(crate) parts: Vec<PathBuf>,
    /// The lock
    #[arg(long, value_name = "NAME")]
    pub(crate) lock: String,
    /// Where the journal goes
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
