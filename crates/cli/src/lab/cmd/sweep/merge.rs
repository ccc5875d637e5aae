//! `driftlock merge`: parts become one.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Result, bail};
use driftlock_sweep::folder::Kept;
use driftlock_sweep::{Plan, Shard};

use super::results::Results;
use super::{folder_of, plan};
use crate::lab::args::MergeArgs;
use crate::lab::command_line::quoted;
use crate::lab::files;
use crate::terminal::remark;
use crate::{Verdict, program};

pub(crate) fn run(args: &MergeArgs) -> Result<Verdict> {
    let (plan, _) = plan(&args.file)?;
    let out = folder_of(args.out.as_deref(), &args.file);
    let own = [out.clone()];
    let folders: &[PathBuf] = if args.folders.is_empty() { &own } else { &args.folders };
    let mut kept = Kept::default();
    for folder in folders {
        if !folder.is_dir() {
            bail!("{}: there is no such folder", folder.display());
        }
        kept.look(folder)?;
    }
    let missing = kept.missing(&plan, None);
    if !missing.is_empty() {
        let told = missing_told(&plan, &kept, &missing);
        let (program, file) = (program::name(), quoted(&args.file.to_string_lossy()));
        if !args.partial {
            let is_usual = folders[0] == folder_of(None, &args.file);
            let out = match is_usual {
                true => String::new(),
                false => format!(" --out {}", quoted(&folders[0].to_string_lossy())),
            };
            bail!(
                "{told}: `{program} sweep {file}{out}`, with the --shard of a part, runs what is \
                 missing; --partial leaves it out"
            );
        }
        if missing.len() == plan.cells.iter().filter(|cell| cell.key.is_ok()).count() {
            bail!("nothing of this sweep is there: was it run with this file and this program?");
        }
        remark(&told);
    }
    files::make_folder(&out)?;
    let results = Results::new(&plan, &kept, None);
    results.write(&out)?;
    results.tell(args.json, None, &out)
}

/// Which cells are missing, and of which parts, if there are any.
fn missing_told(plan: &Plan, kept: &Kept, missing: &[usize]) -> String {
    let numbers: Vec<usize> = missing.iter().map(|cell| cell + 1).collect();
    let (n, all) = (numbers.len(), plan.cells.len());
    let are = if n == 1 { "is" } else { "are" };
    let mut told = format!("{n} of {all} cells {are} missing: {}", ranges(&numbers));
    let part = |shard: Shard| match kept.parts.contains(&shard) {
        true => shard.to_string(),
        false => format!("{shard} (no log of it)"),
    };
    let parts: Vec<String> = lacking(&kept.parts, missing).into_iter().map(part).collect();
    if !parts.is_empty() {
        told.push_str(&format!("; of parts {}", parts.join(", ")));
    }
    told
}

/// The parts that cells are missing of. Where logs are of parts of several sizes, these are of the
/// size that most logs have, and that takes the fewest parts.
fn lacking(logs: &[Shard], missing: &[usize]) -> Vec<Shard> {
    let counts: BTreeSet<u32> = logs.iter().map(|part| part.count).collect();
    let of_count = |count: u32| {
        let shards = (1..=count).map(|index| Shard { index, count });
        let parts = shards.filter(|shard| missing.iter().any(|cell| shard.has(*cell)));
        parts.collect::<Vec<Shard>>()
    };
    let n_logs = |count: u32| logs.iter().filter(|part| part.count == count).count();
    let all = counts.into_iter().map(|count| (n_logs(count), of_count(count)));
    let best = all.max_by_key(|(n_logs, parts)| (*n_logs, Reverse(parts.len())));
    best.map_or(Vec::new(), |(_, parts)| parts)
}

/// `2, 5-7`.
pub(super) fn ranges(numbers: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let shown = |(first, last): &(usize, usize)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    };
    ranges.iter().map(shown).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_told_in_parts_that_are_there() {
        let parts = |parts: &[(u32, u32)]| -> Vec<Shard> {
            parts.iter().map(|&(index, count)| Shard { index, count }).collect()
        };
        // Part 1/2 has the cells 0, 2, 4 and so on, and part 8/20 the cells 7 and 27.
        let missing: Vec<usize> = (0..40).filter(|cell| cell % 2 == 1 && cell % 20 != 7).collect();
        assert_eq!(lacking(&parts(&[(1, 2), (8, 20)]), &missing), parts(&[(2, 2)]));
        let most = parts(&[(1, 2), (8, 20), (10, 20)]);
        let lacks = [2, 4, 6, 10, 12, 14, 16, 18, 20].map(|index| (index, 20));
        assert_eq!(lacking(&most, &missing), parts(&lacks));
        assert_eq!(lacking(&[], &missing), []);
    }

    #[test]
    fn neighbors_are_told_together() {
        assert_eq!(ranges(&[2, 5, 6, 7, 9, 10]), "2, 5-7, 9-10");
        assert_eq!(ranges(&[]), "");
    }
}
