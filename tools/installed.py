# SPDX-License-Identifier: GPL-2.0-only
"""The command of an installed package, which has the programs and builds nothing."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from . import commands, experiments
from .console import WrongUse, simulation_environment
from .place import Place, Program
from .reports import Reporter

DESCRIPTION = """\
aidc as an installed package: experiments on the networks of AI data centers, simulated by ns-3.
"""

EPILOG = """\
aidc COMMAND --help says more. Programs in C++, tests and benchmarks need a checkout and its ./aidc."""


class Installed(Place):
    """The folder of the package aidc, as pip has installed it."""

    description = DESCRIPTION
    epilog = EPILOG

    def __init__(self, source: Path) -> None:
        self.source = source

    def check_compiles(self, name: str) -> None:
        """A WrongUse: an installed package compiles nothing."""
        raise WrongUse(
            f"{name}: a program in C++ is built by a checkout of aidc, not by an installed package.",
            f"In a checkout: ./aidc run {name}. Here: Python, by aidc new NAME.py.",
        )

    def program(self, options: argparse.Namespace, name: str) -> Program:
        """The program of an experiment, which is there."""
        experiment = experiments.find(self.source, name)
        path = self.source / "bin" / experiment.program
        return Program(name, path, lambda: None, experiment=experiment)

    def reporter(self, options: argparse.Namespace, again: bool = False) -> Reporter:
        """Reports are written by the Python that runs this."""
        return Reporter(Path(sys.executable), os.environ)

    def script(
        self, options: argparse.Namespace, name: str
    ) -> tuple[Path, Path, Mapping[str, str]]:
        """A script is run by the Python that runs this."""
        return Path(sys.executable), experiments.script(self.source, name), simulation_environment()


def main() -> int:
    """The command aidc."""
    return commands.main(Installed(Path(__file__).resolve().parents[1]), sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
