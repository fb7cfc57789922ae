# SPDX-License-Identifier: GPL-2.0-only
"""How far leaps are from executing all: small workloads on GPU servers, with --leap and without.

    python3 -m tools.leap_errors build/ns3-3.44/bin/aidc-gpu-servers --seeds=10 > leap-errors.csv

Each row is a pair of runs of the same workload, congestion control, placement, buffer and seed. Errors
are relative: of the time of the step, of the mean bus bandwidth, and of the mean and the 99th percentile of
the durations of collectives and messages. The worst step comes first.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import math
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

_RING = {"bytes": 8e6, "algorithm": "ring", "chunks": 2}
_SMALL = {"bytes": 1e6, "algorithm": "ring", "overlap": False}

WORKLOADS: Mapping[str, Mapping[str, Any]] = {
    "ring": {"dp": 16, "layers": 40, "backward_seconds": 50e-6, "data": _RING},
    "hierarchical": {"dp": 16, "layers": 40, "backward_seconds": 50e-6,
                     "data": {**_RING, "algorithm": "hierarchical", "server": 2}},
    "tree": {"dp": 16, "layers": 40, "backward_seconds": 50e-6,
             "data": {**_RING, "algorithm": "double-tree", "chunks": 16}},
    "all-to-all": {"dp": 16, "ep": 16, "layers": 16, "forward_seconds": 50e-6, "backward_seconds": 100e-6,
                   "expert": {"bytes": 4e6, "algorithm": "direct"}, "data": _SMALL},
    "pairwise": {"dp": 16, "ep": 16, "layers": 16, "forward_seconds": 50e-6, "backward_seconds": 100e-6,
                 "expert": {"bytes": 4e6, "algorithm": "pairwise"}, "data": _SMALL},
    "1f1b": {"dp": 2, "tp": 2, "pp": 4, "layers": 4, "microbatches": 48, "forward_seconds": 200e-6,
             "backward_seconds": 400e-6, "tensor": {"bytes": 1e6, "algorithm": "ring"},
             "pipeline": {"bytes": 4e6, "schedule": "1f1b"}, "data": _RING},
    "skewed-experts": {"dp": 16, "ep": 8, "layers": 16, "forward_seconds": 100e-6,
                       "backward_seconds": 200e-6,
                       "expert": {"bytes": 2e6, "algorithm": "direct", "load": 1.5}, "data": _RING},
    "long-flows": {"dp": 8, "pp": 2, "layers": 2, "microbatches": 1, "forward_seconds": 10e-6,
                   "backward_seconds": 20e-6, "pipeline": {"bytes": 400e6}, "data": _SMALL},
}
"""Training steps of 16 ranks, in servers of two."""

SERVERS, LEAVES, SPINES = 8, 4, 2
"""Two GPUs a server and two servers a leaf, whose links to spines have half of the rate of those to GPUs."""

SCHEMES = ("dcqcn", "swift")
PLACEMENTS = ("packed", "shuffled")
BUFFERS = ("64MB", "500kB")
"""The latter pauses ports."""


def measure(program: str, arguments: Sequence[str]) -> dict[str, float]:
    """Makes a run; returns its metrics, the mean and the 99th percentile of the durations of collectives and
    messages in us, and the seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run([program, *arguments, "--json", f"--out={folder}"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=True).stdout
        timeline = json.loads(next(Path(folder).glob("timeline-*.json")).read_text(encoding="utf-8"))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    outcome = json.loads(next(line for line in said.splitlines() if line.startswith('{"metrics":')))
    durations = sorted(event["dur"] for event in timeline["traceEvents"]
                       if event["ph"] == "X" and event["cat"] not in ("computation", "delay", "receive"))
    return {**{name: math.nan if value is None else value for name, value, _ in outcome["metrics"]},
            "duration_mean": sum(durations) / len(durations),
            "duration_p99": durations[int(0.99 * (len(durations) - 1))],
            "processor_seconds": after.ru_utime - before.ru_utime}


def make_topology() -> str:
    """Returns a topology file of SimAI: GPUs, NVSwitches, leaves and spines."""
    gpus = 2 * SERVERS
    leaves = range(gpus + SERVERS, gpus + SERVERS + LEAVES)
    spines = range(leaves.stop, leaves.stop + SPINES)
    links = [f"{gpu} {gpus + gpu // 2} 2880Gbps 0.000025ms 0" for gpu in range(gpus)]
    links += [f"{gpu} {leaves[gpu * LEAVES // gpus]} 400Gbps 0.0005ms 0" for gpu in range(gpus)]
    links += [f"{leaf} {spine} 400Gbps 0.0005ms 0" for leaf in leaves for spine in spines]
    head = f"{spines.stop} 2 {SERVERS} {LEAVES + SPINES} {len(links)} H100"
    return "\n".join([head, " ".join(map(str, range(gpus, spines.stop))), *links, ""])


def compare(program: str, workload: Path, rest: Sequence[str], error: str) -> dict[str, float]:
    """Makes a pair of runs, with the topology next to the workload."""
    arguments = [f"--workload={workload}", f"--topology={workload.parent / 'topology.txt'}", *rest]
    executed = measure(program, arguments)
    leapt = measure(program, [*arguments, f"--leap={error}"])
    compared = {"step": "completion_time", "bandwidth": "bus_bandwidth", "mean": "duration_mean",
                "p99": "duration_p99"}
    return {
        **{f"{name}_error": leapt[one] / executed[one] - 1 for name, one in compared.items()},
        "said_error": leapt["leap_error"],
        "leapt_operations": leapt["leapt_operations"],
        "mistakes": leapt["leap_mistakes"],
        "faster": executed["processor_seconds"] / leapt["processor_seconds"],
        "packets_fewer": leapt["counter_factor"],
        "pauses": executed["pauses"],
    }


def rows(program: str, names: Sequence[str], seeds: int, error: str) -> Iterator[dict[str, Any]]:
    """All pairs of runs."""
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = Path(folder) / f"{name}.json"
            path.write_text(json.dumps({"training": WORKLOADS[name]}), encoding="utf-8")
        (Path(folder) / "topology.txt").write_text(make_topology(), encoding="utf-8")
        every = itertools.product(range(1, seeds + 1), names, SCHEMES, PLACEMENTS, BUFFERS)
        for seed, name, scheme, placement, buffer in every:
            if seed > 1 and placement == "packed":
                continue  # only placements are random
            rest = [f"--schemes={scheme}", f"--placement={placement}", f"--buffer={buffer}", f"--seed={seed}"]
            found = compare(program, Path(folder) / f"{name}.json", rest, error)
            yield {"workload": name, "scheme": scheme, "placement": placement, "buffer": buffer,
                   "seed": seed, **found}


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program", help="aidc-gpu-servers")
    parser.add_argument("--seeds", type=int, default=1, help="seeds of each row (default: 1)")
    parser.add_argument("--leap", default="0.01", help="the accepted error (default: 0.01)")
    parser.add_argument("--only", choices=WORKLOADS, action="append", help="a workload (default: all)")
    options = parser.parse_args()
    found = []
    for row in rows(options.program, options.only or list(WORKLOADS), options.seeds, options.leap):
        print(*(f"{value:.4g}" if isinstance(value, float) else value for value in row.values()),
              file=sys.stderr, flush=True)
        found.append(row)
    found.sort(key=lambda row: -abs(row["step_error"]))
    writer = csv.DictWriter(sys.stdout, list(found[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
