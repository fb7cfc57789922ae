# SPDX-License-Identifier: GPL-2.0-only
"""The manual does what it says: its C++ and Python blocks run, and so do its commands."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import manual
from folder_test import SOURCE, FolderTest

PYTHON = os.environ.get("AIDC_PYTHON")
BUILD = os.environ.get("AIDC_BUILD_DIR")
SAMPLES = os.environ.get("AIDC_MANUAL_SAMPLES")
LANGUAGES = {"cpp", "python", "console", "bash", "json", "text"}
SHOWN_ONLY = 5
"""How many blocks may be shown without being run. Each says why."""


def pattern_of(lines):
    """What an output has to match: "..." is anything, a whole line of it any lines."""
    parts = []
    for line in lines:
        if line.strip() == "...":
            parts.append(r"(.*\n)*?")
        else:
            parts.append(re.escape(line.rstrip()).replace(r"\.\.\.", ".*") + r" *\n")
    return "".join(parts)


class InFolder(FolderTest):
    """A test with an empty folder of its own."""

    def check(self, command, name, **more):
        """Runs a command in the folder, and returns its output, errors last."""
        ended = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=900, **more
        )
        self.assertEqual(ended.returncode, 0, f"{name}: {ended.stdout}\n{ended.stderr[-2000:]}")
        return ended.stdout + ended.stderr


class Blocks(InFolder):
    """The manual's code blocks."""

    def test_languages(self):
        reasons = []
        for path in manual.chapters():
            for sample in manual.samples(path):
                self.assertIn(sample.language, LANGUAGES, f"{path}:{sample.line}")
                reasons += [sample.reason] if sample.reason else []
                self.assertNotEqual(sample.reason, "yes", f"{sample.name} says no reason")
        self.assertLessEqual(len(reasons), SHOWN_ONLY, reasons)

    def test_shortened_commands(self):
        for command, options, expected in (
            ("./aidc run a --runs=10 --b=1 # c", "--runs=1", "./aidc run a --b=1 --runs=1"),
            ("./aidc run a --small", "--small --runs=1", "./aidc run a --small --runs=1"),
            ("./aidc sweep a --seeds 10 --b=1", "--seeds=2", "./aidc sweep a --b=1 --seeds=2"),
            ("./aidc run", "--small", "./aidc run --small"),
        ):
            self.assertEqual(manual.shorten(command, options), expected)

    def test_json(self):
        for sample in manual.all_samples("json"):
            with self.subTest(sample.name):
                json.loads(sample.code)

    @unittest.skipUnless(SAMPLES, "AIDC_MANUAL_SAMPLES names no program")
    def test_cpp(self):
        for sample in manual.all_samples("cpp"):
            with self.subTest(sample.name):
                self.check([SAMPLES, sample.name], sample.name)

    @unittest.skipUnless(PYTHON, "AIDC_PYTHON names no Python with ns-3's bindings")
    def test_python(self):
        environment = {**os.environ, "PYTHONPATH": str(SOURCE / "bindings")}
        for sample in manual.all_samples("python"):
            if not sample.reason:
                with self.subTest(sample.name):
                    code = sample.given + sample.code
                    self.check([PYTHON, "-B", "-c", code], sample.name, env=environment)


@unittest.skipUnless(PYTHON and BUILD, "there is no build with Python")
class Commands(InFolder):
    """The manual's commands, followed word for word."""

    def setUp(self):
        super().setUp()
        build = re.fullmatch(r"ns3-([\d.]+)(-werror)?", Path(BUILD).name)
        if not build:
            self.skipTest("the build is not one of a packaged ns-3")
        self.write_command(build)
        self.is_default = build[1] == "3.44"
        self.before = self.programs()
        self.addCleanup(self.remove_programs)

    def write_command(self, build):
        """Writes ./aidc of this very build."""
        werror = f"AIDC_WERROR={1 if build[2] else 0}"
        command = f'{werror} exec "{sys.executable}" "{SOURCE}/aidc" --ns3 {build[1]} "$@"'
        (self.folder / "aidc").write_text(f"#!/bin/sh\n{command}\n")
        (self.folder / "aidc").chmod(0o755)
        (self.folder / "examples").symlink_to(SOURCE / "examples")

    @staticmethod
    def programs():
        """The folders of users' programs."""
        return set((Path(BUILD) / "programs").glob("*"))

    def remove_programs(self):
        """Removes what the commands have built."""
        for folder in self.programs() - self.before:
            shutil.rmtree(folder)

    def follow(self, samples):
        """Types the commands of blocks, as a reader would."""
        for sample in samples:
            for name, text in sample.saved.items():
                (self.folder / name).write_text(text, encoding="utf-8")
            for command, lines in manual.commands(sample):
                printed = self.check(["bash", "-c", command], f"{sample.name}: {command}")
                if lines and self.is_default:
                    printed = re.sub(r"\n\s*\n", "\n", printed)  # commands() has no empty lines
                    self.assertRegex(printed, pattern_of(lines), f"{sample.name}: {command}")

    def runnable(self, path):
        """The blocks of a chapter whose commands are to be run here."""
        found = [s for s in manual.samples(path) if s.language in ("console", "bash")]
        return [s for s in found if not s.reason and not s.in_tree]

    def test_tutorial(self):
        (self.folder / "examples").unlink()
        self.follow(self.runnable(SOURCE / "doc" / "tutorial.rst"))

    def test_other_chapters(self):
        for path in manual.chapters():
            if path.stem != "tutorial":
                self.follow(self.runnable(path))
                for file in self.folder.glob("mine.*"):
                    file.unlink()
