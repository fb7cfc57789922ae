# SPDX-License-Identifier: GPL-2.0-only
"""Figures of a sweep, drawn by gnuplot."""

from __future__ import annotations

import math
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from aidc.reports.styles import Style, all_styles, scale_for, styles_of

from .console import note
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
PLOT = 190
"""Width of a figure, and height of a plot without its texts, in pixels of the SVG."""

LETTER = 8
"""Width of a letter, in the same pixels."""

def draw(
    sweep: Sweep, means: Sequence[Mean], folder: Path, own: Mapping[str, Style] | None = None
) -> None:
    """Draws sweep-SCENARIO.png and .svg: metrics against the first option, a line a scheme.

    Where several options vary, the others have their first value. Only metrics that vary are drawn.
    """
    if not sweep.vary:
        return
    if not shutil.which("gnuplot"):
        note("No figures: gnuplot is not installed.")
        return
    first = tuple(values[0] for values in list(sweep.vary.values())[1:])
    shown = [m for m in means if m.values[1:] == first and math.isfinite(m.mean)]
    styles = all_styles(dict.fromkeys(m.scheme for m in means), own or {})
    script = ["set encoding utf8"]
    for scenario in dict.fromkeys(m.scenario for m in means):
        of_scenario = [m for m in shown if m.scenario == scenario]
        metrics = metrics_of(of_scenario)
        if metrics:
            script += Figure(sweep, scenario, of_scenario, metrics, styles).lines()
        else:
            note(f"No figure sweep-{scenario}: no metric varies")
    write_whole(folder / "sweep.gp", "\n".join(script) + "\n")
    command = ["gnuplot", "-d", "sweep.gp"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if ended.returncode != 0:
        reason = ended.stderr.strip() or f"exit code {ended.returncode}"
        note(f"No figures: gnuplot failed on {folder / 'sweep.gp'}: {reason}")


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
    """The figure of a scenario: a plot for each of some metrics, in two columns."""

    def __init__(
        self,
        sweep: Sweep,
        scenario: str,
        means: Sequence[Mean],
        metrics: Sequence[str],
        styles: Mapping[str, Style],
    ) -> None:
        self._sweep = sweep
        self._scenario = scenario
        self._means = means
        self._metrics = metrics
        self._styles = styles
        self._schemes = list(dict.fromkeys(m.scheme for m in means))
        self._option, *self._others = sweep.vary
        self._values = sweep.vary[self._option]

        # Values that are too long to stand side by side stand askew; or upright, where the last one
        # would not fit either.
        longest = LETTER * max(map(len, self._values))
        room = (0.4 * 0.6 / len(self._values) + 0.02) * WIDTH
        self._angle = 0
        if longest * len(self._values) > 0.38 * WIDTH:
            self._angle = 35 if longest * math.cos(math.radians(35)) <= room else 90
        self._below = 20 + longest * math.sin(math.radians(self._angle))
        widest = LETTER * max(map(len, self._schemes)) + 60
        self._in_row = max(1, min(len(self._schemes), int(0.9 * WIDTH / widest)))
        self._title = self._make_title()
        legend = math.ceil(len(self._schemes) / self._in_row)
        self._above = 20 * len(self._title) + 20 * legend + 20
        self._row = 26 + PLOT + self._below + 14
        self._height = self._above + math.ceil(len(metrics) / 2) * self._row + 24

    def lines(self) -> list[str]:
        """The lines that draw it."""
        script = []
        for place, metric in enumerate(self._metrics):
            for line, scheme in enumerate(self._schemes):
                script += self._data(place, metric, line, scheme)
        height = round(self._height)
        font = "noenhanced font 'sans-serif,13' background 'white'"
        double = "noenhanced font 'Sans,10' fontscale 2 linewidth 2 pointscale 2 background 'white'"
        for terminal, suffix in (
            (f"svg {font} size {WIDTH},{height}", "svg"),
            (f"pngcairo {double} size {2 * WIDTH},{2 * height}", "png"),
        ):
            script += [
                f"set terminal {terminal}",
                f"set output {quoted(f'sweep-{self._scenario}.{suffix}')}",
                "set multiplot",
                *self._legend(),
            ]
            for place, metric in enumerate(self._metrics):
                script += self._plot(place, metric)
            script += ["unset multiplot", "unset output"]
        return script

    def _make_title(self) -> list[str]:
        """The lines of the title."""
        fixed = [f", {other} = {self._sweep.vary[other][0]}" for other in self._others]
        seeds = "1 seed" if self._sweep.seeds == 1 else f"{self._sweep.seeds} seeds, 95 % intervals"
        words = f"{self._sweep.experiment}, {self._scenario}{''.join(fixed)}: {seeds}".split(" ")
        lines = [""]
        for word in words:
            if lines[-1] and (len(lines[-1]) + len(word)) * LETTER > 0.9 * WIDTH:
                lines.append("")
            lines[-1] += f" {word}" if lines[-1] else word
        return lines

    def _y(self, pixels: float) -> str:
        """A place on the screen, by its distance from the upper edge."""
        return f"screen {1 - pixels / self._height:.5f}"

    def _legend(self) -> list[str]:
        """The title and the legend, as a plot of its own without data."""
        script = ["unset border", "unset tics", "unset grid", "unset label", "unset xlabel"]
        for number, line in enumerate(self._title):
            script.append(
                f"set label {number + 1} {quoted(line)} at screen 0.06, {self._y(20 + 20 * number)}"
            )
        script += [
            f"set tmargin at {self._y(0)}",
            f"set bmargin at {self._y(self._above)}",
            "set lmargin at screen 0.06",
            "set rmargin at screen 0.985",
            "set xrange [0:1]",
            "set yrange [0:1]",
            f"set key at screen 0.06, {self._y(20 * len(self._title) + 12)} left top horizontal "
            f"maxcols {self._in_row} Left reverse samplen 2.5 width 1",
        ]
        lines = (f"NaN with linespoints {self._style(s)} title {quoted(s)}" for s in self._schemes)
        script += ["plot " + ", ".join(lines), "unset key", "unset label"]
        return script

    def _style(self, scheme: str) -> str:
        style = self._styles[scheme]
        return f"lw 1.5 pt {style.point} ps 0.8 lc rgb '{style.color}'"

    def _plot(self, place: int, metric: str) -> list[str]:
        """The plot of a metric."""
        of_metric = [m for m in self._means if m.metric == metric]
        unit = scale_of(of_metric)[1]
        top = self._above + place // 2 * self._row + 26
        left = 0.075 + place % 2 * 0.5
        tics = ", ".join(f"{quoted(value)} {x}" for x, value in enumerate(self._values))
        is_last = place + 2 >= len(self._metrics)
        script = [
            "set border 3 lc rgb '#404040'",
            "set grid ytics lt 1 lw 0.6 lc rgb '#D9D9D9'",
            f"set tmargin at {self._y(top)}",
            f"set bmargin at {self._y(top + PLOT)}",
            f"set lmargin at screen {left}",
            f"set rmargin at screen {left + 0.4}",
            f"set label 1 {quoted(metric + (f' ({unit})' if unit else ''))} "
            "at graph 0, graph 1 offset 0, 0.8",
            f"set xtics nomirror {f'rotate by -{self._angle}' if self._angle else 'norotate'} ({tics})",
            "set ytics nomirror autofreq format '%g'",
            f"set xrange [-0.4:{len(self._values) - 0.6}]",
            f"set yrange [{'0<*' if all(m.mean >= 0 for m in of_metric) else '*'}:*]",
            "set offsets 0, 0, graph 0.08, graph 0.08",
        ]
        if is_last:
            # At the same height, whatever the values are
            below = self._y(top + PLOT + self._below + 22)
            middle = left + 0.2
            script.append(f"set label 2 {quoted(self._option)} at screen {middle}, {below} center")
        lines = (
            f"{self._block(place, line)} using 1:2:3 with yerrorlines {self._style(scheme)} notitle"
            for line, scheme in enumerate(self._schemes)
            if any(m.scheme == scheme for m in of_metric)
        )
        return [*script, "plot " + ", ".join(lines), "unset label"]

    @staticmethod
    def _block(place: int, line: int) -> str:
        """The name of a block of data."""
        return f"$data_{place}_{line}"

    def _data(self, place: int, metric: str, line: int, scheme: str) -> list[str]:
        """A block of data: places of values, means and intervals; what is missing is a gap. Schemes
        stand a little beside each other, so that none hides another one."""
        of_metric = [m for m in self._means if m.metric == metric]
        factor = scale_of(of_metric)[0]
        found = {m.values[0]: m for m in of_metric if m.scheme == scheme}
        step = min(0.06, 0.3 / len(self._schemes))
        beside = step * (line - (len(self._schemes) - 1) / 2)
        lines = [f"{self._block(place, line)} << EOD"]
        for x, value in enumerate(self._values):
            mean = found.get(value)
            numbers = f"{mean.mean / factor!r} {(mean.ci95 or 0) / factor!r}" if mean else "NaN 0"
            lines.append(f"{x + beside!r} {numbers}")
        return [*lines, "EOD"]
