# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment ai-training asks of its runs."""

import math
from collections.abc import Iterator

from aidc.experiments import Experiment, Plan, Results, Summary
from aidc.experiments.charts import Figure, Shown, bars

METRICS = ("completion_time", "gain", "exposed_communication", "bus_bandwidth", "wait_pause", "wait_rate",
           "wait_window", "fct_slowdown_p50", "fct_slowdown_p99", "pauses", "marked_packets",
           "retransmitted_packets")

OF_SCENARIOS = {"two-jobs": "completion_time_other", "checkpoint": "checkpoint_time",
                "restart": "detection_time"}
"""Metrics of one scenario alone."""


def of_scenarios(plan: Plan) -> list[str]:
    """The metrics of the scenarios that are run, which others do not have."""
    return [metric for scenario, metric in OF_SCENARIOS.items() if scenario in plan.scenarios]


def add_gains(summary: Summary, plan: Plan) -> None:
    """Adds how much sooner than with the baseline a step ends, run by run."""
    for scenario, scheme in plan.pairs:
        times = summary.values(scenario, scheme, "completion_time")
        baseline = summary.values(scenario, "baseline", "completion_time") or [math.nan] * len(times)
        for time, other in list(zip(times, baseline)):
            summary.add(scenario, scheme, "gain", 1 - time / other, "1")


def charts(results: Results) -> Iterator[Figure]:
    """The time of a step, and what a rank's queue pairs have waited for."""
    metrics = "completion_time wait_pause wait_rate wait_window"
    names = ("the step", "waits: pause", "waits: rate", "waits: window")
    yield from bars(results, "step", "time of a step, and what a rank waits for",
                    [Shown(metrics, "Time", names)], each=True)


EXPERIMENT = Experiment(
    question="How much faster is a data-parallel training step with flow-set switching, with coupled ECN, "
    "with Swift on CSIG, and with all three?",
    metrics=METRICS,
    time="completion_time",
    columns=lambda plan: [METRICS[0], *of_scenarios(plan), *METRICS[1:]],
    totals=of_scenarios,
    conclude=add_gains,
    charts=charts,
    colors={
        "baseline": "#595959", "flow-set": "#009E73", "coupled-ecn": "#0072B2", "swift-csig": "#E69F00",
        "all": "#D55E00",
    },
)
