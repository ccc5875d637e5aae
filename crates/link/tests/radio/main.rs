//! Whole nodes over an emulated radio.

mod hostile;
mod net;
mod storm;
