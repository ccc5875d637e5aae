//! A small figure: rows of blocks, a column for each part of the time.

/// How many columns there are.
pub(super) const WIDTH: usize = 60;

/// From an eighth to the whole.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A row: a block for each value, as high as its part of `most`, and none for 0.
pub(super) fn row(values: impl Iterator<Item = f64>, most: f64) -> String {
    let block = |value: f64| {
        let eighths = if most > 0.0 { (value / most * 8.0).ceil() } else { 0.0 };
        // What is a little more than the whole, by rounding, is the whole.
        let eighths = (eighths as usize).min(BLOCKS.len());
        eighths.checked_sub(1).map_or(' ', |k| BLOCKS[k])
    };
    values.map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_as_high_as_their_part_of_the_most() {
        let values = [0.0, 0.01, 1.0, 1.01, 4.0, 7.99, 8.0];
        assert_eq!(row(values.into_iter(), 8.0), " ▁▁▂▄██");
        assert_eq!(row([0.0, 0.0].into_iter(), 0.0), "  ");
    }
}
