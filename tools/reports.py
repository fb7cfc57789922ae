# SPDX-License-Identifier: GPL-2.0-only
"""Reports: written by the Python that has plotly, found again, and shown by a browser."""

from __future__ import annotations

import os
import subprocess
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from . import sweep_tables
from .console import COMMAND, Failure, WrongUse, note

NAMES = ("report.html", "report-compare.html")
"""The files of reports: that of a run or a sweep, and that of a comparison."""


@dataclass(frozen=True)
class Reporter:
    """A Python that writes reports."""

    python: Path
    env: Mapping[str, str]

    def write(self, folder: Path) -> Path:
        """Writes the report of a folder of results; a Failure that says why there is none."""
        return self._call([folder])

    def compare(self, a: Path, b: Path, rows: Sequence[Sequence[str]], out: Optional[Path]) -> Path:
        """Writes the report of a comparison; a Failure that says why there is none."""
        words = ["--compare", a, b, *(["--out", out] if out else [])]
        return self._call(words, sweep_tables.csv_text(sweep_tables.COMPARE_HEADER, rows))

    def _call(self, words: Sequence[object], given: str = "") -> Path:
        command = [str(self.python), "-m", "aidc.reports", *map(str, words)]
        try:
            ended = subprocess.run(command, env=self.env, input=given, text=True,
                                   capture_output=True)
        except OSError as error:
            raise Failure(f"There is no report: {error}") from None
        if ended.returncode != 0:
            said = ended.stderr.strip().splitlines()
            first = next((place for place, line in enumerate(said) if line.startswith("aidc: ")),
                         max(0, len(said) - 1))
            reason = "\n".join(said[first:]).removeprefix("aidc: ")
            raise Failure(f"There is no report: {reason or 'its program ended without a reason'}")
        return Path(ended.stdout.splitlines()[-1])


def write_after_run(reporter: Reporter, folder: Path, begin: float) -> None:
    """Writes the report of a run that began at a time, if it has written results, and prints its
    path; without a report, says why. The run is well in any case."""
    summary = folder / "summary.json"
    if summary.exists() and summary.stat().st_mtime >= begin:
        tell(lambda: reporter.write(folder))


def tell(write) -> None:
    """Writes a report by a function, and prints its path or why there is none."""
    try:
        print(f"Report: {write()}", flush=True)
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
            f"{COMMAND} run writes one; {COMMAND} report DIR makes that of other results.",
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
