# SPDX-License-Identifier: GPL-2.0-only
"""Charts of results, as JSON for Plotly's script: it draws them in the browser.

They are the charts that the experiment describes, one of each metric, and the series that it does not. A
chart has views, one of which is shown at a time; its dimensions tell them apart, such as the scenario and
the metric.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from aidc.experiments.charts import (
    TIME,
    UNITS,
    Axis,
    Bars,
    Boxes,
    Figure,
    Line,
    Mark,
    Panel,
    Shown,
    bars,
    by_scenario,
    over_time,
    queues,
    series_files,
    slowdowns,
    swept,
    thinned,
    whole,
)
from aidc.experiments.description import known_description
from aidc.experiments.results import WITHOUT_MEANING, Results, Sweep, varying
from aidc.experiments.styles import COLORS
from aidc.reports.page import quantity

SYMBOLS = {1: "cross-thin-open", 2: "x-thin-open", 4: "square-open", 5: "square", 6: "circle-open",
           7: "circle", 8: "triangle-up-open", 9: "triangle-up", 11: "triangle-down", 13: "diamond"}
"""Plotly's names of the shapes of points, by gnuplot's numbers."""

POINTS = 600
"""Points of a line, at most."""

LINES = 32
"""Lines of a view, at most: those with the highest values."""

DOTTED = " Dotted lines are links that fail or return."

GAP = 62
"""The height of the texts between two panels, in pixels."""


@dataclass
class Chart:
    """A chart: a view for each combination of the values of its dimensions."""

    title: str
    about: str
    dimensions: dict[str, list[str]]
    views: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By the places of the values in their dimensions, as "0,2": Plotly's data and layout, and the
    names of the files that the view was made from."""


Instants = Mapping[tuple[str, str], Sequence[tuple[float, str]]]
"""What happened in the runs of scenarios and schemes: times in s, and texts."""


# What is drawn


def experiment_charts(experiment: Results, instants: Instants) -> list[Chart]:
    """All charts of an experiment."""
    metrics = [m.name for m in experiment.metrics if m.value is not None and m.name not in WITHOUT_MEANING]
    names = list(dict.fromkeys([*(name for name in experiment.main_metrics if name in metrics), *metrics]))
    figures = [replace(figure, view={"metric": name}) for name in names
               for figure in bars(experiment, "metrics", "Metrics", [Shown(name, name)])]
    described = known_description(experiment.name)
    own = list(described.charts(experiment)) if described else list(slowdowns(experiment))
    files = {file for figure in own for file in figure.files}
    rest = [figure for kind in experiment.series() for figure in _series(experiment, kind, files)]
    return _charts([*figures, *own, *rest], experiment, instants)


def _series(experiment: Results, kind: str, files: set[str]) -> Iterator[Figure]:
    """The series of a kind that the experiment does not describe."""
    if any(file in files for file in series_files(kind, experiment.pairs)):
        return
    header = next(iter(experiment.tables(kind).values()), {})
    title = f"Over time: {kind}"
    texts = [name for name, column in header.items() if _is_text(column) and name != "region"]
    if kind == "flows" and "slowdown" in header:
        yield from _distribution(experiment)
    elif "time_s" not in header or "event" in header:
        return
    elif texts:
        yield from _split(experiment, kind, title, texts[0])
    elif "occupancy_byte" in header:
        yield from queues(experiment, title, kind)
    else:
        columns = {name: name for name, column in header.items() if name != "time_s" and not _is_text(column)}
        yield from over_time(experiment, kind, title, columns)


def _is_text(column: Sequence[Any]) -> bool:
    return bool(column) and isinstance(column[0], str)


def _split(experiment: Results, kind: str, title: str, by: str) -> Iterator[Figure]:
    """Series that have a text in each row, such as the name of a port: a line for each text."""
    for (scenario, scheme), table in experiment.tables(kind).items():
        rows: dict[str, list[int]] = {}
        for row, text in enumerate(table[by]):
            rows.setdefault(text, []).append(row)
        colors = {text: COLORS[place % len(COLORS)] for place, text in enumerate(sorted(rows))}
        panels = []
        for name, column in table.items():
            if name == "time_s" or _is_text(column):
                continue
            top = {text: max((column[row] for row in found if math.isfinite(column[row])), default=0)
                   for text, found in rows.items()}
            lines = [Line([table["time_s"][row] for row in rows[text]], [column[row] for row in rows[text]],
                          colors[text], text if len(rows) <= len(COLORS) else "")
                     for text in sorted(sorted(top, key=lambda text: (-top[text], text))[:LINES])]
            panels.append(Panel(lines, TIME, Axis(name, UNITS.get(name.rpartition("_")[2], "1"))))
        yield Figure(kind, title, panels, {"scenario": scenario, "scheme": scheme},
                     f"first run, a line for each {by}", series_files(kind, [(scenario, scheme)]))


def _distribution(experiment: Results) -> Iterator[Figure]:
    for scenario, tables, files in by_scenario(experiment, "flows"):
        lines = []
        for scheme, table in tables.items():
            values = sorted(v for v in table["slowdown"] if math.isfinite(v))
            places = sorted({round(i * (len(values) - 1) / 199) for i in range(200)}) if values else []
            lines.append(Line([values[place] for place in places],
                              [(place + 1) / len(values) for place in places],
                              experiment.styles[scheme].color, scheme))
        share = Axis("Share of flows up to a slowdown", high=1.02)
        panel = Panel(lines, Axis("slowdown", is_log=True), share, 230)
        yield Figure("flows", "Distribution of slowdowns", [panel], {"scenario": scenario}, "all runs", files)


# How it is drawn


def _charts(figures: Iterable[Figure], experiment: Results, instants: Instants) -> list[Chart]:
    by_chart: dict[str, list[Figure]] = {}
    for figure in whole(figures):
        figure.view = figure.view or {"chart": figure.chart}
        by_chart.setdefault(figure.chart, []).append(figure)
    charts = []
    for own in by_chart.values():
        first = own[0]
        about = f"{first.about[:1].upper()}{first.about[1:]}." if first.about else ""
        dimensions = {name: list(dict.fromkeys(figure.view[name] for figure in own)) for name in first.view}
        chart = Chart(first.title[:1].upper() + first.title[1:], about, dimensions)
        for figure in own:
            places = [str(values.index(figure.view[name])) for name, values in dimensions.items()]
            happened = _instants_of(figure, experiment, instants)
            if happened and not chart.about.endswith(DOTTED):
                chart.about += DOTTED
            chart.views[",".join(places)] = {**_plotly(figure, happened), "files": list(figure.files)}
        charts.append(chart)
    return charts


def _instants_of(figure: Figure, experiment: Results, instants: Instants) -> list[tuple[float, str, str]]:
    """What happened in the runs of a figure over time: times, texts at the cursor, and colors."""
    if figure.panels[0].x.unit != TIME.unit:
        return []
    return [(time_s, f"{scheme}: {text}", experiment.styles[scheme].color) for scenario, scheme in experiment.pairs
            if figure.view.get("scenario") == scenario and figure.view.get("scheme", scheme) == scheme
            for time_s, text in instants.get((scenario, scheme), ())]


def _plotly(figure: Figure, happened: Iterable[tuple[float, str, str]]) -> dict[str, Any]:
    """Plotly's data and layout: panels one below the other."""
    height = sum(panel.height for panel in figure.panels) + GAP * (len(figure.panels) - 1)
    data: list[dict[str, Any]] = []
    labels: set[str] = set()
    layout: dict[str, Any] = {"height": height + 130, "annotations": [], "shapes": [],
                              "legend": {"y": 1 + 22 / height}}
    top = 1.0
    for number, panel in enumerate(figure.panels, 1):
        bottom = max(0, top - panel.height / height)
        suffix = "" if number == 1 else str(number)
        x_limits, y_limits = panel.limits()
        (x_factor, x_title), (y_factor, y_title) = panel.x.scale(x_limits), panel.y.scale(y_limits)
        for mark in panel.marks:
            for trace in _traces(mark, panel, x_factor, y_factor):
                is_new = bool(mark.label) and mark.label not in labels
                data.append({**trace, "showlegend": trace.get("showlegend", is_new) and is_new,
                             "legendgroup": mark.label, "xaxis": f"x{suffix}", "yaxis": f"y{suffix}"})
            labels.add(mark.label)
        is_lowest = number == len(figure.panels) or figure.panels[number].x.title != panel.x.title
        layout[f"xaxis{suffix}"] = {
            **_axis(panel.x, x_limits, x_factor), "anchor": f"y{suffix}",
            "title": {"text": x_title if is_lowest else ""}, "showgrid": not panel.x.ticks, "zeroline": False,
            **({"matches": "x"} if suffix and panel.x == figure.panels[0].x else {})}
        layout[f"yaxis{suffix}"] = {**_axis(panel.y, y_limits, y_factor), "domain": [bottom, top],
                                    "anchor": f"x{suffix}"}
        layout["annotations"].append({"text": y_title, "xref": "paper", "x": 0, "xanchor": "left",
                                      "yref": "paper", "y": top, "yanchor": "bottom", "showarrow": False})
        top = bottom - GAP / height
    for time_s, text, color in happened:  # vertical lines through all plots
        time = time_s / x_factor
        layout["annotations"].append({"text": "\u25be", "hovertext": text, "x": time, "yref": "paper", "y": 1,
                                      "yanchor": "bottom", "showarrow": False,
                                      "font": {"color": color, "size": 13}})
        layout["shapes"].append({"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": time, "x1": time,
                                 "line": {"color": color, "width": 1, "dash": "dot"}})
    return {"data": data, "layout": layout}


def _axis(axis: Axis, limits: tuple[float, float], factor: float) -> dict[str, Any]:
    names = axis.names(limits)
    ends = [math.log10(end) if axis.is_log else end / factor for end in limits]
    return {"range": _rounded(ends), **({"type": "log"} if axis.is_log else {}),
            **({"tickvals": list(names), "ticktext": list(names.values())} if names else {})}


def _rounded(values: Iterable[float], factor: float = 1) -> list[float]:
    """Numbers divided by a factor, with as many digits as anybody can see."""
    return [float(f"{value / factor:.7g}") for value in values]


def _traces(mark: Mark, panel: Panel, x_factor: float, y_factor: float) -> Iterator[dict[str, Any]]:
    if isinstance(mark, Boxes):
        corners = [((a, b, b, a, a), (c, c, d, d, c)) for a, b, c, d in mark.boxes]
        x, y = ([None if v is None else float(f"{v / factor:.7g}") for corner in corners
                 for v in (*corner[axis], None)] for axis, factor in ((0, x_factor), (1, y_factor)))
        yield {"type": "scatter", "mode": "none", "fill": "toself", "fillcolor": mark.color,
               "name": mark.label, "x": x, "y": y, "hoverinfo": "skip"}
    elif isinstance(mark, Bars):
        yield from _bar_traces(mark, y_factor)
    else:
        x, y = thinned(mark.x, mark.y, POINTS) if "points" not in mark.form else (mark.x, mark.y)
        modes = {"steps": "lines", "linespoints": "lines+markers", "points": "markers"}
        trace = {"type": "scatter", "mode": modes.get(mark.form, "lines"), "name": mark.label,
                 "x": _rounded(x, x_factor), "y": _rounded(y, y_factor),
                 "line": {"color": mark.color, "width": mark.width,
                          "shape": "hv" if mark.form == "steps" else "linear",
                          "dash": "dash" if mark.is_dashed else "solid"},
                 "marker": {"color": mark.color, "symbol": SYMBOLS[mark.point], "size": 7}}
        for name, halves, factor in zip(("error_x", "error_y"), mark.halves, (x_factor, y_factor)):
            if any(halves):
                trace[name] = {"array": _rounded(halves, factor), "thickness": 1.2, "color": mark.color}
        if mark.is_filled:
            trace["fill"] = "tozeroy"
        if mark.texts:
            trace |= {"text": list(mark.texts), "textposition": "top right", "mode": f"{trace['mode']}+text"}
        yield trace
        unit = panel.y.unit
        dots = [(x, run, f"{mark.label}: {quantity(run, unit)}")
                for x, runs in zip(mark.x, mark.runs) for run in runs]
        medians = [(x, (median := statistics.median(runs)), f"{mark.label}: median {quantity(median, unit)}")
                   for x, runs in zip(mark.x, mark.runs) if runs]
        yield from _dots(dots, medians, mark.color, y_factor)


def _bar_traces(mark: Bars, factor: float) -> Iterator[dict[str, Any]]:
    """Bars with their intervals, a dot for each run, and a dash for each median."""
    is_whole = [all(value == int(value) for value in runs or [y]) for runs, y in zip(mark.runs, mark.y)]
    halves = [high - y for (_, high), y in zip(mark.intervals, mark.y)]
    texts = [f"{name}: {quantity(y, mark.unit, half or None, is_whole=whole_)}"
             for name, y, half, whole_ in zip(mark.names, mark.y, halves, is_whole)]
    dots = mark.dots()
    yield {
        "type": "bar", "name": mark.label or mark.names[0].partition(",")[0], "x": mark.x,
        "y": _rounded(mark.y, factor), "width": 0.86 * mark.width, "hovertext": texts, "hoverinfo": "text",
        "marker": {"color": mark.color, "opacity": 0.55 if dots else 1},
        "error_y": {"type": "data", "symmetric": False, "array": _rounded(halves, factor),
                    "arrayminus": _rounded((y - low for (low, _), y in zip(mark.intervals, mark.y)), factor),
                    "visible": any(halves), "thickness": 1.4, "color": "ink"},
    }
    medians = [(x, median, f"{name}: median {quantity(median, mark.unit, is_whole=whole_)}")
               for x, median, name, whole_ in zip(mark.x, mark.medians, mark.names, is_whole)
               if median is not None]
    runs = [(x, value, f"{mark.names[bar]}, run: {quantity(value, mark.unit)}") for bar, x, value in dots]
    yield from _dots(runs, medians, mark.color, factor)


def _dots(runs: Sequence[tuple[Any, float, str]], medians: Sequence[tuple[Any, float, str]], color: str,
          factor: float) -> Iterator[dict[str, Any]]:
    """Runs as dots and medians as dashes: places, values, and texts at the cursor."""
    dot = {"color": color, "size": 6, "line": {"width": 1, "color": "ink"}}
    dash = {"color": "ink", "symbol": "line-ew", "size": 14, "line": {"width": 3, "color": "ink"}}
    for points, marker in ((runs, dot), (medians, dash)):
        if points:
            yield {"type": "scatter", "mode": "markers", "x": [x for x, _, _ in points],
                   "y": _rounded((y for _, y, _ in points), factor), "marker": marker, "showlegend": False,
                   "hovertext": [text for _, _, text in points], "hoverinfo": "text"}


# Sweeps


def sweep_charts(sweep: Sweep) -> list[Chart]:
    """Each metric that varies against the first option, a line a scheme; other options are dimensions."""
    means = [mean for mean in sweep.means if math.isfinite(mean.value)]
    metrics = varying(means)
    if not sweep.vary or not metrics:
        return []
    (option, values), *_ = sweep.vary.items()
    _, *others = sweep.vary
    seeds = max(mean.seeds for mean in means)
    about = (f"Lines join the means of {seeds} seeds, with 95 % confidence intervals (Student's t); a dot is "
             "a run, a dash the median." if seeds > 1 else "One seed: no interval.")
    rest = [" ".join(f"{other}={value}" for other, value in zip(others, given))
            for given in itertools.product(*(sweep.vary[other] for other in others))]
    dimensions = {"metric": metrics, "scenario": list(dict.fromkeys(mean.scenario for mean in sweep.means)),
                  **({"other options": rest} if others else {})}
    chart = Chart("Metrics", about, dimensions)
    for places in itertools.product(*(range(len(names)) for names in dimensions.values())):
        metric, scenario, fixed = [*(names[i] for names, i in zip(dimensions.values(), places)), ""][:3]
        own = [mean for mean in means if (mean.name, mean.scenario) == (metric, scenario)
               and " ".join(f"{o}={v}" for o, v in zip(others, mean.values[1:])) == fixed]
        if own:
            lines = {scheme: [mean for mean in own if mean.scheme == scheme] for scheme in sweep.schemes}
            panel = swept(option, values, metric, metric, lines, sweep.styles, has_runs=True)
            figure = Figure("metrics", "Metrics", [replace(panel, height=300)])
            chart.views[",".join(map(str, places))] = {**_plotly(figure, []), "files": ["means.csv"]}
    return [chart]
