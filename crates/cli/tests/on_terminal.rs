//! What needs a terminal: `driftlock top`, `driftlock demo`, and commands under a lock that read
//! what is typed.
//!
//! Python has terminals in its standard library; where there is none, this is not tried.

use std::process::Command;

use driftlock_fuzz::skipped;

use crate::node_place::NodePlace;

/// A terminal with the binary on it, and what a test does with that.
const TERMINAL: &str = r#"
import os, pty, signal, sys, termios

signal.alarm(30)

def start(*words):
    pid, fd = pty.fork()
    if pid == 0:
        os.execv(sys.argv[1], sys.argv[1:2] + list(words))
    return pid, fd

def read_until(fd, text, seen=b""):
    while text not in seen:
        seen += os.read(fd, 4096)
    return seen

def end(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
"#;

fn on_terminal(node: &NodePlace, script: &str) {
    let mut python = Command::new("python3");
    python.args(["-c", "import os, pty; os.waitstatus_to_exitcode"]);
    if !python.output().is_ok_and(|done| done.status.success()) {
        return skipped("there is no python3 here, or an old one");
    }
    let mut python = Command::new("python3");
    python.args(["-c", &format!("{TERMINAL}{script}"), env!("CARGO_BIN_EXE_driftlock")]);
    python.env("DRIFTLOCK_SOCKET", node.fake.path()).env("TERM", "xterm");
    let done = python.output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said} {:?}", done.status);
    node.fake.expect(0, 0);
}

#[test]
fn top_leaves_the_terminal_as_it_was() {
    let node = NodePlace::new();
    for quit in ["os.write(fd, b'q')", "os.write(fd, b'\\x03')", "os.kill(pid, signal.SIGTERM)"] {
        let script = format!(
            r#"
pid, fd = start("top", "--interval", "0.05")
first = read_until(fd, b"node 3 of fleet")
assert first.startswith(b"\x1b[?1049h\x1b[?25l"), first
seen = read_until(fd, b"node 3 of fleet")
assert not termios.tcgetattr(fd)[3] & (termios.ICANON | termios.ECHO)
{quit}
read_until(fd, b"\x1b[?25h\x1b[?1049l")
assert end(pid) == 0
lines = termios.tcgetattr(fd)[3]
assert lines & termios.ICANON and lines & termios.ECHO and lines & termios.ISIG
"#
        );
        on_terminal(&node, &script);
    }
}

#[test]
fn a_demo_is_drawn_in_place_and_brings_the_cursor_back() {
    let script = r#"
import fcntl, struct
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.execv(sys.argv[1], sys.argv[1:2] + "demo --nodes 3 --for 2".split())
seen = read_until(fd, b"overlaps: 0\r\n")
assert seen.count(b"\x1b[22A") > 5 and seen.count("╭".encode()) > 5, seen
assert b"\x1b[?25h" in seen.split(b"\x1b[?25l")[1], seen
assert end(pid) == 0
"#;
    on_terminal(&NodePlace::new(), script);
}

#[test]
fn the_command_reads_what_is_typed() {
    let node = NodePlace::new();
    let script = r#"
pid, fd = start("lock", "a", "--", "sed", "-u", "s/hello/HELLO/")
os.write(fd, b"hello\n")
read_until(fd, b"HELLO")
os.write(fd, b"\x04")
assert end(pid) == 0
"#;
    on_terminal(&node, script);
}

#[test]
fn the_keys_for_interrupting_and_stopping_work() {
    let node = NodePlace::new();
    let script = r#"
pid, fd = start("lock", "a", "--", "sed", "-u", "s/hello/HELLO/")
os.write(fd, b"hello\n")
read_until(fd, b"HELLO")
os.write(fd, b"\x1a")
assert os.WIFSTOPPED(os.waitpid(pid, os.WUNTRACED)[1])
os.kill(pid, signal.SIGCONT)
os.write(fd, b"hello again\n")
read_until(fd, b"HELLO again")
os.write(fd, b"\x03")
assert end(pid) == 130
"#;
    on_terminal(&node, script);
}
