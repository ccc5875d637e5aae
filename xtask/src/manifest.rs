//! What the `Cargo.toml` of a crate says.

use std::iter::once;

use toml::{Table, Value};

use crate::tree::{File, Tree};

/// The manifest of one crate.
pub(crate) struct Manifest<'a> {
    pub(crate) file: &'a File,
    pub(crate) name: String,
    table: Table,
}

impl<'a> Manifest<'a> {
    /// All manifests that describe a package. Cargo itself refuses those that cannot be read.
    pub(crate) fn all(tree: &'a Tree) -> Vec<Self> {
        let is_manifest = |file: &&File| file.path == format!("{}Cargo.toml", file.folder());
        tree.files.iter().filter(is_manifest).filter_map(Manifest::of).collect()
    }

    fn of(file: &'a File) -> Option<Self> {
        let table: Table = file.text.parse().ok()?;
        let name = table.get("package")?.get("name")?.as_str()?.to_owned();
        Some(Manifest { file, name, table })
    }

    /// The packages that the crate itself depends on; its tests may depend on more.
    pub(crate) fn dependencies(&self) -> Vec<&str> {
        self.entries().into_iter().map(|(key, entry)| package(key, entry)).collect()
    }

    /// Those of them that it cannot do without, whatever its features.
    pub(crate) fn needed(&self) -> Vec<&str> {
        let is_optional =
            |entry: &Value| entry.get("optional").and_then(Value::as_bool) == Some(true);
        let needed = self.entries().into_iter().filter(|(_, entry)| !is_optional(entry));
        needed.map(|(key, entry)| package(key, entry)).collect()
    }

    fn entries(&self) -> Vec<(&str, &Value)> {
        let platforms = self.table.get("target").and_then(Value::as_table);
        let platforms = platforms.into_iter().flat_map(Table::values).filter_map(Value::as_table);
        let mut all = Vec::new();
        for table in once(&self.table).chain(platforms) {
            for kind in ["dependencies", "build-dependencies"] {
                let entries = table.get(kind).and_then(Value::as_table);
                all.extend(entries.into_iter().flatten().map(|(key, entry)| (&**key, entry)));
            }
        }
        all
    }

    /// The files that cargo compiles as the root of something, by name or by custom.
    pub(crate) fn roots(&self) -> Vec<String> {
        let mut roots = vec!["src/lib.rs".to_owned(), "src/main.rs".to_owned()];
        let package = self.table.get("package");
        let auto_tests = package.and_then(|package| package.get("autotests"));
        if auto_tests.and_then(Value::as_bool) != Some(false) {
            roots.push("tests/main.rs".to_owned());
        }
        for (kind, folder) in [("test", "tests"), ("bench", "benches"), ("bin", "src/bin")] {
            let targets = self.table.get(kind).and_then(Value::as_array);
            roots.extend(targets.into_iter().flatten().filter_map(|target| root(target, folder)));
        }
        roots.iter().map(|root| format!("{}{root}", self.file.folder())).collect()
    }
}

/// The package behind a dependency that may have been given another name.
fn package<'a>(key: &'a str, entry: &'a Value) -> &'a str {
    entry.get("package").and_then(Value::as_str).unwrap_or(key)
}

fn root(target: &Value, folder: &str) -> Option<String> {
    let path = target.get("path").and_then(Value::as_str).map(str::to_owned);
    path.or_else(|| Some(format!("{folder}/{}.rs", target.get("name")?.as_str()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_of_tests_do_not_count() {
        let text = "[package]\nname = 'a'\n[dependencies]\nb.workspace = true\n\
            c = { package = 'd' }\n[dev-dependencies]\ne = '1'\n[target.'cfg(f)'.dependencies]\n\
            g = '1'\n[build-dependencies]\nh = '1'\n";
        let tree = Tree::of(&[("Cargo.toml", "[workspace]"), ("a/Cargo.toml", text)]);
        let manifests = Manifest::all(&tree);
        assert_eq!(manifests.len(), 1);
        assert_eq!(manifests[0].name, "a");
        assert_eq!(manifests[0].dependencies(), ["b", "d", "h", "g"]);
    }

    #[test]
    fn roots_are_customary_or_named() {
        let text = "[package]\nname = 'a'\nautotests = false\n[[bench]]\nname = 'b'\n\
            [[test]]\nname = 'c'\npath = 'tests/d.rs'\n";
        let tree = Tree::of(&[("a/Cargo.toml", text)]);
        let roots = Manifest::all(&tree)[0].roots();
        assert_eq!(roots, ["a/src/lib.rs", "a/src/main.rs", "a/tests/d.rs", "a/benches/b.rs"]);
    }
}
