#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The experiment coupled-ecn from Python, and a look at its results.

The experiment is the program coupled-ecn.cc next to this script: the same command line gives the
same table, files and figures. The rest is specific to Python. Run it with ./aidc run
coupled-ecn.py.
"""

import aidc


def print_advice(results: aidc.Results) -> None:
    """Says which scheme has dropped the least, by the metrics of the summary."""
    for scenario in results.scenarios():
        def dropped(scheme: str, scenario: str = scenario) -> float:
            return results.value(scenario, scheme, "dropped_packets")

        best = min(results.schemes(scenario), key=dropped)
        print(f"{scenario}: {best} dropped the fewest packets, {dropped(best):.0f}")


def plot_queues(results: aidc.Results) -> None:
    """Draws the watched queue under each scheme by matplotlib, where that is installed."""
    try:
        from matplotlib import pyplot
    except ImportError:
        return
    for scenario in results.scenarios():
        figure, axes = pyplot.subplots()
        for scheme in results.schemes(scenario):
            series = results.series("queue", scenario, scheme)
            axes.plot(series["time_s"], series["occupancy_byte"], label=scheme)
        axes.set(title=scenario, xlabel="time (s)", ylabel="queue (byte)")
        axes.legend()
        figure.savefig(results.folder / f"schemes-{scenario}.png")
        pyplot.close(figure)


if __name__ == "__main__":
    aidc.run_script("coupled-ecn", print_advice, plot_queues)
