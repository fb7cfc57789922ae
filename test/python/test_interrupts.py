# SPDX-License-Identifier: GPL-2.0-only
"""Tests of Ctrl-C in scripts (one line, exit status 130), and of SIGTERM to ./aidc."""

import os
import select
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from folder_test import SOURCE
from tools import console, experiments

PYTHON = os.environ.get("AIDC_PYTHON")
PROGRAM = "aidc-coupled-ecn"
EXPERIMENT = """\
import sys, aidc
sys.argv = ["mine.py", "--runs=1000", "--out=out"]
aidc.run_script("coupled-ecn")
"""


# ./aidc run, where setting up and the program of the experiment are commands of the test
COMMAND = """\
import sys
from pathlib import Path
source, program, set_up = sys.argv[1:]
sys.path.insert(0, source)
from tools import commands, console
from tools.checkout import Checkout
from tools.place import Program
step = lambda progress: progress.run(["sh", "-c", set_up], what="It")
make = lambda: console.run_steps([console.Step("Setting up", step, Path("log"))])
place = Checkout(Path(source))
place.program = lambda *_: Program("x", Path("sh"), make)
sys.exit(commands.main(place, ["run", "x", "-c", program]))
"""


class Interrupts(unittest.TestCase):
    """Ctrl-C, which a terminal sends to all of its programs."""

    def interrupt(self, code, begins):
        """Interrupts a script after a line that begins so; returns its status and last line."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "mine.py").write_text(code)
            process = subprocess.Popen(
                [PYTHON, "-B", "mine.py"],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(SOURCE / "bindings")},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
            )
            with process:
                self.addCleanup(process.kill)
                lines = [process.stdout.readline()]
                while lines[-1] and not lines[-1].startswith(begins):
                    lines.append(process.stdout.readline())
                self.assertTrue(lines[-1], "".join(lines))
                process.send_signal(signal.SIGINT)
                rest = process.communicate(timeout=60)[0].splitlines()
            return process.returncode, rest[-1]

    @unittest.skipUnless(PYTHON, "AIDC_PYTHON names no Python with ns-3's bindings")
    def test_experiment(self):
        status, last = self.interrupt(EXPERIMENT, "[")
        self.assertEqual((status, last), (130, f"{PROGRAM}: interrupted; out is as it was before"))

    @unittest.skipUnless(PYTHON, "AIDC_PYTHON names no Python with ns-3's bindings")
    def test_simulation(self):
        first = (SOURCE / "examples" / "first" / "first.py").read_text()
        watch = (
            "def notify(*_):\n    global told\n    told or print('runs', flush=True)\n"
            "    told = True\n\ntold = False\nfrom aidc import traces\n"
            "traces.connect(network.GetSwitches().Get(0).GetDevice(0), 'MacTx', notify)\n"
        )
        long = first.replace("(20000000,", "(10**12,").replace("else (20000000", "else (10**12")
        self.assertNotEqual(long, first)
        code = long.replace("ns.Simulator.Run()", watch + "ns.Simulator.Run()")
        self.assertNotEqual(code, long)
        self.assertEqual(self.interrupt(code, "runs"), (130, "mine.py: interrupted"))

    def test_what_the_command_returns(self):
        # A program that Ctrl-C ends while the command waits for it, many times as it is a race
        code = "import os, signal; signal.signal(signal.SIGINT, signal.SIG_DFL); " \
            "os.kill(os.getppid(), signal.SIGINT); os.kill(os.getpid(), signal.SIGINT)"
        for _ in range(20):
            status = experiments.run([sys.executable, "-S", "-c", code], dict(os.environ))
            self.assertEqual(status, 130)

    def terminate(self, program, set_up, number=signal.SIGTERM):
        """Sends a signal to ./aidc once one of two commands has written "up" to a pipe and sleeps;
        returns how it ended. The pipe has ended, too, so that nobody holds it any more."""
        with tempfile.TemporaryDirectory() as folder:
            os.mkfifo(Path(folder, "pipe"))
            with subprocess.Popen(
                ["cat", "pipe"], cwd=folder, stdout=subprocess.PIPE, text=True
            ) as reader, subprocess.Popen(
                [sys.executable, "-B", "-c", COMMAND, SOURCE, program, set_up],
                cwd=folder,
                stderr=subprocess.PIPE,
                text=True,
            ) as process:
                self.addCleanup(reader.kill)
                self.addCleanup(process.kill)
                self.assertEqual(reader.stdout.readline(), "up\n")
                process.send_signal(number)
                told = process.communicate(timeout=60)[1]
                reader.wait(timeout=20)
            return process.returncode, told.splitlines()[-1]

    def test_any_signal_ends_the_simulation(self):
        sleep = "exec > pipe; echo up; exec sleep 60"
        for number, status, told in (
            (signal.SIGTERM, 143, "Terminated."),
            (signal.SIGHUP, 143, "Terminated."),
            # To this process alone: a terminal sends it to both. The last line is of the set-up.
            (signal.SIGINT, 130, "done in"),
            (signal.SIGKILL, -9, "done in"),
        ):
            if number == signal.SIGKILL and sys.platform != "linux":
                continue
            with self.subTest(number):
                found, last = self.terminate(sleep, "true", number)
                self.assertEqual(found, status)
                self.assertIn(told, last)

    def test_sighup_is_for_nobody_under_nohup(self):
        run = "from tools import experiments; import os; " \
            "print(experiments.run(['sh', '-c', 'kill -HUP $PPID; sleep 0.3; exit 7'], os.environ))"
        ended = subprocess.run(
            ["nohup", sys.executable, "-B", "-c", run],
            cwd=SOURCE,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        self.assertEqual(ended.stdout, "7\n", ended.stderr)

    def test_sigterm_before_a_process_is_known(self):
        # It comes from the process itself, many times as it is a race.
        before = signal.signal(signal.SIGTERM, console.terminate)
        self.addCleanup(signal.signal, signal.SIGTERM, before)
        command = ["sh", "-c", "kill -TERM $PPID; exec sleep 60"]
        for _ in range(20):
            end, begin = os.pipe()
            with self.assertRaises(console.Terminated):
                with console.session(command, stdout=begin) as process:
                    process.wait()
            os.close(begin)
            self.assertEqual(select.select([end], [], [], 20)[0], [end])  # nobody holds the pipe
            os.close(end)

    def test_sigterm_ends_what_a_step_has_started(self):
        sleep = "(echo up; sleep 60) > pipe & wait"
        self.assertEqual(self.terminate("true", sleep), (143, "Terminated."))
