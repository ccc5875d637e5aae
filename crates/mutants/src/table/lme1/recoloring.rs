//! The mutants of the wrapper of the recoloring module of LME-1.

use super::{AGAIN, BEHIND_AD_F, EXITED_FIRST, LATER, OUTSIDE_ANYWAY, RARE};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "D6: recolorings have no numbers",
        "on_sd_r_crossed",
        "self.session = self.session.wrapping_add(1);",
        "",
    ),
    mutant(
        "37: with nobody",
        "on_sd_r_crossed",
        "self.link.keys().map(|j| (j, Partner::default())).collect()",
        "core::iter::empty::<(NodeId, Partner)>().collect()",
    ),
    mutant(
        "37: with those below",
        "on_sd_r_crossed",
        "self.link.keys().map(|j| (j, Partner::default())).collect()",
        "self.link.keys().filter(|&j| j < self.i).map(|j| (j, Partner::default())).collect()",
    )
    .survives(LATER),
    mutant(
        "37: with those behind SD^r",
        "on_sd_r_crossed",
        "self.link.keys().map(|j| (j, Partner::default())).collect()",
        "self.link.iter().filter(|(_, link)| \
            link.passage.behind.contains(Doorway::SdR)).map(|(j, _)| (j, \
            Partner::default())).collect()",
    ),
    mutant(
        "all begin with the same color",
        "on_sd_r_crossed",
        "Recoloring { round: 0, color: self.i.0, partner }",
        "Recoloring { round: 0, color: 0, partner }",
    ),
    mutant(
        "the first message is not sent",
        "on_sd_r_crossed",
        "self.say_color(Some(self.i.0), out);",
        "",
    ),
    mutant(
        "the first message has no color",
        "on_sd_r_crossed",
        "self.say_color(Some(self.i.0), out);",
        "self.say_color(None, out);",
    ),
    mutant(
        "messages have the number of the next recoloring",
        "say_color",
        "(self.session, *round)",
        "(self.session.wrapping_add(1), *round)",
    ),
    mutant(
        "all messages are first ones",
        "say_color",
        "(self.session, *round)",
        "(self.session, *round * 0)",
    ),
    // The end of it.
    mutant("done: goes on", "finish", "self.recoloring = None;", "").open(RARE),
    mutant("done: has to recolor again", "finish", "self.moved = false;", "").survives(AGAIN),
    mutant("38: not negative", "finish", "-color - 1", "color"),
    mutant("38: larger by one", "finish", "-color - 1", "-color"),
    mutant("38: the same for all", "finish", "-color - 1", "-1"),
    mutant("38: not taken", "finish", "self.take_color(-color - 1, out);", ""),
    mutant(
        "38: exits AD^r and SD^r before AD^f",
        "finish",
        "self.go_to(Doorway::AdF);",
        "self.exit(super::doorway::Doors::R, out); self.go_to(Doorway::AdF);",
    ),
    mutant(
        "38: skips AD^f",
        "finish",
        "self.go_to(Doorway::AdF);",
        "self.exit(super::doorway::Doors::R, out); self.go_to(Doorway::SdF);",
    ),
    mutant("38: goes nowhere", "finish", "self.go_to(Doorway::AdF);", ""),
    mutant("7, 39: not taken", "take_color", "self.color = Some(color);", ""),
    mutant(
        "7, 39: nobody is told",
        "take_color",
        "self.link.keys().for_each(|j| out.send(j, Msg::UpdateColor(color)));",
        "",
    ),
    // The messages.
    mutant("40: nobody is outside", "on_new_color", "!self.is_behind(Doorway::SdR)", "false"),
    mutant("40: everybody is outside", "on_new_color", "!self.is_behind(Doorway::SdR)", "true"),
    mutant(
        "D6: who is done is outside",
        "on_new_color",
        "!self.is_behind(Doorway::SdR)",
        "self.recoloring.is_none()",
    )
    .open(RARE),
    mutant(
        "40: who is behind AD^r is not",
        "on_new_color",
        "!self.is_behind(Doorway::SdR)",
        "!self.is_behind(Doorway::AdR)",
    ),
    mutant(
        "41: later messages too",
        "on_new_color",
        "outside && (round == 0 || published)",
        "outside",
    )
    .survives(EXITED_FIRST),
    mutant("41: no NACK", "on_new_color", "out.send(j, Msg::Nack(session))", "()"),
    mutant(
        "41: ACK in its place",
        "on_new_color",
        "out.send(j, Msg::Nack(session))",
        "out.send(j, Msg::Ack(session))",
    ),
    mutant(
        "41: NACK of the next recoloring",
        "on_new_color",
        "out.send(j, Msg::Nack(session))",
        "out.send(j, Msg::Nack(session + 1))",
    ),
    mutant(
        "D6: takes part with a neighbor twice",
        "on_new_color",
        "round == 0 && partner.session.is_none()",
        "round == 0",
    )
    .open(RARE),
    mutant(
        "D6: later messages begin it too",
        "on_new_color",
        "round == 0 && partner.session.is_none()",
        "partner.session.is_none()",
    )
    .open(RARE),
    mutant(
        "D6: nobody takes part",
        "on_new_color",
        "round == 0 && partner.session.is_none()",
        "false",
    ),
    mutant(
        "D6: its number is not kept",
        "on_new_color",
        "partner.session = Some(session); partner.said.push(color);",
        "partner.said.push(color);",
    ),
    mutant(
        "D6: its color is not kept",
        "on_new_color",
        "partner.session = Some(session); partner.said.push(color);",
        "partner.session = Some(session);",
    ),
    mutant("D6: no answer", "on_new_color", "out.send(j, Msg::Ack(session));", ""),
    mutant(
        "D6: so do I, of the last recoloring",
        "on_new_color",
        "out.send(j, Msg::Ack(session));",
        "out.send(j, Msg::Ack(session.wrapping_sub(1)));",
    ),
    mutant(
        "D6: messages of any recoloring count",
        "on_new_color",
        "round > 0 && partner.session == Some(session)",
        "round > 0",
    )
    .open(RARE),
    mutant(
        "D6: later messages are not kept",
        "on_new_color",
        "round > 0 && partner.session == Some(session)",
        "false",
    ),
    mutant(
        "D6: nobody says that it is done",
        "on_new_color",
        "out.send(j, Msg::Busy(session))",
        "()",
    ),
    mutant(
        "D6: not I in place of not now",
        "on_new_color",
        "out.send(j, Msg::Busy(session))",
        "out.send(j, Msg::Nack(session))",
    )
    .open(RARE),
    mutant(
        "D6: so do I in place of not now",
        "on_new_color",
        "out.send(j, Msg::Busy(session))",
        "out.send(j, Msg::Ack(session))",
    )
    .open(RARE),
    mutant("D6: not now to later messages too", "on_new_color", "round == 0 && !published", "true")
        .survives(AGAIN),
    // The answers.
    mutant(
        "D6: NACK of any recoloring",
        "on_nack",
        "session == self.session || self.variant == Variant::Published",
        "true",
    ),
    mutant(
        "42: NACK of others",
        "on_nack",
        "session == self.session || self.variant == Variant::Published",
        "session != self.session",
    ),
    mutant("43: stays in R", "on_nack", "recoloring.leave(j);", ""),
    mutant(
        "43: said so",
        "on_nack",
        "recoloring.leave(j);",
        "if let Some(partner) = recoloring.partner.get_mut(j) { partner.acked = true; }",
    ),
    mutant("D6: ACK of any recoloring", "on_ack", "session == self.session", "true"),
    mutant("D6: ACK is not kept", "on_ack", "partner.acked = true;", ""),
    mutant("D6: ACK is NACK", "on_ack", "partner.acked = true;", "self.on_nack(j, session);"),
    mutant(
        "D6: not now, of any recoloring",
        "on_busy",
        "self.recoloring.is_some() && session == self.session",
        "self.recoloring.is_some()",
    )
    .open(RARE),
    mutant(
        "D6: not now, to who is done",
        "on_busy",
        "self.recoloring.is_some() && session == self.session",
        "session == self.session",
    )
    .open(RARE),
    mutant("D6: not now: goes on", "on_busy", "self.recoloring = None;", "")
        .survives(OUTSIDE_ANYWAY),
    mutant("D6: not now: no exit", "on_busy", "self.exit(Doorway::SdR.into(), out);", ""),
    mutant("D6: not now: goes nowhere", "on_busy", "self.go_to(Doorway::SdR);", ""),
    mutant(
        "D6: not now: back to AD^r",
        "on_busy",
        "self.exit(Doorway::SdR.into(), out); self.go_to(Doorway::SdR);",
        "self.exit(super::doorway::Doors::R, out); self.go_to(Doorway::AdR);",
    )
    .open(RARE),
    mutant(
        "D6: not now: on to AD^f",
        "on_busy",
        "self.go_to(Doorway::SdR);",
        "self.go_to(Doorway::AdF);",
    )
    .open(RARE),
    mutant(
        "D6: does not wait for answers",
        "recolor",
        "all.is_agreed() || self.variant == Variant::Published",
        "true",
    )
    .open(RARE),
    // Who leaves.
    mutant(
        "D5: one message too many is enough",
        "drop_who_left",
        "self.messages()",
        "self.messages() + 1",
    )
    .survives(BEHIND_AD_F),
    mutant(
        "D5: one message less is enough",
        "drop_who_left",
        "self.messages()",
        "self.messages() - 1",
    ),
    mutant("D5: who is done is dropped", "drop_who_left", "partner.is_done(enough)", "false")
        .survives(BEHIND_AD_F),
    mutant("D5: nobody is dropped", "drop_who_left", "partner.is_done(enough)", "true"),
    mutant("D5: who may come back is dropped", "drop_who_left", "partner.acked", "true"),
    mutant("D5: nobody leaves for good", "drop_who_left", "partner.acked", "false"),
    mutant("D5: stays in R", "drop_who_left", "recoloring.leave(j);", ""),
    mutant("D5: what it said counts", "drop_who_left", "*partner = Partner::default();", "")
        .open(RARE),
];
