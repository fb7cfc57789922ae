# SPDX-License-Identifier: GPL-2.0-only
"""Tests of what comparisons of two schemes say: verdicts, sentences, files, and the matrix of them all."""

import dataclasses
import json
import math
import unittest

from aidc.experiments.findings import Comparison, Finding, matrix, sentences, verdicts_csv
from aidc.experiments.summary import Summary

NONE = math.nan
COMPARISON = Comparison(
    "coupled ECN", "light", "coupled", "static", "fct_mean", "coupled-ecn",
    text="A step takes {} now", baseline_name="without",
)
HEADER = ("subject,label,goal,scheme,baseline,baseline median,median,ratio,95 % CI of the ratio,unit,"
          "verdict\n")


def find(values, others, unit="s", **changes):
    """What a comparison says of some values."""
    return Finding(dataclasses.replace(COMPARISON, **changes), unit, values, others)


class Verdicts(unittest.TestCase):
    """The verdict follows from the pairs."""

    def test_pairs(self):
        # Half-widths are t * s / sqrt(n), with t of the table of Student's distribution (0.975
        # quantile): 12.706 for 2 runs, 4.303 for 3, 2.262 for 10.
        neither = "inconclusive"
        # Differences -10, -12 and -8: s = 2. Ratios 0.5, 0.5 and 0.636: logarithms of mean -0.613 and
        # s = 0.139, half-width 0.346
        three = 4.303 * 2 / math.sqrt(3)
        # Differences of nine times 0.5 and once 5.5: mean 1, s^2 = (9 * 0.25 + 20.25) / 9 = 2.5
        ten = 2.262 * math.sqrt(2.5) / math.sqrt(10)
        for what, values, others, difference, half, less, more in (
            ("less", [10, 12, 14], [20, 24, 22], -10, three, "better", "worse"),
            ("more", [20, 24, 22], [10, 12, 14], 10, three, "worse", "better"),
            ("-1, 1 and 3", [0, 2, 4], [1, 1, 1], 1, three, neither, neither),
            # Their own intervals overlap: means 55 and 110, half-widths above 500. Ratios 1/2.
            ("pairs", [10, 100], [20, 200], -55, 571.77, "better", "worse"),
            # With zeros. s = sqrt(2), so that the half-width is 12.706
            ("two runs", [12.5, 14.5], [0, 0], 13.5, 12.706, "worse", "better"),
            ("two runs within", [11.5, 13.5], [0, 0], 12.5, 12.706, neither, neither),
            # Counts with zeros: log 2 and 3, less log 1, have mean 0.896 and s = 0.287, half-width
            # 12.706 * 0.287 / sqrt(2) = 2.58; log 12 and 14, mean 2.562, s = 0.109, 0.98
            ("few packets", [1, 2], [0, 0], 1.5, 6.353, neither, neither),
            ("packets", [11, 13], [0, 0], 12, 12.706, "worse", "better"),
            # With zeros, by ranks: the interval of the difference contains 0
            ("ten runs", [0.5] * 9 + [5.5], [0] * 10, 1, ten, "worse", "better"),
            ("the same", [3, 4], [3, 4], 0, 0, neither, neither),
            ("one run", [3], [4], -1, NONE, "one run", "one run"),
            ("no value in a run", [3, NONE], [4, 5], NONE, NONE, "no value", "no value"),
            ("no baseline in one run", [3], [NONE], NONE, NONE, "no value", "no value"),
        ):
            for less_is_better in (True, False):
                with self.subTest(what, less_is_better=less_is_better):
                    found = find(values, others, less_is_better=less_is_better)
                    self.assertEqual(found.verdict, less if less_is_better else more)
                    fields = found.fields()
                    for name, expected, delta in (
                        ("difference", difference, 1e-9), ("ci95", half, 2e-2)  # four digits
                    ):
                        self.assertEqual(math.isnan(fields[name]), math.isnan(expected))
                        if not math.isnan(expected):
                            self.assertAlmostEqual(fields[name], expected, delta=delta)

    def test_what_is_refused(self):
        for expected, changes in (
            ("finding of fct_mean: expected a subject", {"subject": ""}),
            ("chapter '': expected kebab-case", {"chapter": ""}),
            ("chapter 'doc/coupled-ecn.rst': expected kebab-case", {"chapter": "doc/coupled-ecn.rst"}),
            ("expected {} for the value", {"text": "It takes long"}),
            ("coupled ECN, fct_mean: expected a sentence", {"sentence": lambda found: ""}),
        ):
            with self.assertRaisesRegex(ValueError, expected):
                find([1, 2], [2, 3], **changes)
        for values, others in (([1, 2], [2]), ([1], [2, 3])):
            with self.assertRaisesRegex(ValueError, "values to compare with, found"):
                find(values, others)


class Sentences(unittest.TestCase):
    """The sentence of a comparison, by medians."""

    def test_numbers(self):
        for what, values, others, share, sentence in (
            ("one run", [1.5e-3], [2e-3], False, "1.500 ms now (without: 2.000 ms)."),
            # Medians 2 and 4; ratios of 1/2, so that the interval has no width
            ("several runs", [1, 2, 90], [2, 4, 180], False,
             "2.000 s now (without: 4.000 s; ratio 0.50, 95 % CI 0.50 to 0.50)."),
            ("no ratio", [0, 0, 9], [0.5, 0.25, 0.5], False,
             "0 s now (without: 500.0 ms; better in 2 of 3 runs)."),
            ("shares", [0.5], [0.272], True, "50.0 % now (without: 27.2 %)."),
            ("a small ratio has two digits", [0.5, 0.5], [50, 50], False,
             "500.0 ms now (without: 50.00 s; ratio 0.010, 95 % CI 0.010 to 0.010)."),
        ):
            found = find(values, others, "1" if share else "s", is_share=share)
            self.assertEqual(found.sentence, f"A step takes {sentence}", what)
        self.assertIn("better in 1 of 3 runs",
                      find([0, 0, 9], [0.5, 0.25, 0.5], less_is_better=False).sentence)
        self.assertIn("(static: ", find([1], [2], baseline_name="").sentence)
        self.assertEqual(find([NONE, 1], [2, 2]).sentence,
                         "fct_mean of coupled or of static does not exist in some run.")

    def test_one_of_its_own(self):
        found = find([1], [2], sentence=lambda found: f"It is {found.shown(found.values[0])}.")
        self.assertEqual(found.sentence, "It is 1.000 s.")

    def test_lines_fit(self):
        said = find([1.5e-3], [2e-3], sentence=lambda found: "It takes 1.500 ms in place of 2.000 ms.")
        self.assertEqual(
            sentences([said], 40),
            "\ncoupled ECN (doc/coupled-ecn.rst)\n"
            "- one run: It takes 1.500 ms in place of\n"
            "  2.000 ms.\n",
        )


class Files(unittest.TestCase):
    """verdicts.csv, and the list in summary.json."""

    def test_json(self):
        said = find([1.5e-3], [2e-3], sentence=lambda found: "It takes less.")
        self.assertEqual(
            said.fields(),
            {
                "subject": "coupled ECN", "scenario": "light", "scheme": "coupled",
                "baseline": "static", "metric": "fct_mean", "label": "fct mean", "goal": True,
                "share": False, "verdict": "one run", "sentence": "It takes less.",
                "chapter": "coupled-ecn", "value": 0.0015, "baseline_value": 0.002,
                "median": 0.0015, "baseline_median": 0.002, "difference": -0.0005,
                "ci95": said.fields()["ci95"], "ratio": 0.75, "ratio_ci95": None, "unit": "s",
            },
        )
        summary = Summary("x", seed=1, runs=2)
        for scheme, values in (("coupled", (NONE, 1.0)), ("static", (2.0, 2.0))):
            for value in values:
                summary.add("light", scheme, "fct_mean", value, "s")
        summary.compare([COMPARISON])
        written = json.loads(summary.json())["findings"]
        self.assertEqual(len(written), 1)
        none = ("value", "median", "difference", "ci95", "ratio", "ratio_ci95")
        self.assertEqual([written[0][name] for name in none], [None] * len(none))
        self.assertEqual([written[0][name] for name in ("baseline_value", "baseline_median")], [2, 2])
        self.assertEqual(written[0]["verdict"], "no value")
        line = summary.json().partition('"findings": [\n')[2].partition("\n")[0]
        self.assertTrue(line.startswith('    {"subject": "coupled ECN", "scenario": "light", '), line)

    def test_csv(self):
        one = find([1.5e-3], [2e-3])
        row = "coupled ECN,fct mean,yes,coupled,static,2.000 ms,1.500 ms,0.75,,,one run\n"
        self.assertEqual(verdicts_csv([one]), HEADER + row)
        # Shares, quotes and commas: ratios of 1/2, so that the interval has no width
        quoted = find([0.25, 0.25], [0.5, 0.5], "1", subject='"new"', label="share, of all",
                      is_goal=False, is_share=True)
        # Medians 0 and 5000; log 4001 and 6001 are far from 0
        packets = find([0, 0], [4000, 6000], "packet", label="drops")
        rows = (
            '"""new""","share, of all",no,coupled,static,50.0 %,25.0 %,0.50,0.50 to 0.50,,better\n'
            'coupled ECN,drops,yes,coupled,static,"5,000",0,,,packets,better\n'
        )
        self.assertEqual(verdicts_csv([quoted, packets]), HEADER + rows)
        heavy = find([2], [NONE], scenario="heavy")
        lines = verdicts_csv([quoted, packets, heavy]).splitlines()
        self.assertEqual(lines[0] + "\n", "scenario," + HEADER)
        self.assertEqual(
            lines[-1], "heavy,coupled ECN,fct mean,yes,coupled,static,-,2.000 s,,,,no value"
        )


class Matrix(unittest.TestCase):
    """Findings of two mechanisms, of which each one and both were run, in the width of a terminal."""

    def setUp(self):
        self.summary = Summary("x", seed=1, runs=1, ns3="3.44")
        for scheme, step, drops in (("none", 0.025, 120), ("fast", 0.02, 80), ("both", 0.01, 0)):
            self.summary.add("one", scheme, "step_time", step, "s")
            self.summary.add("one", scheme, "drops", drops, "packet")
        self.summary.compare(
            Comparison(subject, "one", scheme, baseline, metric, "pre-ecn", label=label,
                       is_goal=metric == "drops", sentence=lambda found: "It is.")
            for subject, scheme, baseline, metric, label in (
                ("fast lane", "fast", "none", "step_time", "training step"),
                ("fast lane", "fast", "none", "drops", "dropped packets in the WAN"),
                ("both", "both", "none", "step_time", "training step"),
                ("all but fast", "fast", "both", "step_time", "training step"),
            )
        )

    def printed(self, width, has_table=False):
        """What is printed behind the heading."""
        text = self.summary.text(["step_time", "drops"], width, has_table, {})
        heading, _, rest = text.partition("\n\n")
        self.assertEqual(heading, "x: ns-3 3.44, seed 1, 1 run")
        return rest

    def test_a_usual_line(self):
        self.assertEqual(
            self.printed(80),
            "           training step      what it is for (in parentheses: none)\n"
            "none       25.00 ms\n"
            "fast lane  20.00 ms  one run  one run: dropped packets in the WAN 80 (120)\n"
            "both       10.00 ms  one run\n"
            "\n"
            "              training step\n"
            "both          10.00 ms\n"
            "all but fast  20.00 ms  one run\n"
            "\nfast lane (doc/pre-ecn.rst)\n"
            "- one run: It is.\n"
            "- one run: It is.\n"
            "\nboth (doc/pre-ecn.rst)\n"
            "- one run: It is.\n"
            "\nall but fast (doc/pre-ecn.rst)\n"
            "- one run: It is.\n",
        )

    def test_goals_are_broken_between_words(self):
        self.assertEqual(
            self.printed(60).partition("both ")[0],
            "           training step      what it is for (in\n"
            "                                parentheses: none)\n"
            "none       25.00 ms\n"
            "fast lane  20.00 ms  one run  one run: dropped packets in\n"
            "                                the WAN 80 (120)\n",
        )

    def test_goals_are_below_their_rows_where_there_is_no_room(self):
        self.assertEqual(
            self.printed(40).partition("both ")[0],
            "           training step\n"
            "  what it is for (in parentheses: none)\n"
            "none       25.00 ms\n"
            "fast lane  20.00 ms  one run\n"
            "  one run: dropped packets in the WAN\n"
            "    80 (120)\n",
        )

    def test_the_table_is_printed_if_it_is_asked_for(self):
        self.assertEqual(
            self.printed(80, True)[len(self.printed(80)):],
            "\nAll metrics\n"
            "\n"
            "scenario  scheme  step_time  drops\n"
            "one       none     25.00 ms    120\n"
            "          fast     20.00 ms     80\n"
            "          both     10.00 ms      0\n",
        )

    def test_scenarios_have_their_own(self):
        two = [find([1], [2], scenario=name, is_goal=False) for name in ("light", "heavy")]
        self.assertEqual(
            matrix(two, 80),
            "light        fct mean\n"
            "static       2.000 s\n"
            "coupled ECN  1.000 s  one run\n"
            "\n"
            "heavy        fct mean\n"
            "static       2.000 s\n"
            "coupled ECN  1.000 s  one run\n",
        )

    def test_medians_are_named(self):
        summary = Summary("x", seed=7, runs=2, ns3="3.44")
        for scheme in ("coupled", "static"):
            for value in (1.0, 2.0):
                summary.add("light", scheme, "fct_mean", value, "s")
        summary.compare([COMPARISON])
        text = summary.text(["fct_mean"], 80, False, {})
        self.assertEqual(text.partition("\n")[0], "x: ns-3 3.44, seed 7, 2 runs (medians)")
