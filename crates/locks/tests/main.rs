//! Many nodes with many locks in one thread, on links that the tests make up.

// What `cargo bolero` builds has to be linked with it, whatever its tests are.
use driftlock_fuzz as _;

mod journals;
mod leases;
mod leaving;
mod network;
mod restarts;
mod size;
mod storms;
mod walk;
mod wire;
