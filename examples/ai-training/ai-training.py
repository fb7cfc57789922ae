#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The experiment ai-training from Python, and where the time of a step goes.

The experiment is the program ai-training.cc next to this script: the same command line gives the
same table, files and figures. The rest is specific to Python. Run it with ./aidc run
ai-training.py.
"""

import aidc

MECHANISMS = ("flow-set", "coupled-ecn", "swift-csig")
CAUSES = ("pause", "rate", "window", "retransmission")


def print_shares(results: aidc.Results) -> None:
    """Prints each mechanism's share of what all of them gain, one at a time."""
    for scenario in results.scenarios():
        schemes = results.schemes(scenario)
        if "baseline" not in schemes or "all" not in schemes:
            continue
        total = results.value(scenario, "all", "gain")
        print(f"{scenario}: all mechanisms shorten the step by {100 * total:.1f} %; by itself,")
        for mechanism in MECHANISMS:
            if mechanism in schemes:
                gain = results.value(scenario, mechanism, "gain")
                print(f"  {mechanism:12} {100 * gain:6.1f} %")


def print_waits(results: aidc.Results) -> None:
    """Prints what the queue pairs of a rank have waited for, on average."""
    print("What a rank's queue pairs waited for, in us:")
    for scenario, scheme in results.runs():
        waits = [1e6 * results.value(scenario, scheme, "wait_" + cause) for cause in CAUSES]
        text = "  ".join(f"{cause} {wait:.0f}" for cause, wait in zip(CAUSES, waits))
        print(f"  {scenario:8} {scheme:12} {text}")


if __name__ == "__main__":
    aidc.run_script("ai-training", print_shares, print_waits)
