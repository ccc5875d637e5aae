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
sweep file says, likewise. Values in mappings may be numbers, texts and lists of Python, and those of
NumPy and pandas; `to_toml` shows the file that says the same. The same scenario and seed give the same
numbers as the command line, to the last bit, on any machine. Simulations run without the lock of the interpreter, so threads run side by
side, and Ctrl-C ends them. `sweep(..., out="folder")` keeps what is finished, and goes on from there.

The client of a node on this machine is `driftlock.client`, and needs nothing but the standard library.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Union

from . import _native, _toml
from ._native import __version__

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]

__all__ = ["Protocol", "Run", "join", "protocols", "run", "sweep", "to_toml", "__version__"]

#: Where a file or a folder is.
Place = Union[str, "os.PathLike[str]"]
#: What a file says, or its path.
Told = Union[Mapping[str, Any], Place]


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
    #: What is to be known about its world before anybody trusts the numbers, a sentence each.
    warnings: list[str]
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
    told: list[Protocol] = json.loads(_native.protocols())
    return told


def run(scenario: Told, **values: Any) -> Run:
    """Run one scenario, once.

    ``scenario`` is a mapping, or the path of a TOML file. Further values stand in for those of a
    mapping: ``run(world, protocol="rr", seed=2)``.

    Raises ``ValueError`` with what is wrong and its key, ``TypeError`` for a value that no file could
    have, and ``KeyboardInterrupt`` on Ctrl-C. A broken promise is no error: look at ``violation``.
    Warns (``UserWarning``) of what is in ``warnings``, as where a trace is not taken as it is.
    """
    if values and not isinstance(scenario, Mapping):
        raise TypeError("values go with a mapping, not with a file: " + ", ".join(values))
    told: Run = json.loads(_native.run(*_text_or_file(scenario, values)))
    _warn(told["warnings"])
    return told


def sweep(
    study: Told,
    *,
    threads: int | None = None,
    shard: tuple[int, int] | None = None,
    out: Place | None = None,
) -> pyarrow.Table:
    """Run a sweep and return its table: a row to each run, parameters, seed and metrics as columns.

    ``study`` is a mapping like a sweep file, or the path of one. Units and meanings of the columns are
    in the metadata of the table's schema, and so are its warnings, which are given, too. With
    ``shard=(i, n)``, i from 1 to n, only that part of the cells is run, and :func:`join` makes the whole
    of the parts.

    With ``out``, a folder, finished cells are kept there as ``driftlock sweep --out`` keeps them: the
    same call goes on where another one was interrupted, or where its process died, and what is
    finished is not run again. A cell is recognized by all that its results depend on, so values may
    be added or left out in between, and the command line can go on with the folder, or have begun it.
    In the end ``results.parquet``, ``results.csv`` and ``sweep.json`` are written there; parts keep
    their cells alone, and may share a folder. Two calls at once cannot: ``ValueError`` says so.

    A cell that cannot be run, or that fails by a bug, has no rows: ``RuntimeWarning`` says so. What went
    wrong in each is in the metadata of the table's schema.

    Needs ``pyarrow`` (``pip install './python[tables]'``); ``.to_pandas()`` makes a data frame of it.
    """
    from . import _tables

    told, file = _text_or_file(study)
    if threads is not None and threads < 1:
        raise ValueError(f"threads: expected at least 1, found {threads}")
    part, folder = _part(shard), None if out is None else Path(out)
    table = _tables.read(_native.sweep(told, file, threads, *part, folder))
    _warn(_tables.about(table)["warnings"])
    if failed := _tables.failed(table):
        warnings.warn(failed, RuntimeWarning, stacklevel=2)
    return table


def join(parts: Iterable[pyarrow.Table]) -> pyarrow.Table:
    """The table of a whole sweep, from those of all its parts, in any order.

    Raises ValueError if a part is missing or there twice, or if they are of different sweeps.
    """
    from . import _tables

    return _tables.whole(parts)


def to_toml(told: Mapping[str, Any]) -> str:
    """The text of the file that says the same as a mapping, be it a scenario or a sweep.

    It is what :func:`run` and :func:`sweep` make of a mapping, and what the command line takes for the
    same: a sweep is called ``sweep.toml`` there, as its results say. Raises ``TypeError`` or
    ``ValueError`` with the key of a value that no file could have.
    """
    return _toml.text(told)


def _warn(of: list[str]) -> None:
    for warning in of:
        # It is about the line that calls `run` or `sweep`.
        warnings.warn(warning, stacklevel=3)


def _part(shard: tuple[int, int] | None) -> tuple[int, int]:
    """Which part, counted from 1, and of how many."""
    if shard is None:
        return 1, 1
    if len(shard) != 2 or not 1 <= shard[0] <= shard[1] < 2**32:
        raise ValueError(f"shard: expected (i, n) with i from 1 to n, found {shard}")
    return shard


def _text_or_file(told: Told, values: Mapping[str, Any] = {}) -> tuple[str | None, Path | None]:
    if isinstance(told, Mapping):
        return _toml.text({**told, **values}), None
    return None, Path(told)
