# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment long-haul asks of its runs."""

from collections.abc import Iterator

from aidc.experiments import Experiment, Results
from aidc.experiments.charts import Figure, Shown, bars, queues


def charts(results: Results) -> Iterator[Figure]:
    """What the receiver's link carries, and the queue of the far switch's port to the receiver."""
    yield from bars(results, "share", "Goodput as a share of what the receiver's link carries",
                    [Shown("link_share", "Share", high=1.05)])
    yield from queues(results, "queue of the far switch toward the receiver")


EXPERIMENT = Experiment(
    question="How does RoCEv2 perform over a path that holds 125 MB, if packets are lost, take paths with "
    "different delays, or meet congestion at the far end?",
    metrics=("goodput", "link_share", "completion_time", "retransmitted_packets", "timeouts",
             "dropped_packets", "queue_max", "headroom_peak"),
    time="completion_time",
    keeps_flows=lambda plan: True,
    charts=charts,
    colors={
        "go-back-n": "#595959", "selective-repeat": "#E69F00", "reorder-window": "#CC79A7",
        "pfc": "#009E73",
    },
)
