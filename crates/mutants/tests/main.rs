//! Every mutant breaks a promise, or the table says why it does not.

mod gme;
mod hunt;
mod krl;
mod raymond;
mod raymond_k;
mod rl;
mod trials;
mod walks;
