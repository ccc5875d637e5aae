//! Tests that a machine cannot do: [`skipped`].

use std::io::{self, Write};

/// Say that a test could not be done here, and why; past the capture of output, which would hide
/// it.
///
/// # Panics
///
/// If the variable `DRIFTLOCK_NO_SKIP` is there: nothing may be skipped then.
pub fn skipped(why: &str) {
    assert!(std::env::var_os("DRIFTLOCK_NO_SKIP").is_none(), "this may not be skipped: {why}");
    // Without a standard error nobody is there to be told.
    let _ = io::stderr().write_all(format!("skipped: {why}\n").as_bytes());
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    /// It is this test that is run again, in a process of its own, and skips itself.
    #[test]
    fn whoever_forbids_it_is_told_by_a_failure() {
        const SKIPS: &str = "DRIFTLOCK_TEST_SKIPS";
        if std::env::var_os(SKIPS).is_some() {
            return super::skipped("there is no moon");
        }
        let name = "skip::tests::whoever_forbids_it_is_told_by_a_failure";
        let again = |forbidden: bool| {
            let mut test = Command::new(std::env::current_exe().unwrap());
            test.args([name, "--exact"]).env(SKIPS, "1").env_remove("DRIFTLOCK_NO_SKIP");
            if forbidden {
                test.env("DRIFTLOCK_NO_SKIP", "1");
            }
            test.output().unwrap()
        };
        let done = again(false);
        assert!(done.status.success(), "{done:?}");
        assert_eq!(String::from_utf8_lossy(&done.stderr), "skipped: there is no moon\n");
        let done = again(true);
        assert!(!done.status.success(), "{done:?}");
        let said = String::from_utf8_lossy(&done.stdout);
        assert!(said.contains("this may not be skipped: there is no moon"), "{said}");
    }
}
