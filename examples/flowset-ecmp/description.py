# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment flowset-ecmp asks of its runs."""

from collections.abc import Iterator

from aidc.experiments import Experiment, Plan, Results, Summary
from aidc.experiments.charts import Figure, Shown, bars, heat, slowdowns

METRICS = ("fct_slowdown_mean", "fct_slowdown_p50", "fct_slowdown_p99", "reordered_packets",
           "load_imbalance", "migrations", "dropped_packets", "lost_packets")

AGAINST = ("fct_slowdown_mean", "fct_slowdown_mean_difference", "short_slowdown_p99",
           "short_slowdown_p99_difference", "long_slowdown_mean", "long_slowdown_mean_difference",
           "load_imbalance", "load_imbalance_difference", "reordered_packets", "migrations",
           "steady_migrations")
"""The columns with --against."""

COMPARED = ("goodput", "fct_slowdown_mean", "fct_slowdown_p99", "short_slowdown_mean", "short_slowdown_p99",
            "long_slowdown_mean", "long_slowdown_p99", "load_imbalance")
"""Metrics that are told as differences, too."""


def add_differences(summary: Summary, plan: Plan) -> None:
    """Adds how much schemes differ from the scheme of --against, run by run."""
    against = plan.parameters["against"]
    for scenario, scheme in plan.pairs if against != "none" else ():
        for metric in COMPARED if scheme != against else ():
            summary.add_difference(scenario, scheme, against, metric)


def charts(results: Results) -> Iterator[Figure]:
    """Slowdowns by size, the CQI of the leaves' uplinks, and what each scheme does to flows and links."""
    yield from slowdowns(results)
    yield from heat(results, "cqi", "CQI of the leaves' uplinks", "CQI",
                    lambda table: dict(zip(zip(table["time_s"], table["port"]), table["cqi"])), highest=16)
    yield from bars(results, "totals", "Slowdown, reordering, imbalance and migrations", [
        Shown("fct_slowdown_p99", "FCT slowdown, 99th percentile", is_log=True),
        Shown("reordered_packets", "Packets that arrived out of order", is_log=True),
        Shown("load_imbalance", "Imbalance of uplinks: (max - min) / mean of their throughput, every 100 us"),
        Shown("migrations", "Migrations of flow sets", is_log=True),
    ], only_differing=True)


EXPERIMENT = Experiment(
    question="Does it help when a switch moves sets of flows away from congested ports?",
    metrics=METRICS,
    time="fct_mean",
    keeps_flows=lambda plan: True,
    columns=lambda plan: METRICS if plan.parameters["against"] == "none" else AGAINST,
    conclude=add_differences,
    has_transport=True,
    charts=charts,
    colors={
        "hash-ecmp": "#595959", "flowlet": "#E69F00", "spray": "#56B4E9", "flow-set": "#009E73",
        "flow-set-flowlet": "#CC79A7", "flow-set-literal": "#0072B2", "flow-set-full": "#D55E00",
        "flow-set-none": "#000000",
    },
)
