# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Charts of results, as JSON for Plotly's script: it draws them in the browser.

A chart has views, one of which is shown at a time; what tells them apart are its dimensions, such as
the scenario and the metric.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

from aidc.reports.folders import Columns, Experiment, Metric, Sweep, read_columns
from aidc.reports.quantities import highest, quantity
from aidc.reports.styles import COLORS, Style, scale_for

__all__ = ["Chart", "experiment_charts", "sweep_charts"]

SYMBOLS = {5: "square", 7: "circle", 9: "triangle-up", 11: "triangle-down", 13: "diamond",
           4: "square-open", 6: "circle-open", 8: "triangle-up-open"}
"""Plotly's names of the shapes of points, by gnuplot's numbers."""

THRESHOLDS = {
    "buf_thrd_byte": ("Buf_Thrd", "#D55E00"),
    "ecn_thrd_byte": ("ECN_Thrd", "#0072B2"),
}
"""Columns with thresholds of a queue: their names and colors, which are those of gnuplot's figures."""

SET_THRESHOLDS = {"t1": "#E69F00", "t2": "#D55E00"}
"""Parameters that are thresholds of a queue whose series has none."""

UNITS = {"byte": "byte", "bps": "bit/s", "s": "s"}
"""The units of columns, by the last word of their names."""

WITHOUT_MEANING = ("wall_time",)
"""Metrics that are of the machine."""

POINTS = 600
"""Points of a line, at most."""

LINES = 32
"""Lines of a view, at most: those with the highest values."""

FEW = 14
"""A chart of at most as many bars has room for wide marks."""

ROW = 190
"""The height of a plot in pixels."""


@dataclass
class Chart:
    """A chart: a view for each combination of the values of its dimensions."""

    title: str
    about: str
    dimensions: dict[str, list[str]]
    views: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By the places of the values in their dimensions, as "0,2": Plotly's data and layout, and the
    names of the files that the view was made from."""

    def add(self, values: Sequence[str], figure: Mapping[str, Any], files: Iterable[Path]) -> None:
        """Adds the view of a combination."""
        places = [known.index(value) for known, value in zip(self.dimensions.values(), values)]
        names = list(dict.fromkeys(path.name for path in files))
        self.views[",".join(map(str, places))] = {**figure, "files": names}


def rounded(values: Iterable[Any], factor: float = 1) -> list[Any]:
    """Numbers divided by a factor, with as many digits as anybody can see; None for no number."""
    return [None if value is None or not math.isfinite(value) else float(f"{value / factor:.7g}")
            for value in values]


def thinned(x: Sequence[float], y: Sequence[float]) -> tuple[list[float], list[float]]:
    """A line of at most POINTS points: the least and the greatest of each part are kept."""
    if len(x) <= POINTS:
        return list(x), list(y)
    keep = {0, len(x) - 1}
    size = len(x) / (POINTS / 2 - 1)
    for part in range(POINTS // 2 - 1):
        places = range(round(part * size), min(len(x), round((part + 1) * size)))
        numbers = [place for place in places if math.isfinite(y[place])]
        if numbers:
            keep.add(min(numbers, key=y.__getitem__))
            keep.add(max(numbers, key=y.__getitem__))
    order = sorted(keep)
    return [x[place] for place in order], [y[place] for place in order]


def axis_title(name: str, unit: str) -> dict[str, Any]:
    """The title of an axis."""
    return {"text": f"{name} ({unit})" if unit else name}


def unit_of_column(name: str) -> str:
    """The unit of a column; 1 where its name has none."""
    return UNITS.get(name.rpartition("_")[2], "1")


# Metrics


def metric_chart(experiment: Experiment) -> Optional[Chart]:
    """Bars of a metric by scenario and scheme."""
    by_name: dict[str, list[Metric]] = {}
    for metric in experiment.metrics:
        if metric.value is not None and metric.name not in WITHOUT_MEANING:
            by_name.setdefault(metric.name, []).append(metric)
    first = [name for name in experiment.main_metrics if name in by_name]
    names = [*first, *(name for name in by_name if name not in first)]
    if not names:
        return None
    has_runs = any(len(metric.runs) > 1 for metric in experiment.metrics)
    about = (
        "Bars are means, with 95 % confidence intervals (Student's t); a dot is a run, a dash the median."
        if has_runs
        else "One run of each scheme: no interval."
    )
    chart = Chart("Metrics", about, {"metric": names})
    for name in names:
        files = [experiment.folder / "summary.json"]
        chart.add([name], _bars(by_name[name], experiment), files)
    return chart


def _bars(metrics: Sequence[Metric], experiment: Experiment) -> dict[str, Any]:
    """A figure of one metric: for each scheme a bar, the dots of its runs and their median.

    Schemes of one scenario have their names at the axis; of several scenarios, in the legend.
    """
    factor, unit = scale_for(highest(metric.value for metric in metrics), metrics[0].unit)
    schemes = [name for name in experiment.schemes if any(m.scheme == name for m in metrics)]
    scenarios = [name for name in experiment.scenarios if any(m.scenario == name for m in metrics)]
    width = 0.84 / len(schemes)
    places = {(scenario, scheme): group + width * (place - (len(schemes) - 1) / 2)
              for group, scenario in enumerate(scenarios) for place, scheme in enumerate(schemes)}
    data = []
    for scheme in schemes:
        own = [metric for metric in metrics if metric.scheme == scheme]
        x = [places[metric.scenario, scheme] for metric in own]
        color = experiment.styles[scheme].color
        has_runs = any(len(metric.runs) > 1 for metric in own)
        data.append({**_bar(own, x, factor), "name": scheme, "legendgroup": scheme,
                     "width": 0.86 * width,
                     "marker": {"color": color, "opacity": 0.55 if has_runs else 1}})
        data += _dots(*_runs(own, x, width, factor), scheme, color,
                      18 if len(scenarios) * len(schemes) <= FEW else 7)
    one = len(scenarios) == 1
    ticks: dict[float, str] = dict(enumerate(scenarios))
    if one:
        ticks = {places[scenarios[0], scheme]: scheme for scheme in schemes}
    layout = {
        "xaxis": {"tickvals": list(ticks), "ticktext": list(ticks.values()), "showgrid": False,
                  "zeroline": False},
        "yaxis": {"title": axis_title(metrics[0].name, unit), "rangemode": "tozero"},
        "showlegend": not one,
        "height": 380,
    }
    return {"data": data, "layout": layout}


def _bar(metrics: Sequence[Metric], x: Sequence[float], factor: float) -> dict[str, Any]:
    """The bars of a scheme, with its intervals."""
    halves = [metric.ci95 or 0 for metric in metrics]
    # What cannot be negative has no interval below 0.
    lower = [min(half, m.value or 0) if min([m.value or 0, *m.values]) >= 0 else half
             for half, m in zip(halves, metrics)]
    texts = [f"{m.scheme}, {m.scenario}: {quantity(m.value, m.unit, m.ci95, is_whole=m.is_whole)}"
             for m in metrics]
    return {
        "type": "bar",
        "x": list(x),
        "y": rounded((metric.value for metric in metrics), factor),
        "error_y": {"type": "data", "symmetric": False, "array": rounded(halves, factor),
                    "arrayminus": rounded(lower, factor), "visible": any(halves), "thickness": 1.4,
                    "color": "ink"},
        "hovertext": texts,
        "hoverinfo": "text",
    }


Point = tuple[Any, float, str]
"""A point: its place, its value in the unit of the axis, and its text at the cursor."""


def _runs(metrics: Sequence[Metric], x: Sequence[float], width: float,
          factor: float) -> tuple[list[Point], list[Point]]:
    """The runs of a scheme, beside each other over its bars, and their medians."""
    dots = []
    medians = []
    for metric, middle in zip(metrics, x):
        name = f"{metric.scheme}, {metric.scenario}"
        for run, value in enumerate(metric.runs if len(metric.runs) > 1 else ()):
            if value is not None and math.isfinite(value):
                place = middle + 0.6 * width * ((run + 0.5) / len(metric.runs) - 0.5)
                text = f"{name}, run {run + 1}: {quantity(value, metric.unit)}"
                dots.append((place, value / factor, text))
        if metric.median is not None:
            text = quantity(metric.median, metric.unit, is_whole=metric.is_whole)
            medians.append((middle, metric.median / factor, f"{name}: median {text}"))
    return dots, medians


def _dots(dots: Sequence[Point], medians: Sequence[Point], name: str, color: str,
          size: float) -> list[dict[str, Any]]:
    """Runs as dots, and medians as dashes of a size."""
    dash = {"color": "ink", "symbol": "line-ew", "size": size, "line": {"width": 3, "color": "ink"}}
    dot = {"color": color, "size": 6, "line": {"width": 1, "color": "ink"}}
    return [{"type": "scatter", "mode": "markers", "x": [x for x, _, _ in points],
             "y": rounded(y for _, y, _ in points), "marker": marker, "legendgroup": name,
             "showlegend": False, "hovertext": [text for _, _, text in points], "hoverinfo": "text"}
            for points, marker in ((dots, dot), (medians, dash)) if points]


def slowdown_chart(experiment: Experiment) -> Optional[Chart]:
    """The slowdown of flows by their size."""
    path = experiment.folder / "slowdown.csv"
    if not path.exists():
        return None
    table = read_columns(path)
    measures = [name for name in table if name.startswith("slowdown_")]
    scenarios = [name for name in experiment.scenarios if name in table.get("scenario", [])]
    if not measures or not scenarios or "bin_high_byte" not in table:
        return None
    chart = Chart("Slowdown by size of flow", "The completion time over that of the flow alone.",
                  {"scenario": scenarios, "measure": measures})
    for scenario, measure in itertools.product(scenarios, measures):
        data = []
        for scheme in experiment.schemes:
            rows = [row for row, names in enumerate(zip(table["scenario"], table["scheme"]))
                    if names == (scenario, scheme)]
            if rows:
                style = experiment.styles[scheme]
                data.append({
                    **_line(scheme, style),
                    "mode": "lines+markers",
                    "x": rounded(table["bin_high_byte"][row] for row in rows),
                    "y": rounded(table[measure][row] for row in rows),
                    "hovertext": [_size_text(table, row, scheme, measure) for row in rows],
                    "hoverinfo": "text",
                })
        layout = {
            "xaxis": {"type": "log", "title": axis_title("size up to", "byte")},
            "yaxis": {"type": "log", "title": axis_title(measure, "")},
            "height": 360,
        }
        chart.add([scenario, measure], {"data": data, "layout": layout}, [path])
    return chart


def _size_text(table: Columns, row: int, scheme: str, measure: str) -> str:
    """What the cursor shows of a point."""
    low, high = (scale_for(table[f"bin_{end}_byte"][row], "byte") for end in ("low", "high"))
    flows = table.get("flows", [math.nan] * (row + 1))[row]
    return (f"{scheme}: {table[measure][row]:.4g}<br>{table['bin_low_byte'][row] / low[0]:.4g} "
            f"{low[1]} to {table['bin_high_byte'][row] / high[0]:.4g} {high[1]}, {flows:.0f} flows")


def _line(name: str, style: Style, **more: Any) -> dict[str, Any]:
    """A line of a scheme."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "line": {"color": style.color, "width": 1.6, **more},
        "marker": {"color": style.color, "symbol": SYMBOLS.get(style.point, "circle"), "size": 7},
    }


# Series


class Rows:
    """Plots one below the other, with one axis of time."""

    def __init__(self) -> None:
        self.data: list[dict[str, Any]] = []
        self._axes: list[dict[str, Any]] = []
        self._shapes: list[dict[str, Any]] = []
        self._notes: list[dict[str, Any]] = []
        self._named: set[str] = set()

    def row(self, title: Mapping[str, Any], **axis: Any) -> str:
        """Adds a plot; returns the suffix of its axis."""
        self._axes.append({"title": dict(title), **axis})
        number = len(self._axes)
        return "" if number == 1 else str(number)

    def add(self, suffix: str, trace: Mapping[str, Any], group: str = "") -> None:
        """Adds a line to a plot. The legend has a name once, and of a group the first line."""
        name = group or str(trace.get("name", ""))
        self.data.append({"legendgroup": name, "showlegend": name not in self._named, **trace,
                          "xaxis": "x", "yaxis": f"y{suffix}"})
        self._named.add(name)

    def level(self, suffix: str, value: float, name: str, color: str) -> None:
        """Adds a horizontal line with its name."""
        self._notes.append({"text": name, "xref": "paper", "x": 1, "xanchor": "right", "y": value,
                            "yref": f"y{suffix}", "yanchor": "bottom", "showarrow": False,
                            "font": {"color": color, "size": 11}})
        self._shapes.append({"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": value,
                             "y1": value, "yref": f"y{suffix}",
                             "line": {"color": color, "width": 1, "dash": "dash"}})

    def instant(self, time: float, text: str, color: str) -> None:
        """Adds a vertical line through all plots; its text is shown at the cursor."""
        self._notes.append({"text": "\u25be", "hovertext": text, "x": time, "yref": "paper", "y": 1,
                            "yanchor": "bottom", "showarrow": False,
                            "font": {"color": color, "size": 13}})
        self._shapes.append({"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": time,
                             "x1": time, "line": {"color": color, "width": 1, "dash": "dot"}})

    def figure(self, time_unit: str) -> dict[str, Any]:
        """The figure."""
        count = len(self._axes)
        gap = min(0.09, 0.24 / count)
        height = (1 - gap * (count - 1)) / count
        layout: dict[str, Any] = {
            "height": 90 + ROW * count,
            "shapes": self._shapes,
            "annotations": self._notes,
            "xaxis": {"title": axis_title("time", time_unit), "anchor": "free", "position": 0},
        }
        for number, axis in enumerate(self._axes):
            top = 1 - number * (height + gap)
            name = "yaxis" + ("" if number == 0 else str(number + 1))
            layout[name] = {**axis, "domain": [max(0, top - height), top], "anchor": "x"}
        return {"data": self.data, "layout": layout}


@dataclass(frozen=True)
class Instant:
    """Something that happened in a run."""

    time_s: float
    text: str


Instants = Callable[[tuple[str, str]], Sequence[Instant]]
"""Gives what happened in the run of a scenario and a scheme."""


def series_charts(experiment: Experiment, instants: Instants) -> list[Chart]:
    """Charts of all files of series."""
    series = experiment.series()
    charts = []
    for kind, paths in series.items():
        tables = {pair: read_columns(path) for pair, path in paths.items()}
        tables = {pair: table for pair, table in tables.items() if any(table.values())}
        header = next(iter(tables.values()), {})
        if kind == "flows" and "slowdown" in header:
            charts.append(_distribution_chart(experiment, tables, paths))
        elif "time_s" in header and "event" not in header:
            texts = [name for name, column in header.items() if _is_text(column) and name != "region"]
            if texts:
                charts += _split_charts(experiment, kind, texts[0], tables, paths)
            else:
                charts.append(_time_chart(experiment, kind, tables, paths, series, instants))
    return charts


def _is_text(column: Sequence[Any]) -> bool:
    """Does a column have texts?"""
    return bool(column) and isinstance(column[0], str)


def _times(tables: Iterable[Columns]) -> tuple[float, str]:
    """The unit of the axis of time."""
    return scale_for(highest(time for table in tables for time in table["time_s"]), "s")


def _time_chart(experiment: Experiment, kind: str, tables: Mapping[tuple[str, str], Columns],
                paths: Mapping[tuple[str, str], Path],
                series: Mapping[str, Mapping[tuple[str, str], Path]], instants: Instants) -> Chart:
    """Series of numbers over time, of all schemes of a scenario."""
    scenarios = list(dict.fromkeys(scenario for scenario, _ in tables))
    about = "Of the first run of each scheme. Dashed lines are thresholds"
    chart = Chart(f"Over time: {kind}", f"{about}, dotted ones links that fail or return.",
                  {"scenario": scenarios})
    for scenario in scenarios:
        own = {scheme: table for (name, scheme), table in tables.items() if name == scenario}
        factor, unit = _times(own.values())
        rows = Rows()
        files = [paths[scenario, scheme] for scheme in own]
        if any(name in THRESHOLDS for table in own.values() for name in table):
            _add_queues(rows, experiment, own, factor)
        else:
            _add_columns(rows, experiment, own, factor)
        if kind == "queue" and "events" in series:
            files += _add_events(rows, experiment, scenario, series["events"], factor)
        for scheme in own:
            for instant in instants((scenario, scheme)):
                rows.instant(instant.time_s / factor, f"{scheme}: {instant.text}",
                             experiment.styles[scheme].color)
        chart.add([scenario], rows.figure(unit), files)
    return chart


def _add_queues(rows: Rows, experiment: Experiment, tables: Mapping[str, Columns],
                factor: float) -> None:
    """A plot for each scheme: its queue, and the thresholds that act on it."""
    longest = highest(v for table in tables.values() for v in table["occupancy_byte"])
    scale, unit = scale_for(longest, "byte")
    for scheme, table in tables.items():
        suffix = rows.row(axis_title(scheme, unit), rangemode="tozero")
        for name, (title, color) in THRESHOLDS.items():
            if name in table:
                x, y = thinned(table["time_s"], table[name])
                rows.add(suffix, {**_line(title, Style(color, 7), dash="dash", width=1.2),
                                  "x": rounded(x, factor), "y": rounded(y, scale)})
        x, y = thinned(table["time_s"], table["occupancy_byte"])
        rows.add(suffix, {**_line(scheme, experiment.styles[scheme]), "fill": "tozeroy",
                          "x": rounded(x, factor), "y": rounded(y, scale)})


def _add_columns(rows: Rows, experiment: Experiment, tables: Mapping[str, Columns],
                 factor: float) -> None:
    """A plot for each unit, with the lines of all schemes."""
    header = [name for name, column in next(iter(tables.values())).items()
              if name != "time_s" and not _is_text(column)]
    dashes = ("solid", "dot", "dash", "dashdot")
    for column_unit in dict.fromkeys(map(unit_of_column, header)):
        names = [name for name in header if unit_of_column(name) == column_unit]
        values = (v for table in tables.values() for name in names for v in table.get(name, ()))
        scale, unit = scale_for(highest(values), column_unit)
        suffix = rows.row(axis_title(", ".join(names), unit), rangemode="tozero")
        for (place, name), (scheme, table) in itertools.product(enumerate(names), tables.items()):
            if name in table:
                x, y = thinned(table["time_s"], table[name])
                title = scheme if place == 0 else f"{scheme}, {name}"
                line = _line(title, experiment.styles[scheme], dash=dashes[place % len(dashes)])
                points = {"x": rounded(x, factor), "y": rounded(y, scale)}
                rows.add(suffix, {**line, **points}, group=scheme)
        if "occupancy_byte" in names:
            parameters = experiment.summary.get("parameters") or {}
            for name, color in SET_THRESHOLDS.items():
                if isinstance(parameters.get(name), dict):
                    rows.level(suffix, parameters[name]["value"] / scale, name.upper(), color)


def _add_events(rows: Rows, experiment: Experiment, scenario: str,
                paths: Mapping[tuple[str, str], Path], factor: float) -> list[Path]:
    """Plots of what happened: rates as steps, other events as points."""
    tables = {scheme: read_columns(path) for (name, scheme), path in paths.items()
              if name == scenario}
    rates: dict[str, list[tuple[str, Columns, list[int]]]] = {}
    points: list[tuple[str, Columns, list[int]]] = []
    for scheme, table in tables.items():
        kinds: dict[str, list[int]] = {}
        for row, event in enumerate(table.get("event", [])):
            kinds.setdefault(event, []).append(row)
        for event, found in kinds.items():
            if event.endswith("-rate"):
                rates.setdefault(event, []).append((scheme, table, found))
            else:
                points.append((scheme, table, found))
    for event, lines in rates.items():
        scale, unit = scale_for(highest(t["value"][row] for _, t, found in lines for row in found),
                                "bit/s")
        suffix = rows.row(axis_title(event, unit), rangemode="tozero")
        for scheme, table, found in lines:
            by_node: dict[Any, list[int]] = {}
            for row in found:
                by_node.setdefault(table["node"][row], []).append(row)
            for node in list(by_node)[:1]:  # the others do alike
                x, y = thinned([table["time_s"][row] for row in by_node[node]],
                               [table["value"][row] for row in by_node[node]])
                rows.add(suffix, {**_line(scheme, experiment.styles[scheme], shape="hv"),
                                  "x": rounded(x, factor), "y": rounded(y, scale)})
    if points:
        suffix = rows.row({"text": "events"}, type="category")
        for scheme, table, found in points:
            kept = found[:: max(1, len(found) // POINTS)]
            texts = [f"{scheme}: {table['event'][row]} at node {table['node'][row]:.0f}, "
                     f"value {table['value'][row]:.6g}" for row in kept]
            rows.add(suffix, {
                **_line(scheme, experiment.styles[scheme]), "mode": "markers",
                "x": rounded((table["time_s"][row] for row in kept), factor),
                "y": [table["event"][row] for row in kept],
                "hovertext": texts, "hoverinfo": "text"})
    return [path for (name, _), path in paths.items() if name == scenario]


def _split_charts(experiment: Experiment, kind: str, by: str,
                  tables: Mapping[tuple[str, str], Columns],
                  paths: Mapping[tuple[str, str], Path]) -> list[Chart]:
    """Series that have a text in each row, such as the name of a port: a line for each text."""
    scenarios = list(dict.fromkeys(scenario for scenario, _ in tables))
    schemes = list(dict.fromkeys(scheme for _, scheme in tables))
    chart = Chart(f"Over time: {kind}", f"Of the first run: a line for each {by}.",
                  {"scenario": scenarios, "scheme": schemes})
    for (scenario, scheme), table in tables.items():
        names = [name for name, column in table.items() if name != "time_s" and not _is_text(column)]
        lines: dict[str, list[int]] = {}
        for row, text in enumerate(table[by]):
            lines.setdefault(text, []).append(row)
        factor, unit = _times([table])
        rows = Rows()
        colors = {text: COLORS[place % len(COLORS)] for place, text in enumerate(sorted(lines))}
        for name in names:
            scale, y_unit = scale_for(highest(table[name]), unit_of_column(name))
            suffix = rows.row(axis_title(name, y_unit), rangemode="tozero")
            tops = {text: highest(table[name][row] for row in found)
                    for text, found in lines.items()}
            for text in sorted(sorted(tops, key=lambda t: (-tops[t], t))[:LINES]):
                x, y = thinned([table["time_s"][row] for row in lines[text]],
                               [table[name][row] for row in lines[text]])
                rows.add(suffix, {"type": "scatter", "mode": "lines", "name": text,
                                  "line": {"color": colors[text], "width": 1.2},
                                  "x": rounded(x, factor), "y": rounded(y, scale)})
        figure = rows.figure(unit)
        figure["layout"]["showlegend"] = len(lines) <= len(COLORS)
        chart.add([scenario, scheme], figure, [paths[scenario, scheme]])
    return [chart] if chart.views else []


def _distribution_chart(experiment: Experiment, tables: Mapping[tuple[str, str], Columns],
                        paths: Mapping[tuple[str, str], Path]) -> Chart:
    """The distribution of the slowdowns of flows."""
    scenarios = list(dict.fromkeys(scenario for scenario, _ in tables))
    chart = Chart("Distribution of slowdowns", "The share of flows, of all runs, up to a slowdown.",
                  {"scenario": scenarios})
    for scenario in scenarios:
        data = []
        for (name, scheme), table in tables.items():
            values = sorted(v for v in table["slowdown"] if name == scenario and math.isfinite(v))
            if values:
                places = sorted({round(i * (len(values) - 1) / 199) for i in range(200)})
                data.append({
                    **_line(scheme, experiment.styles[scheme]),
                    "x": rounded(values[place] for place in places),
                    "y": rounded((place + 1) / len(values) for place in places),
                    "hovertemplate": f"{scheme}: %{{y:.1%}} of the flows up to %{{x:.4g}}"
                                     "<extra></extra>",
                })
        layout = {"xaxis": {"type": "log", "title": axis_title("slowdown", "")},
                  "yaxis": {"title": axis_title("share of flows", ""), "range": [0, 1.02]},
                  "height": 360}
        files = [path for (name, _), path in paths.items() if name == scenario]
        chart.add([scenario], {"data": data, "layout": layout}, files)
    return chart


def experiment_charts(experiment: Experiment, instants: Instants) -> list[Chart]:
    """All charts of an experiment."""
    charts = [metric_chart(experiment), slowdown_chart(experiment)]
    return [chart for chart in charts if chart] + series_charts(experiment, instants)


# Sweeps


def sweep_charts(sweep: Sweep) -> list[Chart]:
    """A metric against the first option that varies, a line a scheme."""
    if not sweep.vary:
        return []
    option, *others = sweep.vary
    by_metric: dict[str, list[Any]] = {}
    for mean in sweep.means:
        if mean.name not in WITHOUT_MEANING and math.isfinite(mean.value):
            by_metric.setdefault(mean.name, []).append(mean)
    varying = [name for name, means in by_metric.items() if len({m.value for m in means}) > 1]
    scenarios = list(dict.fromkeys(mean.scenario for mean in sweep.means))
    rest = [" ".join(f"{other}={value}" for other, value in zip(others, values))
            for values in itertools.product(*(sweep.vary[other] for other in others))]
    dimensions = {"metric": varying, "scenario": scenarios}
    if others:
        dimensions["other options"] = rest
    seeds = max((mean.seeds for mean in sweep.means), default=1)
    about = (f"Lines join the means of {seeds} seeds, with 95 % confidence intervals (Student's t); a dot is "
             "a run, a dash the median." if seeds > 1 else "One seed: no interval.")
    chart = Chart("Metrics", about, dimensions)
    for metric, scenario, fixed in itertools.product(varying, scenarios, rest):
        own = [m for m in by_metric[metric] if m.scenario == scenario
               and " ".join(f"{o}={v}" for o, v in zip(others, m.values[1:])) == fixed]
        if own:
            values = [metric, scenario, *([fixed] if others else [])]
            chart.add(values, _sweep_figure(sweep, option, own), [sweep.folder / "means.csv"])
    return [chart] if chart.views else []


def _sweep_figure(sweep: Sweep, option: str, means: Sequence[Any]) -> dict[str, Any]:
    """The figure of a metric in a scenario."""
    factor, unit = scale_for(highest(mean.value for mean in means), means[0].unit)
    data = []
    for scheme in sweep.schemes:
        own = [mean for mean in means if mean.scheme == scheme]
        if own:
            texts = [f"{scheme}, {option} = {m.values[0]}: "
                     f"{quantity(m.value, m.unit, m.ci95)}" for m in own]
            data.append({
                **_line(scheme, sweep.styles[scheme]), "mode": "lines+markers", "legendgroup": scheme,
                "x": [mean.values[0] for mean in own],
                "y": rounded((mean.value for mean in own), factor),
                "error_y": {"array": rounded(((mean.ci95 or 0) for mean in own), factor),
                            "visible": any(mean.ci95 for mean in own), "thickness": 1.2},
                "hovertext": texts, "hoverinfo": "text"})
            several = [mean for mean in own if len(mean.runs) > 1]
            place = f"{scheme}, {option} ="
            dots = [(m.values[0], run / factor, f"{place} {m.values[0]}: {quantity(run, m.unit)}")
                    for m in several for run in m.runs]
            medians = [(m.values[0], m.median / factor,
                        f"{place} {m.values[0]}: median {quantity(m.median, m.unit)}") for m in several]
            data += _dots(dots, medians, scheme, sweep.styles[scheme].color, 14)
    layout = {"xaxis": {"type": "category", "categoryarray": list(sweep.vary[option]),
                        "title": axis_title(option, "")},
              "yaxis": {"title": axis_title(means[0].name, unit)}, "height": 380}
    return {"data": data, "layout": layout}
