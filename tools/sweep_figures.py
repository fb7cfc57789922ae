# SPDX-License-Identifier: GPL-2.0-only
"""Figures of a sweep, drawn by gnuplot."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from aidc.reports.styles import Style, all_styles, scale_for, styles_of

from .console import WrongUse, note, similar
from .sweep_tables import WITHOUT_MEANING, Mean
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

__all__ = ["Style", "all_styles", "draw", "metrics_of", "scale_of", "styles_of"]

NOT_DRAWN = (*WITHOUT_MEANING, "packet_hops")
"""What is of the simulation itself."""

MOST = 8
"""Plots of a figure."""

WIDTH = 1000
COLUMN = 400
PLOT = 190
"""Width of a figure, and width and height of a plot without its texts, in pixels of the SVG."""

LETTER = 8
"""Width of a letter, in the same pixels."""

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

STATISTICS = {
    "max": "maximum",
    "mean": "mean",
    "p50": "median",
    "p99": "99th percentile",
}
"""The ends of the names of metrics, in words."""

UNITS = {"packet": "packets"}
"""The units of metrics in titles, where scales give none."""

QUANTITY = re.compile(r"[-+]?(\d+\.?|\d*\.\d+)\d*(e[-+]?\d+)?\s*[A-Za-z/%]*", re.I)
"""A number, with its unit or not."""

LONGEST = 60
"""Letters of a description that is the title of an axis, at most."""


def draw(
    sweep: Sweep,
    means: Sequence[Mean],
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
    if not shutil.which("gnuplot"):
        note("No figures: gnuplot is not installed.")
        return
    known = dict.fromkeys(m.metric for m in means)
    for name in metrics:
        if name not in known:
            raise WrongUse(
                f"There is no metric {name}{similar(name, known)}.",
                f"There are: {', '.join(known)}.",
            )
    script = ["set encoding utf8"]
    for name, selection in selections(sweep, means, own or {}):
        wanted = list(metrics) or metrics_of(selection.means)
        drawn = [m for m in wanted if any(mean.metric == m for mean in selection.means)]
        if drawn:
            script += Figure(sweep, name, selection, drawn, descriptions or {}).lines()
        else:
            note(f"No figure sweep-{name}: no metric varies")
    write_whole(folder / "sweep.gp", "\n".join(script) + "\n")
    command = ["gnuplot", "-d", "sweep.gp"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if ended.returncode != 0:
        reason = ended.stderr.strip() or f"exit code {ended.returncode}"
        note(f"No figures: gnuplot failed on {folder / 'sweep.gp'}: {reason}")


@dataclass(frozen=True)
class Selection:
    """What a figure shows: its title, its means, and the lines that they are on."""

    title: str
    means: Sequence[Mean]
    line_of: Callable[[Mean], str]
    styles: Mapping[str, Style]

    @property
    def lines(self) -> list[str]:
        """The names of the lines."""
        return list(dict.fromkeys(self.line_of(mean) for mean in self.means))


def selections(
    sweep: Sweep, means: Sequence[Mean], own: Mapping[str, Style]
) -> Iterator[tuple[str, Selection]]:
    """The figures of a sweep, by their names."""
    _, *others = sweep.vary
    second, fixed = (others[0] if others else ""), others[1:]
    first = tuple(sweep.vary[option][0] for option in fixed)
    shown = [m for m in means if m.values[2:] == first and math.isfinite(m.mean)]
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


def metrics_of(means: Sequence[Mean]) -> list[str]:
    """The metrics that are drawn: those whose values are not all the same, the first ones first."""
    found: dict[str, set[float]] = {}
    for mean in means:
        if mean.metric not in NOT_DRAWN:
            found.setdefault(mean.metric, set()).add(mean.mean)
    varying = [metric for metric, values in found.items() if len(values) > 1]
    known = [metric for metric in FIRST if metric in varying]
    return [*known, *(metric for metric in varying if metric not in FIRST)][:MOST]


def scale_of(means: Iterable[Mean]) -> tuple[float, str]:
    """The unit to show values of a metric in: how many of the summary's it is, and its name."""
    means = list(means)
    return scale_for(max(abs(mean.mean) for mean in means), means[0].unit)


def quoted(text: str) -> str:
    """A text for gnuplot."""
    return "'" + text.replace("'", "''") + "'"


class Figure:
    """A figure: a plot for each of some metrics, in two columns."""

    def __init__(
        self,
        sweep: Sweep,
        name: str,
        selection: Selection,
        metrics: Sequence[str],
        descriptions: Mapping[str, str],
    ) -> None:
        self._sweep = sweep
        self._name = name
        self._selection = selection
        self._metrics = metrics
        self._lines = selection.lines
        self._option = next(iter(sweep.vary))
        self._values = sweep.vary[self._option]
        self._x_title = axis_title(self._option, descriptions)
        self._has_bars = not all(QUANTITY.fullmatch(value) for value in self._values)
        self._width = WIDTH if len(metrics) > 1 else WIDTH // 2

        # Values that are too long to stand side by side stand askew; or upright, where the last one
        # would not fit either.
        longest = LETTER * max(map(len, self._values))
        room = 0.6 * COLUMN / len(self._values) + 20
        self._angle = 0
        if longest * len(self._values) > 0.95 * COLUMN:
            self._angle = 35 if longest * math.cos(math.radians(35)) <= room else 90
        self._below = 20 + longest * math.sin(math.radians(self._angle))
        widest = LETTER * max(map(len, self._lines)) + 60
        self._in_row = max(1, min(len(self._lines), int(0.9 * self._width / widest)))
        self._title = self._make_title()
        legend = math.ceil(len(self._lines) / self._in_row)
        self._above = 20 * len(self._title) + 20 * legend + 20
        self._row = 26 + PLOT + self._below + 14
        self._height = self._above + math.ceil(len(metrics) / 2) * self._row + 24

    def lines(self) -> list[str]:
        """The lines that draw it."""
        script = []
        for place, metric in enumerate(self._metrics):
            for number, line in enumerate(self._lines):
                script += self._data(place, metric, number, line)
        width, height = self._width, round(self._height)
        font = "noenhanced font 'sans-serif,13' background 'white'"
        double = "noenhanced font 'Sans,10' fontscale 2 linewidth 2 pointscale 2 background 'white'"
        paper = f"noenhanced font 'Sans,9' size {width / 100}in,{height / 100}in"
        for terminal, suffix in (
            (f"svg {font} size {width},{height}", "svg"),
            (f"pngcairo {double} size {2 * width},{2 * height}", "png"),
            (f"pdfcairo {paper}", "pdf"),
        ):
            script += [
                f"set terminal {terminal}",
                f"set output {quoted(f'sweep-{self._name}.{suffix}')}",
                "set multiplot",
                *self._legend(),
            ]
            for place, metric in enumerate(self._metrics):
                script += self._plot(place, metric)
            script += ["unset multiplot", "unset output"]
        return script

    def _make_title(self) -> list[str]:
        """The lines of the title."""
        seeds = "1 seed" if self._sweep.seeds == 1 else f"{self._sweep.seeds} seeds, 95 % intervals"
        words = f"{self._sweep.experiment}, {self._selection.title}: {seeds}".split(" ")
        lines = [""]
        for word in words:
            if lines[-1] and (len(lines[-1]) + len(word)) * LETTER > 0.9 * self._width:
                lines.append("")
            lines[-1] += f" {word}" if lines[-1] else word
        return lines

    def _x(self, pixels: float) -> str:
        """A place on the screen, by its distance from the left edge."""
        return f"screen {pixels / self._width:.5f}"

    def _y(self, pixels: float) -> str:
        """A place on the screen, by its distance from the upper edge."""
        return f"screen {1 - pixels / self._height:.5f}"

    def _legend(self) -> list[str]:
        """The title and the legend, as a plot of its own without data."""
        script = ["unset border", "unset tics", "unset grid", "unset label", "unset xlabel"]
        for number, line in enumerate(self._title):
            script.append(
                f"set label {number + 1} {quoted(line)} at {self._x(60)}, {self._y(20 + 20 * number)}"
            )
        script += [
            "set style fill solid 0.9 noborder",
            f"set tmargin at {self._y(0)}",
            f"set bmargin at {self._y(self._above)}",
            f"set lmargin at {self._x(60)}",
            f"set rmargin at {self._x(self._width - 15)}",
            "set xrange [0:1]",
            "set yrange [0:1]",
            f"set key at {self._x(60)}, {self._y(20 * len(self._title) + 12)} left top horizontal "
            f"maxcols {self._in_row} Left reverse samplen 2.5 width 1",
        ]
        kind = "boxes" if self._has_bars else "linespoints"
        lines = (f"NaN with {kind} {self._style(s)} title {quoted(s)}" for s in self._lines)
        script += ["plot " + ", ".join(lines), "unset key", "unset label"]
        return script

    def _style(self, line: str) -> str:
        style = self._selection.styles[line]
        color = f"lc rgb '{style.color}'"
        return color if self._has_bars else f"lw 1.5 pt {style.point} ps 0.8 {color}"

    def _plot(self, place: int, metric: str) -> list[str]:
        """The plot of a metric; the last one has both columns if it is alone in its row."""
        of_metric = [m for m in self._selection.means if m.metric == metric]
        unit = scale_of(of_metric)[1] or UNITS.get(of_metric[0].unit, "")
        top = self._above + place // 2 * self._row + 26
        left = 75 + place % 2 * WIDTH // 2
        is_alone = place % 2 == 0 and place + 1 == len(self._metrics)
        right = self._width - 25 if is_alone else left + COLUMN
        tics = ", ".join(f"{quoted(value)} {x}" for x, value in enumerate(self._values))
        is_positive = all(m.mean >= 0 for m in of_metric)
        least = "0" if self._has_bars else "0<*"
        script = [
            "set border 3 lc rgb '#404040'",
            "set grid ytics lt 1 lw 0.6 lc rgb '#D9D9D9'",
            f"set tmargin at {self._y(top)}",
            f"set bmargin at {self._y(top + PLOT)}",
            f"set lmargin at {self._x(left)}",
            f"set rmargin at {self._x(right)}",
            f"set label 1 {quoted(in_words(metric) + (f' ({unit})' if unit else ''))} "
            "at graph 0, graph 1 offset 0, 0.8",
            f"set xtics nomirror {f'rotate by -{self._angle}' if self._angle else 'norotate'} ({tics})",
            "set ytics nomirror autofreq format '%g'",
            f"set xrange [-0.5:{len(self._values) - 0.5}]",
            f"set yrange [{least if is_positive else '*'}:*]",
            f"set offsets 0, 0, graph 0.08, {0 if self._has_bars and is_positive else 'graph 0.08'}",
        ]
        if place // 2 == (len(self._metrics) - 1) // 2:  # in the last row, at the same height
            below = self._y(top + PLOT + self._below + 22)
            middle = self._x((left + right) / 2)
            script.append(f"set label 2 {quoted(self._x_title)} at {middle}, {below} center")
        kind = "using 1:2:3:4 with boxerrorbars" if self._has_bars else "using 1:2:3 with yerrorlines"
        lines = (
            f"{self._block(place, number)} {kind} {self._style(line)} notitle"
            for number, line in enumerate(self._lines)
            if any(self._selection.line_of(m) == line for m in of_metric)
        )
        return [*script, "plot " + ", ".join(lines), "unset label"]

    @staticmethod
    def _block(place: int, number: int) -> str:
        """The name of a block of data."""
        return f"$data_{place}_{number}"

    def _data(self, place: int, metric: str, number: int, line: str) -> list[str]:
        """A block of data: places of values, means, intervals, widths of bars; what is missing is a
        gap. Lines stand a little beside each other, so that none hides another one."""
        of_metric = [m for m in self._selection.means if m.metric == metric]
        factor = scale_of(of_metric)[0]
        found = {m.values[0]: m for m in of_metric if self._selection.line_of(m) == line}
        step = 0.8 / len(self._lines) if self._has_bars else min(0.06, 0.3 / len(self._lines))
        beside = step * (number - (len(self._lines) - 1) / 2)
        lines = [f"{self._block(place, number)} << EOD"]
        for x, value in enumerate(self._values):
            mean = found.get(value)
            numbers = f"{mean.mean / factor!r} {(mean.ci95 or 0) / factor!r}" if mean else "NaN 0"
            lines.append(f"{x + beside!r} {numbers} {step!r}")
        return [*lines, "EOD"]
