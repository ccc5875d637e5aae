//! A map of nodes and links, drawn with characters.

use super::scene::Mark;
use super::world::WIDTH;

/// How many characters the map is wide and high.
pub(super) const SIZE: (usize, usize) = (76, 13);

/// How a character looks, as the terminal is told.
type Style = &'static str;

/// Nothing special.
const PLAIN: Style = "";
/// Links, which are many.
const FAINT: Style = "2";
/// Inside each of the locks.
pub(super) const INSIDE: [Style; 4] = ["30;43", "35", "32", "30;46"];

#[derive(Clone, Copy)]
struct Cell {
    /// Dots of a Braille character, two by four.
    dots: u8,
    /// What is there instead of them.
    label: Option<(char, Style)>,
}

/// The lines of the map.
pub(super) fn draw(marks: &[Mark], links: &[(usize, usize)]) -> Vec<String> {
    let mut cells = vec![vec![Cell { dots: 0, label: None }; SIZE.0]; SIZE.1];
    for &(a, b) in links {
        line(&mut cells, &marks[a], &marks[b]);
    }
    // Whoever is inside is not hidden by others.
    let mut order: Vec<usize> = (0..marks.len()).collect();
    order.sort_by_key(|&node| core::cmp::Reverse(marks[node].inside.unwrap_or(usize::MAX)));
    for node in order {
        label(&mut cells, node, &marks[node]);
    }
    cells.iter().map(|row| text(row)).collect()
}

/// A text in a style.
pub(super) fn styled(text: &str, style: Style) -> String {
    if style.is_empty() { text.into() } else { format!("\x1b[{style}m{text}\x1b[0m") }
}

/// Where a node is, in dots.
fn dot(mark: &Mark) -> (f64, f64) {
    let wide = (2 * SIZE.0 - 1) as f64;
    let high = (4 * SIZE.1 - 1) as f64;
    (mark.place.x / WIDTH * wide, mark.place.y * high)
}

fn line(cells: &mut [Vec<Cell>], a: &Mark, b: &Mark) {
    let ((x, y), (to_x, to_y)) = (dot(a), dot(b));
    let steps = (to_x - x).abs().max((to_y - y).abs()).ceil().max(1.0);
    for step in 0..=steps as usize {
        // Every other dot: links are many.
        if step % 2 == 0 {
            let part = step as f64 / steps;
            let (x, y) = (x + (to_x - x) * part, y + (to_y - y) * part);
            set(cells, x.round() as usize, y.round() as usize);
        }
    }
}

fn set(cells: &mut [Vec<Cell>], x: usize, y: usize) {
    const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
    if let Some(cell) = cells.get_mut(y / 4).and_then(|row| row.get_mut(x / 2)) {
        cell.dots |= BITS[y % 4][x % 2];
    }
}

fn label(cells: &mut [Vec<Cell>], node: usize, mark: &Mark) {
    let text = format!("{}{node}", if mark.moves { '▲' } else { '■' });
    let style = mark.inside.map_or(PLAIN, |lock| INSIDE[lock]);
    let (x, y) = dot(mark);
    let row = (y.round() as usize / 4).min(SIZE.1 - 1);
    let first = (x.round() as usize / 2).min(SIZE.0 - text.chars().count());
    for (column, character) in (first..).zip(text.chars()) {
        cells[row][column].label = Some((character, style));
    }
}

fn text(row: &[Cell]) -> String {
    let shown = |cell: &Cell| match cell.label {
        Some(label) => label,
        None if cell.dots == 0 => (' ', PLAIN),
        None => (char::from_u32(0x2800 + u32::from(cell.dots)).unwrap_or(' '), FAINT),
    };
    let shown: Vec<(char, Style)> = row.iter().map(shown).collect();
    let runs = shown.chunk_by(|a, b| a.1 == b.1);
    let run = |run: &[(char, Style)]| {
        let text: String = run.iter().map(|(character, _)| character).collect();
        styled(&text, run[0].1)
    };
    runs.map(run).collect()
}

#[cfg(test)]
mod tests {
    use super::super::world::Point;
    use super::*;

    fn mark(x: f64, y: f64, inside: Option<usize>) -> Mark {
        Mark { place: Point { x, y }, moves: inside.is_none(), inside }
    }

    #[test]
    fn nodes_are_where_they_are_and_links_between_them() {
        let marks = [mark(0.0, 0.0, None), mark(WIDTH, 0.0, Some(0)), mark(WIDTH, 1.0, None)];
        let lines = draw(&marks, &[(0, 1)]);
        assert_eq!(lines.len(), SIZE.1);
        let links = "\x1b[2m".to_owned() + &"⠁".repeat(SIZE.0 - 4) + "\x1b[0m";
        assert_eq!(lines[0], format!("▲0{links}\x1b[30;43m■1\x1b[0m"));
        assert_eq!(lines[SIZE.1 - 1], " ".repeat(SIZE.0 - 2) + "▲2");
        assert!(lines[1..SIZE.1 - 1].iter().all(|line| *line == " ".repeat(SIZE.0)));
    }
}
