# SPDX-License-Identifier: GPL-2.0-only
"""All combinations of some options of an experiment, with several seeds, over all processors.

A sweep has a folder: `runs/KEY/` has the results of a run, as its experiment has written them, and
appears there at once when the run is whole; `sweep.json` says which sweep it is. What is there is
not run again, so that the same command goes on after any end. Tables are made of all of that
(sweep_tables.py).
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.console import Failure, note

LAST_LINES = 3
"""What is shown of the output of a run that has failed."""

OWN_OPTIONS = ("seed", "runs", "out", "help")
"""Options of experiments that a sweep sets."""


@dataclass(frozen=True)
class Sweep:
    """What is to be run: an experiment, values of options, seeds, and options of all runs."""

    experiment: str
    vary: dict[str, list[str]]
    seeds: int
    arguments: list[str]

    def runs(self) -> Iterator[Run]:
        """All runs; those of a seed follow each other, the last option varies first."""
        for seed in range(1, self.seeds + 1):
            for values in itertools.product(*self.vary.values()):
                yield Run(dict(zip(self.vary, values)), seed)

    def text(self) -> str:
        """The sweep as sweep.json has it."""
        return json.dumps(self.__dict__, indent=2) + "\n"


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

    def command(self, program: Path, arguments: Sequence[str], out: Path) -> list[str]:
        """The command line that runs it."""
        options = [f"--{name}={value}" for name, value in self.values.items()]
        return [str(program), *arguments, *options, f"--seed={self.seed}", "--runs=1",
                f"--out={out}"]


def parse_vary(texts: Sequence[str]) -> dict[str, list[str]]:
    """The options to vary, from texts NAME=VALUE,VALUE...; a Failure names what is wrong."""
    vary: dict[str, list[str]] = {}
    for text in texts:
        name, equals, rest = text.partition("=")
        name = name.lstrip("-")
        values = rest.split(",")
        if not equals or not re.fullmatch(r"[a-z][a-z0-9-]*", name) or not all(values):
            raise Failure(f'--vary "{text}": expected NAME=VALUE,VALUE... as in alpha=1,4,8')
        if name in OWN_OPTIONS:
            raise Failure(f"--vary {name}: the sweep sets it itself; --seeds N says how many seeds")
        if name in vary:
            raise Failure(f"--vary {name} is given twice")
        if len(set(values)) < len(values):
            raise Failure(f"--vary {name}: a value is given twice")
        vary[name] = values
    return vary


def check_options(program: Path, sweep: Sweep, env: Mapping[str, str]) -> None:
    """A Failure for an option that the experiment does not have."""
    shown = subprocess.run([program, "--help"], env=env, capture_output=True, text=True)
    known = set(re.findall(r"^\s+--([a-z][a-z0-9-]*)", shown.stdout + shown.stderr, re.M))
    given = [argument.lstrip("-").partition("=")[0] for argument in sweep.arguments]
    for name in [*sweep.vary, *given]:
        if name in OWN_OPTIONS:
            raise Failure(f"--{name}: the sweep sets it itself.")
        if name not in known:
            raise Failure(
                f"{sweep.experiment} has no option --{name}.",
                f"./aidc run {sweep.experiment} --help names them.",
            )


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
            raise Failure(
                f"{folder} has another sweep: {path} says which.",
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

    def __init__(self, sweep: Sweep, program: Path, folder: Path, env: Mapping[str, str]) -> None:
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

    def _remove(self, run: Run) -> None:
        """Removes what a run has left that is not whole."""
        shutil.rmtree(self._folder / f"{run.key}.partial", ignore_errors=True)
        self._output(run).unlink(missing_ok=True)

    def _output(self, run: Run) -> Path:
        """What a run prints, until it is whole."""
        return self._folder / f"{run.key}.txt.partial"

    def _start(self, run: Run) -> None:
        # The experiment itself writes beside its folder, and moves it into place at once.
        with self._output(run).open("w") as output:
            process = subprocess.Popen(
                run.command(self._program, self._sweep.arguments, self._final(run)),
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
            if code != 0 or not (self._final(run) / "summary.json").exists():
                said = "\n".join(output.read_text(errors="replace").splitlines()[-LAST_LINES:])
                self._remove(run)
                said = said or "It gave no reason. Is the disk full?"
                raise Failure(f"The run {run} failed (exit code {code}):\n{said}")
            output.rename(self._final(run) / "output.txt")
            self._seconds.append(time.monotonic() - begin)
            return run
        return None

    def _remaining(self, left: int, at_once: int) -> str:
        """How long the rest will take, as the runs so far have."""
        if not left:
            return ""
        mean = sum(self._seconds) / len(self._seconds)
        return f", about {mean * left / min(at_once, left):.0f} s left"
