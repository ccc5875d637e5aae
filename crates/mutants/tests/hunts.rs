//! The same for KRL and GME, which takes some minutes and is a command of its own:
//! `cargo test -p driftlock-mutants --test hunts`.

mod gme;
mod hunt;
mod krl;
mod trials;
