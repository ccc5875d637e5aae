"""Locks for networks that move: the lab of driftlock, for Python.

    import driftlock

    driftlock.protocols()
    driftlock.run({"protocol": "rl", "network": {"nodes": 30}, "requests": {"rate": 0.1}})
    driftlock.sweep({
        "scenario": {"network": {"nodes": 30}, "measure": {"entries": 1000}},
        "grid": {"protocol": ["rl", "rr"], "requests.rate": [0.01, 0.1, 1]},
        "repetitions": {"count": 6},
    }).to_pandas()

A scenario is what a scenario file says, as a mapping, or the path of such a file; a sweep is what a
sweep file says, likewise. The same scenario and seed give the same numbers as the command line, to the
last bit, on any machine. Simulations run without the lock of the interpreter, so threads run side by
side, and Ctrl-C ends them.

The client of a node on this machine is `driftlock.client`, and needs nothing but the standard library.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Union

from . import _native
from ._native import __version__

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Protocol", "Run", "join", "protocols", "run", "sweep", "__version__"]

#: What a file says, or its path.
Told = Union[Mapping[str, Any], str, "os.PathLike[str]"]


class Protocol(TypedDict):
    """A protocol that can be run."""

    name: str
    aliases: list[str]
    promise: str
    paper: str
    variants: list[str]
    media: list[str]


class Run(TypedDict):
    """What came of one run."""

    #: The scenario, with everything that its protocol decides filled in.
    scenario: dict[str, Any]
    #: The promise that was broken and how, or None.
    violation: str | None
    #: How many steps processes took.
    steps: int
    #: When it ended, in time units.
    ended_at: float
    #: What was measured: waiting, messages_per_entry, bytes_per_entry, throughput, fairness, ...
    metrics: dict[str, Any]


def protocols() -> list[Protocol]:
    """All protocols: their names, promises, papers, variants and what carries their messages."""
    return json.loads(_native.protocols())


def run(scenario: Told, **values: Any) -> Run:
    """Run one scenario, once.

    ``scenario`` is a mapping, or the path of a TOML file. Further values stand in for those of a
    mapping: ``run(world, protocol="rr", seed=2)``.

    Raises ``ValueError`` with what is wrong and where, and ``KeyboardInterrupt`` on Ctrl-C. A broken
    promise is no error: look at ``violation``.
    """
    if isinstance(scenario, Mapping):
        return json.loads(_native.run(json.dumps({**scenario, **values}), None))
    if values:
        raise TypeError("values go with a mapping, not with a file: " + ", ".join(values))
    return json.loads(_native.run(None, Path(scenario)))


def sweep(
    study: Told,
    *,
    threads: int | None = None,
    shard: tuple[int, int] | None = None,
) -> pyarrow.Table:
    """Run a sweep and return its table: a row to each run, parameters, seed and metrics as columns.

    ``study`` is a mapping like a sweep file, or the path of one. Units and meanings of the columns are
    in the metadata of the table's schema. With ``shard=(i, n)``, i from 1 to n, only that part of the
    cells is run, and :func:`join` makes the whole of the parts.

    Needs ``pyarrow`` (``pip install driftlock[tables]``); ``.to_pandas()`` makes a data frame of it.
    """
    import pyarrow
    import pyarrow.parquet

    told = json.dumps(study) if isinstance(study, Mapping) else None
    file = None if told is not None else Path(study)
    part = shard or (1, 1)
    table = _native.sweep(told, file, threads, *part)
    return pyarrow.parquet.read_table(pyarrow.BufferReader(table))


def join(parts: Iterable[pyarrow.Table]) -> pyarrow.Table:
    """The table of a whole sweep, from those of all its parts, in any order.

    Raises ValueError if a part is missing or there twice, or if they are of different sweeps.
    """
    import pyarrow

    tables = list(parts)
    about = [json.loads(part.schema.metadata[b"driftlock"]) for part in tables]
    if len({told["sweep"] for told in about}) != 1:
        raise ValueError("join takes the parts of one sweep; these are of several, or there are none")
    table = pyarrow.concat_tables(tables, promote_options="default")
    table = table.sort_by([("cell", "ascending"), ("seed", "ascending")])
    failures = sorted((failure for told in about for failure in told["failures"]), key=lambda failure: failure["cell"])
    _check_whole(table, failures, about[0]["cells"])
    # A part has columns for those kinds of messages only that were sent in it.
    counted = sorted(name for name in table.column_names if _is_counted(name))
    plain = [name for name in table.column_names if not _is_counted(name)]
    filled = _with_zeros(table, counted)
    table = table.select(plain)
    for name in counted:
        table = table.append_column(name, filled[name])
    columns = {column["name"]: column for told in about for column in told["columns"]}
    told = {
        **about[0],
        "columns": [columns[name] for name in table.column_names if name in columns],
        "failures": failures,
        "wide": sorted(cell for told in about for cell in told["wide"]),
    }
    return table.replace_schema_metadata({"driftlock": json.dumps(told)})


def _check_whole(table: pyarrow.Table, failures: list[dict[str, Any]], cells: int) -> None:
    runs = list(zip(table["cell"].to_pylist(), table["seed"].to_pylist()))
    if len(set(runs)) != len(runs):
        raise ValueError("a part is there twice")
    there = {cell for cell, _ in runs} | {failure["cell"] for failure in failures}
    missing = [cell for cell in range(1, cells + 1) if cell not in there]
    if missing:
        shown = ", ".join(map(str, missing[:10])) + (", ..." if len(missing) > 10 else "")
        raise ValueError(f"{len(missing)} of {cells} cells are missing ({shown}): is a part left out?")


def _with_zeros(table: pyarrow.Table, counted: list[str]) -> dict[str, pyarrow.Array]:
    """What others with the same protocol have counted and a run has not, it has counted 0 times. A
    part does not know what is in the others."""
    import pyarrow

    protocols, statuses = table["protocol"].to_pylist(), table["status"].to_pylist()
    values = {name: table[name].to_pylist() for name in counted}
    messages = [name for name in counted if name.startswith("messages_")]
    has_sent = [any(values[name][row] is not None for name in messages) for row in range(table.num_rows)]
    held = [status == "held" for status in statuses]
    filled = {}
    for name in counted:
        is_measured = has_sent if name in messages else held
        known = {protocol for protocol, value in zip(protocols, values[name]) if value is not None}
        column = [
            0 if value is None and protocol in known and measured else value
            for value, protocol, measured in zip(values[name], protocols, is_measured)
        ]
        filled[name] = pyarrow.array(column, type=table.schema.field(name).type)
    return filled


def _is_counted(name: str) -> bool:
    return name.startswith(("messages_", "notes_")) and name != "messages_per_entry"
