# SPDX-License-Identifier: GPL-2.0-only
"""All combinations of some options of a program, with several seeds, over all processors.

A sweep has a folder: `runs/KEY/` has the results of a run, and appears there at once when the run is
whole; `sweep.json` says which sweep it is. What is there is not run again, so that the same command
goes on after any end. Tables are made of all of that (sweep_tables.py).

A program with the options --seed and --out is an experiment, which writes a folder with summary.json
itself. Any other program is run in the folder of its run, with ns-3's --RngRun as its seed. Where it
has not written summary.json there, its metrics are what it prints (printed_metrics()).
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import itertools
import json
import math
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .console import COMMAND, Failure, WrongUse, note

LAST_LINES = 3
"""What is shown of the output of a run that has failed."""

OWN_OPTIONS = ("seed", "runs", "jobs", "out", "help", "RngRun")
"""Options that a sweep sets."""

UNITS = ("s", "bit/s", "byte", "packet", "1")
"""Units of metrics, as in the summaries of experiments."""

METRIC = re.compile(r"\s*([A-Za-z]\w*)\s*=\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?|[-+]?nan)(?:\s+(\S+))?\s*")
"""A line that a program prints of a metric: its name, value and maybe unit."""


@dataclass(frozen=True)
class Sweep:
    """What is to be run: an experiment or a program, by its name; values of options, seeds, and
    options of all runs."""

    experiment: str
    vary: dict[str, list[str]]
    seeds: int
    arguments: list[str]
    source: str = ""
    """What tells a user's program from what it was before it was changed."""

    def runs(self) -> Iterator[Run]:
        """All runs; those of a seed follow each other, the last option varies first."""
        for seed in range(1, self.seeds + 1):
            for values in itertools.product(*self.vary.values()):
                yield Run(dict(zip(self.vary, values)), seed)

    def text(self) -> str:
        """The sweep as sweep.json has it."""
        fields = {name: value for name, value in self.__dict__.items() if name != "source" or value}
        return json.dumps(fields, indent=2) + "\n"


@dataclass(frozen=True)
class Run:
    """One combination of values, with one seed."""

    values: dict[str, str]
    seed: int

    def __str__(self) -> str:
        return " ".join(self._words())

    @property
    def key(self) -> str:
        """Its folder's name, with every character that a file system may dislike written as %XX."""
        escape = lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode())
        words = (re.sub(r"[^A-Za-z0-9_.,=+-]", escape, word) for word in self._words())
        return "_".join(words)

    def _words(self) -> list[str]:
        return [*(f"{name}={value}" for name, value in self.values.items()), f"seed={self.seed}"]


@dataclass(frozen=True)
class Program:
    """What a sweep runs."""

    path: Path
    options: frozenset[str]
    """The options that it has."""

    @property
    def is_experiment(self) -> bool:
        """Does it write a folder of results itself?"""
        return {"seed", "out"} <= self.options

    def command(self, run: Run, arguments: Sequence[str], out: Path) -> list[str]:
        """The command line of a run."""
        options = [f"--{name}={value}" for name, value in run.values.items()]
        own = [f"--RngRun={run.seed}"]
        if self.is_experiment:
            own = [f"--seed={run.seed}", "--runs=1", f"--out={out}"]
            if "jobs" in self.options:
                own.append("--jobs=1")  # the sweep itself keeps all processors busy
        return [str(self.path), *arguments, *options, *own]


def printed_metrics(output: str) -> dict[str, dict]:
    """The metrics in what a program prints: lines NAME = VALUE or NAME = VALUE UNIT, the unit being
    one of UNITS or, if there is none, 1. A Failure for other units, names that come twice, and where
    there is no such line."""
    metrics: dict[str, dict] = {}
    for line in output.splitlines():
        match = METRIC.fullmatch(line)
        if not match:
            continue
        name, text, unit = match[1], match[2], match[3] or "1"
        if unit not in UNITS:
            raise Failure(f'"{line.strip()}": expected one of the units {", ".join(UNITS)}.')
        if name in metrics:
            raise Failure(f"{name} is printed twice: a metric has one value in a run.")
        try:
            value = float(text)
        except ValueError:
            raise Failure(f'"{line.strip()}": expected a number.') from None
        metrics[name] = {"value": None if math.isnan(value) else value, "unit": unit, "ci95": None}
    if not metrics:
        raise Failure(
            "It has printed no metric, and has written no summary.json into its current folder.",
            "Print a line for each metric, such as: fct_mean = 1.5e-3 s "
            f"(units: {', '.join(UNITS)}; {COMMAND} sweep --help).",
        )
    return metrics


def parse_vary(texts: Sequence[str]) -> dict[str, list[str]]:
    """The options to vary, from texts NAME=VALUE,VALUE...; a Failure names what is wrong."""
    vary: dict[str, list[str]] = {}
    for text in texts:
        name, equals, rest = text.partition("=")
        name = name.lstrip("-")
        values = rest.split(",")
        if not equals or not re.fullmatch(r"[A-Za-z][\w:-]*", name) or not all(values):
            raise WrongUse(f'--vary "{text}": expected NAME=VALUE,VALUE... as in alpha=1,4,8')
        if name in OWN_OPTIONS:
            raise WrongUse(f"--vary {name}: the sweep sets it itself; --seeds N says how many seeds")
        if name in vary:
            raise WrongUse(f"--vary {name} is given twice")
        if len(set(values)) < len(values):
            raise WrongUse(f"--vary {name}: a value is given twice")
        vary[name] = values
    return vary


def checked_program(path: Path, sweep: Sweep, env: Mapping[str, str]) -> Program:
    """The program of a sweep; a Failure for an option that it does not have."""
    shown = subprocess.run([path, "--help"], env=env, capture_output=True, text=True)
    known = set(re.findall(r"^\s+--([A-Za-z][\w-]*)", shown.stdout + shown.stderr, re.M))
    if not known:
        raise WrongUse(
            f"{sweep.experiment} --help names no options.",
            "A program gets them by ns-3's CommandLine: Parse(argc, argv) in main().",
        )
    given = [argument.lstrip("-").partition("=")[0] for argument in sweep.arguments]
    for name in [*sweep.vary, *given]:
        if name in OWN_OPTIONS:
            raise WrongUse(f"--{name}: the sweep sets it itself.")
        if name not in known and "::" not in name:  # which is an attribute's
            raise WrongUse(
                f"{sweep.experiment} has no option --{name}.",
                f"{COMMAND} run {sweep.experiment} --help names them.",
            )
    return Program(path, frozenset(known))


@contextlib.contextmanager
def opened(sweep: Sweep, folder: Path) -> Iterator[None]:
    """Makes or takes up the folder of a sweep, for this process alone."""
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(f"Another sweep is writing to {folder}.") from None
        path = folder / "sweep.json"
        is_other = path.exists() and path.read_text(encoding="utf-8") != sweep.text()
        if is_other and any(whole_runs(folder)):
            raise WrongUse(
                f"{folder} has another sweep, or one of another program: {path} says which.",
                "Choose another folder with --out, or delete that one.",
            )
        write_whole(path, sweep.text())
        for partial in (folder / "runs").glob("*.partial"):
            shutil.rmtree(partial) if partial.is_dir() else partial.unlink()
        yield


def whole_runs(folder: Path) -> Iterator[Path]:
    """The folders of the runs of a sweep that are whole."""
    return (path for path in (folder / "runs").iterdir() if path.suffix != ".partial")


def write_whole(path: Path, text: str) -> None:
    """Writes a file that is there as a whole or not at all."""
    temporary = path.with_name(path.name + ".partial")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        # That of a write names no file
        raise OSError(error.errno, error.strerror, str(path)) from None


def die_with_parent() -> None:
    """Has the kernel end this process with its parent, where it can (Linux)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


class Runner:
    """Runs what of a sweep has not been run, several runs at once."""

    def __init__(
        self, sweep: Sweep, program: Program, folder: Path, env: Mapping[str, str]
    ) -> None:
        self._sweep = sweep
        self._program = program
        self._folder = folder / "runs"
        self._env = env
        self._running: dict[subprocess.Popen, tuple[Run, float]] = {}
        self._seconds: list[float] = []

    def run_all(self, at_once: int) -> None:
        """Runs all; a Failure at the first run that fails, with what it said."""
        runs = list(self._sweep.runs())
        waiting = [run for run in runs if not self._final(run).exists()]
        done = len(runs) - len(waiting)
        if done:
            note(f"{done} of {len(runs)} runs are there already")
        try:
            while waiting or self._running:
                while waiting and len(self._running) < at_once:
                    self._start(waiting.pop(0))
                run = self._take_ended()
                if run:
                    done += 1
                    left = len(waiting) + len(self._running)
                    note(f"[{done}/{len(runs)}] {run}: {self._seconds[-1]:.1f} s"
                         + self._remaining(left, at_once))
                else:
                    time.sleep(0.02)
        except KeyboardInterrupt as interrupt:
            text = f"Interrupted; {done} of {len(runs)} runs are done. The same command goes on."
            raise type(interrupt)(text) from None
        finally:
            for process in self._running:
                process.kill()
            for process, (run, _) in self._running.items():
                process.wait()
                self._remove(run)

    def _final(self, run: Run) -> Path:
        return self._folder / run.key

    def _partial(self, run: Run) -> Path:
        """The folder of a run that is under way: a program's own, or the one an experiment makes."""
        return self._folder / f"{run.key}.partial"

    def _remove(self, run: Run) -> None:
        """Removes what a run has left that is not whole."""
        shutil.rmtree(self._partial(run), ignore_errors=True)
        self._output(run).unlink(missing_ok=True)

    def _output(self, run: Run) -> Path:
        """What a run prints, until it is whole."""
        return self._folder / f"{run.key}.txt.partial"

    def _start(self, run: Run) -> None:
        # An experiment itself writes beside its folder, and moves it into place at once.
        folder = None
        if not self._program.is_experiment:
            folder = self._partial(run)
            folder.mkdir()
        with self._output(run).open("w") as output:
            process = subprocess.Popen(
                self._program.command(run, self._sweep.arguments, self._final(run)),
                cwd=folder,
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for the sweep
                preexec_fn=die_with_parent,
            )
        self._running[process] = (run, time.monotonic())

    def _take_ended(self) -> Run | None:
        """A run that has ended; its results are in their place then."""
        for process, (run, begin) in self._running.items():
            code = process.poll()
            if code is None:
                continue
            del self._running[process]
            output = self._output(run)
            if code == 0 and not self._program.is_experiment:
                self._take_printed(run)
            if code != 0 or not (self._final(run) / "summary.json").exists():
                said = "\n".join(output.read_text(errors="replace").splitlines()[-LAST_LINES:])
                self._remove(run)
                said = said or "It gave no reason. Is the disk full?"
                raise Failure(f"The run {run} failed (exit code {code}):\n{said}")
            output.rename(self._final(run) / "output.txt")
            self._seconds.append(time.monotonic() - begin)
            return run
        return None

    def _take_printed(self, run: Run) -> None:
        """Moves the folder of a program that is no experiment into its place, with a summary."""
        name = self._sweep.experiment
        path = self._partial(run) / "summary.json"
        try:
            if not path.exists():
                metrics = printed_metrics(self._output(run).read_text(errors="replace"))
                summary = {
                    "experiment": name,
                    "seed": run.seed,
                    "runs": 1,
                    "command": f"{name} {run}",
                    "parameters": run.values,
                    "schemes": {f"{name}@{name}": metrics},
                }
                write_whole(path, json.dumps(summary, indent=1) + "\n")
        except Failure as failure:
            self._remove(run)
            raise Failure(f"The run {run} says nothing that can be read:\n{failure.report()}")
        self._partial(run).rename(self._final(run))

    def _remaining(self, left: int, at_once: int) -> str:
        """How long the rest will take, as the runs so far have."""
        if not left:
            return ""
        mean = sum(self._seconds) / len(self._seconds)
        return f", about {mean * left / min(at_once, left):.0f} s left"
