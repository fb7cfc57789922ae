# SPDX-License-Identifier: GPL-2.0-only
"""What the runs of a sweep say, as tables; and two results side by side."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Optional

from aidc.experiments import statistics
from aidc.experiments.results import SweepMean
from aidc.experiments.styles import scale_for

from .console import WrongUse
from .sweeps import Run, Sweep, write_whole

WITHOUT_MEANING = ("wall_time",)
"""Metrics that are not compared: they are of the machine."""


@dataclass(frozen=True)
class Row:
    """A metric of a run."""

    values: tuple[str, ...]
    seed: int
    scenario: str
    scheme: str
    metric: str
    value: Optional[float]
    unit: str


def rows_of(sweep: Sweep, folder: Path) -> Iterable[Row]:
    """The metrics of all runs that are there, in the order of the sweep."""
    for run in sweep.runs():
        path = folder / "runs" / run.key / "summary.json"
        if path.exists():
            yield from rows_of_run(run, read_summary(path))


def rows_of_run(run: Run, summary: dict) -> Iterable[Row]:
    for name, metrics in summary["schemes"].items():
        scheme, _, scenario = name.partition("@")
        for metric, found in metrics.items():
            yield Row(tuple(run.values.values()), run.seed, scenario, scheme, metric,
                      found["value"], found["unit"])


def read_summary(path: Path) -> dict:
    """A summary.json; a WrongUse if it is none."""
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(summary["schemes"], dict):
            return summary
    except OSError as error:
        raise WrongUse(f"Cannot read {path}: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        pass
    raise WrongUse(f"{path} is no summary of an experiment.")


def means_of(rows: Iterable[Row]) -> list[SweepMean]:
    """Means over the seeds, in the order of the rows; a metric without a value is left out."""
    groups: dict[tuple, dict[int, float]] = {}
    for row in rows:
        key = (row.values, row.scenario, row.scheme, row.metric, row.unit)
        values = groups.setdefault(key, {})
        if row.value is not None:
            values[row.seed] = row.value
    means = []
    for (values, scenario, scheme, metric, unit), found in groups.items():
        if found:
            numbers = list(found.values())
            half = statistics.ci95(numbers)
            ci95 = half if math.isfinite(half) else None
            means.append(SweepMean(values, scenario, scheme, metric, len(found),
                                   statistics.mean(numbers), ci95, unit, found))
    return means


def number(value: Optional[float]) -> str:
    """A number in its shortest form that keeps it; empty for none."""
    if value is None:
        return ""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def write_tables(sweep: Sweep, folder: Path) -> list[SweepMean]:
    """Writes sweep.csv, one row per metric and run, and means.csv, one row per metric, if there are
    runs."""
    rows = list(rows_of(sweep, folder))
    means = means_of(rows)
    if not rows:
        return means
    write_whole(
        folder / "sweep.csv",
        csv_text(
            [*sweep.vary, "seed", "scenario", "scheme", "metric", "value", "unit"],
            ([*r.values, r.seed, r.scenario, r.scheme, r.metric, number(r.value), r.unit]
             for r in rows),
        ),
    )
    write_whole(
        folder / "means.csv",
        csv_text(
            [*sweep.vary, "scenario", "scheme", "metric", "seeds", "mean", "ci95", "unit"],
            ([*m.values, m.scenario, m.scheme, m.name, m.seeds, number(m.value), number(m.ci95),
              m.unit] for m in means),
        ),
    )
    return means


def read_sweep(folder: Path) -> Sweep:
    try:
        return Sweep(**json.loads((folder / "sweep.json").read_text(encoding="utf-8")))
    except OSError as error:
        raise WrongUse(f"Cannot read {folder / 'sweep.json'}: {error.strerror}.") from None
    except (ValueError, TypeError):
        raise WrongUse(f"{folder / 'sweep.json'} is no sweep.") from None


def results_of(folder: Path) -> list[SweepMean]:
    """The means of a folder, of an experiment or of a sweep."""
    if (folder / "sweep.json").exists():
        sweep = read_sweep(folder)
        return [
            replace(m, values=tuple(f"{k}={v}" for k, v in zip(sweep.vary, m.values)))
            for m in means_of(rows_of(sweep, folder))
        ]
    summary = read_summary(folder / "summary.json")
    means = []
    for name, metrics in summary["schemes"].items():
        scheme, _, scenario = name.partition("@")
        for metric, found in metrics.items():
            if found["value"] is not None:
                # Run r of a seed makes the same random choices in every scheme.
                runs = {(summary.get("seed"), i): value
                        for i, value in enumerate(found.get("runs", ()))}
                means.append(SweepMean((), scenario, scheme, metric, summary.get("runs", 1),
                                       found["value"], found["ci95"], found["unit"], runs))
    return means


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
    if not (folder / "sweep.json").exists():
        return parameters_in(read_summary(folder / "summary.json"))
    sweep = read_sweep(folder)
    paths = [folder / "runs" / run.key / "summary.json" for run in sweep.runs()]
    first = next((path for path in paths if path.exists()), None)
    common = parameters_in(read_summary(first)) if first else {}
    return {
        **{name: text for name, text in common.items() if name not in sweep.vary},
        **{name: ",".join(values) for name, values in sweep.vary.items()},
        "seeds": str(sweep.seeds),
    }


def parameters_in(summary: dict) -> dict[str, str]:
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
    cells = [header, *rows]
    used = [i for i in range(len(header)) if any(row[i] for row in cells[1:])]
    widths = {i: max(len(row[i]) for row in cells) for i in used}
    return "\n".join("  ".join(row[i].ljust(widths[i]) for i in used).rstrip() for row in cells)
