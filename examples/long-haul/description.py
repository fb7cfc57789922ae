# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment long-haul asks of its runs."""

from aidc.experiments import Experiment

EXPERIMENT = Experiment(
    question="How does RoCEv2 perform over a path that holds 125 MB, if packets are lost, take paths with "
    "different delays, or meet congestion at the far end?",
    metrics=("goodput", "link_share", "completion_time", "retransmitted_packets", "timeouts",
             "dropped_packets", "queue_max", "headroom_peak"),
    time="completion_time",
    keeps_flows=lambda plan: True,
)
