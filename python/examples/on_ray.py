"""A sweep on a Ray cluster: each task runs one part of the cells, and the parts are put together.

    pip install './python[ray]'
    python python/examples/on_ray.py                     # a cluster of this machine alone
    RAY_ADDRESS=auto python python/examples/on_ray.py    # one that is there

Every machine of the cluster needs the package, in the same version: Ray sends what is in this file to its workers,
and not what it imports.

What comes of a cell depends on the cell alone, so the table is the same as that of one machine, for any
number of parts and in whichever order they end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow
import ray

import driftlock

STUDY = {
    "scenario": {
        "network": {"nodes": 20, "connectivity": 40},
        "link-changes": {"model": "toggle"},
        "measure": {"warmup": 50, "entries": 500},
    },
    "grid": {
        "protocol": ["rl", "rr"],
        "requests.rate": [0.01, 0.1, 1],
        "link-changes.rate": [0, 0.001, 0.01],
    },
    "repetitions": {"count": 4, "seed": 1},
}


@ray.remote(num_cpus=1, max_retries=3)
def part(study: Mapping[str, Any], shard: int, shards: int) -> pyarrow.Table:
    """Run one part, on one core. A machine that goes away costs only the parts it was at."""
    return driftlock.sweep(study, threads=1, shard=(shard, shards))


def sweep(study: Mapping[str, Any], parts: int) -> pyarrow.Table:
    """Run a sweep in so many parts, and return its table."""
    return driftlock.join(ray.get([part.remote(study, k + 1, parts) for k in range(parts)]))


if __name__ == "__main__":
    ray.init()
    keys = ["protocol", "link_changes_rate", "requests_rate"]
    groups = sweep(STUDY, parts=6).group_by(keys, use_threads=False)
    means = groups.aggregate([("waiting_mean", "mean")]).select([*keys, "waiting_mean_mean"])
    print(*means.column_names, sep="\t")
    for row in means.to_pylist():
        print(*row.values(), sep="\t")
