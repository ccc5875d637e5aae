"""Tables of Arrow, from Parquet and from parts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
import pyarrow.parquet  # type: ignore[import-not-found, import-untyped, unused-ignore]


def read(parquet: bytes) -> pyarrow.Table:
    """The table in a Parquet file.

    Without threads: what this reads is small, and pools of threads of pyarrow are not always ended when
    the process is, which aborts it then ("terminate called without an active exception").
    """
    return pyarrow.parquet.read_table(pyarrow.BufferReader(parquet), use_threads=False, pre_buffer=False)


def failed(table: pyarrow.Table) -> str | None:
    """How many cells of a sweep have not run as they should, and why the first has not; None if all have."""
    told = json.loads(table.schema.metadata[b"driftlock"])
    # A broken promise is a result, and has its row.
    without = [failure for failure in told["failures"] if failure["kind"] != "violated"]
    if not without:
        return None
    n_cells = len({failure["cell"] for failure in without})
    first = "cell {cell} {kind}: {what}".format(**without[0])
    return f"{n_cells} of {told['cells']} cells have not run as they should ({first}); all are in the table's metadata"


def about(table: pyarrow.Table) -> dict[str, Any]:
    """What the metadata of a table say of it."""
    told: dict[str, Any] = json.loads(table.schema.metadata[b"driftlock"])
    return told


def whole(parts: Iterable[pyarrow.Table]) -> pyarrow.Table:
    """The table of all parts of a sweep, in any order."""
    tables = list(parts)
    parts_told = [about(part) for part in tables]
    if len({told["sweep"] for told in parts_told}) != 1:
        raise ValueError("join takes the parts of one sweep; these are of several, or there are none")
    table = pyarrow.concat_tables(tables, promote_options="default")
    table = table.sort_by([("cell", "ascending"), ("seed", "ascending")])
    failures = sorted((failure for told in parts_told for failure in told["failures"]), key=lambda failure: failure["cell"])
    _check_whole(table, failures, parts_told[0]["cells"])
    # A part has columns for those kinds of messages only that were sent in it.
    counted = sorted(name for name in table.column_names if _is_counted(name))
    plain = [name for name in table.column_names if not _is_counted(name)]
    filled = _with_zeros(table, counted)
    table = table.select(plain)
    for name in counted:
        table = table.append_column(name, filled[name])
    columns = {column["name"]: column for told in parts_told for column in told["columns"]}
    told = {
        **parts_told[0],
        "columns": [columns[name] for name in table.column_names if name in columns],
        "failures": failures,
        "wide": sorted(cell for told in parts_told for cell in told["wide"]),
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
