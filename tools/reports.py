# SPDX-License-Identifier: GPL-2.0-only
"""Reports: written, found again, and shown by a browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path
from typing import Callable, Optional

import aidc.reports
from aidc.experiments.results import ReportError

from .console import COMMAND, Failure, WrongUse, note

NAMES = ("report.html", "report-compare.html")
"""The files of reports: of a run or a sweep, and of a comparison."""


def written(write: Callable[..., Path], *arguments: object) -> Path:
    """The path of a report that a function of aidc.reports writes; a Failure that says why there is none,
    as no fault of it ends a run that is well."""
    try:
        return write(*arguments)
    except ReportError as error:
        raise Failure(f"There is no report: {error}") from None
    except Exception as error:
        raise Failure(f"There is no report: {type(error).__name__}: {error}") from error


def write_after_run(python: Path, folder: Path, begin: float) -> None:
    """Writes the report of a run that began at a time, if it has written results, and prints its
    path; without a report, says why. The run is well in any case."""
    summary = folder / "summary.json"
    if summary.exists() and summary.stat().st_mtime >= begin:
        tell(aidc.reports.write, folder, None, python)


def tell(write: Callable[..., Path], *arguments: object) -> None:
    """Writes a report by a function, and prints its path or why there is none."""
    try:
        print(f"Report: {written(write, *arguments)}", flush=True)
    except Failure as failure:
        note(failure.what)


def check_results(folder: Path) -> None:
    """A WrongUse for a folder without results."""
    if not any((folder / name).exists() for name in ("summary.json", "sweep.json")):
        raise WrongUse(
            f"{folder} has no results: expected summary.json or sweep.json in it.",
            f"{COMMAND} run and {COMMAND} sweep write such folders.",
        )


def find(folder: Optional[Path]) -> Path:
    """The newest report of a folder, or of all folders in results/; a WrongUse if there is none."""
    folders = [folder] if folder else sorted(Path("results").glob("*"))
    found = [path for one in folders for name in NAMES if (path := one / name).exists()]
    if not found:
        raise WrongUse(
            f"There is no report in {folder or 'the folders of results/'}.",
            f"{COMMAND} run writes one; {COMMAND} report DIR makes one of other results.",
        )
    return max(found, key=lambda path: path.stat().st_mtime)


def show(path: Path) -> None:
    """Shows a report by a browser, where there is a screen, and prints its path."""
    has_screen = sys.platform == "darwin" or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    if has_screen:
        webbrowser.open(path.resolve().as_uri())
    print(path)
