# SPDX-License-Identifier: GPL-2.0-only
"""Where the experiments are: a checkout, which builds them, or an installed package, which has them."""

from __future__ import annotations

import abc
import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional

from .experiments import Experiment
from .reports import Reporter


@dataclass(frozen=True)
class Program:
    """A program to run: that of an experiment, or one of the user's own."""

    name: str
    """The experiment's name, or that of the user's file without its suffix."""

    path: Path
    """Where the program is, once it is made."""

    make: Callable[[], object]
    """Makes it, where it is to be made; a Failure where that fails."""

    digest: str = ""
    """What changes with the source of a user's program; empty for an experiment."""

    interpreter: tuple[str, ...] = ()
    """Words in front of the path."""

    experiment: Optional[Experiment] = None
    """The experiment, where its options are known before the program is made."""


class Place(abc.ABC):
    """The folder with `examples/`, and what the commands need of it."""

    source: Path
    description: str
    """What --help says first."""

    epilog: str
    """What --help says last."""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds options that come before the command."""

    def add_commands(self, add: Callable[..., argparse.ArgumentParser]) -> None:
        """Adds commands of this place alone, by add(name, help)."""

    def do(self, options: argparse.Namespace) -> int:
        """Does such a command, and returns its exit code."""
        raise NotImplementedError(options.command)

    def check_compiles(self, name: str) -> None:
        """A WrongUse where this place cannot build a user's file NAME.cc."""

    @abc.abstractmethod
    def program(self, options: argparse.Namespace, name: str) -> Program:
        """The program of an experiment's name or of a file NAME.cc; a Failure where there is none."""

    @abc.abstractmethod
    def reporter(self, options: argparse.Namespace, again: bool = False) -> Reporter:
        """What writes reports; with again, what was not found once is looked for anew."""

    @abc.abstractmethod
    def script(
        self, options: argparse.Namespace, name: str
    ) -> tuple[Path, Path, Mapping[str, str]]:
        """What a script NAME.py, or the Python twin of an experiment, is run by: the interpreter, the
        script, and the environment. A Failure where there is none."""
