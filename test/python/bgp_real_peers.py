#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Has a real BGP daemon peer with two speakers of ns-3, in real time.

Both sides announce routes and withdraw them; the daemon shows the speakers' communities and passes
them on from one speaker to the other one. What does not run because something is missing ends with
77 and says what.

Speaker 1, in an AS of four octets, writes path bandwidths, speaker 2 link bandwidths (RFC 10005),
both of them a transitive one and one that is not.
"""

import argparse
import random
import sys
import time

import bgp_lab
from bgp_daemons import DAEMONS, NETWORKS, SYSTEM
from bgp_lab import wait_for
from bgp_peers import PeerTest, run_tests

N_NETWORKS = 16


def networks_of(speaker):
    """The networks that a speaker announces."""
    return [f"198.18.{speaker.number}.{16 * i}/28" for i in range(N_NETWORKS)]


class RealPeer(PeerTest):
    """A daemon between two speakers."""

    SETTINGS = {"HoldTime": "9s", "ConnectRetryTime": "5s", "AdvertisementInterval": "0s"}
    duration = 20.0
    seed = 1

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for speaker in cls.speakers:  # of two connections, one may have ended with one
            speaker.notifications.clear()

    def tearDown(self):
        """Each session is still the first one, and nobody has complained."""
        self.assertTrue(self.are_up())
        for speaker in self.speakers:
            self.assertEqual(speaker.notifications, [])
            self.assertEqual(speaker.n_changes, 1)

    def wait_for_tables(self, announced, own):
        """Both sides have the routes that are announced, and no others."""

        def equal():
            shown = {network: sorted(octets) for network, octets in self.daemon.shown().items()}
            expected = {
                network: sorted(self.daemon.SHOWN[speaker.number])
                for speaker in self.speakers
                for network in announced[speaker.number]
            }
            learned = [set(speaker.learned()) for speaker in self.speakers]
            others = [own | announced[3 - speaker.number] for speaker in self.speakers]
            self.seen = f"{expected} and {others}, found {shown} and {learned}"
            return shown == expected and learned == others

        try:
            wait_for("equal tables", equal)
        except AssertionError as error:
            raise AssertionError(f"{error}: expected {self.seen}") from None

    def test_daemon_shows_communities_and_passes_them_on(self):
        """The octets of both communities arrive, at the daemon and behind it."""
        first, second = self.speakers
        announced = {1: set(), 2: set()}
        for speaker in self.speakers:
            network = networks_of(speaker)[0]
            speaker.tell("originate", network)
            announced[speaker.number].add(network)
        self.wait_for_tables(announced, set())
        for speaker, other in ((first, second), (second, first)):
            route = speaker.learned()[networks_of(other)[0]]
            self.assertEqual(
                sorted(route["communities"]), sorted(self.daemon.PASSED_ON[other.number])
            )
            self.assertEqual(route["as_path"], f"{SYSTEM} {other.system} {other.spine_system}")
        for speaker in self.speakers:
            speaker.tell("withdraw", networks_of(speaker)[0])
        self.wait_for_tables({1: set(), 2: set()}, set())

    def test_speakers_take_the_daemons_bandwidth(self):
        """The daemon's own community arrives, and is the weight of who has it as its carrier."""
        network = NETWORKS[0]
        self.daemon.announce(network)
        self.wait_for_tables({1: set(), 2: set()}, {network})
        for speaker in self.speakers:
            route = speaker.learned()[network]
            self.assertEqual(
                sorted(route["communities"]), sorted(self.daemon.LEARNED[speaker.number])
            )
            self.assertEqual(route["weight"], self.daemon.WEIGHTS[speaker.number])
            self.assertEqual(route["as_path"], f"{SYSTEM}")
            self.assertEqual(route["next_hop"], speaker.peer_address)
        self.daemon.withdraw(network)
        self.wait_for_tables({1: set(), 2: set()}, set())

    def test_routes_are_refreshed(self):
        """Either side asks the other one for all routes again, and gets them (RFC 2918)."""
        speaker = self.speakers[0]
        network = NETWORKS[1]
        own = networks_of(speaker)[1]
        self.daemon.announce(network)
        speaker.tell("originate", own)
        self.wait_for_tables({1: {own}, 2: set()}, {network})
        before = speaker.received[bgp_lab.UPDATE]
        speaker.tell("refresh")
        wait_for("the request", lambda: speaker.sent[bgp_lab.ROUTE_REFRESH])
        wait_for("the daemon's routes", lambda: speaker.received[bgp_lab.UPDATE] > before)
        before = speaker.sent[bgp_lab.UPDATE]
        if self.daemon.ASKS_FOR_ROUTES:
            self.daemon.refresh(speaker)
            wait_for("the daemon's request", lambda: speaker.received[bgp_lab.ROUTE_REFRESH])
            wait_for("the speaker's routes", lambda: speaker.sent[bgp_lab.UPDATE] > before)
        self.wait_for_tables({1: {own}, 2: set()}, {network})
        self.daemon.withdraw(network)
        speaker.tell("withdraw", own)
        self.wait_for_tables({1: set(), 2: set()}, set())

    def test_routes_flap(self):
        """Routes come and go at random on all sides; every few seconds, all tables are right."""
        draw = random.Random(self.seed)
        announced = {0: set(), 1: set(), 2: set()}
        begin = time.monotonic()
        n_flaps = 0
        while time.monotonic() < begin + self.duration:
            for _ in range(10):
                n_flaps += 1
                self.flap(draw, announced)
                time.sleep(draw.uniform(0, 0.3))
            self.wait_for_tables(announced, announced[0])
        print(
            f"{self.name}: {n_flaps} flaps in {time.monotonic() - begin:.0f} s; messages sent "
            f"{[dict(speaker.sent) for speaker in self.speakers]}, received "
            f"{[dict(speaker.received) for speaker in self.speakers]}"
        )
        for network in announced[0]:
            self.daemon.withdraw(network)
        for speaker in self.speakers:
            for network in announced[speaker.number]:
                speaker.tell("withdraw", network)
        self.wait_for_tables({1: set(), 2: set()}, set())

    def flap(self, draw, announced):
        """Announces or withdraws a network, or several at once."""
        side = draw.randrange(3)
        networks = NETWORKS if side == 0 else networks_of(self.speakers[side - 1])
        for network in draw.sample(networks, draw.choice([1, 1, 4])):
            comes = network not in announced[side]
            if side == 0:
                (self.daemon.announce if comes else self.daemon.withdraw)(network)
            else:
                verb = "originate" if comes else "withdraw"
                self.speakers[side - 1].tell(verb, network)
            (announced[side].add if comes else announced[side].remove)(network)


def main():
    """Runs the tests with a daemon."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("daemon", choices=DAEMONS)
    parser.add_argument("--duration", type=float, default=20.0, help="of the flaps, in s")
    parser.add_argument("--seed", type=int, default=1, help="of the flaps")
    options = parser.parse_args()
    RealPeer.name, RealPeer.duration, RealPeer.seed = options.daemon, options.duration, options.seed
    return run_tests(options.daemon, DAEMONS[options.daemon])


if __name__ == "__main__":
    sys.exit(main())
