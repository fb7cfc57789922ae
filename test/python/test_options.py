# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests that every option of every experiment changes the results, or is refused."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

BUILD = Path(os.environ.get("AIDC_BUILD_DIR", "."))


class Row(NamedTuple):
    """An option, a value that changes results, and with which other options it is tried."""

    option: str
    value: str
    others: str
    instead: str | None = None
    """The value that it is compared with; None if the option is not given then."""


SAME_RESULTS = {"datapath": "stack", "simulator": "default"}
"""These change the speed only, and the parameters of the summary."""

REFUSED = {"ranks": "2", "devices": "point-to-point"}
"""These have one value only, but for experiments that have a row for them."""

TOR = "--topology=topologies/tor-8-12us.txt"
INCAST = f"--small --scenarios=incast {TOR} --schemes="
ELEPHANTS = "--small --scenarios=elephants --elephant-size=200kB --schemes="
LOAD = "--small --scenarios=load-30 --duration=50us --schemes="
HOT_SPOT = "--small --scenarios=hot-spot --size=200kB --schemes="
BOTTLENECKS = "--small --scenarios=bottlenecks-50 --duration=50us --schemes="
SENDERS = "--small --scenarios=senders-incast --size=200kB --schemes="
SHORT = "--settle=100us --window=100us --exchange=50kB --queue-pairs=2 --message=16kB"
CLOS = f"--small --leaves=2 --hosts=2 {SHORT} --schemes=ecmp --scenarios="
LAYERS = "--layers=1 --layer-bytes=2MB --burst-bytes=2MB --bursts=1"
SLOW = f"--small --scenarios=1ms --core-rate=50Gbps {LAYERS}"
WAN = f"{SLOW} --t1=100kB --t2=300kB --maximum=1MB --schemes="
STEP = "--small --layers=1 --layer-bytes=100kB --compute=10us --schemes=baseline --scenarios="

TABLE = {
    "coupled-ecn": (
        Row("scenarios", "mix", f"{TOR} --small --schemes=coupled", "incast"),
        Row("schemes", "static-low", f"{TOR} --small --scenarios=incast", "coupled"),
        Row(
            "topology",
            "topologies/tor-48-200us.txt",
            "--scenarios=active-1 --duration=300us --schemes=coupled",
        ),
        Row(
            "flow-sizes",
            "flow-sizes/hadoop-facebook.txt",
            f"--small --scenarios=mix {TOR} --schemes=coupled",
        ),
        Row("flows", "flows/pair.txt", f"--small {TOR} --schemes=coupled", "FLOWS"),
        Row("load", "0.2", f"--small --scenarios=mix {TOR} --schemes=coupled"),
        Row("duration", "100us", f"--scenarios=active-1 {TOR} --schemes=coupled", "200us"),
        Row("buffer", "300kB", INCAST + "coupled"),
        Row("alpha", "0.0625", INCAST + "coupled --buffer=1MB"),
        Row("cap", "100kB", f"--small --scenarios=incast-capped {TOR} --schemes=coupled"),
        Row("static-low", "20kB", INCAST + "static-low"),
        Row("static-high", "20kB", INCAST + "static-high"),
        Row("kmin", "20kB", INCAST + "red"),
        Row("kmax", "250kB", INCAST + "red"),
        Row("offset", "800kB", INCAST + "coupled --buffer=1MB"),
        Row("ecn-floor", "100kB", INCAST + "coupled --buffer=1MB --offset=1MB"),
        Row("rtt", "60us", INCAST + "coupled --buffer=1MB"),
        Row("transport", "dcqcn", INCAST + "coupled"),
        Row("recovery", "selective-repeat", INCAST + "coupled --transport=swift --buffer=50kB"),
        Row("lossless", "off", INCAST + "coupled --transport=dcqcn --buffer=50kB"),
        Row("xoff-alpha", "0.0625", INCAST + "coupled --transport=dcqcn --buffer=1MB"),
        Row("devices", "point-to-point", INCAST + "coupled"),
        Row("datapath", "", INCAST + "coupled"),
        Row("simulator", "", INCAST + "coupled"),
        Row("seed", "2", INCAST + "coupled"),
        Row("runs", "2", INCAST + "coupled"),
        Row("ranks", "2", INCAST + "coupled"),
        Row("small", "true", f"--scenarios=incast {TOR} --schemes=coupled"),
    ),
    "flowset-ecmp": (
        Row("scenarios", "load-30", "--small --duration=50us --schemes=hash-ecmp", "surge"),
        Row("schemes", "spray", "--small --scenarios=elephants --elephant-size=200kB", "hash-ecmp"),
        Row("against", "hash-ecmp", ELEPHANTS + "hash-ecmp,spray"),
        Row("topology", "fat-tree", ELEPHANTS + "hash-ecmp"),
        Row("rate", "40Gbps", ELEPHANTS + "hash-ecmp"),
        Row("flow-sizes", "flow-sizes/hadoop-facebook.txt", LOAD + "hash-ecmp"),
        Row("flows", "flows/pair.txt", f"--small {TOR} --schemes=hash-ecmp", "FLOWS"),
        Row("buffer", "100kB", ELEPHANTS + "hash-ecmp"),
        Row("alpha", "0.0625", ELEPHANTS + "hash-ecmp --buffer=500kB"),
        Row("cap", "50kB", ELEPHANTS + "hash-ecmp"),
        Row("marking", "20kB", ELEPHANTS + "hash-ecmp"),
        Row("transport", "dcqcn", ELEPHANTS + "hash-ecmp"),
        Row("recovery", "selective-repeat", ELEPHANTS + "hash-ecmp --transport=swift --cap=20kB"),
        Row("lossless", "off", ELEPHANTS + "hash-ecmp --transport=dcqcn --buffer=50kB"),
        Row("xoff-alpha", "0.0625", ELEPHANTS + "hash-ecmp --transport=dcqcn --buffer=1MB"),
        Row("elephant-size", "100kB", "--small --scenarios=elephants --schemes=hash-ecmp", "50kB"),
        Row("congestion-threshold", "20kB", ELEPHANTS + "flow-set --interval=10us"),
        Row("interval", "10us", ELEPHANTS + "flow-set"),
        Row("gap", "1us", ELEPHANTS + "flowlet"),
        Row("hold-down", "1ms", "--small --scenarios=elephants --schemes=flow-set --interval=10us"),
        Row("hysteresis", "20", ELEPHANTS + "flow-set --interval=10us"),
        Row("duration", "100us", "--small --scenarios=load-30 --schemes=hash-ecmp", "50us"),
        Row("devices", "point-to-point", ELEPHANTS + "hash-ecmp"),
        Row("datapath", "", ELEPHANTS + "hash-ecmp"),
        Row("simulator", "", ELEPHANTS + "hash-ecmp"),
        Row("seed", "2", ELEPHANTS + "hash-ecmp"),
        Row("runs", "2", ELEPHANTS + "hash-ecmp"),
        Row("ranks", "2", ELEPHANTS + "hash-ecmp"),
        Row("small", "true", "--scenarios=load-30 --duration=20us --schemes=hash-ecmp"),
    ),
    "csig-fabric": (
        Row("scenarios", "hot-spot", "--small --size=200kB --schemes=hash", "incast"),
        Row("schemes", "hash", "--small --scenarios=hot-spot --size=200kB", "csig-blind"),
        Row("flow-sizes", "flow-sizes/hadoop-facebook.txt", BOTTLENECKS + "interval"),
        Row("buffer", "20kB", BOTTLENECKS + "interval"),
        Row("alpha", "0.0625", BOTTLENECKS + "interval --buffer=200kB"),
        Row("cap", "20kB", BOTTLENECKS + "interval"),
        Row("marking", "20kB", BOTTLENECKS + "interval"),
        Row("transport", "dcqcn", "--small --scenarios=senders-incast --size=200kB", "swift"),
        Row("recovery", "selective-repeat", SENDERS + "max-pd --transport=swift --cap=20kB"),
        Row("lossless", "off", SENDERS + "dcqcn --transport=dcqcn --buffer=50kB"),
        Row("xoff-alpha", "0.0625", SENDERS + "dcqcn --transport=dcqcn --buffer=500kB"),
        Row("window", "20us", HOT_SPOT + "csig-blind"),
        Row("others", "0.25", BOTTLENECKS + "discard"),
        Row("software-interval", "20us", BOTTLENECKS + "software"),
        Row(
            "period",
            "20us",
            "--small --scenarios=engineering --duration=50us --schemes=csig-weights",
        ),
        Row("duration", "30us", "--small --scenarios=bottlenecks-50 --schemes=interval", "50us"),
        Row("rate", "20Gbps", HOT_SPOT + "hash"),
        Row("size", "100kB", "--small --scenarios=hot-spot --schemes=hash", "200kB"),
        Row("threshold", "90Gbps", HOT_SPOT.replace("200kB", "2MB") + "csig-blind"),
        Row("devices", "", HOT_SPOT + "hash"),
        Row("datapath", "", HOT_SPOT + "hash"),
        Row("simulator", "", HOT_SPOT + "hash"),
        Row("seed", "2", HOT_SPOT + "hash"),
        Row("runs", "2", HOT_SPOT + "hash"),
        Row("ranks", "", HOT_SPOT + "hash"),
        Row("small", "true", "--scenarios=hot-spot --size=20kB --schemes=hash"),
    ),
    "cross-aidc": (
        Row("scenarios", "10ms", f"--small {LAYERS} --schemes=tail-drop", "1ms"),
        Row("schemes", "tail-drop", f"--small --scenarios=1ms {LAYERS}", "two-threshold"),
        Row("k", "6", WAN + "two-threshold"),
        Row("edges", "1", WAN + "two-threshold"),
        Row("core-rate", "100Gbps", WAN.replace("--core-rate=50Gbps ", "") + "two-threshold"),
        Row("edge-delay", "50us", WAN + "two-threshold"),
        Row("buffer", "500kB", WAN + "two-threshold"),
        Row("t1", "50kB", WAN.replace("--t1=100kB ", "") + "two-threshold", "200kB"),
        Row("t2", "200kB", WAN.replace("--t2=300kB ", "") + "two-threshold", "400kB"),
        Row("maximum", "500kB", WAN.replace("--maximum=1MB ", "") + "two-threshold", "1MB"),
        Row("interval", "20us", WAN + "two-threshold"),
        Row("light-step", "0.5", WAN.replace("=2MB", "=8MB") + "two-threshold"),
        Row("severe-step", "0.6", WAN.replace("=2MB", "=8MB") + "two-threshold"),
        Row("pairs", "3", WAN + "two-threshold"),
        Row("layers", "2", WAN.replace("--layers=1 ", "") + "two-threshold", "1"),
        Row("layer-bytes", "1MB", WAN.replace("--layer-bytes=2MB ", "") + "two-threshold", "500kB"),
        Row("chunks", "2", WAN + "two-threshold"),
        Row("senders", "3", WAN + "two-threshold"),
        Row("burst-bytes", "1MB", WAN.replace("--burst-bytes=2MB ", "") + "two-threshold", "500kB"),
        Row("bursts", "2", WAN.replace("--bursts=1 ", "") + "two-threshold", "1"),
        Row("long-round-trips", "2", "--small --scenarios=1ms-long --schemes=tail-drop", "3"),
        Row("recovery", "go-back-n", f"{SLOW} --buffer=300kB --schemes=tail-drop"),
        Row("devices", "", WAN + "two-threshold"),
        Row("datapath", "", WAN + "two-threshold"),
        Row("simulator", "", WAN + "two-threshold"),
        Row("seed", "2", WAN + "two-threshold"),
        Row("runs", "2", WAN + "two-threshold"),
        Row("ranks", "", WAN + "two-threshold"),
        Row("small", "true", f"--scenarios=1ms {LAYERS} --schemes=tail-drop"),
    ),
    "fare-clos": (
        Row("scenarios", "degraded-3", CLOS.replace("--scenarios=", ""), "intact-3"),
        Row("schemes", "max-flow", CLOS.replace("--schemes=ecmp ", "") + "intact-3", "ecmp"),
        Row("leaves", "3", CLOS.replace("--leaves=2 ", "") + "intact-3", "2"),
        Row("pods", "2", f"--small --hosts=1 {SHORT} --schemes=max-flow --scenarios=intact-5", "3"),
        Row("hosts", "1", CLOS.replace("--hosts=2 ", "") + "intact-3", "2"),
        Row("rate", "10Gbps", CLOS + "intact-3"),
        Row("delay", "2us", CLOS + "intact-3"),
        Row("degraded", "0.5", CLOS + "degraded-3"),
        Row("queue-pairs", "1", CLOS.replace("--queue-pairs=2 ", "") + "intact-3", "2"),
        Row("message", "8kB", CLOS.replace("--message=16kB ", "") + "intact-3", "16kB"),
        Row("exchange", "20kB", CLOS.replace("--exchange=50kB ", "") + "intact-3", "50kB"),
        Row("settle", "50us", CLOS.replace("--settle=100us ", "") + "intact-3", "100us"),
        Row("window", "50us", CLOS.replace("--window=100us ", "") + "intact-3", "100us"),
        Row("detection", "20us", CLOS + "one-link-lost-3"),
        Row("buffer", "50kB", CLOS + "intact-3"),
        Row("alpha", "0.0625", CLOS + "intact-3 --buffer=300kB --lossless=off"),
        Row("cap", "20kB", CLOS + "intact-3 --lossless=off"),
        Row("kmin", "5kB", CLOS + "intact-3"),
        Row("kmax", "10kB", CLOS + "intact-3 --kmin=5kB"),
        Row("pmax", "1", CLOS + "intact-3 --kmin=5kB"),
        Row("transport", "swift", CLOS + "intact-3"),
        Row("recovery", "go-back-n", CLOS + "intact-3 --lossless=off --cap=20kB"),
        Row("lossless", "off", CLOS + "intact-3 --buffer=50kB"),
        Row("xoff-alpha", "0.0625", CLOS + "intact-3 --buffer=100kB"),
        Row("reorder-window", "0", CLOS.replace("ecmp", "ecmp-spray") + "intact-3"),
        Row("devices", "", CLOS + "intact-3"),
        Row("datapath", "", CLOS + "intact-3"),
        Row("simulator", "", CLOS + "intact-3"),
        Row("seed", "2", CLOS + "intact-3"),
        Row("runs", "2", CLOS + "intact-3"),
        Row("ranks", "", CLOS + "intact-3"),
        Row("small", "true", f"--hosts=1 {SHORT} --schemes=max-flow --scenarios=intact-3"),
    ),
    "ai-training": (
        Row("scenarios", "quiet", STEP.replace("--scenarios=", ""), "storage"),
        Row(
            "schemes", "coupled-ecn", STEP.replace("--schemes=baseline ", "") + "quiet", "baseline"
        ),
        Row(
            "step",
            "training/dp4-tp2-pp2.json",
            "--small --k=6 --schemes=baseline --scenarios=quiet",
        ),
        Row("k", "6", STEP + "quiet"),
        Row("layers", "2", STEP.replace("--layers=1 ", "") + "quiet", "1"),
        Row("chunks", "2", STEP + "quiet"),
        Row("layer-bytes", "50kB", STEP.replace("--layer-bytes=100kB ", "") + "quiet", "100kB"),
        Row("compute", "20us", STEP.replace("--compute=10us ", "") + "quiet", "10us"),
        Row("storage-bytes", "100kB", STEP + "storage"),
        Row("storage-senders", "2", STEP + "storage"),
        Row("storage-interval", "10us", STEP + "storage"),
        Row("buffer", "400kB", STEP + "storage --storage-interval=10us"),
        Row(
            "alpha",
            "0.01",
            STEP.replace("baseline", "coupled-ecn") + "storage --storage-interval=10us",
        ),
        Row("cap", "20kB", STEP + "storage --storage-interval=10us"),
        Row("devices", "", STEP + "quiet"),
        Row("datapath", "", STEP + "quiet"),
        Row("simulator", "", STEP + "quiet"),
        Row("seed", "2", STEP + "quiet"),
        Row("runs", "2", STEP + "quiet"),
        Row("ranks", "", STEP + "quiet"),
        Row("small", "true", "--k=4 --layers=1 --schemes=baseline --scenarios=quiet"),
    ),
}


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
        flows = Path(folder, "flows.txt")
        flows.write_text("1\n1 0 3 100 30000 0\n")
        words = [word.replace("FLOWS", str(flows)) for word in words]
        ended = subprocess.run(
            [BUILD / "bin" / f"aidc-{name}", *words, f"--out={out}"],
            env={**os.environ, "PATH": folder},
            capture_output=True,
            text=True,
            timeout=300,
        )
        summary = {"schemes": {}, "parameters": {}}
        if ended.returncode == 0:
            summary = json.loads((out / "summary.json").read_text())
    for metrics in summary["schemes"].values():
        metrics.pop("wall_time", None)
    return Ended(ended.returncode, ended.stderr, summary["schemes"], summary["parameters"])


def words_of(row: Row, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The command lines with and without an option's value."""
    others = tuple(row.others.split())
    without = others if row.instead is None else (*others, f"--{row.option}={row.instead}")
    value = row.value or {**SAME_RESULTS, **REFUSED}[row.option]
    return (*others, f"--{row.option}={value}"), without


@unittest.skipUnless(
    all((BUILD / "bin" / f"aidc-{name}").exists() for name in TABLE),
    "AIDC_BUILD_DIR names no build of all experiments",
)
class Options(unittest.TestCase):
    """All options of all experiments."""

    def test_table_has_all_options(self):
        for name, rows in TABLE.items():
            printed = subprocess.check_output([BUILD / "bin" / f"aidc-{name}", "--help"], text=True)
            own = set(re.findall(r"^    --([a-z][a-z0-9-]*):", printed, re.MULTILINE))
            with self.subTest(program=name):
                self.assertEqual({row.option for row in rows} | {"out"}, own)

    def test_options_change_results_or_are_refused(self):
        pairs = [(name, row, *words_of(row, name)) for name in TABLE for row in TABLE[name]]
        jobs = dict.fromkeys((name, words) for name, _, *both in pairs for words in both)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            ended = dict(zip(jobs, pool.map(lambda job: run(*job), jobs)))
        for name, row, words, others in pairs:
            with self.subTest(program=name, of=" ".join(words)):
                given, without = ended[name, words], ended[name, others]
                self.assertEqual(without.status, 0, without.errors)
                if not row.value and row.option in REFUSED or row.option == "ranks":
                    self.assertEqual(given.status, 1)
                    self.assertRegex(given.errors, f"expected .*--{row.option}|--ranks")
                    continue
                self.assertEqual(given.status, 0, given.errors)
                if row.option in SAME_RESULTS:
                    self.assertEqual(given.results, without.results)
                    self.assertNotEqual(given.parameters, without.parameters)
                else:
                    self.assertFalse(given.results == without.results, "the same results")


if __name__ == "__main__":
    unittest.main()
