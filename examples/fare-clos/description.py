# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment fare-clos asks of its runs."""

from collections.abc import Iterator
from dataclasses import replace

from aidc.experiments import Comparison, Experiment, Plan, Results
from aidc.experiments.charts import (
    TIME,
    Axis,
    Figure,
    Line,
    Panel,
    Shown,
    bars,
    level,
    over_time,
    series_files,
)
from aidc.experiments.styles import COLORS


def comparisons(plan: Plan) -> Iterator[Comparison]:
    """What the loads of links change, compared with the weights of a network without load."""
    for subject, scheme, baseline, chapter in (
        ("available bandwidth", "fare-available", "fare", "fare"),
        ("available bandwidth", "fare-available-spray", "fare-spray", "fare"),
        ("flow sets", "flow-set", "fare", "flow-set"),
    ):
        unit = "flows" if baseline == "fare" else "packets"
        yield Comparison(
            subject, "loaded", scheme, baseline, "goodput", chapter, f"With {subject}, {unit} get {{}}",
            less_is_better=False, label=f"goodput, {unit}", baseline_name="static weights",
        )


PREFIX = "10.0.0.0/"
"""The prefix of the first leaf."""

BEGIN = 0.01
"""When traffic begins, in seconds of the series of weights."""


def weights(results: Results) -> Iterator[Figure]:
    """The weights of the route to the first leaf, which hold until they change: a line for each port."""
    goodputs = results.tables("goodput")
    for pair, table in results.tables("weights").items():
        if pair not in goodputs or "port" not in table:
            continue
        end = goodputs[pair]["time_s"][-1]
        steps: dict[str, tuple[list[float], list[float]]] = {}
        for time, prefix, port, weight in zip(*(table[name] for name in ("time_s", "prefix", "port",
                                                                         "weight_byteps"))):
            if prefix.startswith(PREFIX):
                x, y = steps.setdefault(port, ([], []))
                x.append(max(0, time - BEGIN))
                y.append(weight)
        lines = [Line([*x, end], [*y, y[-1]], COLORS[place % len(COLORS)], port, "steps",
                      width=1.5 * (len(steps) - place))  # so that lines under others are seen
                 for place, (port, (x, y)) in enumerate(steps.items())]
        if any(weight > 0 for line in lines for weight in line.y):
            panel = Panel(lines, replace(TIME, low=0, high=end), Axis("Weight", "byte/s"))
            view = dict(zip(("scenario", "scheme"), pair))
            yield Figure("weights", "weights of the route to the first leaf", [panel], view, "first run",
                         series_files("weights", [pair]))


def charts(results: Results) -> Iterator[Figure]:
    """Shares of the bound, the throughput of the permutation over time, and weights."""
    schemes = [scheme for scheme in results.schemes if scheme != "max-flow"]
    for figure in bars(results, "shares", "Throughput relative to the bound", [
        Shown("bound_share", "Permutation", high=1.1, schemes=schemes),
        Shown("all_to_all_bound_share", "All-to-all", high=1.1, schemes=schemes),
    ]):
        for panel in figure.panels:
            level(panel, 1, "bound")
        yield figure
    for figure in over_time(results, "goodput", "permutation", {"goodput_bps": "Throughput"}, "timeline"):
        bound = results.find(figure.view["scenario"], "max-flow", "goodput")
        if bound and bound.value:
            level(figure.panels[0], bound.value, "max-flow")
        yield figure
    yield from weights(results)


EXPERIMENT = Experiment(
    question="How close to the maximum flow does a Clos network with lost and slow links get if switches "
    "weight paths by the bandwidths that BGP carries?",
    metrics=("goodput", "bound_share", "all_to_all_goodput", "all_to_all_bound_share", "fct_mean", "fct_p99",
             "fct_slowdown_p99", "failure_convergence_time", "failure_messages", "failure_bytes",
             "recovery_convergence_time", "marked_packets", "lost_packets"),
    time="fct_mean",
    comparisons=comparisons,
    has_transport=True,
    charts=charts,
    colors={
        "ecmp": "#E69F00", "fare": "#009E73", "ecmp-spray": "#D55E00", "fare-spray": "#0072B2",
        "fare-share": "#CC79A7", "fare-share-spray": "#56B4E9", "fare-available": "#882255",
        "fare-available-spray": "#000000", "flow-set": "#F0E442", "max-flow": "#595959",
    },
)
