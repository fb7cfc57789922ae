# SPDX-License-Identifier: GPL-2.0-only
"""Tests of recorded networks: their sums are the metrics of the run, which others have counted."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

import experiments_command

PROGRAMS = {name: experiments_command.program(name) for name in ("flowset-ecmp", "incast")}


@unittest.skipUnless(all(map(Path.exists, PROGRAMS.values())), "no build of the experiments")
class SumsTest(unittest.TestCase):
    """A recorded run."""

    def run_one(self, name, scenario, scheme, *arguments):
        """Runs a scheme; the metrics and the network of its run."""
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        options = ["--small", "--no-figures", f"--scenarios={scenario}", f"--schemes={scheme}"]
        command = experiments_command.command(name, *options, *arguments, f"--out={temporary.name}/out")
        subprocess.run(command, check=True, capture_output=True)
        folder = Path(temporary.name, "out")
        metrics = json.loads((folder / "summary.json").read_text())["schemes"]
        network = json.loads((folder / f"network-{scenario}-{scheme}.json").read_text())
        return {name: found["value"] for name, found in metrics[f"{scheme}@{scenario}"].items()}, network

    def sum_of(self, network, name, places="ports"):
        """The sum of a series over all ports or nodes and intervals."""
        return sum(sum(place.get(name, [])) for place in network[places])

    def test_packets_and_migrations_and_failures(self):
        metrics, network = self.run_one("flowset-ecmp", "failure", "flow-set")
        for series, metric in (("marked", "marked_packets"), ("dropped", "dropped_packets"),
                               ("migrations", "migrations")):
            self.assertEqual(self.sum_of(network, series), metrics[metric], series)
        self.assertGreater(metrics["marked_packets"], 0)
        names = [node["name"] for node in network["nodes"]]
        told = [(event["event"], {names[network["links"][event["link"]][end]] for end in "ab"})
                for event in network["events"]]
        link = {"leaf-0", "spine-0"}
        self.assertEqual(told, [("link-down", link), ("link-up", link)])
        # The link fails after a quarter of 500 us, and is back after three quarters; its ends notice
        # it 50 us later.
        down, up = (event["time_ns"] for event in network["events"])
        self.assertEqual((down, up), (175000, 425000))
        index = network["events"][0]["link"]
        quiet = [k for k, time in enumerate(network["times_ns"][1:], 1)
                 if network["times_ns"][k - 1] >= down and time <= up]
        for port in network["ports"]:
            if port["link"] == index:
                self.assertEqual({port.get("load", [0] * (k + 1))[k - 1] for k in quiet} - {0}, set())

    def test_bytes_and_pauses(self):
        metrics, network = self.run_one("incast", "incast", "static", "--transport=dcqcn",
                                        "--buffer=1MB", "--xoff-alpha=0.05")
        times = network["times_ns"]
        spans = [(end - begin) / 1e9 for begin, end in zip(times, times[1:])]
        ports = {(port["link"], port["end"]): port for port in network["ports"]}
        receiver = next(i for i, link in enumerate(network["links"])
                        if network["nodes"][link["b"]]["name"] == "host-0")
        load = ports[receiver, 0]["load"]
        sent = sum(share / 1000 * span * network["links"][receiver]["rate_bps"] / 8
                   for share, span in zip(load, spans))
        # 4096 bytes of payload come with 44 bytes of RoCEv2, UDP and IP (or 60, with RETH) and 38 of
        # Ethernet. Each interval is rounded down by less than 1/1000 of the rate.
        wanted = metrics["delivered_bytes"] * (4096 + 44 + 38) / 4096
        rounding = sum(spans) / 1000 * network["links"][receiver]["rate_bps"] / 8
        self.assertLess(abs(sent + rounding / 2 - wanted), rounding / 2 + 0.01 * wanted)
        self.assertGreater(metrics["paused_time"], 0)
        paused = sum(share / 1000 * span for port in network["ports"]
                     for share, span in zip(port.get("paused", []), spans))
        lost = sum(spans) / 1000 * 2 * len(network["links"])
        self.assertLessEqual(paused, metrics["paused_time"] + 1e-12)
        self.assertGreaterEqual(paused, metrics["paused_time"] - lost)
        self.assertLessEqual(self.sum_of(network, "cnps", "node_series"), metrics["cnps"])
