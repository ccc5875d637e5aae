//! Figures 5 to 8.

use super::grid::{
    Algorithm, CONNECTIVITIES, Load, Mobility, Model, Point, RATES, Reading, Rule, reading_name,
};
use super::published::{self, Quantity};
use super::results::Results;
use crate::figure::{self, Axis, Figure, Ink, Panel, Series};

/// What is on the x axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Against {
    /// λ_req, on a logarithmic axis.
    Load,
    /// Initial links in percent of all pairs.
    Connectivity,
}

/// One of the paper's figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plot {
    /// Its number in the paper.
    pub number: u32,
    /// What is on the y axis.
    pub quantity: Quantity,
    /// What is on the x axis.
    pub against: Against,
}

/// The figures with results, in their order.
pub const PLOTS: [Plot; 4] = [
    Plot { number: 5, quantity: Quantity::Time, against: Against::Load },
    Plot { number: 6, quantity: Quantity::Time, against: Against::Connectivity },
    Plot { number: 7, quantity: Quantity::Messages, against: Against::Load },
    Plot { number: 8, quantity: Quantity::Messages, against: Against::Connectivity },
];

impl Plot {
    /// The figure's title in the paper.
    pub fn title(self) -> String {
        let (x, y) = match (self.against, self.quantity) {
            (Against::Load, Quantity::Time) => ("Load", "time/CS entry"),
            (Against::Load, Quantity::Messages) => ("Load", "messages/CS entry"),
            (Against::Connectivity, Quantity::Time) => ("Connectivity", "time/CS entry"),
            (Against::Connectivity, Quantity::Messages) => ("Connectivity", "messages/CS entry"),
        };
        format!("Figure {}. {x} vs. {y}", self.number)
    }

    /// The name of a file with this figure.
    pub fn file_stem(self, reading: Reading) -> String {
        let rule = if reading.0 == Rule::Cold { "cold" } else { "steady" };
        let model = if reading.1 == Model::Toggle { "toggle" } else { "literal" };
        format!("figure{}-{rule}-{model}", self.number)
    }

    /// The figure under one reading, with the values of the paper's tables as hollow marks.
    pub fn figure(self, results: &Results, reading: Reading) -> Figure {
        let title = format!("{} ({})", self.title(), reading_name(reading));
        let mut figure = Figure::new(title).with_note(
            "Marks: means of all repetitions with 95 % intervals, which are not drawn where they \
             are smaller than the mark. Hollow: the values of the paper's tables.",
        );
        for mobility in Mobility::ALL {
            figure = figure.with_panel(self.panel(results, reading, mobility));
        }
        // Message counts span three decades between the panels, as in the paper.
        if self.quantity == Quantity::Messages { figure.with_own_y() } else { figure }
    }

    fn panel(self, results: &Results, reading: Reading, mobility: Mobility) -> Panel {
        let x = match self.against {
            Against::Load => Axis::log("load λ_req (requests per time unit)"),
            Against::Connectivity => Axis::linear("connectivity (%)").with_range(0.0, 105.0),
        };
        let logarithmic = self.quantity == Quantity::Messages && mobility != Mobility::Zero;
        let label = self.quantity.label();
        let y = if logarithmic { Axis::log(label) } else { Axis::linear(label) };
        let mut panel = Panel::new(mobility.name(), x, y);
        for curve in self.curves() {
            panel = panel.with_series(curve.measured(self, results, reading, mobility));
        }
        for curve in self.curves() {
            panel = panel.with_series(curve.published(self, mobility));
        }
        panel
    }

    fn curves(self) -> Vec<Curve> {
        let mut curves = Vec::new();
        for (color, algorithm) in Algorithm::ALL.into_iter().enumerate() {
            for step in [0, 1] {
                let ink = Ink::variant(color, step);
                let parameter = match self.against {
                    Against::Load => Parameter::Connectivity([20, 80][step]),
                    Against::Connectivity => Parameter::Load([Load::Low, Load::High][step]),
                };
                curves.push(Curve { algorithm, parameter, ink });
            }
        }
        curves
    }
}

/// What is the same along a curve.
#[derive(Clone, Copy)]
enum Parameter {
    Connectivity(u32),
    Load(Load),
}

struct Curve {
    algorithm: Algorithm,
    parameter: Parameter,
    ink: Ink,
}

impl Curve {
    fn name(&self) -> String {
        match self.parameter {
            Parameter::Connectivity(percent) => format!("{} {percent} %", self.algorithm.name()),
            Parameter::Load(load) => format!("{} {}", self.algorithm.name(), load.name()),
        }
    }

    /// Connectivity and place of the load of every point, with its x.
    fn places(&self) -> Vec<(u32, usize, f64)> {
        match self.parameter {
            Parameter::Connectivity(percent) => {
                RATES.iter().enumerate().map(|(k, &rate)| (percent, k, rate)).collect()
            }
            Parameter::Load(load) => CONNECTIVITIES
                .iter()
                .map(|&percent| (percent, load.rate_index(), f64::from(percent)))
                .collect(),
        }
    }

    fn measured(
        &self,
        plot: Plot,
        results: &Results,
        reading: Reading,
        mobility: Mobility,
    ) -> Series {
        let algorithm = self.algorithm;
        let at = |(connectivity, rate_index, x)| {
            let point = Point { algorithm, reading, mobility, connectivity, rate_index };
            let estimate = results.estimate(point, plot.quantity)?;
            Some(figure::Point::of_estimate(x, &estimate))
        };
        Series::measured(self.name(), self.ink, self.places().into_iter().filter_map(at).collect())
    }

    fn published(&self, plot: Plot, mobility: Mobility) -> Series {
        let at = |(connectivity, rate_index, x)| {
            let load = Load::ALL.into_iter().find(|load| load.rate_index() == rate_index)?;
            let value =
                published::value(plot.quantity, self.algorithm, load, mobility, connectivity)?;
            Some(figure::Point::new(x, value))
        };
        let points = self.places().into_iter().filter_map(at).collect();
        Series::published("the paper's tables", self.ink, points)
    }
}
