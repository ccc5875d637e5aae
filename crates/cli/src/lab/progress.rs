//! A progress bar, on a terminal only; and [`Steps`], which are told everywhere.

use std::borrow::Cow;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::remark;

/// How often a bar is drawn while nothing is finished: the clock on it goes on.
const TICK: Duration = Duration::from_millis(500);
/// Where no bar is drawn, what is over sooner needs no line.
const FIRST_LINE: Duration = Duration::from_secs(30);
/// The longest time without a line, as long as something gets finished.
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// Where progress is drawn: on standard error, if that is a terminal.
fn target() -> ProgressDrawTarget {
    if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    }
}

/// A count that grows, of work whose end is not known.
pub(crate) fn spinner() -> ProgressBar {
    let spinner = ProgressBar::with_draw_target(None, target());
    let template = "{human_pos} {msg}, {per_sec}, {elapsed} gone";
    let style = ProgressStyle::with_template(template).expect("the template is well-formed");
    spinner.set_style(style);
    spinner
}

/// A bar over `total` steps of work. Where standard error is no terminal it draws nothing.
pub(crate) fn bar(total: u64, what: impl Into<Cow<'static, str>>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), target());
    let template = "{msg} [{bar:40}] {pos}/{len}, {elapsed} gone, {eta} to go";
    let style = ProgressStyle::with_template(template).expect("the template is well-formed");
    bar.set_style(style.progress_chars("=> "));
    bar.set_message(what);
    bar
}

/// Steps of long work: a bar on a terminal; elsewhere a line on standard error, now and then and
/// ever more seldom, so that whoever looks into a log sees how far it is.
pub(crate) struct Steps {
    bar: ProgressBar,
    lines: Mutex<Lines>,
}

impl Steps {
    pub(crate) fn new(total: u64, what: &'static str) -> Self {
        let bar = bar(total, what);
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Steps { bar, lines: Mutex::new(Lines { next: FIRST_LINE }) }
    }

    /// Whether there is a terminal that it is drawn on.
    pub(crate) fn are_drawn(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// What the steps are, and what else there is to say.
    pub(crate) fn are_called(&self, what: String) {
        self.bar.set_message(what);
    }

    /// So many were done before: they do not tell how long the others take.
    pub(crate) fn were_done(&self, done: u64) {
        self.bar.set_position(done);
        self.bar.reset_eta();
    }

    /// So many are done.
    pub(crate) fn are_done(&self, done: u64) {
        self.bar.set_position(done);
        let gone = self.bar.elapsed();
        let mut lines = self.lines.lock().expect("nobody panics here");
        if self.bar.is_hidden() && lines.is_due(gone) {
            let (all, what) = (self.bar.length().unwrap_or(done), self.bar.message());
            let (gone, left) = (HumanDuration(gone), HumanDuration(self.bar.eta()));
            remark(&format!("{done}/{all} {what}: {gone} gone, {left} to go"));
        }
    }

    /// Say something in between.
    pub(crate) fn remark(&self, what: &str) {
        self.bar.suspend(|| remark(what));
    }
}

impl Drop for Steps {
    /// However the work ended, what is said next has the line for itself.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// When a line is due.
struct Lines {
    next: Duration,
}

impl Lines {
    /// The time until the next line is as long as all the time before, at most.
    fn is_due(&mut self, gone: Duration) -> bool {
        let is_due = self.next <= gone;
        if is_due {
            self.next = gone + gone.min(LONGEST_PAUSE);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_get_seldom() {
        let mut lines = Lines { next: FIRST_LINE };
        let mut told = (0..3600).filter(|second| lines.is_due(Duration::from_secs(*second)));
        let first: Vec<u64> = told.by_ref().take(6).collect();
        assert_eq!(first, [30, 60, 120, 240, 480, 960]);
        assert_eq!(told.collect::<Vec<_>>(), [1560, 2160, 2760, 3360]);
    }
}
