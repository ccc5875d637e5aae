//! Colors, dashes and markers.

/// The colors of Okabe and Ito without yellow, which vanishes on white: distinct for every common
/// kind of color vision.
const COLORS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#333333"];

/// How a series is drawn. Color, dash and marker can each carry a meaning of their own: color for
/// the algorithm, dash and marker for the connectivity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ink {
    /// Index into a palette of seven colorblind-safe colors: blue, vermilion, green, pink, sky,
    /// orange, black. Larger indexes start again.
    pub color: usize,
    /// The pattern of the line.
    pub dash: Dash,
    /// The shape of the points.
    pub marker: Marker,
}

/// The pattern of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// Without gaps.
    #[default]
    Solid,
    /// Long strokes.
    Dashed,
    /// Short strokes.
    Dotted,
    /// Long and short strokes in turn.
    DashDot,
}

/// The shape of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Marker {
    /// A disk.
    #[default]
    Circle,
    /// A square on its side.
    Square,
    /// A square on its corner.
    Diamond,
    /// A triangle with its point up.
    TriangleUp,
    /// A triangle with its point down.
    TriangleDown,
}

impl Ink {
    /// Ink of a color of the palette.
    #[must_use]
    pub fn new(color: usize, dash: Dash, marker: Marker) -> Ink {
        Ink { color, dash, marker }
    }

    /// The same color for a different dash and marker with each step, so that variants of one
    /// algorithm are recognized as such, also in print without color.
    #[must_use]
    pub fn variant(color: usize, step: usize) -> Ink {
        let dashes = [Dash::Solid, Dash::Dashed, Dash::Dotted, Dash::DashDot];
        let markers = [
            Marker::Circle,
            Marker::Square,
            Marker::TriangleUp,
            Marker::Diamond,
            Marker::TriangleDown,
        ];
        Ink { color, dash: dashes[step % dashes.len()], marker: markers[step % markers.len()] }
    }

    pub(super) fn color_code(self) -> &'static str {
        COLORS[self.color % COLORS.len()]
    }
}

impl Dash {
    /// The lengths of strokes and gaps, or none for a line without gaps.
    pub(super) fn pattern(self) -> Option<&'static str> {
        match self {
            Dash::Solid => None,
            Dash::Dashed => Some("7 3.5"),
            Dash::Dotted => Some("2 3"),
            Dash::DashDot => Some("9 3 2 3"),
        }
    }
}

impl Marker {
    /// The corners around the origin for a marker that looks as large as a disk of this radius, or
    /// none for the disk itself.
    pub(super) fn corners(self, radius: f64) -> Option<Vec<(f64, f64)>> {
        let unit: &[(f64, f64)] = match self {
            Marker::Circle => return None,
            Marker::Square => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
            Marker::Diamond => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
            Marker::TriangleUp => &[(0.0, -1.3), (1.15, 0.75), (-1.15, 0.75)],
            Marker::TriangleDown => &[(0.0, 1.3), (-1.15, -0.75), (1.15, -0.75)],
        };
        Some(unit.iter().map(|(x, y)| (x * radius, y * radius)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_palette_starts_again() {
        let color = |index| Ink::new(index, Dash::Solid, Marker::Circle).color_code();
        assert_eq!(color(0), color(7));
        assert_ne!(color(0), color(1));
    }

    #[test]
    fn variants_of_a_color_differ() {
        let variants: Vec<Ink> = (0..20).map(|step| Ink::variant(3, step)).collect();
        for (at, one) in variants.iter().enumerate() {
            assert!(!variants[at + 1..].contains(one), "variant {at} repeats");
        }
    }
}
