//! Whether a scenario makes sense.

use std::collections::BTreeSet;

use super::{
    ChangeModel, LinkChanges, Measure, Medium, Scenario, ScenarioError, Scripted, Session,
};
use crate::changes::rate_of_all;
use crate::network::Shape;
use crate::span::UNITS_MAX;

impl Scenario {
    /// Say what is wrong with a value or with how values go together.
    pub fn check(&self) -> Result<(), ScenarioError> {
        self.trace.iter().try_for_each(|trace| trace.check(self))?;
        self.network.check()?;
        check_rate("requests.rate", self.requests.rate)?;
        check_rate("link-changes.rate", self.link_changes.rate)?;
        self.check_link_changes()?;
        self.motion.iter().try_for_each(|motion| motion.check(self))?;
        self.check_measure()?;
        self.check_loss()?;
        self.check_sharing()?;
        if let Some(limit) = self.calm_limit {
            check_time("calm-limit", limit)?;
        }
        let mut seen = BTreeSet::new();
        if let Some(twice) = self.requests.nodes.iter().flatten().find(|&node| !seen.insert(node)) {
            let what = format!("node {twice} is named twice");
            return Err(ScenarioError::value("requests.nodes", &what));
        }
        let mut crashed = BTreeSet::new();
        for (k, scripted) in self.script.iter().enumerate() {
            if scripted.crash.is_some_and(|node| !crashed.insert(node)) {
                let what = format!("entry {}: the node has crashed before", k + 1);
                return Err(ScenarioError::value("script", &what));
            }
            self.check_scripted(scripted).map_err(|what| {
                ScenarioError::value("script", &format!("entry {}: {what}", k + 1))
            })?;
        }
        // How many nodes a file has is known only once it is read.
        if self.network.shape == Shape::File || self.trace.is_some() {
            Ok(())
        } else {
            self.check_nodes(self.network.nodes)
        }
    }

    /// Say which node is named that is none of `n`.
    pub(crate) fn check_nodes(&self, n: usize) -> Result<(), ScenarioError> {
        if self.tokens() as usize > n {
            let what =
                format!("{} tokens are more than there are nodes, which are {n}", self.tokens());
            return Err(ScenarioError::value("tokens", &what));
        }
        let ends = |scripted: &Scripted| {
            scripted
                .request
                .into_iter()
                .chain(scripted.crash)
                .chain(scripted.up.into_iter().flatten())
                .chain(scripted.down.into_iter().flatten())
                .collect::<Vec<u32>>()
        };
        let asking = self.requests.nodes.iter().flatten().map(|&node| ("requests.nodes", node));
        let scripted = self.script.iter().flat_map(ends).map(|node| ("script", node));
        match asking.chain(scripted).find(|&(_, node)| node as usize >= n) {
            None => Ok(()),
            Some((key, node)) => {
                let what = format!("there is no node {node}, the last of {n} is {}", n - 1);
                Err(ScenarioError::value(key, &what))
            }
        }
    }

    fn check_link_changes(&self) -> Result<(), ScenarioError> {
        let LinkChanges { model, rate, .. } = self.link_changes;
        let drawn = matches!(model, ChangeModel::Literal | ChangeModel::Toggle);
        if rate > 0.0 && !drawn {
            let what = "a rate of link changes needs the model `literal` or `toggle`";
            return Err(ScenarioError::value("link-changes.rate", what));
        }
        // How many nodes a file has is known only once it is read.
        if self.network.shape == Shape::File {
            return Ok(());
        }
        if drawn && self.network.nodes < 2 {
            let what = "a network of one node has no links to change";
            return Err(ScenarioError::value("link-changes.model", what));
        }
        rate_of_all(model, rate, self.network.nodes).map(drop)
    }

    fn check_measure(&self) -> Result<(), ScenarioError> {
        let Measure { warmup, entries, until } = self.measure();
        for (key, count) in [("measure.warmup", Some(warmup)), ("measure.entries", entries)] {
            if count.is_some_and(|count| count > ENTRIES_MAX) {
                let what = format!("more than {ENTRIES_MAX} entries would never end");
                return Err(ScenarioError::value(key, &what));
            }
        }
        if entries == Some(0) {
            return Err(ScenarioError::value("measure.entries", "measure at least 1 entry"));
        }
        if let Some(until) = until {
            check_time("measure.until", until)?;
            if entries.is_some() {
                let what = "give either a number of entries or a time, not both";
                return Err(ScenarioError::value("measure.until", what));
            }
        }
        let endless = entries.is_none() && until.is_none();
        // A trace has an end.
        let endless = endless && self.trace.is_none();
        if endless && self.requests.rate > 0.0 {
            let what = "requests never end, so the measuring needs `entries` or `until`";
            return Err(ScenarioError::value("measure", what));
        }
        let drawn = matches!(self.link_changes.model, ChangeModel::Literal | ChangeModel::Toggle);
        let drawn = drawn || self.motion.is_some();
        if self.requests.rate == 0.0 && drawn && until.is_none() {
            let what = "links never cease to change and only a script asks: give a time to end at";
            return Err(ScenarioError::value("measure.until", what));
        }
        let no_requests = self.requests.rate == 0.0 || self.requests.nodes == Some(Vec::new());
        let traced = self.trace.is_some();
        if no_requests && until.is_none() && self.script.is_empty() && !traced {
            let what = "nobody ever asks: give a rate, a script, or a time to measure until";
            return Err(ScenarioError::value("requests.rate", what));
        }
        Ok(())
    }

    fn check_loss(&self) -> Result<(), ScenarioError> {
        if !(0.0..1.0).contains(&self.loss) {
            let what =
                format!("a probability is a number from 0 to less than 1, not {}", self.loss);
            return Err(ScenarioError::value("loss", &what));
        }
        if self.loss > 0.0 && self.medium() != Medium::Mesh {
            return Err(ScenarioError::value("loss", LOST));
        }
        if let Some(timeout) = self.timeout.filter(|time| !(*time > 0.0 && *time <= UNITS_MAX)) {
            let what = format!("a time-out is a positive number of units, not {timeout}");
            return Err(ScenarioError::value("timeout", &what));
        }
        Ok(())
    }

    /// What there is to share, and among whom.
    fn check_sharing(&self) -> Result<(), ScenarioError> {
        let session = self.session.and_then(Session::bound);
        let all = [("tokens", self.tokens), ("resources", self.resources), ("session", session)];
        for (key, number) in all {
            if number == Some(0) {
                return Err(ScenarioError::value(key, "it takes at least 1"));
            }
        }
        if self.resources() > RESOURCES_MAX {
            let what = format!("there are at most {RESOURCES_MAX} resources");
            return Err(ScenarioError::value("resources", &what));
        }
        match self.requests.popular {
            Some(share) if !(0.0..=1.0).contains(&share) => {
                let what = format!("a share is a number from 0 to 1, not {share}");
                Err(ScenarioError::value("requests.popular", &what))
            }
            Some(_) if self.resources() < 2 => {
                let what = "of one resource all requests are: give the number of resources too";
                Err(ScenarioError::value("requests.popular", what))
            }
            _ if self.may_fall_apart() && self.medium().routes() => {
                let what = "messages are not routed between parts of a network";
                Err(ScenarioError::value("link-changes.connected-by", what))
            }
            _ => Ok(()),
        }
    }

    fn check_scripted(&self, scripted: &Scripted) -> Result<(), String> {
        let Scripted { at, request, resource, ref lose, crash, once, up, moving, down } = *scripted;
        if !(at.is_finite() && (0.0..=UNITS_MAX).contains(&at)) {
            return Err(format!("a time is a number of units from 0 on, not {at}"));
        }
        if moving.is_some() && up.is_none() {
            return Err("`moving` is an end of a link that comes `up`".into());
        }
        if once.is_some() && crash.is_none() {
            return Err("`once` says when a node is to `crash`".into());
        }
        let several = "it has to have exactly one of `request`, `lose`, `crash`, `up` and `down`";
        let ends = match (request, lose, crash, up, down) {
            (Some(_), None, None, None, None) => return self.check_resource(resource),
            (None, Some(_), None, None, None) if resource.is_none() => return self.check_lose(),
            (None, None, Some(_), None, None) if resource.is_none() => return self.check_crash(),
            (None, None, None, Some(ends), None) | (None, None, None, None, Some(ends)) => ends,
            _ => return Err(several.into()),
        };
        if resource.is_some() {
            return Err("only a `request` is for a `resource`".into());
        }
        if let Some(end) = moving.filter(|end| !ends.contains(end)) {
            let [a, b] = ends;
            return Err(format!("node {end} has not moved to make the link between {a} and {b}"));
        }
        if self.link_changes.model != ChangeModel::Scripted {
            return Err("links change by script only if link-changes.model is `scripted`".into());
        }
        if ends[0] == ends[1] {
            return Err("a node has no link to itself".into());
        }
        Ok(())
    }

    fn check_resource(&self, resource: Option<u32>) -> Result<(), String> {
        let resources = self.resources();
        match resource.filter(|&resource| resource >= resources) {
            None => Ok(()),
            Some(resource) => {
                let last = resources.saturating_sub(1);
                Err(format!("there is no resource {resource}, the last of {resources} is {last}"))
            }
        }
    }

    fn check_lose(&self) -> Result<(), String> {
        if self.medium() == Medium::Mesh { Ok(()) } else { Err(LOST.into()) }
    }

    fn check_crash(&self) -> Result<(), String> {
        if self.may_fall_apart() || self.medium() == Medium::Mesh {
            return Ok(());
        }
        Err("nodes crash only on a mesh, or if link-changes.connected-by is `partitions`".into())
    }
}

/// Where messages get lost.
const LOST: &str = "messages get lost only where the medium is `mesh`";

/// More resources than this nobody tells apart.
const RESOURCES_MAX: u32 = 1_000_000;

/// More entries than this take years.
const ENTRIES_MAX: u64 = 1_000_000_000_000;

fn check_rate(key: &str, rate: f64) -> Result<(), ScenarioError> {
    if rate == 0.0 || (rate.is_finite() && (1e-9..=1e9).contains(&rate)) {
        return Ok(());
    }
    let what = format!("a rate is 0 or a number from 1e-9 to 1e9, not {rate}");
    Err(ScenarioError::value(key, &what))
}

fn check_time(key: &str, time: f64) -> Result<(), ScenarioError> {
    if time.is_finite() && time > 0.0 && time <= UNITS_MAX {
        return Ok(());
    }
    let what = format!("a time is a positive number of units up to {UNITS_MAX:e}, not {time}");
    Err(ScenarioError::value(key, &what))
}
