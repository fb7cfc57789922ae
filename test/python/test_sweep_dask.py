# SPDX-License-Identifier: GPL-2.0-only
"""Tests of ./aidc sweep --on tcp://HOST:PORT, with a scheduler and workers of Dask in processes of their
own."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import redirect_stderr
from pathlib import Path
from unittest import mock

from test_sweeps import OWN, SOURCE, SweepTest

from tools import sweep_dask, sweep_engines, sweep_tables, sweeps
from tools.console import Failure

HAS_DASK = importlib.util.find_spec("distributed") is not None

SOON = 60.0
"""Seconds that anything may take on a machine that is busy."""

# ./aidc sweep, with the test's program as the program of the experiment
COMMAND = """\
import sys
from pathlib import Path
source, program, *arguments = sys.argv[1:]
sys.path.insert(0, source)
from tools import commands, sweep_slurm
from tools.checkout import Checkout
from tools.place import Program
sweep_slurm.LOOK = 0.5
place = Checkout(Path(source))
place.program = lambda *_: Program("x", Path(program))
commands.reports.tell = lambda *_: None
commands.sweep_figures.draw = lambda *_: None
sys.exit(commands.main(place, ["sweep", "x", *arguments]))
"""


class EngineTest(SweepTest):
    """What tests of engines have in common."""

    def command(self, *arguments, **options):
        """Starts ./aidc sweep, into the folder out."""
        words = [sys.executable, "-B", "-c", COMMAND, SOURCE, self.program, f"--out={self.out}"]
        process = subprocess.Popen(
            [*words, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            **options,
        )
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def assert_said(self, process, status, pattern):
        """Asserts how a command ends, and returns what it has told."""
        said = process.stderr.read()
        self.assertEqual(process.wait(SOON), status, said)
        self.assertRegex(said, pattern)
        return said

    def begun(self):
        """Waits until a run is under way, and returns when it is."""
        self.wait_until(lambda: any(self.out.glob("attempts/*/output.txt")))

    def wait_until(self, is_so):
        """Waits until something is so; fails if that takes too long."""
        end = time.monotonic() + SOON
        while not is_so():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def programs(self):
        """The processes of the program of the test."""
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if os.fsencode(self.program) in path.read_bytes().split(b"\0")[:2]:
                    found.append(int(path.parent.name))
            except OSError:
                continue  # it has ended meanwhile
        return found

    def assert_nothing_left(self):
        """Asserts that no run goes on, and nothing is left that is not whole."""
        self.wait_until(lambda: not self.programs())
        self.assertFalse((self.out / "attempts").exists())
        for folder in (self.out / "runs").iterdir():
            self.assertTrue((folder / "summary.json").exists(), folder)

    def assert_same_as_local(self, sweep):
        """Asserts that all files of runs, and the tables, are as in a sweep on this machine."""
        local = self.folder / "local"
        self.run_sweep(sweep, local)
        def files(folder):
            paths = [*folder.rglob("runs/**/*.*"), *folder.glob("*.csv")]
            return {
                path.relative_to(folder): path.read_bytes().replace(bytes(folder), b"")
                for path in paths if path.is_file()
            }
        self.assertEqual(files(self.out), files(local))
        self.assertGreater(len(files(local)), 2)

    def assert_one_at_a_time(self, engine):
        """Asserts that no two runs are made at once."""
        self.program.write_text(
            self.program.read_text().replace("partial =", "print(begin, time.time())\npartial =")
            .replace("time.sleep", "begin = time.time()\ntime.sleep")
        )
        self.run_on(engine, sweeps.Sweep("x", {"alpha": ["1"]}, 6, ["--load=0.1"]))
        times = sorted(
            [float(word) for word in path.read_text().split()]
            for path in self.out.glob("runs/*/output.txt")
        )
        self.assertEqual(len(times), 6)
        for (_, end), (begin, _) in zip(times, times[1:]):
            self.assertLess(end, begin)

    def run_on(self, engine, sweep):
        """Runs a sweep on an engine in this process, and returns what it has told."""
        told = io.StringIO()
        with redirect_stderr(told), sweeps.opened(sweep, self.out):
            program = sweeps.checked_program(self.program, sweep, os.environ)
            sweep_engines.run_all(sweep, program, self.out, engine)
            sweep_tables.write_tables(sweep, self.out)
        return told.getvalue()


class Cluster:
    """A scheduler on the loopback address, and workers of one thread, each a process."""

    def __init__(self, workers):
        self._temporary = tempfile.TemporaryDirectory()
        folder = Path(self._temporary.name)
        self._log = (folder / "log").open("w")
        self._env = {**os.environ, "DASK_TEMPORARY_DIRECTORY": str(folder)}
        file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--port=0", f"--scheduler-file={file}")
        end = time.monotonic() + SOON
        while not file.exists() or not file.read_text().endswith("}"):
            if time.monotonic() > end:
                raise AssertionError("The scheduler has not started: " + (folder / "log").read_text())
            time.sleep(0.05)
        self.address = json.loads(file.read_text())["address"]
        self.workers = []
        for _ in range(workers):
            self.add_worker()

    def add_worker(self):
        """Starts one more worker."""
        words = ("--no-nanny", "--nthreads=1", "--death-timeout=30")
        self.workers.append(self._start("worker", self.address, *words))

    def kill_worker(self, which):
        """Kills a worker as a machine that loses its power, and starts another one."""
        worker = self.workers.pop(which)
        worker.kill()
        worker.wait()
        self.add_worker()

    def close(self):
        """Ends all processes."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()
        self._log.close()
        self._temporary.cleanup()

    def _start(self, what, *words):
        command = [sys.executable, "-m", "dask", what, *words, "--host=127.0.0.1", "--no-dashboard"]
        return subprocess.Popen(
            command, env=self._env, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log,
            start_new_session=True,
        )


@unittest.skipUnless(HAS_DASK, "Python has no package distributed")
class Workers(EngineTest):
    """Sweeps on two workers."""

    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster(2)

    @classmethod
    def tearDownClass(cls):
        cls.cluster.close()

    @property
    def on(self):
        """The option that names the scheduler."""
        return f"--on={self.cluster.address}"

    def test_the_same_files_as_on_this_machine(self):
        sweep = sweeps.Sweep("x", {"alpha": ["1", "2"], "load": ["0", "0.01"]}, 2, [])
        told = self.run_on(sweep_dask.Dask(self.cluster.address, None), sweep)
        self.assertEqual(re.findall(r"^\[(\d)/8\] ", told, re.M), list("12345678"))
        self.assertRegex(told, r"about \d+ s left")
        self.assert_nothing_left()
        self.assert_same_as_local(sweep)

    def test_a_program_of_a_user(self):
        self.program.write_text(OWN)
        sweep = sweeps.Sweep("mine", {"nFlows": ["1", "2"]}, 2, [])
        self.run_on(sweep_dask.Dask(self.cluster.address, None), sweep)
        self.assert_same_as_local(sweep)
        bad = sweeps.Sweep("mine", {"says": ["twice"]}, 1, [])
        self.out = self.folder / "bad"
        with self.assertRaisesRegex(Failure, "says nothing that can be read(.|\n)*printed twice"):
            self.run_on(sweep_dask.Dask(self.cluster.address, None), bad)

    def test_a_run_that_fails(self):
        vary = ("--vary=alpha=bad,1,2,3", "--load=30")
        process = self.command(self.on, *vary)
        said = self.assert_said(process, 1, "aidc: The run alpha=bad seed=1 failed")
        self.assertIn("expected --alpha to be a number", said)
        self.assert_nothing_left()

    def test_runs_at_once(self):
        self.assert_one_at_a_time(sweep_dask.Dask(self.cluster.address, 1))

    def test_workers_killed_at_random_moments(self):
        source = random.Random(int(os.environ.get("AIDC_TEST_SEED", 1)))
        sweep = sweeps.Sweep("x", {"alpha": ["1", "2", "3", "4"]}, 10, ["--load=0.7"])
        begun = self.folder / "begun"
        counts = f"print(file=open({str(begun)!r}, 'a'))\ntime.sleep"
        self.program.write_text(self.program.read_text().replace("time.sleep", counts))
        process = self.command(self.on, "--vary=alpha=1,2,3,4", "--seeds=10", "--load=0.7")
        self.begun()
        for _ in range(10):
            time.sleep(source.uniform(0, 1.5))
            self.assertIsNone(process.poll(), "it has ended before the last worker was killed")
            self.cluster.kill_worker(source.randrange(2))
        said = self.assert_said(process, 0, r"\[40/40\]")
        told = re.findall(r"^\[\d+/40\] (\S+ \S+):", said, re.M)
        self.assertEqual(sorted(told), sorted(str(run) for run in sweep.runs()))
        self.assertGreater(len(begun.read_text()), 40)  # some were begun again
        self.assert_nothing_left()
        self.assert_same_as_local(sweep)

    def test_interrupt(self):
        vary = ("--vary=alpha=1,2,3,4,5", "--load=2")
        process = self.command(self.on, *vary)
        self.wait_until(lambda: any(self.out.glob("runs/*")))
        self.begun()
        process.send_signal(signal.SIGINT)
        said = self.assert_said(process, 130, r"Interrupted; \d of 5 runs are done. Rerun the same command")
        told = int(re.search(r"(\d) of 5", said)[1])
        self.assert_nothing_left()
        done = len(list(self.out.glob("runs/*")))
        self.assertIn(done, (told, told + 1))  # one may have ended just then
        self.assertLess(done, 5)
        self.assert_said(self.command(self.on, *vary), 0, f"{done} of 5 runs are there already")
        self.assertEqual(len(self.rows()), 10)

    def test_the_command_is_killed(self):
        vary = ("--vary=alpha=1,2,3", "--load=3")
        process = self.command(self.on, *vary)
        self.begun()
        process.kill()
        process.wait()
        self.assert_said(self.command(self.on, *vary), 0, r"\[3/3\]")
        self.assert_nothing_left()
        self.assert_same_as_local(sweeps.Sweep("x", {"alpha": ["1", "2", "3"]}, 1, ["--load=3"]))


@unittest.skipUnless(HAS_DASK, "Python has no package distributed")
class Schedulers(EngineTest):
    """Schedulers that are not there, or not any more."""

    def test_it_dies(self):
        cluster = Cluster(1)
        self.addCleanup(cluster.close)
        process = self.command(f"--on={cluster.address}", "--vary=alpha=1,2,3", "--load=20")
        self.begun()
        cluster.scheduler.kill()
        begin = time.monotonic()
        # Nothing but these lines: none of what Dask's client logs. The worker may be late.
        self.assert_said(
            process,
            1,
            r"\A(The scheduler has no workers yet: .*\n)?aidc: Dask's scheduler at tcp://127.0.0.1:\d+ is gone.\nRerun the same command.\n\Z",
        )
        self.assertLess(time.monotonic() - begin, 30)
        self.assert_nothing_left()

    def test_a_run_that_workers_die_of(self):
        cluster = Cluster(1)
        self.addCleanup(cluster.close)
        process = self.command(f"--on={cluster.address}", "--vary=alpha=1", "--load=60")
        self.begun()
        for _ in range(4):
            self.wait_until(self.programs)
            cluster.kill_worker(0)
            self.wait_until(lambda: not self.programs())
        self.assert_said(
            process, 1, "aidc: Dask has given up the run alpha=1 seed=1: .* on 4 different workers")
        self.assert_nothing_left()

    def test_it_has_no_workers_yet(self):
        cluster = Cluster(0)
        self.addCleanup(cluster.close)
        process = self.command(f"--on={cluster.address}", "--vary=alpha=1,2")
        self.assertIn("no workers yet: dask worker tcp://", process.stderr.readline())
        cluster.add_worker()
        self.assert_said(process, 0, r"\[2/2\]")

    def test_nobody_is_there(self):
        begin = time.monotonic()
        process = self.command("--on=tcp://127.0.0.1:1", "--vary=alpha=1,2")
        self.assert_said(process, 2, "aidc: No scheduler of Dask answers at tcp://127.0.0.1:1: ")
        self.assertLess(time.monotonic() - begin, 30)


class WithoutDask(EngineTest):
    """What needs no scheduler."""

    def test_unknown_engines(self):
        for options, error in (
            (["--on=pbs"], '--on "pbs": expected slurm, or the address of a Dask scheduler'),
            (["--on=tcp://host"], '--on "tcp://host": expected slurm, or the address'),
            (["--slurm=--time=1"], "--slurm has options of sbatch, for --on slurm"),
        ):
            self.assert_said(self.command(*options), 2, error)
        self.assertFalse(self.out.exists())

    def test_the_package_is_missing(self):
        with mock.patch.dict(sys.modules, {"distributed": None}):
            with self.assertRaisesRegex(Failure, "package distributed, is missing") as caught:
                sweep_dask.Dask("tcp://127.0.0.1:1", None)
        self.assertIn(f"{sys.executable} -m pip install distributed", caught.exception.mend)

    def test_file_systems_that_are_not_shared(self):
        nowhere = self.folder / "nowhere" / "attempts" / "tasks.json"
        host, _, why = sweep_dask.on_worker()(str(nowhere), [], {})
        self.assertEqual(why, f"{host} has no {nowhere}: all machines must share this folder.")
        task = sweep_engines.Task(str(self.folder), "alpha=1_seed=1", "alpha=1 seed=1", [], "/", {})
        (self.folder / "runs").mkdir()
        with mock.patch.object(sweep_engines, "VISIBLE", 0.1):
            with self.assertRaisesRegex(Failure, "has ended on there, but .*/runs/.* is not here"):
                sweep_engines.wait_until_there(task, "there")
