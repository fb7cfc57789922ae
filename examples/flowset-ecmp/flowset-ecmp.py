#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The experiment flowset-ecmp from Python, and a look at its flows.

The experiment is the program flowset-ecmp.cc next to this script: the same command line gives the
same table, files and figures. The rest is specific to Python. Run it with ./aidc run
flowset-ecmp.py.
"""

import math

import aidc

LONG = 1000000  # bytes of a flow that is long


def long_slowdowns(results: aidc.Results, scenario: str, scheme: str) -> list[float]:
    """The slowdowns of the long flows that were done, in ascending order."""
    flows = results.series("flows", scenario, scheme)
    pairs = zip(flows["size_byte"], flows["slowdown"])
    return sorted(slowdown for size, slowdown in pairs if size >= LONG and not math.isnan(slowdown))


def print_long_flows(results: aidc.Results) -> None:
    """Prints the median slowdown of long flows under each scheme."""
    print(f"Median slowdown of flows of at least {LONG / 1e6:g} MB:")
    for scenario, scheme in results.runs():
        slowdowns = long_slowdowns(results, scenario, scheme)
        if slowdowns:
            print(f"  {scenario:10} {scheme:16} {slowdowns[len(slowdowns) // 2]:.3f}")


def plot_long_flows(results: aidc.Results) -> None:
    """Draws how slowdowns of long flows are distributed, by matplotlib where that is installed."""
    try:
        from matplotlib import pyplot
    except ImportError:
        return
    for scenario in results.scenarios():
        figure, axes = pyplot.subplots()
        for scheme in results.schemes(scenario):
            slowdowns = long_slowdowns(results, scenario, scheme)
            shares = [(place + 1) / len(slowdowns) for place in range(len(slowdowns))]
            axes.plot(slowdowns, shares, label=scheme)
        axes.set(title=scenario, xlabel="slowdown of long flows", ylabel="share of them")
        axes.legend()
        figure.savefig(results.folder / f"long-flows-{scenario}.png")
        pyplot.close(figure)


if __name__ == "__main__":
    aidc.run_script("flowset-ecmp", print_long_flows, plot_long_flows)
