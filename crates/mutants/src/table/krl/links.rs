//! Heights and links.

use super::{
    AS_RL, ASKED_TWICE, CONFIRMED, FIRST_ON_Q, IDLE, IN_N_ANYWAY, MISSES, MORE_MESSAGES,
    OUT_OF_REACH, OVERWRITTEN, SAME, SEARCHES, SECOND_TOKEN, SETTLED, TOLD_NOW, UP_AT_BOTH_ENDS,
};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    // When LinkInfo(h) received at node i from node j.
    mutant("LinkInfo 1: not in N", "hear", "link.in_n = true;", "").survives(IN_N_ANYWAY),
    mutant("LinkInfo 1: never in N", "hear", "link.in_n = true;", "link.in_n = false;"),
    mutant("LinkInfo 2: forming ignored", "hear", "form != (self.my_height, self.raises)", "false"),
    mutant("LinkInfo 2: always answered", "hear", "form != (self.my_height, self.raises)", "true")
        .survives(MORE_MESSAGES),
    mutant(
        "LinkInfo 3: the old height sent",
        "hear",
        "out.send(j, Msg::LinkInfo(self.my_height, words));",
        "if let Some((h, _)) = forming { out.send(j, Msg::LinkInfo(h, words)); }",
    ),
    mutant(
        "D4 LinkInfo 2: raises not looked at",
        "hear",
        "form != (self.my_height, self.raises)",
        "form.0 != self.my_height",
    )
    .open(TOLD_NOW),
    mutant(
        "LinkInfo 4: forming not reset",
        "hear",
        "self.forming.remove(j)",
        "self.forming.get(j).copied()",
    ),
    mutant("LinkInfo 5: height not stored", "hear", "link.set_height(h);", ""),
    mutant("LinkInfo 5: receivedLI ignored", "hear", "link.tokens_sent == 0", "true")
        .open(CONFIRMED),
    mutant("D5 LinkInfo 6: not confirmed", "hear", "link.tokens_sent -= u32::from(ack);", ""),
    mutant(
        "D5 LinkInfo 6: not counted",
        "hear",
        "link.tokens_sent -= u32::from(ack);",
        "if ack { link.tokens_sent = 0; }",
    )
    .open(CONFIRMED),
    mutant(
        "D5 LinkInfo 6: any LinkInfo confirms",
        "hear",
        "link.tokens_sent -= u32::from(ack);",
        "link.tokens_sent = 0;",
    )
    .open(CONFIRMED),
    mutant("D6 LinkInfo: holds not stored", "hear", "link.holds = said.holds;", ""),
    mutant("D6 LinkInfo: still lowered", "hear", "self.lowered &= forming.is_none();", "")
        .survives(OUT_OF_REACH),
    mutant(
        "D6 LinkInfo: lowered again by any",
        "hear",
        "self.lowered &= forming.is_none();",
        "self.lowered = false;",
    ),
    mutant(
        "D4 LinkInfo: raises not stored",
        "hear",
        "core::mem::replace(&mut link.raises, said.raises) != said.raises",
        "link.raises != said.raises",
    ),
    mutant("LinkInfo 7: not deleted", "on_link_info", "self.q.delete(j);", ""),
    mutant(
        "D2 LinkInfo 7: only those below deleted",
        "on_link_info",
        "is_below || self.is_not_counted_on(said)",
        "is_below",
    )
    .open(ASKED_TWICE),
    mutant(
        "D2 LinkInfo 7: only who asks not deleted",
        "on_link_info",
        "is_below || self.is_not_counted_on(said)",
        "self.is_not_counted_on(said)",
    )
    .open(ASKED_TWICE),
    mutant(
        "D2 LinkInfo: asked not reset",
        "on_link_info",
        "self.asked &= is_below || self.next != Some(j);",
        "",
    ),
    mutant(
        "D2 LinkInfo: always reset",
        "on_link_info",
        "self.asked &= is_below || self.next != Some(j);",
        "self.asked = false;",
    ),
    mutant(
        "D2 LinkInfo: reset by anyone above",
        "on_link_info",
        "is_below || self.next != Some(j)",
        "is_below",
    )
    .open(ASKED_TWICE),
    mutant("D7 LinkInfo: not put right", "on_link_info", "self.put_right(j, h, out);", "")
        .open(TOLD_NOW),
    mutant("D10 LinkInfo: the clock stays", "on_link_info", "self.see(h);", ""),
    mutant(
        "LinkInfo 8, 9: not lowered",
        "on_link_info",
        "self.is_holder() && self.is_highest()",
        "false",
    )
    .survives(OUT_OF_REACH),
    mutant(
        "LinkInfo 8: whoever is highest",
        "on_link_info",
        "self.is_holder() && self.is_highest()",
        "self.is_highest()",
    )
    .survives(SAME),
    mutant("LinkInfo 10: not lowered", "on_link_info", "self.lower_height(out);", "")
        .survives(OUT_OF_REACH),
    mutant(
        "D3 LinkInfo: the holder reroutes",
        "on_link_info",
        "self.is_holder() && self.variant == Variant::Repaired",
        "false",
    )
    .survives(SECOND_TOKEN),
    mutant(
        "D9 LinkInfo: idle token sleeps on",
        "on_link_info",
        "self.wake_idle_token(said.reach, out);",
        "",
    )
    .survives(IDLE),
    mutant("D10 LinkInfo: part not followed", "on_link_info", "self.follow_part(out)", "false"),
    mutant(
        "LinkInfo 11: no sink",
        "on_link_info",
        "!self.is_holder() && self.is_lowest()",
        "false",
    ),
    mutant(
        "LinkInfo 11: a holder too",
        "on_link_info",
        "!self.is_holder() && self.is_lowest()",
        "self.is_lowest()",
    )
    .survives(SAME),
    mutant("LinkInfo 12: no raise", "on_link_info", "self.raise_height(false, out);", ""),
    mutant(
        "D10 LinkInfo 12: as if a link had failed",
        "on_link_info",
        "self.raise_height(false, out);",
        "self.raise_height(true, out);",
    ),
    mutant(
        "LinkInfo 13: never rerouted",
        "on_link_info",
        "self.must_ask(self.must_reroute())",
        "false",
    ),
    mutant(
        "LinkInfo 13: always rerouted",
        "on_link_info",
        "self.must_ask(self.must_reroute())",
        "true",
    ),
    mutant("LinkInfo 14: not sent", "on_link_info", "self.forward_request(out);", ""),
    mutant("D4 LinkInfo: not asked once more", "on_link_info", "self.send_request(j, out);", ""),
    mutant(
        "D4 LinkInfo: asked more than once more",
        "on_link_info",
        "raised && self.asked() == Some(j)",
        "self.asked() == Some(j)",
    )
    .survives(FIRST_ON_Q),
    mutant(
        "D4 LinkInfo: asked though not asked",
        "on_link_info",
        "raised && self.asked() == Some(j)",
        "raised && self.next == Some(j)",
    )
    .with(&[(
        "on_link_info",
        "ask_again && self.asked() == Some(j)",
        "ask_again && self.next == Some(j)",
    )]),
    mutant(
        "D4 LinkInfo: anyone asked",
        "on_link_info",
        "raised && self.asked() == Some(j)",
        "raised && self.asked",
    )
    .with(&[("on_link_info", "ask_again && self.asked() == Some(j)", "ask_again && self.asked")])
    .open(AS_RL),
    mutant(
        "D4 LinkInfo: a holder does not ask again",
        "on_link_info",
        "ask_again && self.asked() == Some(j)",
        "ask_again && !self.is_holder() && self.asked() == Some(j)",
    ),
    mutant(
        "D4 LinkInfo: asked though asked elsewhere",
        "on_link_info",
        "ask_again && self.asked() == Some(j)",
        "ask_again",
    )
    .open(ASKED_TWICE),
    mutant(
        "D4 LinkInfo: asked again though just asked",
        "on_link_info",
        "raised && self.asked() == Some(j)",
        "raised",
    )
    .survives(FIRST_ON_Q),
    // What D7 adds.
    mutant(
        "D7: nothing is put right",
        "put_right",
        "out.send(j, Msg::LinkInfo(self.my_height, words));",
        "",
    )
    .open(TOLD_NOW),
    mutant(
        "D7: put right whatever it was told",
        "put_right",
        "told > h || h.level.missing",
        "true",
    )
    .survives(MORE_MESSAGES),
    mutant(
        "D7: put right though above",
        "put_right",
        "link.told.is_some_and(mistaken) && self.my_height < h",
        "link.told.is_some_and(mistaken)",
    )
    .survives(MORE_MESSAGES),
    mutant(
        "D7: who misses the token not told",
        "put_right",
        "told > h || h.level.missing",
        "told > h",
    )
    .open(MISSES),
    mutant(
        "D7: only who misses the token told",
        "put_right",
        "told > h || h.level.missing",
        "h.level.missing",
    )
    .open(UP_AT_BOTH_ENDS),
    mutant("D7: put right for ever", "put_right", "link.told = None;", "").survives(MORE_MESSAGES),
    // When failure of link to j detected at node i.
    mutant("LinkFailure 1, 3: stays in N", "on_link_failure", "self.leave_n(j);", ""),
    mutant("LinkFailure 2: stays on Q", "on_link_failure", "self.q.delete(j);", ""),
    mutant("LinkFailure 4: the holder too", "on_link_failure", "self.is_holder()", "false"),
    mutant("LinkFailure 9: not lowered", "on_link_failure", "self.is_highest()", "false")
        .survives(OUT_OF_REACH),
    mutant("LinkFailure 10: not lowered", "on_link_failure", "self.lower_height(out);", "")
        .survives(OUT_OF_REACH),
    mutant(
        "D10 LinkFailure: part not followed",
        "on_link_failure",
        "self.follow_part(out)",
        "false",
    ),
    mutant("LinkFailure 5: no sink", "on_link_failure", "self.is_lowest()", "false"),
    mutant("LinkFailure 6: no raise", "on_link_failure", "self.raise_height(true, out);", ""),
    mutant(
        "D10 LinkFailure 6: as if none had failed",
        "on_link_failure",
        "self.raise_height(true, out);",
        "self.raise_height(false, out);",
    )
    .open(SEARCHES),
    mutant("LinkFailure 8: not sent", "on_link_failure", "self.forward_request(out);", ""),
    mutant(
        "LinkFailure 7: always sent",
        "on_link_failure",
        "self.must_ask(!self.q.is_empty() && !self.next_is_in_n())",
        "true",
    )
    .open(ASKED_TWICE),
    mutant("D2 LinkFailure: asked not reset", "leave_n", "self.asked &= self.next != Some(j);", ""),
    mutant(
        "D2 LinkFailure: record kept",
        "leave_n",
        "drop(self.link.remove(j))",
        "if let Some(link) = self.link.get_mut(j) { (link.in_n, link.tokens_sent) = \
            (false, 0); }",
    )
    .survives(OVERWRITTEN),
    mutant("LinkFailure: forming kept", "leave_n", "self.forming.remove(j);", ""),
    mutant("D6 LinkFailure: still lowered", "leave_n", "self.lowered = false;", "")
        .survives(OUT_OF_REACH),
    // When formation of link to j detected at node i.
    mutant(
        "LinkFormation 1: not told",
        "on_link_formation",
        "out.send(j, Msg::LinkInfo(self.my_height, self.said(j)));",
        "",
    ),
    mutant(
        "LinkFormation 2, 3: forming not set",
        "on_link_formation",
        "self.forming.insert(j, (self.my_height, self.raises));",
        "",
    ),
    mutant(
        "D4 LinkFormation 2, 3: another raise",
        "on_link_formation",
        "(self.my_height, self.raises)",
        "(self.my_height, self.raises.wrapping_sub(1))",
    )
    .survives(MORE_MESSAGES),
    mutant("LinkFormation: still visited", "on_link_formation", "link.visited = false;", "")
        .survives(IDLE),
    mutant("D11 Returned: not taken", "on_returned", "self.num_tokens += 1;", "").by(SETTLED),
    mutant("D11 Returned: load not kept", "on_returned", "self.load = load;", "").survives(IDLE),
    mutant("D11 Returned: Q not served", "on_returned", "self.use_token(out);", "").by(SETTLED),
];
