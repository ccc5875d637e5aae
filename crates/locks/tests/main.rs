//! Many nodes with many locks in one thread, on links that the tests make up.

mod journals;
mod leases;
mod leaving;
mod network;
mod storms;
mod walk;
mod wire;
