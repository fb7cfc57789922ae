# SPDX-License-Identifier: GPL-2.0-only
"""All combinations of some options of a program, with several seeds, over all processors.

A sweep has a folder: `runs/KEY/` has the results of a run, and appears there at once when the run is
whole; `sweep.json` says which sweep it is. What is there is not run again, so that the same command
goes on after any end. `attempts/` has what runs write until they are whole (sweep_attempts.py), on
this machine or another (sweep_engines.py). Tables are made of all runs (sweep_tables.py).

A program with the options --seed and --out is an experiment, which writes a folder with summary.json
itself. Any other program is run in the folder of its run, with ns-3's --RngRun as its seed. Where it
has not written summary.json there, its metrics are what it prints.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .console import COMMAND, Failure, WrongUse

OWN_OPTIONS = ("seed", "runs", "jobs", "out", "help", "RngRun")
"""Options that a sweep sets."""


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

    def command(self, run: Run, arguments: Sequence[str]) -> list[str]:
        """The command line of a run, but for the option --out of an experiment."""
        options = [f"--{name}={value}" for name, value in run.values.items()]
        own = [f"--RngRun={run.seed}"]
        if self.is_experiment:
            own = [f"--seed={run.seed}", "--runs=1"]
            if "jobs" in self.options:
                own.append("--jobs=1")  # the sweep itself keeps all processors busy
        return [str(self.path), *arguments, *options, *own]


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


def attempts_of(folder: Path) -> Path:
    """The folder of attempts of a sweep."""
    return folder / "attempts"


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
        if is_other and any((folder / "runs").iterdir()):
            raise WrongUse(
                f"{folder} has another sweep, or one of another program: {path} says which.",
                "Choose another folder with --out, or delete that one.",
            )
        if is_other:
            # Another machine may still be making runs of the other one.
            shutil.rmtree(attempts_of(folder), ignore_errors=True)
        write_whole(path, sweep.text())
        yield


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
