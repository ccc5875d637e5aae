//! The commands, a file each.

pub(crate) mod campaign;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod key;
pub(crate) mod node;
pub(crate) mod protocols;
pub(crate) mod replay;
pub(crate) mod reproduce;
pub(crate) mod seeds;
pub(crate) mod sim;
pub(crate) mod summary;
pub(crate) mod violation;
