# SPDX-License-Identifier: GPL-2.0-only
"""The tables of verdicts in doc/data are from the experiment two-sites."""

from __future__ import annotations

import csv
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import experiments_command

DATA = Path(__file__).resolve().parents[2] / "doc" / "data"
SMALL = DATA / "two-sites-small.csv"
PROGRAM = experiments_command.program("two-sites")
NAMES = ("subject", "label", "goal", "scheme", "baseline", "unit")
"""What does not depend on the size of the experiment."""


def names(path: Path) -> list[list[str]]:
    """What a table compares, row by row."""
    with path.open(newline="", encoding="utf-8") as file:
        return [[row[name] for name in NAMES] for row in csv.DictReader(file)]


class Tables(unittest.TestCase):
    """The committed tables, of which each has the findings of one size."""

    def test_all_sizes_have_the_same_rows(self):
        header = SMALL.read_text(encoding="utf-8").splitlines()[0]
        for path in DATA.glob("two-sites*.csv"):
            with self.subTest(path.name):
                self.assertEqual(path.read_text(encoding="utf-8").splitlines()[0], header)
                self.assertEqual(names(path), names(SMALL))

    @unittest.skipUnless(PROGRAM.exists(), "AIDC_BUILD_DIR names no build of the experiment")
    @unittest.skipUnless(
        re.fullmatch(r"ns3-3\.44(-werror)?", experiments_command.BUILD.name),
        "the table is that of ns-3.44; other releases draw other random numbers",
    )
    def test_small_table_is_what_the_experiment_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "out")
            subprocess.run(
                experiments_command.command(
                    PROGRAM, "--small", "--runs=4", "--no-figures", f"--out={out}"
                ),
                check=True,
                capture_output=True,
            )
            self.assertEqual(
                (out / "verdicts.csv").read_text(encoding="utf-8").splitlines(),
                SMALL.read_text(encoding="utf-8").splitlines(),
                "copy verdicts.csv of aidc-two-sites --small --runs=4 there",
            )
