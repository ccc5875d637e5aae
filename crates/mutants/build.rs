//! Writes each protocol with all its mutants in it, from the sources of `protocols`.

#[path = "src/generate.rs"]
pub mod generate;
#[path = "src/table/mod.rs"]
pub mod table;

use std::path::Path;
use std::{env, fs, io};

use table::{PROTOCOLS, Source};

fn main() -> Result<(), String> {
    let here = env::var("CARGO_MANIFEST_DIR").map_err(|error| error.to_string())?;
    let target = env::var("OUT_DIR").map_err(|error| error.to_string())?;
    let folder = Path::new(&here).join("../protocols/src");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed={}", folder.display());
    for source in PROTOCOLS {
        let text = read(source, &folder).map_err(|error| format!("{}: {error}", source.name))?;
        let text = generate::generate(source, &text)?;
        fs::write(Path::new(&target).join(format!("{}.rs", source.name)), text)
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The module of a protocol, its submodules put where they are declared.
fn read(source: &Source, folder: &Path) -> io::Result<String> {
    let folder = folder.join(source.name);
    let mut text = fs::read_to_string(folder.join("mod.rs"))?;
    for part in source.parts {
        let inner = fs::read_to_string(folder.join(format!("{part}.rs")))?;
        text = text.replace(&format!("mod {part};"), &format!("mod {part} {{\n{inner}\n}}"));
    }
    Ok(text)
}
