//! Nodes in network namespaces of their own, joined by a bridge that knows who hears whom: [`Lab`].
//!
//! Each node has an interface `radio`, whose other end is a port of the bridge. The bridge passes a
//! frame on to a port if the pair of ports is in the set `near`, in that direction. So one-way loss
//! is a pair of which only one direction is there.
//!
//! Who has which address is told to every namespace. The kernel could find out by itself, but its
//! table for that is one for all namespaces, with room for 1024 entries: too few for fifty nodes
//! that meet each other. And it asks once in a second, so that a first contact that is cut short
//! would delay the next one by up to that.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::shell::Shell;

/// Who hears whom: pairs of who sends and who receives.
pub(crate) type Near = BTreeSet<(u32, u32)>;

/// A key is 64 hex digits.
const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n";

const BRIDGE: &str = "\
ip link add air type bridge forward_delay 0 stp_state 0 mcast_snooping 0 &&
ip link set air up &&
nft -f - <<'END'
table bridge air {
  set near { type ifname . ifname; }
  set far { type ifname; }
  chain loss { }
  chain forward {
    type filter hook forward priority 0; policy drop;
    iifname @far ip6 hoplimit set 254
    jump loss
    iifname . oifname @near accept
  }
}
END";

/// The namespaces and the bridge.
pub(crate) struct Lab {
    shell: Shell,
    /// What nodes say and remember, and where programs find them.
    pub(crate) folder: TempDir,
    nodes: u32,
}

impl Lab {
    /// A lab for nodes 1 to `nodes`, in which nobody hears anybody; or what is missing for it.
    pub(crate) fn open(nodes: u32) -> Result<Lab, String> {
        let mut shell = Shell::open()?;
        let refused = |why: String| format!("the kernel refuses a bridge with rules: {why}");
        shell.run(BRIDGE).map_err(refused)?;
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("key"), KEY).unwrap();
        let mut lab = Lab { shell, folder, nodes };
        for node in 1..=nodes {
            let space = lab.space(node);
            let made = lab.shell.run(&format!("touch {space} && unshare --net={space} true"));
            made.map_err(|why| format!("the kernel refuses a network namespace: {why}"))?;
            lab.add_radio(node).map_err(|why| format!("the kernel refuses an interface: {why}"))?;
        }
        Ok(lab)
    }

    /// From now on these hear each other, and nobody else: all at once.
    pub(crate) fn set_near(&mut self, near: &Near) {
        let pairs: Vec<String> =
            near.iter().map(|(from, to)| format!("\"v{from}\" . \"v{to}\"")).collect();
        let add = match pairs.is_empty() {
            true => String::new(),
            false => format!("add element bridge air near {{ {} }}", pairs.join(", ")),
        };
        self.nft(&format!("flush set bridge air near\n{add}"));
    }

    /// From now on so many of a hundred frames are lost.
    pub(crate) fn set_loss(&mut self, percent: u32) {
        let add = match percent {
            0 => String::new(),
            _ => format!("add rule bridge air loss numgen random mod 100 < {percent} drop"),
        };
        self.nft(&format!("flush chain bridge air loss\n{add}"));
    }

    /// Change the rules of the bridge, all at once.
    pub(crate) fn nft(&mut self, rules: &str) {
        self.shell.run(&format!("nft -f - <<'END'\n{rules}\nEND")).unwrap();
    }

    /// Give a node its interface.
    pub(crate) fn add_radio(&mut self, node: u32) -> Result<(), String> {
        let (space, own) = (self.space(node), hardware(node));
        let others = (1..=self.nodes).filter(|other| *other != node).map(|other| {
            let hardware = hardware(other);
            format!("neighbor add fe80::{other:x} lladdr {hardware} dev radio nud permanent\n")
        });
        let others: String = others.collect();
        // The address is set by hand as well: the kernel would spend a second or two on making sure
        // that it is not in use.
        let script = format!(
            "ip link add v{node} type veth peer name radio netns {space} &&
             ip link set v{node} master air up &&
             nsenter --net={space} ip -batch - <<'END'
link set radio addrgenmode none
link set radio address {own}
link set radio up
address add fe80::{node:x}/64 dev radio nodad
{others}END"
        );
        self.shell.run(&script).map(|_| ())
    }

    /// Start a node. Returns the number of its process.
    pub(crate) fn start(&mut self, node: u32, options: &str) -> u32 {
        let (space, socket) = (self.space(node), self.socket(node));
        let folder = self.folder.path().display();
        let command = format!(
            "nsenter --net={space} {binary} node --id {node} --key {folder}/key --socket {socket} \
             --state {folder}/{node}.state \
             --log warn {options} >>{folder}/{node}.log 2>&1 & echo $!",
            binary = env!("CARGO_BIN_EXE_driftlock"),
            socket = socket.display(),
        );
        self.shell.run(&command).unwrap().trim().parse().unwrap()
    }

    /// Where programs find a node.
    pub(crate) fn socket(&self, node: u32) -> PathBuf {
        self.folder.path().join(format!("{node}.sock"))
    }

    /// Have the shell do something. Returns what it has printed.
    pub(crate) fn run(&mut self, script: &str) -> String {
        self.shell.run(script).unwrap()
    }

    /// The network namespace of a node.
    pub(crate) fn space(&self, node: u32) -> String {
        self.folder.path().join(format!("{node}.net")).display().to_string()
    }
}

/// The address of a node's interface.
fn hardware(node: u32) -> String {
    let [.., high, low] = node.to_be_bytes();
    format!("02:00:00:00:{high:02x}:{low:02x}")
}
