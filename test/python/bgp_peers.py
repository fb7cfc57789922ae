# SPDX-License-Identifier: GPL-2.0-only
"""What the scripts with real daemons share: two speakers with a daemon between them, and a run.

A script that cannot run because something is missing ends with 77 and says what.
"""

from __future__ import annotations

import os
import sys
import tempfile
import unittest
from collections.abc import Mapping

import bgp_lab
from bgp_daemons import DAEMONS, OPTIONS, SPINE_BANDWIDTH, SYSTEM, SYSTEMS, Daemon
from bgp_lab import Lab, Speaker, wait_for

SKIPPED = 77
PROGRAM = os.environ.get("AIDC_BGP_TAP_SPEAKER", "")


def start_speaker(
    lab: Lab, number: int, settings: Mapping[str, object], **options: object
) -> Speaker:
    """Starts a speaker.

    Settings are attributes of BgpSpeaker by their names; OPTIONS has the other settings.
    Options are of the program, in addition to the links' bandwidths.
    """
    attributes = {**OPTIONS[number], **settings}
    values = {f"ns3::aidc::BgpSpeaker::{name}": value for name, value in attributes.items()}
    values.update(spineBandwidth=SPINE_BANDWIDTH, daemonBandwidth="1e11")
    values.update(options)
    return Speaker(lab, PROGRAM, number, SYSTEMS[number], SYSTEM, values)


class PeerTest(unittest.TestCase):
    """A daemon between two speakers, whose sessions are up when the tests begin."""

    name = ""
    """The daemon's, a key of DAEMONS."""
    DAEMONS: Mapping[str, type[Daemon]] = DAEMONS
    SETTINGS: Mapping[str, object] = {}
    """Attributes of both speakers."""
    PROTOCOL = "bgp"
    """Whose packets tshark looks at."""

    lab: Lab
    speakers: list[Speaker]
    daemon: Daemon

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="aidc-bgp-")
        cls.addClassCleanup(folder.cleanup)
        cls.lab = Lab(folder.name)
        cls.addClassCleanup(cls.lab.close)
        cls.speakers = [
            start_speaker(cls.lab, number, cls.SETTINGS, **cls.options(number))
            for number in SYSTEMS
        ]
        cls.daemon = cls.make_daemon()
        try:
            cls.daemon.start()
            wait_for("sessions", cls.are_up)
        except BaseException:
            print(cls.lab.logs(), file=sys.stderr)
            raise

    @classmethod
    def options(cls, number: int) -> dict[str, object]:
        """Options of a speaker's program, by its number."""
        del number
        return {}

    @classmethod
    def make_daemon(cls) -> Daemon:
        """The daemon, which is not started yet."""
        return cls.DAEMONS[cls.name](cls.lab, cls.speakers)

    @classmethod
    def is_up(cls, speaker: Speaker) -> bool:
        """Whether both sides say that a speaker's sessions are up."""
        return speaker.is_up and cls.daemon.is_up(speaker)

    @classmethod
    def are_up(cls) -> bool:
        """Whether the sessions of all speakers are up."""
        for speaker in cls.speakers:
            if speaker.process.poll() is not None:
                raise AssertionError(f"speaker {speaker.number} has ended")
        return all(cls.is_up(speaker) for speaker in cls.speakers)

    @classmethod
    def tearDownClass(cls) -> None:
        """tshark has no complaint of the messages of both sides."""
        cls.lab.close()
        bgp_lab.check_captures(cls.speakers, cls.PROTOCOL)


def why_not(daemon: type[Daemon]) -> str:
    """Why a daemon cannot be tested; empty if it can."""
    missing = daemon.missing()
    if missing:
        return f"needs {', '.join(missing)}"
    if not PROGRAM:
        return "needs AIDC_BGP_TAP_SPEAKER, the speaker's program, and ns-3's fd-net-device"
    return bgp_lab.why_not()


def run_tests(name: str, daemon: type[Daemon], failfast: bool = True) -> int:
    """Runs the tests of the script with a daemon, and returns the script's exit status."""
    reason = why_not(daemon)
    if reason:
        print(f"skipped: {name}: {reason}")
        return SKIPPED
    done = unittest.main(argv=[sys.argv[0]], verbosity=2, failfast=failfast, exit=False)
    return 0 if done.result.wasSuccessful() else 1
