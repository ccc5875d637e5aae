//! Which format a file is in, from how it starts: [`recognize`].

use crate::source::{HEAD, START};
use crate::{Format, Place, TraceError, csv};

/// How many lines are looked at.
const MOST_LINES: usize = 50;

/// What a line looks like.
struct Look<'a> {
    text: &'a str,
    fields: Vec<&'a str>,
}

impl Look<'_> {
    /// How many fields it has, if all of them are numbers.
    fn numbers(&self) -> Option<usize> {
        let is_number = |field: &&str| field.parse::<f64>().is_ok_and(f64::is_finite);
        self.fields.iter().all(is_number).then_some(self.fields.len())
    }

    /// How many fields it has, if the first of them is a number.
    fn fields_after_number(&self) -> Option<usize> {
        let first = self.fields.first()?;
        first.parse::<f64>().is_ok().then_some(self.fields.len())
    }

    fn is_whole(&self, k: usize) -> bool {
        self.fields.get(k).is_some_and(|field| field.parse::<u64>().is_ok())
    }
}

/// The format of a file that starts with these bytes.
pub(crate) fn recognize(head: &[u8]) -> Result<Format, TraceError> {
    let text = String::from_utf8_lossy(head);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    // A head of full length ends in the middle of something.
    let is_cut = head.len() as u64 >= HEAD;
    let end = text.rfind(char::is_whitespace).filter(|_| is_cut);
    let text = &text[..end.unwrap_or(text.len())];
    if text.trim_start().starts_with('<') {
        return Ok(Format::Fcd);
    }
    let is_filled = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let lines = text.lines().map(str::trim).filter(is_filled).take(MOST_LINES);
    let looks: Vec<Look<'_>> =
        lines.map(|text| Look { text, fields: text.split_whitespace().collect() }).collect();
    let Some(first) = looks.first() else {
        let what =
            if text.is_empty() { "the file is empty" } else { "there is nothing in the file" };
        return Err(unknown(what.into(), "get it again".into()));
    };
    if first.text.starts_with(['{', '[']) {
        let advice = "write the contacts in it as CSV, `start,end,a,b` in a line each: for JSON of \
                      SocioPatterns docs/traces.md has a line of `jq` that does it";
        return Err(unknown("the file is JSON".into(), advice.into()));
    }
    if let Some(format) = by_word(&looks) {
        return Ok(format);
    }
    let shown: String = first.text.chars().take(60).flat_map(char::escape_debug).collect();
    if let Some(candidates) = ambiguous(&looks) {
        let shapes = candidates.iter().map(|(key, shape)| format!("{key} (`{shape}`)"));
        let shapes = shapes.collect::<Vec<_>>().join(", ");
        let what = format!("`{shown}` may be {shapes} or something else");
        return Err(unknown(what, "say which, with --format".into()));
    }
    if let Some(field) = strange(first) {
        let what = format!("`{field}` is not a number that something can be at, or a time");
        let advice = "write finite numbers, like 2.5 or 1e3".into();
        return Err(TraceError::Unknown { place: place_of(text, field), what, advice });
    }
    by_numbers(first, looks.get(1)).ok_or_else(|| {
        let keys = Format::ALL.map(Format::key).join(", ");
        let advice = format!("if it is one of these, say so with --format: {keys}");
        unknown(format!("the format is not recognized from `{shown}`"), advice)
    })
}

fn unknown(what: String, advice: String) -> TraceError {
    TraceError::Unknown { place: START, what, advice }
}

/// The first number of a line that is not finite, if all its fields are numbers.
fn strange<'a>(first: &Look<'a>) -> Option<&'a str> {
    let values: Option<Vec<f64>> =
        first.fields.iter().map(|field| field.parse::<f64>().ok()).collect();
    let k = values?.iter().position(|value| !value.is_finite())?;
    first.fields.get(k).copied()
}

/// Where this part of a text is.
fn place_of(text: &str, part: &str) -> Place {
    let before = &text[..part.as_ptr() as usize - text.as_ptr() as usize];
    let line = before.matches('\n').count() as u64 + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    Place { line, column: column as u64 + 1 }
}

/// What else columns of numbers may be that look like a format, by the names of formats and what is
/// in their columns: nobody should guess there, since both can be read and only one is right.
fn ambiguous(looks: &[Look<'_>]) -> Option<&'static [Candidate]> {
    let first = looks.first()?;
    let all = |n: usize, columns: &[usize]| {
        // The last line may be cut off, or be something else.
        let mut same = looks.iter().take_while(|look| look.numbers() == Some(n)).peekable();
        same.peek().is_some() && same.all(|look| columns.iter().all(|&k| look.is_whole(k)))
    };
    match first.numbers()? {
        n @ (6 | 8) if looks.get(1).is_some_and(|look| look.fields.len() == n / 2 + 1) => None,
        3 if all(3, &[1, 2]) && !first.is_whole(0) => Some(&THREE),
        4 if all(4, &[0, 1]) || all(4, &[2, 3]) => Some(&FOUR),
        6 if all(6, &[0, 1]) && !all(6, &[0, 1, 2, 3, 4, 5]) => Some(&SIX),
        6 | 8 if looks.len() == 1 && is_header(first) => Some(&HEADER),
        _ => None,
    }
}

/// Whether it may be the header of the ONE's movement: pairs of a least and a greatest value.
fn is_header(look: &Look<'_>) -> bool {
    let value = |k: usize| look.fields[k].parse::<f64>().unwrap_or(f64::NAN);
    (0..look.fields.len()).step_by(2).all(|k| value(k) <= value(k + 1))
}

/// The key of a format, and what its columns are.
type Candidate = (&'static str, &'static str);

const WAYPOINTS: Candidate = ("bonnmotion", "t x y ..");
const THREE: [Candidate; 2] = [("sociopatterns", "t i j"), WAYPOINTS];
const FOUR: [Candidate; 3] = [
    ("bonnmotion-csv", "node t x y"),
    ("bonnmotion", "t x y z .."),
    ("csv", "start end a b, or other columns that a first line like `a b start end` names"),
];
const SIX: [Candidate; 2] = [("haggle", "i j start end k gap"), WAYPOINTS];
const HEADER: [Candidate; 3] = [
    ("one-movement", "minT maxT minX maxX minY maxY, and then nothing"),
    WAYPOINTS,
    ("haggle", "i j start end k gap"),
];

/// Formats that have words of their own.
fn by_word(looks: &[Look<'_>]) -> Option<Format> {
    let starts = |words: &[&str]| {
        looks.iter().any(|look| words.iter().any(|word| look.text.starts_with(word)))
    };
    let first = looks.first()?;
    let third = first.fields.get(2).copied().unwrap_or_default();
    if starts(&["$ns_ ", "$ns ", "$node_(", "$god_ "]) {
        Some(Format::Ns2)
    } else if first.text.starts_with('@') {
        Some(Format::Dtnsim2)
    } else if looks.iter().any(|look| look.fields.get(1) == Some(&"CONN")) {
        Some(Format::OneConnectivity)
    } else if first.text.starts_with("BonnMotion ") || is_interval(third) {
        Some(Format::LinkDump)
    } else if first.text.split([',', ';']).count() >= 4 || csv::is_header(first.text) {
        Some(Format::Csv)
    } else {
        None
    }
}

/// Whether this is `start-stop`.
fn is_interval(field: &str) -> bool {
    let is_number = |text: &str| text.parse::<f64>().is_ok();
    let mut dashes = field.match_indices('-');
    dashes.any(|(at, _)| is_number(&field[..at]) && is_number(&field[at + 1..]))
}

/// Formats that are nothing but numbers, but for the groups of SocioPatterns: by how many there are
/// on the first two lines.
fn by_numbers(first: &Look<'_>, second: Option<&Look<'_>>) -> Option<Format> {
    let is_contact = |look: &Look<'_>| (0..3).all(|k| look.is_whole(k));
    if first.fields.len() == 5 && is_contact(first) && first.numbers().is_none() {
        return Some(Format::SocioPatterns);
    }
    match (first.numbers()?, second.and_then(Look::fields_after_number)) {
        (3, _) if is_contact(first) => Some(Format::SocioPatterns),
        (6, Some(4)) | (8, Some(5)) => Some(Format::OneMovement),
        (6, _) if (0..6).all(|k| first.is_whole(k)) => Some(Format::Haggle),
        (4, None | Some(4)) if first.is_whole(0) => Some(Format::BonnMotionCsv),
        // A long line may be cut off here; if it is in the file, the reader says where.
        (n, _) if n > 8 || n > 0 && (n % 3 == 0 || n % 4 == 0) => Some(Format::BonnMotion),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_recognized() {
        for format in Format::ALL {
            let text = match format {
                Format::OneMovement => format!("0 9 0 1 0 1\n{}", format.example()),
                Format::Fcd => format!("\n  {}", format.example()),
                _ => format!("# a comment\n\n{}\n", format.example()),
            };
            assert_eq!(recognize(text.as_bytes()).unwrap(), format, "{text}");
        }
    }

    #[test]
    fn a_line_may_be_longer_than_the_head() {
        let line = "0.0 1.5 2.25 ".repeat(10_000);
        for end in HEAD as usize..HEAD as usize + 13 {
            let head = &line.as_bytes()[end - HEAD as usize..end];
            assert_eq!(recognize(head).unwrap(), Format::BonnMotion);
        }
    }

    #[test]
    fn what_looks_alike_is_told_apart() {
        let looks = [
            ("0.0 1.5 2.5\n", Format::BonnMotion),
            ("0.0 1.5 2.5 9.0 1.5 2.5\n0.0 1.5 2.5\n", Format::BonnMotion),
            ("0.0 1.5 2.5 9.0\n", Format::BonnMotion),
            ("0.0 1.5 2.5 0.0 9.0 1.5 2.5 0.0\n0.0 1.5 2.5 0.0\n", Format::BonnMotion),
            ("20 1 2 A B\n", Format::SocioPatterns),
            ("5 C M1 0 1 10\n5 CONN 0 1 up\n", Format::OneConnectivity),
            ("start;end;a;b\n", Format::Csv),
            ("a b start end\n", Format::Csv),
            ("b\ta\tEnd\tx\tStart\n", Format::Csv),
            ("$ns_ at 0.0 \"$g(0) start\"\n", Format::Ns2),
            ("0 1 1.0E-2-3.5E-1\n", Format::LinkDump),
            ("BonnMotion 3.0.2\n\nOS: Linux\n", Format::LinkDump),
            ("\u{feff}<?xml?>", Format::Fcd),
        ];
        for (text, format) in looks {
            assert_eq!(recognize(text.as_bytes()).unwrap(), format, "{text}");
        }
        let error = |text: &str| recognize(text.as_bytes()).unwrap_err().to_string();
        for text in ["hello world\n", "1 2\n", "\0\u{1}", "1.5 2 3 4 5\n", "1 2 3 4 5\n"] {
            let error = error(text);
            assert!(error.starts_with("line 1, column 1: the format is not recognized"), "{error}");
            assert!(error.contains("with --format: ns2, bonnmotion, "), "{error}");
        }
        assert_eq!(error(""), "line 1, column 1: the file is empty; get it again");
        assert!(error("# alone\n").contains("there is nothing in the file"));
        for json in ["{\"1\": {\"2\": [[0,20],[40,60]]}}\n", " [[0,20,1,2],\n"] {
            let error = error(json);
            assert!(error.starts_with("line 1, column 1: the file is JSON; write the"), "{error}");
            assert!(error.ends_with("docs/traces.md has a line of `jq` that does it"), "{error}");
        }
        let nan = error("# x\n\n 0.0 nan 1.5\n");
        assert!(nan.starts_with("line 3, column 6: `nan` is not a number"), "{nan}");
    }

    #[test]
    fn what_may_be_several_formats_is_not_guessed() {
        let contacts = "bonnmotion-csv (`node t x y`), bonnmotion (`t x y z ..`), csv (`start";
        let six = "haggle (`i j start end k gap`), bonnmotion (`t x y ..`)";
        for (text, formats) in [
            ("1 2 100 220\n1 3 200 400\n2 3 500 620\n", contacts),
            ("100 220 1 2\n200 400 1 3\n", contacts),
            ("100.5 220.5 1 2\n200 400.5 1 3\n", contacts),
            ("1 2 100.5 220.5\n1 3 200.5 400\n", contacts),
            ("1\t2\t100.5\t220.5\t1\t0\n1\t3\t200\t200\t1\t0\n", six),
            ("20.5 1 2\n40.5 1 3\n", "sociopatterns (`t i j`), bonnmotion (`t x y ..`)"),
            ("0 100 0 1000 0 1000\n", "one-movement (`minT maxT"),
            ("0.0 100.0 0.0 1000.0 0.0 1000.0\n", "one-movement (`minT maxT"),
        ] {
            let error = recognize(text.as_bytes()).unwrap_err().to_string();
            let shown = text.lines().next().unwrap().escape_debug();
            let start = format!("line 1, column 1: `{shown}` may be {formats}");
            assert!(error.starts_with(&start), "{error}");
            assert!(error.ends_with("or something else; say which, with --format"), "{error}");
        }
        // A time with a fraction is not an id.
        let csv = "1 0.0 100.5 220\n1 5.0 200 400\n";
        assert_eq!(recognize(csv.as_bytes()).unwrap(), Format::BonnMotionCsv);
    }
}
