//! Heights and links.

use super::{
    ANY_RAISE, AS_RL, COLD, IN_N_ANYWAY, MORE_MESSAGES, NO_DIFFERENCE, NOT_UNDER_WAY, OVERWRITTEN,
    SET_ANEW, SETTLED, SINK,
};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    // Receiving a link information message.
    mutant("LINK: not in N", "hear_link", "link.in_n = true;", "").survives(IN_N_ANYWAY),
    mutant("LINK: never in N", "hear_link", "link.in_n = true;", "link.in_n = false;"),
    mutant("LINK: forming ignored", "hear_link", "form != (self.my_height, self.raises)", "false"),
    mutant("LINK: always answered", "hear_link", "form != (self.my_height, self.raises)", "true")
        .survives(MORE_MESSAGES),
    mutant(
        "LINK: forming not reset",
        "hear_link",
        "self.forming.remove(j)",
        "self.forming.get(j).copied()",
    ),
    mutant("LINK: height not stored", "hear_link", "link.set_height(h);", ""),
    mutant("LINK: receivedLINK not set", "hear_link", "link.received_li = true;", ""),
    mutant("LINK: any height confirms", "hear_link", "link.height(j) == h", "true")
        .survives(NO_DIFFERENCE),
    mutant(
        "LINK: receivedLINK ignored",
        "hear_link",
        "if link.received_li { link.set_height(h); } else if link.height(j) == h { \
            link.received_li = true; }",
        "if link.height(j) == h { link.received_li = true; } link.set_height(h);",
    )
    .survives(NO_DIFFERENCE),
    mutant("LINK: not off Q", "hear_link", "self.q.delete(j);", "").survives(NO_DIFFERENCE),
    mutant("D2 LINK: asked not reset", "hear_link", "self.asked = None;", ""),
    mutant("D2 LINK: asked reset by anyone above", "hear_link", "self.next == Some(j)", "true"),
    mutant(
        "D4 LINK: raises not stored",
        "hear_link",
        "core::mem::replace(&mut link.raises, raises) != raises",
        "link.raises != raises",
    ),
    mutant("D4 LINK: not asked once more", "on_link", "self.send_request(j, out);", ""),
    mutant(
        "D4 LINK: asked more than once more",
        "on_link",
        "raised && !self.leader && under_way && self.next == Some(j)",
        "!self.leader && under_way && self.next == Some(j)",
    )
    .open(AS_RL),
    mutant(
        "D3 LINK: the leader asks",
        "on_link",
        "raised && !self.leader && under_way && self.next == Some(j)",
        "raised && under_way && self.next == Some(j)",
    )
    .survives(NOT_UNDER_WAY),
    mutant(
        "D4 LINK: asked though not asked",
        "on_link",
        "raised && !self.leader && under_way && self.next == Some(j)",
        "raised && !self.leader && !self.q.is_empty() && self.next == Some(j)",
    ),
    mutant(
        "D4 LINK: anyone asked",
        "on_link",
        "raised && !self.leader && under_way && self.next == Some(j)",
        "raised && !self.leader && under_way",
    ),
    // Link failing.
    mutant("link failing: stays in N", "step_repaired", "self.leave_n(j)", ""),
    mutant("link failing: stays on Q", "leave_n", "self.q.delete(j);", ""),
    mutant("link failing: forming kept", "leave_n", "self.forming.remove(j);", "")
        .survives(SET_ANEW),
    mutant("D2 link failing: asked not reset", "leave_n", "self.asked = None;", ""),
    mutant(
        "D2 link failing: record kept",
        "leave_n",
        "drop(self.link.remove(j))",
        "if let Some(link) = self.link.get_mut(j) { (link.in_n, link.received_li) = \
            (false, true); }",
    )
    .survives(OVERWRITTEN),
    // Link forming.
    mutant(
        "link forming: not told",
        "on_link_forming",
        "out.send(j, Msg::Link(self.my_height, self.raises));",
        "",
    ),
    mutant(
        "link forming: forming not set",
        "on_link_forming",
        "self.forming.insert(j, (self.my_height, self.raises));",
        "",
    ),
    // Procedure raiseHeight().
    mutant("raiseHeight: no sink", "follow", "self.is_sink()", "false"),
    mutant("raiseHeight: not above the lowest", "raise_height", "1 + lowest_h1", "lowest_h1"),
    mutant("raiseHeight: two above the lowest", "raise_height", "1 + lowest_h1", "2 + lowest_h1")
        .survives(ANY_RAISE),
    mutant("raiseHeight: own h1 raised", "raise_height", "1 + lowest_h1", "1 + self.my_height.h1"),
    mutant(
        "D15 raiseHeight: one above the lowest",
        "raise_height",
        "self.my_height.h1.max(highest_h1)",
        "self.my_height.h1",
    )
    .survives(ANY_RAISE),
    mutant("raiseHeight: h2 kept", "raise_height", "self.my_height.h2 = lowest_h2 - 1;", "")
        .survives(ANY_RAISE),
    mutant("D2 raiseHeight: asked not reset", "raise_height", "self.asked = None;", "")
        .survives(SINK),
    mutant(
        "D4 raiseHeight: not counted",
        "raise_height",
        "self.raises = self.raises.wrapping_add(1);",
        "",
    )
    .open(AS_RL),
    mutant(
        "raiseHeight: not told",
        "raise_height",
        "out.send(k, Msg::Link(self.my_height, self.raises));",
        "",
    ),
    mutant("raiseHeight: not sent", "raise_height", "self.forward_request(out);", ""),
    mutant("raiseHeight: sent for nobody", "raise_height", "!self.q.is_empty()", "true"),
    mutant("sink: negated", "is_sink", "self.my_height < height", "self.my_height > height"),
    mutant(
        "D1: a node without neighbors is a sink",
        "is_sink",
        "!empty || self.config.variant == Variant::Published",
        "true",
    ),
    mutant("D13 Returned: the token not taken", "on_returned", "self.leader = true;", "")
        .by(SETTLED),
    mutant("D13 Returned: weight lost", "on_returned", "self.buffer += w", "()").by(SETTLED),
    mutant(
        "D13 Returned: the leader's weight lost",
        "on_returned",
        "self.weight += signed(w)",
        "()",
    )
    .by(SETTLED),
    mutant(
        "D14 be_somewhere: nobody told",
        "be_somewhere",
        "out.send(k, Msg::Link(self.my_height, self.raises));",
        "",
    )
    .by(COLD),
];
