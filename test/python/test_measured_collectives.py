# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the all-reduces that clusters have measured: the table, and mistakes in such a table."""

from __future__ import annotations

import csv
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import experiments_command

TABLE = Path(__file__).parents[2] / "examples/data/measured/collectives.csv"
PROGRAM = experiments_command.program("gpu-servers")

P5_BUS_BANDWIDTHS = {
    "1MiB": 15.95, "2MiB": 26.70, "4MiB": 46.64, "8MiB": 76.80, "16MiB": 105.52, "32MiB": 143.09,
    "64MiB": 209.19, "128MiB": 289.16, "256MiB": 342.81, "512MiB": 393.34, "1GiB": 436.95,
    "2GiB": 443.72, "4GiB": 465.87, "8GiB": 479.28, "16GiB": 487.09,
}
"""GB/s that nccl-tests prints beside the times."""


def rows() -> dict[str, dict[str, str]]:
    """The rows of the table, by name."""
    with TABLE.open(newline="", encoding="utf-8") as file:
        return {row["row"]: row for row in csv.DictReader(file)}


class Table(unittest.TestCase):
    """What the table says."""

    def test_times_have_the_bus_bandwidths_that_were_published_with_them(self):
        # 2 (n - 1) / n of the bytes over the time, of 16 GPUs
        for size, published in P5_BUS_BANDWIDTHS.items():
            row = rows()[f"p5-{size.lower()}"]
            found = 2 * 15 / 16 * int(row["bytes"]) / float(row["measured"]) / 1e3
            self.assertAlmostEqual(found, published, delta=6e-4 * published + 5e-3)

    def test_half_of_a_table_is_fitted_and_each_row_has_its_source(self):
        uses = [rows()[f"p5-{size.lower()}"]["use"] for size in P5_BUS_BANDWIDTHS]
        self.assertEqual(uses, ["fitted", "predicted"] * 7 + ["predicted"])
        for row in rows().values():
            self.assertRegex(row["source"], r"^https://github\.com/")
            if row["use"] != "fitted" and not row["row"].startswith("p5-"):
                self.assertEqual((row["post"], row["between"], row["rate"]), ("", "", ""))


@unittest.skipUnless(PROGRAM.exists(), "AIDC_BUILD_DIR names no build of gpu-servers")
class Mistakes(unittest.TestCase):
    """A table of one's own with a mistake."""

    def check(self, text: str, expected: str) -> None:
        """Runs a table, and expects one line that names the place and what was expected."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "measured/collectives.csv")
            path.parent.mkdir()
            path.write_text(text)
            command = experiments_command.command("gpu-servers", "--measured=p5", f"--out={folder}/out")
            ended = subprocess.run(command, env={**os.environ, "AIDC_DATA": folder},
                                   capture_output=True, text=True, timeout=60)
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)
        self.assertIn(expected, ended.stderr)

    def test_mistakes_are_told_with_their_line(self):
        header, row = TABLE.read_text().splitlines()[:2]
        fields = row.split(",")
        self.check("row\n", ":1: expected row,use,algorithm")
        for place, text, expected in (
            (1, "guessed", ":2: expected one of fitted, predicted, simulator, fault"),
            (2, "hierarchical", ":2: expected one of ring, double-tree, nvls"),
            (3, "tcp", ":2: expected one of simple, ll, ll128"),
            (4, "0", ":2: expected a number from 1 to 64"),
            (5, "8x", ":2: expected a number from 1 to 64"),
            (9, "", ":2: expected a number from 1 to 1e+12"),
            (10, "nan", ":2: expected a number from 0.001"),
            (11, "s", ":2: expected one of us, GB/s"),
            (12, "-1", ":2: expected a number from 0 to 1e+06"),
            (15, "a,b", ":2: expected 16 fields"),
        ):
            changed = [*fields[:place], text, *fields[place + 1:]]
            self.check(f"{header}\n{','.join(changed)}\n", expected)
        alone = [*fields[:4], "1", "1", *fields[6:]]
        self.check(f"{header}\n{','.join(alone)}\n", ":2: expected at least two GPUs")
        nvls = [*fields[:2], "nvls", *fields[3:]]
        self.check(f"{header}\n{','.join(nvls)}\n", "NCCL has nvls with simple")
