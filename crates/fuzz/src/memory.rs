//! How much memory something takes: [`within`], [`kept_by`].

/// Do something, which may have no more than so many bytes of memory at any time.
///
/// # Panics
///
/// If it has more.
pub fn within<T>(most: usize, action: impl FnOnce() -> T) -> T {
    let (answer, used) = measured(action);
    assert!(
        used.bytes_max <= most as u64,
        "{} bytes were allocated, {most} would do",
        used.bytes_max
    );
    answer
}

/// Do something, and say how many more bytes of memory are in use after it.
pub fn kept_by<T>(action: impl FnOnce() -> T) -> (T, i64) {
    let (answer, used) = measured(action);
    (answer, used.bytes_current)
}

fn measured<T>(action: impl FnOnce() -> T) -> (T, allocation_counter::AllocationInfo) {
    let mut answer = None;
    let used = allocation_counter::measure(|| answer = Some(action()));
    (answer.expect("the action was taken"), used)
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn who_takes_too_much_is_told() {
        // Memory that nobody looks at need not be taken.
        let take = || black_box(vec![1_u8; 100]).len();
        assert_eq!(within(100, take), 100);
        let panic = std::panic::catch_unwind(|| within(99, take));
        assert!(panic.is_err());
    }

    #[test]
    fn what_is_kept_is_counted() {
        let mut kept = vec![1_u8; 30];
        let (_, more) = kept_by(|| drop(black_box((vec![2_u8; 50], kept.split_off(20)))));
        assert_eq!(more, 0);
        let (_, more) = kept_by(|| kept = vec![3; 100]);
        assert_eq!(more, 70);
    }
}
