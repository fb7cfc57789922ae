# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment gpu-servers asks of its runs."""

from aidc.experiments import Experiment

EXPERIMENT = Experiment(
    question="How close does a collective on GPU servers get to the bound of its links, how much "
    "communication is exposed, and which link limits it?",
    metrics=("completion_time", "time_over_bound", "bus_bandwidth", "exposed_communication",
             "busiest_link_load", "marked_packets", "cnps", "pauses"),
    time="completion_time",
)
