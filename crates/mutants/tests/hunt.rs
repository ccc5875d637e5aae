//! The mutants of a protocol, each on one trial after the other until one kills it: [`Hunt`].

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, panic, thread};

use driftlock_mutants::table::{Fate, Mutant, PROTOCOLS};

use crate::trials::{Cause, Kill, Mutated, Trial};

const THREADS: usize = 2;

/// What to try.
pub(crate) struct Hunt<P: Mutated> {
    /// For every mutant, the quick ones first.
    pub(crate) trials: Vec<Trial<P>>,
    /// Only for the mutants that say so, because they take long.
    pub(crate) long: Vec<Trial<P>>,
}

/// A mutant, and how it was killed, if it was.
pub(crate) type Outcome = (&'static Mutant, Option<Kill>);

impl<P: Mutated> Hunt<P> {
    /// What became of each mutant that is tried, in the order of the table.
    pub(crate) fn run(&self) -> Vec<Outcome> {
        be_quiet_about_complaints();
        let mutants = (1..).zip(mutants(P::NAME)).filter(is_tried).map(Some);
        let jobs: Vec<Option<(u32, &Mutant)>> = [None].into_iter().chain(mutants).collect();
        let mut kills = in_parallel(&jobs, |job| match *job {
            None => self.trials().find_map(|trial| trial.kill(0)),
            Some((number, mutant)) => self.kill(number, mutant),
        });
        assert_eq!(kills.remove(0), None, "the algorithm as it is has nothing to be killed for");
        jobs.into_iter().flatten().map(|(_, mutant)| mutant).zip(kills).collect()
    }

    /// Every trial there is.
    fn trials(&self) -> impl Iterator<Item = &Trial<P>> {
        self.trials.iter().chain(&self.long)
    }

    fn kill(&self, number: u32, mutant: &Mutant) -> Option<Kill> {
        if let Fate::KilledBy(name) = mutant.fate {
            let trial = self.trials().find(|trial| trial.name == name);
            return trial.expect("there is a trial of that name").kill(number);
        }
        self.trials.iter().find_map(|trial| trial.kill(number))
    }
}

/// Whether a mutant is tried: each that has to be noticed, and of the others, which go through all
/// trials to the end, one in six. With `MUTANTS=all` every one is.
fn is_tried((number, mutant): &(u32, &'static Mutant)) -> bool {
    let is_noticed = matches!(mutant.fate, Fate::Killed | Fate::KilledBy(_));
    is_noticed || number % 6 == 0 || env::var("MUTANTS").is_ok_and(|wanted| wanted == "all")
}

fn mutants(protocol: &str) -> impl Iterator<Item = &'static Mutant> + use<> {
    let source = PROTOCOLS.iter().find(|source| source.name == protocol);
    source.expect("the protocol is in the table").mutants()
}

/// A mutant that panics has given an answer; nobody has to be told on the terminal.
fn be_quiet_about_complaints() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !driftlock_replay::is_attempting() {
            usual(panic);
        }
    }));
}

/// The answers, in the order of the questions.
fn in_parallel<Q: Sync, A: Send>(questions: &[Q], answer: impl Fn(&Q) -> A + Sync) -> Vec<A> {
    let answers = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let k = next.fetch_add(1, Ordering::Relaxed);
                    let Some(question) = questions.get(k) else { return };
                    let answer = answer(question);
                    answers.lock().expect("no thread panics here").push((k, answer));
                }
            });
        }
    });
    let mut answers = answers.into_inner().expect("no thread panics here");
    answers.sort_by_key(|&(k, _)| k);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// What became of each mutant, a line each.
pub(crate) fn table(outcomes: &[Outcome]) -> String {
    let line = |(mutant, kill): &Outcome| match kill {
        Some(Kill { trial, cause, steps }) => {
            format!("{:46} {trial:22} {cause}, {steps} steps\n", mutant.name)
        }
        None => format!("{:46} survives\n", mutant.name),
    };
    outcomes.iter().map(line).collect()
}

/// Every mutant met the fate that the table says.
pub(crate) fn judge(outcomes: &[Outcome]) {
    let is_as_said = |(mutant, kill): &&Outcome| match (mutant.fate, kill) {
        (Fate::Killed, Some(_)) | (Fate::Survives(_) | Fate::Open(_), None) => true,
        (Fate::KilledBy(trial), Some(kill)) => trial == kill.trial,
        _ => false,
    };
    let wrong = outcomes.iter().filter(|outcome| !is_as_said(outcome));
    let wrong: String = wrong
        .map(|(mutant, kill)| format!("{}: {:?}, but {kill:?}\n", mutant.name, mutant.fate))
        .collect();
    assert!(wrong.is_empty(), "not as the table of mutants says:\n{wrong}");
}

/// Why the mutant of this name was killed.
pub(crate) fn cause(outcomes: &[Outcome], name: &str) -> Option<Cause> {
    let outcome = outcomes.iter().find(|(mutant, _)| mutant.name == name);
    let (_, kill) = outcome.expect("there is a mutant of that name");
    kill.as_ref().map(|kill| kill.cause)
}
