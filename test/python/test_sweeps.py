# SPDX-License-Identifier: GPL-2.0-only
"""Tests of ./aidc sweep and ./aidc compare, with a program that only writes a summary."""

import csv
import dataclasses
import io
import itertools
import json
import math
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
import unittest
from contextlib import redirect_stderr
from pathlib import Path
from types import SimpleNamespace

from aidc.experiments.description import description
from aidc.experiments.styles import all_styles, scale_for
from folder_test import SOURCE, FolderTest
from tools import (
    commands,
    sweep_attempts,
    sweep_engines,
    sweep_figures,
    sweep_tables,
    sweeps,
)
from tools.console import Failure
from tools.place import Place

PROGRAM = f"#!{sys.executable}" + """
import json, os, sys, time
if "--help" in sys.argv:
    for name in ("alpha", "load", "small", "seed", "runs", "jobs", "out"):
        print(f"    --{name}:  a value")
    sys.exit(0)
options = dict(word.lstrip("-").split("=", 1) for word in sys.argv[1:] if "=" in word)
if options["alpha"] == "bad":
    sys.exit("program: expected --alpha to be a number")
time.sleep(float(options.get("load", 0)))
value = float(options["alpha"]) * 10 + int(options["seed"])
metrics = {"goodput": {"value": value, "unit": "bit/s", "ci95": None},
           "fct_p99": {"value": None, "unit": "s", "ci95": None}}
partial = options["out"] + ".partial"
os.mkdir(partial)
with open(partial + "/summary.json", "w") as file:
    summary = {"runs": 1, "command": " ".join(sys.argv), "schemes": {"new@incast": metrics}}
    json.dump(summary, file)
os.rename(partial, options["out"])
"""

OWN = f"#!{sys.executable}" + """
# A program of a user's: it takes options and RngRun, and prints
import pathlib, sys
if "--help" in sys.argv:
    print("Program Options:\\n    --nFlows:  a number\\n    --says:    how\\n    --PrintHelp: this")
    sys.exit(0)
options = dict(word.lstrip("-").split("=", 1) for word in sys.argv[1:])
value = float(options.get("nFlows", 1)) * 10 + int(options["RngRun"])
print(f"Some text, and x = y\\nfct_mean = {value} s\\n  share=0.5\\nworst = nan byte")
says = options.get("says", "")
print({"twice": "share = 1", "unit": "time = 3 ms"}.get(says, ""))
pathlib.Path("series.csv").write_text(options["RngRun"])
if says == "json":
    pathlib.Path("summary.json").write_text(
        '{"schemes": {"a": {"b": {"value": 7, "unit": "1", "ci95": null}}}}'
    )
"""

DRIVER = """\
import sys
sys.path.insert(0, {source!r})
from pathlib import Path
from tools import sweep_engines, sweep_tables, sweeps
sweep = sweeps.Sweep("x", {{"alpha": ["1", "2", "3"]}}, 4, ["--load=0.05"])
folder = Path({folder!r})
with sweeps.opened(sweep, folder):
    program = sweeps.checked_program(Path({program!r}), sweep, {{}})
    sweep_engines.run_all(sweep, program, folder, sweep_engines.Local(2, {{}}))
    sweep_tables.write_tables(sweep, folder)
"""


class SweepTest(FolderTest):
    """Gives each test a folder and a program."""

    def setUp(self):
        super().setUp()
        self.program = self.folder / "program"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)
        self.out = self.folder / "out"

    def run_sweep(self, sweep, out=None):
        """Runs a sweep and returns what it has told."""
        out = out or self.out
        told = io.StringIO()
        with redirect_stderr(told), sweeps.opened(sweep, out):
            program = sweeps.checked_program(self.program, sweep, os.environ)
            sweep_engines.run_all(sweep, program, out, sweep_engines.Local(2, os.environ))
            self.found = sweep_tables.write_tables(sweep, out)
        return told.getvalue()

    def rows(self, name="sweep.csv"):
        """The rows of a table, as dicts."""
        with (self.out / name).open(newline="") as file:
            return list(csv.DictReader(file))


class Arguments(SweepTest):
    """What is varied."""

    def test_vary(self):
        self.assertEqual(
            sweeps.parse_vary(["alpha=1,4", "--load=0.5"]), {"alpha": ["1", "4"], "load": ["0.5"]}
        )
        self.assertEqual(sweeps.parse_vary(["degree=2, 4", " x = a b "]),
                         {"degree": ["2", "4"], "x": ["a b"]})
        for texts, error in (
            (["alpha"], "expected NAME=VALUE"),
            (["alpha="], "expected NAME=VALUE"),
            (["alpha=1,,2"], "expected NAME=VALUE"),
            (["=1"], "expected NAME=VALUE"),
            (["al pha=1"], "expected NAME=VALUE"),
            (["seed=1"], "sets it itself"),
            (["alpha=1", "alpha=2"], "given twice"),
            (["alpha=1,1"], "value is given twice"),
        ):
            with self.subTest(texts), self.assertRaisesRegex(Failure, error):
                sweeps.parse_vary(texts)

    def test_options_that_the_experiment_has_not(self):
        known = sweeps.Sweep("x", {"alpha": ["1"]}, 1, ["--small"])
        sweeps.checked_program(self.program, known, os.environ)
        for sweep in (
            sweeps.Sweep("x", {"aplha": ["1"]}, 1, []),
            sweeps.Sweep("x", {}, 1, ["--smal"]),
            sweeps.Sweep("x", {}, 1, ["--out=here"]),
        ):
            with self.assertRaisesRegex(Failure, "no option --aplha|no option --smal|sets it"):
                sweeps.checked_program(self.program, sweep, os.environ)

    def test_folders_of_runs_are_distinct(self):
        values = ["1", "a/b", "a_b", "a b", "%2F", ".."]
        keys = [sweeps.Run({"x": value}, 1).key for value in values]
        self.assertEqual(len(set(keys)), len(values))
        self.assertTrue(all("/" not in key for key in keys))

    def test_jobs_are_left_out_where_there_are_processes(self):
        # An experiment refuses --jobs=1 with --processes=2.
        program = sweeps.checked_program(self.program, sweeps.Sweep("x", {}, 1, []), os.environ)
        for values, arguments, has_jobs in (
            ({}, ["--load=1"], True),
            ({}, ["--processes=2"], False),
            ({}, ["--processes", "12", "--load=1"], False),
            ({}, ["--processes=1"], True),
            ({"processes": "4"}, [], False),
            ({"processes": "1", "job-ranks": "4"}, [], True),
        ):
            with self.subTest(values=values, arguments=arguments):
                words = program.words(sweeps.Run(values, 1), arguments)
                self.assertEqual("--jobs=1" in words, has_jobs)


class Runs(SweepTest):
    """What is run, and what becomes of it."""

    def test_every_combination_with_every_seed(self):
        sweep = sweeps.Sweep("x", {"alpha": ["1", "2"], "load": ["0", "0.01"]}, 3, [])
        told = self.run_sweep(sweep)
        self.assertIn("[12/12]", told)
        for folder in (self.out / "runs").iterdir():
            command = json.loads((folder / "summary.json").read_text())["command"]
            self.assertIn(f"--out={folder}", command.split())
            self.assertIn("--jobs=1", command.split())
            self.assertTrue((folder / "output.txt").exists())
        self.assertRegex(told, r"about \d+ s left")
        rows = [row for row in self.rows() if row["metric"] == "goodput"]
        found = sorted((row["alpha"], row["load"], row["seed"]) for row in rows)
        expected = itertools.product(["1", "2"], ["0", "0.01"], ["1", "2", "3"])
        self.assertEqual(found, sorted(expected))
        for row in rows:
            self.assertEqual(float(row["value"]), 10 * float(row["alpha"]) + int(row["seed"]))
        # Seeds 1, 2 and 3: the deviation is 1. Student's t of two degrees of freedom is within +-t with
        # t / sqrt(2 + t^2), which is 0.95 for 4.303.
        t = 0.95 * math.sqrt(2 / (1 - 0.95**2))
        mean = next(row for row in self.rows("means.csv") if row["alpha"] == "2")
        self.assertEqual((mean["mean"], mean["seeds"], mean["unit"]), ("22", "3", "bit/s"))
        self.assertAlmostEqual(float(mean["ci95"]), t / math.sqrt(3), places=9)

    def test_goes_on(self):
        sweep = sweeps.Sweep("x", {"alpha": ["1", "2"]}, 1, [])
        self.run_sweep(sweep)
        first = (self.out / "runs" / "alpha=1_seed=1" / "summary.json").stat().st_mtime_ns
        (self.out / "runs" / "alpha=2_seed=1" / "summary.json").unlink()
        (self.out / "runs" / "alpha=2_seed=1" / "output.txt").unlink()
        (self.out / "runs" / "alpha=2_seed=1").rmdir()
        self.assertIn("1 of 2 runs are there", self.run_sweep(sweep))
        second = (self.out / "runs" / "alpha=1_seed=1" / "summary.json").stat().st_mtime_ns
        self.assertEqual(first, second)

    def test_a_run_that_fails(self):
        sweep = sweeps.Sweep("x", {"alpha": ["1", "bad"]}, 1, [])
        with self.assertRaisesRegex(Failure, "alpha=bad seed=1 .*exit code 1(.|\n)*to be a number"):
            self.run_sweep(sweep)
        self.assertFalse((self.out / "runs" / "alpha=bad_seed=1").exists())

    def test_a_full_disk(self):
        # A limit on the size of files fails as a full disk does: in a write, not where it is opened.
        sweep = sweeps.Sweep("x", {"alpha": ["1", "2", "3"]}, 5, [])
        self.run_sweep(sweep)
        (self.out / "sweep.csv").unlink()
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (700, before[1]))
        try:
            with self.assertRaises(OSError) as caught:
                self.run_sweep(sweep)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        self.assertEqual(caught.exception.filename, str(self.out / "sweep.csv"))
        self.assertFalse((self.out / "sweep.csv").exists())
        self.run_sweep(sweep)
        self.assertEqual(len(self.rows()), 30)

    def test_another_sweep_is_not_mixed_in(self):
        self.run_sweep(sweeps.Sweep("x", {"alpha": ["1"]}, 1, []))
        before = (self.out / "sweep.csv").read_bytes()
        with self.assertRaisesRegex(Failure, "has another sweep"):
            self.run_sweep(sweeps.Sweep("x", {"alpha": ["2"]}, 1, []))
        self.assertEqual((self.out / "sweep.csv").read_bytes(), before)
        with sweeps.opened(sweeps.Sweep("x", {"alpha": ["1"]}, 1, []), self.out):
            with self.assertRaisesRegex(Failure, "Another sweep is writing"):
                self.run_sweep(sweeps.Sweep("x", {"alpha": ["1"]}, 1, []))

    def test_killed_at_random_moments(self):
        script = DRIVER.format(
            source=str(SOURCE), folder=str(self.out), program=str(self.program)
        )
        command = [sys.executable, "-B", "-c", script]
        source = random.Random(1)
        for _ in range(10):
            process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            time.sleep(source.uniform(0, 0.6))
            process.send_signal(signal.SIGKILL)
            process.wait()
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        found = [(row["alpha"], row["seed"]) for row in self.rows() if row["metric"] == "goodput"]
        expected = list(itertools.product(["1", "2", "3"], ["1", "2", "3", "4"]))
        self.assertEqual(sorted(found), expected)
        self.assertEqual(list(self.out.rglob("*.partial")), [])

    def test_figures(self):
        sweep = sweeps.Sweep("x", {"alpha": ["1", "2"], "load": ["0"]}, 2, [])
        self.run_sweep(sweep)
        told = io.StringIO()
        with redirect_stderr(told):
            sweep_figures.draw(self.found)
        if "not installed" in told.getvalue():
            self.skipTest("there is no gnuplot")
        self.assertEqual(told.getvalue(), "")
        self.assertGreater((self.out / "sweep-incast.svg").stat().st_size, 1000)


class OwnPrograms(SweepTest):
    """Programs of users, which know nothing of sweeps."""

    def setUp(self):
        super().setUp()
        self.program.write_text(OWN)

    def test_what_it_prints(self):
        self.run_sweep(sweeps.Sweep("mine", {"nFlows": ["1", "2"]}, 2, []))
        found = {(row["nFlows"], row["seed"], row["metric"]): row for row in self.rows()}
        self.assertEqual(len(found), 2 * 2 * 3)
        for n, seed in itertools.product("12", "12"):
            row = found[n, seed, "fct_mean"]
            self.assertEqual((float(row["value"]), row["unit"]), (10 * int(n) + int(seed), "s"))
            self.assertEqual((row["scenario"], row["scheme"]), ("mine", "mine"))
            self.assertEqual(found[n, seed, "share"]["unit"], "1")
            self.assertEqual(found[n, seed, "worst"]["value"], "")
            folder = self.out / "runs" / f"nFlows={n}_seed={seed}"
            self.assertEqual((folder / "series.csv").read_text(), seed)
        # Seeds 1 and 2: the mean is 11.5 for one flow
        mean = next(row for row in self.rows("means.csv") if row["metric"] == "fct_mean")
        self.assertEqual((mean["nFlows"], mean["mean"], mean["seeds"]), ("1", "11.5", "2"))

    def test_a_summary_that_it_writes(self):
        self.run_sweep(sweeps.Sweep("mine", {}, 1, ["--says=json"]))
        self.assertEqual([row["metric"] for row in self.rows()], ["b"])
        self.assertEqual(self.rows()[0]["value"], "7")

    def test_what_cannot_be_read(self):
        for says, error in (
            ("twice", "share is printed twice"),
            ("unit", '"time = 3 ms": expected one of the units s, bit/s'),
        ):
            with self.assertRaisesRegex(Failure, error):
                self.run_sweep(sweeps.Sweep("mine", {"says": [says]}, 1, []))
            self.assertEqual(list((self.out / "runs").iterdir()), [])
        with self.assertRaisesRegex(Failure, "printed no metric, and has written no summary.json"):
            sweep_attempts.printed_metrics("9 bytes took 3 us\nx = y\n")

    def test_options(self):
        of_attribute = {"ns3::aidc::SharedBuffer::Size": ["1MB"]}
        sweeps.checked_program(self.program, sweeps.Sweep("mine", of_attribute, 1, []), os.environ)
        with self.assertRaisesRegex(Failure, "mine.cc has no option --flows"):
            wanted = sweeps.Sweep("mine.cc", {"flows": ["1"]}, 1, [])
            sweeps.checked_program(self.program, wanted, os.environ)
        self.program.write_text("#!/bin/sh\necho hello\n")
        with self.assertRaisesRegex(Failure, "--help names no options"):
            sweeps.checked_program(self.program, sweeps.Sweep("mine", {}, 1, []), os.environ)

    def test_a_program_that_has_changed(self):
        self.run_sweep(sweeps.Sweep("mine", {}, 1, [], "before"))
        with self.assertRaisesRegex(Failure, "one of another program"):
            self.run_sweep(sweeps.Sweep("mine", {}, 1, [], "after"))


SCRIPT = """\
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--senders", type=int, default=1, help="senders of the incast")
parser.add_argument("--RngRun", type=int, default=1)
options = parser.parse_args()
print(f"fct_mean = {options.senders + options.RngRun} s")
"""


class ScriptPlace(Place):
    """A place where scripts are run by this Python."""

    def program(self, options, name):
        script = self.script(name, Path(sys.executable))
        return dataclasses.replace(script, env={**os.environ, "OF_SCRIPT": "a b"})

    def plotly(self, options, again=False):
        return Path("/bin/false")


class Command(SweepTest):
    """The whole command."""

    def sweep(self, *words):
        """Runs it in the test's folder; returns its status and what it has told."""
        before = os.getcwd()
        os.chdir(self.folder)
        told = io.StringIO()
        try:
            with redirect_stderr(told):
                return commands.main(ScriptPlace(SOURCE), ["sweep", *words]), told.getvalue()
        finally:
            os.chdir(before)

    def test_a_script(self):
        (self.folder / "mine.py").write_text(SCRIPT)
        words = ["mine.py", "--vary", "senders=2, 4", "--seeds=2", "--out=here it is"]
        status, told = self.sweep(*words)
        self.assertEqual(status, 0, told)
        self.out = self.folder / "here it is"
        found = [(row["senders"], row["seed"], row["value"]) for row in self.rows()]
        self.assertEqual(found, [("2", "1", "3"), ("4", "1", "5"), ("2", "2", "4"), ("4", "2", "6")])
        # What is recorded can be pasted: the file, the blanks and the folder are in it.
        recorded = json.loads((self.out / "sweep.json").read_text())["command"]
        self.assertEqual(shlex.split(recorded)[1:], ["sweep", *words])
        run = json.loads((self.out / "runs" / "senders=4_seed=2" / "summary.json").read_text())
        self.assertEqual(run["command"], "./aidc run mine.py --senders=4 --RngRun=2")
        self.assertIn("senders of the incast (senders)", (self.out / "sweep-mine.svg").read_text())
        # Other metrics are another figure, and not another sweep.
        status, told = self.sweep(*words, "--metrics=fct_mean")
        self.assertEqual((status, "4 of 4 runs are there already" in told), (0, True), told)
        status, told = self.sweep(*words[:-1], "--out=new", "--sender=2")
        self.assertEqual(status, 2)
        self.assertIn("mine.py has no option --sender (did you mean --senders?)", told)

    def test_a_script_without_seeds(self):
        (self.folder / "mine.py").write_text(SCRIPT.replace("RngRun", "number"))
        status, told = self.sweep("mine.py", "--seeds=2")
        self.assertEqual(status, 2)
        self.assertIn("expected --seed or --RngRun", told)


class Figures(SweepTest):
    """What the figures of a sweep show, and how."""

    SWEEP = sweeps.Sweep("x", {"alpha": ["1", "2"]}, 2, [])

    def means(self, **metrics):
        """Means of two schemes for two values, a list a metric: unit, and a value for each."""
        return [
            sweep_tables.SweepMean((value,), "incast", scheme, metric, 2, mean, 0.0, unit)
            for metric, (unit, *values) in metrics.items()
            for (value, scheme), mean in zip(itertools.product("12", ("a", "b")), values)
        ]

    def test_metrics_that_vary(self):
        means = self.means(
            wall_time=("s", 1, 2, 3, 4), dropped_packets=("packet", 0, 0, 0, 0),
            margin=("1", 1, 1, 1, 2), pauses=("1", 3, 0, 5, 1), goodput=("bit/s", 5, 5, 5, 5),
        )
        self.assertEqual(sweep_figures.metrics_of(means), ["pauses", "margin"])

    def test_units(self):
        for unit, values, expected in (
            ("s", (2e-5, 3e-4, 0, 0), (1e-6, "us")),
            ("s", (2e-3, 3e-4, 0, 0), (1e-3, "ms")),
            ("bit/s", (9.9e10, 1e9, 0, 0), (1e9, "Gbit/s")),
            ("byte", (999, 0, 0, 0), (1, "B")),
            ("byte", (1e3, 0, 0, 0), (1e3, "kB")),
            ("packet", (9999, 0, 0, 0), (1, "")),
            ("packet", (10000, 0, 0, 0), (1e3, "thousands")),
            ("1", (0, 0, 0, 0), (1, "")),
        ):
            self.assertEqual(scale_for(max(values), unit), expected)

    def test_a_scheme_has_the_color_of_the_experiments_own_figures(self):
        for name, scheme, color, point in (
            ("coupled-ecn", "coupled", "#009E73", 9),  # the third of its list
            ("flowset-ecmp", "flow-set-none", "#000000", 8),
            ("fare-clos", "fare-spray", "#0072B2", 11),
            ("csig-fabric", "csig-weights", "#56B4E9", 13),
            ("csig-fabric", "ewma", "#E69F00", 6),
            ("pre-ecn", "mixed-core", "#CC79A7", 4),
            ("ai-training", "all", "#D55E00", 13),
        ):
            styles = all_styles([], description(SOURCE / "examples" / name).colors)
            self.assertEqual(styles[scheme], sweep_figures.Style(color, point), name)
        # In each sweep, whatever other schemes there are
        statics = [f"static-{size}kb" for size in (25, 200, 3200)]
        styles = all_styles([*statics, "coupled", "new"], {"coupled": "#009E73"})
        self.assertEqual(styles["coupled"].color, "#009E73")
        self.assertEqual(len({style.color for style in styles.values()}), 5)
        self.assertEqual(all_styles(statics[1:2], {})["static-200kb"], styles["static-200kb"])

    def test_metrics_in_words(self):
        for name, words in (
            ("fct_p99", "flow completion time, 99th percentile"),
            ("fct_slowdown_mean", "flow completion time slowdown, mean"),
            ("queue_max", "queue, maximum"),
            ("cnps", "congestion notification packets"),
            ("bus_bandwidth", "bus bandwidth"),
            ("max", "max"),
        ):
            self.assertEqual(sweep_figures.in_words(name), words)

    def test_axis_of_an_option(self):
        said = {"degree": "senders of the incast", "x": "a; or b", "long": 70 * "x", "end": "A word."}
        for option, title in (
            ("degree", "senders of the incast (degree)"),
            ("x", "a (x)"),
            ("long", "long"),
            ("end", "A word (end)"),
            ("other", "other"),
        ):
            self.assertEqual(sweep_figures.axis_title(option, said), title)

    def draw(self, sweep, means, **options):
        """Draws, and returns the texts of the figure of the scenario."""
        self.out.mkdir(exist_ok=True)
        found = SimpleNamespace(folder=self.out, name=sweep.experiment, vary=sweep.vary, means=means,
                                settings={"seeds": sweep.seeds},
                                styles=all_styles(dict.fromkeys(m.scheme for m in means), {}))
        told = io.StringIO()
        with redirect_stderr(told):
            sweep_figures.draw(found, **options)
        self.assertEqual(told.getvalue(), "")
        return {path.stem: re.sub(r"<[^>]*>", "", path.read_text())
                for path in self.out.glob("sweep-*.svg")}

    @unittest.skipUnless(shutil.which("gnuplot"), "there is no gnuplot")
    def test_a_second_option_is_the_series(self):
        vary = {"alpha": ["1", "2"], "buffer": ["1MB", "4MB"], "load": ["0.5", "0.9"]}
        means = [
            sweep_tables.SweepMean((x, y, z), "incast", scheme, "pauses", 2, place, None, "1")
            for place, (x, y, z, scheme) in enumerate(itertools.product(*vary.values(), "ab"))
        ]
        figures = self.draw(sweeps.Sweep("x", vary, 2, []), means)
        self.assertEqual(sorted(figures), ["sweep-incast-a", "sweep-incast-b"])
        for text in ("buffer = 1MB", "buffer = 4MB", "x, incast, a, load = 0.5: 2 seeds"):
            self.assertIn(text, figures["sweep-incast-a"])
        for suffix in ("png", "pdf"):
            self.assertGreater((self.out / f"sweep-incast-b.{suffix}").stat().st_size, 1000)
        # One plot: half of the width, and no empty half
        svg = (self.out / "sweep-incast-a.svg").read_text()
        self.assertIn('viewBox="0 0 500 ', svg)

    @unittest.skipUnless(shutil.which("gnuplot"), "there is no gnuplot")
    def test_chosen_metrics(self):
        means = self.means(pauses=("1", 3, 0, 5, 1), fct_p99=("s", 5, 5, 5, 5), cnps=("1", 1, 2, 3, 4))
        figures = self.draw(self.SWEEP, means, metrics=["fct_p99"])
        self.assertIn("flow completion time, 99th percentile (s)", figures["sweep-incast"])
        self.assertNotIn("pauses", figures["sweep-incast"])
        with self.assertRaisesRegex(Failure, r"no metric fct_p9 \(did you mean fct_p99\?\)"):
            self.draw(self.SWEEP, means, metrics=["fct_p9"])

    @unittest.skipUnless(shutil.which("gnuplot"), "there is no gnuplot")
    def test_bars_begin_at_zero(self):
        sweep = sweeps.Sweep("x", {"transport": ["tcp", "dcqcn"]}, 2, [])
        means = [
            sweep_tables.SweepMean((name,), "incast", "a", "pauses", 2, value, 1.0, "1")
            for name, value in (("tcp", 1000.0), ("dcqcn", 1001.0))
        ]
        self.draw(sweep, means)
        script = (self.out / "sweep.gp").read_text()
        self.assertIn("with boxes", script)
        self.assertIn("set yrange [0:1052.1]", script)  # the higher interval ends at 1002, and 5 % above
        self.assertNotIn("linespoints", script)

    @unittest.skipUnless(shutil.which("gnuplot"), "there is no gnuplot")
    def test_texts(self):
        # Texts stand where there is room for them: a title of two lines, upright values.
        values = ["topologies/tor-48-incast-200us.txt", "topologies/tor-16-short.txt"]
        vary = {"topology": values, **{f"long-option-{i}": ["a-value"] for i in range(6)}}
        sweep = sweeps.Sweep("x", vary, 2, [])
        means = [
            sweep_tables.SweepMean((value, *["a-value"] * 6), "incast", "a", metric, 2, mean, None, "1")
            for metric in ("pauses", "cnps", "migrations") for mean, value in enumerate(values)
        ]
        self.draw(sweep, [*means, *self.means(m=("1", 1, 1, 1, 1))])
        svg = (self.out / "sweep-incast.svg").read_text()
        width, height = map(int, re.search(r'viewBox="0 0 (\d+) (\d+)"', svg).groups())
        places = re.findall(
            r'translate\(([\d.]+),([\d.]+)\)(?: rotate\(([-\d.]+)\))?".*?>\s*<text>(.*?)</text>',
            svg, re.S)
        shown = [re.sub("<.*?>", "", text).strip() for *_, text in places]
        self.assertTrue(any("long-option-5 = a-value" in text for text in shown))
        words = ("pauses", "congestion notification packets", "migrations")
        for text in (*values, *words, "topology"):
            self.assertIn(text, shown)
        for x, y, angle, text in places:
            length = 7 * len(re.sub("<.*?>", "", text).strip())
            if float(angle or 0) == 0:
                self.assertLess(float(x) + (length if float(x) < 200 else 0), width, text)
                self.assertLess(float(y), height, text)
            else:
                self.assertEqual(abs(float(angle)), 90, text)
                self.assertLess(float(y) + length, height, text)


class Compare(FolderTest):
    """Two results side by side."""

    def write(self, name, metrics):
        """Writes a summary of metrics, each a value and an interval; returns its folder."""
        folder = self.folder / name
        folder.mkdir()
        entries = {k: {"value": v, "unit": "1", "ci95": c} for k, (v, c) in metrics.items()}
        summary = {"runs": 5, "schemes": {"new@incast": entries}}
        (folder / "summary.json").write_text(json.dumps(summary))
        return folder

    def test_verdicts(self):
        a = self.write("a", {"far": (10, 3), "near": (10, 3), "equal": (1, 0), "once": (1, None),
                             "here": (1, 1), "wall_time": (1, 1)})
        b = self.write("b", {"far": (16, 4), "near": (14, 4), "equal": (1, 5), "once": (2, None),
                             "there": (1, 1), "wall_time": (9, 1)})
        rows = {row[3]: row for row in sweep_tables.compare(a, b)}
        # The root of 3^2 + 4^2 is 5: a difference of 6 is beyond it, one of 4 is not.
        expected = {"far": "differs", "near": "within", "equal": "same", "once": "one run",
                    "here": "only a", "there": "only b"}
        self.assertEqual({name: row[-1] for name, row in rows.items()}, expected)
        self.assertEqual(rows["far"][-2], "+60.00 %")
        text = sweep_tables.compared_text(a, b, list(rows.values()))
        # The folders, a blank line, and a header with six rows
        self.assertEqual(text.splitlines()[:3], [f"a: {a}", f"b: {b}", ""])
        self.assertEqual(len(text.splitlines()), 3 + 7)

    def test_what_people_read(self):
        def write(name, alpha, time, scheme="new"):
            folder = self.folder / name
            folder.mkdir()
            entry = {"fct": {"value": time, "unit": "s", "ci95": 2e-6}}
            size = {"value": 4e6, "unit": "byte"}
            summary = {"runs": 2, "parameters": {"alpha": alpha, "size": size},
                       "schemes": {f"{scheme}@incast": entry}}
            (folder / "summary.json").write_text(json.dumps(summary))
            return folder

        a, b = write("a", 1, 1.25e-4), write("b", 4, 3e-4)
        text = sweep_tables.compared_text(a, b, sweep_tables.compare(a, b))
        self.assertIn("\nalpha: 1 in a, 4 in b\n", text)
        self.assertNotIn("size", text)
        self.assertRegex(text, r"fct +125 ± 2 us +300 ± 2 us +\+140.00 % +differs")
        self.assertEqual(sweep_tables.parameters_of(a)["size"], "4 MB")
        with self.assertRaisesRegex(Failure, "a and .*c have no metric of the same scenario"):
            sweep_tables.compare(a, write("c", 1, 1e-4, scheme="other"))

    def test_pairs(self):
        # Runs that have met the same random choices: each is 9 to 11 % larger, while they differ by
        # 10 among themselves. t of 2 degrees is 4.303. The logarithms of the ratios are 0.0953,
        # 0.1044 and 0.0892, with a mean of 0.0963 and s of 0.0077: half-width 0.019. In c they are
        # 0.0953, -0.0780 and 0.0328.
        def write(name, seed, values):
            folder = self.folder / name
            folder.mkdir()
            entry = {"value": sum(values) / 3, "unit": "1", "ci95": 25, "runs": values}
            summary = {"seed": seed, "runs": 3, "schemes": {"new@incast": {"m": entry}}}
            (folder / "summary.json").write_text(json.dumps(summary))
            return folder

        a = write("a", 1, [10, 20, 30])
        self.assertEqual(sweep_tables.compare(a, write("b", 1, [11, 22.2, 32.8]))[0][-1], "differs")
        self.assertEqual(sweep_tables.compare(a, write("c", 1, [11, 18.5, 31]))[0][-1], "within")
        self.assertEqual(sweep_tables.compare(a, write("d", 2, [11, 22.2, 32.8]))[0][-1], "within")
        self.assertEqual(sweep_tables.compare(a, write("e", 1, [10, 20, 30]))[0][-1], "same")

    def test_what_is_no_result(self):
        (self.folder / "summary.json").write_text("[]")
        with self.assertRaisesRegex(Failure, "is no summary"):
            sweep_tables.compare(self.folder, self.folder)
        with self.assertRaisesRegex(Failure, "Cannot read .*nowhere"):
            sweep_tables.compare(self.folder / "nowhere", self.folder)
