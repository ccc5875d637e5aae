//! Whole nodes without sockets, on a radio that is made up, in simulated time.

mod air;
mod book;
mod leases;
mod restarts;
mod storms;
mod walk;
