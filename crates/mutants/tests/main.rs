//! Every mutant breaks a promise, or the table says why it does not.

mod chandy_misra;
mod cluster;
mod gme;
mod hunt;
mod krl;
mod lme1;
mod lme2;
mod raymond;
mod raymond_k;
mod ring;
mod rl;
mod trials;
mod walks;
