# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps and comparisons from Python, as ./aidc sweep and ./aidc compare do them.

    from aidc import sweeps

    rows = sweeps.run("coupled-ecn", {"alpha": [1, 4, 8]}, seeds=10, scenarios="incast")
    sweeps.means("results/sweep-coupled-ecn")
    sweeps.compare("results/a", "results/b")

A table is a pandas.DataFrame where pandas is installed, and a dict of its columns where it is not.
The command sets up and builds what it needs in the folder build/ of this repository.
"""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from aidc.results import read_table

__all__ = ["compare", "means", "run"]

_COMMAND = (sys.executable, str(Path(__file__).resolve().parents[2] / "aidc"))


def run(
    experiment: str,
    vary: Mapping[str, Iterable[object]],
    seeds: int = 1,
    out: str | Path | None = None,
    **options: object,
):
    """Runs all combinations of values, each with seeds 1 to N; a row a metric and run.

    Options are those of the experiment, with "_" for "-". What out has already is not run again.
    Raises subprocess.CalledProcessError if a run fails, after its message.
    """
    folder = Path(out or Path("results") / f"sweep-{experiment}")
    words = [*_COMMAND, "sweep", experiment, f"--seeds={seeds}", f"--out={folder}"]
    for name, values in vary.items():
        words.append(f"--vary={name.replace('_', '-')}={','.join(map(_text, values))}")
    for name, value in options.items():
        words.append(f"--{name.replace('_', '-')}={_text(value)}")
    subprocess.run(words, check=True)
    with (folder / "sweep.csv").open(newline="", encoding="utf-8") as file:
        return read_table(file)


def means(folder: str | Path):
    """The means of a sweep over its seeds, with half of their intervals of 95 %."""
    with (Path(folder) / "means.csv").open(newline="", encoding="utf-8") as file:
        return read_table(file)


def compare(a: str | Path, b: str | Path):
    """Two results side by side, and which differences are beyond their intervals (verdict)."""
    words = [*_COMMAND, "compare", "--csv", str(a), str(b)]
    shown = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True)
    return read_table(io.StringIO(shown.stdout))


def _text(value: object) -> str:
    """A value as on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)
