# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""A mechanism of the experiment two-sites that is switched off changes what the experiment says."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(os.environ.get("AIDC_BUILD_DIR", "."), "bin", "aidc-two-sites")
NO_DIFFERENCE = "no difference within the interval"


def findings(scheme: str, *options: str) -> dict[str, dict[str, object]]:
    """What the small variant says of a scheme, by metric."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        subprocess.run(
            [PROGRAM, "--small", "--runs=4", f"--schemes=baseline,{scheme}", *options, f"--out={out}"],
            env={**os.environ, "PATH": folder},  # without gnuplot
            check=True,
            capture_output=True,
            text=True,
        )
        summary = json.loads((out / "summary.json").read_text())
    return {finding["metric"]: finding for finding in summary["findings"]}


@unittest.skipUnless(PROGRAM.exists(), "AIDC_BUILD_DIR names no build of the experiment")
class Verdicts(unittest.TestCase):
    """The verdict on what a mechanism is for, with the mechanism and with it switched off."""

    def check(self, scheme: str, metric: str, verdict: str, *off: str) -> None:
        """The scheme has a verdict, which is another one with options that switch it off."""
        usual = findings(scheme)[metric]
        switched_off = findings(scheme, *off)[metric]
        self.assertEqual(usual["verdict"], verdict)
        self.assertEqual(switched_off["verdict"], NO_DIFFERENCE)
        self.assertNotEqual(usual["sentence"], switched_off["sentence"])
