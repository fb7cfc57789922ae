# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment flowset-ecmp asks of its runs."""

from aidc.experiments import Experiment, Plan, Summary

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
    """Adds how much schemes differ from that of --against, run by run."""
    against = plan.parameters["against"]
    for scenario, scheme in plan.pairs if against != "none" else ():
        for metric in COMPARED if scheme != against else ():
            summary.add_difference(scenario, scheme, against, metric)


EXPERIMENT = Experiment(
    question="Does it help when a switch moves sets of flows away from congested ports?",
    metrics=METRICS,
    time="fct_mean",
    keeps_flows=lambda plan: True,
    columns=lambda plan: METRICS if plan.parameters["against"] == "none" else AGAINST,
    conclude=add_differences,
    has_transport=True,
)
