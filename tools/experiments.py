# SPDX-License-Identifier: GPL-2.0-only
"""The experiments of examples/, as ./aidc list shows and ./aidc run runs them."""

from __future__ import annotations

import re
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from aidc.experiments.program import die_with_parent, ending_signals

from .console import COMMAND, Failure, Terminated, WrongUse, similar

DEFAULT = "two-sites"

GRACE = 1.0
"""Seconds in which a program ends after Ctrl-C, which a terminal sends to it, too."""


@dataclass(frozen=True)
class Experiment:
    """A folder of examples/: its program NAME.cc and, where there is one, a script NAME.py that runs
    the program and reads its results."""

    folder: Path
    summary: str

    @property
    def twin(self) -> Optional[Path]:
        """The script, where there is one."""
        path = self.folder / f"{self.name}.py"
        return path if path.exists() else None

    @property
    def name(self) -> str:
        """Its name, in kebab-case."""
        return self.folder.name

    @property
    def program(self) -> str:
        """The name of its CMake target and of its program."""
        return f"aidc-{self.name}"


def experiments(source: Path) -> list[Experiment]:
    """All experiments: examples/NAME/NAME.cc with a line "@experiment WHAT IT DOES"."""
    texts = {path.parent: path.read_text(encoding="utf-8")
             for path in sorted((source / "examples").glob("*/*.cc")) if path.stem == path.parent.name}
    return [Experiment(folder, match[1].strip()) for folder, text in texts.items()
            if (match := re.search(r"@experiment\s+(.+)", text))]


def find(source: Path, name: str) -> Experiment:
    """The experiment of a name, with or without the ".py" of its Python twin."""
    known = {experiment.name: experiment for experiment in experiments(source)}
    stem = name[:-3] if name.endswith(".py") else name
    if stem not in known:
        raise WrongUse(
            f'There is no experiment "{name}"{similar(stem, known)}.',
            f"There are: {', '.join(known) or 'none'}.",
        )
    if name != stem and not known[stem].twin:
        raise Failure(f"The experiment {stem} has no Python twin.")
    return known[stem]


def script(source: Path, name: str) -> Path:
    """The Python script of a name: a file, or the twin of an experiment."""
    path = Path(name)
    if path.is_file():
        return path
    if path.parent != Path(".") or path.stem not in [e.name for e in experiments(source)]:
        raise Failure(
            f"There is no file {name}.",
            f"{COMMAND} new {name} writes a first script; {COMMAND} list names the experiments.",
        )
    return find(source, name).twin


def print_list(source: Path) -> None:
    """One line an experiment, and its Python twin."""
    known = experiments(source)
    width = max((len(experiment.name) for experiment in known), default=0)
    for experiment in known:
        twin = f" (in Python: {experiment.name}.py)" if experiment.twin else ""
        print(f"{experiment.name:{width}}  {experiment.summary}{twin}")


def run(command: Sequence[object], env: Mapping[str, str]) -> int:
    """Runs a program in the foreground and returns its exit code, as a shell would.

    The program ends with this process, however that ends (on Linux, SIGKILL, too).
    """
    process: Optional[subprocess.Popen] = None
    received: list[int] = []

    def receive(number: int, _: object) -> None:
        received.append(number)
        if process:
            pass_on(process, number)

    # An exception at Ctrl-C could hide how the program ends.
    with ending_signals(receive):
        process = subprocess.Popen(
            [str(word) for word in command], env=env, preexec_fn=die_with_parent
        )
        for number in tuple(received):  # before there was one
            pass_on(process, number)
        code = process.wait()
    if set(received) - {signal.SIGINT}:
        raise Terminated
    if code < 0 and -code != signal.SIGINT:
        raise Failure(f"{command[0]} was ended by {signal.Signals(-code).name}.")
    return code if code >= 0 else 128 - code


def pass_on(process: subprocess.Popen, number: int) -> None:
    """Has a program end by a signal that has come to this process."""
    if number != signal.SIGINT:
        process.terminate()
        return
    # A terminal sends Ctrl-C to all of its programs, kill -INT to one.
    timer = threading.Timer(GRACE, process.send_signal, [number])
    timer.daemon = True
    timer.start()
