//! `driftlock leave` and `driftlock moving`.

use anyhow::Result;

use crate::Verdict;
use crate::args::{LeaveArgs, MovingArgs, OnOff};
use crate::session::connect;
use crate::terminal::say_line;

pub(crate) fn leave(args: &LeaveArgs) -> Result<Verdict> {
    let client = connect(&args.socket)?;
    client.leave()?;
    say_line(&format!("node {} has left {}", client.node().node, client.node().network))?;
    Ok(Verdict::Held)
}

pub(crate) fn moving(args: &MovingArgs) -> Result<Verdict> {
    connect(&args.socket)?.set_moving(args.state == OnOff::On)?;
    Ok(Verdict::Held)
}
