//! What the papers show and claim, asked of the code.

// In a test a panic is an answer.
#![allow(clippy::unwrap_used)]

mod canonical;
mod chandy_misra;
mod claims;
mod cluster;
mod cluster_dual;
mod cluster_storms;
mod departures;
mod figures;
mod gme;
mod gme_storms;
mod krl;
mod krl_figures;
mod lme1;
mod lme1_coloring;
mod lme1_storms;
mod lme2;
mod lme2_storms;
mod raymond;
mod raymond_k;
mod real_links;
mod ring;
mod schedules;
mod settled;
mod settled_storms;
mod shifted;
mod stage;
mod storms;
mod wire;
