# SPDX-License-Identifier: GPL-2.0-only
"""Tests of test/check-summary.py."""

import contextlib
import copy
import importlib.util
import io
import json
import pathlib
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "check-summary.py"
SPEC = importlib.util.spec_from_file_location("check_summary", SCRIPT)
check_summary = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check_summary)

SUMMARY = {
    "experiment": "coupled-ecn",
    "ns3": "3.44",
    "seed": 1,
    "runs": 1,
    "command": "aidc-coupled-ecn",
    "parameters": {"scenario": "light", "alpha": 1, "rtt": {"value": 5e-05, "unit": "s"}},
    "schemes": {
        "static-low@light": {
            "goodput": {"value": 100, "unit": "bit/s", "ci95": None},
            "fct_p99": {"value": None, "unit": "s", "ci95": None},
        },
        "coupled": {"goodput": {"value": 120.5, "unit": "bit/s", "ci95": None}},
    },
}


def expect(check, scheme="static-low@light", metric="goodput"):
    """Expectations of one metric."""
    return {"experiment": "coupled-ecn", "command": "", "schemes": {scheme: {metric: check}}}


class CheckSummaryTest(unittest.TestCase):
    """Runs the program on files, as its users do."""

    def run_on(self, expected, actual, *options):
        """Run on two JSON values, or texts; return the exit status, the lines and the errors."""
        output = io.StringIO()
        errors = io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, value in (("expected.json", expected), ("actual.json", actual)):
                path = pathlib.Path(folder) / name
                path.write_text(value if isinstance(value, str) else json.dumps(value))
                paths.append(str(path))
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
                status = check_summary.main([*paths, *options])
        return status, output.getvalue().splitlines(), errors.getvalue()

    def assert_passes(self, check, **where):
        """Assert that the summary passes a check."""
        self.assertEqual(self.run_on(expect(check, **where), SUMMARY), (0, [], ""), check)

    def assert_fails(self, check, line, scheme="static-low@light", metric="goodput"):
        """Assert that the summary fails a check with a line of output."""
        expected = expect(check, scheme, metric)
        self.assertEqual(self.run_on(expected, SUMMARY), (1, [line], ""), check)

    def find_mismatches(self, runs, **changes):
        """The mismatches of a summary with a finding of a and b, of which values are changed."""
        metric = {"value": 3, "unit": "s", "ci95": None if runs == 1 else 1, "median": 3}
        finding = {
            "subject": "a", "scenario": "", "scheme": "a", "baseline": "b", "metric": "m",
            "label": "m", "goal": True, "share": False, "verdict": "one run",
            "sentence": "a is less.", "chapter": "workload", "value": 3, "baseline_value": 5, "median": 3,
            "baseline_median": 5, "difference": -2, "ci95": None, "ratio": 0.6, "ratio_ci95": None,
            "unit": "s", **changes,
        }
        schemes = {"a": {"m": metric}, "b": {"m": {**metric, "value": 5, "median": 5}}}
        actual = {**SUMMARY, "runs": runs, "question": "Which?", "schemes": schemes,
                  "findings": [finding]}
        return self.run_on(expect({"value": 3}, "a", "m"), actual)[1]

    def test_findings(self):
        """A finding has the values of its schemes, and the verdict that follows from them."""
        self.assertEqual(self.find_mismatches(1), [])
        self.assertEqual(self.find_mismatches(2, verdict="better", ratio_ci95=[0.5, 0.7]), [])
        self.assertEqual(self.find_mismatches(2, verdict="inconclusive", ratio_ci95=[0.5, 1]), [])
        self.assertEqual(self.find_mismatches(2, verdict="worse", ratio=None), [])
        self.assertEqual(
            self.find_mismatches(2, verdict="worse", ratio_ci95=[0.5, 1.1]),
            ["finding 1: expected inconclusive, found worse"],
        )
        self.assertEqual(
            self.find_mismatches(2, verdict="inconclusive", ratio_ci95=[1.1, 1.2]),
            ["finding 1: expected better or worse, found inconclusive"],
        )
        self.assertEqual(
            self.find_mismatches(2, verdict="gains", ratio_ci95=[0.5, 0.7]),
            ["finding 1: expected better or worse, found gains"],
        )
        self.assertEqual(
            self.find_mismatches(1, verdict="better"),
            ["finding 1: expected one run, found better"],
        )
        self.assertEqual(
            self.find_mismatches(2, difference=None), ["finding 1: expected no value, found one run"]
        )
        self.assertEqual(
            self.find_mismatches(1, value=4), ["finding 1 value: expected a's m"]
        )
        self.assertEqual(
            self.find_mismatches(1, sentence=""), ['finding 1 sentence: expected text, found ""']
        )
        self.assertEqual(
            self.find_mismatches(1, more=1), ["finding 1: unexpected key more"]
        )
        self.assertEqual(
            self.find_mismatches(1, goal=1), ["finding 1 goal: expected true or false, found 1"]
        )
        self.assertEqual(
            self.find_mismatches(1, share="no"),
            ['finding 1 share: expected true or false, found "no"'],
        )
        self.assertEqual(
            self.find_mismatches(1, ratio_ci95=[2, 1]),
            ["finding 1 ratio_ci95: expected null or two numbers in their order, found [2, 1]"],
        )

    def test_outliers(self):
        """An outlier is a run of its scheme, above twice the median."""
        metric = {"value": 4, "unit": "s", "ci95": 9, "median": 2, "runs": [2, 1, 9]}
        waits = {"queue_pair": "a to b, queue pair 2", "since": 1, "cause": "rate", "waited": 2,
                 "sentence": "It waited."}
        outlier = {"scheme": "a", "scenario": "", "run": 3, "metric": "m", "value": 9, "median": 2,
                   "unit": "s", "waits": None}

        def find(**changes):
            actual = {**SUMMARY, "runs": 3, "schemes": {"a": {"m": metric}},
                      "outliers": [{**outlier, **changes}]}
            return self.run_on(expect({"value": 4}, "a", "m"), actual)[1]

        self.assertEqual(find(), [])
        self.assertEqual(find(waits=waits), [])
        self.assertEqual(find(run=2), ["outlier 1: expected a run of a with its m"])
        self.assertEqual(find(scheme="b"), ["outlier 1: expected a run of b with its m"])
        self.assertEqual(find(median=4.5), ["outlier 1: expected more than twice the median"])
        self.assertEqual(find(waits={**waits, "cause": "rain"}),
                         ["outlier 1 waits cause: expected one of pause, rate, window, timeout"])

    def test_tolerances(self):
        """A value passes on its bounds and fails beyond them."""
        for check in (
            {"value": 100},
            {"value": 80, "relative": 0.25},
            {"value": 125, "relative": 0.2},
            {"value": 90, "absolute": 10},
            {"value": 110, "absolute": 10},
            {"value": 90, "relative": 0.01, "absolute": 10},
            {"min": 100, "max": 100},
            {"min": 100},
            {"max": 100},
        ):
            self.assert_passes(check)
        name = "static-low@light goodput: expected "
        for check, wanted in (
            ({"value": 99}, "99 +- 0"),
            ({"value": 80, "relative": 0.24}, "80 +- 19.2"),
            ({"value": 90, "absolute": 9.9}, "90 +- 9.9"),
            ({"min": 101, "max": 200}, "101 to 200"),
            ({"min": 100.5}, "at least 100.5"),
            ({"max": 99}, "at most 99"),
            ({"value": None}, "null"),
        ):
            self.assert_fails(check, name + wanted + ", found 100")

    def test_negative_value(self):
        """A relative tolerance of a negative value is on both sides of it."""
        actual = copy.deepcopy(SUMMARY)
        actual["schemes"]["coupled"]["goodput"]["value"] = -104
        expected = expect({"value": -100, "relative": 0.05}, scheme="coupled")
        self.assertEqual(self.run_on(expected, actual)[0], 0)

    def test_missing_value(self):
        """Null passes only where it is expected."""
        self.assert_passes({"value": None}, metric="fct_p99")
        name = "static-low@light fct_p99: expected "
        self.assert_fails({"min": 0}, name + "at least 0, found null", metric="fct_p99")
        self.assert_fails({"value": 0}, name + "0 +- 0, found null", metric="fct_p99")

    def test_missing_scheme_and_metric(self):
        """What is expected and not there is a mismatch; what is not expected may be there."""
        self.assert_fails(
            {"min": 0}, "static-high: expected the scheme, found none", scheme="static-high"
        )
        self.assert_fails(
            {"min": 0}, "coupled fct_p50: expected the metric, found none", "coupled", "fct_p50"
        )

    def test_another_experiment(self):
        """The summary is of the experiment that is expected."""
        expected = expect({"min": 0})
        expected["experiment"] = "flowlets"
        line = 'experiment: expected "flowlets", found "coupled-ecn"'
        self.assertEqual(self.run_on(expected, SUMMARY), (1, [line], ""))

    def assert_malformed(self, change, line):
        """Assert that a changed summary gives a line of output about its form."""
        actual = copy.deepcopy(SUMMARY)
        change(actual)
        status, lines, errors = self.run_on(expect({"min": 0}), actual)
        self.assertEqual((status, errors), (1, ""))
        self.assertIn(line, lines)

    def test_form_of_the_top(self):
        """Each key has its type."""

        def change(key, value):
            return lambda summary: summary.update({key: value})

        whole = "expected a whole number from "
        for key, value, line in (
            ("ns3", "unknown", 'ns3: expected a release such as 3.44, found "unknown"'),
            ("ns3", 3.44, "ns3: expected a release such as 3.44, found 3.44"),
            ("seed", -1, f"seed: {whole}0 on, found -1"),
            ("seed", 1.5, f"seed: {whole}0 on, found 1.5"),
            ("runs", 0, f"runs: {whole}1 on, found 0"),
            ("runs", True, f"runs: {whole}1 on, found true"),
            ("command", None, "command: expected text, found null"),
            ("parameters", [], "parameters: expected an object, found []"),
            ("schemes", [], "schemes: expected an object, found []"),
            ("experiment", "Coupled", 'experiment: expected a name in kebab-case, found "Coupled"'),
            ("extra", 1, "summary: unexpected key extra"),
        ):
            self.assert_malformed(change(key, value), line)
        self.assert_malformed(lambda s: s.pop("seed"), "summary: expected the key seed")

    def test_form_of_parameters(self):
        """A parameter is text, a number, or a number with a unit."""

        def change(value):
            return lambda summary: summary["parameters"].update(p=value)

        self.assert_malformed(
            change([1]), "parameters p: expected text, a number or a quantity, found a list"
        )
        self.assert_malformed(change({"value": 1}), "parameters p: expected the key unit")
        self.assert_malformed(
            change({"value": "1", "unit": "s"}), 'parameters p: expected a number, found "1"'
        )
        self.assert_malformed(
            change({"value": 1, "unit": "ms"}), 'parameters p: unexpected unit "ms"'
        )

    def test_form_of_metrics(self):
        """A metric has a number or null, a known unit and an interval."""

        def change(**members):
            return lambda summary: summary["schemes"]["coupled"]["goodput"].update(members)

        def add_interval(summary):
            summary["runs"] = 2
            summary["schemes"]["coupled"]["goodput"].update(value=None, ci95=1)

        for alteration, line in (
            (change(value="1"), 'value: expected a number or null, found "1"'),
            (change(value=True), "value: expected a number or null, found true"),
            (change(unit="ms"), 'unit: expected one of s, bit/s, byte, packet, 1, found "ms"'),
            (change(unit="byte"), "unit: expected bit/s as before, found byte"),
            (change(ci95=-1), "ci95: expected a number from 0 on or null, found -1"),
            (change(ci95=1), "ci95: expected null, as there is one run, found 1"),
            (add_interval, "ci95: expected null, as there is no value, found 1"),
            (change(runs=[1, 2]), "runs: expected 1 values, found [1, 2]"),
            (change(runs=["1"]), 'runs: expected numbers or null, found ["1"]'),
        ):
            self.assert_malformed(alteration, "coupled goodput " + line)
        self.assert_malformed(
            lambda s: s["schemes"]["coupled"]["goodput"].pop("ci95"),
            "coupled goodput: expected the key ci95",
        )
        self.assert_malformed(change(n=1), "coupled goodput: unexpected key n")
        self.assert_malformed(
            lambda s: s["schemes"]["coupled"].update(goodput=1),
            "coupled goodput: expected an object, found 1",
        )

    def test_names(self):
        """Schemes are in kebab-case, metrics in snake_case."""
        metric = {"value": 1, "unit": "1", "ci95": None}
        kebab = ": expected kebab-case, as SCHEME or SCHEME@SCENARIO"
        for name in ("Coupled", "a_b", "a--b", "a@", "@b", "a@b@c", ""):
            self.assert_malformed(
                lambda s, name=name: s["schemes"].update({name: {"m": metric}}), name + kebab
            )
        for name in ("Goodput", "a-b", "a__b", "_a", "9a", ""):
            self.assert_malformed(
                lambda s, name=name: s["schemes"]["coupled"].update({name: metric}),
                f"coupled {name}: expected snake_case",
            )

    def test_nan(self):
        """NaN and Infinity are not JSON, though Python reads them."""
        for name in ("NaN", "Infinity", "-Infinity"):
            text = json.dumps(SUMMARY).replace("120.5", name)
            status, lines, _ = self.run_on(expect({"min": 0}), text)
            self.assertEqual((status, lines), (1, [f"{name}: not a number of JSON, expected null"]))

    def test_number_beyond_double(self):
        """A number that Python reads as infinite is no number."""
        text = json.dumps(SUMMARY).replace("120.5", "1e999")
        status, lines, _ = self.run_on(expect({"min": 0}), text)
        self.assertEqual(status, 1)
        self.assertEqual(len(lines), 1)

    def test_repeated_key(self):
        """A key that is given twice hides a value."""
        text = json.dumps(SUMMARY).replace('"seed": 1', '"seed": 1, "seed": 2')
        status, lines, _ = self.run_on(expect({"min": 0}), text)
        self.assertEqual((status, lines), (1, ["seed: given more than once"]))

    def test_unusable_files(self):
        """Files that are no JSON end with their name and line."""
        status, lines, errors = self.run_on(expect({"min": 0}), '{\n"a": }')
        self.assertEqual((status, lines), (2, []))
        self.assertRegex(errors, r"actual\.json:2: not JSON: ")
        status, _, errors = self.run_on("", SUMMARY)
        self.assertEqual(status, 2)
        self.assertRegex(errors, r"expected\.json:1: not JSON: ")
        self.assertEqual(self.run_on(expect({"min": 0}), "[]")[0], 1)
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            self.assertEqual(check_summary.main(["/no/such/a.json", "/no/such/b.json"]), 2)
        self.assertEqual(errors.getvalue(), "/no/such/a.json: No such file or directory\n")

    def test_unusable_expectations(self):
        """An expectation that would always hold is refused."""
        for check in (
            {},
            1,
            {"relative": 0.1},
            {"value": 1, "min": 0},
            {"value": None, "relative": 0.1},
            {"value": "1"},
            {"value": 1, "relative": -0.1},
            {"min": 2, "max": 1},
            {"value": 1, "tolerance": 0.1},
        ):
            status, lines, errors = self.run_on(expect(check), SUMMARY)
            self.assertEqual((status, lines), (2, []), check)
            self.assertIn("static-low@light goodput", errors)
        for schemes in ({}, {"a": {}}, []):
            expected = {"experiment": "coupled-ecn", "command": "", "schemes": schemes}
            self.assertEqual(self.run_on(expected, SUMMARY)[0], 2)

    def test_without(self):
        """Expectations have to fail for a scheme that lacks the mechanism."""
        summary = copy.deepcopy(SUMMARY)
        summary["schemes"]["hash@light"] = {
            "goodput": {"value": 90, "unit": "bit/s", "ci95": None}
        }
        option = "--without=static-low=hash"

        def expect_both(check):
            both = expect(check)
            both["schemes"]["static-low@light"]["fct_p99"] = {"value": None}
            return both

        self.assertEqual(self.run_on(expect({"min": 95}), summary, option), (0, [], ""))
        self.assertEqual(self.run_on(expect_both({"min": 95}), summary, option), (0, [], ""))
        line = (
            "static-low@light: expected a metric that hash@light misses, found that all hold"
        )
        for weak in (expect({"min": 80}), expect_both({"min": 80})):
            self.assertEqual(self.run_on(weak, summary, option), (1, [line], ""))
        self.assertEqual(
            self.run_on(expect({"min": 95}), SUMMARY, option),
            (1, ["hash@light: expected the scheme, found none"], ""),
        )
        self.assertEqual(
            self.run_on(expect({"min": 95}), summary, "--without=coupled=hash"),
            (1, ["coupled: expected some expectations of it, found none"], ""),
        )

    def test_help(self):
        """--help explains the files."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output), self.assertRaises(SystemExit) as end:
            check_summary.main(["--help"])
        self.assertEqual(end.exception.code, 0)
        self.assertIn("EXPECTED", output.getvalue())
        self.assertIn("ci95", output.getvalue())
