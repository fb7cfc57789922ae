# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment weight-tables asks of its runs."""

import re
from collections.abc import Iterator, Sequence

from aidc.experiments import Comparison, Experiment, Finding, Plan, Results
from aidc.experiments.charts import Axis, Figure, Line, Panel
from aidc.experiments.numbers import quantity
from aidc.experiments.statistics import mean


def excess(values: Sequence[float]) -> str:
    """What is too much, in percent."""
    return f"{quantity(100 * (mean(values) - 1), '1')} %"


def sentence(found: Finding) -> str:
    """What the reduction of tables gains, in words."""
    return (f"In 128 entries, the worst link gets {excess(found.values)} too much; with equal shares, "
            f"{excess(found.others)}.")


def comparisons(plan: Plan) -> Iterator[Comparison]:
    """The reduction of tables, compared with equal shares."""
    for scenario in ("one-128", "all-128"):
        yield Comparison("table reduction (WCMP)", scenario, "wcmp", "ecmp", "oversubscription_max", "fare",
                         sentence=sentence)


NAMES = {"ecmp": "equal shares", "percent": "FRR, percents", "fill": "largest remainder",
         "wcmp": "WCMP reduction", "percent-wcmp": "WCMP reduction of percents"}

LEAST = 1e-4
"""Below this a table is as good as exact, and an axis in decades needs an end."""


def charts(results: Results) -> Iterator[Figure]:
    """What the worst next hop gets too much, by the size of the table."""
    panels = []
    for kind, about in (("one", "one link of eight is degraded"), ("all", "all links are degraded")):
        lines = []
        for scheme in results.schemes:
            found = {int(name.partition("-")[2]): results.find(name, scheme, "oversubscription_max")
                     for name in results.scenarios if re.fullmatch(rf"{kind}-\d+", name)}
            points = [(size, max(metric.value - 1, LEAST)) for size, metric in found.items()
                      if metric and metric.value is not None]
            style = results.styles[scheme]
            lines.append(Line([x for x, _ in points], [y for _, y in points], style.color,
                              NAMES.get(scheme, scheme), "linespoints", style.point))
        sizes = {float(2**place): str(2**place) for place in range(4, 10)}
        panels.append(Panel(lines, Axis("Entries of the table", is_log=True, ticks=sizes),
                            Axis(f"Excess of the worst next hop: {about}", "share", is_log=True), 300))
    yield Figure("oversubscription", "Excess traffic of the worst next hop", panels, columns=2)


EXPERIMENT = Experiment(
    question="How far are the shares of next hops from their weights if a switch has only a small table for "
    "them?",
    metrics=("oversubscription_max", "oversubscription_mean", "share_error_max", "share_error_mean",
             "entries_mean"),
    comparisons=comparisons,
    charts=charts,
    colors={
        "ecmp": "#595959", "percent": "#E69F00", "fill": "#CC79A7", "wcmp": "#0072B2",
        "percent-wcmp": "#56B4E9",
    },
)
