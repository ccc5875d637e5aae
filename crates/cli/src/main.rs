//! `driftlock`: locks for networks that move.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    driftlock::main()
}
