//! The commands of the lab, a file each.

pub(crate) mod campaign;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod join;
pub(crate) mod plot;
pub(crate) mod protocols;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod seeds;
pub(crate) mod sim;
pub(crate) mod summary;
pub(crate) mod sweep;
pub(crate) mod trace;
pub(crate) mod violation;
pub(crate) mod world;
