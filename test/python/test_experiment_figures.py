# SPDX-License-Identifier: GPL-2.0-only
"""Tests of figures that cannot be drawn, which are said in one line. Scripts stand for gnuplot;
test_figures.py draws with it."""

import contextlib
import io
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from aidc.experiments import Experiment
from aidc.experiments.folder import Failure
from aidc.experiments.gnuplot import draw
from aidc.experiments.summary import Summary


DESCRIBED = Experiment(question="How?", metrics=(), charts=lambda results: ())
SUMMARY = Summary("x", seed=1, runs=1)


class Figures(unittest.TestCase):
    """A folder of results."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name, "results")
        self.folder.mkdir()
        SUMMARY.write(self.folder, [], [])
        self.bin = Path(temporary.name, "bin")
        self.bin.mkdir()

    def draw(self, gnuplot="", described=DESCRIBED):
        """Draws by a gnuplot of shell; returns whether it has not failed, and what is said."""
        if gnuplot:
            (self.bin / "gnuplot").write_text(f"#!/bin/sh\n{gnuplot}\n")
            (self.bin / "gnuplot").chmod(0o755)
        path = f"{self.bin}:{os.environ['PATH']}" if gnuplot else str(self.bin)
        stream = io.StringIO()
        with mock.patch.dict(os.environ, PATH=path), contextlib.redirect_stderr(stream):
            is_well = draw(described, self.folder)
        return is_well, stream.getvalue()

    def test_gnuplot_runs_without_the_settings_of_the_user(self):
        is_well, said = self.draw('test "$*" = "-d figures.gp" && test -e figures.gp')
        self.assertEqual((is_well, said), (True, "Figures drawn by figures.gp\n"))

    def test_an_experiment_without_figures(self):
        nothing = Experiment(question="How?", metrics=())
        self.assertEqual(self.draw("exit 1", nothing), (True, ""))
        self.assertFalse((self.folder / "figures.gp").exists())

    def test_a_script_that_cannot_be_written(self):
        (self.folder / "figures.gp").mkdir()
        with self.assertRaisesRegex(Failure, "^cannot write .*/figures.gp: Is a directory$"):
            self.draw("true")

    def test_no_gnuplot(self):
        self.assertEqual(
            self.draw(),
            (True, "No figures: gnuplot is not installed; once it is, run 'gnuplot figures.gp' in the "
             "folder of the results\n"),
        )

    def test_it_fails(self):
        failed = "No figures: gnuplot failed on figures.gp: "
        for gnuplot, said in (
            ("echo 'plot x'; echo '     ^'; echo '  line 1: no such thing '; echo; exit 1",
             "line 1: no such thing"),
            ("exit 1", "it gave no reason"),
        ):
            self.assertEqual(self.draw(gnuplot), (False, f"{failed}{said}\n"))
        # By signal 11, as if it crashes: it has no time to say why.
        is_well, said = self.draw("echo something; kill -11 $$")
        self.assertFalse(is_well)
        self.assertTrue(said.startswith(f"{failed}it was ended by signal 11 ("), said)
        self.assertEqual(said.count("\n"), 1)

    def test_warnings_are_not_shown_but_notes_of_the_script_are(self):
        is_well, said = self.draw(
            "echo 'Warning: empty y range [0:0], adjusting to [0:1]'\n"
            "echo 'No figure x: nothing moves'\n"
            "echo '\"figures.gp\" line 8: warning: too many colors'"
        )
        self.assertTrue(is_well)
        self.assertEqual(said, "No figure x: nothing moves\nFigures drawn by figures.gp\n")

    def test_figures_that_are_not_whole(self):
        for name, part, whole in (("a.png", r"\211PNG", "IEND"), ("a.svg", "<svg>", "</svg>")):
            with self.assertRaisesRegex(Failure, rf"^cannot write .*/{name}: gnuplot has written a part"):
                self.draw(f"printf '{part}' > {name}")
            self.assertTrue(self.draw(f"printf '{part}{whole}\\n' > {name}")[0])
