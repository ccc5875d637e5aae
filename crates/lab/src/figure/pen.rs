//! The SVG elements a figure is made of, and how wide text is.

use super::ink::Marker;
use crate::markup::escape;

/// A place on the sheet, in pixels from its top left corner.
pub(super) type Place = (f64, f64);

/// Which part of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Writes elements one per line.
#[derive(Debug, Default)]
pub(super) struct Pen {
    pub(super) svg: String,
}

impl Pen {
    pub(super) fn element(&mut self, markup: &str) {
        self.svg.push_str(markup);
        self.svg.push('\n');
    }

    /// A straight stroke, with the attributes of the group it is in.
    pub(super) fn stroke(&mut self, (x1, y1): Place, (x2, y2): Place) {
        let (x1, y1, x2, y2) = (pixels(x1), pixels(y1), pixels(x2), pixels(y2));
        self.element(&format!("<path d=\"M{x1} {y1}L{x2} {y2}\"/>"));
    }

    pub(super) fn text(&mut self, (x, y): Place, anchor: Anchor, size: f64, text: &str) {
        self.styled_text((x, y), anchor, size, "", text);
    }

    /// Text with further attributes.
    pub(super) fn styled_text(
        &mut self,
        (x, y): Place,
        anchor: Anchor,
        size: f64,
        attributes: &str,
        text: &str,
    ) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y, size, text) = (pixels(x), pixels(y), pixels(size), escape(text));
        self.element(&format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor}{attributes}>{text}</text>"
        ));
    }

    /// A marker with a text that browsers show when the pointer rests on it.
    pub(super) fn marker(&mut self, marker: Marker, (x, y): Place, radius: f64, hint: &str) {
        let hint = match hint {
            "" => String::new(),
            hint => format!("<title>{}</title>", escape(hint)),
        };
        self.element(&match marker.corners(radius) {
            None => {
                let (x, y, radius) = (pixels(x), pixels(y), pixels(radius));
                format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\">{hint}</circle>")
            }
            Some(corners) => {
                let corner = |(dx, dy): &Place| format!("{} {}", pixels(x + dx), pixels(y + dy));
                let corners: Vec<String> = corners.iter().map(corner).collect();
                format!("<path d=\"M{}Z\">{hint}</path>", corners.join("L"))
            }
        });
    }
}

/// A length with at most two decimals: a hundredth of a pixel is invisible, and fewer digits make
/// smaller files and shorter differences.
pub(super) fn pixels(length: f64) -> String {
    let hundredths = (length * 100.0).round() as i64;
    let sign = if hundredths < 0 { "-" } else { "" };
    let (whole, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    match rest {
        0 => format!("{sign}{whole}"),
        rest if rest % 10 == 0 => format!("{sign}{whole}.{}", rest / 10),
        rest => format!("{sign}{whole}.{rest:02}"),
    }
}

/// The width of a text, on the generous side: the font is the reader's, so the widest of the usual
/// sans-serif fonts is assumed.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let em = |character: char| match character {
        ' ' | '.' | ',' | ':' | ';' | '\'' | '|' | 'i' | 'j' | 'l' | 'I' => 0.33,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' | '"' => 0.42,
        '⁰'..='⁹' | '⁻' | '¹' | '²' | '³' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.96,
        'A'..='Z' | '±' | '×' | '−' | '+' | '=' | '<' | '>' | '~' => 0.76,
        _ => 0.63,
    };
    text.chars().map(em).sum::<f64>() * size
}

/// The text in lines of at most this width, broken at spaces, and inside a word that is longer.
pub(super) fn wrapped(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.extend(pieces(word, size, width)),
        }
    }
    lines
}

/// A word in pieces of at most this width, but of a character at least.
fn pieces(word: &str, size: f64, width: f64) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for character in word.chars() {
        match pieces.last_mut() {
            Some(piece)
                if piece.is_empty()
                    || text_width(&format!("{piece}{character}"), size) <= width =>
            {
                piece.push(character);
            }
            _ => pieces.push(character.into()),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_have_at_most_two_decimals() {
        assert_eq!(pixels(12.0), "12");
        assert_eq!(pixels(12.345), "12.35");
        assert_eq!(pixels(12.05), "12.05");
        assert_eq!(pixels(-0.5), "-0.5");
        assert_eq!(pixels(-0.001), "0");
    }

    #[test]
    fn wrapped_lines_are_narrow_and_complete() {
        let text = "Twelve  repetitions per point\nof ten thousand entries each.";
        let lines = wrapped(text, 10.0, 100.0);
        assert!(2 < lines.len());
        assert!(lines.iter().all(|line| text_width(line, 10.0) <= 100.0));
        assert_eq!(lines.join(" "), text.replace("  ", " ").replace('\n', " "));
        assert_eq!(wrapped("", 10.0, 100.0), Vec::<String>::new());
        assert_eq!(wrapped("wés", 10.0, 5.0), ["w", "é", "s"]);
    }

    #[test]
    fn text_is_escaped() {
        let mut pen = Pen::default();
        pen.text((1.0, 2.5), Anchor::Middle, 11.0, "a < b");
        assert_eq!(
            pen.svg,
            "<text x=\"1\" y=\"2.5\" font-size=\"11\" text-anchor=\"middle\">a &lt; b</text>\n"
        );
    }
}
