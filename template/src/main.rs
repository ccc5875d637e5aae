//! driftlock with a protocol of my own: `my-locks sim suzuki-kasami`, and everything else.
#![forbid(unsafe_code)]

mod suzuki_kasami;

use std::process::ExitCode;

use driftlock::lab::{Entry, Of};

use self::suzuki_kasami::{Config, SuzukiKasami};

/// What the lab has to know of it.
static MINE: Entry = Entry::new(
    "suzuki-kasami",
    "one at a time; everyone gets in; messages routed to all nodes",
    &Of::<SuzukiKasami>::new(|choice| Config { hasty: choice.variant == Some("hasty") }),
)
.aliases(&["sk"])
.paper("Suzuki, Kasami: A Distributed Mutual Exclusion Algorithm, 1985")
.variants(&["published", "hasty"])
.media(&["routed"])
.tokens_are_counted();

fn main() -> ExitCode {
    driftlock::main_with([MINE])
}
