//! Properties of whole drawings, read back from their SVG.

use super::*;
use crate::markup::{assert_well_formed, escape};

const NAMES: [&str; 4] = ["RL 20 %", "RL 80 %", "RR 20 %", "RR 80 %"];

fn curve(at: usize, mobility: usize) -> Series {
    let point = |step: usize| {
        let x = libm::pow(10.0, -4.0 + step as f64 / 2.0);
        let y = (10.0 + at as f64 * 20.0 + mobility as f64 * 7.0) * (1.0 + 10.0 * x);
        Point { x, y, half_width: Some(y * 0.08) }
    };
    Series::measured(NAMES[at], Ink::variant(at / 2, at % 2), (0..9).map(point).collect())
}

fn example(y: &Axis) -> Figure {
    let mut figure = Figure::new("Time per entry").with_note("Bars are 95 % confidence.");
    for (mobility, title) in ["zero", "low", "high"].into_iter().enumerate() {
        let mut panel = Panel::new(title, Axis::log("load"), y.clone());
        panel.series = (0..4).map(|at| curve(at, mobility)).collect();
        for color in 0..2 {
            let points = vec![Point::new(0.001, 20.0), Point::new(0.1, 60.0)];
            let published = Series::published("WWV 2001", Ink::variant(color, 0), points);
            panel.series.push(published);
        }
        figure = figure.with_panel(panel);
    }
    figure
}

fn single(x: Axis, y: Axis, points: Vec<Point>) -> Figure {
    let series = Series::measured("series", Ink::default(), points);
    Figure::new("t").with_panel(Panel::new("p", x, y).with_series(series))
}

fn attribute(tag: &str, name: &str) -> f64 {
    let start = tag.find(&format!(" {name}=\"")).expect("the attribute exists") + name.len() + 3;
    let length = tag[start..].find('"').expect("the attribute ends");
    tag[start..start + length].parse().expect("the attribute is a number")
}

fn elements<'a>(svg: &'a str, start: &str) -> Vec<&'a str> {
    svg.lines().filter(|line| line.starts_with(start)).collect()
}

/// All coordinates of the paths.
fn path_places(svg: &str) -> Vec<(f64, f64)> {
    let mut places = Vec::new();
    for path in elements(svg, "<path d=") {
        let steps = path.split('"').nth(1).expect("the attribute is quoted");
        for step in steps.split(['M', 'L', 'Z']).filter(|step| !step.is_empty()) {
            let (x, y) = step.split_once(' ').expect("a step has two coordinates");
            places.push((x.parse().expect("x is a number"), y.parse().expect("y is a number")));
        }
    }
    places
}

/// The centers of the circles.
fn marker_places(panel: &str) -> Vec<(f64, f64)> {
    let circles = elements(panel, "<circle");
    circles.iter().map(|circle| (attribute(circle, "cx"), attribute(circle, "cy"))).collect()
}

fn legend(svg: &str) -> &str {
    let start = svg.find("<g class=\"legend\">").expect("there is a legend");
    let end = svg.find("<g class=\"panel\">").unwrap_or(svg.len());
    &svg[start..end]
}

fn panels(svg: &str) -> Vec<&str> {
    svg.split("<g class=\"panel\">").skip(1).collect()
}

/// A drawing must be sound whatever the data.
fn assert_sound(svg: &str) {
    assert_well_formed(svg);
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "a number is not finite");
    let (width, height) = (attribute(svg, "width"), attribute(svg, "height"));
    for (x, y) in path_places(svg) {
        assert!(
            (0.0..=width).contains(&x) && (0.0..=height).contains(&y),
            "{x} {y} is off the sheet"
        );
    }
    for panel in panels(svg) {
        let frame = elements(panel, "<rect class=\"plot\"")[0];
        let (left, top) = (attribute(frame, "x"), attribute(frame, "y"));
        let (right, bottom) = (left + attribute(frame, "width"), top + attribute(frame, "height"));
        for (x, y) in marker_places(panel) {
            assert!(left <= x && x <= right, "x = {x} is not in {left}..{right}");
            assert!(top <= y && y <= bottom, "y = {y} is not in {top}..{bottom}");
        }
    }
}

#[test]
fn every_name_is_in_the_legend_once() {
    let svg = example(&Axis::linear("time")).svg();
    for name in NAMES.into_iter().chain(["WWV 2001"]) {
        let entry = format!(">{}</text>", escape(name));
        assert_eq!(legend(&svg).matches(&entry).count(), 1, "{name}");
        assert_eq!(svg.matches(&entry).count(), 1, "{name} outside the legend");
    }
}

#[test]
fn every_point_is_drawn_inside_its_plot_area() {
    for y in [Axis::linear("time"), Axis::log("time")] {
        let figure = example(&y);
        let svg = figure.svg();
        assert_sound(&svg);
        let hints = svg.matches("<title>").count();
        assert_eq!(hints, 3 * (4 * 9 + 2 * 2), "one hint per point");
        assert!(!svg.contains("Not drawn"));
    }
}

#[test]
fn panels_are_lettered() {
    let svg = example(&Axis::linear("time")).svg();
    for title in ["(a) zero", "(b) low", "(c) high"] {
        assert_eq!(svg.matches(&format!(">{title}</text>")).count(), 1, "{title}");
    }
    let alone = single(Axis::linear("x"), Axis::linear("y"), vec![Point::new(1.0, 1.0)]).svg();
    assert!(alone.contains(">p</text>"));
}

#[test]
fn panels_share_the_y_axis_unless_told_otherwise() {
    let shared = example(&Axis::linear("time")).svg();
    assert_eq!(shared.matches(">time</text>").count(), 1);
    let own = example(&Axis::linear("time")).with_own_y().svg();
    assert_eq!(own.matches(">time</text>").count(), 3);
    assert_sound(&own);
}

#[test]
fn an_explicit_range_prevails_over_sharing() {
    let mut figure = example(&Axis::linear("time"));
    figure.panels[1].y.range = Some((0.0, 5000.0));
    let svg = figure.svg();
    // The second panel differs from the first, and the third from the second.
    assert_eq!(svg.matches(">time</text>").count(), 3);
    assert!(svg.contains(">5000</text>"));
}

#[test]
fn equal_figures_give_equal_bytes() {
    assert_eq!(example(&Axis::log("time")).svg(), example(&Axis::log("time")).svg());
}

#[test]
fn the_drawing_is_self_contained() {
    let svg = example(&Axis::linear("time")).svg();
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\""));
    let rest = svg.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for reference in ["http", "href", "url(", " id=", "<style", "<script", "<image"] {
        assert!(!rest.contains(reference), "{reference}");
    }
}

#[test]
fn names_are_escaped() {
    let mut figure = single(Axis::linear("a<b"), Axis::linear("y"), vec![Point::new(1.0, 1.0)]);
    figure.title = "\"R&D\"".to_owned();
    figure.panels[0].series[0].name = "<script>".to_owned();
    let svg = figure.svg();
    assert_sound(&svg);
    assert!(svg.contains("aria-label=\"&quot;R&amp;D&quot;\""));
    assert!(!svg.contains("<script>"));
}

#[test]
fn published_points_are_hollow_and_not_joined() {
    let points = vec![Point::new(1.0, 1.0), Point::new(2.0, 2.0)];
    let mut figure = single(Axis::linear("x"), Axis::linear("y"), points);
    assert_eq!(figure.svg().matches("stroke-width=\"1.8\"").count(), 2, "legend and line");
    figure.panels[0].series[0].role = Role::Published;
    let svg = figure.svg();
    assert_eq!(svg.matches("stroke-width=\"1.8\"").count(), 0);
    assert_eq!(svg.matches("<g class=\"points\" fill=\"none\"").count(), 2, "legend and points");
}

#[test]
fn values_at_or_below_zero_leave_a_log_axis_and_the_note_says_so() {
    let points = vec![
        Point::new(0.1, 1.0),
        Point::new(0.0, 1.0),
        Point::new(0.1, -3.0),
        Point::new(1.0, 10.0),
    ];
    let svg = single(Axis::log("x"), Axis::log("y"), points).svg();
    assert_sound(&svg);
    let note = "Not drawn: 2 points at or below zero on a logarithmic axis (series).";
    assert!(svg.contains(note), "{svg}");
}

#[test]
fn values_that_are_not_finite_are_left_out() {
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX];
    for scale in [Axis::linear, Axis::log] {
        let mut points = vec![Point::new(1.0, 1.0), Point::new(2.0, 3.0)];
        points.extend(bad.map(|value| Point::new(1.5, value)));
        points.extend(bad.map(|value| Point::new(value, 1.5)));
        points.extend(bad.map(|value| Point { x: 1.5, y: 2.0, half_width: Some(value) }));
        let svg = single(scale("x"), scale("y"), points).svg();
        assert_sound(&svg);
        assert!(svg.contains("Not drawn: 8 points without a finite value (series)."));
    }
}

#[test]
fn points_outside_an_explicit_range_are_left_out() {
    let points = vec![Point::new(1.0, 1.0), Point::new(2.0, 500.0), Point::new(3.0, 2.0)];
    let svg = single(Axis::linear("x"), Axis::linear("y").with_range(0.0, 10.0), points).svg();
    assert_sound(&svg);
    assert!(svg.contains("Not drawn: 1 point outside the axes (series)."));
    assert_eq!(marker_places(panels(&svg)[0]).len(), 2);
}

#[test]
fn figures_without_data_are_drawn() {
    assert_sound(&Figure::new("").svg());
    assert_sound(&Figure::new("no panels").with_note("note").svg());
    let empty = single(Axis::log("x"), Axis::log("y"), Vec::new()).svg();
    assert_sound(&empty);
    assert!(empty.contains(">no data</text>"));
    assert!(legend(&empty).contains(">series</text>"));
}

#[test]
fn degenerate_data_are_drawn() {
    for axis in [Axis::linear, Axis::log] {
        for value in [1e-300, 1e-9, 1.0, 42.0, 1e99] {
            let one = vec![Point { x: value, y: value, half_width: Some(value) }];
            let same = vec![Point::new(value, value); 3];
            for points in [one, same] {
                let svg = single(axis("x"), axis("y"), points).svg();
                assert_sound(&svg);
                assert!(!svg.contains("Not drawn") && !svg.contains("no data"), "{value}");
            }
        }
    }
    let zeros = vec![Point::new(0.0, 0.0); 2];
    assert_sound(&single(Axis::linear("x"), Axis::linear("y"), zeros).svg());
}

#[test]
fn error_bars_end_at_the_frame_of_a_log_axis() {
    let points = vec![
        Point { x: 1.0, y: 10.0, half_width: Some(20.0) },
        Point { x: 2.0, y: 100.0, half_width: None },
    ];
    let svg = single(Axis::linear("x"), Axis::log("y"), points).svg();
    assert_sound(&svg);
    let panel = panels(&svg)[0];
    let group = &panel[panel.find("<g class=\"bars\"").expect("there are bars")..];
    let bars = &group[..group.find("</g>").expect("the group ends")];
    assert_eq!(bars.matches("<path").count(), 3, "two arms and the upper cap: {bars}");
    let frame = elements(panel, "<rect class=\"plot\"")[0];
    let bottom = pen::pixels(attribute(frame, "y") + attribute(frame, "height"));
    assert!(bars.contains(&format!(" {bottom}\"/>")), "{bars} does not end at {bottom}");
}

#[test]
fn a_bar_shorter_than_its_marker_is_hidden() {
    let points = vec![
        Point { x: 1.0, y: 10.0, half_width: Some(0.01) },
        Point { x: 2.0, y: 20.0, half_width: Some(0.0) },
        Point { x: 3.0, y: 20.0, half_width: Some(-5.0) },
    ];
    let svg = single(Axis::linear("x"), Axis::linear("y"), points).svg();
    assert_sound(&svg);
    assert!(!svg.contains("class=\"bars\""));
}

#[test]
fn one_wild_interval_does_not_flatten_the_curves() {
    let points = vec![
        Point { x: 1.0, y: 10.0, half_width: Some(1e9) },
        Point { x: 2.0, y: 12.0, half_width: Some(0.1) },
    ];
    let svg = single(Axis::linear("x"), Axis::linear("y"), points).svg();
    assert_sound(&svg);
    assert!(svg.contains(">20</text>"), "the axis ends near twice the mean");
}

#[test]
fn any_data_give_a_sound_drawing() {
    let odd = [0.0, -0.0, -1.0, 1e-310, 1e-99, 3e99, f64::MAX, f64::NAN, f64::NEG_INFINITY];
    let mut state = 1_u64;
    let mut draw = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for round in 0..300 {
        let mut value = || match draw(6) {
            0 => odd[draw(odd.len())],
            1 => draw(100) as f64,
            size => libm::pow(10.0, draw(100 * size) as f64 / 50.0 - 3.0),
        };
        let mut points: Vec<Point> = (0..12).map(|_| Point::new(value(), value())).collect();
        points.iter_mut().step_by(2).for_each(|point| point.half_width = Some(value()));
        let range = (value(), value());
        let axis = |at: usize, label| if at == 0 { Axis::linear(label) } else { Axis::log(label) };
        let (x, mut y) = (axis(round % 2, "x"), axis(round / 2 % 2, "y"));
        if round % 3 == 0 {
            y = y.with_range(range.0, range.1);
        }
        assert_sound(&single(x, y, points).svg());
    }
}

#[test]
fn any_number_of_panels_fits() {
    for n_panels in 1..=7 {
        let mut figure = Figure::new("many");
        for at in 0..n_panels {
            let mut panel = Panel::new(format!("panel {at}"), Axis::log("load"), Axis::log("time"));
            panel.series = vec![curve(at % 4, at)];
            figure.panels.push(panel);
        }
        let svg = figure.svg();
        assert_sound(&svg);
        let frames = elements(&svg, "<rect class=\"plot\"");
        assert_eq!(frames.len(), n_panels);
        for frame in frames {
            assert!(attribute(frame, "x") + attribute(frame, "width") <= 900.0);
            assert!(150.0 < attribute(frame, "width"));
        }
    }
}

#[test]
fn bands_follow_the_line_and_leave_gaps() {
    let point = |x: f64, half_width: Option<f64>| Point { x, y: 2.0 + x, half_width };
    let points = vec![
        point(1.0, Some(0.5)),
        point(2.0, Some(9.0)),
        point(3.0, None),
        point(4.0, Some(0.5)),
        point(5.0, None),
        point(6.0, Some(0.25)),
        point(7.0, Some(0.25)),
    ];
    for y in [Axis::linear("y"), Axis::log("y")] {
        let series = Series::measured("s", Ink::default(), points.clone()).with_band();
        let panel = Panel::new("p", Axis::linear("x"), y).with_series(series);
        let svg = Figure::new("f").with_panel(panel).svg();
        assert_sound(&svg);
        let bands = elements(&svg, "<path class=\"band\"");
        assert_eq!(bands.len(), 1, "one for each series");
        assert_eq!(bands[0].matches('M').count(), 2, "in two parts: {}", bands[0]);
        assert_eq!(svg.matches("class=\"bars\"").count(), 1, "what is alone has a bar");
    }
}

#[test]
fn a_band_is_cut_where_it_crosses_the_frame() {
    let point = |x: f64, half_width: f64| Point { x, y: 5.0, half_width: Some(half_width) };
    let points = vec![point(0.0, 1.0), point(1.0, 9.0), point(2.0, 1.0)];
    let series = Series::measured("wide", Ink::default(), points).with_band();
    let y = Axis::linear("y").with_range(0.0, 10.0);
    let panel = Panel::new("p", Axis::linear("x"), y).with_series(series);
    let svg = Figure::new("f").with_panel(panel).svg();
    assert_sound(&svg);
    assert!(svg.contains("Intervals go beyond the axes, and are cut there: wide."), "{svg}");
    let frame = elements(&svg, "<rect class=\"plot\"")[0];
    let (top, height) = (attribute(frame, "y"), attribute(frame, "height"));
    let band = elements(&svg, "<path class=\"band\"")[0];
    let steps = band.split('"').nth(3).expect("the path is quoted");
    let steps = steps.split(['M', 'L', 'Z']).filter_map(|step| step.split_once(' '));
    let places: Vec<(f64, f64)> =
        steps.map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).collect();
    let (left, right) =
        (places[0].0.min(places[5].0), places.iter().map(|p| p.0).fold(0.0, f64::max));
    let mut at_top: Vec<f64> = places
        .iter()
        .filter(|(_, y)| *y == top)
        .map(|(x, _)| (x - left) / (right - left))
        .collect();
    at_top.sort_by(f64::total_cmp);
    // From 6 to 14 between 0 and 1: it crosses 10 in the middle, a quarter of the whole.
    assert!((at_top[0] - 0.25).abs() < 0.001 && (at_top[1] - 0.75).abs() < 0.001, "{at_top:?}");
    assert!(places.iter().all(|(_, y)| (top..=top + height).contains(y)), "{places:?}");
}

#[test]
fn names_along_an_axis_are_all_there() {
    let of = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let points = (0..names.len()).map(|at| Point::new(at as f64, 2.0 + at as f64)).collect();
        let axis = Axis::of_names("protocol", names);
        let series = Series::apart("mean", Ink::default(), points);
        let panel = Panel::new("p", axis, Axis::linear("y")).with_series(series);
        Figure::new("f").with_panel(panel).svg()
    };
    let few = of(&["rl", "raymond", "krl & co"]);
    assert_sound(&few);
    assert!(!few.contains("rotate(-45"), "there is room side by side");
    assert!(few.contains(">raymond</text>") && few.contains("mean: 3 at raymond"), "{few}");
    assert!(!few.contains("stroke-linejoin"), "no line joins them");
    let places = marker_places(panels(&few)[0]);
    assert!((places[1].0 - places[0].0 - (places[2].0 - places[1].0)).abs() < 0.02, "{places:?}");
    let long = "a-protocol-with-a-name-that-has-no-end-whatever-one-does";
    let many = of(&[long, "b", long, "d", "e", "f", "g", "h", long, "j", "k", "l", long, "n", "o"]);
    assert_sound(&many);
    assert_eq!(many.matches("rotate(-45").count(), 15);
    assert!(many.contains("…"), "{many}");
    let texts = elements(&many, "<text").into_iter().filter(|text| text.contains("rotate(-45"));
    for text in texts {
        let label = text.rsplit_once("</text>").unwrap().0.rsplit_once('>').unwrap().1;
        let reach = pen::text_width(label, 11.0) * std::f64::consts::FRAC_1_SQRT_2;
        assert!(0.0 <= attribute(text, "x") - reach, "{label} begins on the sheet");
        assert!(attribute(text, "y") + reach <= attribute(&many, "height"), "{label}");
    }
}

#[test]
fn a_long_title_stays_on_the_sheet() {
    let bold = 1.12;
    for title in ["nodes that ask more often than others do ".repeat(9), "seed_".repeat(60)] {
        let svg = Figure::new(title).svg();
        let lines = elements(&svg, "<text");
        assert!(2 < lines.len());
        for line in lines {
            let text = line.split(['<', '>']).nth(2).expect("there is text");
            assert!(18.0 + bold * pen::text_width(text, 16.0) <= 882.0, "{text}");
        }
    }
}

#[test]
fn single_runs_are_marks_without_a_line() {
    let points = vec![Point::new(1.0, 2.0), Point::new(2.0, 9.0), Point::new(3.0, 1.0)];
    let runs = Series::runs("series", Ink::default(), points);
    let panel = Panel::new("p", Axis::linear("x"), Axis::linear("y")).with_series(runs);
    let svg = Figure::new("t").with_panel(panel).svg();
    assert_sound(&svg);
    assert_eq!(elements(panels(&svg)[0], "<circle").len(), 3);
    assert!(!svg.contains("stroke-linejoin"), "neither there nor in the legend");
}
