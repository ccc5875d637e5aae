//! A sweep for tests: RL, which this crate does not know, and a folder for what is finished.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use driftlock_protocols::Variant;
use driftlock_protocols::rl::{Config, Rl};
use driftlock_sim::{Run, Scenario, World};
use driftlock_sweep::engine::{Work, conduct};
use driftlock_sweep::folder::Kept;
use driftlock_sweep::summary::Summary;
use driftlock_sweep::{Author, Folder, Plan, Shard, SweepFile, csv, rows};

/// What is done with a sweep.
pub(crate) struct Study {
    pub(crate) plan: Plan,
}

impl Study {
    pub(crate) fn new(text: &str) -> Self {
        Study::built(text, "")
    }

    /// The same, by a program that was built from other code.
    pub(crate) fn built(text: &str, build: &str) -> Self {
        let file = SweepFile::parse(Path::new("study.toml"), text).unwrap();
        let author = Author { program: "driftlock", version: "test", build };
        Study { plan: Plan::new(&file, &author, &complete) }
    }

    /// Run what is missing in a folder. Returns whether it came to an end.
    pub(crate) fn work(
        &self,
        folder: &Path,
        shard: Option<Shard>,
        threads: usize,
        stop_after: Option<usize>,
    ) -> bool {
        let folder = Folder::open(folder, shard).unwrap();
        let cells = folder.kept.missing(&self.plan, shard);
        let stop = AtomicBool::new(false);
        let runs = std::sync::atomic::AtomicUsize::new(0);
        let tell = |_| {
            let before = runs.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if stop_after.is_some_and(|most| before + 1 >= most) {
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        };
        let work =
            Work { plan: &self.plan, cells: &cells, threads, stop: &stop, run: &run, tell: &tell };
        conduct(&work, &|cell, outcome| {
            folder.log.add(self.plan.cells[cell].key.as_ref().unwrap(), &outcome)
        })
        .unwrap();
        !stop.into_inner()
    }

    /// The results of folders, as CSV and, where that is built, as Parquet.
    pub(crate) fn results(&self, folders: &[&Path]) -> (String, Vec<u8>) {
        let mut kept = Kept::default();
        folders.iter().for_each(|folder| kept.look(folder).unwrap());
        assert_eq!(kept.missing(&self.plan, None), Vec::<usize>::new());
        let frame = rows::frame(&self.plan, &kept.outcomes(&self.plan));
        (csv::write(&frame), parquet(&frame))
    }

    pub(crate) fn summary(&self, folder: &Path) -> Summary {
        let mut kept = Kept::default();
        kept.look(folder).unwrap();
        let outcomes = kept.outcomes(&self.plan);
        let frame = rows::frame(&self.plan, &outcomes);
        Summary::of(&self.plan, &outcomes, &frame, &|job| format!("sim --seed {}", job.seed))
    }
}

#[cfg(feature = "parquet")]
fn parquet(frame: &driftlock_sweep::Frame) -> Vec<u8> {
    let mut bytes = Vec::new();
    driftlock_sweep::parquet::write(frame, "{}", "test", &mut bytes).unwrap();
    assert_eq!(&driftlock_sweep::parquet::read(bytes.clone()).unwrap(), frame);
    bytes
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &driftlock_sweep::Frame) -> Vec<u8> {
    Vec::new()
}

/// There is one protocol, in two variants, and `bug`.
fn complete(scenario: &mut Scenario) -> Result<(), String> {
    if !["rl", "bug"].contains(&&*scenario.protocol) {
        return Err(format!("protocol: there is no `{}`", scenario.protocol));
    }
    scenario.check().map_err(|error| error.to_string())
}

pub(crate) fn run(scenario: &Scenario) -> Result<Run, String> {
    assert!(
        scenario.protocol != "bug" || scenario.seed.is_multiple_of(2),
        "seed {}",
        scenario.seed
    );
    let variant = match scenario.variant.as_deref() {
        Some("published") => Variant::Published,
        _ => Variant::Repaired,
    };
    let config = Config { variant, ..Config::default() };
    let world = World::<Rl>::new(scenario, &config).map_err(|error| error.to_string())?;
    Ok(world.in_detail().run())
}
