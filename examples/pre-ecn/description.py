# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment pre-ecn asks of its runs."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from aidc.experiments import Experiment, Results
from aidc.experiments.charts import TIME, Axis, Figure, Line, Panel, Shown, bars, level, series_files


EVENTS = {
    "sender-rate": ("sender", "#E69F00", "steps", 7),
    "edge-rate": ("flow at PE", "#0072B2", "steps", 7),
    "notification": ("notification", "#009E73", "points", 2),
    "cnp": ("CNP", "#D55E00", "points", 1),
}
"""What is drawn of events: as rates of the first node that has some, or as points."""


def delay(scenario: str) -> float:
    """The delay of the WAN, with which names of scenarios begin, in seconds."""
    [(number, unit)] = re.findall(r"\A(\d*)(us|ms)?", scenario)
    return float(number or 0) * (1e-6 if unit == "us" else 1e-3)


def rates(table: Any, end: float) -> Iterator[Line]:
    """Rates and events of a run; the last rate of a node holds until the end."""
    rows = list(zip(*(table.get(name, ()) for name in ("time_s", "event", "node", "value"))))
    for event, (name, color, form, point) in EVENTS.items():
        own = [row for row in rows if row[1] == event]
        if form == "points":
            height = 10e9 if event == "cnp" else 5e9
            yield Line([row[0] for row in own], [height] * len(own), color, name, form, point)
        elif own:
            first = [row for row in own if row[2] == own[0][2]]
            yield Line([*(row[0] for row in first), max(end, first[-1][0])],
                       [*(row[3] for row in first), first[-1][3]], color, name, form)


def timelines(results: Results) -> Iterator[Figure]:
    """One congestion event: the queue, marks, the rates of a flow and a sender, and notifications."""
    events = results.tables("events")
    for pair, table in results.tables("queue").items():
        end = 6e-3 + 2.1 * delay(pair[0])
        x = replace(TIME, low=0, high=end)
        queue = Panel([Line(table["time_s"], table["occupancy_byte"], "#595959", "bottleneck")], x,
                      Axis("Queue", "byte"))
        for name, color in (("t1", "#E69F00"), ("t2", "#D55E00")) if "two-threshold" in pair[1] else ():
            level(queue, results.parameter(name), name.upper(), color)
        marks = [Line(table["time_s"], table[column], color, name, is_filled=True)
                 for column, name, color in (("light_marks", "ECT(1)", "#56B4E9"),
                                             ("ce_marks", "CE", "#D55E00"))]
        lines = list(rates(events.get(pair, {}), end))
        panels = [queue, Panel(marks, x, Axis("Marked packets in 10 us", "packet")),
                  Panel(lines, x, Axis("Rate", "bit/s"))]
        view = dict(zip(("scenario", "scheme"), pair))
        yield Figure("timeline", "a congestion event", panels, view, "first run",
                     [*series_files("queue", [pair]), *series_files("events", [pair])])


def charts(results: Results) -> Iterator[Figure]:
    """What was lost, how long the all-reduce took, who reacted when; and a congestion event."""
    yield from bars(results, "losses", "losses and reactions", [
        Shown("dropped_packets", "Lost packets"),
        Shown("completion_time", "All-reduce"),
        Shown("edge_reaction_time sender_reaction_time", "Reaction", ("PE", "sender"), is_log=True),
    ], each=True)
    yield from timelines(results)


EXPERIMENT = Experiment(
    question="What is gained if a WAN's core routers give early warning of congestion, and the provider edge "
    "reacts in place of the senders?",
    metrics=("completion_time", "goodput", "dropped_packets", "queue_p99", "queue_max",
             "edge_reaction_time", "sender_reaction_time", "victim_fct", "notifications", "share_light",
             "share_severe", "migrations", "reordered_packets", "retransmitted_packets"),
    time="completion_time",
    charts=charts,
    colors={
        "tail-drop": "#595959", "single-threshold": "#E69F00", "two-threshold": "#0072B2",
        "two-threshold-reroute": "#56B4E9", "two-threshold-both": "#009E73", "mixed-core": "#CC79A7",
    },
)
