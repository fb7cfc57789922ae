# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the summary of all runs: its files, and the tables that are printed."""

import json
import math
import tempfile
import unittest
from pathlib import Path

from aidc.experiments.findings import Comparison
from aidc.experiments.summary import Summary
from aidc.experiments.terminal import print_table, wrap

NONE = math.nan
END = '  "findings": [],\n  "outliers": []\n}\n'


def summary_of(runs=1, **values):
    """A summary of the scenario one: values of metrics in s or, as a pair, in another unit."""
    summary = Summary("x", seed=1, runs=runs, ns3="3.44")
    for name, metrics in values.items():
        for metric, found in metrics.items():
            for value in found:
                summary.add("one", name, metric, value, "s")
    return summary


def part(summary, key):
    """The part of summary.json that follows a key, without its comma."""
    return summary.json().partition(f'"{key}": ')[2].partition("\n")[0].rstrip(",")


class Json(unittest.TestCase):
    """summary.json"""

    def test_fixed_form(self):
        head = '{\n  "experiment": "coupled-ecn",\n  "ns3": "3.44",\n'
        empty = Summary("coupled-ecn", seed=1, runs=1, ns3="3.44")
        self.assertEqual(
            empty.json(),
            head + '  "seed": 1,\n  "runs": 1,\n  "command": "",\n  "question": "",\n'
            '  "parameters": {},\n  "schemes": {},\n' + END,
        )
        full = Summary(
            "coupled-ecn", seed=4294967295, runs=1, ns3="3.44",
            command="aidc-coupled-ecn --seed=4294967295", question="Which one?",
            parameters={"scenario": "light", "alpha": 1, "rtt": {"value": 5e-5, "unit": "s"}},
        )
        full.add("light", "static-low", "goodput", 9.25e9, "bit/s")
        full.add("light", "static-low", "fct_p99", 0.1, "s")
        full.add("light", "coupled", "goodput", 1e10, "bit/s")
        self.assertEqual(
            full.json(),
            head + '  "seed": 4294967295,\n  "runs": 1,\n'
            '  "command": "aidc-coupled-ecn --seed=4294967295",\n'
            '  "question": "Which one?",\n'
            '  "parameters": {\n'
            '    "scenario": "light",\n'
            '    "alpha": 1,\n'
            '    "rtt": {"value": 5e-05, "unit": "s"}\n'
            "  },\n"
            '  "schemes": {\n'
            '    "static-low@light": {\n'
            '      "goodput": {"value": 9250000000, "unit": "bit/s", "ci95": null, '
            '"median": 9250000000, "runs": [9250000000]},\n'
            '      "fct_p99": {"value": 0.1, "unit": "s", "ci95": null, "median": 0.1, '
            '"runs": [0.1]}\n'
            "    },\n"
            '    "coupled@light": {\n'
            '      "goodput": {"value": 10000000000, "unit": "bit/s", "ci95": null, '
            '"median": 10000000000, "runs": [10000000000]}\n'
            "    }\n"
            "  },\n" + END,
        )

    def test_several_runs(self):
        # Mean 2 and, by 12.706 * sqrt(2) / sqrt(2), the half-width
        summary = summary_of(2, a={"m": (1, 3)}, c={"m": (11, 13)})
        found = json.loads(part(summary, "m"))
        self.assertAlmostEqual(found.pop("ci95"), 12.706, delta=1e-3)
        self.assertEqual(found, {"value": 2, "unit": "s", "median": 2, "runs": [1, 3]})
        self.assertEqual(summary.mean("one", "a", "m"), 2)
        summary.copy("one", "a", "b")
        self.assertEqual(summary.values("one", "b", "m"), [1, 3])
        summary.add_difference("one", "c", "a", "m")
        self.assertTrue(part(summary, "m_difference").startswith(
            '{"value": 10, "unit": "s", "ci95": 0, '))

    def test_texts(self):
        """RFC 8259, section 7: quotation mark, reverse solidus and control characters are escaped. What
        is no UTF-8 on a command line, which Python has as surrogates, gives U+FFFD a byte."""
        for data, expected in (
            (b"", '""'),
            (rb'C:\data\"new"', r'"C:\\data\\\"new\""'),
            (b"a/b", '"a/b"'),
            (b"\b\f\n\r\t", r'"\b\f\n\r\t"'),
            (b"\0\x01\x1f\x7f", r'"\u0000\u0001\u001f\u007f"'),
            # U+00E9, U+20AC, U+1F600
            (b"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", '"\u00e9\u20ac\U0001f600"'),
            # Latin-1, a sequence cut short, an overlong solidus, a surrogate, over U+10FFFF
            (b"\xe9t", '"\ufffdt"'),
            (b"\xe2\x82", '"\ufffd\ufffd"'),
            (b"\xc0\xaf", '"\ufffd\ufffd"'),
            (b"\xed\xa0\x80", '"\ufffd\ufffd\ufffd"'),
            (b"\xf4\x90\x80\x80", '"\ufffd\ufffd\ufffd\ufffd"'),
        ):
            command = data.decode("utf-8", "surrogateescape")
            summary = Summary("x", seed=1, runs=1, command=command)
            self.assertEqual(part(summary, "command"), expected)
            summary.json().encode("utf-8")
        summary = Summary("x", seed=1, runs=1, parameters={'a "quoted" name': 1})
        self.assertEqual(part(summary, r"a \"quoted\" name"), "1")

    def test_numbers(self):
        for value, text in ((0.1 + 0.2, "0.30000000000000004"), (-0.0, "0"), (NONE, "null"),
                            (math.inf, "null"), (-math.inf, "null"), (True, "true")):
            self.assertEqual(part(Summary("x", seed=1, runs=1, parameters={"p": value}), "p"), text)

    def test_a_value_that_does_not_exist(self):
        # In no run, in one of two runs, and not even added
        summary = summary_of(2, a={"fct_p50": (NONE, NONE), "fct_p99": (0.5, NONE)}, b={"fct_p50": (1,)})
        null = '{"value": null, "unit": "s", "ci95": null, "median": null, "runs": ['
        self.assertEqual(part(summary, "fct_p50"), null + "null, null]}")
        self.assertEqual(part(summary, "fct_p99"), null + "0.5, null]}")
        self.assertTrue(math.isnan(summary.mean("one", "a", "fct_p99")))
        self.assertTrue(math.isnan(summary.mean("one", "b", "fct_p99")))
        self.assertEqual(
            summary.text(["fct_p50", "fct_p99"], 100, False, {}).partition("\n\n")[2],
            "scenario  scheme  fct_p50  fct_p99\n"
            "one       a             -        -\n"
            "          b       1.000 s        -\n",
        )

    def test_what_is_refused(self):
        summary = summary_of(1, a={"m": (1,)}, b={})
        summary.add("one", "b", "n", 1, "s")
        with self.assertRaisesRegex(ValueError, "a@one m: more values than runs"):
            summary.add("one", "a", "m", 1, "s")
        with self.assertRaisesRegex(ValueError, "metric m: unit byte, but was s before"):
            summary.add("one", "c", "m", 1, "byte")
        for wrong in (
            lambda: summary.copy("one", "no-such", "b"),
            lambda: summary.add_difference("one", "no-such", "a", "m"),
            lambda: summary.add_difference("one", "a", "no-such", "m"),
            lambda: summary.add_difference("one", "a", "b", "m"),
            lambda: summary.compare([Comparison("it", "one", "a", "b", "m", "x", "{}")]),
        ):
            with self.assertRaises(KeyError):
                wrong()
        two = summary_of(2, a={"m": (1, 2)}, b={"m": (1,)})
        with self.assertRaisesRegex(ValueError, "m: expected 2 runs to subtract, found 1"):
            two.add_difference("one", "a", "b", "m")

    def test_schemes_that_were_not_run_are_not_compared(self):
        summary = summary_of(1, a={"m": (1,)})
        summary.compare([Comparison("it", "one", "a", "b", "m", "x", "{}"),
                         Comparison("it", "two", "a", "b", "m", "x", "{}")])
        self.assertEqual(summary.findings, [])


class Files(unittest.TestCase):
    """The files in the folder of results."""

    def test_files(self):
        summary = summary_of(2, a={"m": (1, 2), "only": (5, 5)}, b={"m": (3, 5)})
        summary.copy("one", "a", "best")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            summary.write(folder, ["m", "only"], [("one", "a"), ("one", "b")])
            self.assertEqual((folder / "summary.json").read_text("utf-8"), summary.json())
            lines = (folder / "totals.csv").read_text().splitlines()
            self.assertFalse((folder / "verdicts.csv").exists())
            summary.compare([Comparison("it", "one", "a", "b", "m", "x", "{}")])
            summary.write(folder, ["m"], [])
            self.assertEqual(len((folder / "verdicts.csv").read_text().splitlines()), 2)
        # Half of the intervals: 12.706205, times half of the differences of 1, 0 and 2. What is no
        # scheme that was run, such as the best of some, has no row.
        self.assertEqual(lines[0], "scenario,scheme,m,only,m_ci95,only_ci95")
        self.assertEqual([line.split(",")[:4] for line in lines[1:]],
                         [["one", "a", "1.5", "5"], ["one", "b", "4", "nan"]])
        intervals = [line.split(",")[4:] for line in lines[1:]]
        self.assertAlmostEqual(float(intervals[0][0]), 6.353102, places=5)
        self.assertAlmostEqual(float(intervals[1][0]), 12.706205, places=5)
        self.assertEqual([row[1] for row in intervals], ["0", "nan"])


class Tables(unittest.TestCase):
    """What is printed."""

    def table(self, summary, columns, width=100, colors=None):
        """The table without its heading."""
        return summary.text(columns, width, False, colors or {}).partition("\n\n")[2]

    def test_units_are_those_of_a_scenario(self):
        """In light all times are in us, as 250 us is the largest; in incast, where it is 250 ms, 12 us
        would be 0.012 ms, less than a tenth, and keeps its own unit. The same holds for 1500 bytes
        beside 3 MB."""
        summary = Summary("coupled-ecn", seed=1, runs=1)
        for scenario, scheme, drops, fct, queue in (
            ("light", "static-low", 0, 12e-6, 200e3), ("incast", "static-low", 1234567, 250e-3, 3e6),
            ("light", "coupled", 999, 250e-6, 0), ("incast", "coupled", 1000, 12e-6, 1500),
        ):
            summary.add(scenario, scheme, "dropped_packets", drops, "packet")
            summary.add(scenario, scheme, "fct_p99", fct, "s")
            summary.add(scenario, scheme, "queue_p99", queue, "byte")
            summary.add(scenario, scheme, "share", 0.5, "1")
        columns = ["fct_p99", "dropped_packets", "queue_p99"]
        self.assertEqual(
            self.table(summary, columns),
            "scenario  scheme       fct_p99  dropped_packets  queue_p99\n"
            "light     static-low  12.00 us                0   200.0 kB\n"
            "          coupled     250.0 us              999       0 kB\n"
            "\n"
            "incast    static-low  250.0 ms        1,234,567   3.000 MB\n"
            "          coupled     12.00 us            1,000   1.500 kB\n",
        )
        self.assertEqual(
            self.table(summary, columns, 37),
            "light            static-low   coupled\n"
            "fct_p99            12.00 us  250.0 us\n"
            "dropped_packets           0       999\n"
            "queue_p99          200.0 kB      0 kB\n"
            "\n"
            "incast           static-low   coupled\n"
            "fct_p99            250.0 ms  12.00 us\n"
            "dropped_packets   1,234,567     1,000\n"
            "queue_p99          3.000 MB  1.500 kB\n",
        )
        # Schemes that do not fit beside others have a block of their own.
        self.assertEqual(
            self.table(summary, columns, 30).partition("incast")[0],
            "light            static-low\n"
            "fct_p99            12.00 us\n"
            "dropped_packets           0\n"
            "queue_p99          200.0 kB\n"
            "\n"
            "light             coupled\n"
            "fct_p99          250.0 us\n"
            "dropped_packets       999\n"
            "queue_p99            0 kB\n"
            "\n",
        )

    def test_several_runs(self):
        summary = Summary("x", seed=1, runs=2, ns3="3.44")
        for value in (1.0, 3.0):
            summary.add("one", "a", "goodput", value * 1e9, "bit/s")
            summary.add("one", "a", "drops", value * 1e3 + 1 / value, "packet")
            summary.add("one", "a", "ratio", value / 10, "1")
        summary.add("one", "b", "goodput", 999.96e6, "bit/s")
        columns = ["goodput", "drops", "ratio"]
        self.assertEqual(
            summary.text(columns, 100, False, {}),
            "x: ns-3 3.44, seed 1, 2 runs (mean ± half-width of the 95 % CI)\n"
            "\n"
            "scenario  scheme                goodput               drops            ratio\n"
            "one       a       2.000 ± 12.706 Gbit/s  2,000.7 ± 12,702.0  0.2000 ± 1.2706\n"
            "          b                1.000 Gbit/s                   -                -\n",
        )
        self.assertEqual(
            self.table(summary, columns, 65),
            "one                          a             b\n"
            "goodput  2.000 ± 12.706 Gbit/s  1.000 Gbit/s\n"
            "drops       2,000.7 ± 12,702.0             -\n"
            "ratio          0.2000 ± 1.2706             -\n",
        )

    def test_rows_of_one_name(self):
        rows = [["scheme", "m"], ["a", "1"], ["bb", "2"]]
        self.assertEqual(print_table(rows, 1, 80, {}), "scheme  m\na       1\nbb      2\n")
        self.assertEqual(print_table(rows, 1, 8, {}), "   a  bb\nm  1   2\n")

    def test_schemes_have_their_colors(self):
        summary = summary_of(1, on={"m": (1,)}, other={"m": (2,)})
        self.assertEqual(
            self.table(summary, ["m"], 80, {"off": "#0072B2", "on": "#d55e00"}),
            "scenario     scheme        m\n"
            "one       \x1b[48;2;213;94;0m  \x1b[0m on      1.000 s\n"
            "             other   2.000 s\n",
        )

    def test_lines(self):
        for text, room, indent, lines in (
            ("", 10, 2, ["", ""]),
            ("one two three", 7, 2, ["one two", "  three"]),
            ("longer than it", 3, 1, ["longer", " than", " it"]),
            ("takes 12 ms now", 9, 0, ["takes", "12 ms now"]),  # a number stays with its unit
        ):
            self.assertEqual(wrap(text, room, indent), "\n".join(lines).rstrip("\n") + "\n", text)


class Outliers(unittest.TestCase):
    """Runs of more than twice the median of their row stand out, the slowest one first."""

    WAITS = {"queue_pair": "h to i, queue pair 2", "since": 0.0123, "cause": "rate", "waited": 0.63,
             "sentence": "h to i, queue pair 2, waited 630 ms for its rate, 423 ms of that from 12.3 ms "
             "on."}

    def summary(self):
        """Of five schemes, of which two have such runs."""
        summary = Summary("x", seed=1, runs=5)
        for scheme, metric, values in (
            ("a", "t", (2, 4, 1, 4.5, 2)),  # median 2: 4 is twice that, and not more
            ("a", "m", (1, 1, 9, 1, 1)),
            ("b", "t", (9, 1, 1)),
            ("c", "t", (NONE, 1, 9)),
            ("d", "m", (1, 1, 9)),
            ("e", "t", (0, 0, 0)),
        ):
            for value in values:
                summary.add("one", scheme, metric, value, "s")
        summary.find_outliers("t", {("one", "b", 1): self.WAITS, ("one", "a", 4): None})
        return summary

    def test_list(self):
        found = self.summary().json().partition('  "outliers": ')[2]
        waits = json.dumps(self.WAITS)
        self.assertEqual(
            found,
            "[\n"
            '    {"scheme": "b", "scenario": "one", "run": 1, "metric": "t", "value": 9, "median": 1, '
            f'"unit": "s", "waits": {waits}}},\n'
            '    {"scheme": "a", "scenario": "one", "run": 4, "metric": "t", "value": 4.5, '
            '"median": 2, "unit": "s", "waits": null}\n'
            "  ]\n}\n",
        )

    def test_what_is_printed(self):
        said = (
            "\nRuns that stand out (t more than twice the median of their row):\n"
            "- b@one, run 1: 9.000 s (median 1.000 s)\n"
            "- a@one, run 4: 4.500 s (median 2.000 s)\n"
            "The slowest one: h to i, queue pair 2, waited 630 ms for its rate, 423 ms of\n"
            "  that from 12.3 ms on.\n"
        )
        text = self.summary().text(["t"], 80, False, {})
        self.assertEqual(text[-len(said):], said)
        self.assertNotIn("stand out", summary_of(1, a={"t": (1,)}).text(["t"], 80, False, {}))

    def test_many(self):
        summary = Summary("x", seed=1, runs=3)
        for number in range(12):
            for value in (1.0, 1.0, 3.0 + number):
                summary.add("one", f"s{number}", "t", value, "s")
        summary.find_outliers("t", {})
        self.assertTrue(summary.text(["t"], 80, False, {}).endswith(
            "- s2@one, run 3: 5.000 s (median 1.000 s)\n- and 2 more, in summary.json\n"))
