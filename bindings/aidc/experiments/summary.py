# SPDX-License-Identifier: GPL-2.0-only
"""The metrics of all runs, and what follows from them: summary.json, totals.csv, verdicts.csv, and what is
printed."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

from aidc.experiments.findings import Comparison, Finding, matrix, sentences, verdicts_csv
from aidc.experiments.folder import csv_text, writing
from aidc.experiments.numbers import cell, highest, quantity, shortest
from aidc.experiments.statistics import ci95, mean, median
from aidc.experiments.terminal import print_table, wrap

FACTOR = 2
"""A run stands out above this many times the median."""

HEAD = ("experiment", "ns3", "seed", "runs", "command", "question", "parameters")
"""What summary.json begins with."""

LEVELS = {"parameters": 1, "schemes": 2, "findings": 1, "outliers": 1}
"""The levels of summary.json whose entries have lines of their own, below its members."""

MOST_PRINTED = 10
"""The most runs that stand out and are printed."""


@dataclass
class Metric:
    """A metric of a scheme in a scenario: its unit, and a value for each run."""

    unit: str
    values: list[float]

    def fields(self) -> dict[str, Any]:
        """The metric as summary.json has it."""
        return {"value": mean(self.values), "unit": self.unit, "ci95": ci95(self.values),
                "median": median(self.values), "runs": self.values}


@dataclass(frozen=True)
class Outlier:
    """A run that took much longer than the others of its scheme, as summary.json has it."""

    scheme: str
    scenario: str
    run: int
    metric: str
    value: float
    median: float
    unit: str
    waits: Optional[dict[str, Any]]
    """Who has waited longest there, and why; None if that is not known."""

    @property
    def cause(self) -> str:
        """What it waited for, as a sentence; empty if that is not known."""
        return str((self.waits or {}).get("sentence") or "")


@dataclass
class Summary:
    """What all runs of an experiment have measured."""

    experiment: str
    seed: int
    runs: int
    """The number of runs of each scheme and scenario."""

    ns3: str = ""
    command: str = ""
    question: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    schemes: dict[tuple[str, str], dict[str, Metric]] = field(default_factory=dict)
    """Metrics by scenario and scheme, in the order in which they ran."""

    findings: list[Finding] = field(default_factory=list)
    outliers: list[Outlier] = field(default_factory=list)

    def add(self, scenario: str, scheme: str, metric: str, value: float, unit: str) -> None:
        """Adds a value of the next run."""
        known = next((m[metric].unit for m in self.schemes.values() if metric in m), unit)
        if known != unit:
            raise ValueError(f"metric {metric}: unit {unit}, but was {known} before")
        metrics = self.schemes.setdefault((scenario, scheme), {})
        values = metrics.setdefault(metric, Metric(unit, [])).values
        if len(values) >= self.runs:
            raise ValueError(f"{scheme}@{scenario} {metric}: more values than runs")
        values.append(value)

    def values(self, scenario: str, scheme: str, metric: str) -> list[float]:
        """A metric in each run; empty if there is none."""
        found = self.schemes.get((scenario, scheme), {}).get(metric)
        return found.values if found else []

    def mean(self, scenario: str, scheme: str, metric: str) -> float:
        """The mean of a metric over the runs; NaN if a value does not exist."""
        value = mean(self.values(scenario, scheme, metric))
        return value if math.isfinite(value) else math.nan

    def copy(self, scenario: str, scheme: str, name: str) -> None:
        """Adds a scheme with all the values of another one, such as the best of some."""
        for metric, found in self.schemes[scenario, scheme].items():
            for value in found.values:
                self.add(scenario, name, metric, value, found.unit)

    def add_difference(self, scenario: str, scheme: str, other: str, metric: str) -> None:
        """Adds METRIC_difference: how much a metric of a scheme exceeds another scheme's, run by run.

        Runs of one number have met the same random choices, so that the interval of the difference tells
        whether the schemes differ where the intervals of both may overlap.
        """
        one, two = (self.schemes[scenario, name][metric] for name in (scheme, other))
        if len(one.values) != len(two.values):
            raise ValueError(f"{metric}: expected {len(one.values)} runs to subtract, found "
                             f"{len(two.values)}")
        for a, b in zip(one.values, two.values):
            self.add(scenario, scheme, f"{metric}_difference", a - b, one.unit)

    def compare(self, comparisons: Iterable[Comparison]) -> None:
        """Adds what comparisons say of the scenarios in which both of their schemes were run."""
        for compared in comparisons:
            pair = [self.schemes[key] for scheme in (compared.scheme, compared.baseline)
                    if (key := (compared.scenario, scheme)) in self.schemes]
            if len(pair) == 2:
                scheme, baseline = (metrics[compared.metric] for metrics in pair)
                self.findings.append(Finding(compared, scheme.unit, scheme.values, baseline.values))

    def find_outliers(self, metric: str, waits: Mapping[tuple[str, str, int], Any]) -> None:
        """Finds the runs that stand out by a metric."""
        for (scenario, scheme), metrics in self.schemes.items():
            found = metrics.get(metric, Metric("", []))
            usual = median(found.values)
            self.outliers += [
                Outlier(scheme, scenario, run, metric, value, usual, found.unit, waits.get((scenario, scheme, run)))
                for run, value in enumerate(found.values, 1) if value > FACTOR * usual]
        self.outliers.sort(key=lambda outlier: -outlier.value)

    def write(
        self, folder: Path, totals: Sequence[str], pairs: Iterable[tuple[str, str]]
    ) -> None:
        """Writes the files of the summary; totals.csv has some metrics of what was run."""
        header = ["scenario", "scheme", *(name + end for end in ("", "_ci95") for name in totals)]
        rows = []
        for scenario, scheme in pairs:
            values = [self.values(scenario, scheme, metric) for metric in totals]
            rows.append([scenario, scheme, *(shortest(f(v)) for f in (mean, ci95) for v in values)])
        texts = {"totals.csv": csv_text(header, rows), "summary.json": self.json()}
        if self.findings:
            texts["verdicts.csv"] = verdicts_csv(self.findings)
        for name, text in texts.items():
            with writing(folder / name):
                (folder / name).write_text(text, encoding="utf-8")

    def json(self) -> str:
        """summary.json"""
        schemes = {f"{scheme}@{scenario}": {name: found.fields() for name, found in metrics.items()}
                   for (scenario, scheme), metrics in self.schemes.items()}
        content = {name: getattr(self, name) for name in HEAD}
        content |= {"schemes": schemes, "findings": [one.fields() for one in self.findings],
                    "outliers": [vars(one) for one in self.outliers]}
        lines = [f"  {_json(name)}: {_lines(value, LEVELS.get(name, 0), '  ')}"
                 for name, value in content.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def text(
        self, columns: Sequence[str], width: int, has_table: bool, colors: Mapping[str, str]
    ) -> str:
        """What is printed: a heading; if there are findings, their matrix and sentences; the table, if
        there are none or it is asked for; the runs that stand out."""
        is_one = self.runs == 1
        text = f"{self.experiment}: ns-3 {self.ns3}, seed {self.seed}, {self.runs} {'run' if is_one else 'runs'}"
        if self.findings:
            text += "" if is_one else " (medians)"
            text += f"\n\n{matrix(self.findings, width)}{sentences(self.findings, width)}"
        if not self.findings or has_table:
            text += "\nAll metrics" if self.findings else ""
            text += "" if is_one else " (mean ± half-width of the 95 % CI)"
            text += "\n\n" + self._table(columns, width, colors)
        if not self.outliers:
            return text
        metric = self.outliers[0].metric
        head = f"Runs that stand out ({metric} more than twice the median of their row):"
        text += "\n" + wrap(head, width, 2)
        for one in self.outliers[:MOST_PRINTED]:
            shown, usual = quantity(one.value, one.unit), quantity(one.median, one.unit)
            text += wrap(f"- {one.scheme}@{one.scenario}, run {one.run}: {shown} (median {usual})", width, 2)
        if len(self.outliers) > MOST_PRINTED:
            text += f"- and {len(self.outliers) - MOST_PRINTED} more, in summary.json\n"
        if self.outliers[0].waits:
            text += wrap(f"The slowest one: {self.outliers[0].cause}", width, 2)
        return text

    def _table(self, columns: Sequence[str], width: int, colors: Mapping[str, str]) -> str:
        rows: list[list[str]] = [["scenario", "scheme", *columns]]
        scenarios = list(dict.fromkeys(scenario for scenario, _ in self.schemes))
        for scenario in scenarios:
            if scenario != scenarios[0]:
                rows.append([])
            own = {scheme: metrics for (name, scheme), metrics in self.schemes.items()
                   if name == scenario}
            largest = [highest(self.mean(scenario, scheme, column) for scheme in own)
                       for column in columns]
            for place, (scheme, metrics) in enumerate(own.items()):
                cells = [cell(metrics[column].values, metrics[column].unit, most)
                         if column in metrics else "-" for column, most in zip(columns, largest)]
                rows.append(["" if place else scenario, scheme, *cells])
        return print_table(rows, 2, width, colors)


def _json(value: Any) -> str:
    """A value as JSON, with numbers in the fewest digits that read back as the same."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_json(name)}: {_json(one)}" for name, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_json, value)) + "]"
    if isinstance(value, float):
        return shortest(value) if math.isfinite(value) else "null"
    if isinstance(value, str):  # what is no UTF-8 on the command line is a surrogate for each byte
        value = re.sub("[\ud800-\udfff]", "\ufffd", value)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _lines(value: Any, levels: int, indent: str) -> str:
    """A value as JSON, with a line for each entry of so many levels."""
    if not levels or not value:
        return _json(value)
    inner = indent + "  "
    is_object = isinstance(value, dict)
    entries = [_lines(one, levels - 1, inner) for one in (value.values() if is_object else value)]
    if is_object:
        entries = [f"{_json(name)}: {entry}" for name, entry in zip(value, entries)]
    begin, end = "{}" if is_object else "[]"
    return begin + "".join(f"\n{inner}{entry}," for entry in entries).rstrip(",") + f"\n{indent}{end}"
