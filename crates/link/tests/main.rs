//! The link layer, judged from outside.

mod exhaustive;
mod explorer;
mod fuzz;
mod hostile;
mod net;
mod storm;
