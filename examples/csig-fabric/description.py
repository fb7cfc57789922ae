# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment csig-fabric asks of its runs."""

from collections.abc import Iterator
from typing import Any

from aidc.experiments import Experiment, Plan, Results
from aidc.experiments.charts import Figure, Shown, bars, heat

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


def named(table: Any) -> dict[tuple[float, str], float]:
    """The signals of available bandwidth that name a port, by time."""
    found: dict[tuple[float, str], float] = {}
    for time, port, signal, count in zip(table["time_s"], table["port"], table["signal"], table["signals"]):
        if "ABW" in signal:
            found[time, port] = found.get((time, port), 0) + count
    return found


def charts(results: Results) -> Iterator[Figure]:
    """How accurate min(ABW) is by estimator, the ports that are named, and what users of signals gain."""
    yield from bars(results, "accuracy", "Error and lag of min(ABW) as tags report it", [
        Shown("abw_error_mean", "Mean error", unit="share"),
        Shown("abw_error_p99", "Error, 99th percentile", unit="share"),
        Shown("abw_right_port", "Bottlenecks named", unit="share"),
        Shown("abw_lag", "Lag at the sender"),
    ], scenarios=["accuracy"], columns=4)
    yield from heat(results, "heat", "signals that name a port as the bottleneck", "signals", named, most=24)
    yield from bars(results, "totals", "What load balancing, senders and traffic engineering gain", [
        Shown("goodput", "Goodput"),
        Shown("fct_slowdown_mean", "FCT slowdown, mean"),
        Shown("fct_slowdown_p99", "FCT slowdown, 99th percentile"),
        Shown("dropped_packets", "Dropped packets"),
    ], scenarios=["hot-spot", "incast", "engineering"], only_differing=True)


EXPERIMENT = Experiment(
    question="How accurate are CSIG's signals, and what do load balancing, traffic engineering and senders "
    "gain from them?",
    metrics=(),
    time="fct_mean",
    keeps_flows=lambda plan: True,
    columns=columns,
    totals=totals,
    has_transport=True,
    charts=charts,
    colors={
        "hash": "#595959", "csig-blind": "#E69F00", "csig-balancer": "#009E73", "equal": "#8C8C8C",
        "csig-weights": "#56B4E9", "interval": "#0072B2", "ewma": "#E69F00", "dre": "#009E73",
        "pass-through": "#CC79A7", "discard": "#56B4E9", "software": "#595959", "idle-mesh": "#E69F00",
        "loaded-mesh": "#009E73", "dcqcn": "#595959", "round-trip": "#E69F00", "max-pd": "#0072B2",
        "ten-packets": "#CC79A7", "jump-start": "#009E73", "hpcc": "#0072B2", "timely": "#009E73",
        "none": "#E69F00",
    },
)
