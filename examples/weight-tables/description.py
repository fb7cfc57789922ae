# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment weight-tables asks of its runs."""

from collections.abc import Iterator

from aidc.experiments import Comparison, Experiment, Finding, Plan
from aidc.experiments.numbers import quantity
from aidc.experiments.statistics import mean


def excess(values: list[float]) -> str:
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


EXPERIMENT = Experiment(
    question="How far are the shares of next hops from their weights if a switch has only a small table for "
    "them?",
    metrics=("oversubscription_max", "oversubscription_mean", "share_error_max", "share_error_mean",
             "entries_mean"),
    comparisons=comparisons,
)
