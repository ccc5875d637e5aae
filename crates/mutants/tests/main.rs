//! Every mutant breaks a promise, or the table says why it does not.

mod hunt;
mod raymond;
mod raymond_k;
mod rl;
mod trials;
