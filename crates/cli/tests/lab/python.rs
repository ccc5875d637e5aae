//! Results in the hands of others: DuckDB and polars open the files as they are.
//!
//! Both are installed from PyPI into a folder that goes when the test does. Where that cannot be
//! done the test says so, and looks at nothing.

use std::path::Path;
use std::process::{Command, Stdio};

use driftlock_fuzz::skipped;

use crate::place::Place;

const SWEEP: &str = "
[scenario]
network = { nodes = 8, connectivity = 50 }
measure = { warmup = 0, entries = 50 }
[grid]
protocol = ['rl', 'krl']
'requests.rate' = [0.1, 1]
[repetitions]
count = 3
";

/// Opens both files with both, and compares what is in them.
const LOOK: &str = r#"
import json
import duckdb
import polars

parquet = polars.read_parquet("small/results.parquet")
text = polars.read_csv("small/results.csv", infer_schema_length=None)
assert parquet.height == text.height == 12, (parquet.height, text.height)
assert parquet.columns == text.columns
for name in parquet.columns:
    if parquet[name].null_count() < parquet.height:
        assert parquet[name].to_list() == text[name].to_list(), name
kinds = {name: str(kind) for name, kind in parquet.schema.items()}
assert kinds["cell"] == "Int64" and kinds["requests_rate"] == "Float64", kinds
assert kinds["protocol"] == "String" and kinds["waiting_mean"] == "Float64", kinds
assert kinds["most_inside"] == "Int64" and parquet["most_inside"].null_count() == 12, kinds

query = "select protocol, count(*), avg(waiting_mean) from '{}' group by 1 order by 1"
both = [duckdb.sql(query.format(f"small/results.{end}")).fetchall() for end in ("parquet", "csv")]
assert both[0] == both[1] and [row[:2] for row in both[0]] == [("krl", 6), ("rl", 6)], both
mine = parquet.group_by("protocol").agg(polars.col("waiting_mean").mean()).sort("protocol")
for (_, _, mean), other in zip(both[0], mine["waiting_mean"]):
    assert abs(mean - other) < 1e-9, both

rows = duckdb.sql("select key, value from parquet_kv_metadata('small/results.parquet')").fetchall()
told = json.loads({bytes(key).decode(): bytes(value).decode() for key, value in rows}["driftlock"])
units = {column["name"]: column["unit"] for column in told["columns"]}
assert units["waiting_mean"] == "time units" and units["fairness"] == "1", units
assert told["command"] == "driftlock sweep small.toml" and told["seed"] == 1, told
print("opened")
"#;

#[test]
fn results_open_in_duckdb_and_polars() {
    let place = Place::new();
    let python = match environment(&place.path("venv")) {
        Ok(python) => python,
        Err(why) => {
            return skipped(&format!("DuckDB and polars could not be installed: {why}"));
        }
    };
    place.write("small.toml", SWEEP);
    place.write("look.py", LOOK);
    place.fine("sweep small.toml");
    let mut look = Command::new(python);
    let done = look.arg("look.py").current_dir(place.path(".")).output().unwrap();
    let err = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{err}");
    assert_eq!(String::from_utf8_lossy(&done.stdout), "opened\n");
}

/// A Python with both in it, or why there is none.
fn environment(folder: &Path) -> Result<std::path::PathBuf, String> {
    let run = |command: &mut Command| {
        let done = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
        let err = String::from_utf8_lossy(&done.stderr);
        let last = err.lines().last().unwrap_or("it failed").to_owned();
        if done.status.success() { Ok(()) } else { Err(last) }
    };
    run(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    let python = folder.join("bin/python");
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    let only = ["--only-binary", ":all:", "--retries", "3", "--timeout", "20"];
    run(Command::new(&python).args(install).args(only).args(["duckdb", "polars"]))?;
    Ok(python)
}
