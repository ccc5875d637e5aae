//! The mutants of link creation and failure of LME-1.

use super::{ALL_FORKS, AWAITED, COMES_BACK, OUTSIDE_ANYWAY, RETURN, WILL_COME};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "45: no fork",
        "on_link_up_static",
        "Link::new(true, Doors::NONE)",
        "Link::new(false, Doors::NONE)",
    ),
    mutant(
        "45: who moved is behind all doorways",
        "on_link_up_static",
        "Link::new(true, Doors::NONE)",
        "Link::new(true, Doors::ALL)",
    ),
    mutant(
        "46: no Info",
        "on_link_up_static",
        "out.send(j, Msg::Info(self.color, self.place.doors()));",
        "",
    ),
    mutant(
        "46: without a color",
        "on_link_up_static",
        "out.send(j, Msg::Info(self.color, self.place.doors()));",
        "out.send(j, Msg::Info(None, self.place.doors()));",
    ),
    mutant("46: outside all doorways", "on_link_up_static", "self.place.doors()", "Doors::NONE"),
    mutant("46: behind all doorways", "on_link_up_static", "self.place.doors()", "Doors::ALL"),
    mutant(
        "48: its color is not awaited",
        "on_link_up_moving",
        "Link { awaited: true, ..Link::new(false, Doors::ALL) }",
        "Link::new(false, Doors::ALL)",
    )
    .survives(AWAITED),
    mutant(
        "48: a fork at both ends",
        "on_link_up_moving",
        "Link::new(false, Doors::ALL)",
        "Link::new(true, Doors::ALL)",
    ),
    mutant(
        "48: outside all doorways",
        "on_link_up_moving",
        "Link::new(false, Doors::ALL)",
        "Link::new(false, Doors::NONE)",
    )
    .survives(AWAITED),
    mutant("48: need not recolor", "on_link_up_moving", "self.moved = true;", ""),
    mutant("49: eats on in silence", "on_link_up_moving", "self.phase == Phase::Eating", "false"),
    mutant(
        "49: eats on",
        "on_link_up_moving",
        "if self.phase == Phase::Eating { out.demote(); }",
        "if self.phase == Phase::Eating { return; }",
    ),
    mutant(
        "51: forks that others wait for are kept",
        "on_link_up_moving",
        "self.exit(Doors::ALL, out); self.send_suspended(|_, _, _| true, out);",
        "self.exit(Doors::ALL, out);",
    ),
    mutant(
        "52: no exit",
        "on_link_up_moving",
        "self.exit(Doors::ALL, out); self.send_suspended(|_, _, _| true, out);",
        "self.send_suspended(|_, _, _| true, out);",
    ),
    mutant(
        "52: stays behind AD^r and SD^r",
        "on_link_up_moving",
        "self.exit(Doors::ALL, out); self.send_suspended(|_, _, _| true, out);",
        "self.exit(Doors::F, out); self.send_suspended(|_, _, _| true, out);",
    ),
    mutant(
        "52: stays behind AD^f and SD^f",
        "on_link_up_moving",
        "self.exit(Doors::ALL, out); self.send_suspended(|_, _, _| true, out);",
        "self.exit(Doors::R, out); self.send_suspended(|_, _, _| true, out);",
    ),
    mutant(
        "D1: forks are given away before the exit of who moved",
        "on_link_up_moving",
        "self.exit(Doors::ALL, out); self.send_suspended(|_, _, _| true, out);",
        "self.send_suspended(|_, _, _| true, out); self.exit(Doors::ALL, out);",
    )
    .survives(COMES_BACK),
    mutant("52: remembers what it asked for", "on_link_up_moving", "self.forget_asked();", "")
        .survives(WILL_COME),
    mutant("52: goes on with recoloring", "on_link_up_moving", "self.recoloring = None;", "")
        .survives(OUTSIDE_ANYWAY),
    mutant(
        "53: who thinks gets hungry",
        "on_link_up_moving",
        "if hungry { Phase::Arriving } else { Phase::Thinking }",
        "Phase::Arriving",
    ),
    mutant(
        "53: who is hungry thinks",
        "on_link_up_moving",
        "if hungry { Phase::Arriving } else { Phase::Thinking }",
        "Phase::Thinking",
    ),
    mutant(
        "53: goes to AD^r at once",
        "on_link_up_moving",
        "Phase::Arriving",
        "Phase::At(Doorway::AdR)",
    )
    .survives(AWAITED),
    mutant(
        "53: goes on where it was",
        "on_link_up_moving",
        "self.phase = if hungry { Phase::Arriving } else { Phase::Thinking };",
        "if self.phase == Phase::Eating { self.phase = Phase::Arriving; }",
    ),
    mutant(
        "Info: no color",
        "on_info",
        "(color, Passage::behind(behind), false)",
        "(None, Passage::behind(behind), false)",
    ),
    mutant(
        "Info: not where it is",
        "on_info",
        "(color, Passage::behind(behind), false)",
        "(color, link.passage, false)",
    ),
    mutant(
        "Info: outside",
        "on_info",
        "(color, Passage::behind(behind), false)",
        "(color, Passage::behind(Doors::NONE), false)",
    ),
    mutant(
        "Info: still awaited",
        "on_info",
        "(color, Passage::behind(behind), false)",
        "(color, Passage::behind(behind), link.awaited)",
    ),
    // Failure.
    mutant(
        "57: who eats goes back too",
        "on_link_down",
        "self.phase == Phase::Collecting",
        "self.is_behind(Doorway::SdF)",
    )
    .survives(ALL_FORKS),
    mutant("59: nobody goes back", "on_link_down", "collecting && !link.at && low", "false")
        .open(RETURN),
    mutant(
        "59: who collects goes back",
        "on_link_down",
        "collecting && !link.at && low",
        "collecting",
    )
    .open(RETURN),
    mutant(
        "59: whatever the color",
        "on_link_down",
        "collecting && !link.at && low",
        "collecting && !link.at",
    )
    .open(RETURN),
    mutant(
        "59: with the fork too",
        "on_link_down",
        "collecting && !link.at && low",
        "collecting && low",
    )
    .open(RETURN),
    mutant(
        "59: for a high neighbor",
        "on_link_down",
        "collecting && !link.at && low",
        "collecting && !link.at && !low",
    )
    .open(RETURN),
    mutant("60: no exit", "on_link_down", "self.exit(Doorway::SdF.into(), out);", ""),
    mutant(
        "60: back to AD^f",
        "on_link_down",
        "self.go_to(Doorway::SdF);",
        "self.exit(Doors::F, out); self.go_to(Doorway::AdF);",
    ),
    mutant("60: goes nowhere", "on_link_down", "self.go_to(Doorway::SdF);", ""),
    mutant(
        "D7: who goes back keeps others waiting",
        "on_link_down",
        "self.send_suspended(|_, _, _| true, out);",
        "",
    )
    .open(RETURN),
    mutant("60: remembers what it asked for", "on_link_down", "self.forget_asked();", "")
        .survives(WILL_COME),
    mutant("61: stays in R", "on_link_down", "recoloring.leave(j);", ""),
];
