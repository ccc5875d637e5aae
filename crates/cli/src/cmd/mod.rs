//! The commands, a file each.

pub(crate) mod campaign;
pub(crate) mod change;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod join;
pub(crate) mod key;
pub(crate) mod lock;
pub(crate) mod look;
pub(crate) mod node;
pub(crate) mod protocols;
pub(crate) mod replay;
pub(crate) mod reproduce;
pub(crate) mod seeds;
pub(crate) mod sim;
pub(crate) mod summary;
pub(crate) mod top;
pub(crate) mod views;
pub(crate) mod violation;
