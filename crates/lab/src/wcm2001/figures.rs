//! Figures 6 to 9, as in the paper and with our additions.

use super::grid::{Algorithm, CONNECTIVITIES, FIXED, Mobility, Point, Quantity, RATES, TWO};
use crate::figure::{Axis, Figure, Ink, Panel};
use crate::gathered::Gathered;

/// One of the paper's figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plot {
    /// Its number in the paper.
    pub number: u32,
    /// What is on the y axis.
    pub quantity: Quantity,
    /// Whether the load is on the x axis; connectivity, if not.
    pub by_load: bool,
}

/// The figures with results, in their order.
pub const PLOTS: [Plot; 4] = [
    Plot { number: 6, quantity: Quantity::Time, by_load: true },
    Plot { number: 7, quantity: Quantity::Messages, by_load: true },
    Plot { number: 8, quantity: Quantity::Time, by_load: false },
    Plot { number: 9, quantity: Quantity::Messages, by_load: false },
];

/// Who is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cast {
    /// KRL and KRLF.
    Paper,
    /// KRLA and RK as well.
    Ours,
}

impl Cast {
    /// Both.
    pub const ALL: [Cast; 2] = [Cast::Paper, Cast::Ours];

    fn algorithms(self) -> &'static [Algorithm] {
        match self {
            Cast::Paper => &Algorithm::PAPER,
            Cast::Ours => &Algorithm::OURS,
        }
    }
}

impl Plot {
    /// The figure's title in the paper.
    pub fn title(self) -> String {
        let x = if self.by_load { "Load" } else { "Connectivity" };
        let y = match self.quantity {
            Quantity::Time => "time/CS entry",
            Quantity::Messages => "messages/CS entry",
        };
        let load = if self.by_load { "" } else { ", load 0.1" };
        format!("Figure {}. {x} vs. {y}, k = 3{load}", self.number)
    }

    /// The name of a file with this figure.
    pub fn file_name(self, cast: Cast) -> String {
        match cast {
            Cast::Paper => format!("figure{}.svg", self.number),
            Cast::Ours => format!("figure{}-ours.svg", self.number),
        }
    }

    /// The figure.
    pub fn figure(self, results: &Gathered<Point>, cast: Cast) -> Figure {
        let title = match cast {
            Cast::Paper => self.title(),
            Cast::Ours => format!("{}, with our additions", self.title()),
        };
        let figure = Figure::new(title).with_note(
            "Marks: means of all repetitions with 95 % intervals, which are not drawn where they \
             are smaller than the mark.",
        );
        let panels: Vec<Panel> = if self.by_load {
            Mobility::ALL.map(|mobility| self.against_load(results, cast, mobility)).to_vec()
        } else {
            let all = cast.algorithms().iter();
            all.map(|&algorithm| self.against_connectivity(results, algorithm)).collect()
        };
        panels.into_iter().fold(figure, Figure::with_panel)
    }

    fn y(self) -> Axis {
        match self.quantity {
            Quantity::Time => Axis::linear(self.quantity.label()),
            Quantity::Messages => Axis::log(self.quantity.label()),
        }
    }

    fn against_load(self, results: &Gathered<Point>, cast: Cast, mobility: Mobility) -> Panel {
        let x = Axis::log("load λ_req (requests per time unit)");
        let mut panel = Panel::new(mobility.name(), x, self.y());
        for (color, &algorithm) in cast.algorithms().iter().enumerate() {
            for (step, connectivity) in TWO.into_iter().enumerate() {
                let at = |(rate_index, &rate)| {
                    (Point { algorithm, mobility, connectivity, rate_index }, rate)
                };
                let name = format!("{} {connectivity} %", algorithm.name());
                let points = RATES.iter().enumerate().map(at);
                let ink = Ink::variant(color, step);
                panel = panel.with_series(results.curve(&name, ink, points, self.quantity.of()));
            }
        }
        panel
    }

    /// A panel for each algorithm, so that the mobilities can be compared.
    fn against_connectivity(self, results: &Gathered<Point>, algorithm: Algorithm) -> Panel {
        let x = Axis::linear("connectivity (%)").with_range(0.0, 85.0);
        let mut panel = Panel::new(algorithm.name(), x, self.y());
        for (step, mobility) in Mobility::ALL.into_iter().enumerate() {
            let at = |connectivity: u32| {
                let point = Point { algorithm, mobility, connectivity, rate_index: FIXED };
                (point, f64::from(connectivity))
            };
            let points = CONNECTIVITIES.into_iter().map(at);
            let ink = Ink::variant(step, step);
            let curve = results.curve(mobility.name(), ink, points, self.quantity.of());
            panel = panel.with_series(curve);
        }
        panel
    }
}
