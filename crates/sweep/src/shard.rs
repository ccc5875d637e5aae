//! The part of one machine among many: [`Shard`].

use std::fmt;
use std::str::FromStr;

/// Part `index` of `count`, from 1. Cell k, counted from 0, belongs to part k mod `count` + 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Shard {
    /// Which part.
    pub index: u32,
    /// Of how many.
    pub count: u32,
}

/// Which part is wanted, as it is typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// This one: `3/8`.
    This(Shard),
    /// That of the task of an array job: `auto`.
    Auto,
    /// The same, of so many: `auto/8`.
    AutoOf(u32),
}

impl Shard {
    /// Whether a cell, counted from 0, belongs to this part.
    pub fn has(self, cell: usize) -> bool {
        cell % self.count as usize + 1 == self.index as usize
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected =
            || format!("expected `I/N` with I from 1 to N, `auto` or `auto/N`: `{text}`");
        let count = |text: &str| text.parse().ok().filter(|count| (1..=1_000_000).contains(count));
        match text.split_once('/') {
            None if text == "auto" => Ok(Wanted::Auto),
            Some(("auto", n)) => count(n).map(Wanted::AutoOf).ok_or_else(expected),
            Some((i, n)) => {
                let count = count(n).ok_or_else(expected)?;
                let index = i.parse().ok().filter(|index| (1..=count).contains(index));
                Ok(Wanted::This(Shard { index: index.ok_or_else(expected)?, count }))
            }
            None => Err(expected()),
        }
    }
}

/// A scheduler of jobs, and what it tells the tasks of an array job.
struct Scheduler {
    name: &'static str,
    id: &'static str,
    /// The first and the last id, and the distance of two.
    first: &'static str,
    last: &'static str,
    step: &'static str,
    /// How many there are.
    count: &'static str,
    /// The first id, where the scheduler does not say it.
    usual_first: i64,
}

const SCHEDULERS: [Scheduler; 6] = [
    Scheduler {
        name: "Slurm",
        id: "SLURM_ARRAY_TASK_ID",
        first: "SLURM_ARRAY_TASK_MIN",
        last: "SLURM_ARRAY_TASK_MAX",
        step: "SLURM_ARRAY_TASK_STEP",
        count: "SLURM_ARRAY_TASK_COUNT",
        usual_first: 1,
    },
    Scheduler {
        name: "Grid Engine",
        id: "SGE_TASK_ID",
        first: "SGE_TASK_FIRST",
        last: "SGE_TASK_LAST",
        step: "SGE_TASK_STEPSIZE",
        count: "",
        usual_first: 1,
    },
    Scheduler {
        name: "LSF",
        id: "LSB_JOBINDEX",
        first: "",
        last: "LSB_JOBINDEX_END",
        step: "LSB_JOBINDEX_STEP",
        count: "",
        usual_first: 1,
    },
    Scheduler {
        name: "PBS",
        id: "PBS_ARRAY_INDEX",
        first: "",
        last: "",
        step: "",
        count: "",
        usual_first: 1,
    },
    Scheduler {
        name: "Torque",
        id: "PBS_ARRAYID",
        first: "",
        last: "",
        step: "",
        count: "",
        usual_first: 1,
    },
    Scheduler {
        name: "Kubernetes",
        id: "JOB_COMPLETION_INDEX",
        first: "",
        last: "",
        step: "",
        count: "",
        usual_first: 0,
    },
];

impl Wanted {
    /// The part, with what the scheduler has put into the environment.
    pub fn resolve(self, environment: &dyn Fn(&str) -> Option<String>) -> Result<Shard, String> {
        match self {
            Wanted::This(shard) => Ok(shard),
            Wanted::Auto => of_task(None, environment),
            Wanted::AutoOf(count) => of_task(Some(count), environment),
        }
    }
}

fn of_task(
    count: Option<u32>,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<Shard, String> {
    let number = |name: &str| environment(name)?.trim().parse::<i64>().ok();
    // Grid Engine says `undefined` and LSF 0 where a job is no array.
    let task = |scheduler: &&Scheduler| {
        let is_lsf = scheduler.name == "LSF";
        number(scheduler.id).is_some_and(|id| id > 0 || (id == 0 && !is_lsf))
    };
    let Some(scheduler) = SCHEDULERS.iter().find(task) else {
        let names: Vec<&str> = SCHEDULERS.iter().map(|scheduler| scheduler.id).collect();
        return Err(format!(
            "this is no task of an array job: none of {} is set",
            names.join(", ")
        ));
    };
    let id = number(scheduler.id).unwrap_or(0);
    let first = number(scheduler.first).unwrap_or(scheduler.usual_first);
    let step = number(scheduler.step).filter(|step| *step > 0).unwrap_or(1);
    let between = |last: i64| (last.saturating_sub(first)) / step + 1;
    let told = number(scheduler.count).or_else(|| number(scheduler.last).map(between));
    let Some(n) = count.map(i64::from).or(told) else {
        return Err(format!(
            "{} does not say how many tasks there are: say it, as auto/N",
            scheduler.name
        ));
    };
    let index = id.saturating_sub(first) / step + 1;
    if id < first || index > n {
        return Err(format!(
            "{} is {id}, which is none of {n} tasks counted from {first}",
            scheduler.id
        ));
    }
    let small = |number: i64| u32::try_from(number).map_err(|_| format!("{n} parts are too many"));
    Ok(Shard { index: small(index)?, count: small(n)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(typed: &str, set: &[(&str, &str)]) -> Result<String, String> {
        let environment = |name: &str| {
            let found = set.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        typed.parse::<Wanted>()?.resolve(&environment).map(|shard| shard.to_string())
    }

    #[test]
    fn every_cell_belongs_to_one_part() {
        for count in 1..6 {
            for cell in 0..20 {
                let shards = (1..=count).map(|index| Shard { index, count });
                assert_eq!(shards.filter(|shard| shard.has(cell)).count(), 1);
            }
        }
        assert!(Shard { index: 1, count: 3 }.has(0) && Shard { index: 2, count: 3 }.has(4));
    }

    #[test]
    fn parts_are_what_schedulers_say() {
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "14"),
            ("SLURM_ARRAY_TASK_MIN", "10"),
            ("SLURM_ARRAY_TASK_MAX", "16"),
            ("SLURM_ARRAY_TASK_STEP", "2"),
            ("SLURM_ARRAY_TASK_COUNT", "4"),
        ];
        assert_eq!(resolved("auto", &slurm).unwrap(), "3/4");
        assert_eq!(resolved("auto/9", &slurm).unwrap(), "3/9");
        let sge = [("SGE_TASK_ID", "3"), ("SGE_TASK_FIRST", "1"), ("SGE_TASK_LAST", "8")];
        assert_eq!(resolved("auto", &sge).unwrap(), "3/8");
        let lsf = [("LSB_JOBINDEX", "5"), ("LSB_JOBINDEX_END", "5")];
        assert_eq!(resolved("auto", &lsf).unwrap(), "5/5");
        assert_eq!(resolved("auto/7", &[("PBS_ARRAY_INDEX", "7")]).unwrap(), "7/7");
        assert_eq!(resolved("auto/7", &[("JOB_COMPLETION_INDEX", "0")]).unwrap(), "1/7");
        assert_eq!(resolved("2/3", &[]).unwrap(), "2/3");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for typed in ["", "0/3", "4/3", "1/0", "a/b", "auto/0", "auto/x", "3", "1/2/3", "-1/2"] {
            assert!(typed.parse::<Wanted>().is_err(), "{typed}");
        }
        assert!(resolved("auto", &[]).unwrap_err().contains("no task of an array job"));
        let pbs = [("PBS_ARRAY_INDEX", "7")];
        assert!(resolved("auto", &pbs).unwrap_err().contains("auto/N"));
        assert!(resolved("auto/6", &pbs).unwrap_err().contains("none of 6 tasks"));
        assert!(resolved("auto/6", &[("PBS_ARRAY_INDEX", "0")]).is_err());
        let undefined = [("SGE_TASK_ID", "undefined"), ("LSB_JOBINDEX", "0")];
        assert!(resolved("auto/6", &undefined).is_err());
    }
}
