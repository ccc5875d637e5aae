//! Many runs on all cores, with results that do not depend on how many cores there are.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Do all `jobs` on `threads` threads. The results stand in the order of the jobs, whichever
/// finished first. Once `stop` is set no further job is begun, and those not done have no result.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use driftlock_lab::sweep::all;
/// let squares = all(&[1, 2, 3], 2, &AtomicBool::new(false), |n| n * n);
/// assert_eq!(squares, [Some(1), Some(4), Some(9)]);
/// ```
pub fn all<J: Sync, R: Send>(
    jobs: &[J],
    threads: usize,
    stop: &AtomicBool,
    run: impl Fn(&J) -> R + Sync,
) -> Vec<Option<R>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::from_iter(jobs.iter().map(|_| None)));
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(index) else { break };
            let result = run(job);
            results.lock().expect("no job panics while it stores its result")[index] = Some(result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, jobs.len().max(1)) {
            // A machine that has no further thread to give does the work with those it has.
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    results.into_inner().expect("no job panics while it stores its result")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_the_order_of_the_jobs_for_any_number_of_threads() {
        let jobs: Vec<u64> = (0..100).collect();
        let expected: Vec<Option<u64>> = jobs.iter().map(|n| Some(n * 3)).collect();
        for threads in [0, 1, 2, 7, 200] {
            assert_eq!(all(&jobs, threads, &AtomicBool::new(false), |n| n * 3), expected);
        }
    }

    #[test]
    fn what_is_finished_is_kept_when_the_rest_is_called_off() {
        let stop = AtomicBool::new(false);
        let results = all(&[1, 2, 3, 4], 1, &stop, |&n| {
            stop.store(n == 2, Ordering::Relaxed);
            n
        });
        assert_eq!(results, [Some(1), Some(2), None, None]);
    }

    #[test]
    fn no_jobs_are_no_results() {
        let results = all(&[] as &[u8], 4, &AtomicBool::new(false), |n| *n);
        assert_eq!(results, []);
    }
}
