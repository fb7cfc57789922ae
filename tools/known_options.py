# SPDX-License-Identifier: GPL-2.0-only
"""The options of experiments, known without compiling: examples/NAME/help.txt is what
./aidc run NAME prints of --help. This writes the files of all programs of a build, and a test compares them:

    python3 -m tools.known_options build/ns3-3.44
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from aidc.experiments.command import help_text

from . import experiments
from .console import COMMAND, WrongUse, note, similar
from .experiments import Experiment

SOURCE = Path(__file__).resolve().parents[1]


def sources_of(experiment: Experiment) -> Iterator[Path]:
    """The files that add options to an experiment."""
    for folder in (experiment.folder, experiment.folder.parents[1] / "helper" / "experiment"):
        yield from (path for path in folder.iterdir() if path.suffix in (".cc", ".h"))


def help_file(experiment: Experiment) -> Path:
    return experiment.folder / "help.txt"


def help_of(experiment: Experiment, program: Path) -> str:
    """The help: by the program, if it is newer than its sources, else by the file."""
    path = help_file(experiment)
    if program.exists():
        built = program.stat().st_mtime
        if all(path.stat().st_mtime <= built for path in sources_of(experiment)):
            if text := help_text(experiment.folder, program):
                return text
        note(f"{program.name} is not up to date; this help is from {path}")
    return path.read_text(encoding="utf-8")


def options_in(text: str) -> dict[str, str]:
    """The names of the options in what a program prints of --help, by ns-3 or argparse, and what is said of
    them next to the names."""
    name, value = r"^\s+(?:-\w(?: \S+)?, )?--([A-Za-z][\w-]*)", r"(?::|(?: [A-Z_]+)?  )"
    found = re.findall(rf"{name}(?:{value}[^\S\n]*(.+))?", text, re.M)
    return {name: re.sub(r"\s*\[[^]]*\]$", "", said.strip()) for name, said in found}


def check(experiment: Experiment, names: Iterable[str]) -> None:
    """A WrongUse for an option that an experiment does not have.

    The program checks an option that its sources name, as the file may be older, and options of
    ns-3, which begin with a capital letter or name an attribute.
    """
    path = help_file(experiment)
    if not path.exists():  # as of an experiment that is being written: its program tells
        return
    known = options_in(path.read_text(encoding="utf-8"))
    for name in names:
        if not re.fullmatch("[a-z][a-z0-9-]*", name) or name in (*known, "h", "help", "version"):
            continue
        if any(f'"{name}"' in path.read_text(encoding="utf-8") for path in sources_of(experiment)):
            continue
        raise unknown_option(experiment.name, name, known)


def unknown_option(program: str, name: str, known: Iterable[str]) -> WrongUse:
    """What is said of an option that a program does not have."""
    meant = similar(f"--{name}", (f"--{one}" for one in known))
    return WrongUse(
        f"{program} has no option --{name}{meant}.",
        f"{COMMAND} run {program} --help lists them.",
    )


def given(arguments: Iterable[str]) -> list[str]:
    """The names of the options of a command line."""
    return [word.lstrip("-").partition("=")[0] for word in arguments if word.startswith("-")]


def main(build: Path) -> None:
    """Writes the help of all experiments."""
    for experiment in experiments.experiments(SOURCE):
        text = help_text(experiment.folder, build / "bin" / experiment.program)
        if not text:
            sys.exit(f"{experiment.program} of {build} prints no help")
        help_file(experiment).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
