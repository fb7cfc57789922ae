# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment coupled-ecn asks of its runs."""

import re
from collections.abc import Iterator

from aidc.experiments import Experiment, Plan, Results, Summary
from aidc.experiments.charts import Axis, Figure, Line, Panel, Shown, bars, bars_about, queues, slowdowns
from aidc.experiments.styles import Style

COLUMNS = ("goodput", "dropped_packets", "drops_before_first_mark", "marked_packets", "queue_p99",
           "fct_mean", "fct_p99", "fct_slowdown_p99")

ENDLESS = ("light", "unresponsive")
"""Scenarios whose flows do not end, with the scenarios of active queues."""


def columns(plan: Plan) -> list[str]:
    """The metrics of the table: with the thresholds of static-best; and flows that are not in the
    percentiles."""
    return [*(["threshold"] if statics(plan) else []), *COLUMNS,
            *(["unfinished_flows"] if "step" in plan.scenarios else [])]


def totals(plan: Plan) -> list[str]:
    """What the figure of scenario step shows."""
    return ["goodput", "fct_p99", "drops_before_first_mark"] if "step" in plan.scenarios else []


def statics(plan: Plan) -> list[str]:
    """The static thresholds of which static-best is the best."""
    schemes = dict.fromkeys(scheme for _, scheme in plan.pairs)
    return [scheme for scheme in schemes if scheme.startswith("static-") and scheme.endswith("kb")]


def merit(summary: Summary, scenario: str, scheme: str) -> float:
    """How good a scheme is: the more the better. Flows that did not end have no FCT, so that a percentile
    of the others says nothing, and the scheme with the fewest of them leads."""
    if scenario in ENDLESS or scenario.startswith("active-"):
        return summary.mean(scenario, scheme, "goodput")
    unfinished = summary.mean(scenario, scheme, "unfinished_flows")
    return -unfinished if unfinished > 0 else 1 / summary.mean(scenario, scheme, "fct_p99")


def add_best_static(summary: Summary, plan: Plan) -> None:
    """Adds static-best, the best threshold of each scenario, and static-overall: the threshold that is
    the least away from the best in its worst scenario."""
    candidates = statics(plan)
    if not candidates:
        return
    worst = dict.fromkeys(candidates, 1.0)
    for scenario in plan.scenarios:
        merits = {scheme: merit(summary, scenario, scheme) for scheme in candidates}
        best = max(candidates, key=merits.__getitem__)
        for scheme in candidates:
            share = merits[scheme] / merits[best] if merits[best] > 0 else 1.0
            worst[scheme] = min(worst[scheme], share)
        summary.copy(scenario, best, "static-best")
    overall = max(candidates, key=worst.__getitem__)
    for scenario in plan.scenarios:
        summary.copy(scenario, overall, "static-overall")


def tradeoff(results: Results) -> Iterator[Figure]:
    """Scenario step: static thresholds as a curve from one end to the other, and the adaptive schemes."""
    known = [scheme for scheme in results.schemes if re.fullmatch(r"static-\d+kb", scheme)]
    known.sort(key=lambda scheme: int(scheme[7:-2]))
    goodputs = [results.find("step", scheme, "goodput") for scheme in results.schemes]
    right = 1.1 * max((m.value + (m.ci95 or 0) for m in goodputs if m and m.value is not None), default=1)
    panels = []
    for name, title in (("fct_p99", "99th percentile of FCT"),
                        ("drops_before_first_mark", "Packets dropped before a queue's first mark")):
        lines = []
        for label, schemes in (("static thresholds", known),
                               *((scheme, [scheme]) for scheme in ("red", "proportional", "coupled"))):
            pairs = [(results.find("step", scheme, "goodput"), results.find("step", scheme, name))
                     for scheme in schemes]
            found = [(scheme, x.value, y.value, x.ci95 or 0, y.ci95 or 0)
                     for scheme, (x, y) in zip(schemes, pairs)
                     if x and y and x.value is not None and y.value is not None]
            is_curve = schemes is known
            style = results.styles.get(label) or Style("#595959", 7)
            lines.append(Line(
                [one[1] for one in found], [one[2] for one in found], style.color, label,
                "linespoints" if is_curve else "points", style.point, is_dashed=is_curve,
                halves=([one[3] for one in found], [one[4] for one in found]),
                texts=[f"{one[0][7:-2]} KB" for one in found] if is_curve else ()))
        y = Axis(title, "s" if name == "fct_p99" else "packet")
        panels.append(Panel(lines, Axis("Goodput", "bit/s", low=0, high=right), y, 300))
    about = "one run" if bars_about(results) == "one run" else "means with 95 % confidence intervals"
    if len(known) > 2:
        yield Figure("tradeoff", "Step: 4 active queues, 48, and 4 again", panels, about=about, columns=2)


def charts(results: Results) -> Iterator[Figure]:
    """The queue of the watched port with its thresholds, slowdowns, drops and marks."""
    yield from queues(results, "queue of the watched port")
    yield from slowdowns(results)
    yield from bars(results, "totals", "Drops and marks", [
        Shown(f"{name}_packets", f"{name.capitalize()} packets", is_log=True)
        for name in ("dropped", "marked")
    ], only_differing=True, columns=2)
    yield from tradeoff(results)


EXPERIMENT = Experiment(
    question="At which queue depth should a switch with a shared buffer start to mark packets?",
    metrics=("dropped_packets", "marked_packets"),
    time="fct_mean",
    columns=columns,
    totals=totals,
    conclude=add_best_static,
    keeps_flows=lambda plan: plan.scenarios == ["file"],
    has_transport=True,
    charts=charts,
    colors={
        "static-low": "#E69F00", "static-high": "#0072B2", "coupled": "#009E73", "red": "#CC79A7",
        "proportional": "#56B4E9",
    },
)
