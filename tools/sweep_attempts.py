# SPDX-License-Identifier: GPL-2.0-only
"""One run of a sweep, made in a folder of its own that moves to its place when it is whole.

Several attempts at one run may exist, such as the attempts of a worker that is lost and of the
worker which took over, and may even end at the same time: the first that is whole is the run's
result. So no attempt needs to know of another.

Engines make runs on other machines by this module itself: python -m tools.sweep_attempts FILE INDEX,
with a file of tasks and the number of one in it.
"""

from __future__ import annotations

import errno
import json
import math
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from aidc.experiments.program import die_with_parent

from .console import COMMAND, Failure, note, simulation_environment, terminate
from .sweeps import Task, attempts_of, write_whole

LAST_LINES = 3
"""What is shown of the output of a run that has failed."""

UNITS = ("s", "bit/s", "byte", "packet", "1")
"""Units of metrics, as in the summaries of experiments."""

METRIC = re.compile(r"\s*([A-Za-z]\w*)\s*=\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?|[-+]?nan)(?:\s+(\S+))?\s*")
"""A line that a program prints of a metric: its name, value and maybe unit."""

POLL = 0.05
"""Seconds between two looks at a run on another machine."""


def write_tasks(path: Path, tasks: Sequence[Task]) -> None:
    """Writes the file of tasks that main() reads."""
    write_whole(path, json.dumps([asdict(task) for task in tasks]) + "\n")


def read_tasks(path: Path) -> list[Task]:
    return [Task(**fields) for fields in json.loads(path.read_text(encoding="utf-8"))]


class Attempt:
    """A process that makes a run, and its folder."""

    def __init__(self, task: Task, env: Mapping[str, str]) -> None:
        self.task = task
        self.folder = Path(tempfile.mkdtemp(prefix=f"{task.key}.", dir=attempts_of(Path(task.folder))))
        self._results = self.folder / "results"
        self._output = self.folder / "output.txt"
        self.begin = time.monotonic()
        command, current = [*task.command, f"--out={self._results}"], task.current
        if task.summary:
            command, current = task.command, str(self._results)
            self._results.mkdir()
        with self._output.open("w") as output:
            self._process = subprocess.Popen(
                command,
                cwd=current,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for the sweep
                preexec_fn=die_with_parent,
            )

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def take(self) -> None:
        """Moves what it has made to its place; a Failure with what the program said if it has not
        made it."""
        code = self._process.returncode
        summary = self._results / "summary.json"
        if code == 0 and self.task.summary and not summary.exists():
            self._summarize(summary)
        if code != 0 or not summary.exists():
            said = "\n".join(self._printed().splitlines()[-LAST_LINES:])
            said = said or "It gave no reason. Is the disk full?"
            raise Failure(f"The run {self.task.title} failed (exit code {code}):\n{said}")
        output = self._output.rename(self._results / "output.txt")
        for path in (output, summary):  # which may name the place of the attempt
            before = path.read_bytes()
            after = before.replace(os.fsencode(self._results), os.fsencode(self.task.final))
            if after != before:
                path.write_bytes(after)
        try:
            self._results.rename(self.task.final)
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):  # another attempt was the first
                raise

    def end(self) -> None:
        """Ends the process, and removes what has not been taken."""
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _printed(self) -> str:
        return self._output.read_text(encoding="utf-8", errors="replace")

    def _summarize(self, path: Path) -> None:
        """Writes the summary of a user's program that has written none."""
        try:
            metrics = printed_metrics(self._printed())
        except Failure as failure:
            raise Failure(
                f"The run {self.task.title} says nothing that can be read:\n{failure.report()}"
            ) from None
        name = self.task.summary["experiment"]
        summary = {**self.task.summary, "schemes": {f"{name}@{name}": metrics}}
        write_whole(path, json.dumps(summary, indent=1) + "\n")


def printed_metrics(output: str) -> dict[str, dict]:
    """The metrics in what a program prints: lines NAME = VALUE or NAME = VALUE UNIT, the unit being
    one of UNITS or, if there is none, 1. A Failure for other units, names that come twice, and where
    there is no such line."""
    metrics: dict[str, dict] = {}
    for match in filter(None, map(METRIC.fullmatch, output.splitlines())):
        name, text, unit = match[1], match[2], match[3] or "1"
        if unit not in UNITS:
            raise Failure(f'"{match[0].strip()}": expected one of the units {", ".join(UNITS)}.')
        if name in metrics:
            raise Failure(f"{name} is printed twice: a metric has one value in a run.")
        try:
            value = float(text)
        except ValueError:
            raise Failure(f'"{match[0].strip()}": expected a number.') from None
        metrics[name] = {"value": None if math.isnan(value) else value, "unit": unit, "ci95": None}
    if not metrics:
        raise Failure(
            "It has printed no metric, and has written no summary.json into its current folder.",
            "Print a line for each metric, such as: fct_mean = 1.5e-3 s "
            f"(units: {', '.join(UNITS)}; {COMMAND} sweep --help).",
        )
    return metrics


def make(task: Task, env: Mapping[str, str]) -> None:
    """Makes a run, unless it is there; a Failure if it fails, or if the sweep wants it no more and
    has removed the attempt's folder."""
    if task.final.exists():
        return
    attempt = Attempt(task, env)
    try:
        while not attempt.has_ended():
            time.sleep(POLL)
            if not attempt.folder.exists():
                raise Failure(f"The run {task.title} is not wanted any more.")
        attempt.take()
    finally:
        attempt.end()


def command(path: Path, index: object) -> tuple[list[str], dict[str, str]]:
    """What makes a task of a file elsewhere: arguments of Python, and variables of its environment."""
    assert __package__
    root = Path(__file__).resolve().parents[len(__package__.split("."))]
    return ["-B", "-m", __name__, str(path), str(index)], {"PYTHONPATH": str(root)}


def main(arguments: Sequence[str]) -> int:
    """Makes one task of a file; returns 1 and tells why if that fails."""
    die_with_parent()
    signal.signal(signal.SIGTERM, terminate)
    path, index = arguments
    try:
        make(read_tasks(Path(path))[int(index)], simulation_environment())
        return 0
    except Failure as failure:
        note(failure.what)
    except KeyboardInterrupt:
        return 143
    except OSError as error:
        file = f"{error.filename}: " if error.filename else ""
        note(f"On {socket.gethostname()}: {file}{error.strerror or error}")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
