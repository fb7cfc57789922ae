# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment csig-fabric asks of its runs."""

from aidc.experiments import Experiment, Plan

OF_NETWORK = ("goodput", "fct_slowdown_mean", "fct_slowdown_p99", "dropped_packets", "rehashes",
              "abw_error_mean", "abw_lag", "rank", "detection_time")

OF_SENDERS = ("goodput", "fct_mean", "fct_slowdown_mean", "fct_slowdown_p50", "fct_slowdown_p99",
              "queue_p99", "queue_max", "dropped_packets")

OF_BOTTLENECKS = ("reported", "abw_right_port", "abw_false", "abw_missed", "full_ports",
                  "full_port_delay", "full_ports_late", "delay_right_port")


def totals(plan: Plan) -> tuple[str, ...]:
    """The metrics that scenarios have."""
    is_senders = all(scenario.startswith("senders-") for scenario in plan.scenarios)
    return OF_SENDERS if is_senders else OF_NETWORK


def columns(plan: Plan) -> tuple[str, ...]:
    """The metrics of the table."""
    is_bottlenecks = all(scenario.startswith("bottlenecks-") for scenario in plan.scenarios)
    return OF_BOTTLENECKS if is_bottlenecks else totals(plan)


EXPERIMENT = Experiment(
    question="How accurate are CSIG's signals, and what do load balancing, traffic engineering and senders "
    "gain from them?",
    metrics=(),
    time="fct_mean",
    keeps_flows=lambda plan: True,
    columns=columns,
    totals=totals,
    has_transport=True,
)
