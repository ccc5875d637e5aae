//! Traces from outside: real files, and large ones.

mod large;
mod real;
