#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draws the figures of an experiment again from parts of its results, as other command lines make
them: each scheme, each scenario, and each scheme of each scenario alone, and all of them with values
missing.

Usage: check-figures.py EXPERIMENT FOLDER

EXPERIMENT is the experiment's folder, with description.py; FOLDER has its results. No simulation is run.
The exit status is 0 if gnuplot draws without an error each time and a report has charts; 77 without
gnuplot, and 1 otherwise.
"""

import csv
import io
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bindings"))

from aidc.experiments import gnuplot
from aidc.experiments.description import description
from aidc.experiments.results import Results
from aidc.reports.charts import experiment_charts

SKIPPED = 77


def rows_of(path):
    """The rows of a table, the names of the columns first."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def text_of(rows):
    """A table as experiments write it."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def kind_of(name, pair):
    """What a series has: KIND of KIND-SCENARIO-SCHEME.csv."""
    return name[: -len("-" + "-".join(pair) + ".csv")]


class Parts:
    """What a run has written, as far as figures need it, and parts of it."""

    def __init__(self, folder):
        self.totals = rows_of(folder / "totals.csv")
        self.pairs = [tuple(row[:2]) for row in self.totals[1:]]
        self.tables = {}
        """Tables with a line for each scheme and scenario, by their file."""
        self.series = {}
        """Texts, by the file and its scenario and scheme."""
        for path in sorted(folder.glob("*.csv")):
            rows = rows_of(path)
            owners = [pair for pair in self.pairs if path.stem.endswith("-" + "-".join(pair))]
            if owners:
                self.series[path.name, max(owners, key=len)] = path.read_text(encoding="utf-8")
            elif path.name != "totals.csv" and rows[0][:2] == ["scenario", "scheme"]:
                self.tables[path.name] = rows
        self.summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))

    def files(self, keeps, is_empty=lambda _: False):
        """The files of some pairs of scenario and scheme; is_empty(kind) tells of which kind of series
        runs were too short for a sample, so that files have the names of columns only."""
        files = self.totals_of(keeps)
        for (name, pair), text in self.series.items():
            if keeps(*pair):
                is_short = is_empty(kind_of(name, pair))
                files[name] = text.partition("\n")[0] + "\n" if is_short else text
        for name, rows in self.tables.items():
            files[name] = text_of([rows[0], *(row for row in rows[1:] if keeps(*row[:2]))])
        return files

    def totals_of(self, keeps, is_missing=lambda *_: False):
        """The files of metrics; is_missing(scenario, scheme, metric) tells which values are missing.
        Without the others, which do not depend on values, there is less to draw."""
        rows = [self.totals[0]]
        metrics = [re.sub("_ci95$", "", column) for column in rows[0]]
        for row in self.totals[1:]:
            if keeps(*row[:2]):
                pairs = zip(metrics[2:], row[2:])
                values = ["nan" if is_missing(*row[:2], name) else value for name, value in pairs]
                rows.append([*row[:2], *values])
        return {
            "totals.csv": text_of(rows),
            "summary.json": self.summary_of(keeps, is_missing),
        }

    def summary_of(self, keeps, is_missing):
        """A part of summary.json."""
        schemes = {}
        for key, metrics in self.summary["schemes"].items():
            scheme, _, scenario = key.partition("@")
            if keeps(scenario, scheme):
                schemes[key] = {
                    metric: {**entry, "value": None, "ci95": None, "median": None,
                             "runs": [None] * len(entry["runs"])}
                    if is_missing(scenario, scheme, metric) else entry
                    for metric, entry in metrics.items()
                }
        return json.dumps({**self.summary, "schemes": schemes})

    def parts(self):
        """All parts that are drawn: a name, and the files."""
        of = lambda index: sorted({pair[index] for pair in self.pairs})
        yield "all", self.files(lambda *_: True)
        for scenario in of(0):
            yield f"scenario {scenario}", self.files(lambda x, _: x == scenario)
        for scheme in of(1):
            yield f"scheme {scheme}", self.files(lambda _, y: y == scheme)
        for pair in self.pairs:
            yield f"{pair[0]} with {pair[1]}", self.files(lambda x, y: (x, y) == pair)
        yield "no samples", self.files(lambda *_: True, lambda _: True)
        first = self.pairs[0]
        alone = lambda x, y: (x, y) == first
        for kind in sorted({kind_of(*key) for key in self.series}):
            name = f"no samples of {kind}, {first[0]}"
            yield name, self.files(lambda x, _: x == first[0], lambda one, kind=kind: one == kind)
        metrics = [name for name in self.totals[0][2:] if not name.endswith("_ci95")]
        missing = {
            "no values": lambda *_: True,
            "no values of the first row": lambda x, y, _: (x, y) == first,
            "no values of the first scheme": lambda _, y, __: y == first[1],
        }
        for metric in metrics:
            missing[f"no {metric}"] = lambda _, __, name, metric=metric: name == metric
        for name, is_missing in missing.items():
            yield name, self.totals_of(lambda *_: True, is_missing)
            yield f"{name}, one row", self.totals_of(alone, is_missing)


def complaint(experiment, files):
    """What is wrong with the figures of some files; empty if nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        gnuplot.write_script(experiment, Path(folder), "svg")  # two formats draw the same twice
        ended = gnuplot.run(Path(folder, "figures.gp"))
        if ended.returncode:
            said = ended.stdout.strip().splitlines()[-1:]
            return f"gnuplot ends with {ended.returncode}: " + "".join(said)
        try:
            charts = experiment_charts(Results(Path(folder)), {})
            json.dumps([chart.views for chart in charts], allow_nan=False)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            return f"a report has no charts: {error!r}"
        for path in sorted(Path(folder).glob("*.svg")):
            if not path.read_text(encoding="utf-8").rstrip().endswith("</svg>"):
                return f"{path.name} is not whole"
    return ""


def main(arguments):
    """Draws all parts."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 1
    if not shutil.which("gnuplot"):
        print("skipped: no gnuplot")
        return SKIPPED
    experiment = description(Path(arguments[0]))
    parts = list(Parts(Path(arguments[1])).parts())
    n_wrong = 0
    for name, files in parts:
        wrong = complaint(experiment, files)
        if wrong:
            n_wrong += 1
            print(f"{name}: {wrong}")
    print(f"{len(parts)} parts drawn, {n_wrong} of them with an error")
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
