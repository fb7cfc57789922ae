#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Has a real BGP daemon and two speakers of ns-3 restart and shut down gracefully, in real time.

Either side fails without a word and comes back, or does not (RFC 4724, RFC 8538); either side
announces that it is about to shut down (RFC 8326). What does not run because something is missing
ends with 77 and says what.
"""

import argparse
import json
import sys
import time

import bgp_lab
from bgp_daemons import NETWORKS, SYSTEM, Bird, Frr
from bgp_lab import wait_for
from bgp_peers import PeerTest, run_tests

RESTART_TIME = 6  # the daemon's, in s
OWN = "198.18.1.0/28"
KEPT, LOST = NETWORKS[:2]
SHUTDOWN = "(65535, 0)"  # the community of RFC 8326


class RestartingBird(Bird):
    """BIRD with graceful restart; it looks for the community of a shutdown by a filter only."""

    PROGRAM = "bird"
    RESTARTS_FOR = 10  # s in which it says so of itself
    HAS_N = False
    SESSION = f"graceful restart on; graceful restart time {RESTART_TIME}; "
    IMPORT = f"filter {{ if {SHUTDOWN} ~ bgp_community then bgp_local_pref = 0; accept; }}"

    def revive(self):
        """Starts it again, after it was killed."""
        self.ARGUMENTS = ("-R",)
        self.start()

    def has_stale(self, speaker):
        """Whether it keeps the routes of a speaker that is away."""
        return "graceful restart active" in self.control(
            "show", "protocols", "all", f"speaker{speaker.number}"
        )

    def preference(self, network):
        """The LOCAL_PREF of a network's best route."""
        for line in self.control("show", "route", "all", network).splitlines():
            if "BGP.local_pref:" in line:
                return int(line.split()[-1])
        return None

    def shut_down(self, begins):
        """Begins or ends to announce that it is about to shut down."""
        add = f"filter {{ bgp_community.add({SHUTDOWN}); accept; }}"
        self.EXPORT = add if begins else "all"
        self.write_config()
        self.control("configure")


class RestartingFrr(Frr):
    """FRR with graceful restart, which keeps its forwarding table."""

    PROGRAM = "bgpd"
    RESTARTS_FOR = 121  # s in which it says so of itself: 120, whatever is set
    HAS_N = True
    SETTINGS = (
        " bgp graceful-restart",
        f" bgp graceful-restart restart-time {RESTART_TIME}",
        " bgp graceful-restart preserve-fw-state",
    )

    def revive(self):
        """Starts it again, after it was killed."""
        self.write_config()
        self.start_program("bgpd")

    def paths(self, network):
        """What it knows of a network."""
        return json.loads(self.control(f"show bgp ipv4 unicast {network} json")).get("paths", [])

    def has_stale(self, speaker):
        """Whether it keeps the routes of a speaker that is away."""
        routes = json.loads(self.control("show bgp ipv4 unicast json"))["routes"]
        return any(path.get("stale") for paths in routes.values() for path in paths)

    def preference(self, network):
        """The LOCAL_PREF of a network's best route."""
        paths = self.paths(network)
        return paths[0].get("locPrf", 100) if paths else None

    def shut_down(self, begins):
        """Begins or ends to announce that it is about to shut down."""
        word = "bgp graceful-shutdown"
        self.control("configure terminal", f"router bgp {SYSTEM}", word if begins else f"no {word}")


DAEMONS = {"bird": RestartingBird, "frr": RestartingFrr}


class RealRestart(PeerTest):
    """A daemon between two speakers. The tests run in the order of their names."""

    DAEMONS = DAEMONS
    SETTINGS = {
        "HoldTime": "9s",
        "ConnectRetryTime": "2s",
        "IdleHoldTime": "1s",
        "GracefulRestart": "true",
        "RestartTime": "30s",
    }
    is_patient = False

    @classmethod
    def make_daemon(cls):
        daemon = super().make_daemon()
        daemon.announced = {KEPT, LOST}
        return daemon

    def installed(self):
        """The daemon's networks in the tables of both speakers' nodes."""
        tables = []
        for speaker in self.speakers:
            routes = speaker.learned()
            tables.append({name for name in routes if routes[name]["is_installed"]} & {KEPT, LOST})
        return tables

    def kill(self):
        """Kills the daemon, and waits until both speakers know."""
        process = self.daemon.processes[self.daemon.PROGRAM]
        process.kill()
        process.wait()
        wait_for("loss", lambda: not any(speaker.is_up for speaker in self.speakers), 5)
        return time.monotonic()

    def test_1_a_killed_daemon_comes_back(self):
        """Its routes are stale and used, until it is back: then the routes it lacks are gone."""
        wait_for("routes", lambda: self.installed() == [{KEPT, LOST}] * 2)
        begin = self.kill()
        self.assertEqual([speaker.stale() for speaker in self.speakers], [2, 2])
        self.assertEqual(self.installed(), [{KEPT, LOST}] * 2)
        self.daemon.announced = {KEPT}
        self.daemon.revive()
        wait_for("sessions", self.are_up, RESTART_TIME)
        self.assertIn(KEPT, self.installed()[0])
        wait_for("fresh routes", lambda: not any(speaker.stale() for speaker in self.speakers))
        print(f"{self.name}: killed, fresh after {time.monotonic() - begin:.1f} s")
        wait_for("End-of-RIB", lambda: self.installed() == [{KEPT}] * 2)

    def test_2_a_killed_daemon_stays_away(self):
        """Its routes are gone after the restart time that it has told."""
        begin = self.kill()
        self.assertEqual(self.installed(), [{KEPT}] * 2)
        wait_for("no routes", lambda: self.installed() == [set()] * 2)
        passed = time.monotonic() - begin
        print(f"{self.name}: killed for good, flushed after {passed:.2f} s")
        self.assertGreater(passed, RESTART_TIME - 0.5)
        self.assertLess(passed, RESTART_TIME + 1.5)
        self.daemon.announced = {KEPT, LOST}
        self.daemon.revive()
        wait_for("sessions", self.are_up)
        wait_for("routes", lambda: self.installed() == [{KEPT, LOST}] * 2)

    def test_3_a_speaker_restarts(self):
        """The daemon keeps its routes and tells nobody; the speaker's node goes on forwarding.

        A daemon that has just started says that it restarts itself, and is not waited for.
        """
        first, second = self.speakers
        first.tell("originate", OWN)
        wait_for("the route", lambda: OWN in second.learned())
        if self.is_patient:
            time.sleep(self.daemon.RESTARTS_FOR)
        n_changes = second.received[bgp_lab.UPDATE]
        first.tell("restart", "5")
        wait_for("stale routes", lambda: self.daemon.has_stale(first), 4)
        self.assertEqual(self.installed(), [{KEPT, LOST}] * 2)
        self.assertIn(OWN, second.learned())
        gaps = 0
        while not (self.are_up() and not self.daemon.has_stale(first)):
            gaps += self.installed() != [{KEPT, LOST}] * 2
        print(f"{self.name}: the speaker had gaps {gaps} times")
        if self.is_patient:
            self.assertEqual(gaps, 0)
        wait_for("routes", lambda: self.installed() == [{KEPT, LOST}] * 2)
        self.assertIn(OWN, self.daemon.shown())
        self.assertIn(OWN, second.learned())
        self.assertEqual(second.received[bgp_lab.UPDATE], n_changes)

    def test_4_a_speaker_is_about_to_shut_down(self):
        """The daemon sees the community: its routes are the last choice."""
        first = self.speakers[0]
        self.assertEqual(self.daemon.preference(OWN), 100)
        first.tell("shutdown", "begin")
        wait_for("the lowest preference", lambda: self.daemon.preference(OWN) == 0)
        # what it has passed on has the community
        wait_for("the community", lambda: self.speakers[1].learned()[OWN]["is_leaving"])
        self.assertEqual(self.speakers[1].learned()[OWN]["local_pref"], 0)
        first.tell("shutdown", "end")
        wait_for("the usual preference", lambda: self.daemon.preference(OWN) == 100)

    def test_5_a_daemon_is_about_to_shut_down(self):
        """The speakers see the community."""

        def preferences():
            tables = [speaker.learned() for speaker in self.speakers]
            return {table[name]["local_pref"] for table in tables for name in (KEPT, LOST)}

        self.assertEqual(preferences(), {100})
        self.daemon.shut_down(True)
        wait_for("the lowest preference", lambda: preferences() == {0})
        self.daemon.shut_down(False)
        wait_for("the usual preference", lambda: preferences() == {100})

    def test_6_a_speaker_stops(self):
        """The daemon keeps no route: of a hard reset where both have N."""
        first = self.speakers[0]
        first.notifications.clear()
        first.tell("stop")
        wait_for("no route", lambda: OWN not in self.daemon.shown(), 3)
        reason = "Hard Reset (6/9)" if self.daemon.HAS_N else "Administrative Shutdown (6/2)"
        self.assertIn(reason, first.notifications[-1]["what"])
        self.assertFalse(self.daemon.has_stale(first))


def main():
    """Runs the tests with a daemon."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("daemon", choices=DAEMONS)
    parser.add_argument(
        "--patient", action="store_true", help="wait until the daemon says no more that it restarts"
    )
    options = parser.parse_args()
    RealRestart.name, RealRestart.is_patient = options.daemon, options.patient
    return run_tests(options.daemon, DAEMONS[options.daemon])


if __name__ == "__main__":
    sys.exit(main())
