#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The experiment incast from Python, and who had to wait.

The experiment is the program incast.cc next to this script: the same command line gives the same
table, files and figures. The rest is specific to Python. Run it with ./aidc run incast.py.
"""

import aidc


def print_last_flows(results: aidc.Results) -> None:
    """Prints the flow of each scheme that was done last, over the median one."""
    for scenario, scheme in results.runs():
        times = sorted(results.series("flows", scenario, scheme)["fct_s"])
        ratio = times[-1] / times[len(times) // 2]
        print(f"{scheme}: the last flow took {1e6 * times[-1]:.0f} us, {ratio:.2f} times the median")


if __name__ == "__main__":
    aidc.run_script("incast", print_last_flows)
