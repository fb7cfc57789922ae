# SPDX-License-Identifier: GPL-2.0-only
"""Tests of tools/leap_errors.py, with a program whose errors are known."""

import csv
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE))

from tools import leap_errors

PROGRAM = f"""#!{sys.executable}
import json, sys
options = dict(argument[2:].partition("=")[::2] for argument in sys.argv[1:])
steps = json.load(open(options["workload"]))["training"]
leaps = "leap" in options
# Swift is 4 % late with leaps, DCQCN 1 % early
step = (1.04 if options["schemes"] == "swift" else 0.99) if leaps else 1
metrics = {{"completion_time": step, "bus_bandwidth": 99e9 if leaps else 100e9, "pauses": steps["dp"]}}
if leaps:
    metrics.update({{"leap_error": 0.005, "leapt_operations": 0.5, "leap_mistakes": 0, "counter_factor": None}})
print("progress")
print(json.dumps({{"metrics": [[name, value, "1"] for name, value in metrics.items()]}}))
# 100 durations, of which the 99th is twice as long with leaps; the last one, and what is no task, do not count
durations = [10] * 98 + [20 if leaps else 10, 1000]
events = [{{"ph": "X", "cat": "collective", "dur": duration}} for duration in durations]
events += [{{"ph": "X", "cat": cat, "dur": 1e6}} for cat in ("computation", "delay", "receive")]
events.append({{"ph": "M", "name": "process_name"}})
with open(options["out"] + "/timeline-x.json", "w") as file:
    json.dump({{"traceEvents": events}}, file)
"""


class LeapErrors(unittest.TestCase):
    """What is measured, compared and written."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = Path(folder.name) / "program"
        self.program.write_text(PROGRAM, encoding="utf-8")
        self.program.chmod(0o755)

    def test_errors_are_relative_to_the_executed_run(self):
        """All errors of a pair of runs, by hand."""
        row = next(leap_errors.rows(str(self.program), ["ring"], 1, "0.01"))
        self.assertEqual([row["workload"], row["scheme"], row["placement"], row["buffer"], row["seed"]],
                         ["ring", "dcqcn", "packed", "64MB", 1])
        self.assertAlmostEqual(row["step_error"], -0.01)
        self.assertAlmostEqual(row["bandwidth_error"], -0.01)
        self.assertAlmostEqual(row["mean_error"], 2000 / 1990 - 1)
        self.assertAlmostEqual(row["p99_error"], 1)
        self.assertEqual([row["said_error"], row["leapt_operations"], row["mistakes"]], [0.005, 0.5, 0])
        self.assertTrue(row["packets_fewer"] != row["packets_fewer"])  # null is no number
        self.assertEqual(row["pauses"], 16)  # of the executed run

    def test_the_worst_step_comes_first(self):
        """A row for each scheme, placement, buffer and seed, by the error of the step."""
        done = subprocess.run([sys.executable, "-m", "tools.leap_errors", self.program, "--seeds=2", "--only=1f1b"],
                              cwd=SOURCE, capture_output=True, text=True, check=True)
        rows = list(csv.DictReader(done.stdout.splitlines()))
        self.assertEqual([row["scheme"] for row in rows], ["swift"] * 6 + ["dcqcn"] * 6)
        self.assertEqual({row["workload"] for row in rows}, {"1f1b"})
        self.assertEqual({(row["seed"], row["placement"]) for row in rows},
                         {("1", "packed"), ("1", "shuffled"), ("2", "shuffled")})
        self.assertEqual(len({(row["scheme"], row["placement"], row["buffer"], row["seed"]) for row in rows}), 12)

    def test_a_workload_that_does_not_exist_is_refused(self):
        """And the known ones are named."""
        done = subprocess.run([sys.executable, "-m", "tools.leap_errors", self.program, "--only=torus"],
                              cwd=SOURCE, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("skewed-experts", done.stderr)


if __name__ == "__main__":
    unittest.main()
