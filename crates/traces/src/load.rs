//! From a file to a trace: [`open`], [`read`].

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::bonnmotion::Params;
use crate::cut::cut;
use crate::ns2::Activity;
use crate::read::Lines;
use crate::recognize::recognize;
use crate::source::Source;
use crate::{Format, Limits, Options, Trace, TraceError};
use crate::{bonnmotion, bonnmotion_csv, csv, dtnsim2, fcd, haggle, linkdump, ns2};
use crate::{one_connectivity, one_movement, sociopatterns};

/// Read the trace in these bytes, which may be compressed by gzip or be a zip file.
pub fn read(from: impl Read, options: &Options) -> Result<Trace, TraceError> {
    let (source, format) = recognized(from, options, false)?;
    parsed(source, format, options)
}

/// The format of these bytes, unless it is told. If they `may_be_movements` of BonnMotion, numbers
/// are: without fractions they look like something else.
fn recognized<'a>(
    from: impl Read + 'a,
    options: &Options,
    may_be_movements: bool,
) -> Result<(Source<'a>, Format), TraceError> {
    options.check()?;
    let mut source = Source::new(from, options.limits)?;
    let format = match options.format {
        Some(format) => format,
        None => {
            let head = source.head()?;
            match recognize(&head) {
                Ok(format) if format.has_words() || !may_be_movements => format,
                _ if may_be_movements => Format::BonnMotion,
                other => other.map_err(|error| source.damage().unwrap_or(error))?,
            }
        }
    };
    Ok((source, format))
}

/// Read a trace of this format.
fn parsed(source: Source<'_>, format: Format, options: &Options) -> Result<Trace, TraceError> {
    let read = match format {
        Format::Ns2 => ns2::read,
        Format::BonnMotion => bonnmotion::read,
        Format::BonnMotionCsv => bonnmotion_csv::read,
        Format::LinkDump => linkdump::read,
        Format::Fcd => fcd::read,
        Format::OneMovement => one_movement::read,
        Format::OneConnectivity => one_connectivity::read,
        Format::Dtnsim2 => dtnsim2::read,
        Format::SocioPatterns => sociopatterns::read,
        Format::Haggle => haggle::read,
        Format::Csv => csv::read,
    };
    cut(read(source, options)?, options)
}

/// Read the trace in this file. What other tools write beside it is read too, unless `options` have
/// it: `a.params` for `a.movements.gz` of BonnMotion; and for an ns-2 file `a.ns_params`, if it is
/// called `a.ns_movements`, and an `activity` file, if it has `mobility` in its name.
///
/// ```no_run
/// use driftlock_traces::{Options, Radio, UnitDisk, links, open};
///
/// let trace = open("rwp30.movements.gz".as_ref(), &Options::default())?;
/// let changes = links(&trace, &Radio::UnitDisk(UnitDisk { range: 250.0 }))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open(path: &Path, options: &Options) -> Result<Trace, TraceError> {
    let may_be_movements = options.params.is_none()
        && companion(path, MOVEMENTS).into_iter().flatten().any(|found| found.exists());
    let file = File::open(path).map_err(TraceError::Io);
    let known = file.and_then(|file| recognized(file, options, may_be_movements));
    let (source, format) = told(path, known)?;
    told(path, parsed(source, format, &completed(path, format, options)?))
}

/// These options, and what stands beside a file of this format.
fn completed(path: &Path, format: Format, options: &Options) -> Result<Options, TraceError> {
    let mut options = options.clone();
    if format == Format::BonnMotion && options.params.is_none() {
        options.params = beside(path, MOVEMENTS, Params::read)?;
    }
    if format == Format::Ns2 && options.end.is_none() {
        options.end = beside(path, NS_MOVEMENTS, duration)?.flatten();
    }
    if format == Format::Ns2 && options.activity.is_none() {
        options.activity = beside(path, MOBILITY, Activity::read)?;
    }
    Ok(options)
}

/// What names of files have in them, and what those have there that belong to them.
const MOVEMENTS: (&str, &str) = (".movements", ".params");
const NS_MOVEMENTS: (&str, &str) = (".ns_movements", ".ns_params");
const MOBILITY: (&str, &str) = ("mobility", "activity");

/// The files that [`open`] may read besides this one, if they are there and go with its format. Of
/// a plain one and a compressed one it takes the plain one.
pub fn companions(path: &Path) -> Vec<PathBuf> {
    let pairs = [MOVEMENTS, NS_MOVEMENTS, MOBILITY];
    pairs.into_iter().flat_map(|pair| companion(path, pair)).flatten().collect()
}

/// The files whose names have the other where `path` has the one: plain, and compressed by gzip.
fn companion(path: &Path, (part, other): (&str, &str)) -> Option<[PathBuf; 2]> {
    let name = path.file_name().and_then(OsStr::to_str)?;
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let at = name.rfind(part)?;
    let name = format!("{}{other}{}", &name[..at], &name[at + part.len()..]);
    Some([path.with_file_name(&name), path.with_file_name(name + ".gz")])
}

/// What is in such a file, if there is one.
fn beside<T>(
    path: &Path,
    pair: (&str, &str),
    read: impl Fn(File) -> Result<T, TraceError>,
) -> Result<Option<T>, TraceError> {
    for found in companion(path, pair).into_iter().flatten() {
        if let Ok(file) = File::open(&found) {
            return told(&found, read(file)).map(Some);
        }
    }
    Ok(None)
}

/// The duration in BonnMotion's `.ns_params`: `set val(duration) 600.0`.
fn duration(file: File) -> Result<Option<f64>, TraceError> {
    let limits = Limits::default();
    let mut lines = Lines::new(Source::new(file, limits)?, Format::Ns2, limits);
    while lines.advance()? {
        let mut fields = lines.line().fields();
        if fields.by_ref().take(2).last().is_some_and(|field| field.text == "val(duration)") {
            return fields.want("duration")?.time("duration").map(Some);
        }
    }
    Ok(None)
}

fn told<T>(path: &Path, result: Result<T, TraceError>) -> Result<T, TraceError> {
    result.map_err(|error| TraceError::File(path.to_owned(), Box::new(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_its_file() {
        let path = Path::new("nowhere/a.movements.gz");
        let error = open(path, &Options::default()).unwrap_err();
        assert_eq!(error.to_string(), path.display().to_string());
        let TraceError::File(_, inner) = error else { panic!("it is about a file") };
        assert!(matches!(*inner, TraceError::Io(_)));
    }

    #[test]
    fn ends_of_lines_and_a_mark_at_the_start_do_not_matter() {
        let plain = "20 1 2\n40 1 2\n\n# over\n60 2 3\n";
        let other = format!("\u{feff}{}", plain.trim_end().replace('\n', "\r\n"));
        let read = |text: &str| read(text.as_bytes(), &Options::default()).unwrap();
        assert_eq!(read(plain), read(&other));
    }
}
