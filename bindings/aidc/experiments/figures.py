# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The figures of an experiment in the folder of its results, by gnuplot."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from aidc.experiments import gnuplot
from aidc.experiments.charts import whole
from aidc.experiments.description import Experiment
from aidc.experiments.folder import Failure, writing
from aidc.experiments.results import ReportError, Results

SCRIPT = "figures.gp"
"""The script in the folder of results."""

ENDS = {".png": b"IEND", ".svg": b"</svg>"}
"""The marks at the end of figures, by format."""


def write_script(described: Experiment, folder: Path, formats: str = "png svg") -> list[str]:
    """Writes the script of a folder of results; returns what it does not draw, and why."""
    results = Results(folder)
    (folder / SCRIPT).write_text(gnuplot.script(whole(described.charts(results)), formats), encoding="utf-8")
    return results.notes


def draw(described: Experiment, folder: Path) -> bool:
    """Draws the figures of a folder, and says so; false if gnuplot has failed."""
    if described.charts is Experiment.charts:  # the default: it has none
        return True
    try:
        with writing(folder / SCRIPT):
            notes = write_script(described, folder)
        ended = gnuplot.run(folder / SCRIPT)
    except FileNotFoundError:
        print(f"No figures: gnuplot is not installed; once it is, run 'gnuplot {SCRIPT}' in the folder "
              "of the results", file=sys.stderr)
        return True
    except ReportError as error:
        print(f"No figures: {error}", file=sys.stderr)
        return False
    lines = [line for line in ended.stdout.splitlines() if line.strip()]
    if ended.returncode:
        reason = lines[-1].strip() if lines else "it gave no reason"
        if ended.returncode < 0:
            name = signal.strsignal(-ended.returncode)
            reason = f"it was ended by signal {-ended.returncode} ({name})"
        print(f"No figures: gnuplot failed on {SCRIPT}: {reason}", file=sys.stderr)
        return False
    _check(folder)
    for line in [*notes, *(line for line in lines if "arning: " not in line)]:  # gnuplot's own say nothing
        print(line, file=sys.stderr)
    print(f"Figures drawn by {SCRIPT}", file=sys.stderr)
    return True


def _check(folder: Path) -> None:
    """A Failure for a figure that is not whole: gnuplot reports no error where the disk is full."""
    for path in folder.iterdir():
        mark = ENDS.get(path.suffix)
        if mark and mark not in path.read_bytes()[-16:]:
            raise Failure(f"cannot write {path}: gnuplot has written a part of it (is the disk full?)")
