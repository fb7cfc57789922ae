# SPDX-License-Identifier: GPL-2.0-only
"""The metrics of the experiment incast add up, whatever its degree, transport and marking."""

import csv
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

import experiments_command

PROGRAM = experiments_command.program("incast")
RATE = 100e9  # bit/s of the receiver's link
CASES = (
    # degree, bytes of a flow, and other options
    (1, 100000, ()),
    (2, 200000, ("--transport=swift",)),
    (8, 50000, ("--transport=dcqcn",)),
    (24, 100000, ("--buffer=500kB",)),  # with loss
    (24, 100000, ("--buffer=500kB", "--transport=dcqcn")),  # with pauses
)


@unittest.skipUnless(PROGRAM.exists(), "AIDC_BUILD_DIR names no build of the experiment")
class Metrics(unittest.TestCase):
    """What a run tells."""

    def test_they_add_up(self):
        for degree, size, others in CASES:
            options = [f"--degree={degree}", f"--size={size}B", *others]
            with self.subTest(options), tempfile.TemporaryDirectory() as folder:
                out = Path(folder, "out")
                command = experiments_command.command(PROGRAM, "--small", *options, f"--out={out}")
                subprocess.run(command, check=True, capture_output=True, text=True)
                summary = json.loads((out / "summary.json").read_text())
                for name, metrics in summary["schemes"].items():
                    values = {metric: found["value"] for metric, found in metrics.items()}
                    path = out / f"flows-incast-{name.partition('@')[0]}.csv"
                    with path.open(newline="") as file:
                        flows = list(csv.DictReader(file))
                    self.check(degree, size, "--transport=dcqcn" in others, name, values, flows)

    def check(self, degree, size, is_lossless, name, values, flows):
        """The metrics and the flows of a scheme fit each other."""
        total = degree * size
        self.assertEqual(values["unfinished_flows"], 0)
        self.assertEqual(values["delivered_bytes"], total)
        self.assertEqual([int(flow["size_byte"]) for flow in flows], degree * [size])
        # The receiver's link is the bottleneck: nothing takes less time than its bits there.
        self.assertLess(values["goodput"], RATE)
        self.assertAlmostEqual(values["goodput"] * values["completion_time"] / 8 / total, 1)
        times = sorted(float(flow["fct_s"]) for flow in flows)
        self.assertGreater(times[-1], 8 * total / RATE - 1e-6)  # flows begin within 1 us
        self.assertLessEqual(times[-1], values["completion_time"])
        self.assertAlmostEqual(values["fct_mean"] / (sum(times) / degree), 1)
        # Jain's index of the rates, from one flow that has it all to equal shares
        rates = [size / time for time in times]
        fairness = sum(rates) ** 2 / degree / sum(rate * rate for rate in rates)
        self.assertAlmostEqual(values["fairness"], fairness)
        self.assertTrue(1 / degree - 1e-12 <= values["fairness"] <= 1 + 1e-12, values["fairness"])
        if name == "off@incast":
            self.assertEqual(values["marked_packets"], 0)
        if is_lossless:
            self.assertEqual(values["dropped_packets"], 0)
        if degree == 24 and is_lossless:
            self.assertGreater(values["pauses"], 0)
        elif degree == 24 and name == "off@incast":
            self.assertGreater(values["dropped_packets"], 0)


if __name__ == "__main__":
    unittest.main()
