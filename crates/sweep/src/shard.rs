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
    /// That of the place of a task in an array job that is all there: `auto`.
    Auto,
    /// That of the id of the task, of so many: `auto/8`.
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
    /// The first id, where the scheduler does not say it, and where ids are parts.
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
    match count {
        Some(count) => scheduler.by_id(id, count, number(scheduler.first)),
        None => scheduler.by_place(id, &number),
    }
}

impl Scheduler {
    /// The part that an id names. The array may have any tasks in it: those that failed before, for
    /// example. So its first says nothing of where counting begins, but if it is too small.
    fn by_id(&self, id: i64, count: u32, first: Option<i64>) -> Result<Shard, String> {
        let from = self.usual_first;
        if let Some(first) = first.filter(|first| *first < from) {
            return Err(format!(
                "the array begins at {first}, and with auto/{count} {} is the part, from {from}: \
                 number the array {from}-{count}, or say `auto` if all of it is there",
                self.id
            ));
        }
        let index = u32::try_from(id.saturating_sub(from - 1))
            .ok()
            .filter(|index| (1..=count).contains(index));
        let index = index.ok_or_else(|| {
            let last = i64::from(count) - 1 + from;
            format!(
                "{} is {id}, and with auto/{count} it is the part, from {from} to {last}: \
                 say which, as I/{count}",
                self.id
            )
        })?;
        Ok(Shard { index, count })
    }

    /// The part by the place of an id among those of an array that is all there.
    fn by_place(&self, id: i64, number: &dyn Fn(&str) -> Option<i64>) -> Result<Shard, String> {
        let first = number(self.first).unwrap_or(self.usual_first);
        let step = number(self.step).filter(|step| *step > 0).unwrap_or(1);
        let between = |last: i64| (last.saturating_sub(first)) / step + 1;
        let Some(n) = number(self.count).or_else(|| number(self.last).map(between)) else {
            let name = self.name;
            return Err(format!("{name} does not say how many tasks there are: say it, as auto/N"));
        };
        let index = id.saturating_sub(first) / step + 1;
        if id < first || index > n {
            return Err(format!(
                "{} is {id}, which is none of {n} tasks counted from {first}: say which, as I/N",
                self.id
            ));
        }
        let small =
            |number: i64| u32::try_from(number).map_err(|_| format!("{n} parts are too many"));
        Ok(Shard { index: small(index)?, count: small(n)? })
    }
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
        let sge = [("SGE_TASK_ID", "3"), ("SGE_TASK_FIRST", "1"), ("SGE_TASK_LAST", "8")];
        assert_eq!(resolved("auto", &sge).unwrap(), "3/8");
        let lsf = [("LSB_JOBINDEX", "5"), ("LSB_JOBINDEX_END", "5")];
        assert_eq!(resolved("auto", &lsf).unwrap(), "5/5");
        assert_eq!(resolved("auto/7", &[("PBS_ARRAY_INDEX", "7")]).unwrap(), "7/7");
        assert_eq!(resolved("auto/7", &[("JOB_COMPLETION_INDEX", "0")]).unwrap(), "1/7");
        assert_eq!(resolved("2/3", &[]).unwrap(), "2/3");
    }

    #[test]
    fn a_task_that_is_begun_again_alone_has_the_part_it_had() {
        let slurm = |id, first, last, count| {
            let names = ["ID", "MIN", "MAX", "COUNT"].map(|n| format!("SLURM_ARRAY_TASK_{n}"));
            let set: Vec<(&str, &str)> =
                names.iter().map(String::as_str).zip([id, first, last, count]).collect();
            resolved("auto/8", &set)
        };
        assert_eq!(slurm("3", "1", "8", "8").unwrap(), "3/8");
        assert_eq!(slurm("3", "3", "3", "1").unwrap(), "3/8");
        assert_eq!(slurm("8", "3", "8", "2").unwrap(), "8/8");
        // Alone, task 3 of 0-7 would look the same, and it is another part.
        for id in ["0", "3"] {
            let why = slurm(id, "0", "7", "8").unwrap_err();
            assert!(why.contains("begins at 0") && why.contains("number the array 1-8"), "{why}");
        }
        let why = slurm("9", "9", "9", "1").unwrap_err();
        assert!(why.contains("from 1 to 8: say which, as I/8"), "{why}");
        let sge = [("SGE_TASK_ID", "3"), ("SGE_TASK_FIRST", "3"), ("SGE_TASK_LAST", "3")];
        assert_eq!(resolved("auto/8", &sge).unwrap(), "3/8");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for typed in ["", "0/3", "4/3", "1/0", "a/b", "auto/0", "auto/x", "3", "1/2/3", "-1/2"] {
            assert!(typed.parse::<Wanted>().is_err(), "{typed}");
        }
        assert!(resolved("auto", &[]).unwrap_err().contains("no task of an array job"));
        let pbs = [("PBS_ARRAY_INDEX", "7")];
        assert!(resolved("auto", &pbs).unwrap_err().contains("auto/N"));
        assert!(resolved("auto/6", &pbs).unwrap_err().contains("from 1 to 6"));
        assert!(resolved("auto/6", &[("JOB_COMPLETION_INDEX", "6")]).is_err());
        assert!(resolved("auto/6", &[("PBS_ARRAY_INDEX", "0")]).is_err());
        let undefined = [("SGE_TASK_ID", "undefined"), ("LSB_JOBINDEX", "0")];
        assert!(resolved("auto/6", &undefined).is_err());
    }
}
