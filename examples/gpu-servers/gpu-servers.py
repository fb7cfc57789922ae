#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The experiment gpu-servers from Python, and which algorithm is the fastest.

The experiment is the program gpu-servers.cc next to this script: the same command line gives the
same table, files and figures. The rest is specific to Python. Run it with ./aidc run
gpu-servers.py.
"""

import aidc


def print_fastest(results: aidc.Results) -> None:
    """Prints the scenario of each scheme that ends first."""
    times: dict[str, list[tuple[float, str]]] = {}
    for scenario, scheme in results.runs():
        time = results.value(scenario, scheme, "completion_time")
        times.setdefault(scheme, []).append((time, scenario))
    for scheme, found in times.items():
        time, scenario = min(found)
        print(f"{scheme}: {scenario} is the fastest, {1e6 * time:.0f} us")


if __name__ == "__main__":
    aidc.run_script("gpu-servers", print_fastest)
