//! What processes use of the machine: [`Cost`].

use std::fs;
use std::time::Duration;

/// What processes have used so far.
pub(crate) struct Cost {
    /// In ticks of a hundredth of a second.
    ticks: u64,
    /// Of each process, in KiB.
    memory: Vec<Memory>,
}

/// What is in memory of one process, in KiB.
struct Memory {
    /// All of it, shared or not: most of it is the program itself, which is there once.
    resident: u64,
    /// Each page divided by how many have it.
    share: u64,
    /// What no other process has.
    private: u64,
}

impl Cost {
    pub(crate) fn of(processes: &[u32]) -> Cost {
        let ticks = processes.iter().map(|process| ticks(*process)).sum();
        Cost { ticks, memory: processes.iter().map(|process| memory(*process)).collect() }
    }

    /// How many percent of a core were used since.
    pub(crate) fn percent_since(&self, before: &Cost, time: Duration) -> f64 {
        (self.ticks - before.ticks) as f64 / time.as_secs_f64()
    }

    /// The memory of the largest process: its share, which adds up to what all of them use.
    pub(crate) fn largest(&self) -> u64 {
        self.memory.iter().map(|memory| memory.share).max().unwrap()
    }

    /// All there is to say of memory.
    pub(crate) fn memory(&self) -> [(&'static str, u64); 4] {
        let largest = |of: fn(&Memory) -> u64| self.memory.iter().map(of).max().unwrap();
        [
            ("in total", self.memory.iter().map(|memory| memory.share).sum()),
            ("the largest share", self.largest()),
            ("of it private", largest(|memory| memory.private)),
            ("resident, with pages of the program that all have in common", {
                largest(|memory| memory.resident)
            }),
        ]
    }
}

/// Time in user and kernel mode: fields 14 and 15, the second of which is in parentheses.
fn ticks(process: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let (_, rest) = stat.rsplit_once(')').unwrap();
    let fields: Vec<&str> = rest.split_whitespace().collect();
    [11, 12].map(|k: usize| fields[k].parse::<u64>().unwrap()).iter().sum()
}

fn memory(process: u32) -> Memory {
    let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap();
    let field = |name: &str| -> u64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    };
    Memory {
        resident: field("Rss:"),
        share: field("Pss:"),
        private: field("Private_Clean:") + field("Private_Dirty:"),
    }
}
