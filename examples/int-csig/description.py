# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment int-csig asks of its runs."""

from collections.abc import Iterator

from aidc.experiments import Comparison, Experiment, Plan, Results
from aidc.experiments.charts import TIME, Axis, Figure, Line, Panel, Shown, bars, series_files
from aidc.experiments.styles import COLORS

QUESTIONS = (
    ("joins", "reaction_time", True, "reaction", "a sender gives way to a newcomer after {}"),
    ("joins", "convergence_time", True, "fair shares after", "shares are fair after {}"),
    ("joins", "queue_p99", True, "p99 queue", "the p99 queue length is {}"),
    ("joins", "goodput", False, "goodput", "the link carries {}"),
    ("incast", "queue_max", True, "longest queue", "the longest queue of the incast is {}"),
    ("incast", "completion_time", True, "incast", "the incast takes {}"),
    ("mix", "fct_slowdown_p50", True, "median slowdown", "the median slowdown is {}"),
    ("mix", "fct_slowdown_p99", True, "p99 slowdown", "the p99 slowdown is {}"),
    ("mix", "overhead", True, "overhead",
     "headers, telemetry and acknowledgments take {} per byte of payload"),
)
"""Scenario, metric, whether less is better, label and sentence."""

SUBJECTS = {"csig": "CSIG", "csig-draft": "the draft's CSIG", "swift-csig": "Swift on CSIG"}


def comparisons(plan: Plan) -> Iterator[Comparison]:
    """The schemes that have CSIG, compared with in-band telemetry."""
    for scenario, metric, less_is_better, label, text in QUESTIONS:
        for scheme, subject in SUBJECTS.items():
            yield Comparison(
                subject, scenario, scheme, "int", metric, "congestion-control", f"With {subject}, {text}",
                less_is_better=less_is_better, label=label, baseline_name="INT",
            )


def charts(results: Results) -> Iterator[Figure]:
    """The rates of senders that join one after another, and what is sent in addition to payload."""
    for (scenario, scheme), table in results.tables("rates").items():
        senders = [name for name in table if name != "time_s"]
        lines = [Line(table["time_s"], table[name], color, f"sender {place}")
                 for place, (name, color) in enumerate(zip(senders, COLORS))]
        yield Figure("rates", "rates of senders that join one after another",
                     [Panel(lines, TIME, Axis("Rate", "bit/s", high=100e9))], {"scheme": scheme}, "first run",
                     series_files("rates", [(scenario, scheme)]))
    last = [name for name in results.scenarios if name in ("joins", "incast", "mix")][-1:]
    yield from bars(results, "totals", "What is sent beside payload",
                    [Shown("overhead", "Share of payload", unit="share")], scenarios=last)


EXPERIMENT = Experiment(
    question="What does a sender lose if it knows only the worst hop of its path, from CSIG's 8-byte tag "
    "instead of HPCC's 42 bytes of in-band telemetry?",
    metrics=("goodput", "overhead", "reaction_time", "convergence_time", "fairness", "queue_p99",
             "queue_max", "completion_time", "fct_slowdown_p50", "fct_slowdown_p99", "pauses"),
    time="completion_time",
    keeps_flows=lambda plan: True,
    comparisons=comparisons,
    charts=charts,
    colors={
        "int": "#0072B2", "csig": "#D55E00", "csig-draft": "#E69F00", "swift-csig": "#009E73",
        "swift": "#CC79A7", "dcqcn": "#595959",
    },
)
