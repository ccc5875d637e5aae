//! A shell in namespaces of its own, where this user is root: [`Shell`].

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A shell that does one thing after the other. When it goes, all that it has started goes.
pub(crate) struct Shell {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

/// What the lab is made with, and where it comes from.
const TOOLS: [(&str, &str); 3] =
    [("ip", "iproute2"), ("nft", "nftables"), ("nsenter", "util-linux")];

impl Shell {
    /// Start it, or say what is missing.
    pub(crate) fn open() -> Result<Shell, String> {
        let mut command = Command::new("unshare");
        command.args(["-Urnm", "bash"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is not for it.
        let mut child = command
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| format!("`unshare` of util-linux cannot be run: {error}"))?;
        let to = child.stdin.take();
        let from = BufReader::new(child.stdout.take().unwrap());
        let mut shell = Shell { child, to, from };
        // What is started in the background ends with the shell, and that with this process.
        let begin = "PATH=$PATH:/usr/sbin:/sbin; trap 'kill -KILL $(jobs -p)' EXIT";
        if shell.run(begin).is_err() {
            let mut why = String::new();
            shell.child.stderr.take().unwrap().read_to_string(&mut why).unwrap();
            return Err(format!("the kernel refuses new namespaces: {}", why.trim()));
        }
        for (tool, package) in TOOLS {
            shell
                .run(&format!("command -v {tool}"))
                .map_err(|_| format!("`{tool}` of {package} is missing"))?;
        }
        Ok(shell)
    }

    /// Do something, and return what it has printed; or that as an error, if it has failed.
    pub(crate) fn run(&mut self, script: &str) -> Result<String, String> {
        let to = self.to.as_mut().expect("it is there until this is dropped");
        let asked = format!("{{ {script}\n}} 2>&1 </dev/null; echo \"= $?\"\n");
        to.write_all(asked.as_bytes()).map_err(|error| error.to_string())?;
        let mut said = String::new();
        loop {
            let start = said.len();
            if self.from.read_line(&mut said).map_err(|error| error.to_string())? == 0 {
                return Err(format!("the shell has ended: {said}"));
            }
            let Some(code) = said[start..].strip_prefix("= ") else { continue };
            let is_fine = code.trim() == "0";
            said.truncate(start);
            return if is_fine { Ok(said) } else { Err(said.trim().to_owned()) };
        }
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        // No more to read: the shell ends.
        self.to = None;
        self.child.wait().unwrap();
    }
}
