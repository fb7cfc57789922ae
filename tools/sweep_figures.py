# SPDX-License-Identifier: GPL-2.0-only
"""Figures of a sweep, drawn by gnuplot."""

from __future__ import annotations

import math
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from tools.console import note
from tools.sweep_tables import Mean
from tools.sweeps import Sweep, write_whole

METRICS = (
    "goodput",
    "completion_time",
    "fct_p99",
    "fct_slowdown_p99",
    "dropped_packets",
    "marked_packets",
    "queue_p99",
    "reordered_packets",
)
"""What is drawn, where an experiment has it."""

COLORS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#595959", "#000000")
"""Colors that color-blind readers can tell apart (Okabe and Ito)."""

WIDTH = 1000
ROW = 320
"""Size of a figure, and of a row of its plots, in pixels."""


def draw(sweep: Sweep, means: Sequence[Mean], folder: Path) -> None:
    """Draws sweep-SCENARIO.png and .svg: metrics against the first option, a line a scheme.

    Where several options vary, the others have their first value.
    """
    if not sweep.vary:
        return
    if not shutil.which("gnuplot"):
        note("No figures: gnuplot is not installed.")
        return
    first = tuple(values[0] for values in list(sweep.vary.values())[1:])
    shown = [m for m in means if m.metric in METRICS and m.values[1:] == first]
    script = ["set encoding utf8", "set border 3", "set tics nomirror", "set grid ytics"]
    for scenario in dict.fromkeys(m.scenario for m in shown):
        script += figure(sweep, scenario, [m for m in shown if m.scenario == scenario])
    write_whole(folder / "sweep.gp", "\n".join(script) + "\n")
    command = ["gnuplot", "-d", "sweep.gp"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if ended.returncode != 0:
        note(f"No figures: gnuplot failed on {folder / 'sweep.gp'}: {ended.stderr.strip()}")


def figure(sweep: Sweep, scenario: str, means: Sequence[Mean]) -> list[str]:
    """The lines that draw the figure of a scenario."""
    name, *others = sweep.vary
    metrics = [metric for metric in METRICS if any(m.metric == metric for m in means)]
    schemes = list(dict.fromkeys(m.scheme for m in means))
    script = []
    for place, metric in enumerate(metrics):
        for line, scheme in enumerate(schemes):
            points = [m for m in means if (m.metric, m.scheme) == (metric, scheme)]
            script += data(block(place, line), sweep.vary[name], points)
    rows = math.ceil(len(metrics) / 2)
    fixed = [f", {other} = {sweep.vary[other][0]}" for other in others]
    title = f"{sweep.experiment}, {scenario}{''.join(fixed)}: {sweep.seeds} seeds, 95 % intervals"
    tics = ", ".join(f'"{value}" {place}' for place, value in enumerate(sweep.vary[name]))
    for terminal, suffix in (("pngcairo", "png"), ("svg", "svg")):
        script += [
            f"set terminal {terminal} noenhanced size {WIDTH},{ROW * rows + 60} background 'white'",
            f"set output 'sweep-{scenario}.{suffix}'",
            f"set multiplot layout {rows},2 title '{title}'",
            f"set xtics ({tics})",
            f"set xrange [-0.3:{len(sweep.vary[name]) - 0.7}]",
            f"set xlabel '{name}'",
            "set key outside bottom center horizontal",
        ]
        for place, metric in enumerate(metrics):
            unit = next(m.unit for m in means if m.metric == metric)
            lines = (
                f"{block(place, line)} using 1:2:3 with yerrorlines lw 1.5 pt {line + 4} "
                f"lc rgb '{COLORS[line % len(COLORS)]}' title '{scheme}'"
                for line, scheme in enumerate(schemes)
            )
            axis = "" if unit == "1" else f" ({unit})"
            script += [f"set title '{metric}{axis}'", "plot " + ", ".join(lines)]
        script += ["unset multiplot", "unset output"]
    return script


def block(place: int, line: int) -> str:
    """The name of a block of data."""
    return f"$data_{place}_{line}"


def data(name: str, values: Sequence[str], points: Iterable[Mean]) -> list[str]:
    """A block of data: places of values, means and intervals; what is missing is a gap."""
    found = {m.values[0]: m for m in points}
    lines = [f"{name} << EOD"]
    for place, value in enumerate(values):
        if value in found and math.isfinite(found[value].mean):
            lines.append(f"{place} {found[value].mean!r} {found[value].ci95 or 0!r}")
        else:
            lines.append(f"{place} NaN 0")
    return [*lines, "EOD"]
