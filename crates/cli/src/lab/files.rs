//! Files that are there whole or not at all.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result, bail};
use tempfile::NamedTempFile;

/// The temporary files of this process.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Write a file: into a temporary one beside it first, which takes its name once it is complete.
pub(crate) fn write<T>(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<T>) -> Result<T> {
    let name = || format!("cannot write {}", path.display());
    let target = target(path)?;
    let file = open_beside(&target).with_context(name)?;
    let unfinished = Unfinished::new(file.path());
    // The name of the temporary file, which it would tell itself, helps nobody.
    let mut writer = BufWriter::new(file.as_file());
    let result = fill(&mut writer).map_err(|error| match error.is::<io::Error>() {
        true => error.context(name()),
        false => error,
    })?;
    writer.flush().with_context(name)?;
    drop(writer);
    file.persist(&target).map_err(|error| error.error).with_context(name)?;
    drop(unfinished);
    Ok(result)
}

/// Write a text file.
pub(crate) fn write_text(path: &Path, text: &str) -> Result<()> {
    write(path, |to| Ok(to.write_all(text.as_bytes())?))
}

/// Find out whether a file can be written, before there is anything to write: after minutes of work
/// would be unkind.
pub(crate) fn check(path: &Path) -> Result<()> {
    let name = || format!("cannot write {}", path.display());
    open_beside(&target(path)?).with_context(name)?;
    Ok(())
}

/// Make a folder that files can be written to.
pub(crate) fn make_folder(folder: &Path) -> Result<()> {
    let name = || format!("cannot make the folder {}", folder.display());
    fs::create_dir_all(folder).with_context(name)?;
    open_beside(&folder.join("new")).with_context(|| {
        format!("cannot write into the folder {} (--out names another one)", folder.display())
    })?;
    Ok(())
}

/// Whether two paths lead to one file that is there.
pub(crate) fn same(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// Remove what was begun: the process is about to end.
pub(crate) fn abandon() {
    if let Ok(unfinished) = UNFINISHED.try_lock() {
        for path in unfinished.iter() {
            let _ = fs::remove_file(path);
        }
    }
}

/// The file that a path leads to. Nothing but a file is replaced by a file.
fn target(path: &Path) -> Result<PathBuf> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.into());
    match fs::metadata(&target) {
        Ok(is) if is.is_dir() => bail!("cannot write {}: it is a folder", path.display()),
        Ok(is) if !is.is_file() => bail!("cannot write {}: it is no plain file", path.display()),
        _ => {}
    }
    let folder = folder_of(&target);
    if !folder.is_dir() {
        bail!("cannot write {}: there is no folder {}", path.display(), folder.display());
    }
    Ok(target)
}

fn folder_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// A new file beside `target`, which may be read by those who may read `target`.
fn open_beside(target: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".driftlock-");
    let file = match fs::metadata(target) {
        Ok(is) => builder.permissions(is.permissions()).tempfile_in(folder_of(target)),
        Err(_) => open_to_readers(&mut builder).tempfile_in(folder_of(target)),
    };
    // The name of the temporary file helps nobody.
    file.map_err(|error| error.kind().into())
}

/// Temporary files are private; a result is as open as other new files.
#[cfg(unix)]
fn open_to_readers<'b, 'p, 's>(
    builder: &'b mut tempfile::Builder<'p, 's>,
) -> &'b mut tempfile::Builder<'p, 's> {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn open_to_readers<'b, 'p, 's>(
    builder: &'b mut tempfile::Builder<'p, 's>,
) -> &'b mut tempfile::Builder<'p, 's> {
    builder
}

/// A temporary file that is listed as long as this lives.
struct Unfinished(PathBuf);

impl Unfinished {
    fn new(path: &Path) -> Self {
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            unfinished.push(path.into());
        }
        Unfinished(path.into())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            unfinished.retain(|path| *path != self.0);
        }
    }
}
