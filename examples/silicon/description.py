# SPDX-License-Identifier: GPL-2.0-only
"""What the experiment silicon asks of its runs."""

from collections.abc import Iterator

from aidc.experiments import Experiment, Results
from aidc.experiments.charts import Axis, Figure, Line, Panel
from aidc.experiments.results import read_rows

ROWS = "rows.csv"
"""The quantities, a row each: what is published, and what is simulated."""

IN_TURN = "pause of account "
"""The rows of accounts that are filled one after the other."""


def charts(results: Results) -> Iterator[Figure]:
    """Published against simulated: frames of accounts when they are paused, and headroom."""
    rows = read_rows(results.folder / ROWS)
    series = [row for row in rows if IN_TURN in row["quantity"]]
    panels = []
    for name in dict.fromkeys(row["quantity"].partition(": ")[0] for row in series):
        own = [row for row in series if row["quantity"].startswith(f"{name}: ")]
        if len(own) < 10:
            continue
        places = [float(place) for place in range(1, len(own) + 1)]
        lines = [Line(places, [float(row["published"]) for row in own], "#D55E00", "published", "points"),
                 Line(places, [float(row["ours"]) for row in own], "#0072B2", "simulated")]
        panels.append(Panel(lines, Axis("Account, in the order in which they are filled"),
                            Axis(f"Frames at the pause: {name}", is_log=True), 300))
    if panels:
        yield Figure("pauses", "Where accounts are paused", panels, columns=2)
    lines = []
    for chip, color in results_colors(results).items():
        own = [row for row in rows if row["chip"] == chip and row["quantity"].startswith("headroom of ")]
        lines.append(Line([float(row["ours"]) for row in own], [float(row["published"]) for row in own],
                          color, chip, "points"))
    if any(line.x for line in lines):
        panel = Panel([line for line in lines if line.x], Axis("Derived headroom", "byte", is_log=True),
                      Axis("Published headroom", "byte", is_log=True), 300)
        yield Figure("headroom", "Headroom by rate and cable", [panel])


def results_colors(results: Results) -> dict[str, str]:
    """The colors of the chips."""
    return {scheme: results.styles[scheme].color for scheme in results.schemes}


EXPERIMENT = Experiment(
    question="Do switches pause, drop and mark where real chips do?",
    metrics=("rows", "equal", "within", "differs", "not_known", "difference_max"),
    rows=ROWS,
    charts=charts,
    colors={
        "tomahawk": "#595959", "tomahawk-2": "#E69F00", "tomahawk-5": "#0072B2", "trident-2": "#CC79A7",
        "trident-3": "#009E73", "own": "#D55E00",
    },
)
