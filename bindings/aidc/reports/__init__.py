# SPDX-License-Identifier: GPL-2.0-only
"""Reports: what a run, a sweep or a comparison has found, as one HTML file to look at.

    from aidc import reports

    reports.write("results/incast")                     # results/incast/report.html
    reports.write("results/sweep-incast", "out.html")

A report needs no network and no other file. It reads what is in the folder, of this version or of an
older one, and needs no compiled library; but a Python that has the package plotly.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Union

from aidc.experiments.results import ReportError, Results, Sweep, open_folder
from aidc.reports.charts import Chart, experiment_charts, sweep_charts
from aidc.reports.fabric import describe, halved, instants_of, read_network
from aidc.reports.page import MOST_BYTES, Page
from aidc.reports.sections import (
    chart_figures,
    comparison_table,
    experiment_tables,
    facts,
    files_of,
    matrix,
    network_figure,
    outlier_list,
    rows_table,
    sweep_facts,
    sweep_table,
    timeline_table,
)

__all__ = ["ReportError", "write", "write_comparison"]


def write(folder: Union[str, Path], out: Union[str, Path, None] = None,
          python: Union[str, Path] = sys.executable) -> Path:
    """Writes the report of an experiment's or a sweep's results.

    folder has summary.json or sweep.json; out is the file to write, report.html of the folder by
    default; python is the Python that has plotly. Returns the path of the report. Raises ReportError
    where there is no such folder, a file in it cannot be read, or plotly is missing.
    """
    folder = Path(folder)
    results = open_folder(folder)
    path = Path(out) if out else folder / "report.html"
    page = _sweep_page(results) if isinstance(results, Sweep) else _experiment_page(results, path.parent)
    return _save(page, path, python)


def write_comparison(a: Union[str, Path], b: Union[str, Path], header: Sequence[str],
                     rows: Sequence[Sequence[str]], out: Union[str, Path, None] = None,
                     python: Union[str, Path] = sys.executable) -> Path:
    """Writes the report of a comparison, of which ./aidc compare has made the table.

    out is report-compare.html of the folder b by default. Returns its path. Raises ReportError.
    """
    path = Path(out) if out else Path(b) / "report-compare.html"
    page = Page(f"{a} and {b}", f"{Path(a).name} against {Path(b).name}")
    page.add("Comparison", comparison_table(Path(a), Path(b), header, rows))
    return _save(page, path, python)


def _experiment_page(experiment: Results, folder: Path) -> Page:
    page = Page(f"{experiment.name}: report", experiment.name,
                str(experiment.summary.get("question") or ""))
    networks = {pair: (path, read_network(path)) for pair, path in experiment.records("network")}
    instants = {pair: instants_of(network) for pair, (_, network) in networks.items()}
    charts = experiment_charts(experiment, instants)
    if experiment.findings:
        page.add("Verdicts", matrix(experiment, folder))
    if outliers := outlier_list(experiment):
        page.add("Runs that stand out", outliers)
    if rows := rows_table(experiment):
        page.add("Quantities", rows)
    tables, page.tables = experiment_tables(experiment)
    page.add("Results", tables)
    if timelines := timeline_table(experiment):
        page.add("Timelines", timelines)
    if networks:
        page.networks = [
            ({"scenario": scenario, "scheme": scheme, "file": path.name}, network)
            for (scenario, scheme), (path, network) in networks.items()
        ]
        first = next(network for _, network in networks.values())
        page.add("Network", network_figure(describe(first)))
    _add_charts(page, charts, experiment.folder)
    page.add("What ran", facts(experiment))
    page.add("Files", files_of(experiment.folder))
    return page


def _sweep_page(sweep: Sweep) -> Page:
    question = sweep.first_run.summary.get("question") if sweep.first_run else None
    page = Page(f"{sweep.name}: sweep", f"Sweep of {sweep.name}", str(question or ""))
    _add_charts(page, sweep_charts(sweep), sweep.folder)
    page.add("Results", sweep_table(sweep))
    page.add("What ran", sweep_facts(sweep))
    page.add("Files", files_of(sweep.folder))
    return page


def _add_charts(page: Page, charts: Sequence[Chart], folder: Path) -> None:
    if charts:
        page.charts = [dataclasses.asdict(chart) for chart in charts]
        page.add("Charts", chart_figures(charts, folder))


def _save(page: Page, path: Path, python: Union[str, Path]) -> Path:
    """Writes a page that is there as a whole or not at all, and not too large."""
    while len(content := page.text(python).encode()) > MOST_BYTES:
        if not page.networks:
            raise ReportError(
                f"{path}: the report would have {len(content)} bytes, more than {MOST_BYTES}"
            )
        if all(len(network["times_ns"]) <= 20 for _, network in page.networks):
            page.networks = page.networks[: len(page.networks) // 2]
        else:
            page.networks = [(names, halved(network)) for names, network in page.networks]
    partial = path.with_name(path.name + ".partial")
    try:
        partial.write_bytes(content)
        os.replace(partial, path)
    except OSError as error:
        raise ReportError(f"cannot write {path}: {error.strerror}") from None
    return path
