#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The experiment fare-clos from Python, and the final weights of switches.

The experiment is the program fare-clos.cc next to this script: the same command line gives the
same table, files and figures. The rest is specific to Python. Run it with ./aidc run
fare-clos.py.
"""

import aidc


def final_weights(results: aidc.Results, scenario: str, scheme: str) -> dict[str, float]:
    """The last weight of each port towards the first leaf, whose prefix is 10.0.0.0/24 or so."""
    weights = results.series("weights", scenario, scheme)
    rows = zip(weights["prefix"], weights["port"], weights["weight_byteps"])
    return {port: weight for prefix, port, weight in rows if prefix.startswith("10.0.0.0/")}


def print_shares(results: aidc.Results) -> None:
    """Prints the schemes' shares of the bound, and weights where they are not all the same."""
    print("Throughput of the permutation, relative to the maximum flow:")
    for scenario, scheme in results.runs():
        share = results.value(scenario, scheme, "bound_share")
        print(f"  {scenario:16} {scheme:12} {share:.3f}")
        if not scheme.startswith("fare"):
            continue
        weights = final_weights(results, scenario, scheme)
        if len(set(weights.values())) > 1:
            text = ", ".join(f"{port} {weight / 1e9:g}" for port, weight in weights.items())
            print(f"    weights in GB/s: {text}")


if __name__ == "__main__":
    aidc.run_script("fare-clos", print_shares)
