# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment incast asks of its runs."""

from aidc.experiments import Experiment

EXPERIMENT = Experiment(
    question="What is dropped, marked or paused when many hosts send to one host at once, how long do the "
    "flows take, and does each get its fair share?",
    metrics=("goodput", "dropped_packets", "marked_packets", "fct_mean", "fct_p50", "fct_p99", "fairness",
             "queue_max", "unfinished_flows"),
    time="fct_mean",
    keeps_flows=lambda plan: True,
    has_transport=True,
)
