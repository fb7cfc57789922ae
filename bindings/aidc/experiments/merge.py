# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The files of runs, as one folder of results has them."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from typing import Any, Optional, TextIO

from aidc.experiments.folder import writing
from aidc.experiments.numbers import shortest
from aidc.experiments.program import Run
from aidc.experiments.statistics import mean, percentile

SLOWDOWNS = "slowdown.csv"
HEADER = ("scenario,scheme,bin_low_byte,bin_high_byte,flows,slowdown_p50,slowdown_p99,"
          "slowdown_mean")


class Merged:
    """What runs have written, in their order: files of one name become one, with a header."""

    def __init__(self, folder: Path, has_flows: bool) -> None:
        self._folder = folder
        self._has_flows = has_flows
        self._slowdowns: dict[int, list[float]] = {}
        self._table: TextIO = (folder / SLOWDOWNS).open("w", encoding="utf-8")
        self._table.write(HEADER + "\n")
        self.waits: dict[tuple[str, str, int], Any] = {}
        """Who has waited longest, by scenario, scheme and run."""

    def add(self, run: Run, waits: Optional[dict[str, Any]], files: Path, is_last: bool) -> None:
        """Adds a run, which may be the last one of its scheme in its scenario."""
        self.waits[run.scenario, run.scheme, run.number] = waits
        for path in sorted(files.iterdir()):
            is_flows = path.name == f"flows-{run.scenario}-{run.scheme}.csv"
            if is_flows:
                self._add_slowdowns(path)
            if not is_flows or self._has_flows:
                self._move(path)
        shutil.rmtree(files)
        if is_last:
            self._write_slowdowns(run)

    def close(self) -> None:
        """Closes the table of slowdowns: when all runs are there."""
        self._table.close()
        shutil.rmtree(self._folder / "runs", ignore_errors=True)

    def _move(self, path: Path) -> None:
        target = self._folder / path.name
        if not target.exists():
            path.replace(target)
            return
        with writing(target), path.open("rb") as rows, target.open("ab") as file:
            rows.readline()
            shutil.copyfileobj(rows, file)

    def _add_slowdowns(self, path: Path) -> None:
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["slowdown"] != "nan":
                    low = 10 ** (len(row["size_byte"]) - 1) if row["size_byte"] != "0" else 1
                    self._slowdowns.setdefault(low, []).append(float(row["slowdown"]))

    def _write_slowdowns(self, run: Run) -> None:
        """The table of slowdowns by the size of flows, a bin for each decade."""
        with writing(self._folder / SLOWDOWNS):
            for low, values in sorted(self._slowdowns.items()):
                numbers = (percentile(values, 0.5), percentile(values, 0.99), mean(values))
                row = [run.scenario, run.scheme, low, 10 * low, len(values), *map(shortest, numbers)]
                self._table.write(",".join(map(str, row)) + "\n")
            self._table.flush()
        self._slowdowns.clear()
