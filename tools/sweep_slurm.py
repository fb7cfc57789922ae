# SPDX-License-Identifier: GPL-2.0-only
"""Runs of a sweep as an array job of Slurm."""

from __future__ import annotations

import contextlib
import re
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Optional

from . import sweep_attempts
from .console import Failure, WrongUse, note, tail
from .sweep_engines import Ended, Engine, are_there
from .sweeps import Task, attempts_of

LOOK = 10.0
"""Seconds between two questions to Slurm's controller, which serves many users."""

GLANCE = 1.0
"""Seconds between two looks at the results."""

PATIENCE = 60
"""Seconds that a command of Slurm has."""

OWN_OPTIONS = ("-a", "--array", "-J", "--job-name", "-o", "--output", "-e", "--error", "--wrap")
"""Options of sbatch that a sweep sets."""

ENDING = "CG"
"""The state of a job in the queue that has ended (COMPLETING)."""

ARRAY = 1001
"""The size of arrays where the controller does not tell (MaxArraySize, of which this is the
default)."""


class Slurm(Engine):
    """Array jobs, which go on if this command ends before them.

    A file attempts/ID.json has the tasks of a job with the name aidc-ID. So the same command finds
    the jobs of an earlier one: by the names in Slurm's queue.
    """

    def __init__(self, options: str, most: Optional[int]) -> None:
        """Options are sbatch's, in one text; most is how many runs may be under way."""
        try:
            self._options = shlex.split(options)
        except ValueError as error:
            raise WrongUse(f'--slurm "{options}": {error}') from None
        if not options.lstrip().startswith("-") and self._options:
            raise WrongUse(f'--slurm "{options}": expected options of sbatch')
        for word in self._options:
            name = word.partition("=")[0] if word.startswith("--") else word[:2]
            if name in OWN_OPTIONS:
                raise WrongUse(f"--slurm {word}: the sweep sets it itself.")
        if not shutil.which("sbatch"):
            raise WrongUse(
                "Slurm's command sbatch is not in PATH.",
                "Call this where jobs are submitted, as on a login node. Debian's package is slurm-client.",
            )
        self._most = most
        self._jobs: dict[str, tuple[Task, Path]] = {}
        """What is queued or runs, by its number in Slurm, such as 4711_3; and what it says, and Slurm of
        it."""

    def run(self, tasks: Sequence[Task], folder: Path) -> Ended:
        """Makes all runs; those that an earlier command has submitted are not submitted again."""
        attempts = attempts_of(folder)
        attempts.mkdir(exist_ok=True)
        self._find_earlier(attempts)
        if queued := {task.key for task, _ in self._jobs.values()}:
            note(f"{len(queued)} runs are in Slurm's queue already")
        earlier = self._numbers()
        try:
            self._submit([task for task in tasks if task.key not in queued], attempts)
        except Failure:
            self._cancel(set(self._numbers()) - set(earlier))
            if not earlier:
                shutil.rmtree(attempts, ignore_errors=True)
            raise
        try:
            yield from self._ended(tasks, attempts)
        except Failure:
            self._cancel(self._numbers())
            shutil.rmtree(attempts, ignore_errors=True)
            raise
        shutil.rmtree(attempts, ignore_errors=True)

    def when_interrupted(self) -> str:
        """The jobs that go on."""
        numbers = " ".join(self._numbers())
        return f"\nSlurm makes the others meanwhile; scancel {numbers} ends that." if numbers else ""

    def _cancel(self, numbers: Collection[str]) -> None:
        with contextlib.suppress(Failure):
            if numbers:
                self._call("scancel", *numbers)

    def _numbers(self) -> list[str]:
        """The numbers of all array jobs."""
        return sorted({number.partition("_")[0] for number in self._jobs})

    def _find_earlier(self, attempts: Path) -> None:
        """Finds what is queued of earlier commands."""
        for file in attempts.glob("*.json"):
            queued = [number for number, state in self._queue([file]).items() if state != ENDING]
            tasks = sweep_attempts.read_tasks(file)
            for number in queued:
                index = int(number.partition("_")[2])
                self._jobs[number] = (tasks[index], log_of(file, index))
            if not queued:
                file.unlink()

    def _submit(self, tasks: Sequence[Task], attempts: Path) -> None:
        """Submits tasks as array jobs of the size that the controller allows."""
        if not tasks:
            return
        shown = self._call("scontrol", "show", "config")
        size = re.search(r"^MaxArraySize\s*=\s*(\d+)", shown, re.M)
        most = int(size[1]) if size else ARRAY
        parts = [tasks[first : first + most] for first in range(0, len(tasks), most)]
        array = ""
        for part in parts:
            file = attempts / f"{uuid.uuid4().hex[:12]}.json"
            sweep_attempts.write_tasks(file, part)
            limit = f"%{self._most}" if self._most else ""
            # A limit is an array's, so that one array waits for another.
            after = [f"--dependency=afterany:{array}"] if limit and array else []
            arguments, variables = sweep_attempts.command(file, "INDEX")
            words = ["env", *(f"{name}={value}" for name, value in variables.items())]
            script = shlex.join([*words, sys.executable, *arguments])
            number = self._call(
                "sbatch",
                *self._options,
                *after,
                "--parsable",
                f"--job-name={job_name(file)}",
                f"--array=0-{len(part) - 1}{limit}",
                f"--output={log_of(file, '%a')}",
                f"--wrap={script[: -len('INDEX')]}$SLURM_ARRAY_TASK_ID",
            )
            array = number.strip().partition(";")[0]
            for index, task in enumerate(part):
                self._jobs[f"{array}_{index}"] = (task, log_of(file, index))

    def _ended(self, tasks: Sequence[Task], attempts: Path) -> Ended:
        """Gives each run when it has ended; a Failure for one that has left the queue without results."""
        waited = {task.key: task for task in tasks}
        looked = time.monotonic()
        while waited:
            queued = None
            if time.monotonic() - looked > LOOK:
                with contextlib.suppress(Failure):  # as while the controller starts anew
                    queued = self._queue(list(attempts.glob("*.json")))
                looked = time.monotonic()
            # In this order: what has left the queue with results is there
            there = are_there(list(waited.values()))
            self._jobs = {n: job for n, job in self._jobs.items() if job[0].key not in there}
            for key in there:
                yield waited.pop(key), None
            if queued is not None:
                for number, job in self._jobs.items():
                    if number not in queued:
                        raise Failure(self._why(number, *job))
            if waited:
                time.sleep(GLANCE)

    def _why(self, number: str, task: Task, log: Path) -> str:
        """What is known of a run that has ended without results."""
        by = ""
        with contextlib.suppress(Failure):
            shown = self._call("scontrol", "--oneliner", "show", "job", number)
            state = re.search(r"JobState=(\w+)", shown)
            by = f" ({state[1]})" if state else ""
        said = tail(log) if log.exists() else []
        return "\n".join([f"Slurm's job {number}, the run {task.title}, has failed{by}:", *said])

    def _queue(self, files: Sequence[Path]) -> dict[str, str]:
        """The states of the tasks of files that are queued or run, by numbers such as 4711_3."""
        names = ",".join(job_name(file) for file in files)
        shown = self._call("squeue", "--noheader", "--array", f"--name={names}", "--format=%F_%K %t")
        return dict(map(str.split, shown.splitlines()))

    def _call(self, *words: str) -> str:
        """What a command of Slurm prints; a Failure with what it says if it fails."""
        try:
            done = subprocess.run(
                words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
            )
        except subprocess.TimeoutExpired:
            raise Failure(f"Slurm has not answered {words[0]} in {PATIENCE} s.") from None
        if done.returncode:
            said = done.stderr.strip() or f"exit code {done.returncode}"
            raise Failure(f"Slurm's command {words[0]} has failed:\n{said}")
        return done.stdout


def job_name(file: Path) -> str:
    """The name in Slurm's queue of the tasks of a file."""
    return f"aidc-{file.stem}"


def log_of(file: Path, index: object) -> Path:
    """The output of a task of a file."""
    return file.with_name(f"{file.stem}-{index}.log")
