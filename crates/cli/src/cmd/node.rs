//! `driftlock node`: run the daemon in the foreground.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use driftlock_core::NodeId;
use driftlock_link::Access;
use driftlock_locks::Limits;
use driftlock_node::radio::Air;
use tracing::level_filters::LevelFilter;

use crate::Verdict;
use crate::args::{LogLevel, NodeArgs};
use crate::cmd::key;
use crate::kinds;

pub(crate) fn run(args: &NodeArgs) -> Result<Verdict> {
    let config = driftlock_node::Config {
        id: NodeId(args.id),
        network: args.network.clone(),
        access: access(args)?,
        founder: args.found,
        moving: args.moving,
        air: air(args)?,
        hello: Duration::from_millis(args.hello),
        socket: socket(args.socket.as_ref()),
        socket_mode: args.socket_mode,
        allowed_users: args.allow_uid.clone(),
        metrics: args.metrics,
        journal: args.journal.clone(),
        state: state(args)?,
        alone: args.alone,
        forget_after: args.forget_after,
        leave_within: Duration::from_secs(args.leave_within),
        make: kinds::make,
        limits: Limits::default(),
    };
    tracing_subscriber::fmt()
        .with_max_level(level(args.log))
        .with_ansi(io::stderr().is_terminal())
        .with_target(false)
        .with_writer(io::stderr)
        .init();
    if args.until_eof {
        end_with_input(config.socket.clone())?;
    }
    driftlock_node::run(config)?;
    Ok(Verdict::Held)
}

/// End this process when its standard input does, however that came about. There is nobody left to
/// hand anything on for.
fn end_with_input(socket: PathBuf) -> Result<()> {
    std::thread::Builder::new().spawn(move || {
        // An input that cannot be read has ended as well.
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        let _ = std::fs::remove_file(socket);
        std::process::exit(0);
    })?;
    Ok(())
}

/// Where the node remembers what it holds, unless nowhere.
fn state(args: &NodeArgs) -> Result<Option<PathBuf>> {
    if args.ephemeral {
        return Ok(None);
    }
    let of = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = args.state.clone().or_else(|| of("STATE_DIRECTORY")) {
        return Ok(Some(folder));
    }
    let base = of("XDG_STATE_HOME").or_else(|| Some(of("HOME")?.join(".local/state")));
    let base = base.context(
        "where to remember what the node holds? Give --state FOLDER, or --ephemeral to forget it",
    )?;
    let network: String = args.network.chars().map(in_a_file_name).collect();
    Ok(Some(base.join("driftlock").join(format!("{network}-{}", args.id))))
}

/// Networks can have any name, files cannot. A file says whose it is, in case two are alike.
fn in_a_file_name(c: char) -> char {
    if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' }
}

/// Where programs find the node.
fn socket(given: Option<&PathBuf>) -> PathBuf {
    given.cloned().unwrap_or_else(driftlock_client::socket_path)
}

fn air(args: &NodeArgs) -> Result<Air> {
    let port = args.port;
    if let Some(name) = &args.interface {
        return Ok(Air::Interface { name: name.clone(), port });
    }
    if let Some(listen) = args.listen {
        return Ok(Air::Peers { listen, peers: args.peer.clone() });
    }
    if let Some(hub) = args.radio {
        return Ok(Air::Emulated { hub });
    }
    if args.loopback {
        return Ok(Air::Loopback { port });
    }
    bail!(
        "how to reach other nodes? Give --interface NAME, --listen ADDRESS with --peer ADDRESS, \
         or --loopback"
    )
}

fn access(args: &NodeArgs) -> Result<Access> {
    match (&args.key, &args.own_key, &args.allow) {
        (Some(file), ..) => Ok(Access::NetworkKey(key::read(file)?)),
        (None, Some(own), Some(allow)) => {
            Ok(Access::NodeKeys { own: key::read(own)?, allowed: allowed(allow)? })
        }
        _ => bail!("who may join? Give --key FILE, or --own-key FILE with --allow FILE"),
    }
}

/// The list of nodes that may join.
fn allowed(file: &Path) -> Result<BTreeMap<NodeId, [u8; 32]>> {
    let text = key::text(file)?;
    let mut allowed = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let place = || format!("line {} of {}", number + 1, file.display());
        let (id, public) = line
            .split_once(char::is_whitespace)
            .with_context(|| format!("{}: expected an id and a public key", place()))?;
        let id: u32 = id.parse().with_context(|| format!("{}: `{id}` is no id", place()))?;
        let public = key::parse(public.trim()).with_context(place)?;
        if allowed.insert(NodeId(id), public).is_some() {
            bail!("{}: node {id} is there twice", place());
        }
    }
    Ok(allowed)
}

fn level(level: LogLevel) -> LevelFilter {
    match level {
        LogLevel::Off => LevelFilter::OFF,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    }
}
