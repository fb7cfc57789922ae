# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment fabric-failures asks of its runs."""

from aidc.experiments import Experiment

EXPERIMENT = Experiment(
    question="How many packets are lost, and for how long, when a part of a fabric fails, restarts or is "
    "taken out of service?",
    metrics=("lost_packets", "outage", "convergence_time", "recovery_lost_packets", "recovery_outage",
             "recovery_convergence_time", "bgp_messages", "bgp_bytes", "bfd_packets"),
    time="convergence_time",
)
