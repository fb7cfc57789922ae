#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The experiment pre-ecn from Python, and who reacts to congestion, and how soon.

The experiment is the program pre-ecn.cc next to this script: the same command line gives the
same table, files and figures. The rest is specific to Python. Run it with ./aidc run
pre-ecn.py.
"""

from typing import Optional

import aidc


def milliseconds(seconds: Optional[float]) -> str:
    """A time as text, a dash if there is none."""
    return "-" if seconds is None else f"{1e3 * seconds:.2f} ms"


def print_reactions(results: aidc.Results) -> None:
    """Prints when the provider edge and the senders react, and what is lost until then."""
    print("From the onset of congestion to the first reaction:")
    for scenario, scheme in results.runs():
        edge = milliseconds(results.value(scenario, scheme, "edge_reaction_time"))
        sender = milliseconds(results.value(scenario, scheme, "sender_reaction_time"))
        lost = results.value(scenario, scheme, "dropped_packets")
        print(f"  {scenario:5} {scheme:22} edge {edge:>9}  sender {sender:>10}  lost {lost:.0f}")


if __name__ == "__main__":
    aidc.run_script("pre-ecn", print_reactions)
