# SPDX-License-Identifier: GPL-2.0-only
"""Tests that every option of every experiment changes the results, or is refused."""

from __future__ import annotations

from folder_test import SOURCE
import csv
import json
import os
import re
import subprocess
import tempfile
import unittest
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import experiments_command
from tools import experiments


class Row(NamedTuple):
    """An option, a value that changes results, and with which other options it is tried."""

    option: str
    value: str
    instead: str
    """The value that it is compared with; empty if the option is not given then."""
    others: str


SAME_RESULTS = {"datapath": "stack", "simulator": "default", "jobs": "2", "no-figures": "true",
                "table": "true"}
"""These change the speed only, or what is drawn or printed."""

SAME_PARAMETERS = {"jobs", "no-figures", "table"}
"""And these leave the parameters of the summary as they are."""

REFUSED = {"processes": "2", "devices": "point-to-point"}
"""These have one value only, but for experiments that have a row for them."""

MEND = {"workload-unknown"}
"""Runs are refused without these."""

LAYER = "-1 10000 NONE 0 10000 NONE 0 10000"
INPUTS = {
    "FLOWS": "1\n1 0 3 100 30000 0\n",
    "MICRO": f"MICRO\n2\na {LAYER} ALLREDUCE 40000 10\nb {LAYER} ALLREDUCE 80000 10\n",
    "STRANGE": f"DATA\n2\na {LAYER} ALLREDUCE 40000 10\nb {LAYER} SCATTER 80000 10\n",
    "CHIP": '{"chip": "tiny", "title": "T", "cell_size": 0, "partitions": 1, "profiles": [{"name": "a", '
            '"source": "s", "shared": 20000}]}',
    "RING": '{"g": [0, 1, 2, 3]}',
    "OTHER": '{"g": [0, 2, 3, 1]}',
}
"""Words of command lines in place of which stands the path of a file with this text."""

TRACE = {
    "workload_graph": [
        {"Id": 1, "Name": "work", "NodeType": 4, "data_deps": [], "runtime": 20},
        {
            "Id": 2,
            "Name": "sum",
            "NodeType": 7,
            "data_deps": [],
            "ctrlDeps": [1],
            "comm_type": 0,
            "comm_size": 400000,
            "pg_name": "g",
        },
    ]
}
"""What each of four ranks does in the Chakra traces TRACES, of a process group g."""

WORK = {
    "workload_graph": [
        {
            "Id": 1,
            "Name": "work",
            "NodeType": 4,
            "data_deps": [],
            "num_ops": 20000000,
            "tensor_size": 100000,
        },
        {
            "Id": 2,
            "Name": "sum",
            "NodeType": 7,
            "data_deps": [1],
            "comm_type": 0,
            "comm_size": 400000,
            "involved_dim": [True, False],
        },
    ]
}
"""What each of four ranks does in the Chakra traces WORKS, on a network of two dimensions."""
for node in TRACE["workload_graph"] + WORK["workload_graph"]:
    node["is_cpu_op"] = False

TABLE = {}
"""The rows of each experiment, which are in its folder: options.csv."""

for experiment in experiments.experiments(SOURCE):
    path = experiment.folder / "options.csv"
    TABLE[experiment.name] = []
    if path.exists():
        with path.open(newline="", encoding="utf-8") as file:
            TABLE[experiment.name] = [Row(**row) for row in csv.DictReader(file)]


class Ended(NamedTuple):
    """How a run has ended."""

    status: int
    errors: str
    results: dict
    """Metrics by scheme and scenario, without the time that it took."""
    parameters: dict


def run(name: str, words: tuple[str, ...]) -> Ended:
    """Runs an experiment without gnuplot, whose figures take longer."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        for word, text in INPUTS.items():
            path = Path(folder, word.lower())
            path.write_text(text)
            words = [other.replace(word, str(path)) for other in words]
        for rank in range(4):
            Path(folder, f"trace.{rank}.json").write_text(json.dumps(TRACE))
            Path(folder, f"work.{rank}.json").write_text(json.dumps(WORK))
        words = [word.replace("TRACES", f"{folder}/trace") for word in words]
        words = [word.replace("WORKS", f"{folder}/work") for word in words]
        ended = experiments_command.run(name, *words, f"--out={out}", folder=folder, PATH=folder)
        summary = {"schemes": {}, "parameters": {}}
        if ended.returncode == 0:
            summary = json.loads((out / "summary.json").read_text())
    for metrics in summary["schemes"].values():
        metrics.pop("wall_time", None)
    return Ended(ended.returncode, ended.stderr, summary["schemes"], summary["parameters"])


def words_of(row: Row, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The command lines with and without an option's value."""
    others = tuple(row.others.split())
    without = others if not row.instead else (*others, f"--{row.option}={row.instead}")
    value = row.value or {**SAME_RESULTS, **REFUSED}[row.option]
    return (*others, f"--{row.option}={value}"), without


@unittest.skipUnless(
    all(experiments_command.program(name).exists() for name in TABLE),
    "AIDC_BUILD_DIR names no build of all experiments",
)
class Options(unittest.TestCase):
    """All options of all experiments."""

    def test_table_has_all_options(self):
        for name, rows in TABLE.items():
            printed = subprocess.check_output(experiments_command.command(name, "--help"), text=True)
            own = set(re.findall(r"^    --([a-z][a-z0-9-]*):", printed, re.MULTILINE))
            with self.subTest(program=name):
                # The last two are tested in test_results_folder.py.
                self.assertEqual({row.option for row in rows} | {"out", "overwrite"}, own)

    def test_options_change_results_or_are_refused(self):
        pairs = [(name, row, *words_of(row, name)) for name in TABLE for row in TABLE[name]]
        jobs = dict.fromkeys((name, words) for name, _, *both in pairs for words in both)
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            ended = dict(zip(jobs, pool.map(run, *zip(*jobs))))
        for name, row, words, others in pairs:
            with self.subTest(program=name, of=" ".join(words)):
                given, without = ended[name, words], ended[name, others]
                self.assertEqual(without.status, int(row.option in MEND), without.errors)
                if not row.value and row.option in REFUSED or row.option == "processes":
                    self.assertEqual(given.status, 1)
                    self.assertRegex(given.errors, f"expected .*--{row.option}|--processes")
                    continue
                self.assertEqual(given.status, 0, given.errors)
                if row.option in SAME_RESULTS:
                    self.assertEqual(given.results, without.results)
                    self.assertEqual(
                        given.parameters == without.parameters, row.option in SAME_PARAMETERS
                    )
                else:
                    self.assertFalse(given.results == without.results, "the same results")
