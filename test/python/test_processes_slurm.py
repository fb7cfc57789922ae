# SPDX-License-Identifier: GPL-2.0-only
"""Tests of processes that srun starts, with Slurm's daemons on this machine."""

from __future__ import annotations

import os
import subprocess
import unittest
from unittest import mock

from test_processes import NAME, PROGRAM, WARNINGS, has_mpi
from test_sweep_slurm import Daemons

from aidc.experiments.program import Program

PROCESSES = Program("faults", PROGRAM, [], 2)


@unittest.skipUnless(PROGRAM.exists(), "AIDC_BUILD_DIR names no build with aidc-process-faults")
@unittest.skipUnless(has_mpi(), "there is no mpirun, or aidc was built without MPI")
class ProcessesOfSlurm(unittest.TestCase):
    """Two tasks of a step are two processes."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.daemons = Daemons()
        cls.addClassCleanup(cls.daemons.close)

    def setUp(self) -> None:
        self.has_failed = False

    def run_step(self, *options: str) -> list[str]:
        """The lines of a step, of its errors if it has failed."""
        # As in a job with several machines: it starts processes by srun
        with mock.patch.dict(os.environ, SLURM_JOB_NUM_NODES="2"):
            launcher = PROCESSES._launcher()
        mpi = f"SLURM_MPI_TYPE={PROCESSES.environment()['SLURM_MPI_TYPE']}"
        command = ["env", mpi, *launcher, PROGRAM, "--processes=2", "--only=only@only", *options]
        try:
            return self.daemons.call(*command).splitlines()
        except subprocess.CalledProcessError as error:
            self.has_failed = True
            self.assertNotIn("done", error.stdout)
            return [line for line in error.stderr.splitlines() if line not in WARNINGS]

    def test_results(self) -> None:
        lines = self.run_step()
        self.assertFalse(self.has_failed, lines)
        self.assertEqual(sum(line.startswith("faults: ns-3 ") for line in lines), 1, lines)
        self.assertEqual([line.split() for line in lines if line.startswith("done")],
                         [["done", "=", "1", "1"]], lines)

    def test_error_of_one_process(self) -> None:
        lines = [line for line in self.run_step("--fault=exception") if line.startswith(NAME)]
        self.assertEqual(lines, [f"{NAME}: process 1: no such thing (run 1 of only@only)"])

    def test_killed_process(self) -> None:
        lines = self.run_step("--fault=killed", "--ms=1000000")
        self.assertTrue(any("task 1" in line and "Killed" in line for line in lines), lines)
