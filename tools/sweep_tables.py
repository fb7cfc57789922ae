# SPDX-License-Identifier: GPL-2.0-only
"""What the runs of a sweep say, as tables; and two results side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Optional, Union

from aidc.experiments import results, statistics
from aidc.experiments.folder import csv_text
from aidc.experiments.numbers import shortest
from aidc.experiments.results import WITHOUT_MEANING, Metric, ReportError, Results, SweepMean
from aidc.experiments.styles import scale_for
from aidc.experiments.terminal import print_aligned

from .console import WrongUse
from .sweeps import Run, Sweep, write_whole


def read(folder: Path) -> Union[Results, results.Sweep]:
    """The results of a folder; a WrongUse where there are none."""
    is_sweep = (folder / "sweep.json").exists()
    path = folder / ("sweep.json" if is_sweep else "summary.json")
    try:
        path.open().close()
        return results.Sweep(folder) if is_sweep else Results(folder)
    except OSError as error:
        raise WrongUse(f"Cannot read {path}: {error.strerror}.") from None
    except ReportError as error:
        what = "sweep" if is_sweep else "summary of an experiment"
        raise WrongUse(f"{path} is no {what}." if str(path) in str(error) else str(error)) from None


def number(value: Optional[float]) -> str:
    """A number in its shortest form that keeps it; empty for none."""
    return "" if value is None else shortest(value)


def rows_of(sweep: Sweep, folder: Path) -> Iterator[tuple[Run, Metric]]:
    """The metrics of all runs that are there, in the order of the sweep."""
    for run in sweep.runs():
        own = folder / "runs" / run.key
        if (own / "summary.json").exists():
            yield from ((run, metric) for metric in read(own).metrics)


def write_tables(sweep: Sweep, folder: Path) -> Optional[results.Sweep]:
    """Writes sweep.csv, one row per metric and run, and means.csv, one row per metric that has a value, if
    there are runs; returns what they say."""
    rows = []
    found: dict[tuple[str, ...], list[float]] = {}
    for run, metric in rows_of(sweep, folder):
        of_metric = (metric.scenario, metric.scheme, metric.name)
        rows.append([*run.values.values(), run.seed, *of_metric, number(metric.value), metric.unit])
        values = found.setdefault((*run.values.values(), *of_metric, metric.unit), [])
        if metric.value is not None:
            values.append(metric.value)
    if not rows:
        return None
    header = [*sweep.vary, "seed", "scenario", "scheme", "metric", "value", "unit"]
    write_whole(folder / "sweep.csv", csv_text(header, rows))
    means = []
    for (*names, unit), values in found.items():
        if values:
            half = statistics.ci95(values)
            ci95 = number(half) if math.isfinite(half) else ""
            means.append([*names, len(values), number(statistics.mean(values)), ci95, unit])
    header = [*sweep.vary, "scenario", "scheme", "metric", "seeds", "mean", "ci95", "unit"]
    write_whole(folder / "means.csv", csv_text(header, means))
    return results.Sweep(folder)


def results_of(folder: Path) -> list[SweepMean]:
    """The means of a folder, of an experiment or of a sweep."""
    found = read(folder)
    if isinstance(found, results.Sweep):
        return [replace(m, values=tuple(f"{k}={v}" for k, v in zip(found.vary, m.values)))
                for m in found.means]
    # Run r of a seed makes the same random choices in every scheme.
    return [SweepMean((), m.scenario, m.scheme, m.name, found.summary.get("runs", 1), m.value, m.ci95,
                      m.unit, {(found.summary.get("seed"), i): run for i, run in enumerate(m.runs)})
            for m in found.metrics if m.value is not None]


COMPARE_HEADER = ("options", "scenario", "scheme", "metric", "a", "a_ci95", "b", "b_ci95", "unit",
                  "change", "verdict")


def compare(a: Path, b: Path) -> list[tuple[str, ...]]:
    """Two results side by side: a row for each metric that either has; a WrongUse if they have none
    in common.

    The verdict is `same` for equal values; `differs` or `within` where both have an interval; `one
    run` where one has none; `only a` or `only b`. Where the runs of both have made the same random
    choices, they are pairs, which compare_pairs() compares; else, it is asked whether the difference of
    the means is beyond the root of the sum of the squares of both intervals (Welch).
    """
    of_a, of_b = (
        {(m.values, m.scenario, m.scheme, m.name): m
         for m in results_of(folder) if m.name not in WITHOUT_MEANING}
        for folder in (a, b)
    )
    if not of_a.keys() & of_b.keys():
        raise WrongUse(f"{a} and {b} have no metric of the same scenario, scheme and options.")
    rows = []
    for name in list(dict.fromkeys([*of_a, *of_b])):
        one, other = of_a.get(name), of_b.get(name)
        either = one or other
        rows.append((
            " ".join(either.values), either.scenario, either.scheme, either.name,
            number(one.value) if one else "", number(one.ci95) if one else "",
            number(other.value) if other else "", number(other.ci95) if other else "",
            either.unit, change(one, other), verdict(one, other),
        ))
    return rows


def change(one: Optional[SweepMean], other: Optional[SweepMean]) -> str:
    """The relative change from one to the other; empty where there is none to tell."""
    if not one or not other or one.value == other.value or one.value == 0:
        return ""
    return f"{100 * (other.value - one.value) / abs(one.value):+.2f} %"


def verdict(one: Optional[SweepMean], other: Optional[SweepMean]) -> str:
    """What compare() says of a metric."""
    if not one or not other:
        return "only b" if other else "only a"
    if one.value == other.value:
        return "same"
    if one.ci95 is None or other.ci95 is None:
        return "one run"
    if len(one.runs) > 1 and [*one.runs] == [*other.runs]:
        differs = statistics.compare_pairs([*one.runs.values()], [*other.runs.values()]).sign
    else:
        differs = abs(one.value - other.value) > math.hypot(one.ci95, other.ci95)
    return "differs" if differs else "within"


def compared_text(a: Path, b: Path, rows: Sequence[Sequence[str]]) -> str:
    """A comparison for people: the folders, the options that differ, and a table in units that fit."""
    lines = [f"a: {a}", f"b: {b}"]
    options = [parameters_of(folder) for folder in (a, b)]
    for name in dict.fromkeys([*options[0], *options[1]]):
        one, other = (found.get(name, "not there") for found in options)
        if one != other:
            lines.append(f"{name}: {one} in a, {other} in b")
    return "\n".join([*lines, "", text_table(SHOWN_HEADER, [shown_row(row) for row in rows])])


SHOWN_HEADER = ("options", "scenario", "scheme", "metric", "a", "b", "change", "verdict")


def shown_row(row: Sequence[str]) -> tuple[str, ...]:
    """A row of compare() as people read it."""
    *names, a, a_ci95, b, b_ci95, unit, relative, said = row
    factor, shown = scale_for(max(abs(float(text)) for text in (a, b) if text), unit)

    def quantity(mean: str, ci95: str) -> str:
        half = f" ± {float(ci95) / factor:.2g}" if ci95 else ""
        return f"{float(mean) / factor:.4g}{half} {shown}".strip() if mean else ""

    return (*names, quantity(a, a_ci95), quantity(b, b_ci95), relative, said)


def parameters_of(folder: Path) -> dict[str, str]:
    """The options of a folder's results, by name: what all of its runs have in common."""
    found = read(folder)
    if isinstance(found, Results):
        return parameters_in(found.summary)
    common = parameters_in(found.first_run.summary) if found.first_run else {}
    return {
        **{name: text for name, text in common.items() if name not in found.vary},
        **{name: ",".join(values) for name, values in found.vary.items()},
        "seeds": str(found.settings.get("seeds")),
    }


def parameters_in(summary: Mapping[str, Any]) -> dict[str, str]:
    """The options of a run, by its summary."""
    found = {name: str(summary[name]) for name in ("experiment", "seed", "runs") if name in summary}
    for name, value in summary.get("parameters", {}).items():
        if isinstance(value, dict):
            factor, unit = scale_for(abs(value["value"] or 0), value["unit"])
            value = f"{(value['value'] or 0) / factor:g} {unit}".strip()
        found[name] = str(value)
    return found


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table for people; columns without content are left out."""
    used = [i for i in range(len(header)) if any(row[i] for row in rows)]
    cells = [[row[i] for i in used] for row in (header, *rows)]
    return print_aligned(cells, len(used), {}).rstrip("\n")
