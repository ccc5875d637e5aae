//! SUMO's floating car data: `--fcd-output`.
//!
//! ```text
//! <fcd-export>
//!     <timestep time="1.00">
//!         <vehicle id="a" x="10.5" y="20.5" z="0.0" .../>
//!         <person id="b" .../>
//!     </timestep>
//! </fcd-export>
//! ```
//!
//! Whoever is in a time step and in the next moves in a straight line in between. Whoever is
//! missing from the next is there until then, and stands still, which is how SUMO's traceExporter
//! sees it; they may come again. Persons and containers have names of their own (`person b`). Other
//! elements and attributes are left out. Positions in degrees are projected to meters around the
//! first one.

use std::io::{self, BufRead};

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use crate::build::Movement;
use crate::globe::Projection;
use crate::inspect::area;
use crate::read::{MOST_METERS, MOST_TIME};
use crate::source::Source;
use crate::track::{Stretch, Waypoint};
use crate::{Format, Limits, Options, Place, Trace, TraceError};

/// How SUMO's comment at the head says that positions are in degrees.
const IN_DEGREES: &str = "<fcd-output.geo value=\"true\"/>";

/// Read FCD.
pub(crate) fn read(from: Source<'_>, options: &Options) -> Result<Trace, TraceError> {
    let mut reader = Reader::from_reader(from);
    let mut fcd = Fcd::new(options);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        reader.get_mut().piece();
        let place = reader.get_ref().place();
        let event = match reader.read_event_into(&mut buffer) {
            Ok(event) => event,
            Err(error) => return Err(broken(reader.get_mut(), error)),
        };
        match event {
            Event::Start(element) => fcd.open(place, &element)?,
            Event::Empty(element) => {
                fcd.open(place, &element)?;
                fcd.depth -= 1;
            }
            Event::End(_) => fcd.depth = fcd.depth.saturating_sub(1),
            Event::Comment(text) => fcd.comment(&text),
            Event::Text(text) if fcd.depth == 0 && !text.trim().is_empty() => {
                return Err(wrong(place, "there is text outside of <fcd-export>"));
            }
            Event::Eof if fcd.depth > 0 => return Err(cut_off(place)),
            Event::Eof => break,
            _ => {}
        }
    }
    fcd.trace(reader.get_ref().place())
}

/// What is known while the file is read.
struct Fcd<'o> {
    options: &'o Options,
    /// How many elements are open.
    depth: usize,
    has_root: bool,
    movement: Movement,
    /// The times of all time steps.
    steps: Vec<f64>,
    /// By node, how many time steps there were when it was seen last.
    seen: Vec<usize>,
    projection: Option<Projection>,
    in_degrees: bool,
    n_records: u64,
}

impl<'o> Fcd<'o> {
    fn new(options: &'o Options) -> Self {
        Fcd {
            options,
            depth: 0,
            has_root: false,
            movement: Movement::default(),
            steps: Vec::new(),
            seen: Vec::new(),
            projection: None,
            in_degrees: options.degrees.unwrap_or(false),
            n_records: 0,
        }
    }

    fn comment(&mut self, text: &str) {
        if self.options.degrees.is_none() && text.contains(IN_DEGREES) {
            self.in_degrees = true;
            self.movement.notes.push("Positions are in degrees, as SUMO's comment says.".into());
        }
    }

    /// An element starts.
    fn open(&mut self, place: Place, element: &BytesStart<'_>) -> Result<(), TraceError> {
        self.depth += 1;
        match (self.depth, element.local_name().into_inner()) {
            (1, _) if std::mem::replace(&mut self.has_root, true) => {
                Err(wrong(place, "<fcd-export> was over already, and there is more after it"))
            }
            (1, "fcd-export") => Ok(()),
            (1, name) => Err(wrong(place, format!("the file is <{name}> and not <fcd-export>"))),
            (2, "timestep") => self.step(place, element),
            (3, kind @ ("vehicle" | "person" | "container")) => self.seen(place, kind, element),
            _ => Ok(()),
        }
    }

    fn step(&mut self, place: Place, element: &BytesStart<'_>) -> Result<(), TraceError> {
        let time = attribute(place, element, "time")?;
        let Some(time) = time else { return Err(wrong(place, "<timestep> has no time")) };
        let t = number(place, "time", &time, MOST_TIME)?;
        if self.steps.last().is_some_and(|&last| t <= last) {
            return Err(wrong(place, format!("the time {t} is not after that of the step before")));
        }
        self.steps.push(t);
        self.keep(place)
    }

    /// A vehicle or the like is somewhere.
    fn seen(
        &mut self,
        place: Place,
        kind: &str,
        element: &BytesStart<'_>,
    ) -> Result<(), TraceError> {
        let Some(&t) = self.steps.last() else {
            return Err(wrong(place, format!("<{kind}> is not in a <timestep>")));
        };
        let (name, at) = self.position(place, kind, element)?;
        let now = self.steps.len();
        let number = self.movement.number(&name);
        if number >= self.seen.len() {
            self.seen.resize(number + 1, 0);
        }
        let track = &mut self.movement.tracks[number];
        let last = std::mem::replace(&mut self.seen[number], now);
        match track.stretches.last_mut() {
            Some(_) if last == now => {
                return Err(wrong(place, format!("{name} is twice in one time step")));
            }
            Some(stretch) if last + 1 == now => stretch.push(Waypoint { t, at }),
            before => {
                if let Some(before) = before {
                    before.until = self.steps[last];
                }
                let waypoints = vec![Waypoint { t, at }];
                track.stretches.push(Stretch { waypoints, until: f64::INFINITY });
            }
        }
        let Limits { nodes: most, .. } = self.options.limits;
        if self.seen.len() as u64 > most {
            return Err(TraceError::TooMuch { place, what: "nodes", most });
        }
        self.keep(place)
    }

    /// The name of an element, and where it is.
    fn position(
        &mut self,
        place: Place,
        kind: &str,
        element: &BytesStart<'_>,
    ) -> Result<(String, [f64; 3]), TraceError> {
        let mut at = [None, None, Some(0.0)];
        let mut name = None;
        for attribute in element.attributes() {
            let attribute = attribute.map_err(|error| wrong(place, error.to_string()))?;
            let value = attribute.normalized_value(XmlVersion::Explicit1_0);
            let value = value.map_err(|error| wrong(place, error.to_string()))?;
            let key = attribute.key.into_inner();
            match key {
                "id" => name = Some(value.into_owned()),
                "x" => at[0] = Some(number(place, key, &value, MOST_METERS)?),
                "y" => at[1] = Some(number(place, key, &value, MOST_METERS)?),
                "z" => at[2] = Some(number(place, key, &value, MOST_METERS)?),
                _ => {}
            }
        }
        let missing = |what| wrong(place, format!("<{kind}> has no {what}"));
        let name = name.filter(|name| !name.is_empty()).ok_or_else(|| missing("id"))?;
        if name.len() > 256 {
            return Err(wrong(place, format!("the id has {} bytes, over 256", name.len())));
        }
        let name = if kind == "vehicle" { name } else { format!("{kind} {name}") };
        let [Some(x), Some(y), Some(z)] = at else { return Err(missing("x and y")) };
        if !self.in_degrees {
            return Ok((name, [x, y, z]));
        }
        if x.abs() > 180.0 || y.abs() > 90.0 {
            return Err(wrong(place, format!("{x}, {y} is not a longitude and a latitude")));
        }
        let projection = self.projection.get_or_insert_with(|| Projection::around(x, y));
        let [x, y] = projection.meters(x, y);
        Ok((name, [x, y, z]))
    }

    fn keep(&mut self, place: Place) -> Result<(), TraceError> {
        self.n_records += 1;
        let most = self.options.limits.records;
        if self.n_records > most {
            return Err(TraceError::TooMuch { place, what: "records", most });
        }
        Ok(())
    }

    /// The file is over.
    fn trace(mut self, end: Place) -> Result<Trace, TraceError> {
        let (Some(&first), Some(&last)) = (self.steps.first(), self.steps.last()) else {
            return Err(wrong(end, "there is no <timestep>"));
        };
        for (track, &seen) in self.movement.tracks.iter_mut().zip(&self.seen) {
            if let (Some(stretch), Some(&gone)) = (track.stretches.last_mut(), self.steps.get(seen))
            {
                stretch.until = gone;
            }
        }
        self.suspect_degrees();
        Ok(self.movement.trace(Format::Fcd, first, self.options.end.unwrap_or(last)))
    }
}

/// A box that is smaller than this on all sides may be one in degrees: a hundred kilometers of
/// them, or less than the length of a car in meters.
const TINY: f64 = 1.0;

impl Fcd<'_> {
    /// Tell if everybody drives about on a square meter, where degrees would make sense.
    fn suspect_degrees(&mut self) {
        let Some([min, max]) = area(&self.movement.tracks) else { return };
        let size = [max[0] - min[0], max[1] - min[1]];
        let is_tiny = size != [0.0; 2] && size.iter().all(|&side| side < TINY);
        let is_on_earth = min[0] >= -180.0 && max[0] <= 180.0 && min[1] >= -90.0 && max[1] <= 90.0;
        if self.options.degrees.is_none() && !self.in_degrees && is_tiny && is_on_earth {
            let what = "All positions are within a square meter. If they are longitude and \
                        latitude, say so with --degrees.";
            self.movement.notes.push(what.into());
        }
    }
}

fn attribute<'e>(
    place: Place,
    element: &'e BytesStart<'_>,
    name: &str,
) -> Result<Option<std::borrow::Cow<'e, str>>, TraceError> {
    let found = element.try_get_attribute(name).map_err(|error| wrong(place, error.to_string()))?;
    Ok(found.map(|attribute| attribute.value))
}

fn number(place: Place, name: &str, text: &str, most: f64) -> Result<f64, TraceError> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.abs() <= most => Ok(number),
        _ => {
            let shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
            Err(wrong(place, format!("{name}=\"{shown}\" is not a number within ±{most:e}")))
        }
    }
}

fn wrong(place: Place, what: impl Into<String>) -> TraceError {
    TraceError::Malformed {
        format: Format::Fcd,
        place,
        what: what.into(),
        advice: "SUMO writes what is wanted with --fcd-output".into(),
    }
}

fn cut_off(place: Place) -> TraceError {
    TraceError::Malformed {
        format: Format::Fcd,
        place,
        what: "the file ends in the middle".into(),
        advice: "</fcd-export> is missing: let SUMO finish, or get the file again".into(),
    }
}

/// What it means that XML could not be read on.
fn broken(source: &mut Source<'_>, error: quick_xml::Error) -> TraceError {
    let place = source.place();
    match error {
        quick_xml::Error::Io(error) => {
            source.failed(io::Error::new(error.kind(), error.to_string()))
        }
        _ if source.fill_buf().is_ok_and(<[u8]>::is_empty) => cut_off(place),
        error => wrong(place, error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    fn parsed(text: &str) -> Result<Trace, TraceError> {
        read(Source::new(text.as_bytes(), Limits::default())?, &Options::default())
    }

    fn export(inside: &str) -> String {
        format!("<?xml version=\"1.0\"?>\n<!-- big -->\n<fcd-export>\n{inside}\n</fcd-export>\n")
    }

    const TEXT: &str = "<timestep time=\"1\"><vehicle id=\"b\" x=\"0\" y=\"0\" friction=\"1\"/>\
        <person id=\"b\" x=\"-5\" y=\"5\" z=\"2\"/></timestep><timestep time=\"2\"/>\
        <timestep time=\"3\"><vehicle id=\"b\" x=\"4\" y=\"0\"/></timestep>\
        <timestep time=\"4\"><vehicle id=\"b\" x=\"8\" y=\"0\"><param/></vehicle></timestep>";

    #[test]
    fn vehicles_come_and_go_and_come_again() {
        let trace = parsed(&export(TEXT)).unwrap();
        assert_eq!(trace.nodes, ["b", "person b"]);
        assert_eq!((trace.span.start, trace.span.end), (1_000_000, 4_000_000));
        let Kind::Movement(tracks) = &trace.kind else { panic!("it is movement") };
        let x = |t| tracks[0].at(t).map(|at| at[0]);
        assert_eq!([x(0.9), x(1.9), x(2.0), x(2.9)], [None, Some(0.0), None, None]);
        assert_eq!([x(3.0), x(3.5), x(4.0)], [Some(4.0), Some(6.0), Some(8.0)]);
        assert_eq!(tracks[1].at(1.5), Some([-5.0, 5.0, 2.0]));
        assert_eq!(tracks[1].at(2.0), None);
    }

    #[test]
    fn degrees_become_meters_where_sumo_says_so() {
        let step = "<timestep time=\"0\"><vehicle id=\"a\" x=\"13.0\" y=\"52.0\"/>\
            <vehicle id=\"b\" x=\"13.001\" y=\"52.001\"/></timestep>";
        let text = format!(
            "<!-- {IN_DEGREES} -->\n{}",
            export(step).replace("<?xml version=\"1.0\"?>", "")
        );
        let trace = parsed(&text).unwrap();
        let Kind::Movement(tracks) = &trace.kind else { panic!("it is movement") };
        let [x, y, _] = tracks[1].at(0.0).unwrap();
        assert_eq!(tracks[0].at(0.0), Some([0.0; 3]));
        assert!((x - 68.46).abs() < 0.01 && (y - 111.19).abs() < 0.01, "{x} {y}");
        let far = parsed(&text.replace("52.001", "99"));
        assert!(far.unwrap_err().to_string().contains("not a longitude and a latitude"));
    }

    #[test]
    fn degrees_that_nobody_told_of_are_suspected() {
        let step = |x: &str| {
            export(&format!(
                "<timestep time=\"0\"><vehicle id=\"a\" x=\"13.0\" y=\"52.0\"/></timestep>\
                 <timestep time=\"1\"><vehicle id=\"a\" x=\"{x}\" y=\"52.0\"/></timestep>"
            ))
        };
        let notes = |text: String| parsed(&text).unwrap().notes;
        assert!(notes(step("13.01"))[0].contains("say so with --degrees"));
        assert_eq!([notes(step("19")), notes(step("13"))], [Vec::<String>::new(), Vec::new()]);
        let options = Options { degrees: Some(false), ..Options::default() };
        let text = step("13.01");
        let source = Source::new(text.as_bytes(), Limits::default()).unwrap();
        assert!(read(source, &options).unwrap().notes.is_empty());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let error = |text: &str| parsed(text).unwrap_err().to_string();
        let twice = "<timestep time=\"1\">\n<vehicle id=\"b\" x=\"0\" y=\"0\"/>\n";
        let twice = error(&export(&format!("{twice}{}", &twice[20..])));
        assert!(twice.starts_with("line 6, column 1: b is twice in one time step"), "{twice}");
        let back = error(&export("<timestep time=\"1\"/>\n<timestep time=\"1\"/>"));
        assert!(back.starts_with("line 5, column 1: the time 1 is not after"), "{back}");
        let bare = error(&export("<timestep time=\"1\"><vehicle id=\"b\" y=\"0\"/></timestep>"));
        assert!(bare.starts_with("line 4, column 20: <vehicle> has no x and y"), "{bare}");
        let whole = export(TEXT);
        for end in 0..whole.len() - 1 {
            let error = parsed(&whole[..end]).map(|_| ()).unwrap_err();
            assert!(error.place().is_some(), "cut off at {end}");
        }
        let two = error(&format!("{whole}{whole}")).to_string();
        assert!(two.contains("<fcd-export> was over already"), "{two}");
        let text = error(&format!("{whole}junk\n"));
        assert!(text.contains("there is text outside of <fcd-export>"), "{text}");
        assert!(error("<html></html>").contains("the file is <html> and not <fcd-export>"));
        assert!(error(&export("<timestep time=\"x\"/>")).contains("time=\"x\" is not a number"));
    }
}
