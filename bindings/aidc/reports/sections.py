# SPDX-License-Identifier: GPL-2.0-only
"""The sections of a report's page, as HTML: what has been found comes first, as a matrix of mechanisms by
what they are for."""

from __future__ import annotations

import html
import os
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Optional
from urllib.parse import quote

from aidc.experiments.description import known_description
from aidc.experiments.numbers import highest
from aidc.experiments.results import Finding, Metric, Results, Sweep, read_rows, read_timeline_notes
from aidc.reports.charts import Chart
from aidc.reports.page import Cell, link_list, quantity, table


def rows_table(experiment: Results) -> str:
    """The rows of single quantities that runs have written, as HTML; empty if there are none."""
    described = known_description(experiment.name)
    rows = read_rows(experiment.folder / described.rows) if described and described.rows else []
    if not rows:
        return ""
    header = list(rows[0])

    return table(header, [[Cell(row[name], _number_of(row[name]), is_head=name == "quantity")
                           for name in header] for row in rows])


def experiment_tables(experiment: Results) -> tuple[str, Mapping[str, str]]:
    """The table of the main metrics; and the table of all, shown when the reader asks for it."""
    known = {metric.name for metric in experiment.metrics}
    names = [name for name in experiment.main_metrics if name in known]
    largest = {
        (scenario, name): highest(m.value for m in experiment.metrics
                                  if (m.scenario, m.name) == (scenario, name))
        for scenario in experiment.scenarios for name in names
    }
    # Nobody reads a column that says the same in each row.
    keys = ["scenario", "scheme"] if len(experiment.scenarios) > 1 else ["scheme"]
    rows = [
        [*(Cell({"scenario": scenario, "scheme": scheme}[key], is_head=key == "scheme") for key in keys),
         *(_metric_cell(experiment.find(scenario, scheme, name), largest[scenario, name],
                        f"{scheme}@{scenario}/{name}") for name in names)]
        for scenario, scheme in experiment.pairs
    ]
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
    median = quantity(metric.median, metric.unit, largest=largest, is_whole=metric.is_whole)
    return Cell(text, metric.value, name, more="" if metric.median is None else median)


def chart_figures(charts: Sequence[Chart], folder: Path) -> str:
    """The places of charts, which the browser draws."""
    figures = [f'<figure data-chart="{place}"><h3>{html.escape(chart.title)}</h3>'
               f'<p class="about">{html.escape(chart.about)}</p></figure>' for place, chart in enumerate(charts)]
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
        *_versions(summary),
    ]
    cells = [[Cell(name), Cell(f"{value['value']} {value.get('unit', '')}".strip()
                               if isinstance(value, dict) and "value" in value else str(value))]
             for name, value in parameters.items()]
    more = f"<details><summary>Parameters</summary>{table(['parameter', 'value'], cells)}</details>"
    return fact_list(rows) + (more if cells else "")


def _versions(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    parameters = summary.get("parameters")
    aidc = parameters.get("aidc") if isinstance(parameters, dict) else ""
    return [("ns-3", html.escape(str(summary.get("ns3") or ""))), ("aidc", html.escape(str(aidc or "")))]


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
    return fact_list(rows + (_versions(sweep.first_run.summary) if sweep.first_run else []))


def sweep_table(sweep: Sweep) -> str:
    """The means of a sweep."""
    header = [*sweep.vary, "scenario", "scheme", "metric", "mean", "seeds"]
    rows = [
        [*(Cell(value, _number_of(value)) for value in mean.values),
         Cell(mean.scenario), Cell(mean.scheme), Cell(mean.name),
         Cell(quantity(mean.value, mean.unit, mean.ci95), mean.value),
         Cell(str(mean.seeds), mean.seeds)]
        for mean in sweep.means
    ]
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
    found = [dict(zip(header, row)) for row in rows]
    counts = Counter(row["verdict"] for row in found)
    said = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    shown = [name for name in header if name not in ("a_ci95", "b_ci95", "unit")]
    cells = [[_comparison_cell(name, row) for name in shown] for row in found]
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

PACKAGE = Path(__file__).resolve().parents[1]

STYLES = ("better", "worse", "inconclusive")
"""Verdicts that have a style of their own."""

MOST_OUTLIERS = 5
"""The most runs that are told of."""


def matrix(experiment: Results, folder: Path) -> str:
    """Mechanisms by metrics: the main metric first, then what each mechanism is for.

    folder is the report's.
    """
    main = experiment.main_metrics[0]
    columns = {
        _label_of(experiment, main): [f for f in experiment.findings if f.metric == main],
        "what it is for": [f for f in experiment.findings if f.is_goal and f.metric != main],
        "side effects": [f for f in experiment.findings if not f.is_goal and f.metric != main],
    }
    columns = {title: found for title, found in columns.items() if found}
    heads = "".join(f'<th scope="col">{html.escape(title)}</th>' for title in columns)
    baselines = list(dict.fromkeys(f.baseline for f in experiment.findings))
    rows = []
    for baseline in baselines:
        if len(baselines) > 1:
            rows.append(f'<tr class="against"><th colspan="{len(columns) + 1}">compared with '
                        f"<em>{html.escape(baseline)}</em></th></tr>")
        own = [f for f in experiment.findings if f.baseline == baseline]
        rows += [_row(experiment, [f for f in own if f.scheme == scheme], columns.values(), folder)
                 for scheme in dict.fromkeys(f.scheme for f in own)]
    return (f'<p class="about">{_about(experiment, baselines)}</p>'
            f'<table class="matrix"><thead><tr><th scope="col">mechanism</th>{heads}</tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table>{_sentences(experiment, folder)}")


def _row(experiment: Results, own: Sequence[Finding], columns: Iterable[Sequence[Finding]],
         folder: Path) -> str:
    """The row of a mechanism: its name and scheme, and its findings by column."""
    first = own[0]
    has_scenarios = len({f.scenario for f in experiment.findings}) > 1
    color = experiment.styles[first.scheme].color if first.scheme in experiment.styles else "none"
    name = chapter_link(first.chapter, first.subject or first.scheme, folder)
    cells = [f'<th scope="row"><span class="swatch" style="background:{color}"></span>{name}'
             f"<small><code>{html.escape(first.scheme)}</code></small></th>"]
    for column in columns:
        items = [_item(experiment, f, first.subject, has_scenarios) for f in column if f in own]
        kind = ' class="main"' if column[0].metric == experiment.main_metrics[0] else ""
        cells.append(f"<td{kind}><ul>{''.join(items)}</ul></td>")
    return f"<tr>{''.join(cells)}</tr>"


def _label_of(experiment: Results, metric: str) -> str:
    """What a metric is, in words."""
    return next((f.label for f in experiment.findings if f.metric == metric), metric)


def _about(experiment: Results, baselines: Sequence[str]) -> str:
    compared = f"Compared with <em>{html.escape(baselines[0])}</em>" if len(baselines) == 1 else "Compared"
    runs = max((len(metric.runs) for metric in experiment.metrics), default=1)
    if runs <= 1:
        return f"{compared} in one run, which has no verdict; <code>--runs=10</code> gives verdicts."
    return (f"{compared} in {runs} pairs of runs. Numbers: medians, of that scheme → of the mechanism; "
            "× the geometric mean of the ratios, and its 95 % confidence interval. <em>Better</em> and "
            "<em>worse</em>: the pairs differ beyond chance (5 %). <em>Inconclusive</em>: these runs "
            "cannot tell.")


def _item(experiment: Results, found: Finding, subject: str, has_scenario: bool) -> str:
    """A verdict with what was measured and its numbers."""
    words = html.escape(found.label) + (f" in {html.escape(found.scenario)}" if has_scenario else "")
    other, colon = (html.escape(found.subject), ": ") if found.subject != subject else ("", "")
    return (f'<li class="{_style(found)}"><b class="verdict">{html.escape(found.verdict)}</b> '
            f'{other}<span class="what">{colon}{words}</span> '
            f'<span class="numbers">{html.escape(_numbers(experiment, found))}</span></li>')


def _style(found: Finding) -> str:
    return found.verdict if found.verdict in STYLES else "unknown"


def _numbers(experiment: Results, found: Finding) -> str:
    """The numbers of a verdict: before, after, and their ratio."""
    before = experiment.find(found.scenario, found.baseline, found.metric)
    after = experiment.find(found.scenario, found.scheme, found.metric)
    if before is None or after is None or _middle(before) is _middle(after) is None:
        return ""
    is_whole = before.is_whole and after.is_whole
    unit = "share" if found.is_share else after.unit
    text = change(_middle(before), _middle(after), unit, is_whole=is_whole)
    if found.ratio is None:
        return text
    ends = f" ({' to '.join(map(_ratio, found.ratio_ci95))})" if found.ratio_ci95 else ""
    return f"{text}, × {_ratio(found.ratio)}{ends}"


def change(before: Optional[float], after: Optional[float], unit: str,
           is_whole: Optional[bool] = None) -> str:
    """Two numbers that are compared, with their unit once if it is the same."""
    largest = highest((before, after))
    first, second = (quantity(value, unit, largest=largest, is_whole=is_whole)
                     for value in (before, after))
    digits, _, name = first.partition(" ")
    return f"{digits if name and second.endswith(' ' + name) else first} → {second}"


def _ratio(ratio: float) -> str:
    """A ratio with at least two digits; without exponents, as few runs have wide intervals."""
    if ratio < 0.001:
        return "less than 0.001"
    if ratio < 0.1:
        return f"{ratio:.2g}"
    return f"{ratio:.2f}" if ratio < 100 else f"{ratio:,.0f}"


def _middle(metric: Metric) -> Optional[float]:
    """The median of a metric, or its one value."""
    return metric.value if metric.median is None else metric.median


def _sentences(experiment: Results, folder: Path) -> str:
    items = []
    for found in experiment.findings:
        if found.sentence:
            texts = f"chapter {found.chapter}", f"chapter “{found.chapter}” of the manual"
            link = f"<small>{chapter_link(found.chapter, texts[0], folder, texts[1])}</small>"
            items.append(f'<li class="{_style(found)}">{html.escape(found.sentence)} <b class="verdict">'
                         f'{html.escape(found.verdict)}</b> {link if found.chapter else ""}</li>')
    return (f"<details><summary>The same in sentences</summary>"
            f'<ul class="findings">{"".join(items)}</ul></details>')


def chapter_page(chapter: str, package: Path = PACKAGE) -> Optional[Path]:
    """The page of a chapter: HTML if ./aidc doc has made it, else its source. None in a package that
    pip has installed, which has no manual."""
    if package.parent.name != "bindings":
        return None
    checkout = package.parents[1]
    pages = (checkout / "build" / "html" / f"{chapter}.html", checkout / "doc" / f"{chapter}.rst")
    return next((page for page in pages if page.exists()), None)


def chapter_link(chapter: str, text: str, folder: Path, without: str = "") -> str:
    """A text as a link to a chapter, from a report in a folder; a text without a link if there is no page.

    The link is relative: a checkout may have another path where the report is read, such as outside
    of a container.
    """
    page = chapter_page(chapter) if chapter else None
    if page is None:
        return html.escape(without or text)
    address = quote(os.path.relpath(page, folder.resolve()))
    return f'<a href="{html.escape(address)}">{html.escape(text)}</a>'


def outlier_list(experiment: Results) -> str:
    """Runs that stand out, with what they waited for; empty if the folder does not say."""
    if experiment.outliers is None or experiment.summary.get("runs") == 1:
        return ""
    if not experiment.outliers:
        return "<p>No run took more than twice the median of its row.</p>"
    items = []
    for run in experiment.outliers[:MOST_OUTLIERS]:
        where = f" in {run.scenario}" if len(experiment.scenarios) > 1 else ""
        times = f"{run.value / run.median:.1f} times " if run.median else "against "
        items.append(
            f"<li><b>{html.escape(f'{run.scheme}{where}, run {run.run}')}</b>: "
            f"{html.escape(_label_of(experiment, run.metric))} {quantity(run.value, run.unit)}, {times}"
            f"the median of {quantity(run.median, run.unit)}. {html.escape(run.cause)}</li>")
    if (more := len(experiment.outliers) - MOST_OUTLIERS) > 0:
        items.append(f"<li>{more} more in summary.json</li>")
    return f'<ul class="outliers">{"".join(items)}</ul>'
