//! Who may be in the critical section together.

use driftlock_core::{NodeId, ResourceId};

use crate::{Broken, Promise, Rules};

/// What a protocol promises about those inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Exclusion {
    /// Never more than so many. Mutual exclusion is `AtMost(1)` (WWV 2001, section 3).
    AtMost(u32),
    /// All of them asked for the same resource.
    SameGroup,
    /// No two of them are linked.
    NoTwoNeighbors,
}

impl Exclusion {
    /// Judge those who are inside, each with the resource it asked for.
    ///
    /// ```
    /// use driftlock_core::{NodeId, ResourceId};
    /// use driftlock_spec::exclusion::Exclusion;
    /// let inside = [(NodeId(1), ResourceId(0)), (NodeId(4), ResourceId(0))];
    /// assert!(Exclusion::AtMost(1).judge(&inside, |_, _| true).is_err());
    /// assert!(Exclusion::SameGroup.judge(&inside, |_, _| true).is_ok());
    /// assert!(Exclusion::NoTwoNeighbors.judge(&inside, |_, _| false).is_ok());
    /// ```
    pub fn judge(
        self,
        inside: &[(NodeId, ResourceId)],
        linked: impl Fn(NodeId, NodeId) -> bool,
    ) -> Result<(), Broken> {
        match self {
            Exclusion::AtMost(k) if inside.len() <= k as usize => Ok(()),
            Exclusion::AtMost(k) => {
                together(inside.iter().map(|(node, _)| *node), &format!("at most {k} may be"))
            }
            Exclusion::SameGroup => {
                let other = inside.iter().find(|(_, resource)| *resource != inside[0].1);
                other.map_or(Ok(()), |&(node, resource)| {
                    let (first, its) = inside[0];
                    together([first, node], &format!("for {its} and for {resource}"))
                })
            }
            Exclusion::NoTwoNeighbors => {
                let pairs = inside
                    .iter()
                    .enumerate()
                    .flat_map(|(k, &(a, _))| inside[k + 1..].iter().map(move |&(b, _)| (a, b)));
                let close = pairs.filter(|&(a, b)| linked(a, b)).map(|(a, b)| [a, b]).next();
                close.map_or(Ok(()), |pair| together(pair, "and are neighbors"))
            }
        }
    }
}

/// Someone in the critical section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Insider {
    /// Who.
    pub node: NodeId,
    /// What it asked for.
    pub resource: ResourceId,
    /// Under which generation of the token it is inside.
    pub epoch: u64,
}

impl Rules {
    /// Judge those who are inside. With a fence those of each epoch are judged by themselves.
    ///
    /// ```
    /// use driftlock_core::{NodeId, ResourceId};
    /// use driftlock_spec::{Rules, exclusion::Insider};
    /// let fenced = Rules { fenced: true, ..Rules::default() };
    /// let insider = |node, epoch| Insider { node: NodeId(node), resource: ResourceId(0), epoch };
    /// let (old, new) = (insider(1, 6), insider(4, 7));
    /// assert!(Rules::default().judge_inside(&[old, new], |_, _| true).is_err());
    /// assert!(fenced.judge_inside(&[old, new], |_, _| true).is_ok());
    /// assert!(fenced.judge_inside(&[old, new, insider(2, 6)], |_, _| true).is_err());
    /// ```
    pub fn judge_inside(
        self,
        inside: &[Insider],
        linked: impl Fn(NodeId, NodeId) -> bool,
    ) -> Result<(), Broken> {
        let of = |epoch: Option<u64>| {
            let all = inside.iter().filter(|insider| epoch.is_none_or(|it| it == insider.epoch));
            all.map(|insider| (insider.node, insider.resource)).collect::<Vec<_>>()
        };
        if !self.fenced {
            return self.exclusion.judge(&of(None), linked);
        }
        inside.iter().try_for_each(|&Insider { epoch, .. }| {
            self.exclusion.judge(&of(Some(epoch)), &linked).map_err(|broken| {
                let what = format!("{} (all under epoch {epoch})", broken.what);
                Broken { what, ..broken }
            })
        })
    }
}

fn together(nodes: impl IntoIterator<Item = NodeId>, why: &str) -> Result<(), Broken> {
    let nodes: Vec<NodeId> = nodes.into_iter().collect();
    let names: Vec<String> = nodes.iter().map(NodeId::to_string).collect();
    let what = format!("{} are in the critical section together, {why}", names.join(" and "));
    Err(Broken { promise: Promise::Exclusion, nodes, what })
}
