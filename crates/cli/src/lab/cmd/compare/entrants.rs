//! Who takes part: [`Named`].

use anyhow::{Result, bail};
use driftlock_sim::Scenario;
use driftlock_spec::exclusion::Exclusion;

use crate::lab::registry::{self, Choice, Entry, check_variant, protocols};

/// A protocol in one of its variants.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) entry: &'static Entry,
    /// The variant, if it is not the default one.
    pub(super) variant: Option<String>,
}

impl Named {
    /// A protocol as it is typed.
    fn parse(text: &str) -> Result<Self> {
        let (name, variant) = match text.split_once(':') {
            Some((name, variant)) => (name, Some(variant)),
            None => (text, None),
        };
        let entry = registry::find(name)?;
        check_variant(entry, variant)?;
        let unusual = variant.filter(|variant| *variant != entry.variants[0]);
        Ok(Named { entry, variant: unusual.map(Into::into) })
    }

    /// As it is typed.
    pub(super) fn name(&self) -> String {
        let colon = self.variant.as_ref().map_or(String::new(), |variant| format!(":{variant}"));
        format!("{}{colon}", self.entry.name)
    }

    /// Who may be inside together, in a scenario.
    pub(super) fn exclusion(&self, scenario: &Scenario) -> Exclusion {
        let choice = Choice { variant: self.variant.as_deref(), ..Choice::of(scenario) };
        self.entry.rules(&choice).exclusion
    }
}

/// The same in words.
pub(super) fn in_words(exclusion: Exclusion) -> String {
    match exclusion {
        Exclusion::AtMost(1) => "one at a time".into(),
        Exclusion::AtMost(k) => format!("{k} at a time"),
        Exclusion::SameGroup => "one resource at a time".into(),
        Exclusion::NoTwoNeighbors => "no two neighbors at once".into(),
    }
}

/// Those that are named. With one of them go all others that promise the same, and without any all
/// that promise what the scenario is about.
pub(super) fn entrants(names: &[String], local: bool, scenario: &Scenario) -> Result<Vec<Named>> {
    let mut all: Vec<Named> = Vec::new();
    for name in names {
        let named = Named::parse(name)?;
        if all.iter().any(|other| other.name() == named.name()) {
            bail!("{} is named twice", named.name());
        }
        all.push(named);
    }
    let promise = match all.as_slice() {
        [] if local => Exclusion::NoTwoNeighbors,
        [] if scenario.resources() > 1 => Exclusion::SameGroup,
        [] => Exclusion::AtMost(scenario.tokens()),
        [one] => one.exclusion(scenario),
        _ => return Ok(all),
    };
    let first = all.first().map(|named| named.entry.name);
    let others = protocols().iter().filter(|entry| Some(entry.name) != first);
    let others = others.map(|entry| Named { entry, variant: None });
    all.extend(others.filter(|named| named.exclusion(scenario) == promise));
    Ok(all)
}
