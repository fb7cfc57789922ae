#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The experiment int-csig from Python, and what the bytes of telemetry buy.

The experiment is the program int-csig.cc next to this script: the same command line gives the
same table, files and figures. The rest is specific to Python. Run it with ./aidc run int-csig.py.
"""

import aidc


def print_price(results: aidc.Results) -> None:
    """Prints what each scheme sends in addition to payload, and how long a newcomer waits."""
    for scenario, scheme in results.runs():
        if scenario == "joins":
            overhead = 100 * results.value(scenario, scheme, "overhead")
            wait = 1e6 * results.value(scenario, scheme, "convergence_time")
            print(f"{scheme}: {overhead:.2f} % overhead, fair shares after {wait:.0f} us")


if __name__ == "__main__":
    aidc.run_script("int-csig", print_price)
