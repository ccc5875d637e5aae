//! Heights and links.

use super::{ASKED_TWICE, COLD, GONE_NEXT, MORE_MESSAGES, NEXT_NOT_READ, NO_DIFFERENCE, SETTLED};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    // When LinkInfo(h) received at node i from node j.
    mutant("LinkInfo 1: not in N", "on_link_info", "link.in_n = true;", "")
        .survives("records are made in N, and the repaired algorithm drops them with their links"),
    mutant("LinkInfo 1: never in N", "on_link_info", "link.in_n = true;", "link.in_n = false;"),
    mutant("LinkInfo 2: forming ignored", "on_link_info", "form_height != self.my_height", "false"),
    mutant("LinkInfo 2: always answered", "on_link_info", "form_height != self.my_height", "true")
        .survives(MORE_MESSAGES),
    mutant(
        "LinkInfo 3: the old height sent",
        "on_link_info",
        "out.send(j, Msg::LinkInfo(self.my_height, self.raises));",
        "if let Some(form_height) = forming { out.send(j, Msg::LinkInfo(form_height, \
            self.raises)); }",
    ),
    mutant(
        "LinkInfo 4: forming not reset",
        "on_link_info",
        "self.forming.remove(j)",
        "self.forming.get(j).copied()",
    ),
    mutant("LinkInfo 5: height not stored", "on_link_info", "link.set_height(h);", ""),
    mutant(
        "LinkInfo 5: receivedLI ignored",
        "on_link_info",
        "if link.received_li { link.set_height(h); } else if link.height(j) == h { \
            link.received_li = true; }",
        "if link.height(j) == h { link.received_li = true; } link.set_height(h);",
    )
    .survives(NO_DIFFERENCE),
    mutant("LinkInfo 6: receivedLI not set", "on_link_info", "link.received_li = true;", ""),
    mutant("LinkInfo 6: any height confirms", "on_link_info", "link.height(j) == h", "true")
        .survives(NO_DIFFERENCE),
    mutant("LinkInfo 7: not deleted", "on_link_info", "self.q.delete(j);", "")
        .survives(NO_DIFFERENCE),
    mutant(
        "LinkInfo 7: those above deleted",
        "on_link_info",
        "if is_below { self.q.delete(j); }",
        "if !is_below { self.q.delete(j); }",
    )
    .survives(NO_DIFFERENCE),
    mutant("LinkInfo 8: no sink", "on_link_info", "self.is_lowest()", "false"),
    mutant("LinkInfo 8: no raise", "on_link_info", "self.raise_height(out);", ""),
    mutant("LinkInfo 9: not sent", "on_link_info", "self.forward_request(out);", ""),
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
    mutant("D3 LinkInfo: the holder reroutes", "on_link_info", "self.token_holder", "false"),
    mutant(
        "D4 LinkInfo: raises not stored",
        "on_link_info",
        "core::mem::replace(&mut link.raises, raises) != raises",
        "link.raises != raises",
    ),
    mutant("D4 LinkInfo: not asked once more", "on_link_info", "self.send_request(j, out);", ""),
    mutant(
        "D4 LinkInfo: asked more than once more",
        "on_link_info",
        "raised && self.asked && self.next == Some(j)",
        "self.asked && self.next == Some(j)",
    )
    .survives(
        "a second request to one neighbor finds the first on Q, or crosses with the token \
            and is ignored",
    ),
    mutant(
        "D4 LinkInfo: asked though not asked",
        "on_link_info",
        "raised && self.asked && self.next == Some(j)",
        "raised && self.next == Some(j)",
    ),
    mutant(
        "D4 LinkInfo: anyone asked",
        "on_link_info",
        "raised && self.asked && self.next == Some(j)",
        "raised && self.asked",
    )
    .by("clique of 4, 1 change"),
    // When failure of link to j detected at node i.
    mutant("LinkFailure 1, 3: stays in N", "on_link_failure", "self.leave_n(j);", ""),
    mutant("LinkFailure 2: stays on Q", "on_link_failure", "self.q.delete(j);", ""),
    mutant("LinkFailure 4: the holder too", "on_link_failure", "self.token_holder", "false"),
    mutant("LinkFailure 5: no sink", "on_link_failure", "self.is_lowest()", "false"),
    mutant("LinkFailure 5: no raise", "on_link_failure", "self.raise_height(out);", ""),
    mutant("LinkFailure 6: not sent", "on_link_failure", "self.forward_request(out);", ""),
    mutant(
        "LinkFailure 6: always sent",
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
        "if let Some(link) = self.link.get_mut(j) { (link.in_n, link.received_li) = \
            (false, true); }",
    )
    .survives(
        "whoever reads a record asks whether it is in N, and the first LinkInfo overwrites it",
    ),
    mutant("LinkFailure: forming kept", "leave_n", "self.forming.remove(j);", "")
        .survives("a link that comes back sets it anew, and nothing arrives before that"),
    // When formation of link to j detected at node i.
    mutant(
        "LinkFormation 1: not told",
        "on_link_formation",
        "out.send(j, Msg::LinkInfo(self.my_height, self.raises));",
        "",
    ),
    mutant(
        "LinkFormation 2, 3: forming not set",
        "on_link_formation",
        "self.forming.insert(j, self.my_height);",
        "",
    ),
    mutant("D5 Returned: not taken", "on_returned", "self.token_holder = true;", "").by(SETTLED),
    mutant("D5 Returned: still in N", "on_returned", "self.leave_n(j);", "").survives(GONE_NEXT),
    mutant("D5 Returned: Q not served", "on_returned", "!self.q.is_empty()", "false").by(SETTLED),
    mutant("D5 Returned: next not set", "on_returned", "self.next = Some(self.i);", "")
        .survives(NEXT_NOT_READ),
    mutant(
        "D6 be_somewhere: nobody told",
        "be_somewhere",
        "out.send(k, Msg::LinkInfo(self.my_height, self.raises));",
        "",
    )
    .by(COLD),
];
