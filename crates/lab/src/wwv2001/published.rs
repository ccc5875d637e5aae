//! The numbers printed in section 6 of the paper.

use super::grid::{Algorithm, Load, Mobility};

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Quantity {
    /// Table 1, Figures 5 and 6.
    Time,
    /// Table 2, Figures 7 and 8.
    Messages,
}

impl Quantity {
    /// Both.
    pub const ALL: [Quantity; 2] = [Quantity::Time, Quantity::Messages];

    /// The name on an axis.
    pub fn label(self) -> &'static str {
        match self {
            Quantity::Time => "time units per CS entry",
            Quantity::Messages => "messages per CS entry",
        }
    }
}

/// The connectivities of the tables, in percent.
pub const CONNECTIVITIES: [u32; 2] = [20, 80];

/// The rows of the tables, in their order.
pub const ROWS: [(Algorithm, Load); 4] = [
    (Algorithm::Rr, Load::High),
    (Algorithm::Rl, Load::High),
    (Algorithm::Rr, Load::Low),
    (Algorithm::Rl, Load::Low),
];

/// Table 1. A row has zero, low and high mobility, each at 20 % and 80 %.
const TABLE_1: [[f64; 6]; 4] = [
    [185.0, 107.0, 185.0, 140.0, 294.0, 290.0],
    [75.0, 75.0, 63.0, 63.0, 49.0, 49.0],
    [17.0, 8.0, 39.0, 25.0, 60.0, 35.0],
    [7.0, 4.0, 5.0, 5.0, 6.0, 7.0],
];

/// Table 2.
const TABLE_2: [[f64; 6]; 4] = [
    [13.0, 6.0, 11.0, 7.0, 30.0, 20.0],
    [10.0, 27.0, 24.0, 25.0, 109.0, 109.0],
    [27.0, 13.0, 35.0, 20.0, 60.0, 50.0],
    [13.0, 17.0, 189.0, 180.0, 1900.0, 1825.0],
];

/// The published value, where the tables have one.
pub fn value(
    quantity: Quantity,
    algorithm: Algorithm,
    load: Load,
    mobility: Mobility,
    connectivity: u32,
) -> Option<f64> {
    let row = ROWS.iter().position(|&row| row == (algorithm, load))?;
    let place = CONNECTIVITIES.iter().position(|&percent| percent == connectivity)?;
    let column = mobility as usize * CONNECTIVITIES.len() + place;
    let table = match quantity {
        Quantity::Time => &TABLE_1,
        Quantity::Messages => &TABLE_2,
    };
    Some(table[row][column])
}
