//! The mutants of `new-color()` of LME-1, and of the sets of Linial's coloring.

use super::{ANY_COLOR, APART, BEHIND_AD_F, DROPPED, IDENTIFIERS, MANY, MORE_MESSAGES};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "a round: the color stays",
        "recolor",
        "(recoloring.round, recoloring.color) = (recoloring.round + 1, color);",
        "recoloring.round += 1;",
    )
    .survives(IDENTIFIERS),
    mutant("a round: nobody is told", "recolor", "self.say_color(Some(color), out);", ""),
    mutant(
        "apart: the round is not counted",
        "recolor",
        "recoloring.round += 1; self.say_color(None, out);",
        "self.say_color(None, out);",
    )
    .survives(DROPPED),
    mutant(
        "apart: nobody is told",
        "recolor",
        "recoloring.round += 1; self.say_color(None, out);",
        "recoloring.round += 1;",
    )
    .survives(DROPPED),
    mutant(
        "apart: told as a color",
        "recolor",
        "self.say_color(None, out);",
        "self.say_color(Some(color), out);",
    )
    .survives(DROPPED),
    mutant("apart: goes on", "recolor", "self.finish(color, out);", "").by("Linial, more storms"),
    // Greedy.
    mutant("greedy: one message is all", "messages", "2", "1"),
    mutant("greedy: three messages are all", "messages", "2", "3").survives(BEHIND_AD_F),
    mutant("D8: never done", "greedy", "recoloring.round > 0", "recoloring.round > 1")
        .survives(MORE_MESSAGES),
    mutant("D8: waits for all", "greedy", "*j < i", "true"),
    mutant("D8: waits for nobody", "greedy", "*j < i", "false"),
    mutant("D8: waits for those with larger identifiers", "greedy", "*j < i", "*j > i")
        .survives(ANY_COLOR),
    mutant("D8: the first colors count", "greedy", "partner.said.get(1)", "partner.said.get(0)"),
    mutant(
        "D8: what is not said yet is not waited for",
        "greedy",
        "taken.collect::<Option<_>>()?",
        "taken.flatten().collect()",
    ),
    mutant("D8: always 0", "greedy", "(0..).find(|color| !taken.contains(color))", "Some(0)"),
    mutant(
        "D8: from 1",
        "greedy",
        "(0..).find(|color| !taken.contains(color))",
        "(1..).find(|color| !taken.contains(color))",
    )
    .survives(ANY_COLOR),
    mutant(
        "D8: a color that is taken",
        "greedy",
        "(0..).find(|color| !taken.contains(color))",
        "(0..).find(|color| taken.is_empty() || taken.contains(color))",
    ),
    // Linial's.
    mutant(
        "Linial: one message too many",
        "messages",
        "self.rounds.count().max(1)",
        "self.rounds.count().max(1) + 1",
    )
    .survives(BEHIND_AD_F),
    mutant("Linial: one message is enough", "messages", "self.rounds.count().max(1)", "1"),
    mutant("Linial: no round", "recolor", "self.rounds.after(recoloring.round)", "None")
        .survives(IDENTIFIERS),
    mutant(
        "Linial: the first round again and again",
        "recolor",
        "self.rounds.after(recoloring.round)",
        "self.rounds.after(0)",
    ),
    mutant(
        "Linial: rounds are skipped",
        "recolor",
        "self.rounds.after(recoloring.round)",
        "self.rounds.after(recoloring.round * 2)",
    )
    .survives(APART),
    mutant(
        "Linial: the first colors count",
        "linial",
        "partner.said.get(usize::from(*done))",
        "partner.said.first()",
    ),
    mutant(
        "Linial: the last colors count",
        "linial",
        "partner.said.get(usize::from(*done))",
        "partner.said.last()",
    ),
    mutant("Linial: others are ignored", "linial", "others.extend(color.map(u64::from))", "()"),
    mutant(
        "Linial: who is apart is waited for",
        "linial",
        "partner.said.last() == Some(&None)",
        "false",
    )
    .open(MANY),
    mutant(
        "Linial: who has not said it is ignored",
        "linial",
        "partner.said.last() == Some(&None)",
        "true",
    ),
    mutant("Linial: all begin with one color", "linial", "u64::from(*color)", "0"),
    mutant(
        "Linial: apart, the same for all",
        "linial",
        "round.colors() + u64::from(i.0)",
        "round.colors()",
    )
    .open(MANY),
    mutant(
        "Linial: apart, among the colors",
        "linial",
        "round.colors() + u64::from(i.0)",
        "u64::from(i.0)",
    )
    .open(MANY),
    mutant(
        "Linial: always apart",
        "linial",
        "round.point(u64::from(*color), others.into_iter())",
        "None::<u64>",
    )
    .survives(APART),
    // Its sets.
    mutant("family: never a round", "first", "round.colors() < k", "false").survives(IDENTIFIERS),
    mutant("family: the degree decides", "first", "(round.q, round.d)", "(round.d, round.q)")
        .survives(APART),
    mutant(
        "family: too few colors are counted",
        "colors(self) -> u64",
        "u64::from(self.q) * u64::from(self.q)",
        "u64::from(self.q)",
    )
    .by("Linial, more storms"),
    mutant("family: one digit less", "value", "0..=self.d", "0..=self.d - 1").survives(APART),
    mutant("family: the sum of the digits", "value", "power * x % q", "power").survives(APART),
    mutant(
        "family: digits are not added",
        "value",
        "(sum + digits % q * power) % q",
        "digits % q * power % q",
    )
    .survives(APART),
    mutant(
        "family: points of others",
        "point",
        "self.value(other, *x) != mine",
        "self.value(other, *x) == mine",
    ),
    mutant(
        "family: one neighbor is enough",
        "point",
        "others.clone().all(|other| self.value(other, *x) != mine)",
        "others.clone().count() == 0 || others.clone().any(|other| self.value(other, *x) != mine)",
    )
    .by("Linial, more storms"),
    mutant(
        "family: any point",
        "point",
        "others.clone().all(|other| self.value(other, *x) != mine)",
        "true",
    ),
    mutant(
        "family: the last point",
        "point",
        "(0..self.q).find(free)",
        "(0..self.q).rev().find(free)",
    )
    .survives(APART),
    mutant(
        "family: the value alone",
        "point",
        "u64::from(x) * u64::from(self.q) + u64::from(self.value(c, x))",
        "u64::from(self.value(c, x))",
    ),
    mutant(
        "family: the place alone",
        "point",
        "u64::from(x) * u64::from(self.q) + u64::from(self.value(c, x))",
        "u64::from(x)",
    ),
    mutant("family: q is too small for all neighbors", "prime", "d.saturating_mul(degree)", "d")
        .survives(APART),
    mutant("family: q is too small for all colors", "prime", "colors >= k", "colors >= k / 2")
        .survives(APART),
    mutant("family: q need not be prime", "prime", "is_prime(q)", "q > 1").survives(APART),
];
