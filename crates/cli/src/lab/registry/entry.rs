//! What is known of a protocol: [`Entry`].

use driftlock_check::Checked;
use driftlock_core::Initial;
use driftlock_sim::{Medium, Simulated};
use driftlock_spec::Rules;
use driftlock_spec::exclusion::Exclusion;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Choice, Machine, Of};

/// A protocol: what people are told of it, and what the machinery has to know.
///
/// [`Entry::new`] makes one that lets one in at a time over links that stay, in one variant, and
/// falls silent when nobody wants anything. Everything else is said by the other functions, each of
/// which a static can be made with.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Entry {
    /// The name to type.
    pub(crate) name: &'static str,
    /// Other names for it.
    pub(crate) aliases: &'static [&'static str],
    /// What it promises, and under which conditions.
    pub(crate) promise: &'static str,
    /// Where it is from.
    pub(crate) paper: &'static str,
    /// The variants, the default one first.
    pub(crate) variants: &'static [&'static str],
    /// What carries its messages, the default first.
    pub(crate) media: &'static [&'static str],
    /// Whether it sees links change. If not, they may change only where messages are routed.
    #[serde(skip)]
    pub(crate) sees_links: bool,
    /// Whether as many may be inside as there are tokens. Takes `tokens`.
    #[serde(skip)]
    pub(crate) tokens: bool,
    /// Whether all may be inside who want the same resource. Takes `resources`, `session` and
    /// `requests.popular`.
    #[serde(skip)]
    pub(crate) groups: bool,
    /// Whether whoever enters has a token, and these are counted.
    #[serde(skip)]
    pub(crate) counted: bool,
    /// Whether it sends nothing any more once nobody wants anything.
    #[serde(skip)]
    pub(crate) silent: fn(&Choice<'_>) -> bool,
    /// The variants that can live with a network that falls apart.
    #[serde(skip)]
    pub(crate) apart: &'static [&'static str],
    /// The variants that real nodes can run, which write them down and wake up with them.
    #[serde(skip)]
    pub(crate) wakes: &'static [&'static str],
    /// Whether it lives with messages that get lost and nodes that stop on a mesh: whoever is
    /// inside under an older epoch is deposed, and most of all nodes go on.
    #[serde(skip)]
    pub(crate) faults: bool,
    /// The variants of such a protocol that write nobody off: nobody is deposed, and no node may
    /// stop, since all others would wait for it.
    #[serde(skip)]
    pub(crate) patient: &'static [&'static str],
    /// The variants of such a protocol whose tokens have no epochs: nobody is deposed, and two
    /// inside are two too many.
    #[serde(skip)]
    pub(crate) plain: &'static [&'static str],
    /// How far from a node that has stopped others may starve, in links, if only neighbors
    /// exclude each other. Such a protocol lives with links that break with what is on them, if it
    /// sees links at all, with networks that fall apart, and with crashes nobody is told of.
    #[serde(skip)]
    pub(crate) local: Option<fn(&Choice<'_>) -> u32>,
    /// What is done with it.
    #[serde(skip)]
    pub(crate) machine: &'static dyn Machine,
}

/// What a protocol says of itself.
impl Entry {
    /// A protocol with a name to type, what it promises, and how it is made.
    pub const fn new<P>(name: &'static str, promise: &'static str, of: &'static Of<P>) -> Self
    where
        P: Simulated + Checked + Initial<Config: Serialize + DeserializeOwned>,
    {
        Entry::made_by(name, promise, of)
    }

    /// The same, of whatever can do it.
    pub(crate) const fn made_by(
        name: &'static str,
        promise: &'static str,
        machine: &'static dyn Machine,
    ) -> Self {
        Entry {
            name,
            aliases: &[],
            promise,
            paper: "",
            variants: &["published"],
            media: &["links"],
            sees_links: false,
            tokens: false,
            groups: false,
            counted: false,
            silent: |_| true,
            apart: &[],
            wakes: &[],
            faults: false,
            patient: &[],
            plain: &[],
            local: None,
            machine,
        }
    }

    /// Other names for it.
    pub const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Entry { aliases, ..self }
    }

    /// Where it is from.
    pub const fn paper(self, paper: &'static str) -> Self {
        Entry { paper, ..self }
    }

    /// Its variants, the default one first. At least one; [`Choice::variant`] says which is wanted.
    pub const fn variants(self, variants: &'static [&'static str]) -> Self {
        assert!(!variants.is_empty(), "a protocol has a variant");
        Entry { variants, ..self }
    }

    /// What carries its messages, the default first: `links` to neighbors, `routed` to any node
    /// without a word of links, or a `mesh`, which is both.
    pub const fn media(self, media: &'static [&'static str]) -> Self {
        assert!(!media.is_empty(), "something carries the messages of a protocol");
        Entry { media, ..self }
    }

    /// It takes `LinkUp` and `LinkDown` for what they are. Without this, links may change only
    /// where messages are routed.
    pub const fn sees_links(self) -> Self {
        Entry { sees_links: true, ..self }
    }

    /// As many may be inside as there are tokens, of which [`Choice::tokens`] says how many.
    pub const fn several_tokens(self) -> Self {
        Entry { tokens: true, ..self }
    }

    /// All may be inside who want the same resource.
    pub const fn groups(self) -> Self {
        Entry { groups: true, ..self }
    }

    /// Whoever enters has a token (`Tokens`), and these are neither made nor lost.
    pub const fn tokens_are_counted(self) -> Self {
        Entry { counted: true, ..self }
    }

    /// It goes on sending when nobody wants anything.
    pub const fn never_silent(self) -> Self {
        self.silent_if(|_| false)
    }

    /// It sends nothing any more once nobody wants anything, depending on what is chosen.
    pub(crate) const fn silent_if(self, silent: fn(&Choice<'_>) -> bool) -> Self {
        Entry { silent, ..self }
    }

    /// These variants live with a network that falls apart: whoever is with the token is served,
    /// and the others wait.
    pub const fn lives_apart(self, variants: &'static [&'static str]) -> Self {
        Entry { apart: variants, ..self }
    }

    /// Real nodes can run these variants.
    pub(crate) const fn wakes_up(self, variants: &'static [&'static str]) -> Self {
        Entry { wakes: variants, ..self }
    }

    /// It lives with messages that get lost and nodes that stop.
    pub(crate) const fn lives_with_faults(self) -> Self {
        Entry { faults: true, ..self }
    }

    /// These variants of one that lives with faults write nobody off.
    pub(crate) const fn writes_nobody_off(self, variants: &'static [&'static str]) -> Self {
        Entry { patient: variants, ..self }
    }

    /// The tokens of these variants of one that lives with faults have no epochs.
    pub(crate) const fn knows_no_epochs(self, variants: &'static [&'static str]) -> Self {
        Entry { plain: variants, ..self }
    }

    /// Only neighbors exclude each other, and whoever is more than so many links from a node that
    /// has stopped gets in all the same.
    pub const fn local(self, reach: fn(&Choice<'_>) -> u32) -> Self {
        Entry { local: Some(reach), ..self }
    }

    /// The name to type.
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

/// What follows from it.
impl Entry {
    /// What carries its messages, the default first.
    pub(crate) fn carriers(&self) -> impl Iterator<Item = Medium> + use<> {
        self.media.iter().map(|name| medium_of(name))
    }

    /// Whether the protocol can live with links that change on this medium.
    pub(crate) fn may_change_links(&self, medium: Medium) -> bool {
        self.sees_links || !medium.shows_links()
    }

    /// Whether the protocol is told that links change on this medium.
    pub(crate) fn sees_link_changes(&self, medium: Medium) -> bool {
        self.sees_links && medium.shows_links()
    }

    /// Whether this variant can live with a network that falls apart.
    pub(crate) fn may_fall_apart(&self, variant: Option<&str>) -> bool {
        self.local.is_some() || self.apart.contains(&variant.unwrap_or(self.variants[0]))
    }

    /// Whether a node with this variant can be killed and wake up.
    pub(crate) fn may_wake_up(&self, variant: Option<&str>) -> bool {
        self.wakes.contains(&variant.unwrap_or(self.variants[0]))
    }

    /// Whether this variant lives with nodes that stop on a mesh.
    pub(crate) fn may_stop_on_mesh(&self, variant: Option<&str>) -> bool {
        self.faults && !self.is_patient(variant)
    }

    fn is_patient(&self, variant: Option<&str>) -> bool {
        self.patient.contains(&variant.unwrap_or(self.variants[0]))
    }

    /// What the protocol promises. What is up to the world is as usual.
    pub(crate) fn rules(&self, choice: &Choice<'_>) -> Rules {
        if let Some(locality) = self.local {
            return Rules { silent: (self.silent)(choice), ..Rules::local(locality(choice)) };
        }
        let exclusion = match (self.groups, self.tokens) {
            (true, _) => Exclusion::SameGroup,
            (false, true) => Exclusion::AtMost(choice.tokens),
            (false, false) => Exclusion::AtMost(1),
        };
        let plain = self.plain.contains(&choice.variant.unwrap_or(self.variants[0]));
        let (fenced, quorum) = (self.may_stop_on_mesh(choice.variant) && !plain, self.faults);
        Rules { exclusion, silent: (self.silent)(choice), fenced, quorum, ..Rules::default() }
    }
}

/// The medium of that name.
fn medium_of(name: &str) -> Medium {
    let all = [Medium::Links, Medium::Routed, Medium::Mesh];
    all.into_iter().find(|medium| medium.name() == name).unwrap_or_default()
}
