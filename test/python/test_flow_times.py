# SPDX-License-Identifier: GPL-2.0-only
"""Tests of how long experiments run and what they watch: steps, and flow files that begin late."""

import csv
import json
import re
import subprocess
import unittest

import experiments_command
from folder_test import FolderTest


@unittest.skipUnless(
    all(experiments_command.program(name).exists() for name in ("ai-training", "coupled-ecn")),
    "AIDC_BUILD_DIR names no build of the experiments",
)
class TimesTest(FolderTest):
    """Steps and flows are followed from their beginning to their end."""

    def run_program(self, name, *options):
        """Run a program: its exit status, its error stream, and its metrics by scheme."""
        out = self.folder / "out"
        done = subprocess.run(
            experiments_command.command(
                name, *options, "--no-figures", "--overwrite", f"--out={out}"
            ),
            capture_output=True,
            text=True,
            check=False,
        )
        summary = out / "summary.json"
        schemes = json.loads(summary.read_text())["schemes"] if summary.exists() else {}
        return done.returncode, done.stderr, schemes

    def write_step(self, seconds):
        """Write a step of 4 ranks that compute so long, without messages beside a barrier."""
        path = self.folder / f"step-{seconds}.json"
        operations = [
            {"id": "work", "type": "compute", "ranks": "all", "seconds": seconds},
            {"id": "sum", "type": "all-reduce", "ranks": "all", "bytes": 4, "after": ["work"]},
        ]
        path.write_text(json.dumps({"ranks": 4, "operations": operations}))
        return f"--workload={path}"

    def test_step_of_more_than_a_second(self):
        """A step may take longer than a second: its time is at least the computation time."""
        options = ("--k=4", "--schemes=baseline", "--scenarios=quiet", self.write_step(2.5))
        code, errors, schemes = self.run_program("ai-training", *options)
        self.assertEqual(code, 0, errors)
        time = schemes["baseline@quiet"]["completion_time"]["value"]
        self.assertGreater(time, 2.5)
        self.assertLess(time, 2.501)

    def test_gain_is_over_the_baseline_of_the_same_run(self):
        """Each run has its own placement of ranks, and its own time of the baseline."""
        options = ("--small", "--runs=3", "--scenarios=storage")
        code, errors, schemes = self.run_program("ai-training", *options)
        self.assertEqual(code, 0, errors)
        baseline = schemes["baseline@storage"]["completion_time"]["runs"]
        self.assertEqual(len(set(baseline)), 3)
        for scheme in schemes.values():
            for gain, time, base in zip(
                scheme["gain"]["runs"], scheme["completion_time"]["runs"], baseline
            ):
                self.assertAlmostEqual(gain, 1 - time / base)

    def test_storage_lasts_as_long_as_the_step(self):
        """A step of 4 times the time has about 4 times the storage traffic."""
        flows = []
        for seconds in (5e-3, 20e-3):
            code, errors, _ = self.run_program(
                "ai-training",
                "--k=4",
                "--schemes=baseline",
                "--scenarios=storage",
                "--storage-senders=1",
                "--storage-bytes=1kB",
                self.write_step(seconds),
            )
            self.assertEqual(code, 0, errors)
            flows.append(int(re.search(r"(\d+) flows", errors).group(1)))
        # 1.5 * 5 ms / 50 us = 150, of a Poisson process: within four standard deviations
        self.assertAlmostEqual(flows[0], 150, delta=4 * 150**0.5)
        self.assertAlmostEqual(flows[1], 600, delta=4 * 600**0.5)

    def test_failed_queue_pair_ends_the_step(self):
        """A timer of 8 us is shorter than a step of a ring takes in the storage's incasts."""
        code, errors, schemes = self.run_program(
            "ai-training",
            "--k=4",
            "--schemes=baseline",
            "--scenarios=storage",
            "--ns3::aidc::RoceNic::AckTimeout=1",
            "--ns3::aidc::RoceNic::RetryCount=0",
        )
        self.assertEqual(code, 1, errors)
        self.assertEqual(schemes, {})
        self.assertRegex(
            errors,
            r"the run of baseline@storage has not ended by \+\S+ms: rank \d+ cannot send to rank "
            r"\d+: retry exceeded at \+\S+us; .*unfinished: rank \d+, operation \d+ \(",
        )

    def test_failed_queue_pair_ends_the_run_across_the_wan(self):
        """A timer of 8 us is shorter than a round trip of 2 ms, of ranks as of long flows."""
        for scenario, cause in (
            ("1ms", r"rank \d+ cannot send to rank \d+: retry exceeded at "),
            ("1ms-long", r"\d+ of 4 flows are not done: flow \d.* failed: retry exceeded"),
        ):
            code, errors, schemes = self.run_program(
                "pre-ecn",
                "--small",
                f"--scenarios={scenario}",
                "--schemes=tail-drop",
                "--ns3::aidc::RoceNic::AckTimeout=1",
                "--ns3::aidc::RoceNic::RetryCount=0",
            )
            self.assertEqual(code, 1, errors)
            self.assertEqual(schemes, {})
            pattern = rf"the run of tail-drop@{scenario} has not ended by \+\S+ms: {cause}"
            self.assertRegex(errors, pattern)

    def test_time_across_the_wan_is_that_of_the_delay(self):
        """Long flows of 150 ms one way last two round trips, and one delay until they arrive."""
        code, errors, schemes = self.run_program(
            "pre-ecn",
            "--small",
            "--scenarios=150ms-long",
            "--schemes=tail-drop",
            "--long-round-trips=2",
            "--core-rate=10Mbps",
            "--pairs=1",
            "--senders=1",
        )
        self.assertEqual(code, 0, errors)
        time = schemes["tail-drop@150ms-long"]["completion_time"]["value"]
        # Headers of 1 or 2 % are added to the payload of 0.6 s, and headers of tunnels
        self.assertGreater(time, 0.75)
        self.assertLess(time, 0.81)

    def test_flow_file_that_begins_late(self):
        """HPCC's files begin after 2 s: the flows are what is measured, not the time before."""
        flows = self.folder / "flows.txt"
        flows.write_text("2\n4 0 3 100 2000000 2\n5 0 3 100 2000000 2\n")
        for name, kind, fine in (("coupled-ecn", "queue", 1e-3), ("flowset-ecmp", "cqi", None)):
            topology = (
                ("--topology=topologies/tor-8-12us.txt",) if name == "coupled-ecn" else ("--small",)
            )
            code, errors, schemes = self.run_program(
                name, f"--flows={flows}", *topology, "--schemes=" + WATCHED[name]
            )
            self.assertEqual(code, 0, errors)
            metrics = schemes[WATCHED[name] + "@file"]
            # Two flows to one link of 100 Gb/s: 4 MB take 0.32 ms, and less than 10 ms
            self.assertGreater(metrics["goodput"]["value"], 4e9)
            out = self.folder / "out"
            with open(out / f"flows-file-{WATCHED[name]}.csv", encoding="ascii") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual([float(row["start_s"]) for row in rows], [2, 2])
            with open(out / f"{kind}-file-{WATCHED[name]}.csv", encoding="ascii") as file:
                times = [float(row["time_s"]) for row in csv.DictReader(file)]
            self.assertGreaterEqual(min(times, default=2), 2)
            if fine is not None:
                # Samples during the flows, of a queue that is not empty
                self.assertGreater(len(times), 2)
                self.assertGreater(metrics["queue_p99"]["value"], 0)
                self.assertGreater(metrics["queue_max"]["value"], 0)

    def test_hosts_of_several_leaves_send_to_others(self):
        """Where leaves share their hosts, flows lead to the next leaf that has other hosts."""
        code, errors, _ = self.run_program(
            "flowset-ecmp",
            "--small",
            "--scenarios=elephants,surge",
            "--schemes=hash-ecmp",
            "--topology=topologies/rails-16.txt",
        )
        self.assertEqual(code, 0, errors)
        with open(self.folder / "out/flows-elephants-hash-ecmp.csv", encoding="ascii") as file:
            rows = list(csv.DictReader(file))
        # Of each of 8 leaves with 4 uplinks, 4 of its 8 hosts send to the other 8
        self.assertEqual(len(rows), 32)
        for row in rows:
            self.assertNotEqual(int(row["source"]) < 8, int(row["destination"]) < 8)


WATCHED = {"coupled-ecn": "coupled", "flowset-ecmp": "flow-set"}
