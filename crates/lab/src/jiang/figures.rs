//! The figures.

use super::grid::{
    Bound, CHANGES, LENGTHS, Point, Quantity, RATES, RESOURCES, SHARES, Who, popular_wait,
    unpopular_wait,
};
use crate::figure::{Axis, Figure, Ink, Panel};
use crate::gathered::Gathered;

/// What is varied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Against {
    /// λ_req.
    Load,
    /// How many resources there are.
    Resources,
    /// How often links change.
    Changes,
}

impl Against {
    /// All three.
    pub const ALL: [Against; 3] = [Against::Load, Against::Resources, Against::Changes];

    /// The points of a curve, each with its x.
    pub fn points(self, who: Who, length: u32) -> Vec<(Point, f64)> {
        let usual = Point::usual(who, length);
        match self {
            Against::Load => {
                let at = |(k, &rate)| (usual.at_load(k), rate);
                RATES.iter().enumerate().map(at).collect()
            }
            Against::Resources => {
                RESOURCES.iter().map(|&n| (usual.of_resources(n), f64::from(n))).collect()
            }
            Against::Changes => {
                let at = |(k, &rate)| (usual.moving(k), rate);
                CHANGES.iter().enumerate().map(at).collect()
            }
        }
    }

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Against::Load => "load",
            Against::Resources => "resources",
            Against::Changes => "link changes per unit",
        }
    }

    /// The stem of file names.
    pub fn stem(self) -> &'static str {
        match self {
            Against::Load => "load",
            Against::Resources => "resources",
            Against::Changes => "mobility",
        }
    }

    /// What a table or a figure about it is called.
    pub fn title(self) -> &'static str {
        match self {
            Against::Load => "Load: 3 resources, no mobility",
            Against::Resources => "Number of resources: load 0.1, no mobility",
            Against::Changes => "Mobility: 3 resources, load 0.1",
        }
    }

    fn x(self) -> Axis {
        match self {
            Against::Load => Axis::log("load λ_req"),
            Against::Resources => Axis::linear("resources").with_range(0.0, 10.5),
            Against::Changes => Axis::log("links replaced per unit"),
        }
    }

    /// The figure, a panel for each quantity.
    pub fn figure(self, results: &Gathered<Point>) -> Figure {
        let note = match self {
            Against::Changes => "The static network is in the figure on load, at 0.1.",
            _ => "RL has one lock for all resources.",
        };
        let marks = "Marks: means with 95 % intervals. CS: how long a critical section takes.";
        let figure = Figure::new(self.title()).with_note(format!("{marks} {note}")).with_own_y();
        let panels = Quantity::ALL.map(|quantity| self.panel(results, quantity));
        panels.into_iter().fold(figure, Figure::with_panel)
    }

    fn panel(self, results: &Gathered<Point>, quantity: Quantity) -> Panel {
        let y = match quantity {
            Quantity::Time => Axis::log(quantity.label()),
            _ => Axis::linear(quantity.label()),
        };
        let mut panel = Panel::new("", self.x(), y);
        for (color, who) in Who::TWO.into_iter().enumerate() {
            for (step, length) in LENGTHS.into_iter().enumerate() {
                // One lock has no switches.
                if quantity == Quantity::Switches && who == Who::Rl {
                    continue;
                }
                let drawn = self.points(who, length).into_iter().filter(|&(_, x)| x > 0.0);
                let name = format!("{} CS {length}", who.name());
                let ink = Ink::variant(color, step);
                let of = |metrics: &_| quantity.of(metrics, length);
                panel = panel.with_series(results.curve(&name, ink, drawn, of));
            }
        }
        panel
    }
}

/// How long those wait who want the popular resource, and the others.
pub fn popular(results: &Gathered<Point>) -> Figure {
    let title = "A popular resource: 3 resources, load 0.1, no mobility";
    let note = "Marks: means with 95 % intervals. Bounds are on the entries for the resource in \
                use once another is asked for.";
    let figure = Figure::new(title).with_note(note).with_own_y();
    let panel = |length: u32| {
        let x = Axis::linear("share of the popular resource (%)").with_range(45.0, 100.0);
        let y = Axis::log("time units per entry");
        let mut panel = Panel::new(format!("CS {length}"), x, y);
        for (color, bound) in Bound::ALL.into_iter().enumerate() {
            let usual = Point::usual(Who::Gme(bound), length);
            let points = SHARES.map(|share| (usual.with_share(share), f64::from(share)));
            let (name, ink) = (bound.name(), Ink::variant(color, 0));
            let popular = format!("popular, {name}");
            panel = panel.with_series(results.curve(&popular, ink, points, popular_wait));
            let (others, ink) = (format!("others, {name}"), Ink::variant(color, 1));
            panel = panel.with_series(results.curve(&others, ink, points, unpopular_wait));
        }
        panel
    };
    LENGTHS.map(panel).into_iter().fold(figure, Figure::with_panel)
}
