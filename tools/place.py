# SPDX-License-Identifier: GPL-2.0-only
"""Where the experiments are: an installed package, which has them, or a checkout, which builds them."""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Optional

from . import experiments
from .console import WrongUse, simulation_environment


def digest_of(path: Path) -> str:
    """What changes when a file does."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


@dataclass(frozen=True)
class Program:
    """A program or a script to run: an experiment's, or one of the user's own."""

    name: str
    """The experiment's name, or the name of the user's file without its suffix."""

    path: Path
    """Where the program is, once it is made."""

    make: Callable[[], object] = lambda: None
    """Makes it, where it is to be made; a Failure where that fails."""

    digest: str = ""
    """What changes with the source of a user's program, or of a script; empty for an experiment."""

    interpreter: tuple[str, ...] = ()
    """Words in front of the path; some for a script."""

    experiment: Optional[experiments.Experiment] = None
    """The experiment, where its options are known before the program is made."""

    env: Mapping[str, str] = field(default_factory=simulation_environment)
    """Its environment."""


class Place:
    """What the commands need of the folder with `examples/`: here of the package aidc, as pip has installed
    it, which builds nothing."""

    description = """\
aidc as an installed package: experiments on the networks of AI data centers, simulated by ns-3.
"""
    """What --help says first."""

    epilog = """\
aidc COMMAND --help says more. Programs in C++, tests and benchmarks need a checkout and its ./aidc."""
    """What --help says last."""

    def __init__(self, source: Path) -> None:
        self.source = source

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds options that come before the command."""

    def add_commands(self, add: Callable[..., argparse.ArgumentParser]) -> None:
        """Adds commands of this place alone, by add(do, name, help)."""

    def check_compiles(self, name: str) -> None:
        """A WrongUse for a user's file NAME.cc where none can be built."""
        if name.endswith(".cc"):
            raise WrongUse(
                f"{name}: a program in C++ is built by a checkout of aidc, not by an installed package.",
                f"In a checkout: ./aidc run {name}. Here: Python, by aidc new NAME.py.",
            )

    def program(self, options: argparse.Namespace, name: str) -> Program:
        """The program of an experiment's name or of a file NAME.cc, or the script of a file NAME.py or of an
        experiment's Python twin; a Failure where there is none."""
        if name.endswith(".py"):
            return self.script(name, Path(sys.executable))
        experiment = experiments.find(self.source, name)
        return Program(name, self.source / "bin" / experiment.program, experiment=experiment)

    def script(self, name: str, python: Path) -> Program:
        """A script, run by an interpreter; a Failure where there is none."""
        path = experiments.script(self.source, name)
        experiment = None if path == Path(name) else experiments.find(self.source, name)
        return Program(path.stem, path, digest=digest_of(path), interpreter=(str(python),), experiment=experiment)

    def plotly(self, options: argparse.Namespace, again: bool = False) -> Path:
        """The Python that has plotly; with again, what was not found once is looked for anew."""
        return Path(sys.executable)
