//! Links that are said to come up and go down, one line each: [`UpDown`].

use std::collections::BTreeMap;

use crate::build::Meetings;
use crate::read::Field;
use crate::trace::micros;
use crate::{Format, Options, Trace, TraceError};

/// Which links are up while a file is read that says when each comes up and goes down.
#[derive(Default)]
pub(crate) struct UpDown {
    meetings: Meetings,
    /// Since when, by both ends and the interface.
    up: BTreeMap<(u32, u32, String), i64>,
    last: Option<i64>,
    n_ignored: u64,
}

impl UpDown {
    /// Time goes on.
    pub(crate) fn time(&mut self, field: Field<'_>) -> Result<i64, TraceError> {
        let t = micros(field.time("time")?);
        if self.last.is_some_and(|last| t < last) {
            return Err(field.wrong(format!("the time {} is before that above", field.quoted())));
        }
        self.last = Some(t);
        Ok(t)
    }

    /// A link comes up or goes down.
    pub(crate) fn change(
        &mut self,
        t: i64,
        [a, b]: [Field<'_>; 2],
        how: Field<'_>,
        interface: &str,
    ) -> Result<(), TraceError> {
        let (one, two) = (a.host()?, b.host()?);
        if one == two {
            return Err(b.wrong("a link has two ends"));
        }
        let (one, two) = (self.meetings.names.number(one), self.meetings.names.number(two));
        let link = (one.min(two), one.max(two), interface.to_owned());
        match how.text {
            "up" if !self.up.contains_key(&link) => {
                self.up.insert(link, t);
            }
            "up" => self.n_ignored += 1,
            "down" => match self.up.remove(&link) {
                Some(since) => self.meetings.meet(link.0, link.1, since, Some(t)),
                None => self.n_ignored += 1,
            },
            _ => return Err(how.not("`up` or `down`")),
        }
        Ok(())
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.meetings.names.len()
    }

    /// The file is over. What is up stays up.
    pub(crate) fn trace(mut self, format: Format, options: &Options) -> Trace {
        for ((a, b, _), since) in self.up {
            self.meetings.meet(a, b, since, None);
        }
        if self.n_ignored > 0 {
            let n_ignored = self.n_ignored;
            let what = format!("{n_ignored} links came up that were, or went down that were not.");
            self.meetings.notes.push(what);
        }
        self.meetings.trace(format, options.end.map(micros).or(self.last))
    }
}
