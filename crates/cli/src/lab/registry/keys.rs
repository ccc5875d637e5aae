//! What a protocol takes of a scenario or a check. What is refused is told with its key in the
//! scenario first.

use anyhow::{Context, Result, bail};
use driftlock_sim::{ChangeModel, ConnectedBy, Medium, Scenario};

use super::{Choice, Entry, find, protocols};
use crate::names::unknown;

/// Refuse a variant that the protocol does not have.
pub(crate) fn check_variant(entry: &Entry, variant: Option<&str>) -> Result<()> {
    match variant.filter(|variant| !entry.variants.contains(variant)) {
        None => Ok(()),
        Some(variant) => {
            let kind = format!("variant of {}", entry.name);
            bail!("variant: {}", unknown(&kind, variant, entry.variants.iter().copied()));
        }
    }
}

/// What carries the messages of the protocol, if it can.
pub(crate) fn medium(entry: &Entry, wanted: Option<Medium>) -> Result<Medium> {
    let Entry { name, media, .. } = entry;
    let wanted = wanted.or_else(|| entry.carriers().next()).unwrap_or_default();
    if media.contains(&wanted.name()) {
        return Ok(wanted);
    }
    let first = media[0];
    match wanted {
        Medium::Routed if entry.sees_links && first == "links" => bail!(
            "medium: {name} talks to neighbors and has to see its links: it cannot run routed"
        ),
        Medium::Routed => bail!("medium: {name} has to see its links: only `{first}` shows them"),
        Medium::Links => bail!("medium: {name} talks to any node: only `{first}` can carry it"),
        Medium::Mesh => bail!("medium: {name} is not made for a mesh: `{first}` carries it"),
    }
}

/// Refuse tokens, sessions and resources where the protocol has none to choose.
pub(crate) fn check_sharing(entry: &Entry, choice: &Choice<'_>, resources: u32) -> Result<()> {
    let Entry { name, tokens, groups, .. } = *entry;
    if choice.tokens > 1 && !tokens {
        bail!("tokens: {name} has one token");
    }
    if choice.session.is_some() && !groups {
        bail!("session: {name} has no sessions");
    }
    if resources > 1 && !groups {
        bail!("resources: {name} has one resource");
    }
    Ok(())
}

/// Fill in what the protocol decides, and refuse what it cannot do.
pub(crate) fn complete(scenario: &mut Scenario) -> Result<()> {
    let entry = find(&scenario.protocol).context("protocol")?;
    scenario.protocol = entry.name.into();
    check_variant(entry, scenario.variant.as_deref())?;
    let (name, medium) = (entry.name, medium(entry, scenario.medium)?);
    check_changes(entry, medium, scenario)?;
    if medium != Medium::default() {
        scenario.medium = Some(medium);
    }
    check_sharing(entry, &Choice::of(scenario), scenario.resources())?;
    if scenario.requests.popular.is_some() && !entry.groups {
        bail!("requests.popular: {name} has one resource");
    }
    check_together(entry, scenario)?;
    settle_trace(entry, scenario);
    let moves_apart = scenario.motion.is_some() && !scenario.stays_together();
    if moves_apart {
        let variant = scenario.variant.as_deref();
        check_partitions(entry, variant).context(APART).context("motion.model")?;
    }
    // A local protocol needs no network in one piece, and no motion leaves it in one.
    if entry.local.is_some() || moves_apart {
        scenario.link_changes.connected_by = ConnectedBy::Partitions;
    }
    if scenario.may_fall_apart() {
        let variant = scenario.variant.as_deref();
        check_partitions(entry, variant).context("link-changes.connected-by")?;
    }
    check_faults(entry, scenario)?;
    scenario.check()?;
    Ok(())
}

/// Leave out a variant that is the usual one: what is the same has one name.
pub(crate) fn name_plainly(scenario: &mut Scenario) {
    let usual = find(&scenario.protocol).map(|entry| entry.variants[0]).ok();
    if scenario.variant.as_deref() == usual {
        scenario.variant = None;
    }
}

/// Refuse to keep a network in one piece where the protocol takes it as it is.
fn check_together(entry: &Entry, scenario: &Scenario) -> Result<()> {
    let moves = scenario.motion.as_ref().is_some_and(|motion| motion.together);
    let traced = scenario.trace.as_ref().is_some_and(|trace| trace.together);
    if (moves || traced) && entry.local.is_some() {
        let key = if moves { "motion" } else { "trace" };
        bail!("{key}.together: {} takes a network as it is, in one piece or not", entry.name);
    }
    Ok(())
}

/// Take a trace as it is where the protocol can, and hold it together where it cannot.
fn settle_trace(entry: &Entry, scenario: &mut Scenario) {
    let is_settled = scenario.stays_together() || scenario.may_fall_apart();
    let Some(trace) = scenario.trace.as_mut().filter(|_| !is_settled) else { return };
    match entry.may_fall_apart(scenario.variant.as_deref()) {
        true => scenario.link_changes.connected_by = ConnectedBy::Partitions,
        false => trace.together = true,
    }
}

/// Refuse messages that get lost and nodes that crash where the protocol does not live with them.
fn check_faults(entry: &Entry, scenario: &Scenario) -> Result<()> {
    if !entry.faults && scenario.timeout.is_some() {
        bail!("timeout: {} has no time-outs", entry.name);
    }
    let variant = scenario.variant.as_deref();
    if entry.faults && scenario.script.iter().any(|scripted| scripted.crash.is_some()) {
        check_stops(entry, variant).context("script")?;
    }
    if entry.faults {
        return Ok(());
    }
    let stops = scenario.script.iter().any(|scripted| scripted.crash.is_some());
    if stops && !scenario.may_fall_apart() {
        return refuse_stops(entry, variant);
    }
    let lost = scenario.script.iter().any(|scripted| scripted.lose.is_some());
    let key = match (scenario.loss > 0.0, lost) {
        (true, _) => "loss",
        (false, true) => "script",
        (false, false) => return Ok(()),
    };
    let (name, able) = (entry.name, names_of(|entry| entry.faults));
    bail!("{key}: {name} does not live with messages that get lost; {able} does");
}

/// Refuse nodes that stop where the network is to stay in one piece.
fn refuse_stops(entry: &Entry, variant: Option<&str>) -> Result<()> {
    let (name, parts) = (entry.name, "link-changes.connected-by is `partitions`");
    if entry.may_fall_apart(variant) {
        bail!("script: {name} lives with nodes that stop only where {parts}");
    }
    let (meshed, others) =
        (names_of(|entry| entry.faults), names_of(|entry| !entry.apart.is_empty()));
    bail!(
        "script: {name} does not live with nodes that stop; {meshed} does, and so do {others} \
         where {parts}"
    )
}

/// The names of some protocols.
fn names_of(wanted: impl Fn(&Entry) -> bool) -> String {
    let all = protocols().iter().filter(|entry| wanted(entry)).map(|entry| entry.name);
    all.collect::<Vec<&str>>().join(", ")
}

/// Refuse nodes that stop where the others would wait for them for ever.
pub(crate) fn check_stops(entry: &Entry, variant: Option<&str>) -> Result<()> {
    let Entry { name, variants, .. } = entry;
    if !entry.faults || entry.may_stop_on_mesh(variant) {
        return Ok(());
    }
    let [own, other] = [variant.unwrap_or(variants[0]), variants[0]];
    bail!("{name} {own} waits for every node, so none may stop; its variant `{other}` does not")
}

/// Refuse links that change where the protocol does not see them.
fn check_changes(entry: &Entry, medium: Medium, scenario: &Scenario) -> Result<()> {
    let Entry { name, media, .. } = entry;
    let key = match (scenario.link_changes.model, &scenario.motion) {
        _ if entry.may_change_links(medium) => return Ok(()),
        _ if scenario.trace.is_some() => "trace",
        (ChangeModel::None, None) => return Ok(()),
        (ChangeModel::None, Some(_)) => "motion.model",
        _ => "link-changes.model",
    };
    if media.contains(&"routed") {
        bail!("medium: {name} does not see links change: only `routed` can carry it then");
    }
    bail!("{key}: {name} does not see links change, so none may");
}

/// Refuse a network that may fall apart where the protocol needs it in one piece.
pub(crate) fn check_partitions(entry: &Entry, variant: Option<&str>) -> Result<()> {
    if entry.may_fall_apart(variant) {
        return Ok(());
    }
    let Entry { name, apart, variants, .. } = entry;
    let able = protocols().iter().filter(|entry| entry.sees_links && entry.may_fall_apart(None));
    let able: Vec<&str> = able.map(|entry| entry.name).collect();
    let able = able.join(", ");
    match apart {
        [] => bail!(
            "{name} needs a network that does not fall apart; those that live with it are {able}"
        ),
        [other, ..] => bail!(
            "{name} {} needs a network that does not fall apart; its variant `{other}` does not, \
             and those that live with it are {able}",
            variant.unwrap_or(variants[0])
        ),
    }
}

/// Refuse restarts of nodes whose process is never written down.
pub(crate) fn check_restarts(entry: &Entry, variant: Option<&str>) -> Result<()> {
    if entry.may_wake_up(variant) {
        return Ok(());
    }
    let Entry { name, wakes, variants, .. } = entry;
    let able = protocols().iter().filter(|entry| entry.may_wake_up(None));
    let able: Vec<&str> = able.map(|entry| entry.name).collect();
    let able = able.join(", ");
    match wakes {
        [] => bail!("no node writes {name} down; those that can be killed and wake up run {able}"),
        [other, ..] => bail!(
            "no node writes {name} {} down, but its variant `{other}`; those that can be killed \
             and wake up run {able}",
            variant.unwrap_or(variants[0])
        ),
    }
}

/// What comes of motion.
const APART: &str = "without motion.together (--together) nodes may leave the network in parts";

#[cfg(test)]
mod tests {
    use driftlock_sim::{Scripted, Session};
    use driftlock_spec::Rules;
    use driftlock_spec::exclusion::Exclusion;

    use super::*;

    /// RL, if it were another that shares nothing.
    fn other() -> Entry {
        let rl = *find("rl").unwrap();
        Entry { name: "other", tokens: false, groups: false, silent: |_| true, ..rl }
    }

    fn chosen(tokens: u32, session: Option<u32>) -> Choice<'static> {
        let session = session.map(Session::AtMost);
        Choice { variant: None, tokens, session, pace: None }
    }

    #[test]
    fn who_shares_takes_what_there_is_to_share() {
        let tokens = Entry { tokens: true, ..other() };
        let groups = Entry { groups: true, ..other() };
        let nothing = other();
        for (entry, choice, resources, refused) in [
            (&tokens, chosen(3, None), 1, ""),
            (&tokens, chosen(1, Some(2)), 1, "session: other has no sessions"),
            (&tokens, chosen(1, None), 2, "resources: other has one resource"),
            (&groups, chosen(1, Some(2)), 4, ""),
            (&groups, chosen(2, None), 4, "tokens: other has one token"),
            (&nothing, chosen(1, None), 1, ""),
            (&nothing, chosen(2, None), 1, "tokens: other has one token"),
        ] {
            let told = check_sharing(entry, &choice, resources).map_err(|error| error.to_string());
            assert_eq!(told.err().unwrap_or_default(), refused, "{choice:?}");
        }
    }

    #[test]
    fn rules_are_those_of_the_protocol_and_of_what_was_chosen() {
        let rules = |entry: Entry| entry.rules(&chosen(3, None));
        let at_most = |k| Rules { exclusion: Exclusion::AtMost(k), ..Rules::default() };
        let tokens = Entry { tokens: true, ..other() };
        assert_eq!(rules(other()), at_most(1));
        assert_eq!(rules(tokens), at_most(3));
        let restless = Entry { silent: |_| false, ..tokens };
        assert_eq!(rules(restless), Rules { silent: false, ..at_most(3) });
        let groups = Entry { groups: true, ..other() };
        assert_eq!(rules(groups).exclusion, Exclusion::SameGroup);
        let faults = Entry { faults: true, ..other() };
        assert_eq!(rules(faults), Rules { fenced: true, quorum: true, ..at_most(1) });
    }

    /// Who is never written off is not deposed, and must not stop.
    #[test]
    fn the_patient_promise_more_and_take_less() {
        let cluster = find("cluster").unwrap();
        let rules = |variant| cluster.rules(&Choice { variant, ..chosen(1, None) });
        let usual = Rules { fenced: true, quorum: true, ..Rules::default() };
        assert_eq!(rules(None), usual);
        assert_eq!(rules(Some("patient")), Rules { fenced: false, ..usual });
        // Published, the token circulates for ever, and has no epochs.
        let published = Rules { fenced: false, silent: false, ..usual };
        assert_eq!(rules(Some("published")), published);
        assert!(check_stops(cluster, Some("repaired")).is_ok());
        let told = check_stops(cluster, Some("patient")).unwrap_err().to_string();
        assert!(told.starts_with("cluster patient waits for every node"), "{told}");
        assert!(told.ends_with("its variant `repaired` does not"), "{told}");
    }

    #[test]
    fn only_what_is_written_down_wakes_up() {
        let told = |wakes, variant| {
            let checked = check_restarts(&Entry { wakes, ..other() }, variant);
            checked.map_err(|error| error.to_string()).err().unwrap_or_default()
        };
        assert!(told(&[], None).starts_with("no node writes other down; those that can be"));
        assert!(told(&[], None).ends_with("run rlp, krl, krlf, krla, gme, lme2"));
        let variant = told(&["repaired"], Some("published"));
        assert!(variant.contains("other published down, but its variant `repaired`"), "{variant}");
        assert_eq!(told(&["repaired"], None), "");
    }

    /// The reason is that of the protocol, and not that of the network.
    #[test]
    fn who_does_not_live_with_nodes_that_stop_is_told_so() {
        let told = |name: &str| {
            let script = vec![Scripted { crash: Some(3), ..Scripted::default() }];
            let mut scenario = Scenario { protocol: name.into(), script, ..Scenario::default() };
            complete(&mut scenario).map_err(|error| format!("{error:#}")).err().unwrap_or_default()
        };
        for name in ["rl", "raymond", "ring"] {
            let start =
                format!("script: {name} does not live with nodes that stop; cluster does, ");
            assert!(told(name).starts_with(&start), "{}", told(name));
        }
        let parts = "where link-changes.connected-by is `partitions`";
        assert!(told("rl").ends_with(&format!("and so do rlp, krl, krlf, krla {parts}")));
        let krl = format!("script: krl lives with nodes that stop only {parts}");
        assert_eq!((told("krl"), told("cluster"), told("lme2")), (krl, "".into(), "".into()));
    }

    #[test]
    fn only_variants_that_can_live_with_it_are_taken_apart() {
        let told = |apart, variant| {
            let checked = check_partitions(&Entry { apart, ..other() }, variant);
            checked.map_err(|error| error.to_string()).err().unwrap_or_default()
        };
        let alone = told(&[], None);
        assert!(alone.starts_with("other needs a network that does not fall apart; those that "));
        assert!(alone.contains("are rlp, krl, krlf, krla, lme"), "{alone}");
        assert!(told(&["published"], None).contains("its variant `published` does not, and"));
        assert_eq!(told(&["repaired"], None), "");
        assert_eq!(told(&["published"], Some("published")), "");
        assert!(told(&["repaired"], Some("published")).contains("other published needs"));
    }

    #[test]
    fn media_are_those_of_the_entry() {
        let routed = Entry { media: &["routed"], ..*find("raymond").unwrap() };
        assert_eq!(medium(&routed, None).unwrap(), Medium::Routed);
        let told = medium(&routed, Some(Medium::Links)).unwrap_err().to_string();
        assert_eq!(told, "medium: raymond talks to any node: only `routed` can carry it");
        let rl = find("rl").unwrap();
        assert_eq!(medium(rl, None).unwrap(), Medium::Links);
        assert!(medium(rl, Some(Medium::Routed)).unwrap_err().to_string().contains("neighbors"));
        let told = medium(rl, Some(Medium::Mesh)).unwrap_err().to_string();
        assert_eq!(told, "medium: rl is not made for a mesh: `links` carries it");
        let mesh = Entry { media: &["mesh"], ..*rl };
        assert_eq!(medium(&mesh, None).unwrap(), Medium::Mesh);
        let told = [Medium::Links, Medium::Routed]
            .map(|wanted| medium(&mesh, Some(wanted)).unwrap_err().to_string());
        assert_eq!(told[0], "medium: rl talks to any node: only `mesh` can carry it");
        assert_eq!(told[1], "medium: rl has to see its links: only `mesh` shows them");
    }
}
