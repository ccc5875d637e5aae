//! The mutants of the doorways of LME-1.

use super::{DOORWAY, MORE_MESSAGES};
use crate::table::{Mutant, mutant};

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "opens: for those inside",
        "opens<'p>",
        "!passage.behind.contains(self)",
        "passage.behind.contains(self)",
    ),
    mutant("opens: everyone is outside", "opens<'p>", "!passage.behind.contains(self)", "true"),
    mutant("opens: who was outside is not seen", "opens<'p>", "passage.seen |= outside;", ""),
    mutant(
        "opens: who was outside is forgotten",
        "opens<'p>",
        "passage.seen |= outside;",
        "passage.seen = outside;",
    ),
    mutant(
        "opens: the last neighbor decides",
        "opens<'p>",
        "opens &= if self.is_synchronous() { outside } else { passage.seen };",
        "opens = if self.is_synchronous() { outside } else { passage.seen };",
    ),
    mutant("all doorways are synchronous", "opens<'p>", "self.is_synchronous()", "true"),
    mutant(
        "all doorways are \
        asynchronous",
        "opens<'p>",
        "self.is_synchronous()",
        "false",
    )
    .open(DOORWAY),
    mutant(
        "synchronous for asynchronous",
        "opens<'p>",
        "self.is_synchronous()",
        "!self.is_synchronous()",
    ),
    mutant(
        "AD^r is synchronous",
        "opens<'p>",
        "self.is_synchronous()",
        "self != \
        Doorway::AdF",
    )
    .open(DOORWAY),
    mutant("AD^f is synchronous", "opens<'p>", "self.is_synchronous()", "self != Doorway::AdR"),
    mutant(
        "SD^r is asynchronous",
        "opens<'p>",
        "self.is_synchronous()",
        "self == \
        Doorway::SdF",
    )
    .open(DOORWAY),
    mutant(
        "SD^f is asynchronous",
        "opens<'p>",
        "self.is_synchronous()",
        "self == \
        Doorway::SdR",
    )
    .open(DOORWAY),
    mutant("Cross is not heard", "hear", "self.behind.0 |= Doors::from(doorway).0", "()"),
    mutant(
        "Cross: exits all others",
        "hear",
        "self.behind.0 |= Doors::from(doorway).0",
        "self.behind = Doors::from(doorway)",
    )
    .by("Linial, more storms"),
    mutant("Exit is not heard", "hear", "self.behind = self.behind.without(doors)", "()"),
    mutant(
        "Exit: exits all",
        "hear",
        "self.behind = self.behind.without(doors)",
        "self.behind = Doors::NONE",
    ),
    mutant("crossing: stays outside", "cross<M", "self.0.0 |= Doors::from(doorway).0;", ""),
    mutant(
        "crossing: exits all others",
        "cross<M",
        "self.0.0 |= Doors::from(doorway).0;",
        "self.0 = Doors::from(doorway);",
    ),
    mutant(
        "crossing: nobody is told",
        "cross<M",
        "neighbors.for_each(|j| out.send(j, Notice::Cross(doorway)));",
        "",
    ),
    mutant(
        "AD^r is crossed in silence",
        "cross<M",
        "neighbors.for_each(|j| out.send(j, Notice::Cross(doorway)));",
        "if doorway != Doorway::AdR { neighbors.for_each(|j| out.send(j, \
            Notice::Cross(doorway))); }",
    )
    .open(DOORWAY),
    mutant(
        "SD^r is crossed in silence",
        "cross<M",
        "neighbors.for_each(|j| out.send(j, Notice::Cross(doorway)));",
        "if doorway != Doorway::SdR { neighbors.for_each(|j| out.send(j, \
            Notice::Cross(doorway))); }",
    ),
    mutant(
        "AD^f is crossed in silence",
        "cross<M",
        "neighbors.for_each(|j| out.send(j, Notice::Cross(doorway)));",
        "if doorway != Doorway::AdF { neighbors.for_each(|j| out.send(j, \
            Notice::Cross(doorway))); }",
    ),
    mutant(
        "SD^f is crossed in silence",
        "cross<M",
        "neighbors.for_each(|j| out.send(j, Notice::Cross(doorway)));",
        "if doorway != Doorway::SdF { neighbors.for_each(|j| out.send(j, \
            Notice::Cross(doorway))); }",
    )
    .open(DOORWAY),
    mutant(
        "exit: those it was not behind \
        too",
        "exit<M",
        "self.0.and(doors)",
        "doors",
    )
    .survives(MORE_MESSAGES),
    mutant("exit: stays behind", "exit<M", "self.0 = self.0.without(left);", ""),
    mutant(
        "exit: all of them",
        "exit<M",
        "self.0 = self.0.without(left);",
        "self.0 = Doors::NONE;",
    ),
    mutant(
        "exit: nobody is told",
        "exit<M",
        "neighbors.for_each(|j| out.send(j, Notice::Exit(left)));",
        "",
    ),
    mutant(
        "exit: all are told of all",
        "exit<M",
        "neighbors.for_each(|j| out.send(j, Notice::Exit(left)));",
        "neighbors.for_each(|j| out.send(j, Notice::Exit(Doors::ALL)));",
    ),
    mutant(
        "exit: told though there was none",
        "exit<M",
        "left != \
        Doors::NONE",
        "true",
    )
    .survives(MORE_MESSAGES),
];
