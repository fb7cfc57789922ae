# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment two-sites asks of its runs."""

from collections.abc import Iterator
from dataclasses import dataclass

from aidc.experiments import Comparison, Experiment, Plan, Results
from aidc.experiments.charts import Figure, Shown, bars


@dataclass(frozen=True)
class Goal:
    """What a mechanism is judged by."""

    metric: str
    label: str
    text: str
    less_is_better: bool = True
    is_share: bool = False


@dataclass(frozen=True)
class Mechanism:
    """A mechanism, or several of them."""

    scheme: str
    subject: str
    chapter: str
    goals: tuple[Goal, ...] = ()
    step: str = ""
    """What "With" is followed by in the sentence on the step; the subject, if empty."""

    step_chapter: str = ""
    other: str = "baseline"
    other_name: str = "baseline"


MECHANISMS = (
    Mechanism("coupled-ecn", "coupled ECN", "coupled-ecn", (
        Goal("unmarked_xoffs", "XOFFs before any mark", "With coupled ECN, {} XOFFs come before any mark"),
        Goal("paused_time", "time in pause", "With coupled ECN, ports are paused for {}"),
    )),
    Mechanism("flow-set", "flow sets", "flow-set", (
        Goal("load_imbalance", "imbalance of uplinks",
             "With flow sets, the imbalance of uplinks (largest load less smallest, over the mean) is {}"),
        Goal("elephant_fct", "FCT of elephants", "With flow sets, an elephant takes {}"),
    )),
    Mechanism("fare", "FARE", "fare", (
        Goal("degraded_misfit", "misfit of the degraded link",
             "With FARE, the degraded link's share of traffic misses its share of capacity by {}"),
        Goal("leaf_slowdown", "slowdown at its leaf",
             "With FARE, flows at the leaf of the degraded link have a mean slowdown of {}"),
    )),
    Mechanism("pre-ecn", "pre-ECN", "pre-ecn", (
        Goal("reaction_time", "reaction to WAN congestion",
             "With pre-ECN, the first reaction to congestion in the WAN comes after {}"),
        Goal("wan_drops", "drops in the WAN", "With pre-ECN, core routers drop {} packets"),
    )),
    Mechanism("csig", "CSIG", "csig", (
        Goal("waiting_port_named", "names the longest wait",
             "CSIG names the port with the longest wait in {} of samples", False, True),
        Goal("full_port_named", "names the fullest port",
             "CSIG names the port with the least bandwidth left in {} of samples", False, True),
    ), "Swift on CSIG", "congestion-control"),
    Mechanism("all", "all five", "two-sites"),
    Mechanism("fare-pre-ecn", "FARE and pre-ECN", "two-sites"),
)


def mechanisms() -> Iterator[Mechanism]:
    """All of them, and all but one."""
    yield from MECHANISMS
    for one in MECHANISMS:
        if one.goals:
            yield Mechanism(f"all-but-{one.scheme}", f"all but {one.subject}", "two-sites", other="all",
                            other_name="all five")


def comparisons(plan: Plan) -> Iterator[Comparison]:
    """What the training step takes with each mechanism, and what the mechanism is for."""
    for one in mechanisms():
        yield Comparison(
            one.subject, "step", one.scheme, one.other, "step_time", one.step_chapter or one.chapter,
            f"With {one.step or one.subject}, a training step takes {{}}", label="training step",
            baseline_name=one.other_name, is_goal=False,
        )
        for goal in one.goals:
            yield Comparison(
                one.subject, "step", one.scheme, one.other, goal.metric, one.chapter, goal.text,
                less_is_better=goal.less_is_better, label=goal.label, is_share=goal.is_share,
                baseline_name="a guess" if one.scheme == "csig" else one.other_name,
            )


def charts(results: Results) -> Iterator[Figure]:
    """The training step, and what each mechanism is for."""
    yield from bars(results, "step", "Time of a training step", [Shown("step_time", "Time")])
    panels = [
        ("unmarked_xoffs", "Coupled ECN: XOFFs before any mark", "coupled-ecn"),
        ("load_imbalance", "Flow sets: imbalance of uplinks", "flow-set"),
        ("degraded_misfit", "FARE: misfit of the degraded link", "fare"),
        ("reaction_time", "Pre-ECN: reaction to congestion", "pre-ecn"),
        ("wan_drops", "Pre-ECN: drops in the WAN", "pre-ecn"),
        ("waiting_port_named", "CSIG: longest wait named (share)", "csig"),
    ]
    yield from bars(results, "mechanisms", "What each mechanism is for", [
        Shown(metric, title, schemes=["baseline", scheme, "all"]) for metric, title, scheme in panels
    ], columns=3)


EXPERIMENT = Experiment(
    question="What do five mechanisms gain where two data centers train one model over a WAN, each by itself "
    "and all together?",
    metrics=("step_time", "step_above_floor", "pauses", "unmarked_xoffs", "migrations", "load_imbalance",
             "elephant_fct", "degraded_share", "leaf_slowdown", "reaction_time", "wan_drops",
             "waiting_port_named"),
    time="step_time",
    runs=10,
    comparisons=comparisons,
    charts=charts,
    colors={
        "baseline": "#595959", "coupled-ecn": "#0072B2", "flow-set": "#009E73", "fare": "#CC79A7",
        "pre-ecn": "#56B4E9", "csig": "#E69F00", "all": "#D55E00", "fare-pre-ecn": "#8F7FBF",
        "all-but-coupled-ecn": "#80B9D9", "all-but-flow-set": "#80CFB9", "all-but-fare": "#E6BCD3",
        "all-but-pre-ecn": "#ABDAF4", "all-but-csig": "#F2CF80",
    },
)
