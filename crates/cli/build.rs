//! A digest of the code that results of runs depend on, for `driftlock sweep`: what was measured
//! before somebody changed a protocol is not taken for what it would measure now.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where that code is, beside this package. Where it is not, as in a registry, the version of the
/// package says which code it was built with.
const CODE: [&str; 12] = [
    "../core/src",
    "../lab/src/stats.rs",
    "../protocols/src",
    "../sim/src",
    "../spec/src",
    "../sweep/src/columns.rs",
    "../sweep/src/engine.rs",
    "../sweep/src/outcome.rs",
    "../sweep/src/rule.rs",
    "../traces/src",
    "src/lab/registry",
    "../../Cargo.lock",
];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for path in CODE.map(Path::new).into_iter().filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
        for file in files(path)? {
            hash.add(file.to_string_lossy().as_bytes());
            hash.add(&fs::read(&file)?);
        }
    }
    println!("cargo::rustc-env=DRIFTLOCK_CODE={:016x}", hash.0);
    Ok(())
}

/// All files in a folder, in order; or the one file that it is.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.into()]);
    }
    let mut entries: Vec<PathBuf> =
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    entries.sort();
    let files: Vec<Vec<PathBuf>> =
        entries.iter().map(|entry| files(entry)).collect::<io::Result<_>>()?;
    Ok(files.concat())
}

/// The hash of Fowler, Noll and Vo: enough to notice a change that nobody tries to hide.
struct Fnv(u64);

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}
