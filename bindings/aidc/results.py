# SPDX-License-Identifier: GPL-2.0-only
"""What an experiment has written, as tables.

A table is a pandas.DataFrame where pandas is installed, and a dict of its columns, each a list,
where it is not.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

try:
    import pandas
except ImportError:
    pandas = None

from aidc.experiments import results

__all__ = ["Results"]

_FINDING = ("subject", "scenario", "scheme", "baseline", "metric", "label", "goal", "verdict",
            "sentence", "chapter", "value", "baseline_value", "median", "baseline_median",
            "difference", "ci95", "ratio", "unit")
"""The columns of findings."""


class Results:
    """The folder of an experiment's results; summary is the content of its summary.json."""

    def __init__(self, folder) -> None:
        self.folder = Path(folder)
        (self.folder / "summary.json").stat()  # an OSError, where wrong content is a ValueError
        self._found = results.Results(self.folder)
        self.summary = self._found.summary

    def runs(self) -> list[tuple[str, str]]:
        """All pairs of a scenario and a scheme, in the order in which they ran."""
        return self._found.pairs

    def scenarios(self) -> list[str]:
        """All scenarios."""
        return self._found.scenarios

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
        names = ("scenario", "scheme", "name", "value", "unit", "ci95")
        columns = [[getattr(metric, name) for metric in self._found.metrics] for name in names]
        return _make_table(dict(zip(("scenario", "scheme", "metric", "value", "unit", "ci95"), columns)))

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
        found = self.summary.get("findings", [])
        return _make_table({name: [finding.get(name) for finding in found] for name in _FINDING})

    def table(self, name: str):
        """The table of NAME.csv, such as totals or slowdown."""
        path = self.folder / f"{name}.csv"
        path.stat()
        return _make_table(results.read_columns(path))

    def series(self, kind: str, scenario: str, scheme: str):
        """The table of KIND-SCENARIO-SCHEME.csv, such as queue or flows."""
        return self.table(f"{kind}-{scenario}-{scheme}")


def _make_table(columns):
    return pandas.DataFrame(columns) if pandas else columns
