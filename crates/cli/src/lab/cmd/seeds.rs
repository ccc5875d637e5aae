//! What a campaign finds, shrunk and kept for good: [`Seed`].

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result};
use driftlock_sim::Scenario;
use driftlock_spec::{Promise, Violation};
use serde::Serialize;

use crate::lab::command_line::{self, quoted};
use crate::lab::{files, registry};
use crate::program;
use crate::terminal::{remark, say, say_line};

/// The page that lists what is in its folder, as long as nothing is.
const PAGE: &str = "\
# Seeds

Each file is the journal of a short run that breaks a promise: a longer one was found by
`driftlock sim --campaign` and shrunk until no action could be left out. `driftlock replay FILE
--print` shows all of it. A campaign that finds something puts it here.

| file | promise | steps | shrunk from | found in |
|---|---|---|---|---|
";

/// A run in which a promise was broken.
#[derive(Serialize)]
pub(crate) struct Seed {
    seed: u64,
    violation: String,
    steps: u64,
    /// What to type to run it again.
    replay: String,
    journal: PathBuf,
    /// The run that is kept instead of it.
    shrunk: Option<Short>,
    /// In how many runs a promise was broken, and of how many.
    #[serde(skip)]
    frequency: (usize, usize),
}

/// A short run that breaks the same promise in its own way.
#[derive(Serialize)]
struct Short {
    violation: String,
    steps: u64,
    #[serde(skip)]
    story: String,
}

impl Seed {
    /// Run a scenario again, shrink it, and put its journal into `folder`. Runs are deterministic,
    /// so the promise is broken again.
    pub(crate) fn keep(
        folder: &Path,
        scenario: &Scenario,
        variant: &str,
        violation: &Violation,
    ) -> Result<Self> {
        let replay = format!("{} --reps 1", command_line::of(scenario, None));
        let lost = format!("{violation}; replay: {replay}; but its journal is lost");
        let name = format!(
            "{}-{variant}-{}-{}.dlj",
            scenario.protocol,
            slug(violation.promise),
            scenario.seed
        );
        let journal = folder.join(name);
        let (steps, shrunk) =
            shrink_to(&journal, scenario, violation.promise).with_context(|| lost)?;
        let (seed, frequency) = (scenario.seed, (1, 1));
        let kept = Seed {
            seed,
            violation: violation.to_string(),
            steps,
            replay,
            journal,
            shrunk,
            frequency,
        };
        kept.list(&folder.join("README.md"), violation.promise)?;
        Ok(kept)
    }

    /// Put a line into the page of the folder, instead of one for the same file.
    fn list(&self, page: &Path, promise: Promise) -> Result<()> {
        let text = match fs::read_to_string(page) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => PAGE.into(),
            Err(error) => return Err(error).context(page.display().to_string()),
        };
        let name = self.journal.file_name().unwrap_or_default().to_string_lossy();
        let start = format!("| `{name}` |");
        let others = text.lines().filter(|line| !line.starts_with(&start));
        let mut lines: Vec<String> = others.map(str::to_owned).collect();
        let Seed { steps, shrunk, replay, .. } = self;
        let kept = shrunk.as_ref().map_or(*steps, |short| short.steps);
        lines.push(format!("{start} {promise} | {kept} | {steps} | `{replay}` |"));
        files::write_text(page, &format!("{}\n", lines.join("\n")))
    }

    /// There are more like it.
    pub(crate) fn among(self, found: usize, of: usize) -> Self {
        Seed { frequency: (found, of), ..self }
    }

    /// Tell of it; in one line, where standard output is for machines.
    pub(crate) fn tell(&self, in_one_line: bool) -> Result<()> {
        let Seed { seed, violation, steps, replay, shrunk, frequency: (found, of), .. } = self;
        let journal = quoted(&self.journal.to_string_lossy());
        if in_one_line {
            remark(&format!("{violation}; journal: {journal}; replay: {replay}"));
            return Ok(());
        }
        say_line(&format!(
            "\nVIOLATED in {found} of {of} runs, first with seed {seed}: {violation}"
        ))?;
        match shrunk {
            Some(short) => {
                say_line(&format!("shrunk from {steps} steps to {}:", short.steps))?;
                say(&short.story)?;
                say_line(&short.violation)?;
            }
            None => say_line("without its times it breaks no promise, so it is kept whole")?,
        }
        say_line(&format!("journal: {journal}"))?;
        say_line(&format!("replay:  {replay}"))?;
        say_line(&format!("         {} replay {journal} --print", program::name()))
    }
}

impl Short {
    fn tell(journal: &[u8]) -> Result<Self> {
        let mut story = String::new();
        let replayed = registry::replay_journal(&mut registry::read(journal)?, &mut |step| {
            story.push_str(&step());
        })?;
        let violation = replayed.violation.context("a shrunk run keeps its promise")?;
        Ok(Short { violation: violation.to_string(), steps: replayed.steps, story })
    }
}

/// Run a scenario and write the journal of a short run to `path`, or the whole one if there is no
/// short one. Returns how many steps the whole one has.
fn shrink_to(path: &Path, scenario: &Scenario, promise: Promise) -> Result<(u64, Option<Short>)> {
    let mut whole = Vec::new();
    let watch = &mut |_| ControlFlow::Continue(());
    let steps = registry::run(scenario, Some(&mut whole), watch)?.steps;
    let short = registry::shrink_journal(&whole, promise)?;
    let told = short.as_deref().map(Short::tell).transpose()?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    files::write(path, |to| Ok(to.write_all(short.as_deref().unwrap_or(&whole))?))?;
    Ok((steps, told))
}

/// The name of a promise as part of the name of a file.
fn slug(promise: Promise) -> String {
    let words = promise.name().split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}
