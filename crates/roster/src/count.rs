//! Who was struck off takes tokens with it: when the others say what they know of that.
//!
//! Each says once for an epoch what it has dealt with those who are gone, as of the moment when it
//! adopts that epoch's list, and says the same again after a restart or when others join. For
//! tokens of names that are new are made in between: if one counts them and the other, who makes
//! them, has spoken before, they seem to be lost.

use crate::council::{Council, Output};
use crate::wire::Item;

impl Council {
    /// What this node has dealt with those who are not on the list.
    pub fn report(&mut self, now: u64, report: Vec<u8>, out: &mut Vec<Output>) {
        self.now = now;
        let Some(epoch) = self.roster().map(|list| list.epoch) else { return };
        (self.report, self.changed) = (Some((epoch, report)), true);
        self.tell_report(out);
    }

    fn tell_report(&mut self, out: &mut Vec<Output>) {
        let Some(version) = self.roster().map(|list| list.version) else { return };
        let Some((_, report)) = self.report.clone() else { return };
        let item = Item::Report(version, self.me.id, report);
        if self.merge(item.clone(), out) {
            self.pass_on(None, &item, out);
        }
        self.go_on(out);
    }

    /// What was missing is made anew, here.
    pub fn recounted(&mut self, out: &mut Vec<Output>) {
        let Some(epoch) = self.roster().map(|list| list.epoch) else { return };
        let item = Item::Recounted(epoch);
        if self.merge(item.clone(), out) {
            self.pass_on(None, &item, out);
        }
    }

    /// Whether what those had who were struck off last is not made anew yet, as far as known.
    pub fn is_counting(&self) -> bool {
        self.belongs() && self.roster().is_some_and(|list| self.recounted < list.epoch)
    }

    /// Wait until those who were struck off have stopped, from now on.
    pub(crate) fn wait_for_the_struck(&mut self) {
        let wait = self.roster().map_or(0, |list| list.wait);
        self.count_at = self.is_counting().then_some(self.now.saturating_add(wait));
    }

    /// Say what this node has dealt with those who were struck off: what it has said already, or
    /// else what it finds now.
    pub(crate) fn ask_for_count(&mut self, out: &mut Vec<Output>) {
        if !self.is_counting() {
            return;
        }
        let epoch = self.roster().map(|list| list.epoch);
        match self.report.as_ref().map(|(epoch, _)| *epoch) {
            counted if counted == epoch => self.tell_report(out),
            _ => out.push(Output::Count),
        }
    }
}
