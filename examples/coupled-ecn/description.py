# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment coupled-ecn asks of its runs."""

from aidc.experiments import Experiment, Plan, Summary

COLUMNS = ("goodput", "dropped_packets", "drops_before_first_mark", "marked_packets", "queue_p99",
           "fct_mean", "fct_p99", "fct_slowdown_p99")

ENDLESS = ("light", "unresponsive")
"""Scenarios, with those of active queues, whose flows do not end."""


def columns(plan: Plan) -> list[str]:
    """The metrics of the table: with the thresholds of static-best; and flows that are not in the
    percentiles."""
    return [*(["threshold"] if statics(plan) else []), *COLUMNS,
            *(["unfinished_flows"] if "step" in plan.scenarios else [])]


def totals(plan: Plan) -> list[str]:
    """What the figure of scenario step shows."""
    return ["goodput", "fct_p99", "drops_before_first_mark"] if "step" in plan.scenarios else []


def statics(plan: Plan) -> list[str]:
    """The static thresholds of which static-best is the best."""
    schemes = dict.fromkeys(scheme for _, scheme in plan.pairs)
    return [scheme for scheme in schemes if scheme.startswith("static-") and scheme.endswith("kb")]


def merit(summary: Summary, scenario: str, scheme: str) -> float:
    """How good a scheme is: the more the better. Flows that did not end have no FCT, so that a percentile
    of the others says nothing, and the scheme with the fewest of them leads."""
    if scenario in ENDLESS or scenario.startswith("active-"):
        return summary.mean(scenario, scheme, "goodput")
    unfinished = summary.mean(scenario, scheme, "unfinished_flows")
    return -unfinished if unfinished > 0 else 1 / summary.mean(scenario, scheme, "fct_p99")


def add_best_static(summary: Summary, plan: Plan) -> None:
    """Adds static-best, the best threshold of each scenario, and static-overall: the threshold that is
    the least away from the best in its worst scenario."""
    candidates = statics(plan)
    if not candidates:
        return
    worst = dict.fromkeys(candidates, 1.0)
    for scenario in plan.scenarios:
        merits = {scheme: merit(summary, scenario, scheme) for scheme in candidates}
        best = max(candidates, key=merits.__getitem__)
        for scheme in candidates:
            share = merits[scheme] / merits[best] if merits[best] > 0 else 1.0
            worst[scheme] = min(worst[scheme], share)
        summary.copy(scenario, best, "static-best")
    overall = max(candidates, key=worst.__getitem__)
    for scenario in plan.scenarios:
        summary.copy(scenario, overall, "static-overall")


EXPERIMENT = Experiment(
    question="At which queue depth should a switch with a shared buffer start to mark packets?",
    metrics=("dropped_packets", "marked_packets"),
    time="fct_mean",
    columns=columns,
    totals=totals,
    conclude=add_best_static,
    keeps_flows=lambda plan: plan.scenarios == ["file"],
    has_transport=True,
)
