# SPDX-License-Identifier: GPL-2.0-only
"""Where the runs of a sweep are made: on this machine, or by an engine that has many.

An engine is what others have made to run things on many machines. It does what it does for all of
its users: it queues runs, gives them to machines, and runs them again where a machine is lost. What
it is to do here is to run one command a task (sweep_attempts.py), and to tell when it has ended.
"""

from __future__ import annotations

import abc
import contextlib
import os
import shutil
import time
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Optional

from .console import Failure, note
from .sweep_attempts import Attempt
from .sweeps import Program, Sweep, Task, attempts_of

VISIBLE = 60.0
"""Seconds after which files that another machine has written must be seen. NFS looks at a folder
anew after at most 60 (acdirmax)."""

Ended = Generator[tuple[Task, Optional[float]], None, None]
"""Gives runs that are in their places, with the seconds that they took, where these are known."""


class Engine(abc.ABC):
    """What makes runs."""

    at_once = 1
    """How many runs it makes at once, as far as it knows."""

    @abc.abstractmethod
    def run(self, tasks: Sequence[Task], folder: Path) -> Ended:
        """Makes all runs of a sweep's folder, in any order, and gives each when it has ended. A
        Failure at the first that fails. Where this is closed or interrupted, it cancels all others."""

    def when_interrupted(self) -> str:
        """What the user is told in addition about runs that go on after an interrupt."""
        return ""


class Local(Engine):
    """Processes of this machine."""

    def __init__(self, at_once: int, env: Mapping[str, str]) -> None:
        self.at_once = at_once
        self._env = env

    def run(self, tasks: Sequence[Task], folder: Path) -> Ended:
        """Makes all runs, as many at once as it was told."""
        waiting = list(reversed(tasks))
        running: list[Attempt] = []
        with emptied(attempts_of(folder)):
            try:
                while waiting or running:
                    while waiting and len(running) < self.at_once:
                        running.append(Attempt(waiting.pop(), self._env))
                    attempt = next((one for one in running if one.has_ended()), None)
                    if attempt is None:
                        time.sleep(0.02)
                        continue
                    attempt.take()
                    attempt.end()
                    running.remove(attempt)
                    yield attempt.task, time.monotonic() - attempt.begin
            finally:
                for attempt in running:
                    attempt.end()


@contextlib.contextmanager
def emptied(folder: Path) -> Generator[None, None, None]:
    """An empty folder, which is removed at the end."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def are_there(tasks: Sequence[Task]) -> set[str]:
    """The keys of runs that are in their place. A listing asks the server of a network's file system,
    which looking for one name may not."""
    names = set(os.listdir(tasks[0].final.parent)) if tasks else set()
    return {task.key for task in tasks if task.key in names}


def wait_until_there(task: Task, host: str) -> None:
    """Waits for the results that a host says to have written; a Failure if they do not come."""
    end = time.monotonic() + VISIBLE
    while not are_there([task]):
        if time.monotonic() > end:
            raise Failure(
                f"The run {task.title} has ended on {host}, but {task.final} is not here.",
                "The folder of the sweep must be on a file system that all machines share.",
            )
        time.sleep(0.2)


def run_all(sweep: Sweep, program: Program, folder: Path, engine: Engine) -> None:
    """Runs what of a sweep has not been run; a Failure at the first run that fails, with what it
    said."""
    tasks = [program.task(run, sweep, folder.resolve()) for run in sweep.runs()]
    present = are_there(tasks)
    waiting = [task for task in tasks if task.key not in present]
    done = len(present)
    if done:
        note(f"{done} of {len(tasks)} runs are there already")
    if not waiting:
        return
    seconds: list[float] = []
    try:
        with contextlib.closing(engine.run(waiting, folder.resolve())) as all_ended:
            for task, last in all_ended:
                done += 1
                took = ""
                if last is not None:
                    seconds.append(last)
                    took = f": {last:.1f} s"
                left = remaining(seconds, len(tasks) - done, engine.at_once)
                note(f"[{done}/{len(tasks)}] {task.title}{took}{left}")
    except KeyboardInterrupt as interrupt:
        done = len(are_there(tasks))
        text = f"Interrupted; {done} of {len(tasks)} runs are done. Rerun the same command."
        raise type(interrupt)(text + engine.when_interrupted()) from None


def remaining(seconds: Sequence[float], left: int, at_once: int) -> str:
    """How long the rest will take, as the runs so far have."""
    if not left or not seconds:
        return ""
    mean = sum(seconds) / len(seconds)
    return f", about {mean * left / min(at_once, left):.0f} s left"
