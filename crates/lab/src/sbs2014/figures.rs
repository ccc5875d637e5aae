//! The figures of the paper.

use super::grid::{ASKERS, BAND_LOADS, LOADS, Mobility, NAMED, NODES, Point, Quantity, Who};
use crate::figure::{Axis, Figure, Ink, Panel, Series};
use crate::gathered::Gathered;

const MARKS: &str = "Marks: means with 95 % intervals over seeds.";

/// A protocol has its color in all figures.
fn ink(who: Who, dash: usize) -> Ink {
    Ink::variant(usize::from(who == Who::Ring), dash)
}

/// A quantity against the load: Figure 2 is hops per entry, Figure 3 is messages.
pub fn by_load(results: &Gathered<Point>, quantity: Quantity) -> Figure {
    let title = match quantity {
        Quantity::Hops => "Figure 2: hops per entry against the request load",
        Quantity::Traffic => "Figure 3: messages against the request load",
        Quantity::Messages => "Messages per entry against the request load",
        Quantity::Wait => "Processing time against the request load",
        Quantity::Upkeep => "Messages that keep clusters against the request load",
    };
    let panel = Panel::new(format!("{NODES} nodes, 8-40 m/s"), load_axis(), y(quantity));
    let curve = |who: Who| {
        let points = (0..LOADS.len()).map(|load| (Point::usual(who, load), LOADS[load]));
        results.curve(who.name(), ink(who, 0), points, |metrics| quantity.of(metrics))
    };
    let panel = Who::ALL.into_iter().map(curve).fold(panel, Panel::with_series);
    Figure::new(title).with_note(MARKS).with_panel(panel)
}

/// Messages per entry against the number of those who ask: Figures 4, 5 and 6, a panel each.
pub fn by_askers(results: &Gathered<Point>) -> Figure {
    let figure = Figure::new("Figures 4, 5, 6: messages per entry against the number of requests");
    let panel = |(load, name): (usize, &str)| {
        let title = format!("{name} load: {} a second each", LOADS[load]);
        let x = Axis::log(format!("nodes that ask, of {NODES}"));
        let curve = |who: Who| {
            let at = |askers| (Point::usual(who, load).asked_by(askers), askers as f64);
            let of = |metrics: &_| Quantity::Messages.of(metrics);
            results.curve(who.name(), ink(who, 0), ASKERS.map(at), of)
        };
        let panel = Panel::new(title, x, y(Quantity::Messages));
        Who::ALL.into_iter().map(curve).fold(panel, Panel::with_series)
    };
    NAMED.into_iter().map(panel).fold(figure.with_note(MARKS), Figure::with_panel)
}

/// A quantity against the load, by how fast nodes are: Figure 7 is messages, Figure 8 is time.
pub fn by_mobility(results: &Gathered<Point>, quantity: Quantity) -> Figure {
    let title = match quantity {
        Quantity::Wait => "Figure 8: processing time against the request load, by mobility",
        _ => "Figure 7: messages against the request load, by mobility",
    };
    let panel = |who: Who| {
        let panel = Panel::new(who.name(), load_axis(), y(quantity));
        let bands = Mobility::BANDS.into_iter().enumerate();
        let curve = |(k, band)| -> Series {
            let at = |load| (Point::usual(who, load).moving(band), LOADS[load]);
            let of = |metrics: &_| quantity.of(metrics);
            results.curve(band.name(), Ink::variant(k, k), BAND_LOADS.map(at), of)
        };
        bands.map(curve).fold(panel, Panel::with_series)
    };
    let figure = Figure::new(title).with_note(MARKS);
    Who::ALL.into_iter().map(panel).fold(figure, Figure::with_panel)
}

fn load_axis() -> Axis {
    Axis::log("requests of a node in a second")
}

fn y(quantity: Quantity) -> Axis {
    Axis::log(quantity.label())
}
