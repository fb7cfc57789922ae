#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what the package for pip is made from, without making it; .ci/wheel makes it."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from folder_test import SOURCE
from tools import commands, ns3, wheel
from tools.console import WrongUse
from tools.place import Place

PROJECT = (SOURCE / "pyproject.toml").read_text(encoding="utf-8")
CMAKE = (SOURCE / "cmake" / "package" / "CMakeLists.txt").read_text(encoding="utf-8")


class Project(unittest.TestCase):
    """pyproject.toml, and what else says the same."""

    def test_what_builds_it_is_installed(self):
        build = re.search(r'^requires = \[(.*)\]$', PROJECT, re.M)[1]
        pins = re.findall(r'"([\w-]+==[\d.]+)', build)
        self.assertTrue(pins)
        self.assertLessEqual(set(pins), set(wheel.PINS))

    def test_bindings_are_of_the_ns3_of_the_libraries(self):
        extra = re.search(r'^bindings = \[(.*)\]$', PROJECT, re.M)[1]
        self.assertIn(f'"ns3=={ns3.RELEASES[ns3.DEFAULT][0]}"', extra)

    def test_tables_are_installed(self):
        for name in ns3.TABLES:
            self.assertIn(f'"{name}"', PROJECT)

    def test_command_line_is_whole(self):
        """CMake names the modules that the command imports."""
        listed = re.search(r"set\(tools\s([^)]*)\)", CMAKE)[1].split()
        with tempfile.TemporaryDirectory() as folder:
            package = shutil.copytree(SOURCE / "bindings" / "aidc", Path(folder, "aidc"))
            (package / "_tools").mkdir()
            for name in listed:
                shutil.copy(SOURCE / "tools" / f"{name}.py", package / "_tools")
            code = (
                # The command imports modules for clusters only when it is asked for one.
                "import sys, aidc._tools.commands, aidc._tools.sweep_dask, aidc._tools.sweep_slurm;"
                "print(*(name for name in sys.modules if name.startswith('aidc._tools.')))"
            )
            shown = subprocess.run(
                [sys.executable, "-B", "-c", code],
                cwd=folder, capture_output=True, text=True, check=True,
            )
        imported = {name.rpartition(".")[2] for name in shown.stdout.split()}
        self.assertEqual(set(listed), imported | {"__init__"})


class Command(unittest.TestCase):
    """The command of an installed package, and ./aidc wheel."""

    def refused(self, *arguments):
        """What the command says when it refuses its arguments."""
        with mock.patch.object(commands, "note") as note:
            self.assertEqual(commands.main(Place(SOURCE), arguments), 2)
        return note.call_args[0][0]

    def test_cpp_needs_a_checkout(self):
        for arguments in (("run", "mine.cc"), ("sweep", "mine.cc"), ("new", "mine.cc")):
            said = self.refused(*arguments)
            self.assertIn("mine.cc: a program in C++ is built by a checkout", said)
            self.assertFalse(Path("mine.cc").exists())

    def test_programs_are_those_of_the_package(self):
        program = Place(SOURCE).program(None, "incast")
        self.assertEqual(program.path, SOURCE / "bin" / "aidc-incast")
        self.assertIn('There is no experiment "nothing".', self.refused("run", "nothing"))

    def test_python_is_the_one_that_runs(self):
        script = Place(SOURCE).program(None, "incast.py")
        self.assertEqual(script.interpreter, (sys.executable,))
        self.assertEqual(script.path, SOURCE / "examples" / "incast" / "incast.py")

    def test_wheel_has_one_release(self):
        for release in ("3.43", ""):
            with self.assertRaisesRegex(WrongUse, rf"has ns-{ns3.DEFAULT}"):
                wheel.steps(SimpleNamespace(ns3=SimpleNamespace(release=release)), Path("dist"))
