#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Has FRR weigh the routes of two speakers of ns-3 in the kernel's table, in real time.

Both speakers announce one network, with different link bandwidths (RFC 10005). What does not run
because something is missing ends with 77 and says what.
"""

import argparse
import json
import sys
import tempfile
import unittest

from bgp_daemons import SYSTEMS, Frr
from bgp_lab import Lab, wait_for
from bgp_peers import run_tests, start_speaker

NETWORK = "198.18.7.0/28"
TIMERS = {"HoldTime": "9s", "ConnectRetryTime": "2s", "IdleHoldTime": "1s"}


def frr_weights(bandwidths):
    """FRR's weights in percent: it keeps a bandwidth as an integer of 32 bits."""
    kept = [int(bandwidth) % 2**32 for bandwidth in bandwidths]
    return [100 * bandwidth // sum(kept) for bandwidth in kept]


class Transit(unittest.TestCase):
    """FRR between two speakers that both have a network."""

    def weigh(self, bandwidths):
        """FRR's weights in the kernel, by the speakers' bandwidths in bytes a second."""
        with tempfile.TemporaryDirectory(prefix="aidc-bgp-") as folder:
            lab = Lab(folder)
            try:
                return self.weigh_in(lab, bandwidths)
            except BaseException:
                print(lab.logs(), file=sys.stderr)
                raise
            finally:
                lab.close()

    def weigh_in(self, lab, bandwidths):
        """The same, in a network."""
        speakers = []
        for number, bandwidth in zip(SYSTEMS, bandwidths):
            settings = {**TIMERS, "BandwidthCarrier": "LinkBandwidth", "OriginBandwidth": bandwidth}
            speakers.append(start_speaker(lab, number, settings, spineBandwidth=bandwidth))
        daemon = Frr(lab, speakers)
        daemon.start()
        wait_for("sessions", lambda: all(daemon.is_up(speaker) for speaker in speakers))
        for speaker in speakers:
            speaker.tell("originate", NETWORK)

        def next_hops():
            routes = json.loads(lab.run("ip", "-j", "route", "show", NETWORK) or "[]")
            return routes[0].get("nexthops", []) if routes else []

        hops = wait_for("two next hops", lambda: len(next_hops()) == 2 and next_hops())
        weights = {hop["gateway"]: hop["weight"] for hop in hops}
        return [weights[speaker.address] for speaker in speakers]

    def test_weights_follow_bandwidths(self):
        """1 and 3 GB/s are 25 to 75, as they are for a speaker."""
        weights = self.weigh([1e9, 3e9])
        print(f"1 and 3 GB/s: {weights}")
        self.assertEqual(weights, frr_weights([1e9, 3e9]))
        self.assertEqual(weights, [25, 75])

    def test_weights_wrap_above_34_gigabits(self):
        """12.5 and 50 GB/s are 20 to 80 for a speaker, and something else for FRR."""
        weights = self.weigh([12.5e9, 50e9])
        print(f"12.5 and 50 GB/s: {weights}")
        self.assertEqual(weights, frr_weights([12.5e9, 50e9]))
        self.assertEqual(weights, [58, 41])


def main():
    """Runs the tests."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("daemon", choices=["frr"])
    parser.parse_args()
    return run_tests("frr", Frr)


if __name__ == "__main__":
    sys.exit(main())
