# SPDX-License-Identifier: GPL-2.0-only
"""Figures of a sweep, drawn by gnuplot."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from aidc.experiments import gnuplot
from aidc.experiments.charts import MEASURES, Axis, Bars, Figure, Line, Panel, whole
from aidc.experiments.results import SweepMean, varying
from aidc.experiments.styles import Style, all_styles

from .console import WrongUse, note, similar
from .sweeps import Sweep, write_whole

FIRST = (
    "goodput",
    "bound_share",
    "bus_bandwidth",
    "completion_time",
    "fct_p99",
    "fct_slowdown_p99",
    "dropped_packets",
    "pauses",
    "marked_packets",
    "queue_p99",
    "cnps",
    "retransmitted_packets",
    "reordered_packets",
    "load_imbalance",
    "migrations",
    "notifications",
    "unfinished_flows",
)
"""What is drawn first, where an experiment has it; its other metrics come in their order."""

OF_THE_SIMULATION = "packet_hops"
"""A metric of the simulation itself, which is not drawn."""

MOST = 8
"""Plots of a figure."""

WORDS = {
    "abw": "available bandwidth",
    "bfd": "BFD",
    "bgp": "BGP",
    "cnps": "congestion notification packets",
    "ecn": "ECN threshold",
    "fct": "flow completion time",
    "naks": "NAKs",
    "wan": "WAN",
    "xoff": "Xoff",
    "xoffs": "Xoffs",
}
"""Parts of the names of metrics in words, where they are not words."""

STATISTICS = {**MEASURES, "max": "maximum"}
"""The ends of the names of metrics, in words."""

QUANTITY = re.compile(r"[-+]?(\d+\.?|\d*\.\d+)\d*(e[-+]?\d+)?\s*[A-Za-z/%]*", re.I)
"""A number, with its unit or not."""

LONGEST = 60
"""Letters of a description that is the title of an axis, at most."""


def draw(
    sweep: Sweep,
    means: Sequence[SweepMean],
    folder: Path,
    own: Mapping[str, Style] | None = None,
    metrics: Sequence[str] = (),
    descriptions: Mapping[str, str] | None = None,
) -> None:
    """Draws sweep-SCENARIO.png, .svg and .pdf: metrics against the first option, a line a scheme.

    Where two options vary, the lines are the values of the second one, and each scheme has a figure.
    Others have their first value. What is drawn are some metrics, by default those that vary; own
    has the styles of schemes, descriptions are those of options.
    """
    if not sweep.vary:
        return
    known = dict.fromkeys(m.name for m in means)
    for name in metrics:
        if name not in known:
            raise WrongUse(
                f"There is no metric {name}{similar(name, known)}.",
                f"There are: {', '.join(known)}.",
            )
    figures = []
    for name, selection in selections(sweep, means, own or {}):
        wanted = list(metrics) or metrics_of(selection.means)
        drawn = [m for m in wanted if any(mean.name == m for mean in selection.means)]
        if drawn:
            figures.append(figure_of(sweep, name, selection, drawn, descriptions or {}))
        else:
            note(f"No figure sweep-{name}: no metric varies")
    write_whole(folder / "sweep.gp", gnuplot.script(whole(figures), "svg png pdf"))
    gnuplot.draw_by(folder / "sweep.gp")


@dataclass(frozen=True)
class Selection:
    """What a figure shows: its title, its means, and the lines that they are on."""

    title: str
    means: Sequence[SweepMean]
    line_of: Callable[[SweepMean], str]
    styles: Mapping[str, Style]

    @property
    def lines(self) -> list[str]:
        return list(dict.fromkeys(self.line_of(mean) for mean in self.means))


def selections(
    sweep: Sweep, means: Sequence[SweepMean], own: Mapping[str, Style]
) -> Iterator[tuple[str, Selection]]:
    """The figures of a sweep, by their names."""
    _, *others = sweep.vary
    second, fixed = (others[0] if others else ""), others[1:]
    first = tuple(sweep.vary[option][0] for option in fixed)
    shown = [m for m in means if m.values[2:] == first and math.isfinite(m.value)]
    said = "".join(f", {option} = {sweep.vary[option][0]}" for option in fixed)
    schemes = list(dict.fromkeys(m.scheme for m in means))
    for scenario in dict.fromkeys(m.scenario for m in means):
        of_scenario = [m for m in shown if m.scenario == scenario]
        if not second:
            styles = all_styles(schemes, own)
            yield scenario, Selection(scenario, of_scenario, lambda m: m.scheme, styles)
            continue
        line_of = lambda m: f"{second} = {m.values[1]}"
        styles = all_styles([f"{second} = {value}" for value in sweep.vary[second]], {})
        of_schemes = list(dict.fromkeys(m.scheme for m in of_scenario))
        for scheme in of_schemes:
            has_one = len(of_schemes) == 1
            name = scenario if has_one else f"{scenario}-{scheme}"
            title = (scenario if has_one else f"{scenario}, {scheme}") + said
            yield name, Selection(
                title, [m for m in of_scenario if m.scheme == scheme], line_of, styles
            )


def in_words(metric: str) -> str:
    """The name of a metric in words, such as "flow completion time, 99th percentile"."""
    parts = metric.split("_")
    statistic = STATISTICS.get(parts[-1]) if len(parts) > 1 else None
    words = " ".join(WORDS.get(part, part) for part in (parts[:-1] if statistic else parts))
    return f"{words}, {statistic}" if statistic else words


def axis_title(option: str, descriptions: Mapping[str, str]) -> str:
    """The title of the axis of an option: what its program says of it, and its name."""
    said = re.split(r"[;:.] |\.$", descriptions.get(option, ""))[0].strip()
    return f"{said} ({option})" if 0 < len(said) <= LONGEST else option


def metrics_of(means: Sequence[SweepMean]) -> list[str]:
    """The metrics that are drawn: those whose values are not all the same, the first ones first."""
    found = [metric for metric in varying(means) if metric != OF_THE_SIMULATION]
    known = [metric for metric in FIRST if metric in found]
    return [*known, *(metric for metric in found if metric not in FIRST)][:MOST]


def figure_of(
    sweep: Sweep,
    name: str,
    selection: Selection,
    metrics: Sequence[str],
    descriptions: Mapping[str, str],
) -> Figure:
    """A figure: a panel for each of some metrics, in two columns."""
    option, values = next(iter(sweep.vary.items()))
    seeds = "1 seed" if sweep.seeds == 1 else f"{sweep.seeds} seeds, 95 % intervals"
    ticks = {float(place): value for place, value in enumerate(values)}
    x = Axis(axis_title(option, descriptions), low=-0.5, high=len(values) - 0.5, ticks=ticks)
    has_bars = not all(QUANTITY.fullmatch(value) for value in values)
    panels = []
    for metric in metrics:
        means = [m for m in selection.means if m.name == metric]
        marks = [
            mark_of(selection, means, line, number, values, has_bars)
            for number, line in enumerate(selection.lines)
        ]
        panels.append(Panel(marks, x, Axis(in_words(metric), means[0].unit, is_free=not has_bars)))
    title = f"{sweep.experiment}, {selection.title}: {seeds}"
    return Figure(f"sweep-{name}", title, panels, columns=2)


def mark_of(
    selection: Selection,
    means: Sequence[SweepMean],
    line: str,
    number: int,
    values: Sequence[str],
    has_bars: bool,
) -> Bars | Line:
    """A line of a panel, or bars. Lines stand a little beside each other, so that none hides another."""
    n = len(selection.lines)
    step = 0.8 / n if has_bars else min(0.06, 0.3 / n)
    own = [m for m in means if selection.line_of(m) == line]
    x = [values.index(m.values[0]) + step * (number - (n - 1) / 2) for m in own]
    y = [m.value for m in own]
    halves = [m.ci95 or 0 for m in own]
    style = selection.styles[line]
    if not has_bars:
        return Line(x, y, style.color, line, "linespoints", style.point, halves=([], halves))
    ends = [(mean - half, mean + half) for mean, half in zip(y, halves)]
    return Bars(style.color, line, step, means[0].unit, x, y, [line] * len(own), ends)
