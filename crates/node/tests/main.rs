//! Whole nodes without sockets, on a radio that is made up, in simulated time.

mod air;
mod book;
mod clocks;
mod faults;
mod forgotten;
mod histories;
mod hostile;
mod leases;
mod leavers;
mod models;
mod neighbors;
mod overload;
mod parts;
mod restarts;
mod stopped;
mod storms;
mod walk;
