# SPDX-License-Identifier: GPL-2.0-only
"""All combinations of some options of a program, with several seeds, over all processors.

A sweep has a folder: `runs/KEY/` has the results of a run, and appears there at once when the run is
whole; `sweep.json` says which sweep it is. What is there is not run again, so that the same command
goes on after any end. `attempts/` has what runs write until they are whole (sweep_attempts.py), on
this machine or another (sweep_engines.py). Tables are made of all runs (sweep_tables.py).

An experiment has the options --seed, --runs and --out, and writes a folder with summary.json itself.
Any other program is run in the folder of its run, with its seed by --seed or by ns-3's --RngRun. Where
it has not written summary.json there, its metrics are what it prints.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from . import known_options
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

    command: str = field(default="", compare=False)
    """The command that makes the sweep."""

    def runs(self) -> Iterator[Run]:
        """All runs; the runs of a seed follow each other, the last option varies first."""
        for seed in range(1, self.seeds + 1):
            for values in itertools.product(*self.vary.values()):
                yield Run(dict(zip(self.vary, values)), seed)

    def names(self) -> list[str]:
        """The names of the options that are given, with one value or several."""
        return [*self.vary, *known_options.given(self.arguments)]

    def text(self) -> str:
        """The sweep as sweep.json has it."""
        optional = ("source", "command")
        fields = {key: value for key, value in asdict(self).items() if value or key not in optional}
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
        return "_".join(urllib.parse.quote(word, safe=",=+") for word in self._words())

    def _words(self) -> list[str]:
        return [*(f"{name}={value}" for name, value in self.values.items()), f"seed={self.seed}"]


def attempts_of(folder: Path) -> Path:
    return folder / "attempts"


@dataclass(frozen=True)
class Task:
    """A run, with all that a machine needs to make it."""

    folder: str
    """The folder of the sweep, an absolute path."""

    key: str
    """The name of the run's folder."""

    title: str
    """The run for people."""

    command: list[str]
    """The program and its options, but for an experiment's --out."""

    current: str
    """The current folder of an experiment."""

    summary: dict[str, Any]
    """What summary.json has of a user's program beside the metrics; empty for an experiment."""

    @property
    def final(self) -> Path:
        """Where the results belong."""
        return Path(self.folder, "runs", self.key)


@dataclass(frozen=True)
class Program:
    """What a sweep runs."""

    path: Path
    options: Mapping[str, str]
    """What it prints of --help: its options, and what it says of them."""

    interpreter: tuple[str, ...] = ()
    """Words in front of the path."""

    name: str = ""
    """How the user named it: an experiment, or a file."""

    @property
    def is_experiment(self) -> bool:
        """Does it write a folder of results itself?"""
        return {"seed", "runs", "out"} <= self.options.keys()

    def words(self, run: Run, arguments: Sequence[str]) -> list[str]:
        options = [f"--{name}={value}" for name, value in run.values.items()]
        own = [f"--seed={run.seed}" if "seed" in self.options else f"--RngRun={run.seed}"]
        if self.is_experiment:
            own.append("--runs=1")
            # The sweep itself keeps all processors busy. With several processes, an experiment refuses --jobs.
            if "jobs" in self.options and not has_processes([*arguments, *options]):
                own.append("--jobs=1")
        return [*arguments, *options, *own]

    def task(self, run: Run, sweep: Sweep, folder: Path) -> Task:
        """What an engine needs of a run of a sweep."""
        words = self.words(run, sweep.arguments)
        summary = {
            "experiment": sweep.experiment,
            "seed": run.seed,
            "runs": 1,
            "command": shlex.join([COMMAND, "run", self.name, *words]),
            "parameters": run.values,
        }
        command = [*self.interpreter, str(self.path), *words]
        own = {} if self.is_experiment else summary
        return Task(str(folder), run.key, str(run), command, os.getcwd(), own)


def has_processes(options: Sequence[str]) -> bool:
    """Do options of an experiment ask for several processes?"""
    return re.search(r"(^|\0)--?processes[=\0](?!1(\0|$))", "\0".join(options)) is not None


def parse_vary(texts: Sequence[str]) -> dict[str, list[str]]:
    """The options to vary, from texts NAME=VALUE,VALUE...; a Failure names what is wrong."""
    vary: dict[str, list[str]] = {}
    for text in texts:
        name, equals, rest = text.partition("=")
        name = name.strip().lstrip("-")
        values = [value.strip() for value in rest.split(",")]
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


def check_names(sweep: Sweep) -> None:
    """A WrongUse for an option that the sweep sets."""
    for name in sweep.names():
        if name in OWN_OPTIONS:
            raise WrongUse(f"--{name}: the sweep sets it itself.")


def checked_program(
    path: Path,
    sweep: Sweep,
    env: Mapping[str, str],
    interpreter: Sequence[str] = (),
    name: str = "",
) -> Program:
    """The program of a sweep; a Failure for an option that it does not have."""
    name = name or sweep.experiment
    shown = subprocess.run([*interpreter, path, "--help"], env=env, capture_output=True, text=True)
    said = known_options.options_in(shown.stdout + shown.stderr)
    program = Program(path, said, tuple(interpreter), name)
    if not program.options:
        raise WrongUse(
            f"{name} --help names no options.",
            "A program gets them by ns-3's CommandLine: Parse(argc, argv) in main(); a script, by "
            "argparse.",
        )
    check_names(sweep)
    for option in sweep.names():
        if option not in program.options and "::" not in option:  # which is an attribute's
            raise known_options.unknown_option(name, option, program.options)
    if interpreter and sweep.seeds > 1 and not {"seed", "RngRun"} & program.options.keys():
        raise WrongUse(f"{name} has no option for the seeds: expected --seed or --RngRun.")
    return program


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
        try:
            is_other = path.exists() and Sweep(**json.loads(path.read_text(encoding="utf-8"))) != sweep
        except (ValueError, TypeError):
            is_other = True
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
        # The error of a write names no file
        raise OSError(error.errno, error.strerror, str(path)) from None
    except KeyboardInterrupt:
        temporary.unlink(missing_ok=True)
        raise
