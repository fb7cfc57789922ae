#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Has the BFD of a real daemon meet that of two speakers of ns-3, in real time: 50 ms, three times.

The packets are seen at the tap devices, with the kernel's time. BGP of speaker 1 follows BFD. BGP
of speaker 2 does not, so that the daemon is the one who ends it. What does not run because
something is missing ends with 77 and says what.
"""

import argparse
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time

from bgp_daemons import DAEMONS
from bgp_lab import wait_for
from bgp_peers import PeerTest, run_tests

INTERVAL = 50  # ms
DETECTION = 3 * INTERVAL  # ms
BFD_DOWN = "(6/10)"
ADMIN_DOWN = "administratively down"
DOWN, UP = 1, 3
SO_TIMESTAMPNS = 35
ETH_P_ALL = 3


class Tap:
    """Sees the packets of BFD at a device: time in s, source, and the packet's bytes."""

    def __init__(self, device):
        self.packets = []
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.socket.bind((device, 0))
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        """Takes what comes, as long as the device is there."""
        while True:
            try:
                frame, ancillary, _, _ = self.socket.recvmsg(2048, 256)
            except OSError:
                return
            ports = struct.unpack(">HH", frame[34:38]) if len(frame) >= 66 else (0, 0)
            if frame[12:14] == b"\x08\x00" and frame[23] == 17 and ports[1] == 3784:
                seconds, nanoseconds = struct.unpack("qq", ancillary[0][2])
                source = socket.inet_ntoa(frame[26:30])
                self.packets.append((seconds + nanoseconds / 1e9, source, frame[14:]))

    def of(self, source):
        """The packets of a source: time, IPv4 header, ports, and the packet's bytes."""
        return [
            (when, datagram[:20], struct.unpack(">HH", datagram[20:24]), datagram[28:52])
            for when, address, datagram in list(self.packets)
            if address == source
        ]


class RealBfdPeer(PeerTest):
    """A daemon between two speakers."""

    SETTINGS = {"HoldTime": "9s", "ConnectRetryTime": "5s", "IdleHoldTime": "1s"}
    PROTOCOL = "bfd"
    rounds = 5

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.taps = [Tap(speaker.device) for speaker in cls.speakers]

    @classmethod
    def options(cls, number):
        return {"bfd": f"{INTERVAL}ms", "usesBfd": "1" if number == 1 else "0"}

    @classmethod
    def make_daemon(cls):
        return cls.DAEMONS[cls.name](cls.lab, cls.speakers, bfd=INTERVAL)

    @classmethod
    def is_up(cls, speaker):
        """Whether both sides say that both sessions are up, of BFD and of BGP."""
        has_bfd = speaker.bfd[-1:] and speaker.bfd[-1][0] == "Up" and cls.daemon.has_bfd(speaker)
        return bool(has_bfd) and super().is_up(speaker)

    @classmethod
    def tearDownClass(cls):
        """tshark has no complaint of the packets of both sides, and finds many of BFD."""
        super().tearDownClass()
        for speaker in cls.speakers if shutil.which("tshark") else ():
            command = ["tshark", "-n", "-r", speaker.capture, "-Y", "bfd"]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            if len(done.stdout.splitlines()) < 100:
                raise AssertionError(f"tshark finds no BFD in {speaker.capture}")

    def setUp(self):
        """Each test begins with sessions that are up and have been so for a while."""
        wait_for("sessions", self.are_up)
        time.sleep(0.5)
        for speaker in self.speakers:
            speaker.notifications.clear()

    def tearDown(self):
        """The speakers have discarded nothing of the daemon, but in AdminDown."""
        for speaker in self.speakers:
            others = [reason for reason in speaker.bfd_discards if reason != ADMIN_DOWN]
            self.assertEqual(others, [])

    def expect(self, times, what):
        """Detection times in ms: never before, and most of them within a tick."""
        print(f"{self.name}: {what}: {', '.join(f'{value:.1f}' for value in sorted(times))} ms")
        self.assertGreaterEqual(min(times), DETECTION)
        self.assertLessEqual(statistics.median(times), DETECTION + INTERVAL)

    def detection(self, tap, silent, other):
        """The time from a side's last packet to the other side's that its time has expired."""
        for when, _, _, packet in reversed(tap.of(other)):
            if packet[0] & 0x1F == 1 and packet[1] >> 6 == DOWN:
                first = when
            elif packet[1] >> 6 == UP:
                break
        last = max(when for when, _, _, _ in tap.of(silent) if when < first)
        return 1000 * (first - last)

    def test_packets_are_as_rfc5881_says(self):
        """Ports, time to live and class of both sides; gaps of the speakers with jitter."""
        begin = time.time()
        time.sleep(10)
        for speaker, tap in zip(self.speakers, self.taps):
            gaps = []
            for source in (speaker.address, speaker.peer_address):
                packets = [seen for seen in tap.of(source) if seen[0] > begin]
                self.assertGreater(len(packets), 10000 / INTERVAL)
                for _, header, ports, packet in packets:
                    self.assertEqual((header[1], header[8]), (0xC0, 255))
                    if source == speaker.address:
                        self.assertEqual(ports[0], 49152)  # BIRD takes any port that is free
                    self.assertEqual((len(packet), packet[1]), (24, UP << 6))
                if source == speaker.address:
                    whens = [seen[0] for seen in packets]
                    gaps = sorted(1000 * (b - a) for a, b in zip(whens, whens[1:]))
            print(f"{self.name}: gaps {gaps[0]:.1f} to {gaps[-1]:.1f} ms, n {len(gaps)}")
            self.assertLess(abs(gaps[len(gaps) // 2] - 0.875 * INTERVAL), 2)

    def test_daemon_falls_silent(self):
        """A speaker notices that the daemon sends nothing more, and ends BGP."""
        times = []
        for _ in range(self.rounds):
            wait_for("sessions", self.are_up)
            time.sleep(0.5)
            for speaker in self.speakers:
                speaker.notifications.clear()
            process = self.daemon.processes[self.daemon.BFD_PROGRAM]
            process.send_signal(signal.SIGSTOP)
            try:
                wait_for("the end of sessions", self.are_down, 5)
                time.sleep(0.1)
                for speaker, tap in zip(self.speakers, self.taps):
                    times.append(self.detection(tap, speaker.peer_address, speaker.address))
                    self.assertEqual(speaker.bfd[-1], ("Down", 1))
                first = self.speakers[0]
                self.assertFalse(first.is_up)
                sent = [seen["what"] for seen in first.notifications if seen["is_sent"]]
                self.assertEqual(len(sent), 1)
                self.assertIn(BFD_DOWN, sent[0])
            finally:
                process.send_signal(signal.SIGCONT)
        self.expect(times, "detection by speakers")

    def are_down(self):
        """Whether no session of BFD is up at a speaker."""
        return all(speaker.bfd[-1][0] == "Down" for speaker in self.speakers)

    def test_speaker_falls_silent(self):
        """The daemon notices that a speaker sends nothing more, and ends BGP."""
        times = []
        speaker, tap = self.speakers[1], self.taps[1]
        for _ in range(self.rounds):
            wait_for("sessions", self.are_up)
            time.sleep(0.5)
            speaker.notifications.clear()
            before = len(speaker.bfd)
            speaker.tell("mute")
            # The daemon is still heard, so that the session goes on to Init.
            wait_for("BFD's end", lambda: speaker.bfd[before:][:1] == [("Down", 3)], 5)
            wait_for("BGP's end", lambda: not speaker.is_up, 5)
            times.append(self.detection(tap, speaker.address, speaker.peer_address))
            speaker.tell("unmute")
            received = [seen["what"] for seen in speaker.notifications if not seen["is_sent"]]
            self.assertEqual(len(received), 1)
            self.assertIn(self.daemon.BFD_CEASE, received[0])
        self.expect(times, f"detection by {self.name}")

    def test_daemon_is_administratively_down(self):
        """BFD ends, and BGP stays (RFC 5882, section 3.2)."""
        if not hasattr(self.daemon, "set_bfd"):
            self.skipTest(f"{self.name} stops without a word")
        changes = [speaker.n_changes for speaker in self.speakers]
        self.daemon.set_bfd(False)
        wait_for("the end of sessions", self.are_down, 5)
        time.sleep(1)
        for speaker in self.speakers:
            self.assertEqual(speaker.bfd[-1], ("Down", 3))
            self.assertEqual(speaker.notifications, [])
        self.daemon.set_bfd(True)
        wait_for("sessions", self.are_up)
        self.assertEqual([speaker.n_changes for speaker in self.speakers], changes)

    def test_speaker_is_administratively_down(self):
        """BFD ends, and BGP as the daemon wants it."""
        speaker, tap = self.speakers[1], self.taps[1]
        speaker.tell("bfd-down")
        try:
            wait_for("BFD's end", lambda: not self.daemon.has_bfd(speaker), 5)
            time.sleep(1)
            last = [packet for *_, packet in tap.of(speaker.peer_address)][-1]
            self.assertEqual(last[1] >> 6, DOWN)
            texts = [seen["what"] for seen in speaker.notifications]
            print(f"{self.name}: AdminDown of a speaker: BGP's notifications: {texts}")
        finally:
            speaker.tell("bfd-up")
        wait_for("sessions", self.are_up)


def main():
    """Runs the tests with a daemon."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("daemon", choices=[name for name in DAEMONS if name != "gobgp"])
    parser.add_argument("--rounds", type=int, default=5, help="of silence, on each side")
    options = parser.parse_args()
    RealBfdPeer.name, RealBfdPeer.rounds = options.daemon, options.rounds
    return run_tests(options.daemon, DAEMONS[options.daemon], failfast=False)


if __name__ == "__main__":
    sys.exit(main())
