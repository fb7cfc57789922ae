# SPDX-License-Identifier: GPL-2.0-only
"""Folders of results: of this version, and of older ones that had less."""

from __future__ import annotations

import csv
import json
import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Optional, Union

from aidc.experiments.description import known_description
from aidc.experiments.styles import Style, all_styles
from aidc.experiments.summary import Outlier

WITHOUT_MEANING = ("wall_time",)
"""Metrics that are of the machine: they are not compared or drawn."""

Columns = dict[str, list[Any]]
"""A table by column: whole numbers or numbers where all texts of the column are such, else the texts."""


class ReportError(ValueError):
    """A folder or a file of which there can be no report; its text says what was expected where."""


@dataclass(frozen=True)
class Metric:
    """A metric of a scheme in a scenario: the mean over the runs, in the unit of the summary."""

    scenario: str
    scheme: str
    name: str
    value: Optional[float]
    unit: str
    ci95: Optional[float]
    """Half of the confidence interval of 95 %; None for one run."""
    runs: Sequence[Optional[float]] = ()

    @property
    def values(self) -> list[float]:
        """The values of the runs that have one."""
        return [run for run in self.runs if run is not None and math.isfinite(run)]

    @property
    def median(self) -> Optional[float]:
        """The median over the runs; None for one run, or if a run has no value."""
        values = self.values
        return statistics.median(values) if len(values) == len(self.runs) > 1 else None

    @property
    def is_whole(self) -> bool:
        """Are all of its values whole numbers, such as counts?"""
        values = self.values or [self.value or 0]
        return all(value == int(value) for value in values)


@dataclass(frozen=True)
class Finding:
    """A metric of a scheme, compared with another scheme's."""

    subject: str
    """The mechanism in words."""
    scenario: str
    scheme: str
    baseline: str
    metric: str
    label: str
    """What the metric is, in words."""
    is_goal: bool
    """Is the mechanism meant to improve this metric?"""
    verdict: str
    """better, worse, inconclusive, one run or no value."""
    sentence: str
    chapter: str
    ratio: Optional[float]
    """The geometric mean of the ratios of paired runs; None where there is none."""
    ratio_ci95: Optional[Sequence[float]]
    """The ends of its confidence interval of 95 %."""
    is_share: bool
    """Is the metric a share, which people read in percent?"""


OLD_VERDICTS = {"gains": "better", "loses": "worse",
                "no difference within the interval": "inconclusive"}
"""Verdicts of older versions, and what they are called now."""


def _finding(entry: Mapping[str, Any]) -> Finding:
    """A finding of a summary, of which an older version has less."""
    text = {name: str(entry.get(name) or "") for name in
            ("subject", "scenario", "scheme", "baseline", "metric", "verdict", "sentence", "chapter")}
    text["verdict"] = OLD_VERDICTS.get(text["verdict"], text["verdict"])
    label = str(entry.get("label") or text["metric"].replace("_", " "))
    return Finding(**text, label=label, is_goal=bool(entry.get("goal", True)),
                   ratio=entry.get("ratio"), ratio_ci95=entry.get("ratio_ci95"),
                   is_share=bool(entry.get("share")))


@dataclass(frozen=True)
class SweepMean:
    """A metric of a sweep, over its seeds."""

    values: tuple[str, ...]
    """The values of the options that vary."""
    scenario: str
    scheme: str
    name: str
    seeds: int
    """How many have a value."""
    value: float
    ci95: Optional[float]
    unit: str
    runs: Mapping[Any, float] = field(default_factory=dict)
    """Values by what the run's random choices come from; empty where they are not known."""


def read_columns(path: Path) -> Columns:
    """The table of a CSV file; a number that is missing is nan. Raises ReportError."""
    return {name: _numbers(column) for name, column in _read_texts(path).items()}


def _read_texts(path: Path) -> dict[str, Sequence[str]]:
    """The texts of a CSV file by column."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            lines = list(csv.reader(file))
    except (OSError, ValueError, csv.Error) as error:
        raise ReportError(f"cannot read {path}: {error}") from None
    if not lines:
        raise ReportError(f"{path}: expected a line of column names, found an empty file")
    header, *rows = lines
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise ReportError(f"{path}: line {number}: expected {len(header)} columns, found {len(row)}")
    return dict(zip(header, list(zip(*rows)) or [()] * len(header)))


def read_rows(path: Path) -> list[dict[str, str]]:
    """The texts of a CSV file by row and column; none if there is no such file. Raises ReportError."""
    table = _read_texts(path) if path.exists() else {}
    return [dict(zip(table, row)) for row in zip(*table.values())]


def _numbers(column: Sequence[str]) -> list[Any]:
    for kind in (int, float) if any(column) else ():
        try:
            return [math.nan if kind is float and not text else kind(text) for text in column]
        except ValueError:
            continue
    return list(column)


def read_json(path: Path) -> Any:
    """The content of a JSON file. Raises ReportError."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise ReportError(f"cannot read {path}: {error}") from None


def read_timeline_notes(path: Path) -> Mapping[str, str]:
    """What a timeline tells of itself, "otherData". Raises ReportError.

    It is in the first line: the file may have many megabytes.
    """
    try:
        with path.open(encoding="utf-8") as file:
            notes = json.loads(file.readline().rstrip(",\n") + "}")["otherData"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ReportError(
            f'{path}: expected a timeline, with "otherData" in its first line: {error}'
        ) from None
    if not isinstance(notes, dict):
        raise ReportError(f'{path}: expected an object "otherData"')
    return notes


@dataclass
class Results:
    """The folder of an experiment's results."""

    folder: Path
    summary: Mapping[str, Any] = field(init=False)
    notes: list[str] = field(default_factory=list)
    """What charts do not show, and why."""

    read = staticmethod(read_columns)

    def __post_init__(self) -> None:
        path = self.folder / "summary.json"
        summary = read_json(path)
        if not isinstance(summary, dict) or not isinstance(summary.get("schemes"), dict):
            raise ReportError(f'{path}: expected an object with "schemes", as experiments write it')
        self.summary = summary

    @property
    def name(self) -> str:
        """The name of the experiment."""
        return str(self.summary.get("experiment", self.folder.name))

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        """Scenarios with their schemes, in the order in which they ran."""
        names = (name.partition("@") for name in self.summary["schemes"])
        return [(scenario, scheme) for scheme, _, scenario in names]

    @property
    def scenarios(self) -> list[str]:
        """All scenarios."""
        return list(dict.fromkeys(scenario for scenario, _ in self.pairs))

    @property
    def schemes(self) -> list[str]:
        """All schemes."""
        return list(dict.fromkeys(scheme for _, scheme in self.pairs))

    @cached_property
    def metrics(self) -> list[Metric]:
        """All metrics."""
        found = []
        for pair, entries in self.summary["schemes"].items():
            scheme, _, scenario = pair.partition("@")
            for name, entry in entries.items():
                if isinstance(entry, dict) and "value" in entry:
                    found.append(
                        Metric(scenario, scheme, name, entry["value"], entry.get("unit", "1"),
                               entry.get("ci95"), tuple(entry.get("runs") or ()))
                    )
        return found

    def find(self, scenario: str, scheme: str, name: str) -> Optional[Metric]:
        """A metric; None if there is none of the name."""
        return self._metrics_by_name.get((scenario, scheme, name))

    @cached_property
    def _metrics_by_name(self) -> Mapping[tuple[str, str, str], Metric]:
        return {(metric.scenario, metric.scheme, metric.name): metric for metric in self.metrics}

    @cached_property
    def findings(self) -> list[Finding]:
        """What the experiment has found; none in folders of older versions."""
        return [_finding(found) for found in self.summary.get("findings") or []
                if isinstance(found, dict)]

    @cached_property
    def outliers(self) -> Optional[list[Outlier]]:
        """Runs that stand out, the slowest first; None in folders that do not say."""
        found = self.summary.get("outliers")
        if not isinstance(found, list):
            return None
        names = ("scheme", "scenario", "run", "metric", "value", "median", "unit")
        return [Outlier(**{name: entry[name] for name in names}, waits=entry.get("waits"))
                for entry in found]

    @cached_property
    def styles(self) -> dict[str, Style]:
        """How schemes are drawn, as the experiment says."""
        return all_styles(self.schemes, self.colors)

    @property
    def colors(self) -> Mapping[str, str]:
        """The colors that the experiment gives to schemes."""
        described = known_description(self.name)
        return described.colors if described else {}

    @cached_property
    def main_metrics(self) -> list[str]:
        """The metrics that the experiment itself puts into its table; all, if it has none."""
        known = list(dict.fromkeys(metric.name for metric in self.metrics))
        path = self.folder / "totals.csv"
        if not path.exists():
            return known
        columns = [name for name in read_columns(path) if not name.endswith("_ci95")]
        return [name for name in columns if name in known] or known

    def series(self) -> dict[str, dict[tuple[str, str], Path]]:
        """The files KIND-SCENARIO-SCHEME.csv, by kind, then by scenario and scheme."""
        found: dict[str, dict[tuple[str, str], Path]] = {}
        endings = {f"-{scenario}-{scheme}": (scenario, scheme) for scenario, scheme in reversed(self.pairs)}
        for path in sorted(self.folder.glob("*-*.csv")):
            if ending := max((one for one in endings if path.stem.endswith(one)), key=len, default=""):
                found.setdefault(path.stem[: -len(ending)], {})[endings[ending]] = path
        return {kind: {pair: paths[pair] for pair in self.pairs if pair in paths}
                for kind, paths in found.items()}

    def parameter(self, name: str) -> float:
        """A parameter with a unit, in SI units; nan if there is none."""
        found = (self.summary.get("parameters") or {}).get(name)
        return float(found["value"]) if isinstance(found, dict) else math.nan

    def tables(self, kind: str) -> dict[tuple[str, str], Columns]:
        """The series of a kind that have rows, by scenario and scheme."""
        tables = {pair: read_columns(path) for pair, path in self.series().get(kind, {}).items()}
        return {pair: table for pair, table in tables.items() if any(table.values())}

    def records(self, kind: str) -> Iterator[tuple[tuple[str, str], Path]]:
        """The files KIND-SCENARIO-SCHEME.json, of a network or a timeline, with scenario and scheme."""
        for scenario, scheme in self.pairs:
            path = self.folder / f"{kind}-{scenario}-{scheme}.json"
            if path.exists():
                yield (scenario, scheme), path


@dataclass
class Sweep:
    """The folder of a sweep's results."""

    folder: Path
    settings: Mapping[str, Any] = field(init=False)
    means: list[SweepMean] = field(init=False)

    def __post_init__(self) -> None:
        self.settings = read_json(self.folder / "sweep.json")
        path = self.folder / "means.csv"
        if not isinstance(self.settings, dict) or not isinstance(self.settings.get("vary"), dict):
            raise ReportError(f'{self.folder / "sweep.json"}: expected an object with "vary"')
        table = _read_texts(path)
        wanted = [*self.vary, "scenario", "scheme", "metric", "seeds", "mean", "ci95", "unit"]
        if missing := [name for name in wanted if name not in table]:
            raise ReportError(f"{path}: expected a column {missing[0]}, found none")
        keys = [*self.vary, "scenario", "scheme", "metric"]
        runs: dict[tuple[str, ...], dict[Any, float]] = {}
        for row in read_rows(self.folder / "sweep.csv"):  # none in folders without it
            if row["value"]:
                runs.setdefault(tuple(row[key] for key in keys), {})[row["seed"]] = float(row["value"])
        self.means = [
            SweepMean(tuple(row[name] for name in self.vary), row["scenario"], row["scheme"],
                      row["metric"], int(row["seeds"]), float(row["mean"]),
                      float(row["ci95"]) if row["ci95"] else None, row["unit"],
                      runs.get(tuple(row[key] for key in keys), {}))
            for row in read_rows(path)
        ]

    @property
    def name(self) -> str:
        """The name of the experiment or program that was run."""
        return str(self.settings.get("experiment", self.folder.name))

    @property
    def vary(self) -> Mapping[str, Sequence[str]]:
        """The options that vary, with their values."""
        return self.settings["vary"]

    @property
    def schemes(self) -> list[str]:
        """All schemes."""
        return list(dict.fromkeys(mean.scheme for mean in self.means))

    @cached_property
    def first_run(self) -> Optional[Results]:
        """The results of a run, which say with what it was run; None if there are none."""
        for path in sorted((self.folder / "runs").glob("*/summary.json")):
            return Results(path.parent)
        return None

    @cached_property
    def styles(self) -> dict[str, Style]:
        """The colors of the schemes."""
        return all_styles(self.schemes, self.first_run.colors if self.first_run else {})


def varying(means: Iterable[SweepMean]) -> list[str]:
    """The metrics of a sweep whose values are not all the same, in their order."""
    found: dict[str, set[float]] = {}
    for mean in means:
        if mean.name not in WITHOUT_MEANING:
            found.setdefault(mean.name, set()).add(mean.value)
    return [metric for metric, values in found.items() if len(values) > 1]


def open_folder(folder: Path) -> Union[Results, Sweep]:
    """The results of a folder. Raises ReportError if it has none."""
    if (folder / "sweep.json").exists():
        return Sweep(folder)
    if (folder / "summary.json").exists():
        return Results(folder)
    raise ReportError(
        f"{folder}: expected a folder of results, with summary.json or sweep.json, found neither"
    )
