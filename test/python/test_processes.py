# SPDX-License-Identifier: GPL-2.0-only
"""Tests of experiments with several processes (--processes), which mpirun starts: how they end."""

from __future__ import annotations

from folder_test import FolderTest
import os
import random
import re
import shutil
import signal
import subprocess
import time
import unittest
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Optional

import experiments_command

PROGRAM = experiments_command.program("process-faults")
FOLDER = experiments_command.SOURCE / "test" / "helper" / "experiment" / "faults"
NAME = "aidc-faults"
LAUNCHER = shutil.which("mpirun") or shutil.which("mpiexec")
SOON = 60.0
"""Seconds that anything may take on a machine that is busy."""

WARNINGS = ["aidc: warning: all processes say so", "aidc: warning: process 1 says so"]

MARK = "AIDC_TEST_MARK"
NUMBER = re.compile(rb"(?:^|\0)(?:OMPI_COMM_WORLD_RANK|PMI_RANK)=(\d+)\0")


def has_mpi() -> bool:
    """Was the program built with MPI?"""
    if not PROGRAM.exists() or not LAUNCHER:
        return False
    # An error that comes after the error of a build without MPI
    said = subprocess.run([PROGRAM, "--processes=1000"], capture_output=True, text=True).stderr
    return "built without MPI" not in said


@unittest.skipUnless(PROGRAM.exists(), "AIDC_BUILD_DIR names no build with aidc-process-faults")
@unittest.skipUnless(LAUNCHER, "there is no mpirun")
@unittest.skipUnless(has_mpi(), "aidc was built without MPI")
@unittest.skipUnless(Path("/proc/self/environ").exists(), "needs the /proc of Linux")
class Processes(FolderTest):
    """Two or three processes of a program, one of which ends as it is told."""

    def setUp(self) -> None:
        super().setUp()
        self.out = self.folder / "out"
        self.mark = uuid.uuid4().hex
        self.env = {
            **{key: value for key, value in os.environ.items() if key[:5] not in ("OMPI_", "PMIX_")},
            MARK: self.mark,
            "TMPDIR": str(self.folder),
        }
        self.addCleanup(self.end_all)

    def processes(self) -> dict[int, Optional[int]]:
        """By pid, the number of each process of the simulation that is there, and None of the other
        processes that this test has started."""
        found = {}
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                environment = path.read_bytes()
                state = (path.parent / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue  # it has ended meanwhile, or is not ours
            if f"{MARK}={self.mark}".encode() in environment and state != "Z":
                number = NUMBER.search(environment)
                found[int(path.parent.name)] = int(number[1]) if number else None
        return found

    def end_all(self) -> None:
        """Ends what a failed test has left."""
        for pid in self.processes():
            os.kill(pid, signal.SIGKILL)

    def start(self, *options: str, n: int = 2) -> subprocess.Popen[str]:
        """Starts the experiment."""
        process = subprocess.Popen(
            experiments_command.command(
                PROGRAM, f"--processes={n}", f"--out={self.out}", *options, folder=FOLDER
            ),
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        return process

    def end(self, process: subprocess.Popen[str]) -> tuple[int, list[str]]:
        """Waits until it ends; returns its status and what it says but for the progress. Nothing of it is
        left, neither a process nor a file beside the results."""
        said = process.communicate(timeout=SOON)[1]
        self.assertEqual(self.processes(), {})
        self.assertLessEqual({path.name for path in self.folder.iterdir()}, {"out"})
        lines = [line for line in said.splitlines() if line and not line.startswith("[")]
        return process.returncode, lines

    def assert_fails(self, line: str, *options: str, n: int = 2) -> None:
        """It ends with one line, in seconds, and without results."""
        begin = time.monotonic()
        status, lines = self.end(self.start(*options, n=n))
        self.assertEqual([text for text in lines if text not in WARNINGS], [line])
        self.assertEqual(status, 1)
        self.assertFalse(self.out.exists())
        self.assertFalse(self.out.with_name("out.partial").exists())
        self.assertLess(time.monotonic() - begin, SOON)

    def wait_for(self, n: int) -> dict[int, int]:
        """Waits until there are n processes of the simulation; returns their pids by number."""
        end = time.monotonic() + SOON
        while time.monotonic() < end:
            pids = {number: pid for pid, number in self.processes().items() if number is not None}
            if len(pids) == n:
                return pids
            time.sleep(0.01)
        self.fail("they have not started")

    def test_results_and_warnings(self) -> None:
        status, lines = self.end(self.start(n=3))
        self.assertEqual((status, lines), (0, WARNINGS))
        self.assertTrue((self.out / "summary.json").exists())

    def test_errors_of_one_process(self) -> None:
        run = " (run 1 of only@only)"
        self.assert_fails(f"{NAME}: process 1: no such thing{run}", "--fault=exception")
        self.assert_fails(f"{NAME}: process 0: no such thing{run}", "--fault=exception", "--at=0")
        self.assert_fails(f"{NAME}: process 2: cannot read a file{run}", "--fault=early", "--at=2", n=3)
        self.assert_fails(f"{NAME}: process 1: out of memory{run}", "--fault=memory")

    def test_fatal_error(self) -> None:
        status, lines = self.end(self.start("--fault=fatal"))
        self.assertEqual((status, lines[:-1]), (1, WARNINGS[:1]), lines)
        self.assertRegex(
            lines[-1],
            rf'^{NAME}: process 1: msg="it is fatal".*process-faults\.cc, line=\d+ \(run 1 of only@only\)$',
        )
        self.assertFalse(self.out.exists())

    def test_error_of_all_processes(self) -> None:
        self.assert_fails(f"{NAME}: all processes meet it (run 1 of only@only)", "--fault=all")

    def test_signals(self) -> None:
        self.assert_fails(f"{NAME}: process 1 was ended by signal 6 (Aborted)", "--fault=abort")
        self.assert_fails(
            f"{NAME}: process 0 was ended by signal 11 (Segmentation fault)", "--fault=segfault", "--at=0"
        )
        self.assert_fails(
            f"{NAME}: process 1 was killed; systems do so when memory is too small", "--fault=killed"
        )

    def test_bad_options_start_nothing(self) -> None:
        for options, error in (
            (["--simulator=other"], "expected --simulator to be"),
            (["--no-such-option"], "there is no option --no-such-option"),
        ):
            status, lines = self.end(self.start(*options))
            self.assertEqual((status, len(lines)), (1, 1), lines)
            self.assertIn(error, lines[0])

    def test_no_launcher(self) -> None:
        self.env["PATH"] = ""
        status, lines = self.end(self.start())
        self.assertEqual((status, len(lines)), (1, 1), lines)
        self.assertIn("--processes=2: found no mpirun", lines[0])
        self.assertIn("--processes=1", lines[0])

    def test_kill_at_random_moments(self) -> None:
        chance = random.Random(1)
        for _ in range(20):
            process = self.start("--ms=1000000")
            number, pid = chance.choice(sorted(self.wait_for(2).items()))
            time.sleep(chance.random() * 2)
            os.kill(pid, signal.SIGKILL)
            begin = time.monotonic()
            status, lines = self.end(process)
            self.assertLess(time.monotonic() - begin, 20)
            told = [line for line in lines if line not in WARNINGS]
            killed = f"{NAME}: process {number} was killed; systems do so when memory is too small"
            self.assertEqual((status, told), (1, [killed]))
            self.assertEqual([path.name for path in self.folder.glob("out*")], [])

    def interrupt(self, number: int) -> tuple[int, list[str]]:
        """Ends a long run by a signal."""
        process = self.start("--ms=1000000")
        self.wait_for(2)
        time.sleep(0.5)
        process.send_signal(number)
        return self.end(process)

    def test_signals_that_end_it(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            status, lines = self.interrupt(number)
            told = [line for line in lines if line not in WARNINGS]
            self.assertEqual(told, [f"{NAME}: interrupted; {self.out} is as it was before"])
            self.assertEqual(status, 128 + number)
            self.assertFalse(self.out.exists())

    def test_killed_starter(self) -> None:
        process = self.start("--ms=1000000")
        self.wait_for(2)
        process.kill()
        process.communicate(timeout=SOON)
        self.assertTrue(self.wait_until(lambda: not self.processes()))

    def wait_until(self, is_so: Callable[[], bool]) -> bool:
        """Waits until something is so, and tells whether it is."""
        end = time.monotonic() + SOON
        while not is_so():
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def test_under_mpirun(self) -> None:
        """A run that mpirun has started; its error comes once."""
        env = {
            **self.env,
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
        }

        def run(*options: str) -> subprocess.CompletedProcess[str]:
            command = [LAUNCHER, "-n", "2", PROGRAM, "--only=only@only", "--json", *options]
            return subprocess.run(command, env=env, capture_output=True, text=True, timeout=SOON)

        for options, error in (
            (["--processes=2", "--fault=exception"], "process 1: no such thing (run 1 of only@only)"),
            (["--processes=2", "--fault=all"], "all processes meet it (run 1 of only@only)"),
            (["--processes=3"], "--processes=3: expected to be started as that many processes (mpirun -np 3), found 2"),
            (["--processes=2", "--simulator=other"], "expected --simulator to be windows or default, found \"other\""),
        ):
            ended = run(*options)
            own = [line for line in ended.stderr.splitlines() if line.startswith(NAME)]
            self.assertEqual(own, [f"{NAME}: {error}"], ended.stderr)
            self.assertNotEqual(ended.returncode, 0)
            self.assertNotIn("metrics", ended.stdout)
        ended = run("--processes=2")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        told = [line for line in ended.stderr.splitlines() if line.startswith("aidc: ")]
        self.assertEqual(told, WARNINGS)
        self.assertEqual(ended.stdout.count('{"metrics": [["done", 1, "1"], '), 1, ended.stdout)
