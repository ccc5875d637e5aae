//! Every mutant breaks a promise, or the table says why it does not.

mod hunt;
mod raymond;
mod rl;
mod trials;
