//! `driftlock protocols`.

use anyhow::Result;
use driftlock_lab::table::{Cell, Table};

use crate::Verdict;
use crate::lab::args::ProtocolsArgs;
use crate::lab::registry::{Entry, protocols};
use crate::terminal::{say, say_line};

pub(crate) fn run(args: &ProtocolsArgs) -> Result<Verdict> {
    if args.json {
        say_line(&serde_json::to_string_pretty(protocols())?)?;
        return Ok(Verdict::Held);
    }
    let mut table = Table::new("Protocols", ["name", "variants", "medium", "promise"]);
    for entry in protocols() {
        table.row(row(entry));
    }
    for Entry { name, paper, .. } in protocols() {
        table.note(format!("{name}: {paper}"));
    }
    say(&table.plain_text())?;
    Ok(Verdict::Held)
}

fn row(entry: &Entry) -> [Cell; 4] {
    let mut names = vec![entry.name];
    names.extend(entry.aliases);
    let list = |words: &[&str]| Cell::text(words.join(", "));
    [list(&names), list(entry.variants), list(entry.media), Cell::text(entry.promise)]
}
