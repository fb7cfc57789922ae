# SPDX-License-Identifier: GPL-2.0-only
"""Figures of a sweep, drawn by gnuplot."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

from aidc.experiments import gnuplot
from aidc.experiments.charts import MEASURES, Figure, swept, whole
from aidc.experiments.results import Sweep, SweepMean, varying
from aidc.experiments.styles import Style, all_styles

from .console import WrongUse, note, similar
from .sweeps import write_whole

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

LONGEST = 60
"""Letters of a description that is the title of an axis, at most."""


def draw(
    sweep: Sweep, metrics: Sequence[str] = (), descriptions: Mapping[str, str] | None = None
) -> None:
    """Draws sweep-SCENARIO.png, .svg and .pdf: metrics against the first option, a line a scheme.

    Where two options vary, the lines are the values of the second one, and each scheme has a figure.
    Others have their first value. Some metrics are drawn, by default the metrics that vary;
    descriptions describe options.
    """
    if not sweep.vary:
        return
    option, values = next(iter(sweep.vary.items()))
    x = axis_title(option, descriptions or {})
    n = sweep.settings["seeds"]
    seeds = "1 seed" if n == 1 else f"{n} seeds, 95 % intervals"
    known = dict.fromkeys(m.name for m in sweep.means)
    for name in metrics:
        if name not in known:
            raise WrongUse(
                f"There is no metric {name}{similar(name, known)}.",
                f"There are: {', '.join(known)}.",
            )
    figures = []
    for name, title, lines, styles in selections(sweep):
        means = [mean for line in lines.values() for mean in line]
        wanted = list(metrics) or metrics_of(means)
        panels = [swept(x, values, metric, in_words(metric), lines, styles)
                  for metric in wanted if any(mean.name == metric for mean in means)]
        if panels:
            figures.append(Figure(f"sweep-{name}", f"{sweep.name}, {title}: {seeds}", panels, columns=2))
        else:
            note(f"No figure sweep-{name}: no metric varies")
    write_whole(sweep.folder / "sweep.gp", gnuplot.script(whole(figures), "svg png pdf"))
    gnuplot.draw_by(sweep.folder / "sweep.gp")


Lines = dict[str, list[SweepMean]]


def selections(sweep: Sweep) -> Iterator[tuple[str, str, Lines, Mapping[str, Style]]]:
    """The figures of a sweep: their names and titles, and the means on their lines, whose styles follow."""
    _, *others = sweep.vary
    second, fixed = (others[0] if others else ""), others[1:]
    first = tuple(sweep.vary[option][0] for option in fixed)
    shown = [m for m in sweep.means if m.values[2:] == first and math.isfinite(m.value)]
    said = "".join(f", {option} = {sweep.vary[option][0]}" for option in fixed)
    for scenario in dict.fromkeys(m.scenario for m in sweep.means):
        of_schemes: Lines = {}
        for mean in shown:
            if mean.scenario == scenario:
                of_schemes.setdefault(mean.scheme, []).append(mean)
        if not second:
            yield scenario, scenario, of_schemes, sweep.styles
            continue
        styles = all_styles([f"{second} = {value}" for value in sweep.vary[second]], {})
        for scheme, means in of_schemes.items():
            has_one = len(of_schemes) == 1
            name = scenario if has_one else f"{scenario}-{scheme}"
            title = (scenario if has_one else f"{scenario}, {scheme}") + said
            lines: Lines = {}
            for mean in means:
                lines.setdefault(f"{second} = {mean.values[1]}", []).append(mean)
            yield name, title, lines, styles


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
    return list(dict.fromkeys([*(metric for metric in FIRST if metric in found), *found]))[:MOST]
