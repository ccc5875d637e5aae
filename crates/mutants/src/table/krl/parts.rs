//! D10: parts without a token.

use super::{ASKED_TWICE, JOINED_FIRST, ONE_SEARCH, SAME, SEARCH_CROSSED, SEARCHES, TOLD_NOW};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    // The rules.
    mutant(
        "D10 rule 2: the first search joined",
        "searching_height",
        "self.n().map(|(_, height)| height.level).max().unwrap_or_default()",
        "self.n().map(|(_, height)| height.level).min().unwrap_or_default()",
    ),
    mutant(
        "D10 rule 2: though a link failed",
        "searching_height",
        "!all_alike && !lost",
        "!all_alike",
    )
    .open(SEARCHES),
    mutant("D10 rule 2: not there", "searching_height", "!all_alike && !lost", "false"),
    mutant(
        "D10 rule 2: not below them",
        "searching_height",
        "in_it.map(|(_, height)| height.h2).min().unwrap_or_default() - 1",
        "in_it.map(|(_, height)| height.h2).min().unwrap_or_default()",
    ),
    mutant(
        "D10 rule 2: above them",
        "searching_height",
        "in_it.map(|(_, height)| height.h2).min().unwrap_or_default() - 1",
        "in_it.map(|(_, height)| height.h2).max().unwrap_or_default() + 1",
    ),
    mutant(
        "D10 rule 3: a search of its own",
        "searching_height",
        "Level { reflected: true, ..latest }",
        "self.new_search()",
    ),
    mutant(
        "D10 rule 4: searches once more",
        "searching_height",
        "Level { missing: true, ..latest }",
        "self.new_search()",
    ),
    mutant(
        "D10 rule 4: of the search of another",
        "searching_height",
        "!lost && origin == Some(i)",
        "!lost",
    ),
    mutant(
        "D10 rule 4: though a link failed",
        "searching_height",
        "!lost && origin == Some(i)",
        "origin == Some(i)",
    )
    .open(SEARCHES),
    mutant(
        "D10 rules 1, 5: stays in the search",
        "searching_height",
        "self.new_search()",
        "latest",
    ),
    mutant("D10 rule 1: the clock stays", "new_search", "self.clock += 1;", ""),
    mutant("D10 rule 1: a search of nobody", "new_search", "Some(self.i)", "None"),
    mutant(
        "D10: h2 kept",
        "searching_height",
        "Height { level, h2: 0, id: i }",
        "Height { level, ..self.my_height }",
    )
    .open(SEARCHES),
    // What is heard of a search in vain.
    mutant(
        "D10: a holder follows",
        "follow_part",
        "self.detects && !self.is_holder()",
        "self.detects",
    )
    .survives(SAME),
    mutant("D10: news not followed", "follow_part", "self.move_to(height, out);", ""),
    mutant(
        "D10 alone: though a link is forming",
        "part_height",
        "self.forming.is_empty() && !mine.missing",
        "!mine.missing",
    )
    .open(SEARCHES),
    mutant(
        "D10 alone: again and again",
        "part_height",
        "self.forming.is_empty() && !mine.missing",
        "self.forming.is_empty()",
    )
    .survives("it is alone and says so once more, to nobody"),
    mutant(
        "D10 alone: not noticed",
        "part_height",
        "self.forming.is_empty() && !mine.missing",
        "false",
    ),
    mutant(
        "D10 alone: no search of its own",
        "part_height",
        "Level { missing: true, ..self.new_search() }",
        "Level { missing: true, ..mine }",
    ),
    mutant(
        "D10: news of any search followed",
        "part_height",
        "height.level.missing && height.level.search() == mine.search()",
        "height.level.missing",
    ),
    mutant(
        "D10: the highest of the news followed",
        "part_height",
        "self.n().map(|(_, height)| height).filter(in_vain).min()",
        "self.n().map(|(_, height)| height).filter(in_vain).max()",
    )
    .survives(ONE_SEARCH),
    mutant(
        "D10: no token is joined",
        "part_height",
        "!mine.missing && news.is_none()",
        "news.is_none()",
    ),
    mutant("D10: one who misses it too is joined", "part_height", "!height.level.missing", "true"),
    mutant(
        "D10: one in the same search is joined",
        "part_height",
        "height.level.search() != mine.search()",
        "true",
    ),
    mutant(
        "D10: joined from below",
        "part_height",
        "Some(height.above(i))",
        "Some(height.below(i))",
    ),
    mutant(
        "D10: news followed from below",
        "part_height",
        "news.map(|height| height.above(i))",
        "news.map(|height| height.below(i))",
    )
    .survives(ONE_SEARCH),
    mutant("D10: news not taken up", "part_height", "news.map(|height| height.above(i))", "None"),
    mutant(
        "D4, D10: not counted as a raise",
        "move_to",
        "self.raises = self.raises.wrapping_add(1);",
        "",
    ),
    mutant("D4, D10: raises not kept", "move_to", "self.raises_before = self.raises;", "")
        .open(SEARCH_CROSSED),
    mutant("D4, D10: always a raise", "move_to", "before < height", "true").open(SEARCH_CROSSED),
    mutant("D4, D10: never a raise", "move_to", "before < height", "false"),
    mutant("D10: asked upwards", "move_to", "self.asked &= self.next_is_below();", "")
        .open(TOLD_NOW),
    mutant(
        "D10: always asks again",
        "move_to",
        "self.asked &= self.next_is_below();",
        "self.asked = false;",
    )
    .open(ASKED_TWICE),
    mutant("D10: nobody told", "move_to", "self.tell_all(out);", ""),
    mutant("D10: does not ask where it is now", "move_to", "self.forward_request(out);", ""),
    mutant(
        "D10: says to miss what it has",
        "no_token_reachable",
        "!self.is_holder() && self.my_height.level.missing",
        "self.my_height.level.missing",
    )
    .survives(JOINED_FIRST),
    mutant(
        "D10: says nothing",
        "no_token_reachable",
        "!self.is_holder() && self.my_height.level.missing",
        "false",
    ),
];
