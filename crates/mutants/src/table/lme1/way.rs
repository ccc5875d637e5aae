//! The mutants of how the modules of LME-1 are composed, and of its start.

use super::{ANYWHERE, AWAITED, BY_IDENTIFIERS, DOORWAY, ELSEWHERE, RARE};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    // The events.
    mutant("nothing follows", "step", "self.proceed(out);", ""),
    mutant("one step at most follows", "proceed", "while self.go_on(out) {}", "self.go_on(out);"),
    mutant("LinkUp is ignored by who stood still", "step", "self.on_link_up_static(j, out)", "()"),
    mutant("LinkUp is ignored by who moved", "step", "self.on_link_up_moving(j, out)", "()"),
    mutant("LinkDown is ignored", "step", "self.on_link_down(j, out)", "()"),
    mutant(
        "D3: LinkDown: nobody looks",
        "step",
        "self.on_link_down(j, out)",
        "return self.on_link_down(j, out)",
    ),
    mutant(
        "D3: LinkDown: who collects does not look",
        "step",
        "self.on_link_down(j, out)",
        "{ self.on_link_down(j, out); if self.phase == Phase::Collecting { return; } }",
    ),
    mutant("Notice is ignored", "on_message", "self.on_notice(j, notice)", "()"),
    mutant("Req is ignored", "on_message", "self.on_req(j, out)", "()"),
    mutant("Fork is ignored", "on_message", "self.on_fork(j, flag, out)", "()"),
    mutant("UpdateColor is ignored", "on_message", "self.link[j].color = Some(color)", "()"),
    mutant("Info is ignored", "on_message", "self.on_info(j, color, behind)", "()"),
    mutant(
        "NewColor is ignored",
        "on_message",
        "self.on_new_color(j, session, round, color, out);",
        "",
    ),
    mutant("Ack is ignored", "on_message", "self.on_ack(j, session)", "()"),
    mutant("Nack is ignored", "on_message", "self.on_nack(j, session)", "()"),
    mutant("Busy is ignored", "on_message", "self.on_busy(session, out)", "()"),
    mutant("request: nobody starts", "on_request_cs", "self.start();", ""),
    mutant("Notice: not heard", "on_notice", "passage.hear(self.mutant, notice);", ""),
    mutant(
        "D5: who leaves is waited for",
        "on_notice",
        "gone && self.variant == Variant::Repaired",
        "false",
    ),
    mutant(
        "D5: who says anything is dropped",
        "on_notice",
        "gone && self.variant == Variant::Repaired",
        "true",
    )
    .survives(ELSEWHERE),
    mutant(
        "D5: who is outside is dropped",
        "on_notice",
        "was_behind.contains(Doorway::SdR) && !passage.behind.contains(Doorway::SdR)",
        "!passage.behind.contains(Doorway::SdR)",
    )
    .survives(ELSEWHERE),
    mutant(
        "D5: who was behind is dropped",
        "on_notice",
        "was_behind.contains(Doorway::SdR) && !passage.behind.contains(Doorway::SdR)",
        "was_behind.contains(Doorway::SdR)",
    )
    .survives(ELSEWHERE),
    mutant(
        "D5: who leaves AD^r is dropped",
        "on_notice",
        "was_behind.contains(Doorway::SdR) && !passage.behind.contains(Doorway::SdR)",
        "was_behind.contains(Doorway::AdR) && !passage.behind.contains(Doorway::AdR)",
    )
    .open(RARE),
    // The way.
    mutant(
        "53: colors of new neighbors are not awaited",
        "start",
        "self.link.iter().any(|(_, link)| link.awaited)",
        "false",
    )
    .with(&[(
        "go_on",
        "self.link.iter().any(|(_, link)| \
        link.awaited)",
        "false",
    )])
    .survives(AWAITED),
    mutant(
        "start: who has moved does not recolor",
        "start",
        "self.go_to(Doorway::AdR)",
        "self.go_to(Doorway::AdF)",
    ),
    mutant(
        "start: AD^r is skipped",
        "start",
        "self.go_to(Doorway::AdR)",
        "self.go_to(Doorway::SdR)",
    )
    .open(DOORWAY),
    mutant(
        "start: everyone recolors",
        "start",
        "self.go_to(Doorway::AdF)",
        "self.go_to(Doorway::AdR)",
    ),
    mutant(
        "start: AD^f is skipped",
        "start",
        "self.go_to(Doorway::AdF)",
        "self.go_to(Doorway::SdF)",
    ),
    mutant(
        "go to: who was outside once is outside",
        "go_to",
        "Doorway::begin(self.link.iter_mut().map(|(_, link)| &mut link.passage));",
        "",
    ),
    mutant(
        "53: colors are awaited for ever",
        "go_on",
        "self.link.iter().any(|(_, link)| link.awaited)",
        "true",
    ),
    mutant(
        "53: the color of one of them will do",
        "start",
        "self.link.iter().any(|(_, link)| link.awaited)",
        "self.link.iter().all(|(_, link)| link.awaited)",
    )
    .with(&[(
        "go_on",
        "self.link.iter().any(|(_, link)| link.awaited)",
        "self.link.iter().all(|(_, link)| link.awaited)",
    )]),
    mutant(
        "doorways are crossed at once",
        "go_on",
        "self.opens(doorway) && self.cross(doorway, out)",
        "self.cross(doorway, out)",
    ),
    mutant(
        "doorways are never crossed",
        "go_on",
        "self.opens(doorway) && self.cross(doorway, out)",
        "self.opens(doorway) && false",
    ),
    mutant("nobody goes on with recoloring", "go_on", "self.recolor(out)", "false"),
    mutant("nobody collects", "go_on", "self.collect(out);", ""),
    mutant(
        "AD^r is always open",
        "opens(&mut self",
        "doorway.opens(self.mutant, self.link.iter_mut().map(|(_, link)| &mut link.passage))",
        "doorway == Doorway::AdR || doorway.opens(self.mutant, self.link.iter_mut().map(|(_, \
            link)| &mut link.passage))",
    )
    .open(DOORWAY),
    mutant(
        "SD^r is always open",
        "opens(&mut self",
        "doorway.opens(self.mutant, self.link.iter_mut().map(|(_, link)| &mut link.passage))",
        "doorway == Doorway::SdR || doorway.opens(self.mutant, self.link.iter_mut().map(|(_, \
            link)| &mut link.passage))",
    ),
    mutant(
        "AD^f is always open",
        "opens(&mut self",
        "doorway.opens(self.mutant, self.link.iter_mut().map(|(_, link)| &mut link.passage))",
        "doorway == Doorway::AdF || doorway.opens(self.mutant, self.link.iter_mut().map(|(_, \
            link)| &mut link.passage))",
    ),
    mutant(
        "SD^f is always open",
        "opens(&mut self",
        "doorway.opens(self.mutant, self.link.iter_mut().map(|(_, link)| &mut link.passage))",
        "doorway == Doorway::SdF || doorway.opens(self.mutant, self.link.iter_mut().map(|(_, \
            link)| &mut link.passage))",
    )
    .open(DOORWAY),
    mutant(
        "the doorways of forks are always open",
        "opens(&mut self",
        "doorway.opens(self.mutant, self.link.iter_mut().map(|(_, link)| &mut link.passage))",
        "Doors::F.contains(doorway) || doorway.opens(self.mutant, self.link.iter_mut().map(|(_, \
            link)| &mut link.passage))",
    ),
    mutant(
        "crossing: not done",
        "cross(&mut self, doorway",
        "self.place.cross(self.mutant, doorway, self.link.keys(), out);",
        "",
    ),
    mutant(
        "AD^r is crossed: SD^r is skipped",
        "cross(&mut self, doorway",
        "self.go_to(Doorway::SdR)",
        "self.on_sd_r_crossed(out)",
    ),
    mutant(
        "SD^r is crossed: nobody recolors",
        "cross(&mut self, doorway",
        "self.on_sd_r_crossed(out)",
        "self.go_to(Doorway::AdF)",
    ),
    mutant(
        "AD^f is crossed: stays behind AD^r and SD^r",
        "cross(&mut self, doorway",
        "self.exit(Doors::R, out);",
        "",
    ),
    mutant(
        "AD^f is crossed: stays behind AD^r",
        "cross(&mut self, doorway",
        "self.exit(Doors::R, out);",
        "self.exit(Doorway::SdR.into(), out);",
    ),
    mutant(
        "AD^f is crossed: stays behind SD^r",
        "cross(&mut self, doorway",
        "self.exit(Doors::R, out);",
        "self.exit(Doorway::AdR.into(), out);",
    ),
    mutant(
        "AD^r and SD^r are exited after SD^f",
        "cross(&mut self, doorway",
        "self.exit(Doors::R, out);",
        "",
    )
    .with(&[(
        "cross(&mut self, doorway",
        "self.on_sd_f_crossed(out)",
        "{ self.exit(Doors::R, out); self.on_sd_f_crossed(out) }",
    )])
    .open(DOORWAY),
    mutant(
        "AD^f is crossed: SD^f is skipped",
        "cross(&mut self, doorway",
        "self.go_to(Doorway::SdF);",
        "self.on_sd_f_crossed(out);",
    ),
    mutant(
        "nothing is exited",
        "exit(&mut self, doors",
        "self.place.exit(self.mutant, doors, self.link.keys(), out);",
        "",
    ),
    // The start.
    mutant(
        "start: forks are with the larger",
        "initial",
        "Link::new(i < j, Doors::NONE)",
        "Link::new(j < i, Doors::NONE)",
    )
    .survives(ANYWHERE),
    mutant(
        "start: neighbors are behind doorways",
        "initial",
        "Link::new(i < j, Doors::NONE)",
        "Link::new(i < j, Doors::ALL)",
    ),
    mutant("start: nobody has to recolor", "initial", "!given", "false").survives(BY_IDENTIFIERS),
    mutant("start: who has a color has to recolor", "initial", "!given", "true"),
    mutant(
        "start: given colors are all the same",
        "initial",
        "colored(graph)",
        "graph.nodes().map(|_| 0).collect()",
    ),
    mutant("start: given colors are not known to neighbors", "initial", "color(j)", "None"),
];
