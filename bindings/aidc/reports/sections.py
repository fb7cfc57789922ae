# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The sections of a report's page, as HTML."""

from __future__ import annotations

import html
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Optional

from aidc.experiments.description import known_description
from aidc.experiments.numbers import highest
from aidc.experiments.results import Metric, Results, Sweep, read_rows, read_timeline_notes
from aidc.reports.charts import Chart
from aidc.reports.page import Cell, link_list, quantity, table


def rows_table(experiment: Results) -> str:
    """The rows of single quantities that runs have written, as HTML; empty if there are none."""
    described = known_description(experiment.name)
    rows = read_rows(experiment.folder / described.rows) if described and described.rows else []
    if not rows:
        return ""
    header = list(rows[0])

    def cell(name: str, text: str) -> Cell:
        try:
            return Cell(text, float(text))
        except ValueError:
            return Cell(text, is_head=name == "quantity")

    return table(header, [[cell(name, row[name]) for name in header] for row in rows])


def experiment_tables(experiment: Results) -> tuple[str, Mapping[str, str]]:
    """The table of the main metrics; and that of all, which is shown when the reader asks for it."""
    known = {metric.name for metric in experiment.metrics}
    names = [name for name in experiment.main_metrics if name in known]
    largest = {
        (scenario, name): highest(m.value for m in experiment.metrics
                                  if (m.scenario, m.name) == (scenario, name))
        for scenario in experiment.scenarios for name in names
    }
    # Nobody reads a column that says the same in each row.
    keys = ["scenario", "scheme"] if len(experiment.scenarios) > 1 else ["scheme"]
    rows = []
    for scenario, scheme in experiment.pairs:
        row = [Cell({"scenario": scenario, "scheme": scheme}[key], is_head=key == "scheme")
               for key in keys]
        row += [_metric_cell(experiment.find(scenario, scheme, name), largest[scenario, name],
                             f"{scheme}@{scenario}/{name}") for name in names]
        rows.append(row)
    runs = experiment.summary.get("runs", 1)
    about = (f"Means of {runs} runs ± the half-width of the 95 % confidence interval; small: medians."
             if runs != 1 else "One run of each scheme: no interval.")
    all_rows = [
        [Cell(m.scenario), Cell(m.scheme), Cell(m.name),
         Cell(quantity(m.value, m.unit, m.ci95, is_whole=m.is_whole), m.value),
         Cell("" if m.median is None else quantity(m.median, m.unit, is_whole=m.is_whole), m.median)]
        for m in experiment.metrics
    ]
    more = '<details data-table="metrics"><summary>All metrics</summary></details>'
    all_table = table(["scenario", "scheme", "metric", "mean", "median"], all_rows)
    return table([*keys, *names], rows, about) + more, {"metrics": all_table}


def _metric_cell(metric: Optional[Metric], largest: float, name: str) -> Cell:
    """A metric as the terminal shows it and, of several runs, its median."""
    if metric is None:
        return Cell("–", name=name)
    text = quantity(metric.value, metric.unit, metric.ci95, largest=largest, is_whole=metric.is_whole)
    median = ""
    if metric.median is not None:
        median = quantity(metric.median, metric.unit, largest=largest, is_whole=metric.is_whole)
    return Cell(text, metric.value, name, more=median)


def chart_figures(charts: Sequence[Chart], folder: Path) -> str:
    """The places of charts, which the browser draws."""
    figures = []
    for place, chart in enumerate(charts):
        figures.append(
            f'<figure data-chart="{place}"><h3>{html.escape(chart.title)}</h3>'
            f'<p class="about">{html.escape(chart.about)}</p></figure>'
        )
    again = f"./aidc report {shlex.quote(str(folder))}"
    gnuplot = ""
    if (folder / "figures.gp").exists():
        command = f"cd {shlex.quote(str(folder))} && gnuplot figures.gp"
        gnuplot = f"; figures for papers: <code>{html.escape(command)}</code>"
    made = f"<code>{html.escape(again)}</code> makes these charts again{gnuplot}."
    return "".join(figures) + f'<p class="again">{made}</p>'


def network_figure(about: str) -> str:
    """The place of the picture of the network, and what it shows."""
    return (
        f'<figure data-networks><p class="about">{html.escape(about)} Each half of a link has the color '
        "of the load that the node at this end sends. The slider chooses the time, and starts where the "
        "load is highest; the first run of each scheme is shown.</p></figure>"
    )


def timeline_table(experiment: Results) -> str:
    """The timelines of ranks, and who was slowest in each; empty without any. Raises ReportError."""
    header = ["scenario", "scheme", "slowest rank", "computes", "exposed communication", "ends",
              "busiest link", "its load"]
    rows = []
    names = []
    for (scenario, scheme), path in experiment.records("timeline"):
        notes = read_timeline_notes(path)
        names.append(path.name)
        rank = str(notes.get("slowest_rank", ""))
        row = [Cell(scenario), Cell(scheme), Cell(rank, _number_of(rank))]
        for name in ("computation", "exposed", "finish"):
            text = str(notes.get(f"slowest_rank_{name}", ""))
            row.append(Cell(text, _number_of(text.partition(" ")[0])))
        load = _number_of(str(notes.get("busiest_link_load", "")))
        row.append(Cell(str(notes.get("busiest_link", ""))))
        row.append(Cell("" if load is None else f"{100 * load:.1f} %", load))
        rows.append(row)
    if not rows:
        return ""
    about = ("The first run of each scheme. The slowest rank computes longest or, of several, ends "
             "last; the load of a link is the share of the time in which it has sent.")
    how = ("https://ui.perfetto.dev and chrome://tracing open these files, which have the "
           "operations, messages and waits of all ranks over time:")
    return f"{table(header, rows, about)}<p>{how}</p><p>{link_list(names)}</p>"


def fact_list(rows: Sequence[tuple[str, str]]) -> str:
    """Names and what they are, as HTML."""
    items = "".join(f"<dt>{html.escape(name)}</dt><dd>{text}</dd>" for name, text in rows if text)
    return f'<dl class="facts">{items}</dl>'


def facts(experiment: Results) -> str:
    """What ran: the command, seed, versions, how long it took, and the parameters."""
    summary = experiment.summary
    parameters = summary.get("parameters")
    parameters = parameters if isinstance(parameters, dict) else {}
    command = str(summary.get("command") or "")
    own = re.sub(rf"^\S*aidc-{re.escape(experiment.name)}\b", f"./aidc run {experiment.name}", command)
    walls = [metric for metric in experiment.metrics if metric.name == "wall_time"]
    seconds = sum(run for metric in walls for run in metric.runs or [metric.value] if run is not None)
    rows = [
        ("command", f"<code>{html.escape(own)}</code>" if own else ""),
        ("seed", html.escape(str(summary.get("seed", "")))),
        ("runs of each", html.escape(str(summary.get("runs", "")))),
        ("scenarios", html.escape(", ".join(experiment.scenarios))),
        ("schemes", "".join(
            f'<span class="swatch" style="background:{experiment.styles[scheme].color}"></span>'
            f"{html.escape(scheme)}&ensp;" for scheme in experiment.schemes)),
        ("simulations took", f"{seconds:.3g} s in all" if walls else ""),
        ("ns-3", html.escape(str(summary.get("ns3") or ""))),
        ("aidc", html.escape(str(parameters.get("aidc") or ""))),
    ]
    cells = [[Cell(name), Cell(_parameter(value))] for name, value in parameters.items()]
    more = ""
    if cells:
        more = f"<details><summary>Parameters</summary>{table(['parameter', 'value'], cells)}</details>"
    return fact_list(rows) + more


def _parameter(value: Any) -> str:
    if isinstance(value, dict) and "value" in value:
        return f"{value['value']} {value.get('unit', '')}".strip()
    return str(value)


def files_of(folder: Path) -> str:
    """The files of a folder."""
    names = sorted(path.name for path in folder.iterdir()
                   if path.is_file() and not path.name.startswith((".", "report"))
                   and path.suffix != ".partial")
    where = f"<p>In <code>{html.escape(str(folder))}</code>, beside this report.</p>"
    return f"{where}<details><summary>{len(names)} files</summary>{link_list(names)}</details>"


def sweep_facts(sweep: Sweep) -> str:
    """What a sweep ran."""
    words = ["./aidc", "sweep", sweep.name]
    words += [f"--vary={name}={','.join(values)}" for name, values in sweep.vary.items()]
    words += [f"--seeds={sweep.settings.get('seeds', 1)}", *sweep.settings.get("arguments", [])]
    command = sweep.settings.get("command") or shlex.join(words)  # of older versions
    rows = [
        ("command", f"<code>{html.escape(command)}</code>"),
        ("seeds", html.escape(str(sweep.settings.get("seeds", "")))),
        *((f"--{name}", html.escape(", ".join(values))) for name, values in sweep.vary.items()),
    ]
    if sweep.first_run:
        parameters = sweep.first_run.summary.get("parameters") or {}
        rows.append(("ns-3", html.escape(str(sweep.first_run.summary.get("ns3") or ""))))
        rows.append(("aidc", html.escape(str(parameters.get("aidc") or ""))))
    return fact_list(rows)


def sweep_table(sweep: Sweep) -> str:
    """The means of a sweep."""
    header = [*sweep.vary, "scenario", "scheme", "metric", "mean", "seeds"]
    rows = []
    for mean in sweep.means:
        options = [Cell(value, _number_of(value)) for value in mean.values]
        rows.append([
            *options, Cell(mean.scenario), Cell(mean.scheme), Cell(mean.name),
            Cell(quantity(mean.value, mean.unit, mean.ci95), mean.value),
            Cell(str(mean.seeds), mean.seeds),
        ])
    return table(header, rows, "Means over the seeds ± the half-width of the 95 % confidence interval.")


def _number_of(text: str) -> Optional[float]:
    """The number that a text is; None if it is none."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e300 else None


def comparison_table(a: Path, b: Path, header: Sequence[str],
                     rows: Sequence[Sequence[str]]) -> str:
    """Two results side by side."""
    counts: dict[str, int] = {}
    place = list(header).index("verdict")
    for row in rows:
        counts[row[place]] = counts.get(row[place], 0) + 1
    said = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    shown = [name for name in header if name not in ("a_ci95", "b_ci95", "unit")]
    cells = []
    for row in rows:
        own = dict(zip(header, row))
        cells.append([_comparison_cell(name, own) for name in shown])
    names = f"<code>a</code> is {html.escape(str(a))}, <code>b</code> is {html.escape(str(b))}."
    command = f"./aidc compare {shlex.quote(str(a))} {shlex.quote(str(b))}"
    return (
        f"<p>{names} {html.escape(said)}.</p>{table(shown, cells)}"
        f'<p class="again"><code>{html.escape(command)}</code> makes this report again.</p>'
    )


def _comparison_cell(name: str, row: Mapping[str, str]) -> Cell:
    """A cell of a comparison: a mean with its interval, or what the row says."""
    value = _number_of(row[name].rstrip(" %"))
    if name in ("a", "b") and value is not None:
        return Cell(quantity(value, row["unit"], _number_of(row[f"{name}_ci95"])), value)
    return Cell(row[name], value)
