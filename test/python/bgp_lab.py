# SPDX-License-Identifier: GPL-2.0-only
"""A network of its own, in which speakers of ns-3 and real BGP daemons meet over tap devices.

The process leaves the machine's network and mounts for namespaces of its own, which end with it;
and what it starts ends with it, too. So nothing is left to be removed, however it ends.
"""

import collections
import contextlib
import ctypes
import fcntl
import json
import os
import pathlib
import queue
import shutil
import signal
import struct
import subprocess
import threading
import time

CLONE_NEWNS = 0x00020000
CLONE_NEWNET = 0x40000000
PR_SET_PDEATHSIG = 1
PRIORITY = -15  # of the lab's programs; others have 0
TUNSETIFF = 0x400454CA
IFF_TAP = 0x0002
IFF_NO_PI = 0x1000
TUN = pathlib.Path("/dev/net/tun")
LIBC = ctypes.CDLL(None, use_errno=True)

OPEN, UPDATE, NOTIFICATION, KEEPALIVE, ROUTE_REFRESH = range(1, 6)


def why_not():
    """Why there can be no network of its own here; empty if there can."""
    if os.geteuid() != 0:
        return "needs root"
    try:
        os.close(os.open(TUN, os.O_RDWR))
    except OSError:
        return f"needs {TUN}"
    if not shutil.which("ip"):
        return "needs iproute2"
    try:  # a child that is gone at once
        subprocess.run(["true"], check=True, preexec_fn=enter)
    except subprocess.SubprocessError:
        return "needs network and mount namespaces"
    return ""


def enter():
    """Leaves the machine's network and mounts, for good."""
    if LIBC.unshare(CLONE_NEWNET | CLONE_NEWNS):
        error = ctypes.get_errno()
        raise OSError(error, f"unshare: {os.strerror(error)}")


def die_with_parent():
    """Lets a child end when its parent does, however that ends."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def begin_child():
    """What a program of the lab does before it begins. It runs in real time, and a session of BFD with
    packets every 50 ms fails where other programs keep it from the processor for 150 ms: so it goes
    before them."""
    die_with_parent()
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, PRIORITY)


def wait_for(what, question, timeout=30.0):
    """Asks until the answer is true, and returns it; AssertionError with what was waited for."""
    deadline = time.monotonic() + timeout
    while True:
        answer = question()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise AssertionError(f"within {timeout:.0f} s: expected {what}")
        time.sleep(0.1)


def check_captures(speakers, protocol):
    """tshark, where there is one, has no complaint of what speakers have sent and received."""
    if not shutil.which("tshark"):
        return
    groups = "0x05000000, 0x07000000, 0x09000000"  # undecoded, malformed, protocol; not TCP's
    complaints = f"_ws.malformed || ({protocol} && _ws.expert.group in {{{groups}}})"
    for speaker in speakers:
        command = ["tshark", "-n", "-r", speaker.capture, "-Y", complaints]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        if done.stdout:
            raise AssertionError(f"tshark complains of {speaker.capture}:\n{done.stdout}")


class Lab:
    """The processes and tap devices of the network."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.processes = []
        enter()
        self.run("mount", "--make-rprivate", "/")
        self.run("ip", "link", "set", "lo", "up")

    def run(self, *command, **options):
        """Runs a program to its end, and returns what it has printed."""
        done = subprocess.run(
            [str(word) for word in command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            **options,
        )
        if done.returncode:
            raise AssertionError(f"{command} ended with {done.returncode}: {done.stdout}")
        return done.stdout

    def start(self, name, *command, **options):
        """Starts a program, whose messages go to NAME.log."""
        with open(self.folder / f"{name}.log", "ab") as log:
            process = subprocess.Popen(
                [str(word) for word in command],
                preexec_fn=begin_child,
                stderr=log,
                **{"stdin": subprocess.DEVNULL, "stdout": log, **options},
            )
        self.processes.append(process)
        return process

    def open_tap(self, name, address):
        """Makes a tap device with an address at the kernel's side; returns the other side."""
        fd = os.open(TUN, os.O_RDWR)
        fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH14x", name.encode(), IFF_TAP | IFF_NO_PI))
        self.run("ip", "address", "add", address, "dev", name)
        self.run("ip", "link", "set", name, "up")
        return fd

    def close(self):
        """Ends all programs, the first one first: a speaker ends when it is told nothing more."""
        for process in self.processes:
            if process.stdin:
                process.stdin.close()
            else:
                process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes.clear()

    def logs(self):
        """The last lines of all logs."""
        lines = []
        for path in sorted(self.folder.glob("*.log")):
            lines += [f"--- {path.name}", *path.read_text(errors="replace").splitlines()[-20:]]
        return "\n".join(lines)


class Speaker:
    """A super-spine of ns-3 on a tap device, with a spine behind it that has the routes."""

    def __init__(self, lab, program, number, systems, daemon_system, options):
        self.number = number
        self.system, self.spine_system = systems
        self.address = f"10.0.{number}.1"
        self.peer_address = f"10.0.{number}.254"
        self.capture = lab.folder / f"speaker-{number}.pcap"
        self.is_up = False
        self.n_changes = 0  # how often the session came up or went down
        self.notifications = []
        self.sent = collections.Counter()
        self.received = collections.Counter()
        self.answers = queue.Queue()
        self.bfd = []  # states of the BFD session with their diagnostics, as they came
        self.bfd_discards = []
        self.device = f"tap{number}"
        fd = lab.open_tap(self.device, f"{self.peer_address}/24")
        self.process = lab.start(
            f"speaker-{number}",
            program,
            f"--fd={fd}",
            f"--spineAs={self.spine_system}",
            f"--spineId=10.0.0.{10 + number}",
            f"--as={self.system}",
            f"--id=10.0.0.{number}",
            f"--address={self.address}",
            f"--daemonAs={daemon_system}",
            f"--daemonAddress={self.peer_address}",
            f"--pcap={self.capture}",
            *(f"--{name}={value}" for name, value in options.items()),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            pass_fds=[fd],
        )
        os.close(fd)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        """Takes what the speaker reports, until it ends."""
        with self.process.stdout as reports:
            for line in reports:
                self.take(json.loads(line))

    def take(self, report):
        """Takes note of a report."""
        event = report["event"]
        if event == "session" and self.is_up != bool(report["is_up"]):
            self.is_up = bool(report["is_up"])
            self.n_changes += 1
        elif event in ("sent", "received"):
            counter = self.sent if event == "sent" else self.received
            counter[report["type"]] += 1
        elif event == "notification":
            self.notifications.append(report)
        elif event == "routes":
            self.answers.put(report["routes"])
        elif event == "bfd":
            self.bfd.append((report["state"], report["diagnostic"]))
        elif event == "bfd-discard":
            self.bfd_discards.append(report["reason"])
        elif event == "stale":
            self.answers.put(report["count"])

    def tell(self, *words):
        """Gives the speaker a command."""
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()

    def learned(self):
        """Its routes from the daemon: prefix to what is known of it."""
        self.tell("routes")
        return self.answers.get(timeout=20)

    def stale(self):
        """How many of them are stale."""
        self.tell("stale")
        return self.answers.get(timeout=20)
