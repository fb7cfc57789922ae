# SPDX-License-Identifier: GPL-2.0-only
"""Tests of where experiments write: all results at once, or none."""

import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import experiments_command

PROGRAM = experiments_command.program("coupled-ecn")
DRAWN = ["--small", "--scenarios=light", "--schemes=coupled"]
QUICK = [*DRAWN, "--no-figures"]


@unittest.skipUnless(PROGRAM.exists(), "AIDC_BUILD_DIR names no build with aidc-coupled-ecn")
class ResultsFolder(unittest.TestCase):
    """The folder of --out, beside others."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.parent = Path(temporary.name)
        self.out = self.parent / "out"
        self.partial = self.parent / "out.partial"

    def run_program(self, *arguments, program=PROGRAM, **options):
        """Runs the experiment and returns how it ended."""
        command = experiments_command.command(program, *arguments, f"--out={self.out}")
        return subprocess.run(command, capture_output=True, text=True, **options)

    def start_long_run(self, *arguments):
        """Starts a run that takes long, and waits until it writes."""
        command = experiments_command.command(
            PROGRAM, "--runs=1000", *arguments, f"--out={self.out}"
        )
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        while not (self.partial / "slowdown.csv").exists():
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        return process

    def files(self):
        """The content of all files of the results, by name."""
        return {path.name: path.read_bytes() for path in self.out.iterdir()}

    def test_new_results_replace_former_ones_and_nothing_else(self):
        first = self.run_program(
            "--small", "--scenarios=incast-capped", "--schemes=coupled", "--no-figures"
        )
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertIn("queue-incast-capped-coupled.csv", self.files())
        (self.out / "notes.txt").write_text("mine")
        second = self.run_program(*QUICK)
        self.assertEqual(second.returncode, 0, second.stderr)
        files = self.files()
        self.assertIn("queue-light-coupled.csv", files)
        self.assertNotIn("queue-incast-capped-coupled.csv", files)
        self.assertEqual(files["notes.txt"], b"mine")
        self.assertEqual([path.name for path in self.parent.iterdir()], ["out"])

    def test_a_disk_that_is_full_leaves_former_results(self):
        self.run_program(*QUICK)
        before = self.files()

        # Of the program; test_experiment_program.py has what makes its runs.
        limited = self.parent / "bin" / "aidc-coupled-ecn"
        limited.parent.mkdir()
        limited.write_text(f"#!/bin/sh\ntrap '' XFSZ\nulimit -f 1\nexec '{PROGRAM}' \"$@\"\n")
        limited.chmod(0o755)
        ended = self.run_program(*QUICK, "--seed=2", program=limited)
        self.assertEqual(ended.returncode, 1)
        self.assertRegex(ended.stderr, r"cannot write .*out\.partial/.*\.csv: File too large")
        self.assertEqual(self.files(), before)

    def test_a_figure_that_gnuplot_cannot_write_whole(self):
        self.run_program(*QUICK)
        before = self.files()
        for name, start in (("queue-light.png", "\\211PNG"), ("queue-light.svg", "<svg>")):
            gnuplot = self.parent / "bin" / "gnuplot"  # reports no error, as where a disk is full
            gnuplot.parent.mkdir(exist_ok=True)
            gnuplot.write_text(f"#!/bin/sh\nprintf '{start}' > {name}\n")
            gnuplot.chmod(0o755)
            path = f"{gnuplot.parent}:{os.environ['PATH']}"
            ended = self.run_program(*DRAWN, env={**os.environ, "PATH": path})
            self.assertEqual(ended.returncode, 1)
            self.assertRegex(ended.stderr, rf"cannot write .*out\.partial/{name}: .*disk full")
            self.assertEqual(self.files(), before)
            without = self.run_program(*QUICK, env={**os.environ, "PATH": path})
            self.assertEqual(without.returncode, 0, without.stderr)
            self.assertNotIn(name, self.files())
            before = self.files()

    def test_figures_that_gnuplot_fails_to_draw(self):
        # The results are there, and the exit status says that not all of them are.
        gnuplot = self.parent / "bin" / "gnuplot"
        gnuplot.parent.mkdir()
        gnuplot.write_text("#!/bin/sh\necho '\"figures.gp\" line 7: all points undefined'\nexit 1\n")
        gnuplot.chmod(0o755)
        path = f"{gnuplot.parent}:{os.environ['PATH']}"
        ended = self.run_program(*DRAWN, env={**os.environ, "PATH": path})
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertIn("No figures: gnuplot failed on figures.gp: ", ended.stderr)
        self.assertIn("Results are in", ended.stdout)
        self.assertIn("summary.json", self.files())
        self.assertFalse(self.partial.exists())

    def test_a_setting_that_a_run_refuses(self):
        # That is known only when the network is built.
        for jobs in ("--jobs=1", "--jobs=2"):
            for option, expected in (
                ("CoupledEcnQueue::Offset=10B", "CoupledEcnQueueDisc::Offset in place of ns3::aidc::"),
                ("EthernetNetDevice::Mtu=1500", "has an MTU of 1500 bytes; the path MTU of "),
            ):
                words = ["--transport=dcqcn", jobs, f"--ns3::aidc::{option}"]
                ended = self.run_program(*QUICK, *words)
                self.assertEqual(ended.returncode, 1, option)
                progress, said = ended.stderr.splitlines()
                self.assertIn("coupled@light", progress)
                self.assertRegex(said, rf"^aidc-coupled-ecn: .*{expected}")
                self.assertEqual(list(self.parent.iterdir()), [])

    def test_signals_that_end_it(self):
        self.run_program(*QUICK)
        before = self.files()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.start_long_run()
            process.send_signal(number)
            self.assertEqual(process.wait(), 128 + number)
            last = process.stderr.read().splitlines()[-1]
            self.assertRegex(last, "aidc-coupled-ecn: interrupted; .*out is as it was before")
            self.assertEqual(self.files(), before)
            self.assertEqual([path.name for path in self.parent.iterdir()], ["out"])

    def test_interrupt_of_a_run_in_this_process(self):
        process = self.start_long_run("--jobs=1")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(), 130)
        self.assertEqual(list(self.parent.iterdir()), [])

    def test_interrupt_leaves_the_folder_of_another_run(self):
        # The second run is refused; Ctrl-C for it is not for the folder of the first one.
        first = self.start_long_run()
        self.assertEqual(self.run_program(*QUICK).returncode, 1)
        self.assertTrue(self.partial.exists())
        first.kill()
        first.wait()
        # What it has left does not hinder the next run.
        self.assertEqual(self.run_program(*QUICK).returncode, 0)
        self.assertFalse(self.partial.exists())

    def test_results_of_another_experiment(self):
        self.out.mkdir()
        other = '{\n  "experiment": "incast",\n  "schemes": {}\n}\n'
        (self.out / "summary.json").write_text(other)
        refused = self.run_program(*QUICK)
        self.assertEqual(refused.returncode, 1)
        self.assertRegex(
            refused.stderr,
            "out has results of the experiment incast; choose another folder with --out, or give "
            "--overwrite to replace them\n$",
        )
        self.assertEqual((self.out / "summary.json").read_text(), other)
        self.assertFalse(self.partial.exists())
        self.assertEqual(self.run_program(*QUICK, "--overwrite").returncode, 0)
        self.assertIn(b'"experiment": "coupled-ecn"', self.files()["summary.json"])

    def test_the_small_variant_has_a_folder_of_its_own(self):
        for words in (QUICK, [*QUICK, "--out=here"]):
            command = experiments_command.command(PROGRAM, *words)
            ended = subprocess.run(command, cwd=self.parent, capture_output=True, text=True)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            found = [path.name for path in self.parent.glob("results/*")]
            self.assertEqual(found, ["coupled-ecn-small"])
        self.assertTrue((self.parent / "here" / "summary.json").exists())
        self.assertIn("Results are in here", ended.stdout)

    def test_two_runs_into_one_folder(self):
        self.start_long_run()
        second = self.run_program(*QUICK)
        self.assertEqual(second.returncode, 1)
        self.assertRegex(second.stderr, "another run writes its results to .*out; choose another")
        self.assertFalse(self.out.exists())

    def test_folders_that_cannot_be(self):
        (self.parent / "file").write_text("")
        for out, error in (
            (self.parent / "file", "is no folder"),
            (self.parent / "file" / "below", "cannot write to|is no folder|Not a directory"),
            ("/", "expected a folder for results"),
        ):
            self.out = out
            ended = self.run_program(*QUICK)
            self.assertEqual(ended.returncode, 1, out)
            self.assertRegex(ended.stderr, error)
