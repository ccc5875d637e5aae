//! The checker, checked.
#![allow(clippy::unwrap_used, reason = "tests may")]

mod agreement;
mod careless;
mod chandy_misra;
mod claimant;
mod cluster;
mod credit;
mod detectors;
mod doorways;
mod engine;
mod gme;
mod line;
mod lme1;
mod lme2;
mod mesh;
mod networks;
mod parts;
mod plain;
mod raymond_k;
mod restarts;
mod ring;
mod rl;
mod settled;
mod toy;
mod twin;
mod walker;
