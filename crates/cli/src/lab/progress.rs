//! A progress bar, on a terminal only.

use std::borrow::Cow;
use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
