# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment pre-ecn asks of its runs."""

from aidc.experiments import Experiment

EXPERIMENT = Experiment(
    question="What is gained if a WAN's core routers give early warning of congestion, and the provider edge "
    "reacts in place of the senders?",
    metrics=("completion_time", "goodput", "dropped_packets", "queue_p99", "queue_max",
             "edge_reaction_time", "sender_reaction_time", "victim_fct", "notifications", "share_light",
             "share_severe", "migrations", "reordered_packets", "retransmitted_packets"),
    time="completion_time",
)
