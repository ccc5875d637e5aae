//! Files that are there whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

/// Write a file: into a temporary one beside it first, which takes its name once it is complete.
pub(crate) fn write<T>(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<T>) -> Result<T> {
    let name = || format!("cannot write {}", path.display());
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = parent.unwrap_or(Path::new("."));
    let file = NamedTempFile::new_in(folder).with_context(name)?;
    let mut writer = BufWriter::new(file);
    let result = fill(&mut writer)?;
    let file = writer.into_inner().map_err(io::IntoInnerError::into_error).with_context(name)?;
    open_to_readers(file.as_file()).with_context(name)?;
    file.persist(path).map_err(|error| error.error).with_context(name)?;
    Ok(result)
}

/// Temporary files are private; a result is not.
#[cfg(unix)]
fn open_to_readers(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn open_to_readers(_: &File) -> io::Result<()> {
    Ok(())
}

/// Write a text file.
pub(crate) fn write_text(path: &Path, text: &str) -> Result<()> {
    write(path, |to| Ok(to.write_all(text.as_bytes())?))
}
