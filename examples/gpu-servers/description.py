# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment gpu-servers asks of its runs."""

from collections.abc import Iterator

from aidc.experiments import Experiment, Results
from aidc.experiments.charts import Figure, Shown, bars


def charts(results: Results) -> Iterator[Figure]:
    """The time of each collective."""
    yield from bars(results, "totals", "Time of a collective", [Shown("completion_time", "Time")])


EXPERIMENT = Experiment(
    question="How close does a collective on GPU servers get to the bound of its links, how much "
    "communication is exposed, and which link limits it?",
    metrics=("completion_time", "time_over_bound", "measured_time", "difference", "bus_bandwidth", "exposed_communication",
             "busiest_link_load", "marked_packets", "cnps", "pauses"),
    time="completion_time",
    charts=charts,
    colors={
        "dcqcn": "#595959", "swift": "#CC79A7", "hpcc": "#0072B2", "none": "#E69F00", "timely": "#009E73",
    },
)
