# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the command ./aidc: what it decides, without installing or building anything."""

import errno
import json
import os
import sys
import unittest
from unittest import mock

from folder_test import SOURCE, FolderTest
from tools import benchmarks, commands, experiments, ns3, packages
from tools.checkout import Checkout
from tools.cmake import CMakeBuild
from tools.console import Failure

CHECKOUT = Checkout(SOURCE)


class TemporaryFolder(FolderTest):
    """Gives each test a folder of its own."""

    def write(self, name, text):
        """Writes a file and returns its path."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


class CommandLine(unittest.TestCase):
    """What belongs to ./aidc and what to the experiment."""

    def test_arguments_after_run_are_the_experiments(self):
        rows = [
            (["run"], ["run"], []),
            (["run", "--seed", "3"], ["run"], ["--seed", "3"]),
            (["run", "coupled-ecn", "--help"], ["run"], ["coupled-ecn", "--help"]),
            (["--ns3", "3.42", "run", "x"], ["--ns3", "3.42", "run"], ["x"]),
            (["--ns3-dir", "run", "run", "x"], ["--ns3-dir", "run", "run"], ["x"]),
            (["run", "--help"], ["run", "--help"], []),
            (["test", "--suite", "run"], ["test", "--suite", "run"], []),
        ]
        for arguments, own, passed_on in rows:
            with self.subTest(arguments):
                self.assertEqual(commands.split_run(arguments), (own, passed_on))

    def test_ns3_releases(self):
        parser = commands.parser(CHECKOUT)
        for words, name in ((["--ns3", "3.39", "list"], "3.39"), (["list"], "3.44")):
            self.assertEqual(CHECKOUT.chosen_ns3(parser.parse_args(words)).name, name)

    def test_errors_of_files_are_a_line(self):
        full = OSError(errno.ENOSPC, "No space left on device", "sweep.csv.partial")
        full.__context__ = Failure("The run alpha=1 failed.")
        for error, lines in (
            (full, ["aidc: The run alpha=1 failed.",
                    "aidc: sweep.csv.partial: No space left on device"]),
            (OSError(errno.ENOSPC, "No space left on device"), ["aidc: No space left on device"]),
        ):
            with mock.patch.object(commands, "sweep", side_effect=error), mock.patch.object(
                commands, "note"
            ) as note:
                self.assertEqual(commands.main(CHECKOUT, ["sweep", "x"]), 1)
            self.assertEqual([call[0][0] for call in note.call_args_list], lines)

    def test_one_suite_builds_the_runner_alone(self):
        with mock.patch.object(CHECKOUT, "is_suite", lambda name: name == "aidc-x"):
            self.assertEqual(
                CHECKOUT.test_scope("aidc-x"), ("aidc-test-runner", False, {"AIDC_TESTS": "ON"})
            )
            self.assertEqual(CHECKOUT.test_scope("core")[0], "all")
            self.assertTrue(CHECKOUT.test_scope("python.tools")[1])
            self.assertEqual(CHECKOUT.test_scope(None)[2]["AIDC_SANITIZE"], "OFF")
            self.assertEqual(CHECKOUT.test_scope(None, every=True)[2]["AIDC_SANITIZE"], "ON")

    def test_suites_are_found_in_any_folder(self):
        self.assertTrue(CHECKOUT.is_suite("aidc-ethernet-port"))
        self.assertTrue(CHECKOUT.is_suite("aidc-experiment-base"))
        self.assertFalse(CHECKOUT.is_suite("ethernet-port"))
        self.assertFalse(CHECKOUT.is_suite("aidc-.*"))


class Experiments(TemporaryFolder):
    """The experiments that examples/ has."""

    def test_found_by_their_line(self):
        self.write("examples/b/b.cc", "/* @experiment Does b */")
        self.write("examples/a/a.cc", " * @experiment   Does a\n")
        self.write("examples/a/a.py", "")
        self.write("examples/a/a-network.cc", "/* of @experiment a */")
        self.write("examples/no-experiment/no-experiment.cc", "int main() {}")
        found = experiments.experiments(self.folder)
        self.assertEqual([e.name for e in found], ["a", "b"])
        self.assertEqual(found[0].summary, "Does a")
        self.assertEqual(experiments.find(self.folder, "a.py").twin.name, "a.py")
        with self.assertRaisesRegex(Failure, "no Python twin"):
            experiments.find(self.folder, "b.py")
        with self.assertRaises(Failure) as caught:
            experiments.find(self.folder, "c")
        self.assertIn("There are: a, b.", caught.exception.report())
        self.assertEqual(experiments.script(self.folder, "a.py").name, "a.py")
        own = self.write("own.py", "")
        self.assertEqual(experiments.script(self.folder, str(own)), own)
        for missing in ("missing.py", str(self.folder / "a.py"), "examples/a/a.py"):
            with self.assertRaises(Failure) as caught:
                experiments.script(self.folder, missing)
            self.assertIn(f"There is no file {missing}.", caught.exception.report())

    def test_exit_code_is_the_programs(self):
        self.assertEqual(experiments.run([sys.executable, "-c", "exit(3)"], os.environ), 3)
        with self.assertRaisesRegex(Failure, "SIGKILL"):
            code = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
            experiments.run([sys.executable, "-c", code], os.environ)


class Benchmarks(TemporaryFolder):
    """Lines of the benchmark programs and results/bench.json."""

    LINE = '{"name": "x", "value": 1.05, "unit": "1", "against": "fifo", "median_of": 5}'
    ENTRY = {"value": 1.05, "unit": "1", "against": "fifo", "median_of": 5}

    def test_lines(self):
        self.assertEqual(benchmarks.parse(self.LINE + "\n\n", "p"), {"x": self.ENTRY})
        for line in ["no json", '{"name": "x"}', "[]"]:
            with self.subTest(line), self.assertRaisesRegex(Failure, "no result"):
                benchmarks.parse(line, "p")

    def test_merge_keeps_other_results(self):
        path = self.write("results/bench.json", json.dumps({"y": self.ENTRY, "x": {}}))
        benchmarks.merge({"x": self.ENTRY}, path)
        self.assertEqual(json.loads(path.read_text()), {"x": self.ENTRY, "y": self.ENTRY})

    def test_broken_file_is_not_overwritten(self):
        path = self.write("bench.json", "{")
        with self.assertRaises(Failure):
            benchmarks.merge({"x": self.ENTRY}, path)
        self.assertEqual(path.read_text(), "{")

    def test_unknown_name(self):
        program = self.write("program", f"#!/bin/sh\n[ $1 = x ] && echo '{self.LINE}' || true\n")
        program.chmod(0o755)
        self.assertEqual(benchmarks.measure([program], ["x"]), {"x": self.ENTRY})
        with self.assertRaisesRegex(Failure, "No benchmark is called z"):
            benchmarks.measure([program], ["z"])

    def test_table_is_aligned(self):
        lines = benchmarks.table({"x": self.ENTRY}).splitlines()
        self.assertEqual(lines[1], "x     1.05   1     fifo     5")
        self.assertEqual(lines[0].index("value"), lines[1].index("1.05"))


class Packages(TemporaryFolder):
    """What is done about missing system packages."""

    def requirement(self, present, apt="aidc-test-package", optional=""):
        """A requirement that is there or not."""
        return packages.Requirement("a thing", lambda: present, apt, optional)

    def steps(self, *requirements, root, installer="apt-get"):
        """What steps_for() does on a machine with an installer."""
        with mock.patch("os.geteuid", lambda: 0 if root else 1000), mock.patch(
            "shutil.which", lambda name: f"/bin/{name}" if name == installer else None
        ):
            return packages.steps_for(requirements, self.folder / "log")

    def test_nothing_is_missing(self):
        self.assertEqual(self.steps(self.requirement(True), root=True), [])

    def test_root_installs(self):
        missing = [self.requirement(False), self.requirement(False, "b")]
        with mock.patch.object(packages, "note") as note:
            steps = self.steps(*missing, root=True)
        told = note.call_args[0][0]
        self.assertIn("apt-get install -y aidc-test-package b\nThis command runs it now", told)
        self.assertEqual(
            [step.title for step in steps], ["Installing system packages: aidc-test-package b"]
        )

    def test_a_user_is_told_once(self):
        missing = [self.requirement(False), self.requirement(False, "b"), self.requirement(True)]
        with self.assertRaises(Failure) as caught:
            self.steps(*missing, root=False)
        self.assertIn("sudo apt-get install -y aidc-test-package b\n", caught.exception.report())
        with self.assertRaises(Failure) as caught:
            self.steps(*missing, root=False, installer="brew")
        self.assertIn("  brew install aidc-test-package b\n", caught.exception.report())

    def test_optional_ones_do_not_end_the_command(self):
        with mock.patch.object(packages, "note") as note:
            self.assertEqual(self.steps(self.requirement(False, optional="figures"), root=False), [])
        self.assertIn("without it: no figures", note.call_args[0][0])

    def test_what_could_not_be_installed_is_tried_once(self):
        log = self.folder / "log"
        one, other = (self.requirement(False, name, "figures") for name in ("one", "other"))
        progress = mock.Mock()
        progress.run.side_effect = Failure("no network")
        with mock.patch.object(packages, "note"):
            for step in self.steps(one, root=True):
                step.action(progress)
            self.assertEqual(log.with_suffix(".given-up").read_text(), "one")
            self.assertEqual(self.steps(one, root=True), [])
            self.assertEqual(len(self.steps(one, other, root=True)), 1)

    def test_headers(self):
        self.assertTrue(packages.has_header("vector"))
        self.assertFalse(packages.has_header("aidc/no-such-header.h"))


class Ns3(TemporaryFolder):
    """Which Python and which ns-3 are taken."""

    def test_python_versions(self):
        ns3.check_python("3.9")
        ns3.check_python("3.13")
        for version in ["3.8", "3.14"]:
            with self.subTest(version), self.assertRaises(Failure) as caught:
                ns3.check_python(version)
            self.assertIn("AIDC_PYTHON=", caught.exception.report())

    def test_own_installation(self):
        config = self.write("lib64/cmake/ns3/ns3Config.cmake", "")
        self.assertEqual(ns3.InstalledNs3(self.folder).cmake_dir, config.parent.resolve())
        with self.assertRaisesRegex(Failure, "No ns3Config.cmake"):
            ns3.InstalledNs3(self.folder / "lib64" / "other").cmake_dir

    def test_each_release_is_pinned(self):
        for name, (package, _) in ns3.RELEASES.items():
            self.assertTrue(package.startswith(name + "."))


class Builds(TemporaryFolder):
    """When a build is configured again."""

    def titles(self, options, source="source"):
        """The titles of the steps for some options."""
        build = CMakeBuild(self.folder / source, self.folder, ns3.InstalledNs3(self.folder))
        return [step.title for step in build.steps("all", options)]

    def configured(self, options):
        """Pretends that a build was configured with some options."""
        build = CMakeBuild(self.folder / "source", self.folder, ns3.InstalledNs3(self.folder))
        text = json.dumps({"identity": build.identity, "options": options})
        build.folder.mkdir(exist_ok=True)
        (build.folder / ".aidc-configured.json").write_text(text)

    def test_only_when_something_is_new(self):
        both = ["Configuring the build", "Building all"]
        self.assertEqual(self.titles({}), both)
        self.configured({"AIDC_TESTS": "ON"})
        self.assertEqual(self.titles({"AIDC_TESTS": "ON"}), both[1:])
        self.assertEqual(self.titles({}), both[1:])
        self.assertEqual(self.titles({"AIDC_BENCH": "ON"}), both)
        self.assertEqual(self.titles({"AIDC_TESTS": "ON"}, source="moved"), both)
