//! What becomes of idle tokens: KRLF and KRLA.

use super::{IDLE, NEVER_BOTH};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    // Procedure PickLowest&ForwardToken.
    mutant(
        "PickLowest 1: visited never reset",
        "pick_lowest_and_forward_token",
        "self.link.iter().filter(|(_, link)| link.in_n).all(|(_, link)| link.visited)",
        "false",
    )
    .survives(IDLE),
    mutant(
        "PickLowest 1: visited always reset",
        "pick_lowest_and_forward_token",
        "self.link.iter().filter(|(_, link)| link.in_n).all(|(_, link)| link.visited)",
        "true",
    )
    .survives(IDLE),
    mutant(
        "PickLowest 3: the lowest, visited or not",
        "pick_lowest_and_forward_token",
        "link.in_n && !link.visited",
        "link.in_n",
    )
    .survives(IDLE),
    mutant(
        "PickLowest 3: the highest not visited",
        "pick_lowest_and_forward_token",
        "unvisited.map(|(k, link)| link.height(k)).min()",
        "unvisited.map(|(k, link)| link.height(k)).max()",
    ),
    mutant(
        "PickLowest 4: not visited",
        "pick_lowest_and_forward_token",
        "self.link[next].visited = true;",
        "",
    ),
    mutant(
        "PickLowest 5 to 10: token kept",
        "pick_lowest_and_forward_token",
        "self.pass_token(next, out);",
        "",
    )
    .survives(IDLE),
    mutant(
        "D9 PickLowest: undefined where N is empty",
        "pick_lowest_and_forward_token",
        "{}",
        "out.undefined(\"the lowest of nobody\")",
    ),
    // KRLA.
    mutant("KRLA: never passed on", "pass_on_idle_token", "self.load.reach > 0", "false")
        .survives(IDLE),
    mutant("KRLA: reach not used up", "pass_on_idle_token", "self.load.reach -= 1;", ""),
    mutant(
        "KRLA: load kept after a trip in vain",
        "pass_on_idle_token",
        "self.load.level.saturating_sub(1)",
        "self.load.level",
    )
    .survives(IDLE),
    mutant(
        "KRLA: load forgotten after a trip",
        "pass_on_idle_token",
        "self.load.level.saturating_sub(1)",
        "0",
    )
    .survives(IDLE),
    mutant("KRLA: no load seen", "token_is_wanted", "self.load.after_use(freed)", "self.load")
        .survives(IDLE),
    mutant(
        "KRLA: the highest load at once",
        "token_is_wanted",
        "self.load.after_use(freed)",
        "Load::at(Load::HIGHEST)",
    )
    .survives(IDLE),
    mutant(
        "KRLA: every use is load",
        "token_is_wanted",
        "self.load.after_use(freed)",
        "self.load.after_use(Freed::ByRelease)",
    )
    .survives(IDLE),
    mutant(
        "KRLA: load also in KRL and KRLF",
        "token_is_wanted",
        "self.forwarding == Forwarding::Adaptive",
        "true",
    )
    .survives("KRL and KRLF do not read the load"),
    mutant("KRLA: load not seen at all", "give_token_to_next", "self.token_is_wanted(freed);", "")
        .survives(IDLE),
    mutant("KRLA: load stays behind", "pass_token", "core::mem::take(&mut self.load)", "self.load")
        .survives(IDLE),
    mutant(
        "KRLA: load lost",
        "pass_token",
        "core::mem::take(&mut self.load)",
        "super::Load::default()",
    )
    .survives(IDLE),
    mutant("KRLA: nothing said of reach", "saying", "self.load.reach", "0").survives(IDLE),
    mutant("wake: the one in use too", "wake_idle_token", "self.num_tokens > used", "true"),
    mutant("wake: though somebody is on Q", "wake_idle_token", "self.q.is_empty()", "true")
        .survives(NEVER_BOTH),
    mutant("D9 wake: KRLF sleeps on", "wake_idle_token", "true", "false").survives(IDLE),
    mutant("wake: KRL moves too", "wake_idle_token", "false", "true")
        .survives("KRL does nothing with an idle token when it is woken"),
    mutant("wake: KRLA by any news", "wake_idle_token", "reach > 1", "true").survives(IDLE),
    mutant("wake: KRLA sleeps on", "wake_idle_token", "reach > 1", "false").survives(IDLE),
    mutant("wake: as far as the other", "wake_idle_token", "reach / 2", "reach").survives(IDLE),
    mutant("wake: farther than the other", "wake_idle_token", "reach / 2", "reach + 1"),
    mutant("wake: not passed on", "wake_idle_token", "self.pass_on_idle_token(out);", "")
        .survives(IDLE),
];
