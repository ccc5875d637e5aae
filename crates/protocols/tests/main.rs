//! What the papers show and claim, asked of the code.

mod claims;
mod departures;
mod figures;
mod raymond;
mod schedules;
mod stage;
mod wire;
