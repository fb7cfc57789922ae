# SPDX-License-Identifier: GPL-2.0-only
"""Tests of bindings/aidc/results.py, which needs neither ns-3 nor pandas."""

import json
import math

from aidc import results
from folder_test import FolderTest

results.pandas = None

SUMMARY = {
    "question": "Does b carry more?",
    "schemes": {
        "a@one": {
            "goodput": {"value": 5e9, "unit": "bit/s", "ci95": 1e8, "runs": [4.9e9, 5.1e9]}
        },
        "b@one": {"goodput": {"value": 6e9, "unit": "bit/s", "ci95": None}},
        "a@two": {
            "goodput": {"value": None, "unit": "bit/s", "ci95": None},
            "queue_p99": {"value": 9000, "unit": "byte", "ci95": None},
        },
    },
    "findings": [
        {
            "subject": "b",
            "scenario": "one",
            "scheme": "b",
            "baseline": "a",
            "metric": "goodput",
            "label": "goodput",
            "goal": True,
            "verdict": "better",
            "sentence": "b carries more.",
            "chapter": "coupled-ecn",
            "value": 6e9,
            "baseline_value": 5e9,
            "median": 6e9,
            "baseline_median": 5e9,
            "difference": 1e9,
            "ci95": 1e8,
            "ratio": 1.2,
            "unit": "bit/s",
        },
    ],
}


class ResultsTest(FolderTest):
    """What a folder of results becomes."""

    def setUp(self):
        super().setUp()
        (self.folder / "summary.json").write_text(json.dumps(SUMMARY))
        before = results.pandas
        self.addCleanup(setattr, results, "pandas", before)
        results.pandas = None
        self.results = results.Results(str(self.folder))

    def test_runs_come_in_their_order(self):
        self.assertEqual(self.results.runs(), [("one", "a"), ("one", "b"), ("two", "a")])
        self.assertEqual(self.results.scenarios(), ["one", "two"])
        self.assertEqual(self.results.schemes("one"), ["a", "b"])

    def test_values_are_those_of_the_summary(self):
        self.assertEqual(self.results.value("one", "b", "goodput"), 6e9)
        self.assertEqual(self.results.values("one", "a", "goodput"), [4.9e9, 5.1e9])
        self.assertIsNone(self.results.value("two", "a", "goodput"))
        with self.assertRaises(KeyError):
            self.results.value("two", "b", "goodput")

    def test_metrics_are_a_table(self):
        table = self.results.metrics()
        self.assertEqual(table["scenario"], ["one", "one", "two", "two"])
        self.assertEqual(table["metric"], ["goodput", "goodput", "goodput", "queue_p99"])
        self.assertEqual(table["value"], [5e9, 6e9, None, 9000])
        self.assertEqual(table["unit"], ["bit/s", "bit/s", "bit/s", "byte"])
        self.assertEqual(table["ci95"], [1e8, None, None, None])

    def test_findings_are_a_table(self):
        table = self.results.findings()
        self.assertEqual({name: [finding[name] for finding in SUMMARY["findings"]]
                          for name in SUMMARY["findings"][0]}, table)
        self.assertEqual(self.results.question, "Does b carry more?")

    def test_results_of_old_have_no_findings(self):
        (self.folder / "summary.json").write_text(json.dumps({"schemes": {}}))
        old = results.Results(self.folder)
        self.assertEqual(old.findings()["verdict"], [])
        self.assertEqual(old.question, "")

    def test_columns_of_numbers_become_numbers(self):
        text = "time_s,bytes,region\n0,100,A\n1e-6,200,B\nnan,300,B\n"
        (self.folder / "queue-one-a.csv").write_text(text)
        table = self.results.series("queue", "one", "a")
        self.assertEqual(table["bytes"], [100, 200, 300])
        self.assertEqual(table["time_s"][:2], [0, 1e-6])
        self.assertTrue(math.isnan(table["time_s"][2]))
        self.assertEqual(table["region"], ["A", "B", "B"])

    def test_a_table_may_have_no_rows(self):
        (self.folder / "totals.csv").write_text("scenario,scheme\n")
        self.assertEqual(self.results.table("totals"), {"scenario": [], "scheme": []})

    def test_wrong_files_are_named(self):
        for name, text, error in (
            ("totals.csv", "", "totals.csv: expected a line of column names, found an empty"),
            ("totals.csv", "a,b\n1,2\n3\n", "totals.csv: line 3: expected 2 columns, found 1"),
            ("summary.json", "", "summary.json: "),
            ("summary.json", "{", "summary.json: "),
        ):
            (self.folder / name).write_text(text)
            with self.assertRaisesRegex(ValueError, error):
                results.Results(self.folder).table("totals")
        with self.assertRaisesRegex(OSError, "nothing.csv"):
            self.results.table("nothing")

    def test_a_byte_order_mark_is_skipped(self):
        (self.folder / "totals.csv").write_text("\ufeffdropped\n7\n", encoding="utf-8")
        self.assertEqual(self.results.table("totals"), {"dropped": [7]})

    def test_pandas_makes_the_table_where_it_is_installed(self):
        class Pandas:
            """Stands for pandas."""

            @staticmethod
            def DataFrame(columns):
                """Makes a frame."""
                return ("frame", columns)

        results.pandas = Pandas
        (self.folder / "totals.csv").write_text("dropped\n7\n")
        self.assertEqual(self.results.table("totals"), ("frame", {"dropped": [7]}))

    def test_a_folder_without_results_is_an_error(self):
        with self.assertRaises(OSError):
            results.Results(self.folder / "none")
