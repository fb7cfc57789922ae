# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what is known of experiments' options without compiling, and that it is up to date."""

import contextlib
import fcntl
import io
import os
import time
import unittest
from pathlib import Path
from unittest import mock

from folder_test import SOURCE, FolderTest
from tools import commands, experiments, known_options
from tools.checkout import Checkout
from tools.console import WrongUse
from tools.experiments import Experiment

BUILD = Path(os.environ.get("AIDC_BUILD_DIR", "."))
EXPERIMENTS = experiments.experiments(SOURCE)
HELP = """\
aidc-x [Program Options] [General Arguments]

Program Options:
    --degree:     senders of the incast [16]
    --no-figures: leave out the figures, which gnuplot draws [false]

General Arguments:
    --PrintHelp:  Print this help message.
"""


class UpToDate(unittest.TestCase):
    """The files of all experiments."""

    @unittest.skipUnless(
        all((BUILD / "bin" / one.program).exists() for one in EXPERIMENTS),
        "AIDC_BUILD_DIR names no build of all experiments",
    )
    def test_files_are_what_programs_print(self):
        for one in EXPERIMENTS:
            with self.subTest(one.name):
                # The rest is ns-3's, of which each release has its own.
                found, expected = (text.partition("General Arguments:")[0] for text in (
                    known_options.help_file(one).read_text(encoding="utf-8"),
                    known_options.help_text(one.folder, BUILD / "bin" / one.program),
                ))
                self.assertEqual(
                    found,
                    expected,
                    f"write it by: python3 -m tools.known_options {BUILD}",
                )


class Unbuilt(FolderTest):
    """The command in a checkout where nothing is built, while another command is building."""

    def setUp(self):
        super().setUp()
        variables = {name: text for name, text in os.environ.items() if name != "AIDC_BUILD_DIR"}
        patch = mock.patch.dict(os.environ, variables, clear=True)
        patch.start()
        self.addCleanup(patch.stop)
        self.place = Checkout(SOURCE)
        self.place._build = self.folder
        self.place.set_up = self.fail
        lock = (self.folder / ".lock").open("w")
        self.addCleanup(lock.close)
        fcntl.flock(lock, fcntl.LOCK_EX)

    def run_command(self, *words):
        """Runs it, and returns its status, output and errors."""
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            status = commands.main(self.place, words)
        return status, output.getvalue(), errors.getvalue()

    def test_help(self):
        for one in EXPERIMENTS:
            text = (one.folder / "help.txt").read_text(encoding="utf-8")
            self.assertIn("--seed", text)
            names = [one.name, *([f"{one.name}.py"] if one.twin else [])]
            for name, word in ((name, word) for name in names for word in ("--help", "-h")):
                begin = time.monotonic()
                self.assertEqual(self.run_command("run", name, "--small", word), (0, text, ""))
                self.assertLess(time.monotonic() - begin, 1)

    def test_unknown_options(self):
        for words in (
            ("run", "incast", "--degre=4"),
            ("run", "incast", "--small", "--degre", "4"),
            ("run", "incast.py", "--degre=4"),
            ("sweep", "incast", "--vary=degre=4,8"),
            ("sweep", "incast", "--degre=4"),
        ):
            status, _, errors = self.run_command(*words)
            self.assertEqual(status, 2, words)
            self.assertIn("incast has no option --degre (did you mean --degree?)", errors)

    def test_unknown_names(self):
        status, _, errors = self.run_command("run", "incats", "--help")
        self.assertEqual(status, 2)
        self.assertIn('There is no experiment "incats" (did you mean incast?).\nThere are: ', errors)

    def test_alone(self):
        status, output, errors = self.run_command()
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("usage: ./aidc", output)
        self.assertIn("run an experiment", output)


class Known(FolderTest):
    """An experiment of the test's own."""

    def setUp(self):
        super().setUp()
        self.experiment = Experiment(self.folder / "examples" / "x", "")
        self.experiment.folder.mkdir(parents=True)
        (self.folder / "helper" / "experiment").mkdir(parents=True)
        description = "from aidc.experiments import Experiment\nEXPERIMENT = Experiment('?', (), runs=7)\n"
        (self.experiment.folder / "description.py").write_text(description)
        self.source = self.experiment.folder / "x.cc"
        self.source.write_text('parameters.AddFlag("new-one", "...", value);\n')
        (self.experiment.folder / "help.txt").write_text(HELP)
        self.program = self.folder / "aidc-x"

    def make_program(self, script, age):
        """A program that is older than its sources by some seconds."""
        self.program.write_text(f"#!/bin/sh\n{script}\n")
        self.program.chmod(0o755)
        when = self.source.stat().st_mtime - age
        os.utime(self.program, (when, when))

    def help(self):
        """The help, and what is told beside it."""
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            return known_options.help_of(self.experiment, self.program), errors.getvalue()

    def test_who_prints_help(self):
        self.assertEqual(self.help(), (HELP, ""))
        self.make_program("echo newer", -10)
        text, told = self.help()
        self.assertEqual((text.partition("Many Runs:\n")[0], told), ("newer\n", ""))
        for script, age in (("echo older", 10), ("exit 1", -10)):
            self.make_program(script, age)
            text, told = self.help()
            self.assertEqual(text, HELP)
            self.assertIn("aidc-x is not up to date; this help is from", told)

    def test_options_of_many_runs(self):
        """They come before the general options, in place of the options of one run."""
        lines = ["Program Options:", "    --degree:  senders", "    --processes:   1 only",
                 *(f"    --{name}:   of one run" for name in ("run", "only", "plan", "json", "out")), "",
                 "General Arguments:", "    --PrintHelp:  Print this"]
        self.make_program("\n".join(f"echo '{line}'" for line in lines), -10)
        text = known_options.help_text(self.experiment.folder, self.program)
        self.assertTrue(text.startswith("Program Options:\n    --degree:  senders\n\nMany Runs:\n    --runs: "))
        self.assertTrue(text.endswith("]\n\nGeneral Arguments:\n    --PrintHelp:  Print this\n"))
        self.assertEqual(list(known_options.options_in(text)), ["degree", "runs", "processes", "jobs", "out",
                         "overwrite", "table", "no-figures", "PrintHelp"])
        self.assertNotRegex(text, "(?m)^ +--[a-z-]+:[^ ]")
        for part in ("[7; 1 with --small]", "--processes:  1 only\n",
                     "; results/x-small with --small [results/x]\n"):
            self.assertIn(part, text)

    def test_what_is_checked(self):
        given = ["--degree=4", "-no-figures", "--RngRun=2", "--ns3::aidc::RoceNic::Dscp=3", "--h"]
        known_options.check(self.experiment, known_options.given([*given, "4"]))
        known_options.check(self.experiment, ["new-one"])  # of sources that have changed
        with self.assertRaisesRegex(WrongUse, r"^x has no option --no-figure \(did you mean --no-fig"):
            known_options.check(self.experiment, ["no-figure"])

    def test_names_and_descriptions(self):
        self.assertEqual(list(known_options.options_in(HELP)), ["degree", "no-figures", "PrintHelp"])
        found = known_options.options_in(HELP)
        self.assertEqual(found["degree"], "senders of the incast")
        # As argparse prints them
        text = "options:\n  -h, --help         show this\n  --n-flows N_FLOWS  how many\n  -s, --small  less\n"
        self.assertEqual(list(known_options.options_in(text)), ["help", "n-flows", "small"])
        self.assertEqual(known_options.options_in(text)["n-flows"], "how many")
