# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment fabric-failures asks of its runs."""

from collections.abc import Iterator

from aidc.experiments import Experiment, Results
from aidc.experiments.charts import Figure, Shown, bars


def charts(results: Results) -> Iterator[Figure]:
    """How long packets are lost, and how many; where nothing is lost, there is no bar."""
    yield from bars(results, "outage", "Time from the failure until the last packet was lost",
                    [Shown("outage", "Time", is_log=True)])
    yield from bars(results, "lost", "Packets that are lost", [Shown("lost_packets", "Packets", is_log=True)])


EXPERIMENT = Experiment(
    question="How many packets are lost, and for how long, when a part of a fabric fails, restarts or is "
    "taken out of service?",
    metrics=("lost_packets", "outage", "convergence_time", "recovery_lost_packets", "recovery_outage",
             "recovery_convergence_time", "bgp_messages", "bgp_bytes", "bfd_packets"),
    time="convergence_time",
    charts=charts,
    colors={
        "hold-time": "#595959", "bfd": "#E69F00", "link-loss": "#009E73", "plain": "#CC79A7",
        "graceful-restart": "#0072B2", "drain": "#56B4E9",
    },
)
