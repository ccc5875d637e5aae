//! Whole nodes without sockets, on a radio that is made up, in simulated time.

mod air;
mod book;
mod hostile;
mod overload;
mod storms;
mod walk;
