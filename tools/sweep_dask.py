# SPDX-License-Identifier: GPL-2.0-only
"""Runs of a sweep on the workers of a Dask scheduler."""

from __future__ import annotations

import contextlib
import itertools
import logging
import sys
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Callable, Optional

from . import sweep_attempts
from .console import Failure, WrongUse, note
from .sweep_engines import Ended, Engine, emptied, wait_until_there
from .sweeps import Task, attempts_of

PATIENCE = 5
"""Seconds that a scheduler has to answer."""

RETRIES = 3
"""How often Dask runs a command again that a signal has ended, as of a machine that goes down. Where a
worker itself dies, Dask's own setting counts (distributed.scheduler.allowed-failures, by default 3)."""


class Dask(Engine):
    """The workers of a scheduler; each thread of a worker makes one run at a time."""

    def __init__(self, address: str, most: Optional[int]) -> None:
        self._address = address
        self._most = most
        """How many runs may be under way; None for as many as there are threads."""
        try:
            import distributed
        except ImportError:
            raise WrongUse(
                f"Dask's client, the package distributed, is missing in {sys.executable}.",
                "Install the version that your scheduler has, for example by\n"
                f"  {sys.executable} -m pip install distributed",
            ) from None
        self._distributed: Any = distributed

    def run(self, tasks: Sequence[Task], folder: Path) -> Ended:
        """Makes all runs, in the order of the scheduler."""
        with self._client() as client, emptied(attempts_of(folder)):
            file = attempts_of(folder) / "tasks.json"
            sweep_attempts.write_tasks(file, tasks)
            name = f"aidc-{uuid.uuid4().hex}"
            run_one = on_worker()
            waiting = iter(range(len(tasks)))
            under_way: dict[Any, Task] = {}

            def submit(index: int) -> Any:
                arguments, variables = sweep_attempts.command(file, index)
                future = client.submit(
                    run_one, str(file), arguments, variables,
                    key=f"{name}-{index}", pure=False, retries=RETRIES,
                )
                under_way[future] = tasks[index]
                return future

            first = map(submit, itertools.islice(waiting, self._most))
            completed = self._distributed.as_completed(first)
            try:
                for future in completed:
                    task = under_way.pop(future)
                    host, seconds, why = self._result(future, task)
                    if why:
                        raise Failure(why)
                    wait_until_there(task, host)
                    completed.update(map(submit, itertools.islice(waiting, 1)))
                    threads = sum(client.nthreads().values())
                    self.at_once = max(1, min(threads, self._most or threads))
                    yield task, seconds
            finally:
                # Who runs them sees that the folder has gone.
                with contextlib.suppress(Exception):
                    client.cancel(list(under_way), force=True)

    def _result(self, future: Any, task: Task) -> tuple[str, float, str]:
        """What on_worker() has returned."""
        if future.status in ("cancelled", "lost"):
            raise Failure(
                f"Dask's scheduler at {self._address} is gone.", "Rerun the same command."
            )
        try:
            return future.result()
        except Exception as error:  # KilledWorker, or what on_worker() raises
            raise Failure(f"Dask has given up the run {task.title}: {error}") from None

    @contextlib.contextmanager
    def _client(self) -> Iterator[Any]:
        """A connection to the scheduler."""
        # What it says of connections that are lost, until this process ends, is told in one line
        # here. A level for "distributed" would not do: its parts have levels of their own.
        logging.disable()
        try:
            client = self._distributed.Client(self._address, timeout=PATIENCE)
        except (OSError, ValueError) as error:
            raise WrongUse(
                f"No scheduler of Dask answers at {self._address}: {error}",
                "dask scheduler starts one, and prints its address.",
            ) from None
        with client:
            if not client.nthreads():
                note(f"The scheduler has no workers yet: dask worker {self._address} starts one.")
            yield client


def on_worker() -> Callable[[str, list[str], dict[str, str]], tuple[str, float, str]]:
    """What a worker is to run. A function within a function is sent itself, not by its name, so that
    workers need not have this module."""

    def run_one(file: str, arguments: list[str], variables: dict[str, str]) -> tuple[str, float, str]:
        """Runs one command, and returns the worker's host, the seconds it took, and why it failed."""
        import os
        import socket
        import subprocess
        import sys
        import time

        host, begin = socket.gethostname(), time.monotonic()
        if not os.path.exists(file):
            return host, 0.0, f"{host} has no {file}: all machines must share this folder."
        process = subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )
        seconds = time.monotonic() - begin
        if process.returncode < 0 or process.returncode > 128:
            raise RuntimeError(f"on {host}, signal {abs(process.returncode)} has ended it")
        why = process.stderr.strip() or f"exit code {process.returncode}"
        return host, seconds, why if process.returncode else ""

    return run_one
