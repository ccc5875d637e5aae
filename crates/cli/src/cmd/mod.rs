//! The commands, a file each.

pub(crate) mod change;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod key;
pub(crate) mod lock;
pub(crate) mod look;
pub(crate) mod members;
pub(crate) mod node;
pub(crate) mod top;
pub(crate) mod views;
