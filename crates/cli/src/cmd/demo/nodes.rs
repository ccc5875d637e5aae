//! The nodes: processes that end with this one, whatever ends it.
//!
//! Each has a pipe for its standard input, and ends when that does. The system closes pipes of a
//! process that is gone, so not even one that is killed leaves a node behind.

use std::fs::File;
use std::net::SocketAddr;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;
use tokio::net::UnixDatagram;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::cmd::key;

/// How often it is looked whether one has ended while that is waited for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How long it may take from the end of a node's connections to its own.
const ENDED_WITHIN: Duration = Duration::from_secs(5);

/// How long nodes may take to start.
const START_WITHIN: Duration = Duration::from_secs(30);

/// The nodes, which are killed when this is dropped, and the folder with all their files.
pub(super) struct Nodes {
    children: Vec<Child>,
    folder: TempDir,
}

impl Nodes {
    /// Start a node for each place on the radio, and wait until programs can use them.
    pub(super) async fn start(hub: &[SocketAddr], moves: impl Fn(usize) -> bool) -> Result<Nodes> {
        let folder = tempfile::Builder::new().prefix("driftlock-").tempdir();
        let folder = folder.context("cannot make a folder for the nodes")?;
        let mut nodes = Nodes { children: Vec::new(), folder };
        let secret = driftlock_node::new_key().context("the system has no random numbers")?;
        let path = nodes.folder.path().join("key");
        std::fs::write(&path, key::hex(&secret)).context("cannot write the key of the network")?;
        let path = nodes.folder.path().join("ready");
        let ready = UnixDatagram::bind(&path).context("cannot open a socket for the nodes")?;
        for (node, address) in hub.iter().enumerate() {
            let child = nodes.command(node, *address, moves(node), hub.len())?.spawn();
            nodes.children.push(child.with_context(|| format!("cannot start node {node}"))?);
        }
        let waited = tokio::time::timeout(START_WITHIN, nodes.wait_until_ready(&ready)).await;
        waited.context("the nodes take too long to start")??;
        Ok(nodes)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.children.len()
    }

    /// Where programs find a node.
    pub(super) fn socket(&self, node: usize) -> PathBuf {
        self.folder.path().join(format!("n{node}.sock"))
    }

    /// An error if a node has ended, with what it said last.
    pub(super) fn check(&mut self) -> Result<()> {
        for node in 0..self.children.len() {
            if let Some(status) = self.children[node].try_wait()? {
                let said = std::fs::read_to_string(self.said(node)).unwrap_or_default();
                let last = said.lines().next_back().unwrap_or("it said nothing");
                bail!("node {node} has ended ({status}): {last}");
            }
        }
        Ok(())
    }

    /// An error if a node has ended or is about to: the connections of a process that is killed
    /// are closed before the system says that it has ended.
    pub(super) async fn check_closely(&mut self) -> Result<()> {
        let until = Instant::now() + ENDED_WITHIN;
        let mut looks = interval(LOOK_EVERY);
        while looks.tick().await < until {
            self.check()?;
        }
        Ok(())
    }

    fn command(&self, node: usize, hub: SocketAddr, moves: bool, nodes: usize) -> Result<Command> {
        let program = std::env::current_exe().context("cannot find out what program this is")?;
        let mut command = Command::new(program);
        command.arg("node").arg("--id").arg(node.to_string());
        command.arg("--key").arg(self.folder.path().join("key"));
        command.arg("--radio").arg(hub.to_string()).arg("--socket").arg(self.socket(node));
        // Where many are near each other they say less often that they are there.
        command.arg("--hello").arg(if nodes <= 20 { "100" } else { "200" });
        command.args(["--network", "demo", "--log", "error", "--until-eof", "--ephemeral"]);
        command.args((node == 0).then_some("--found")).args(moves.then_some("--moving"));
        command.env("NOTIFY_SOCKET", self.folder.path().join("ready"));
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(File::create(self.said(node))?);
        // Ctrl-C is for this process, which then ends all others.
        command.process_group(0);
        Ok(command)
    }

    /// What a node has said.
    fn said(&self, node: usize) -> PathBuf {
        self.folder.path().join(format!("n{node}.log"))
    }

    async fn wait_until_ready(&mut self, ready: &UnixDatagram) -> Result<()> {
        let mut looks = interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut missing = self.children.len();
        let mut buffer = [0; 256];
        while missing > 0 {
            tokio::select! {
                length = ready.recv(&mut buffer) => {
                    missing -= usize::from(buffer[..length?].starts_with(b"READY=1"));
                }
                _ = looks.tick() => self.check()?,
            }
        }
        Ok(())
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        // One that has ended by itself need not be killed.
        for child in &mut self.children {
            let _ = child.kill();
        }
        for child in &mut self.children {
            let _ = child.wait();
        }
    }
}
