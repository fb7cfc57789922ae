# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment incast asks of its runs."""

from collections.abc import Iterator

from aidc.experiments import Experiment, Results
from aidc.experiments.charts import Figure, Shown, bars, queues


def charts(results: Results) -> Iterator[Figure]:
    """The queue of the receiver's port, and completion times."""
    yield from queues(results, "queue of the receiver's port")
    shown = Shown("fct_p50 fct_mean fct_p99", "Time", ("median", "mean", "99th percentile"))
    yield from bars(results, "fct", "flow completion times", [shown], each=True)


EXPERIMENT = Experiment(
    question="What is dropped, marked or paused when many hosts send to one host at once, how long do the "
    "flows take, and does each get its fair share?",
    metrics=("goodput", "dropped_packets", "marked_packets", "fct_mean", "fct_p50", "fct_p99", "fairness",
             "queue_max", "unfinished_flows"),
    time="fct_mean",
    keeps_flows=lambda plan: True,
    has_transport=True,
    charts=charts,
    colors={
        "off": "#595959", "static": "#E69F00", "red": "#CC79A7", "coupled": "#009E73",
    },
)
