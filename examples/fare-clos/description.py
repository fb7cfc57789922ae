# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment fare-clos asks of its runs."""

from collections.abc import Iterator

from aidc.experiments import Comparison, Experiment, Plan


def comparisons(plan: Plan) -> Iterator[Comparison]:
    """What the loads of links change, compared with the weights of a network without load."""
    for subject, scheme, baseline, chapter in (
        ("available bandwidth", "fare-available", "fare", "fare"),
        ("available bandwidth", "fare-available-spray", "fare-spray", "fare"),
        ("flow sets", "flow-set", "fare", "flow-set"),
    ):
        unit = "flows" if baseline == "fare" else "packets"
        yield Comparison(
            subject, "loaded", scheme, baseline, "goodput", chapter, f"With {subject}, {unit} get {{}}",
            less_is_better=False, label=f"goodput, {unit}", baseline_name="static weights",
        )


EXPERIMENT = Experiment(
    question="How close to the maximum flow does a Clos network with lost and slow links get if switches "
    "weight paths by the bandwidths that BGP carries?",
    metrics=("goodput", "bound_share", "all_to_all_goodput", "all_to_all_bound_share", "fct_mean", "fct_p99",
             "fct_slowdown_p99", "failure_convergence_time", "failure_messages", "failure_bytes",
             "recovery_convergence_time", "marked_packets", "lost_packets"),
    time="fct_mean",
    comparisons=comparisons,
    has_transport=True,
)
