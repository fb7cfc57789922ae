# SPDX-License-Identifier: GPL-2.0-only
"""Tests of how far an experiment is: one line of a terminal, a line each tenth elsewhere, and the time that
is left."""

import contextlib
import io
import unittest
from unittest import mock

from aidc.experiments import program
from aidc.experiments.program import CLEAR, Progress, remaining


class Told(unittest.TestCase):
    """What is told, by the clock of the test."""

    def setUp(self):
        self.now = 0.0
        clock = mock.patch.object(program.time, "monotonic", lambda: self.now)
        clock.start()
        self.addCleanup(clock.stop)

    @contextlib.contextmanager
    def stream(self, is_terminal):
        """What stands for the error stream."""
        stream = io.StringIO()
        stream.isatty = lambda: is_terminal
        with contextlib.redirect_stderr(stream):
            yield stream

    def one_by_one(self, is_terminal, n):
        """What is told of some runs."""
        with self.stream(is_terminal) as stream:
            told = Progress(["a@one"] * n, 1)
            for run in range(n):
                told.begin(run, "a@one")
                told.tell(run, ", 7 flows", 0)
                told.end(run)
            told.close()
        return stream.getvalue()

    def several(self, is_terminal, n, at_once):
        """What is told of runs that begin at once, a1 and so on: the first four of them end one by one, each
        followed by the next one."""
        with self.stream(is_terminal) as stream:
            told = Progress(["a"] * n, at_once)
            names = [f"a{run + 1}" for run in range(n)]
            begun = list(range(at_once))
            for run in begun:
                told.begin(run, names[run])
            told.tell(0, "", 0)
            told.tell(1, "", 0)
            for run in range(min(n, 4)):
                told.end(run)
                if run == 0:
                    told.print("said by a1" if is_terminal else "")
                if len(begun) < n:
                    told.begin(len(begun), names[len(begun)])
                    begun.append(len(begun))
            told.close()
        return stream.getvalue()

    def test_one_by_one(self):
        self.assertEqual(self.one_by_one(False, 2), "[1/2] a@one, 7 flows\n[2/2] a@one, 7 flows\n")
        many = self.one_by_one(False, 40)
        self.assertEqual(many.count("\n"), 10, many)
        self.assertIn("[5/40] a@one, 7 flows\n[9/40]", many)
        self.assertEqual(
            self.one_by_one(True, 2),
            f"{CLEAR}[1/2] a@one, 7 flows{CLEAR}[2/2] a@one, 7 flows{CLEAR}",
        )

    def test_several_at_once(self):
        self.assertEqual(
            self.several(False, 20, 3),
            "[0/20 done] a1, a2, a3\n[2/20 done] a3, a4\n[4/20 done] a5, a6\n",
        )
        self.assertEqual(
            self.several(True, 3, 3),
            f"{CLEAR}[0/3 done] a1, a2, a3{CLEAR}[1/3 done] a2, a3"
            f"{CLEAR}said by a1\n{CLEAR}[2/3 done] a3{CLEAR}[3/3 done]{CLEAR}",
        )
        self.assertIn("a11 and 19 more\r", self.several(True, 30, 30))

    def test_names_are_in_the_order_of_runs(self):
        with self.stream(False) as stream:
            told = Progress(["a", "a", "b"], 2)
            told.begin(0, "a run 1")
            told.begin(2, "b run 1")
            told.end(0)
            told.begin(1, "a run 2")
            told.end(2)
        self.assertEqual(stream.getvalue().splitlines()[-1], "[2/3 done] a run 2")

    def test_how_often(self):
        for is_terminal, pause in ((True, 0.5), (False, 10)):
            with self.stream(is_terminal) as stream:
                told = Progress(["a"], 1)
                told.begin(0, "a")
                lengths = []
                for passed in (0, 0.9 * pause, 0.2 * pause, 0.9 * pause):
                    self.now += passed
                    told.tell(0, "", 0)
                    lengths.append(len(stream.getvalue()))
            self.assertEqual([a < b for a, b in zip(lengths, lengths[1:])], [False, True, False])

    def test_time_that_is_left(self):
        # Of a run, a hundredth, a tenth and nearly all has passed.
        for passed, share, text in (
            (3, 0.009, "a"), (3, 0.01, "a, about 5 min left"), (10, 0.1, "a, about 90 s left"),
            (8000, 0.5, "a, about 2.2 h left"), (100, 0.995, "a"), (10, 0, "a"),
        ):
            with self.stream(False) as stream:
                self.now = 0.0
                told = Progress(["a"], 1)
                told.begin(0, "a")
                self.now = passed
                told.tell(0, "", share)
            self.assertEqual(stream.getvalue(), f"[1/1] {text}\n")


class Remaining(unittest.TestCase):
    """The remaining time: a run of a takes 10 s, and a run of b 40 s."""

    def test_one_by_one(self):
        for running, done, due, expected in (
            ([("a", 5, 0)], {}, {"a": 1, "b": 2}, None),
            ([("a", 5, 0.009)], {}, {"a": 1, "b": 2}, None),
            # b costs as much as the most expensive one so far.
            ([("a", 5, 0.5)], {}, {"a": 1, "b": 2}, 5 + 10 + 2 * 10),
            ([("a", 2, 0)], {"a": [10]}, {"b": 2}, 10 + 2 * 10),
            ([("b", 10, 0.25)], {"a": [10, 10]}, {"b": 1}, 30 + 40),  # a quarter took 10 s
            # What is done of it says less than the run that is done.
            ([("b", 1, 0.75)], {"a": [10, 10], "b": [40]}, {}, 10),
            ([], {"a": [10, 10], "b": [40, 40]}, {"a": 0, "b": 0}, 0),
        ):
            self.assertEqual(remaining(running, done, due, 1), expected)

    def test_two_at_once(self):
        for running, done, due, expected in (
            ([("a", 4, 0.4), ("b", 4, 0.1)], {}, {"a": 1, "b": 1}, (6 + 10 + 36 + 40) / 2),
            ([("b", 10, 0.25), ("a", 0, 0)], {"a": [10]}, {"b": 1}, (10 + 30 + 40) / 2),
            # The last run is longer than half of the rest, 20 + 40.
            ([("b", 20, 0.5), ("b", 0, 0)], {"a": [10, 10]}, {}, 40),
        ):
            self.assertAlmostEqual(remaining(running, done, due, 2), expected)
