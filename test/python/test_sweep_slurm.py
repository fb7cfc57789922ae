# SPDX-License-Identifier: GPL-2.0-only
"""Tests of ./aidc sweep --on slurm, with Slurm's daemons on this machine: their configuration, key,
sockets and state are in a temporary folder."""

from __future__ import annotations

import getpass
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from test_sweep_dask import SOON, EngineTest
from test_sweeps import OWN, PROGRAM

from tools import sweep_slurm, sweeps
from tools.console import Failure

PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
"""Where daemons are, too."""

COUNTED = PROGRAM.replace('partial = options["out"]', """\
with open("COUNTER", "a") as file:
    print(options["alpha"], options["seed"], file=file)
partial = options["out"]""")
"""The program of a test, which tells each of its ends in a file."""

CONFIGURATION = """\
ClusterName=aidc
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
KillWait=1
MaxArraySize=5
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    """Ports of the loopback address that nobody has."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Daemons:
    """Slurm's controller and one node with two processors, and munge, by which they know each other."""

    NAMES = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel")

    def __init__(self):
        if missing := [name for name in self.NAMES if not shutil.which(name, path=PATH)]:
            raise unittest.SkipTest(f"there is no {missing[0]} (Debian: slurm-wlm)")
        self._temporary = tempfile.TemporaryDirectory()
        self._folder = Path(self._temporary.name)
        self._folder.chmod(0o755)
        self.configuration = self._folder / "slurm.conf"
        self._env = {**os.environ, "SLURM_CONF": str(self.configuration)}
        for name in ("state", "spool"):
            (self._folder / name).mkdir()
        key = self._folder / "munge.key"
        key.write_bytes(secrets.token_bytes(1024))
        key.chmod(0o400)
        self.configuration.write_text(CONFIGURATION.format(
            folder=self._folder, user=getpass.getuser(), ports=free_ports(2),
            host=socket.gethostname().partition(".")[0],
        ))
        files = [
            f"--{option}={self._folder}/{name}" for option, name in (
                ("key-file", "munge.key"), ("socket", "munge.socket"), ("pid-file", "munge.pid"),
                ("log-file", "munge.log"), ("seed-file", "munge.seed"))
        ]
        self._processes = []
        try:
            self._start("munged", "--foreground", "--force", *files)
            self._start("slurmctld", "-D")
            self.controller = self._processes[-1]
            self._start("slurmd", "-D")
            end = time.monotonic() + SOON
            while "idle" not in self.call("sinfo", "--noheader", "--format=%T", check=False):
                if time.monotonic() > end:
                    raise unittest.SkipTest("Slurm's daemons do not start here: " + self._last_log())
                time.sleep(0.2)
        except BaseException:
            self.close()
            raise

    def call(self, *words, check=True):
        """What a command of Slurm prints."""
        return subprocess.run(
            words, env=self._env, capture_output=True, text=True, check=check, timeout=SOON
        ).stdout

    def start_controller(self):
        """Starts the controller, after it was ended."""
        self._start("slurmctld", "-D")

    def close(self):
        """Ends all processes."""
        for process in reversed(self._processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._temporary.cleanup()

    def _start(self, name, *words):
        with (self._folder / f"{name}.out").open("a") as output:
            self._processes.append(subprocess.Popen(
                [shutil.which(name, path=PATH), *words], env=self._env, stdin=subprocess.DEVNULL,
                stdout=output, stderr=output, start_new_session=True,
            ))

    def _last_log(self):
        lines = [
            line for path in self._folder.glob("*.out") for line in path.read_text().splitlines()
            if "error" in line or "fatal" in line
        ]
        return " ".join(lines[-1:])


class Jobs(EngineTest):
    """Sweeps as array jobs."""

    @classmethod
    def setUpClass(cls):
        cls.daemons = Daemons()
        cls.addClassCleanup(cls.daemons.close)
        patches = mock.patch.dict(os.environ, {"SLURM_CONF": str(cls.daemons.configuration)})
        cls.addClassCleanup(patches.stop)
        patches.start()

    def setUp(self):
        super().setUp()
        patch = mock.patch.object(sweep_slurm, "LOOK", 0.5)
        patch.start()
        self.addCleanup(patch.stop)
        self.counter = self.folder / "counter"
        self.program.write_text(COUNTED.replace("COUNTER", str(self.counter)))
        self.addCleanup(lambda: self.wait_until(lambda: not self.queue()))
        self.addCleanup(self.daemons.call, "scancel", f"--user={getpass.getuser()}")

    def queue(self):
        """The numbers of what is in the queue."""
        return self.daemons.call("squeue", "--noheader", "--array", "--format=%F_%K").split()

    def assert_made_once(self, count):
        """Asserts that each run was made, and made once."""
        lines = self.counter.read_text().splitlines()
        self.assertEqual(len(lines), count)
        self.assertEqual(len(set(lines)), count)

    def assert_nothing_left(self):
        super().assert_nothing_left()
        self.wait_until(lambda: not self.queue())

    def test_the_same_files_as_on_this_machine(self):
        # Seven runs are two jobs here, with at most five each (MaxArraySize).
        sweep = sweeps.Sweep("x", {"alpha": ["1", "2", "3", "4", "5", "6", "7"]}, 1, [])
        told = self.run_on(sweep_slurm.Slurm("--partition=main --time=5", None), sweep)
        self.assertEqual(re.findall(r"^\[(\d)/7\] ", told, re.M), list("1234567"))
        self.assert_nothing_left()
        self.assert_made_once(7)
        self.assert_same_as_local(sweep)

    def test_a_program_of_a_user(self):
        self.program.write_text(OWN)
        sweep = sweeps.Sweep("mine", {"nFlows": ["1", "2"]}, 1, [])
        self.run_on(sweep_slurm.Slurm("", None), sweep)
        self.assert_same_as_local(sweep)

    def test_runs_at_once(self):
        # In two jobs (MaxArraySize)
        self.assert_one_at_a_time(sweep_slurm.Slurm("", 1))

    def test_a_run_that_fails(self):
        process = self.command("--on=slurm", "--vary=alpha=bad,1,2", "--load=60")
        said = self.assert_said(
            process, 1, r"aidc: Slurm's job \d+_0, the run alpha=bad seed=1, has failed \(FAILED\):")
        self.assertIn("expected --alpha to be a number", said)
        self.assert_nothing_left()

    def test_a_job_that_somebody_cancels(self):
        process = self.command("--on=slurm", "--vary=alpha=1,2,3", "--load=60")
        self.begun()
        self.daemons.call("scancel", self.queue()[0])
        self.assert_said(process, 1, r"has failed \(CANCELLED\)")
        self.assert_nothing_left()

    def test_options(self):
        sweep = sweeps.Sweep("x", {"alpha": ["1"]}, 1, [])
        with self.assertRaisesRegex(Failure, "Slurm's command sbatch has failed:(.|\n)*partition"):
            self.run_on(sweep_slurm.Slurm("--partition=nowhere", None), sweep)
        self.assertFalse((self.out / "attempts").exists())

    def test_options_that_slurm_refuses_later(self):
        process = self.command("--on=slurm", "--vary=alpha=1,2,3", "--load=2")
        self.begun()
        process.kill()
        process.wait()
        queued = self.queue()
        self.daemons.call("scancel", queued[-1])
        process = self.command(
            "--on=slurm", "--slurm=--partition=nowhere", "--vary=alpha=1,2,3", "--load=2")
        self.assert_said(process, 1, "aidc: Slurm's command sbatch has failed:")
        self.assertTrue(self.queue())  # what had been submitted before goes on
        process = self.command("--on=slurm", "--vary=alpha=1,2,3", "--load=2")
        self.assert_said(process, 0, r"\[3/3\]")
        self.assert_made_once(3)

    def test_the_command_ends_and_the_jobs_go_on(self):
        vary = ("--on=slurm", "--vary=alpha=1,2,3,4", "--load=1.5", "--jobs=2")
        process = self.command(*vary)
        self.begun()
        process.kill()
        process.wait()
        process = self.command(*vary)
        while "in Slurm's queue already" not in process.stderr.readline():
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        said = self.assert_said(process, 130, r"Interrupted; \d of 4 runs are done")
        jobs = {job.partition("_")[0] for job in self.queue()}
        self.assertEqual(len(jobs), 1)
        self.assertIn(f"Slurm makes the others meanwhile; scancel {jobs.pop()} ends that.", said)
        self.wait_until(lambda: any(self.out.glob("runs/*")))
        said = self.assert_said(self.command(*vary), 0, r"\[4/4\]")
        self.assertRegex(said, r"\d of 4 runs are there already\n\d runs are in Slurm's queue already")
        self.assert_nothing_left()
        self.assert_made_once(4)
        self.assert_same_as_local(
            sweeps.Sweep("x", {"alpha": ["1", "2", "3", "4"]}, 1, ["--load=1.5"]))

    def test_runs_that_are_lost_are_submitted_again(self):
        vary = ("--on=slurm", "--vary=alpha=1,2,3", "--load=1")
        process = self.command(*vary)
        self.begun()
        process.kill()
        process.wait()
        self.daemons.call("scancel", self.queue()[0].partition("_")[0])
        self.assert_said(self.command(*vary), 0, r"\[3/3\]")
        self.assert_nothing_left()
        self.assert_made_once(3)

    def test_a_run_that_slurm_makes_again(self):
        # As it does where a node fails. The run is ended in time on a busy machine, too.
        process = self.command("--on=slurm", "--vary=alpha=1", "--load=6")
        self.begun()
        self.daemons.call("scontrol", "requeue", self.queue()[0])
        begin = time.monotonic()
        held = lambda: "BeginTime" in self.daemons.call("squeue", "--noheader", "--format=%r")
        self.wait_until(lambda: held() or time.monotonic() > begin + 10)
        self.daemons.call("scontrol", "update", f"JobId={self.queue()[0]}", "StartTime=now")
        said = self.assert_said(process, 0, r"\[1/1\] alpha=1 seed=1")
        self.assertEqual(said.count("alpha=1 seed=1"), 1)
        self.assert_nothing_left()
        self.assert_made_once(1)

    def test_another_sweep_in_the_folder(self):
        process = self.command("--on=slurm", "--vary=alpha=1,2,3", "--load=2")
        self.begun()
        process.kill()
        process.wait()
        # Before the first run of it is there
        self.assert_said(self.command("--on=slurm", "--vary=alpha=1,2,3", "--load=0"), 0, r"\[3/3\]")
        for path in self.out.glob("runs/*/summary.json"):
            self.assertIn("--load=0", path.read_text())
        self.assert_nothing_left()

    def test_the_controller_restarts(self):
        process = self.command("--on=slurm", "--vary=alpha=1,2,3", "--load=2")
        self.begun()
        self.daemons.controller.terminate()
        self.daemons.controller.wait()
        time.sleep(2)
        self.daemons.start_controller()
        self.assert_said(process, 0, r"\[3/3\]")
        self.assert_nothing_left()


class WithoutSlurm(unittest.TestCase):
    """What needs no daemons."""

    def test_options_that_are_refused(self):
        for options, error in (
            ("main", '--slurm "main": expected options of sbatch'),
            ("--time=1 --array=1-3", "--slurm --array=1-3: the sweep sets it itself"),
            ("-Jmine", "--slurm -Jmine: the sweep sets it itself"),
            ("--comment='a", "No closing quotation"),
        ):
            with self.assertRaisesRegex(Failure, error):
                sweep_slurm.Slurm(options, None)

    def test_no_slurm(self):
        with mock.patch.dict(os.environ, {"PATH": "/nowhere"}):
            with self.assertRaisesRegex(Failure, "command sbatch is not in PATH"):
                sweep_slurm.Slurm("", None)
