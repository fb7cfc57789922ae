# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What an experiment has written, as tables.

A table is a pandas.DataFrame where pandas is installed, and a dict of its columns, each a list,
where it is not.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

try:
    import pandas
except ImportError:
    pandas = None

from aidc.experiments.results import columns_of

__all__ = ["Results", "read_table"]

_FINDING = ("subject", "scenario", "scheme", "baseline", "metric", "label", "goal", "verdict",
            "sentence", "chapter", "value", "baseline_value", "median", "baseline_median",
            "difference", "ci95", "ratio", "unit")
"""The columns of findings."""


class Results:
    """The folder of an experiment's results; summary is the content of its summary.json."""

    def __init__(self, folder) -> None:
        self.folder = Path(folder)
        path = self.folder / "summary.json"
        try:
            self.summary = json.loads(path.read_text(encoding="utf-8-sig"))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None

    def runs(self) -> list[tuple[str, str]]:
        """All pairs of a scenario and a scheme, in the order in which they ran."""
        names = (name.partition("@") for name in self.summary["schemes"])
        return [(scenario, scheme) for scheme, _, scenario in names]

    def scenarios(self) -> list[str]:
        """All scenarios."""
        return list(dict.fromkeys(scenario for scenario, _ in self.runs()))

    def schemes(self, scenario: str) -> list[str]:
        """What was compared in a scenario."""
        return [scheme for name, scheme in self.runs() if name == scenario]

    def value(self, scenario: str, scheme: str, metric: str) -> Any:
        """The mean of a metric over the runs, in the unit of the summary; None if there is none."""
        return self.summary["schemes"][f"{scheme}@{scenario}"][metric]["value"]

    def values(self, scenario: str, scheme: str, metric: str) -> list:
        """A metric in each run; run r of all schemes makes the same random choices (pairs)."""
        return self.summary["schemes"][f"{scheme}@{scenario}"][metric]["runs"]

    def metrics(self):
        """All metrics: a table of scenario, scheme, metric, value, unit and ci95."""
        rows = []
        for scenario, scheme in self.runs():
            for metric, found in self.summary["schemes"][f"{scheme}@{scenario}"].items():
                rows.append((scenario, scheme, metric, found["value"], found["unit"],
                             found["ci95"]))
        return _make_table(("scenario", "scheme", "metric", "value", "unit", "ci95"), *rows)

    @property
    def question(self) -> str:
        """What the experiment asks; empty in results of old."""
        return self.summary.get("question", "")

    def findings(self):
        """What the experiment has found out: a table with a row for each comparison of two schemes.

        The columns are subject, scenario, scheme, baseline, metric, label, goal (whether the subject
        is meant to improve the metric), verdict ("better", "worse", "inconclusive", "one run" or "no
        value"), sentence, chapter, value, baseline_value, median, baseline_median, difference (value
        less baseline_value), ci95 (the half-width of its 95 % CI), ratio (the geometric mean of the
        ratios of paired runs) and unit. Old results lack some values, or have no row.
        """
        rows = [tuple(finding.get(name) for name in _FINDING)
                for finding in self.summary.get("findings", [])]
        return _make_table(_FINDING, *rows)

    def table(self, name: str):
        """The table of NAME.csv, such as totals or slowdown."""
        path = self.folder / f"{name}.csv"
        with path.open(newline="", encoding="utf-8-sig") as file:
            try:
                return read_table(file)
            except ValueError as error:
                raise ValueError(f"{path}: {error}") from None

    def series(self, kind: str, scenario: str, scheme: str):
        """The table of KIND-SCENARIO-SCHEME.csv, such as queue or flows."""
        return self.table(f"{kind}-{scenario}-{scheme}")


def read_table(file):
    """The table of an open CSV file; a text that is missing among numbers is nan."""
    return _make_table(*csv.reader(file))


def _make_table(*lines):
    """Makes a table; texts of a column that are all numbers become numbers."""
    table = {name: _to_numbers(column) for name, column in columns_of(lines).items()}
    return pandas.DataFrame(table) if pandas else table


def _to_numbers(column) -> list:
    """The values of a column, as whole numbers or as numbers if all of its texts are."""
    has_numbers = any(value != "" for value in column)
    for kind in (int, float):
        try:
            return [_to_number(value, kind) for value in column] if has_numbers else list(column)
        except ValueError:
            continue
    return list(column)


def _to_number(value, kind):
    """A text as a number; what is no text is left as it is."""
    if not isinstance(value, str):
        return value
    return float("nan") if value == "" and kind is float else kind(value)
