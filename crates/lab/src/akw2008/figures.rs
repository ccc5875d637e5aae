//! The figures.

use super::crashes::{Place, Trial, share};
use super::grid::{Algorithm, DEGREE, Effort, Kind, Load, NODES, Point, Quantity, RATES};
use super::growth::{Along, Curve};
use crate::figure::{self, Axis, Figure, Ink, Panel, Series};
use crate::gathered::Gathered;

/// The ink of an algorithm, the same in all figures.
fn ink(algorithm: Algorithm) -> Ink {
    let place = Algorithm::ALL.iter().position(|&who| who == algorithm).unwrap_or(0);
    Ink::variant(place, place)
}

fn name(algorithm: Algorithm) -> String {
    match algorithm {
        Algorithm::ChoySingh | Algorithm::ChandyMisra => algorithm.name().into(),
        other => format!("Algorithm {}", other.name()),
    }
}

const MARKS: &str = "Marks: means with 95 % intervals over seeds.";

/// The longest wait against what grows.
pub fn response(results: &Gathered<Point>, effort: &Effort, along: Along) -> Figure {
    let (geometric, moving) = (Kind::Geometric(DEGREE), Kind::Moving(DEGREE));
    let (title, panels) = match along {
        Along::Nodes => (
            "The longest wait against the number of nodes",
            [
                ("path in order, all at once, in lockstep", Kind::Path, Load::Lockstep),
                ("geometric, hungry again at once", geometric, Load::AGAIN),
                ("moving, who stands still", moving, Load::AGAIN),
            ],
        ),
        Along::Degree => (
            "The longest wait against the largest degree",
            [
                ("clique, all hungry at once", Kind::Clique, Load::Once),
                ("geometric, hungry again at once", geometric, Load::AGAIN),
                ("moving, who stands still", moving, Load::AGAIN),
            ],
        ),
    };
    let note = format!("{MARKS} Messages take from 0.1 to 1 unit, a critical section takes 1.");
    let figure = Figure::new(title).with_note(note).with_own_y();
    let panel = |(title, kind, load): (&str, Kind, Load)| {
        let x = Axis::log(along.label(Quantity::Longest));
        let y = Axis::log(Quantity::Longest.label());
        let curve = |algorithm| {
            let places = Curve { algorithm, kind, load, along }.places(effort, Quantity::Longest);
            series(results, algorithm, places, Quantity::Longest)
        };
        kind.algorithms().into_iter().map(curve).fold(Panel::new(title, x, y), Panel::with_series)
    };
    panels.into_iter().map(panel).fold(figure, Figure::with_panel)
}

fn series(
    results: &Gathered<Point>,
    algorithm: Algorithm,
    points: Vec<(Point, f64)>,
    quantity: Quantity,
) -> Series {
    // All points of a curve are of kinds that measure alike.
    let kind = points.first().map_or(Kind::Path, |(point, _)| point.kind);
    let of = |metrics: &_| quantity.of(metrics, kind);
    results.curve(&name(algorithm), ink(algorithm), points, of)
}

/// Where [`locality`] looks.
pub const SHOWN: [Place; 3] =
    [(Kind::Path, 33), (Kind::Geometric(DEGREE), 64), (Kind::Moving(DEGREE), 64)];

/// How far [`locality`] looks.
pub const DISTANCES: u32 = 10;

/// The share of nodes that starve, against how far they are from the one that has stopped.
pub fn locality(results: &Gathered<Trial>) -> Figure {
    let note = format!(
        "{MARKS} Stated bounds: 2 links for Algorithm 2, 4 for Choy and Singh, 6 for Algorithm 1b, \
         the whole network for Algorithm 1a and for Chandy and Misra."
    );
    let figure = Figure::new("Who starves when a node stops, by the distance from it");
    let panel = |(kind, nodes): Place| {
        let x = Axis::linear("links from the node that stopped").with_range(0.5, 10.5);
        let y = Axis::linear("share that starves (%)").with_range(0.0, 100.0);
        let panel = Panel::new(format!("{} of {nodes} nodes", kind.name()), x, y);
        let curve = |algorithm| {
            let trial = (algorithm, (kind, nodes));
            let at = |distance| {
                let share = share(results, trial, distance)?.ratio_to(0.01)?;
                Some(figure::Point::of_estimate(f64::from(distance), &share))
            };
            let points = (1..=DISTANCES).filter_map(at).collect();
            Series::measured(name(algorithm), ink(algorithm), points)
        };
        kind.algorithms().into_iter().map(curve).fold(panel, Panel::with_series)
    };
    SHOWN.into_iter().map(panel).fold(figure.with_note(note), Figure::with_panel)
}

/// Messages per entry against load, size and degree.
pub fn messages(results: &Gathered<Point>, effort: &Effort) -> Figure {
    let geometric = Kind::Geometric(DEGREE);
    let figure = Figure::new("Messages per entry").with_note(MARKS).with_own_y();
    let panel = |title: &str, x: &str, points: &dyn Fn(Algorithm) -> Vec<(Point, f64)>| {
        let panel = Panel::new(title, Axis::log(x), Axis::log(Quantity::Messages.label()));
        let curve = |who| series(results, who, points(who), Quantity::Messages);
        Algorithm::ALL.into_iter().map(curve).fold(panel, Panel::with_series)
    };
    let by_load = |algorithm| {
        let at = |(k, &rate): (usize, &f64)| {
            let (kind, load) = (geometric, Load::Rate(k));
            (Point { algorithm, kind, nodes: NODES, load }, rate)
        };
        RATES.iter().enumerate().map(at).collect()
    };
    let by = |algorithm, along| {
        let curve = Curve { algorithm, kind: geometric, load: Load::AGAIN, along };
        curve.places(effort, Quantity::Messages)
    };
    let sizes = |algorithm| by(algorithm, Along::Nodes);
    let degrees = |algorithm| by(algorithm, Along::Degree);
    figure
        .with_panel(panel("64 nodes, degree 6", "load λ_req", &by_load))
        .with_panel(panel(
            "degree 6, hungry again at once",
            Along::Nodes.label(Quantity::Messages),
            &sizes,
        ))
        .with_panel(panel(
            "64 nodes, hungry again at once",
            Along::Degree.label(Quantity::Messages),
            &degrees,
        ))
}
