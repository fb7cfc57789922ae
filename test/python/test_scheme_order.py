# SPDX-License-Identifier: GPL-2.0-only
"""Tests that a scheme's results do not depend on the schemes that have run before it."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

import experiments_command

PROGRAM = experiments_command.program("coupled-ecn")


@unittest.skipUnless(PROGRAM.exists(), "AIDC_BUILD_DIR names no build with aidc-coupled-ecn")
class SchemeOrder(unittest.TestCase):
    """Each network has random variable streams of its own, also for marks by chance."""

    def metrics(self, schemes, scheme):
        """Runs some schemes, and returns the metrics of one of them."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "out")
            options = ["--small", "--scenarios=incast", "--runs=2", "--jobs=1", "--no-figures"]
            options += [f"--schemes={schemes}", f"--out={out}"]
            command = experiments_command.command(PROGRAM, *options)
            subprocess.run(command, check=True, capture_output=True)
            summary = json.loads((out / "summary.json").read_text())
        metrics = summary["schemes"][f"{scheme}@incast"]
        metrics.pop("wall_time")
        return metrics

    def test_red_marks_the_same_packets_alone_and_behind_others(self):
        alone = self.metrics("red", "red")
        self.assertGreater(alone["marked_packets"]["value"], 0, "chance has marked packets")
        self.assertEqual(self.metrics("static-low,coupled,red", "red"), alone)
