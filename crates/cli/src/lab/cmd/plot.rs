//! `driftlock plot`.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use driftlock_sweep::frame::Column;
use driftlock_sweep::plot::{self, Wanted};
use driftlock_sweep::{Frame, csv};

use crate::Verdict;
use crate::lab::args::{Intervals, PlotArgs};
use crate::lab::{files, registry};
use crate::names::unknown;
use crate::terminal::say_line;

/// The names of results in their folder, the better first.
#[cfg(feature = "parquet")]
const RESULTS: &[&str] = &["results.parquet", "results.csv"];
#[cfg(not(feature = "parquet"))]
const RESULTS: &[&str] = &["results.csv"];

pub(crate) fn run(args: &PlotArgs) -> Result<Verdict> {
    let wanted = Wanted {
        x: args.x.clone(),
        y: args.y.clone(),
        by: args.by.clone(),
        facet: args.facet.clone(),
        only: args.only.iter().map(plainly_named).collect(),
        log_x: args.log_x,
        log_y: args.log_y,
        bars: args.intervals == Intervals::Bars,
        title: args.title.clone(),
    };
    let usual = [PathBuf::from(format!("{}-{}.svg", wanted.y, wanted.x))];
    let out: &[PathBuf] = if args.out.is_empty() { &usual } else { &args.out };
    for path in out {
        check_ending(path)?;
    }
    let (_, frame) = open(&args.results)?;
    let names = || frame.columns.iter().map(|column: &Column| column.name.as_str());
    if let Some(name) = wanted.columns().find(|name| frame.column(name).is_none()) {
        bail!("{}", unknown("column", name, names()));
    }
    let figure = plot::figure(&frame, &wanted).map_err(|what| anyhow!("{what}"))?;
    let svg = figure.svg();
    for path in out {
        match is_png(path) {
            false => files::write_text(path, &svg)?,
            true => write_png(path, &svg)?,
        }
        say_line(&path.display().to_string())?;
    }
    Ok(Verdict::Held)
}

/// A condition on the protocol in the words of results, where what has several names has one.
fn plainly_named((column, value): &(String, String)) -> (String, String) {
    let (name, variant) = value.split_once(':').map_or((&**value, None), |(a, b)| (a, Some(b)));
    let known = registry::find(name).ok().filter(|_| column == "protocol");
    let plain = known.map(|entry| match variant {
        Some(variant) if variant != entry.variants[0] => format!("{}:{variant}", entry.name),
        _ => entry.name.into(),
    });
    (column.clone(), plain.unwrap_or_else(|| value.clone()))
}

/// Read results, wherever in their folder one points. Returns the folder, too.
pub(super) fn open(path: &Path) -> Result<(PathBuf, Frame)> {
    let file = match path.is_dir() {
        false => path.to_owned(),
        true => match RESULTS.iter().map(|name| path.join(name)).find(|file| file.is_file()) {
            Some(file) => file,
            None => bail!(
                "{}: there are no results in it, which `driftlock sweep` or `merge` writes",
                path.display()
            ),
        },
    };
    let wrong = |what: String| anyhow!("{}: {what}", file.display());
    let bytes = std::fs::read(&file).map_err(|error| wrong(error.to_string()))?;
    let is_parquet = bytes.starts_with(b"PAR1");
    let frame = if is_parquet { parquet(bytes) } else { text(bytes) };
    let frame = frame.map_err(wrong)?;
    if frame.rows() == 0 {
        return Err(wrong("there is no run in it".into()));
    }
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    Ok((parent.unwrap_or(Path::new(".")).into(), frame))
}

fn text(bytes: Vec<u8>) -> Result<Frame, String> {
    let text = String::from_utf8(bytes).map_err(|_| "it is neither text nor Parquet".to_owned())?;
    csv::read(&text)
}

#[cfg(feature = "parquet")]
fn parquet(bytes: Vec<u8>) -> Result<Frame, String> {
    let mut frame = Ok(Frame::default());
    driftlock_replay::attempt(|| frame = driftlock_sweep::parquet::read(bytes))?;
    frame.map_err(|error| error.to_string())
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: Vec<u8>) -> Result<Frame, String> {
    Err("this build does not read Parquet: take results.csv, which has the same in it".into())
}

fn is_png(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"))
}

fn check_ending(path: &Path) -> Result<()> {
    let is_svg = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    if !is_svg && !is_png(path) {
        bail!("--out: {}: a figure is .svg or .png", path.display());
    }
    if is_png(path) && !cfg!(feature = "png") {
        bail!("--out: {}: this build writes .svg only", path.display());
    }
    Ok(())
}

/// How many pixels of a picture make one of the figure: printed at 15 cm, 300 to an inch.
#[cfg(feature = "png")]
const SCALE: f32 = 2.0;

#[cfg(feature = "png")]
fn write_png(path: &Path, svg: &str) -> Result<()> {
    let bytes = driftlock_sweep::png::png(svg, SCALE).map_err(|what| anyhow!("{what}"))?;
    files::write(path, |to| Ok(to.write_all(&bytes)?))
}

#[cfg(not(feature = "png"))]
fn write_png(_: &Path, _: &str) -> Result<()> {
    bail!("this build writes .svg only")
}
