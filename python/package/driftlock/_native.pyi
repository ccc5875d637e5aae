"""What is written in Rust. What people tell crosses as TOML, what they are told as JSON, and tables
as Parquet."""

from pathlib import Path

__version__: str

def protocols() -> str: ...
def run(scenario: str | None, file: Path | None) -> str: ...
def sweep(
    study: str | None,
    file: Path | None,
    threads: int | None,
    shard: int,
    shards: int,
    out: Path | None,
) -> bytes: ...
