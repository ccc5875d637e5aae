//! The commands of the lab, and what is said of them.

mod bad_files;
mod bad_flags;
mod bad_journals;
mod campaign;
mod check;
mod check_refusals;
mod compare;
mod forge;
mod help;
mod interrupt;
#[cfg(feature = "png")]
mod plot;
#[cfg(feature = "parquet")]
mod python;
mod readme;
mod regressions;
mod replay;
mod reproduce;
mod reproducible;
mod results;
mod scenario;
mod seeds;
mod sim;
mod slurm;
mod slurm_says;
#[cfg(feature = "parquet")]
mod sweep;
mod trace;
mod violation;
mod world;
