# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the processes of an experiment's runs (--jobs): how they end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path

import experiments_command

PROGRAM = experiments_command.program("coupled-ecn")

SOON = 60.0
"""Seconds that anything may take on a machine that is busy."""


def children(parent: int) -> list[int]:
    """The processes that a process has started and that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            # Behind the name, in parentheses, are the state and the parent
            state, of, *_ = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        if int(of) == parent and state != "Z":
            found.append(int(path.parent.name))
    return found


def wait_until(is_so: Callable[[], bool]) -> bool:
    """Waits until something is so, and tells whether it is."""
    end = time.monotonic() + SOON
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


@unittest.skipUnless(PROGRAM.exists(), "AIDC_BUILD_DIR names no build with aidc-coupled-ecn")
@unittest.skipUnless(Path("/proc/self/stat").exists(), "needs the /proc of Linux")
class Jobs(unittest.TestCase):
    """Long runs, three at once."""

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.out = Path(temporary.name, "out")
        self.process = subprocess.Popen(
            experiments_command.command(
                "coupled-ecn", "--scenarios=mix", "--runs=100", "--jobs=3", f"--out={self.out}"
            ),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(self.process.stderr.close)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        # The first line of the progress: runs are under way
        self.assertRegex(self.process.stderr.readline(), r"^\[0/300 done\] static-low@mix run 1")
        self.runs = children(self.process.pid)
        self.assertEqual(len(self.runs), 3)

    def assert_runs_end(self) -> None:
        """Asserts that no process of a run is left."""
        left = lambda: [pid for pid in self.runs if Path(f"/proc/{pid}").exists()]
        self.assertTrue(wait_until(lambda: not left()), left())

    def test_a_run_that_is_killed_ends_the_experiment(self) -> None:
        os.kill(self.runs[-1], signal.SIGKILL)
        self.assertEqual(self.process.wait(SOON), 1)
        lines = [line for line in self.process.stderr.read().splitlines() if line[0] != "["]
        self.assertRegex(
            lines[0],
            # First runs of all schemes begin first, so that their costs are known
            r"^aidc-coupled-ecn: run 1 of \S+@mix was ended by signal 9 \(Killed\); "
            "if memory was too small, a smaller --jobs needs less$",
        )
        self.assert_runs_end()
        self.assertFalse(self.out.exists())

    def test_runs_end_with_the_experiment(self) -> None:
        for number, status in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(signal=number):
                if number == signal.SIGKILL:
                    self.setUp()
                self.process.send_signal(number)
                self.assertEqual(self.process.wait(SOON), status)
                self.assert_runs_end()
                self.assertFalse(self.out.exists())

    def test_an_interrupt_of_all_processes_is_told_once(self) -> None:
        for pid in (*self.runs, self.process.pid):  # as a terminal does, in the worst order
            os.kill(pid, signal.SIGINT)
        self.assertEqual(self.process.wait(SOON), 130)
        said = self.process.stderr.read()
        self.assertEqual(len(re.findall("interrupted", said)), 1, said)
        self.assert_runs_end()
