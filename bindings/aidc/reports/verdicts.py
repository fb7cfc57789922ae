# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What an experiment has found, as HTML: first a matrix of mechanisms by what they are for."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Optional
from urllib.parse import quote

from aidc.experiments.numbers import highest
from aidc.experiments.results import Finding, Metric, Results
from aidc.reports.page import quantity

PACKAGE = Path(__file__).resolve().parents[1]

STYLES = ("better", "worse", "inconclusive")
"""Verdicts that have a style of their own."""

MOST_OUTLIERS = 5
"""The most runs that are told of."""


def matrix(experiment: Results, folder: Path) -> str:
    """Mechanisms by metrics: the main metric first, then what each mechanism is for.

    folder is that of the report.
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
    ends = ""
    if found.ratio_ci95:
        low, high = map(_ratio, found.ratio_ci95)
        ends = f" ({low} to {high})"
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
            link = _chapter(found.chapter, folder)
            items.append(f'<li class="{_style(found)}">{html.escape(found.sentence)} '
                         f'<b class="verdict">{html.escape(found.verdict)}</b> {link}</li>')
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


def chapter_link(chapter: str, text: str, folder: Path) -> str:
    """A text as a link to a chapter, from a report in a folder; the text alone if there is no page.

    The link is relative: a checkout may have another path where the report is read, such as outside
    of a container.
    """
    page = chapter_page(chapter) if chapter else None
    if page is None:
        return html.escape(text)
    address = quote(os.path.relpath(page, folder.resolve()))
    return f'<a href="{html.escape(address)}">{html.escape(text)}</a>'


def _chapter(chapter: str, folder: Path) -> str:
    """Where to read more: a link or, without a page, the name of the chapter."""
    if not chapter:
        return ""
    if chapter_page(chapter) is None:
        return f"<small>chapter “{html.escape(chapter)}” of the manual</small>"
    return f"<small>{chapter_link(chapter, f'chapter {chapter}', folder)}</small>"


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
