#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The experiment csig-fabric from Python, and a look at what its signals name.

The experiment is the program csig-fabric.cc next to this script: the same command line gives the
same table, files and figures. The rest is specific to Python. Run it with ./aidc run
csig-fabric.py.
"""

import collections

import aidc


def print_bottlenecks(results: aidc.Results) -> None:
    """Prints the port that most signals have named as the bottleneck of their path."""
    for scenario, scheme in results.runs():
        if not (results.folder / f"heat-{scenario}-{scheme}.csv").exists():
            continue  # a mesh of probes ranks ports instead
        heat = results.series("heat", scenario, scheme)
        signals: collections.Counter[str] = collections.Counter()
        for port, count in zip(heat["port"], heat["signals"]):
            signals[port] += count
        port, count = signals.most_common(1)[0]
        share = 100 * count / sum(signals.values())
        print(f"{scenario}, {scheme}: {port} is named by {share:.1f} % of the signals")


def plot_accuracy(results: aidc.Results) -> None:
    """Draws reported over true available bandwidth by matplotlib, where that is installed."""
    try:
        from matplotlib import pyplot
    except ImportError:
        return
    if "accuracy" not in results.scenarios():
        return
    figure, axes = pyplot.subplots()
    for scheme in results.schemes("accuracy"):
        truth = results.series("truth", "accuracy", scheme)
        rows = zip(truth["signal"], truth["truth"], truth["reported"])
        points = [(true, reported) for signal, true, reported in rows if signal == "min(ABW)"]
        axes.plot(*zip(*points), ".", label=scheme)
    axes.set(xlabel="true ABW (bit/s)", ylabel="reported ABW (bit/s)")
    axes.legend()
    figure.savefig(results.folder / "reported-over-true.png")
    pyplot.close(figure)


if __name__ == "__main__":
    aidc.run_script("csig-fabric", print_bottlenecks, plot_accuracy)
