"""What is written in Rust. Everything crosses as JSON; tables cross as Parquet."""

from pathlib import Path

__version__: str

def protocols() -> str: ...
def run(scenario: str | None, file: Path | None) -> str: ...
def sweep(
    study: str | None, file: Path | None, threads: int | None, shard: int, shards: int
) -> bytes: ...
