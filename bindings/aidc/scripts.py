# SPDX-License-Identifier: GPL-2.0-only
"""Scripts that are an experiment's program in Python, and go on with its results.

    import aidc

    results = aidc.run_script("coupled-ecn")
    results.value("incast", "coupled", "fct_p99")
    results.series("queue", "incast", "coupled")

An experiment is a program of C++, examples/NAME/NAME.cc: its scenarios, schemes, options and metrics
are there.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Optional

from aidc.builds import builds
from aidc.experiments.command import asks, run
from aidc.experiments.description import EXAMPLES

if TYPE_CHECKING:
    from aidc.results import Results

__all__ = ["folder_of", "program_in_tree", "run_script"]


def run_script(name: str, *steps: Callable[[Results], None]) -> Results:
    """Runs an experiment with the command line of the script, reads its results, and gives them to each
    of the steps.

    The program must be built; ./aidc run NAME.py builds it. Errors end the script, after a message, with
    status 1; so do --help and the like. Ctrl-C ends it with 130.
    """
    words = sys.argv[1:]
    sys.stdout.flush()
    status = run(_program(name), EXAMPLES / name, words, [Path(sys.argv[0]).name, *words])
    if status or asks(words, "h|help|version|Print.*"):
        sys.exit(status)
    from aidc.results import Results

    results = Results(folder_of(name, words))
    for step in steps:
        step(results)
    return results


def program_in_tree(build: Path, name: str) -> Optional[Path]:
    """The program of an experiment in the build of an ns-3 tree, whose name carries the release and the
    profile, as in ns3.44-aidc-NAME-debug."""
    known = re.compile(rf"ns3.*-aidc-{name}(-[a-z]+)?")
    found = (build / "contrib" / "aidc" / "examples").glob("ns3*")
    return next((path for path in sorted(found) if known.fullmatch(path.name)), None)


def _program(name: str) -> Path:
    """The program of an experiment, in a standalone build or in an ns-3 tree's build."""
    for build in builds():
        own = build / "bin" / f"aidc-{name}"
        path = own if own.is_file() else program_in_tree(build, name)
        if path:
            return path
    raise FileNotFoundError(
        f"aidc: there is no program of an experiment {name} in a build; ./aidc list names the "
        f"experiments, and ./aidc run {name} builds it."
    )


def folder_of(name: str, words: Sequence[str]) -> Path:
    """Where the results are: --out of a command line, or the folder that it has by default."""
    given = {}
    for word, value in zip(words, [*words[1:], ""]):
        option, equals, text = word.lstrip("-").partition("=")
        if word.startswith("-"):
            given[option] = text if equals else value
    is_small = given.get("small", "false").lower() not in ("false", "0", "f")
    return Path(given.get("out", f"results/{name}-small" if is_small else f"results/{name}"))
