//! Networks side by side, drawn as their nodes lie, with what became of each node.

use super::draw::lines;
use super::ink::Marker;
use super::layout::{LABEL_SIZE, LEADING, MARGIN, NOTE_SIZE, PANEL_TITLE_SIZE, TITLE_SIZE, WIDTH};
use super::pen::{Anchor, Pen, Place, pixels, text_width, wrapped};
use crate::markup::escape;

/// Some networks with a title, a legend and a note below.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// What is to be seen, on top.
    pub title: String,
    /// The networks, from left to right.
    pub charts: Vec<Chart>,
    /// Text below them.
    pub note: String,
}

/// One network.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What distinguishes it from the others.
    pub title: String,
    /// Where nodes are, in a square of side 1.
    pub places: Vec<(f64, f64)>,
    /// The ends of links, as places in the list of nodes.
    pub links: Vec<(usize, usize)>,
    /// What became of each node.
    pub marks: Vec<Mark>,
}

/// What became of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It has stopped.
    Stopped,
    /// It waits for ever, so many links away.
    Starves(u32),
    /// It goes on.
    Fine,
}

/// The colors of distances from 1 on; what is farther has the last. They grow lighter with the
/// distance, so that they are told apart without color too.
const REDS: [&str; 5] = ["#7f0000", "#b30000", "#e34a33", "#fc8d59", "#fdbb84"];
const FINE: &str = "#9ecae1";
const RIM: &str = "#555555";
const LINK: &str = "#cccccc";
const NOTE_COLOR: &str = "#555555";
const GAP: f64 = 24.0;
const RADIUS: f64 = 4.2;
const LEGEND_HEIGHT: f64 = 24.0;

impl Mark {
    fn color(self) -> &'static str {
        match self {
            Mark::Stopped => "#000000",
            Mark::Starves(distance) => REDS[(distance.max(1) as usize - 1).min(REDS.len() - 1)],
            Mark::Fine => FINE,
        }
    }

    fn marker(self) -> Marker {
        if self == Mark::Stopped { Marker::Diamond } else { Marker::Circle }
    }

    fn radius(self) -> f64 {
        if self == Mark::Stopped { 1.6 * RADIUS } else { RADIUS }
    }

    fn name(self) -> String {
        match self {
            Mark::Stopped => "has stopped".into(),
            Mark::Starves(1) => "starves, 1 link away".into(),
            Mark::Starves(distance) if distance as usize == REDS.len() => {
                format!("{distance} or more")
            }
            Mark::Starves(distance) => distance.to_string(),
            Mark::Fine => "goes on eating".into(),
        }
    }
}

impl Map {
    /// The map as one `<svg>` element, 900 pixels wide. Equal maps give equal bytes.
    #[must_use]
    pub fn svg(&self) -> String {
        let inner = WIDTH - 2.0 * MARGIN;
        let n = self.charts.len().max(1) as f64;
        let side = (inner - (n - 1.0) * GAP) / n;
        let title = wrapped(&self.title, TITLE_SIZE, inner);
        let note = wrapped(&self.note, NOTE_SIZE, inner);
        let legend_top = MARGIN + title.len() as f64 * TITLE_SIZE * LEADING;
        let top = legend_top + LEGEND_HEIGHT + PANEL_TITLE_SIZE * LEADING + 8.0;
        let note_top = top + side + 12.0;
        let height = note_top + note.len() as f64 * NOTE_SIZE * LEADING + MARGIN;
        let mut pen = Pen::default();
        let (w, h, label) = (pixels(WIDTH), pixels(height), escape(&self.title));
        pen.element(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\" role=\"img\" aria-label=\"{label}\" \
             font-family=\"system-ui, sans-serif\" fill=\"#222222\">"
        ));
        pen.element(&format!("<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>"));
        lines(&mut pen, (MARGIN, MARGIN), TITLE_SIZE, " font-weight=\"600\"", &title);
        draw_legend(&mut pen, legend_top + LEGEND_HEIGHT / 2.0);
        for (k, chart) in self.charts.iter().enumerate() {
            let left = MARGIN + k as f64 * (side + GAP);
            chart.draw(&mut pen, (left, top), side);
        }
        let gray = format!(" fill=\"{NOTE_COLOR}\"");
        lines(&mut pen, (MARGIN, note_top), NOTE_SIZE, &gray, &note);
        pen.element("</svg>");
        pen.svg
    }
}

fn draw_legend(pen: &mut Pen, y: f64) {
    let starving = (1..=REDS.len() as u32).map(Mark::Starves);
    let marks = [Mark::Stopped].into_iter().chain(starving).chain([Mark::Fine]);
    let mut x = MARGIN + 2.0 * RADIUS;
    for mark in marks {
        draw_mark(pen, mark, (x, y), "");
        x += 3.0 * RADIUS;
        let name = mark.name();
        pen.text((x, y + LABEL_SIZE * 0.35), Anchor::Start, LABEL_SIZE, &name);
        x += text_width(&name, LABEL_SIZE) + 4.0 * RADIUS;
    }
}

fn draw_mark(pen: &mut Pen, mark: Mark, place: Place, hint: &str) {
    let color = mark.color();
    pen.element(&format!("<g fill=\"{color}\" stroke=\"{RIM}\" stroke-width=\"0.8\">"));
    pen.marker(mark.marker(), place, mark.radius(), hint);
    pen.element("</g>");
}

impl Chart {
    fn draw(&self, pen: &mut Pen, (left, top): Place, side: f64) {
        let title = wrapped(&self.title, PANEL_TITLE_SIZE, side);
        let title_top = top - title.len() as f64 * PANEL_TITLE_SIZE * LEADING - 4.0;
        lines(pen, (left, title_top), PANEL_TITLE_SIZE, " font-weight=\"600\"", &title);
        let (room, edge) = (side - 4.0 * RADIUS, 2.0 * RADIUS);
        let at = |(x, y): (f64, f64)| (left + edge + x * room, top + edge + y * room);
        pen.element(&format!("<g stroke=\"{LINK}\" stroke-width=\"0.8\">"));
        for &(a, b) in &self.links {
            if let (Some(&a), Some(&b)) = (self.places.get(a), self.places.get(b)) {
                pen.stroke(at(a), at(b));
            }
        }
        pen.element("</g>");
        for (node, (&place, &mark)) in self.places.iter().zip(&self.marks).enumerate() {
            draw_mark(pen, mark, at(place), &format!("{node}: {}", mark.name()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::assert_well_formed;

    fn map(marks: [Mark; 3]) -> Map {
        let chart = Chart {
            title: "a < b".into(),
            places: vec![(0.0, 0.0), (1.0, 1.0), (0.5, 0.2)],
            links: vec![(0, 1), (1, 2), (2, 9)],
            marks: marks.to_vec(),
        };
        Map { title: "Who starves".into(), charts: vec![chart.clone(), chart], note: "n".into() }
    }

    #[test]
    fn every_node_and_every_link_is_drawn() {
        let svg = map([Mark::Stopped, Mark::Starves(1), Mark::Fine]).svg();
        assert_well_formed(&svg);
        // Two links, twice, whose ends are there; two marks besides the legend's, twice, are disks.
        assert_eq!(svg.matches("<path d=\"M").count(), 2 * 2 + 3);
        assert_eq!(svg.matches("<circle").count(), 2 * 2 + REDS.len() + 1);
        assert!(svg.contains("a &lt; b") && svg.contains("Who starves"));
    }

    #[test]
    fn what_is_far_has_the_last_color() {
        assert_eq!(Mark::Starves(5).color(), Mark::Starves(50).color());
        assert_ne!(Mark::Starves(4).color(), Mark::Starves(5).color());
        assert_eq!(Mark::Starves(0).color(), Mark::Starves(1).color());
    }
}
