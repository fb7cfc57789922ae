# SPDX-License-Identifier: GPL-2.0-only
"""Charts of results: what they show, whoever draws them.

The description of an experiment lists its charts as figures, made of panels, made of marks:

    def charts(results):
        yield from bars(results, "fct", "flow completion times", [Shown("fct_mean", "mean")])
        yield from queues(results, "queue of the receiver's port")

gnuplot.py draws them for papers, aidc.reports draws them with Plotly. All values are in SI units, and
values that are not finite are left out.
"""

from __future__ import annotations

import itertools
import math
import re
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Optional

from aidc.experiments.styles import COLORS, Style, scale_for

if TYPE_CHECKING:
    from aidc.experiments.results import Results, SweepMean

REGIONS = {
    "A": ("#DDF1EA", "A: Buf_Thrd - Offset > Floor"),
    "B": ("#F7E98F", "B: Buf_Thrd - Offset <= Floor < Buf_Thrd"),
    "C": ("#E5AECB", "C: Buf_Thrd <= Floor"),
}
"""The regions of coupled ECN: their colors and names."""

THRESHOLDS = {"buf_thrd_byte": ("Buf_Thrd", "#D55E00"), "ecn_thrd_byte": ("ECN_Thrd", "#0072B2")}
"""The thresholds of a queue: their names and colors."""

HEAT = ("#FBE38E", "#F0A83C", "#D55E00", "#4A1405")
"""From light to dark, so that they are in order without their hue."""

UNITS = {"byte": "byte", "bps": "bit/s", "byteps": "byte/s", "s": "s"}
"""The units of columns, by the last word of their names."""

MEASURES = {"p50": "median", "p99": "99th percentile", "mean": "mean"}

QUANTITY = re.compile(r"[-+]?(\d+\.?|\d*\.\d+)\d*(e[-+]?\d+)?\s*[A-Za-z/%]*", re.I)
"""A number, with its unit or not."""

MOST_NAMED = 64
"""So many rows of a heat map have names, at most."""


@dataclass(frozen=True)
class Axis:
    """An axis: its title, the unit of its values, and its ends, by default the ends of what is drawn."""

    title: str = ""
    unit: str = "1"
    is_log: bool = False
    low: Optional[float] = None
    high: Optional[float] = None
    ticks: Mapping[float, str] = field(default_factory=dict)
    """The names of places, where these are no numbers."""

    is_free: bool = False
    """May a linear axis of values begin elsewhere than at 0?"""

    def limits(self, values: Iterable[float], is_y: bool) -> tuple[float, float]:
        """The ends of the axis for some values."""
        kept = [v for v in values if math.isfinite(v) and (v > 0 or not self.is_log)]
        low, high = min(kept, default=0.0), max(kept, default=0.0)
        if self.is_log:
            low, high = (low or 1) / 1.1, (high or 1) * 1.1
        elif is_y:
            low = low if self.is_free else min(low, 0)
            room = 0.05 * (high - low)
            low, high = low - room if low < 0 else max(0.0, low - room), high + room
        low = low if self.low is None else self.low
        high = high if self.high is None else self.high
        return low, high if high > low else low * 10 if self.is_log else low + 1

    def scale(self, limits: tuple[float, float]) -> tuple[float, str]:
        """What values are divided by, and the title with the unit that they have then."""
        if self.ticks or self.is_log:
            return 1, self.title
        factor, unit = scale_for(max(map(abs, limits)), self.unit)
        return factor, f"{self.title} ({unit})" if unit else self.title

    def names(self, limits: tuple[float, float]) -> Mapping[float, str]:
        """The names of places; the names of decades on a logarithmic axis without any."""
        if self.ticks or not self.is_log:
            return self.ticks
        low, high = limits
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        steps = (1, 1.2, 1.5, 2, 3, 5, 7) if high < 5 * low else (1, 2, 5) if high < 100 * low else (1,)
        places = (step * 10.0**decade for decade in decades for step in steps)
        return {place: _short(place, self.unit) for place in places
                if low * 0.999 <= place <= high * 1.001}


def _short(value: float, unit: str) -> str:
    """A round number for an axis."""
    factor, name = scale_for(value, unit) if unit not in ("1", "packet") else (1, "")
    return f"{float(f'{value / factor:.6g}'):,.12g} {name}".strip()


TIME = Axis("Time", "s")


class Mark:
    """What a panel shows."""

    color: str
    label: str
    """The name in the legend; empty for none."""

    def ends(self) -> tuple[list[float], list[float]]:
        """Values that axes reach to, in x and in y."""
        return [], []

    def finite(self) -> Optional[Mark]:
        """The part of it that exists; None if there is nothing."""
        raise NotImplementedError


@dataclass
class Line(Mark):
    """Points, and what joins them: form is lines, steps, points or linespoints."""

    x: Sequence[float]
    y: Sequence[float]
    color: str
    label: str = ""
    form: str = "lines"
    point: int = 7
    """The shape of points, by gnuplot's number."""

    width: float = 1.5
    is_dashed: bool = False
    is_filled: bool = False
    halves: tuple[Sequence[float], Sequence[float]] = ((), ())
    """Of confidence intervals in x and in y, where there are some."""

    texts: Sequence[str] = ()
    """What stands at the points."""

    runs: Sequence[Sequence[float]] = ()
    """Of which points are means, where there were several."""

    def ends(self) -> tuple[list[float], list[float]]:
        x, y = ([*values, *(v + h for v, h in zip(values, halves)),
                 *(v - h for v, h in zip(values, halves) if v < 0 or v > h)]  # no counts below 0
                for values, halves in zip((self.x, self.y), self.halves))
        return x, [*y, *(run for runs in self.runs for run in runs)]

    def finite(self) -> Optional[Mark]:
        kept = [i for i, (x, y) in enumerate(zip(self.x, self.y)) if math.isfinite(x) and math.isfinite(y)]
        pick = lambda values: [values[i] for i in kept] if values else values
        return replace(self, x=pick(self.x), y=pick(self.y), texts=pick(self.texts), runs=pick(self.runs),
                       halves=(pick(self.halves[0]), pick(self.halves[1]))) if kept else None


@dataclass
class Bars(Mark):
    """Bars of one color: means, with the ends of their intervals and the values of the runs."""

    color: str
    label: str
    width: float
    unit: str
    x: list[float] = field(default_factory=list)
    y: list[float] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    intervals: list[tuple[float, float]] = field(default_factory=list)
    runs: list[Sequence[float]] = field(default_factory=list)
    """Of each bar; none where there was one run."""

    medians: list[Optional[float]] = field(default_factory=list)

    def dots(self) -> list[tuple[int, float, float]]:
        """The runs side by side over their bars: the number of the bar, the place, the value."""
        return [(bar, x + 0.6 * self.width * ((run + 0.5) / len(values) - 0.5), value)
                for bar, (x, values) in enumerate(zip(self.x, self.runs))
                for run, value in enumerate(values) if math.isfinite(value)]

    def ends(self) -> tuple[list[float], list[float]]:
        ends = (end for interval in self.intervals for end in interval)
        return [], [*self.y, *ends, *(value for _, _, value in self.dots())]

    def finite(self) -> Optional[Mark]:
        return self if self.x else None


@dataclass
class Boxes(Mark):
    """Rectangles of one color, behind all else: their left, right, lower and upper ends."""

    boxes: Sequence[tuple[float, float, float, float]]
    color: str
    label: str = ""

    def finite(self) -> Optional[Mark]:
        return self if self.boxes else None


@dataclass
class Panel:
    """Marks with two axes; the title of y stands above them."""

    marks: Sequence[Mark]
    x: Axis
    y: Axis
    height: int = 180
    """In pixels, without texts."""

    def limits(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The ends of both axes."""
        ends = [mark.ends() for mark in self.marks]
        return (self.x.limits((v for x, _ in ends for v in x), False),
                self.y.limits((v for _, y in ends for v in y), True))


@dataclass
class Figure:
    """A view of a chart: of a scenario, say. Its file is CHART-SCENARIO-SCHEME.png."""

    chart: str
    title: str
    panels: Sequence[Panel]
    view: Mapping[str, str] = field(default_factory=dict)
    about: str = ""
    """How to read it."""

    files: Sequence[str] = ("summary.json",)
    """What it is made from."""

    columns: int = 1

    @property
    def name(self) -> str:
        """The name of its files."""
        return "-".join([self.chart, *self.view.values()])


def whole(figures: Iterable[Figure]) -> Iterator[Figure]:
    """Figures without the parts of which there is nothing to draw."""
    for figure in figures:
        panels = [replace(panel, marks=marks) for panel in figure.panels
                  if (marks := [mark for mark in (mark.finite() for mark in panel.marks) if mark])]
        if panels:
            yield replace(figure, panels=panels)


def thinned(x: Sequence[float], y: Sequence[float], most: int) -> tuple[list[float], list[float]]:
    """A line of at most so many points: the least and the greatest of each part are kept."""
    if len(x) <= most:
        return list(x), list(y)
    keep = {0, len(x) - 1}
    size = len(x) / (most / 2 - 1)
    for part in range(most // 2 - 1):
        places = range(round(part * size), min(len(x), round((part + 1) * size)))
        if places:
            keep |= {min(places, key=y.__getitem__), max(places, key=y.__getitem__)}
    order = sorted(keep)
    return [x[place] for place in order], [y[place] for place in order]


def level(panel: Panel, value: float, label: str, color: str = "#595959") -> None:
    """Adds a horizontal line."""
    x, _ = panel.limits()
    panel.marks = [*panel.marks, Line(x, [value, value], color, label, is_dashed=True)]


# Metrics


@dataclass(frozen=True)
class Shown:
    """A panel of bars: one or several metrics, as words."""

    metrics: str
    title: str
    names: Sequence[str] = ()
    """Of several metrics, in the legend."""

    is_log: bool = False
    unit: str = ""
    """In place of the unit of the metrics."""

    high: Optional[float] = None
    schemes: Sequence[str] = ()
    """All, if empty."""


def bars_about(results: Results) -> str:
    """How to read bars."""
    if all(len(metric.runs) < 2 for metric in results.metrics):
        return "one run"
    return "bar: mean with its 95 % confidence interval; dot: a run; dash: the median"


def bars(results: Results, chart: str, title: str, panels: Sequence[Shown], *, each: bool = False,
         scenarios: Sequence[str] = (), only_differing: bool = False, columns: int = 1) -> Iterator[Figure]:
    """Bars by scheme: of each scenario a figure, or of all of them one, with their names at the axis.

    only_differing leaves out scenarios in which all schemes have the same values.
    """
    names = [name for panel in panels for name in panel.metrics.split()]
    known = [name for name in results.scenarios if name in (scenarios or results.scenarios)]
    for scenario in known if only_differing else ():
        own = [scheme for name, scheme in results.pairs if name == scenario]
        found = [[m.value if m else None for m in (results.find(scenario, scheme, name) for name in names)]
                 for scheme in own]
        if len(own) > 1 and all(values == found[0] for values in found):
            results.notes.append(f"Not in {chart}: {scenario}, where all schemes have the same")
            known = [name for name in known if name != scenario]
    for group in [[name] for name in known] if each else [known]:
        yield Figure(chart, title, [_bars(results, panel, group) for panel in panels],
                     {"scenario": group[0]} if each else {}, bars_about(results), columns=columns)


def _bars(results: Results, shown: Shown, scenarios: Sequence[str]) -> Panel:
    """A panel of bars. At the axis are scenarios or, of one scenario, schemes."""
    metrics = shown.metrics.split()
    pairs = [pair for pair in results.pairs
             if pair[0] in scenarios and pair[1] in (shown.schemes or results.schemes)]
    is_one, has_several = len(scenarios) == 1, len(metrics) > 1
    groups: dict[str, list[str]] = {}
    for scenario, scheme in pairs:
        groups.setdefault(scheme if is_one else scenario, []).append(scheme)
    most = len(metrics) if has_several else max(map(len, groups.values()), default=1)
    width = (0.84 if most > 1 else 0.7) / most
    marks: dict[str, Bars] = {}
    unit = shown.unit
    lowest = math.inf
    for place, name in enumerate(metrics):
        for scenario, scheme in pairs:
            group = scheme if is_one else scenario
            found = results.find(scenario, scheme, name)
            value = found.value if found else None
            if found is None or value is None or (shown.is_log and value <= 0):
                continue
            unit = unit or found.unit
            key = (shown.names or metrics)[place] if has_several else scheme
            color = COLORS[place] if has_several else results.styles[scheme].color
            slot, slots = (place, most) if has_several else (groups[group].index(scheme), len(groups[group]))
            bar = marks.setdefault(key, Bars(color, "" if is_one and not has_several else key, width, unit))
            bar.x.append(list(groups).index(group) + width * (slot - (slots - 1) / 2))
            bar.y.append(value)
            bar.names.append(", ".join([scheme, scenario, *([key] if has_several else [])]))
            half = found.ci95 or 0
            low = value - half
            bar.intervals.append((max(low, 0) if min([value, *found.values]) >= 0 else low, value + half))
            bar.runs.append(found.values if len(found.runs) > 1 else ())
            bar.medians.append(found.median)
            lowest = min(lowest, value)
    ticks = {float(place): name for place, name in enumerate(groups)}
    least = 10 ** math.floor(math.log10(lowest / 2)) if shown.is_log and marks else None
    order = (shown.names or metrics) if has_several else results.schemes
    return Panel([marks[key] for key in order if key in marks], Axis(low=-0.6, high=len(groups) - 0.4, ticks=ticks),
                 Axis(shown.title, unit or "1", shown.is_log, least, shown.high), 150)


# Series over time


def series_files(kind: str, pairs: Iterable[tuple[str, str]]) -> list[str]:
    """The names of files of series."""
    return [f"{kind}-{scenario}-{scheme}.csv" for scenario, scheme in pairs]


def by_scenario(results: Results, kind: str) -> Iterator[tuple[str, dict[str, Any], list[str]]]:
    """The series of each scenario by scheme, and their files."""
    tables = results.tables(kind)
    for scenario in dict.fromkeys(scenario for scenario, _ in tables):
        own = {scheme: table for (name, scheme), table in tables.items() if name == scenario}
        yield scenario, own, series_files(kind, [(scenario, scheme) for scheme in own])


def over_time(results: Results, kind: str, title: str, columns: Mapping[str, str],
              chart: str = "") -> Iterator[Figure]:
    """Series of each scenario: a panel for each column, with its title, and a line for each scheme."""
    for scenario, tables, files in by_scenario(results, kind):
        panels = []
        for column, name in columns.items():
            lines = [Line(table["time_s"], table[column], results.styles[scheme].color, scheme)
                     for scheme, table in tables.items() if column in table]
            panels.append(Panel(lines, TIME, Axis(name, UNITS.get(column.rpartition("_")[2], "1"))))
        yield Figure(chart or kind, title, panels, {"scenario": scenario}, "first run", files)


def queues(results: Results, title: str, kind: str = "queue") -> Iterator[Figure]:
    """Queues of each scenario: a panel for each scheme, with thresholds and the regions of coupled ECN.

    The axes fit the queue: its thresholds may be far above it, and it may be empty at the end.
    """
    for scenario, tables, files in by_scenario(results, kind):
        longest = max(v for table in tables.values() for v in table["occupancy_byte"])
        ends = {name: [1.2 * min(table[name]) for table in tables.values() if name in table]
                for name in THRESHOLDS}
        near = [end for end in ends["buf_thrd_byte"] if end < 3.5 * longest]
        high = max(1.35 * longest, min(ends["ecn_thrd_byte"], default=0), *near)
        first = min(table["time_s"][0] for table in tables.values())
        last = max(table["time_s"][-1] for table in tables.values())
        used = max((time for table in tables.values()
                    for time, depth in zip(table["time_s"], table["occupancy_byte"])
                    if depth > 0.02 * longest), default=last) - first
        is_soon_over = used < 0.5 * (last - first)
        x = replace(TIME, low=first, high=first + 1.2 * used if is_soon_over else last)
        panels = []
        for scheme, table in tables.items():
            away = " and ".join(name for column, (name, _) in THRESHOLDS.items()
                                if column in table and min(table[column]) > high)
            name = f"{scheme}, with {away} off the scale" if away else scheme
            y = Axis(name, "byte", low=0, high=high or 1)
            panels.append(Panel(_queue(results, scheme, table, high), x, y, 150))
        yield Figure(kind, title, panels, {"scenario": scenario}, "first run", files)


def _queue(results: Results, scheme: str, table: Any, high: float) -> list[Mark]:
    """The marks of a queue: regions, thresholds and the queue itself."""
    times = table["time_s"]
    changes = [(letter, next(same)[0]) for letter, same in
               itertools.groupby(zip(times, table.get("region", ())), key=lambda row: row[1])]
    ends = [*(since for _, since in changes[1:]), times[-1]]
    marks: list[Mark] = [
        Boxes([(since, end, 0.0, high) for (letter, since), end in zip(changes, ends) if letter == region],
              color, name) for region, (color, name) in REGIONS.items()]
    marks += [Line(times, table[column], color, name) for column, (name, color) in THRESHOLDS.items()
              if column in table]
    color = results.styles[scheme].color
    return [*marks, Line(times, table["occupancy_byte"], color, scheme, is_filled=True)]


Cells = dict[tuple[float, str], float]
"""Values by time and port."""


def heat(results: Results, kind: str, title: str, value: str, cells: Callable[[Any], Cells], *,
         highest: float = 0, most: int = 1000) -> Iterator[Figure]:
    """Heat maps of each scenario and scheme: values above 0 of ports, a row each, by switch.

    value is the name of the values; most is the number of ports: the ports with the highest sums.
    """
    for (scenario, scheme), table in results.tables(kind).items():
        found = cells(table)
        top = highest or max(found.values(), default=0)
        sums: dict[str, float] = {}
        for (_, port), number in found.items():
            sums[port] = sums.get(port, 0) + number
        if not any(sums.values()):
            results.notes.append(f"No figure {kind}-{scenario}-{scheme}: no {value} above 0")
            continue
        ports = list(sums)
        if len(ports) > most:
            ports = sorted(ports, key=lambda port: -sums[port])[:most]
        switches = list(dict.fromkeys(port.partition(":")[0] for port in ports))
        ports.sort(key=lambda port: switches.index(port.partition(":")[0]))
        rows = {port: -float(place) for place, port in enumerate(ports)}
        times = sorted({time for time, _ in found})
        step = min((b - a for a, b in zip(times, times[1:])), default=times[0] or 1e-4)
        marks = []
        edges = list(dict.fromkeys(math.ceil(top * (i + 1) / len(HEAT)) for i in range(len(HEAT))))
        for low, edge, color in zip([0, *edges], edges, HEAT):
            own = sorted((rows[port], time) for (time, port), number in found.items()
                         if low < number <= edge and port in rows)
            boxes: list[tuple[float, float, float, float]] = []
            for row, time in own:
                follows = boxes and boxes[-1][2] == row - 0.5 and abs(boxes[-1][1] - time) < 0.01 * step
                begin = boxes.pop()[0] if follows else time
                boxes.append((begin, time + step, row - 0.5, row + 0.5))
            marks.append(Boxes(boxes, color, f"{value} {low + 1:,} to {edge:,}"))
        names = {place: port if len(ports) <= MOST_NAMED else "" for port, place in rows.items()}
        x = replace(TIME, low=0, high=times[-1] + step)
        y = Axis(f"Ports, every {_short(step, 's')}", low=0.5 - len(ports), high=0.5, ticks=names)
        height = max(60, len(ports) * (15 if len(ports) <= MOST_NAMED else 7))
        yield Figure(kind, title, [Panel(marks, x, y, height)], {"scenario": scenario, "scheme": scheme},
                     "first run", series_files(kind, [(scenario, scheme)]))


# Slowdowns


def slowdowns(results: Results) -> Iterator[Figure]:
    """The slowdown of flows by their size, of each scenario: a panel for each measure."""
    path = results.folder / "slowdown.csv"
    table = results.read(path) if path.exists() else {}
    measures = [name for name in table if name.startswith("slowdown_")]
    rows = list(zip(table.get("scenario", ()), table.get("scheme", ())))
    for scenario in [name for name in results.scenarios if any(row[0] == name for row in rows)]:
        panels = []
        for measure in measures:
            lines = []
            for place, scheme in enumerate(results.schemes):
                own = [row for row, pair in enumerate(rows) if pair == (scenario, scheme)]
                beside = 1.06 ** (place - len(results.schemes) / 2)  # so that none hides another one
                ends = [(table["bin_low_byte"][row], table["bin_high_byte"][row]) for row in own]
                x = [beside * (math.sqrt(low * high) if low > 0 else high / 2) for low, high in ends]
                style = results.styles[scheme]
                lines.append(Line(x, [table[measure][row] for row in own], style.color, scheme,
                                  "linespoints", style.point))
            name = MEASURES.get(measure.partition("_")[2], measure)
            panels.append(Panel(lines, Axis("Flow size", "byte", is_log=True),
                                Axis(f"FCT slowdown, {name}", is_log=True, low=0.9)))
        about = "one run" if bars_about(results) == "one run" else ""
        yield Figure("slowdown", "slowdown by size of flow", panels, {"scenario": scenario}, about,
                     ["slowdown.csv"], columns=len(panels))


# Sweeps


def swept(option: str, values: Sequence[str], metric: str, title: str,
          lines: Mapping[str, Sequence[SweepMean]], styles: Mapping[str, Style],
          has_runs: bool = False) -> Panel:
    """A metric against the values of an option: lines or, where not all values are numbers, bars. Without
    dots of runs, lines stand a little apart, so that none hides another."""
    ticks = {float(place): value for place, value in enumerate(values)}
    has_bars = not all(QUANTITY.fullmatch(value) for value in values)
    step = 0.8 / len(lines) if has_bars else 0 if has_runs else min(0.06, 0.3 / len(lines))
    marks: list[Mark] = []
    unit = ""
    for number, (name, means) in enumerate(lines.items()):
        own = [mean for mean in means if mean.name == metric]
        unit = own[0].unit if own else unit
        x = [values.index(mean.values[0]) + step * (number - (len(lines) - 1) / 2) for mean in own]
        y = [mean.value for mean in own]
        halves = [mean.ci95 or 0 for mean in own]
        runs: list[Sequence[float]] = [
            [*mean.runs.values()] if has_runs and len(mean.runs) > 1 else () for mean in own
        ]
        style = styles[name]
        if has_bars:
            ends = [(value - half, value + half) for value, half in zip(y, halves)]
            medians = [statistics.median(values) if values else None for values in runs]
            marks.append(Bars(style.color, name, step, unit, x, y, [name] * len(own), ends, runs, medians))
        else:
            marks.append(Line(x, y, style.color, name, "linespoints", style.point, halves=([], halves),
                              runs=runs))
    x_axis = Axis(option, low=-0.5, high=len(values) - 0.5, ticks=ticks)
    return Panel(marks, x_axis, Axis(title, unit, is_free=not has_bars))
