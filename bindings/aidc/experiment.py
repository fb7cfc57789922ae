# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Experiments from Python.

An experiment is a program of C++, examples/NAME/NAME.cc: its scenarios, schemes, options and metrics
are there. Here it is run, and its results become tables::

    from aidc import experiment

    results = experiment.run("coupled-ecn", scenarios="incast", alpha=4, small=True)
    results.value("incast", "coupled", "fct_p99")
    results.metrics()
    results.series("queue", "incast", "coupled")

Options are those of the command line, with ``_`` for ``-``; ``results.folder`` has the files and the
figures.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from aidc import builds
from aidc.results import Results

__all__ = ["Results", "run", "run_command"]


def run(name: str, **options) -> Results:
    """Runs an experiment with options by name.

    Raises subprocess.CalledProcessError if it fails, after its message, which says why.
    """
    words = [f"--{option.replace('_', '-')}={_text(value)}" for option, value in options.items()]
    try:
        status = _run(name, words)
    except KeyboardInterrupt:
        if hasattr(sys, "ps1") or "ipykernel" in sys.modules:
            raise  # who works at a prompt goes on there
        sys.exit(128 + signal.SIGINT)
    if status:
        raise subprocess.CalledProcessError(status, [f"aidc-{name}", *words])
    return Results(_folder(name, words))


def run_command(name: str) -> Results:
    """Runs an experiment with the command line of the script.

    Errors end the script, after a message, with exit status 1.
    """
    words = sys.argv[1:]
    try:
        status = _run(name, words)
    except KeyboardInterrupt:
        status = 128 + signal.SIGINT
    if status or any(re.match("-+(h|help|version|Print.*)$", word) for word in words):
        sys.exit(status)
    return Results(_folder(name, words))


def _run(name: str, words: Sequence[str]) -> int:
    """Runs the program of an experiment, and returns its exit status.

    Ctrl-C is for the program, which says what becomes of the results, and then an exception.
    """
    sys.stdout.flush()
    with subprocess.Popen([_program(name), *words]) as process:
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)  # if this process alone was interrupted
            process.wait()
            raise


def _program(name: str) -> Path:
    """The program of an experiment, in a standalone build or in that of an ns-3 tree."""
    for build in builds():
        own = build / "bin" / f"aidc-{name}"
        # Its name carries the release and the profile there, as in ns3.44-aidc-NAME-debug.
        in_tree = re.compile(rf"ns3.*-aidc-{name}(-[a-z]+)?")
        of_tree = (build / "contrib" / "aidc" / "examples").glob("ns3*")
        for path in [own, *(path for path in of_tree if in_tree.fullmatch(path.name))]:
            if path.is_file():
                return path
    raise FileNotFoundError(
        f"aidc: there is no program of an experiment {name} in a build; ./aidc list names the "
        f"experiments, and ./aidc run {name} builds it."
    )


def _folder(name: str, words: Sequence[str]) -> Path:
    """Where the results are: --out of a command line, or the folder that it has by default."""
    folder = Path("results") / name
    for word, value in zip(words, [*words[1:], ""]):
        option, equals, text = word.lstrip("-").partition("=")
        if option == "out" and word.startswith("-"):
            folder = Path(text if equals else value)
    return folder


def _text(value) -> str:
    """The value of an option as on the command line."""
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
