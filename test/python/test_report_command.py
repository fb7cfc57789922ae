# SPDX-License-Identifier: GPL-2.0-only
"""Tests of ./aidc report and ./aidc open, and of the report that ends ./aidc run."""

import contextlib
import io
import os
import sys
from pathlib import Path
from unittest import mock

from folder_test import SOURCE, FolderTest
from tools import commands, reports
import aidc.reports
from aidc.reports.page import plotly_script
from tools.console import WrongUse, run_steps
from tools.ns3 import PackagedNs3
from tools.place import Place, Program

PYTHON = Path("/bin/false")
WRITTEN = mock.patch.object(
    aidc.reports, "write", lambda folder, out, python: Path(folder) / "report.html"
)


class CommandTest(FolderTest):
    """What the command does with reports."""

    def setUp(self):
        super().setUp()
        before = Path.cwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)

    def said(self, do):
        """What something says on the standard error stream."""
        return self.caught(contextlib.redirect_stderr, do)

    def printed(self, do):
        """What something prints."""
        return self.caught(contextlib.redirect_stdout, do)

    def caught(self, redirect, do):
        """What something writes to a stream."""
        stream = io.StringIO()
        with redirect(stream):
            do()
        return stream.getvalue()

    def make(self, name, time=0):
        """Makes an empty file of a time."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (time, time))
        return Path(name)

    def test_folder_of_a_run(self):
        for arguments, expected in (
            ([], "results/incast"),
            (["--small", "--out=here"], "here"),
            (["--out", "there", "--small"], "there"),
            (["-out=x"], "x"),
            (["--small"], "results/incast-small"),
            (["--small", "--schemes=off"], "results/incast-small"),
            (["--small=false"], "results/incast"),
        ):
            self.assertEqual(commands.folder_of("incast", arguments), Path(expected))

    def test_report_of_what_a_run_has_written(self):
        self.make("results/a/summary.json", time=1000)
        with WRITTEN:
            write = lambda: reports.write_after_run(PYTHON, Path("results/a"), 900)
            self.assertEqual(self.printed(write), "Report: results/a/report.html\n")
            # Results of an earlier run, as after --help, and none
            for folder, begin in (("results/a", 1100), ("results/b", 900)):
                write = lambda: reports.write_after_run(PYTHON, Path(folder), begin)
                self.assertEqual(self.printed(write), "")

    def test_run_without_report(self):
        self.make("results/a/summary.json", time=1000)
        write = lambda: reports.write_after_run(PYTHON, Path("results/a"), 900)
        for error, said in (
            (aidc.reports.ReportError("no plotly; get it with\n  pip"), "no plotly; get it with\n  pip"),
            (KeyError("size"), "KeyError: 'size'"),
        ):
            with mock.patch.object(aidc.reports, "write", side_effect=error):
                self.assertEqual(self.said(write), f"There is no report: {said}\n")
        with self.assertRaisesRegex(aidc.reports.ReportError, "No such file"):
            plotly_script(self.folder / "nothing")

    def test_comparison_gets_the_table(self):
        row = ("", "s", "x", "m", "1", "", "2", "", "s", "+100.00 %", "one run")
        path = Path("o.html")
        compare = lambda: commands.main(Place(SOURCE), ["compare", "a", "b", f"--out={path}"])
        with mock.patch.object(commands.sweep_tables, "compare", return_value=[row]), \
                mock.patch.object(commands.sweep_tables, "compared_text", return_value="text"), \
                mock.patch.object(aidc.reports, "write_comparison", return_value=path) as write:
            self.assertEqual(self.printed(compare), "text\nReport: o.html\n")
        a, b, header, rows, out, python = write.call_args[0]
        self.assertEqual((a, b, out, python), (Path("a"), Path("b"), path, Path(sys.executable)))
        self.assertEqual((header[3:5], rows), (("metric", "a"), [row]))

    def test_newest_report(self):
        with self.assertRaisesRegex(WrongUse, "no report in the folders of results/"):
            reports.find(None)
        self.make("results/a/report.html", time=10)
        newest = self.make("results/b/report-compare.html", time=30)
        other = self.make("results/b/report.html", time=20)
        self.assertEqual(reports.find(None), newest)
        newest.unlink()
        self.assertEqual(reports.find(None), other)
        self.assertEqual(reports.find(Path("results/a")), Path("results/a/report.html"))
        with self.assertRaisesRegex(WrongUse, "no report in results/c"):
            reports.find(Path("results/c"))

    def test_show(self):
        path = self.make("results/a/report.html")
        for env, count in (({}, 0), ({"DISPLAY": ":0"}, 1)):
            with mock.patch.dict(os.environ, env, clear=True), mock.patch.object(
                reports.sys, "platform", "linux"
            ), mock.patch.object(reports.webbrowser, "open") as opened, contextlib.redirect_stdout(
                io.StringIO()
            ) as output:
                reports.show(path)
            self.assertEqual(opened.call_count, count)
            self.assertEqual(output.getvalue(), f"{path}\n")

    def test_last_line_of_a_run(self):
        class FakePlace(Place):
            """A place whose experiment is a script."""

            def program(self, options, name):
                path = Path("program").resolve()
                path.write_text(
                    f"#!{sys.executable}\nimport pathlib, sys\n"
                    "folder = pathlib.Path('results/x')\nfolder.mkdir(parents=True, exist_ok=True)\n"
                    "(folder / 'summary.json').write_text('{}')\nsys.exit(len(sys.argv) - 1)\n")
                path.chmod(0o755)
                return Program(name, path)

        run = lambda: self.assertEqual(commands.main(FakePlace(SOURCE), ["run", "x"]), 0)
        with WRITTEN:
            self.assertEqual(self.printed(run), "Report: results/x/report.html\n")
        # A run that fails has no report.
        run = lambda: self.assertEqual(commands.main(FakePlace(SOURCE), ["run", "x", "--bad"]), 1)
        self.assertEqual(self.printed(run), "")

    def test_plotly_that_cannot_be_installed(self):
        ns3 = PackagedNs3("3.44", self.folder)
        self.assertEqual(ns3.optional_steps("reports"), [])  # there is no environment yet
        ns3.python.parent.mkdir(parents=True)
        ns3.python.symlink_to("/bin/false")
        said = self.said(lambda: run_steps(ns3.optional_steps("reports")))
        self.assertIn("There will be no reports: ", said)
        self.assertEqual(ns3.optional_steps("reports"), [])
        self.assertEqual(len(ns3.optional_steps("reports", again=True)), 1)
        ns3.python.unlink()
        ns3.python.symlink_to("/bin/true")
        self.said(lambda: run_steps(ns3.optional_steps("reports", again=True)))
        self.assertEqual(ns3.optional_steps("reports", again=True), [])

    def test_results_of_a_report(self):
        with self.assertRaisesRegex(WrongUse, "nowhere has no results: expected summary.json"):
            reports.check_results(Path("nowhere"))
        self.make("some/sweep.json")
        reports.check_results(Path("some"))
