#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare the summary.json of an experiment with what is expected of it.

The expected file names the metrics that matter, each with a tolerance:

  {"experiment": NAME, "command": "...", "schemes": {SCHEME: {METRIC: CHECK}}}

where CHECK is one of

  {"value": V, "relative": R}   from V - R * |V| to V + R * |V|
  {"value": V, "absolute": A}   from V - A to V + A; with both, the wider one holds
  {"value": V}                  exactly V; null for a value that must not exist
  {"min": L, "max": H}          from L to H; one of them is enough

Schemes and metrics that it does not name may be anything. The command says how the actual summary
is produced, and is not compared. The actual summary is also checked against its fixed form:

  {"experiment", "ns3", "seed", "runs", "command", "question", "parameters": {...},
   "schemes": {NAME: {METRIC: {"value", "unit", "ci95", "median", "runs": [VALUE, ...]}}},
   "findings": [{"subject", "scenario", "scheme", "baseline", "metric", "label", "goal",
                 "share", "verdict", "sentence", "chapter", "value", "baseline_value", "median",
                 "baseline_median", "difference", "ci95", "ratio", "ratio_ci95": [LOW, HIGH],
                 "unit"}, ...],
   "outliers": [{"scheme", "scenario", "run", "metric", "value", "median", "unit", "waits"}, ...]}

with the units s, bit/s, byte, packet and 1, scheme names in kebab-case, as SCHEME or
SCHEME@SCENARIO, and metric names in snake_case. A value or ci95 that does not exist is null.
The medians and values of runs, the question, the findings and the outliers may be missing, as in
summaries of old. The numbers of a finding are those of its schemes, and its verdict follows from
them. An outlier is a run of its scheme, with more than twice the median.

With --without SCHEME=OTHER the question is another one: whether the expectations tell a scheme from
one that lacks its mechanism. In each scenario for which the file expects something of SCHEME, the
metrics of OTHER have to miss it, one that both have at least; where all of it holds for OTHER, too,
the expectations are worth nothing.

Each mismatch is printed on one line. The exit status is 0 if there is none, 1 if there are some,
and 2 if a file cannot be used at all.
"""

import argparse
import json
import math
import re
import sys

UNITS = ("s", "bit/s", "byte", "packet", "1")
KEBAB = r"[a-z0-9]+(-[a-z0-9]+)*"
EXPERIMENT_NAME = re.compile(KEBAB)
SCHEME_NAME = re.compile(KEBAB + "(@" + KEBAB + ")?")
METRIC_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
NS3_RELEASE = re.compile(r"3\.[0-9]+(\.[0-9]+)?")
TEXTS = ("subject", "scenario", "scheme", "baseline", "metric", "label", "verdict", "sentence",
         "chapter", "unit")
NUMBERS = ("value", "baseline_value", "median", "baseline_median", "difference", "ci95", "ratio")
FLAGS = ("goal", "share")
OUTLIER = ("scheme", "scenario", "run", "metric", "value", "median", "unit", "waits")
WAITS = ("queue_pair", "since", "cause", "waited", "sentence")
CAUSES = ("pause", "rate", "window", "timeout")
CHECK_KEYS = ({"value"}, {"value", "relative"}, {"value", "absolute"})
CHECK_KEYS += ({"value", "relative", "absolute"}, {"min"}, {"max"}, {"min", "max"})


class UnusableFile(Exception):
    """A file that cannot be read, is not JSON, or is no list of expectations."""


def is_number(value):
    """Whether a JSON value is a finite number; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return math.isfinite(value)


def show(value):
    """A JSON value as text for a message."""
    return f"{value:.10g}" if is_number(value) else json.dumps(value)


def read_json(path):
    """Read a JSON file; return its value and a list of what strict JSON does not allow in it."""
    problems = []

    def read_constant(name):
        problems.append(f"{name}: not a number of JSON, expected null")

    def read_object(pairs):
        names = [name for name, _ in pairs]
        for name in sorted({name for name in names if names.count(name) > 1}):
            problems.append(f"{name}: given more than once")
        return dict(pairs)

    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file, parse_constant=read_constant, object_pairs_hook=read_object)
    except OSError as error:
        raise UnusableFile(f"{path}: {error.strerror}") from error
    except json.JSONDecodeError as error:
        raise UnusableFile(f"{path}:{error.lineno}: not JSON: {error.msg}") from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise UnusableFile(f"{path}: not JSON: {error}") from error
    return value, problems


def check_keys(where, value, keys):
    """Check that a JSON value is an object of exactly these keys; yield the mismatches."""
    if not isinstance(value, dict):
        yield f"{where}: expected an object, found {show(value)}"
        return
    for key in keys:
        if key not in value:
            yield f"{where}: expected the key {key}"
    for key in value:
        if key not in keys:
            yield f"{where}: unexpected key {key}"


def check_metric(where, metric, runs):
    """Check the form of one metric; yield the mismatches."""
    keys = ("value", "unit", "ci95")
    has_runs = isinstance(metric, dict) and "runs" in metric
    if isinstance(metric, dict):
        keys += tuple(key for key in ("median", "runs") if key in metric)
    yield from check_keys(where, metric, keys)
    if not isinstance(metric, dict):
        return
    if has_runs:
        values = metric["runs"]
        if not isinstance(values, list) or len(values) != runs:
            yield f"{where} runs: expected {runs} values, found {show(values)}"
        elif not all(value is None or is_number(value) for value in values):
            yield f"{where} runs: expected numbers or null, found {show(values)}"
    value = metric.get("value")
    ci95 = metric.get("ci95")
    median = metric.get("median")
    if "median" in metric and not (median is value is None or is_number(median)):
        yield f"{where} median: expected a number or null, as the value, found {show(median)}"
    if value is not None and not is_number(value):
        yield f"{where} value: expected a number or null, found {show(value)}"
    if ci95 is not None and not (is_number(ci95) and ci95 >= 0):
        yield f"{where} ci95: expected a number from 0 on or null, found {show(ci95)}"
    elif ci95 is not None and value is None:
        yield f"{where} ci95: expected null, as there is no value, found {show(ci95)}"
    elif ci95 is not None and runs == 1:
        yield f"{where} ci95: expected null, as there is one run, found {show(ci95)}"
    if "unit" in metric and metric["unit"] not in UNITS:
        units = ", ".join(UNITS)
        yield f"{where} unit: expected one of {units}, found {show(metric['unit'])}"


def check_parameters(parameters):
    """Check the form of the parameters; yield the mismatches."""
    if not isinstance(parameters, dict):
        yield f"parameters: expected an object, found {show(parameters)}"
        return
    for name, value in parameters.items():
        if isinstance(value, dict):
            yield from check_keys(f"parameters {name}", value, ("value", "unit"))
            if value.get("value") is not None and not is_number(value["value"]):
                yield f"parameters {name}: expected a number, found {show(value['value'])}"
            if "unit" in value and value["unit"] not in UNITS:
                yield f"parameters {name}: unexpected unit {show(value['unit'])}"
        elif isinstance(value, list):
            yield f"parameters {name}: expected text, a number or a quantity, found a list"


def is_interval(value):
    """Whether a JSON value is a list of two numbers in their order."""
    return isinstance(value, list) and len(value) == 2 and all(map(is_number, value)) \
        and value[0] <= value[1]


def list_verdicts(finding, runs):
    """List the verdicts that the numbers of a finding allow."""
    if finding["difference"] is None:
        return ("no value",)
    if runs == 1:
        return ("one run",)
    if finding["ratio_ci95"] is None:
        return ("better", "worse", "inconclusive")
    low, high = finding["ratio_ci95"]
    return ("inconclusive",) if low <= 1 <= high else ("better", "worse")


def check_findings(findings, schemes, runs):
    """Check the findings against their form and the schemes; yield the mismatches."""
    if not isinstance(findings, list):
        yield f"findings: expected a list, found {show(findings)}"
        return
    for index, finding in enumerate(findings, start=1):
        where = f"finding {index}"
        problems = list(check_keys(where, finding, (*TEXTS, *NUMBERS, *FLAGS, "ratio_ci95")))
        if not problems:
            problems += [f"{where} {key}: expected text, found {show(finding[key])}"
                         for key in TEXTS
                         if not isinstance(finding[key], str)
                         or not finding[key] and key != "scenario"]
            problems += [f"{where} {key}: expected a number or null, found {show(finding[key])}"
                         for key in NUMBERS
                         if finding[key] is not None and not is_number(finding[key])]
            problems += [f"{where} {key}: expected true or false, found {show(finding[key])}"
                         for key in FLAGS if not isinstance(finding[key], bool)]
            if finding["ratio_ci95"] is not None and not is_interval(finding["ratio_ci95"]):
                problems.append(f"{where} ratio_ci95: expected null or two numbers in their order, "
                                f"found {show(finding['ratio_ci95'])}")
        yield from problems
        if problems:
            continue
        for key, name in (("value", finding["scheme"]), ("baseline_value", finding["baseline"])):
            scheme = f"{name}@{finding['scenario']}" if finding["scenario"] else name
            metrics = schemes.get(scheme)
            metric = metrics.get(finding["metric"]) if isinstance(metrics, dict) else None
            if not isinstance(metric, dict) or metric.get("value") != finding[key]:
                yield f"{where} {key}: expected {scheme}'s {finding['metric']}"
        verdicts = list_verdicts(finding, runs)
        if finding["verdict"] not in verdicts:
            yield f"{where}: expected {' or '.join(verdicts)}, found {finding['verdict']}"


def check_outliers(outliers, schemes):
    """Check the outliers against their form and the schemes; yield the mismatches."""
    if not isinstance(outliers, list):
        yield f"outliers: expected a list, found {show(outliers)}"
        return
    for index, outlier in enumerate(outliers, start=1):
        where = f"outlier {index}"
        problems = list(check_keys(where, outlier, OUTLIER))
        yield from problems
        if problems:
            continue
        name = outlier["scheme"] + ("@" + outlier["scenario"] if outlier["scenario"] else "")
        values = schemes.get(name, {}).get(outlier["metric"], {}).get("runs", [])
        run = outlier["run"]
        if not (type(run) is int and 1 <= run <= len(values)) or values[run - 1] != outlier["value"]:
            yield f"{where}: expected a run of {name} with its {outlier['metric']}"
        elif not outlier["value"] > 2 * outlier["median"]:
            yield f"{where}: expected more than twice the median"
        waits = outlier["waits"]
        if waits is not None:
            yield from check_keys(f"{where} waits", waits, WAITS)
            if isinstance(waits, dict) and waits.get("cause") not in CAUSES:
                yield f"{where} waits cause: expected one of {', '.join(CAUSES)}"


def check_form(summary):
    """Check a summary against the fixed form; yield the mismatches."""
    keys = ("experiment", "ns3", "seed", "runs", "command", "parameters", "schemes")
    if isinstance(summary, dict):
        keys += tuple(key for key in ("question", "findings", "outliers") if key in summary)
    yield from check_keys("summary", summary, keys)
    if not isinstance(summary, dict):
        return
    for key, name in (("experiment", EXPERIMENT_NAME), ("ns3", NS3_RELEASE)):
        value = summary.get(key)
        if key in summary and not (isinstance(value, str) and name.fullmatch(value)):
            kind = "a release such as 3.44" if key == "ns3" else "a name in kebab-case"
            yield f"{key}: expected {kind}, found {show(value)}"
    for key, least in (("seed", 0), ("runs", 1)):
        value = summary.get(key)
        if key in summary and not (type(value) is int and value >= least):
            yield f"{key}: expected a whole number from {least} on, found {show(value)}"
    for key in ("command", "question"):
        if key in summary and not isinstance(summary[key], str):
            yield f"{key}: expected text, found {show(summary[key])}"
    if "parameters" in summary:
        yield from check_parameters(summary["parameters"])

    schemes = summary.get("schemes", {})
    if not isinstance(schemes, dict):
        yield f"schemes: expected an object, found {show(schemes)}"
        return
    units = {}
    for scheme, metrics in schemes.items():
        if not SCHEME_NAME.fullmatch(scheme):
            yield f"{scheme}: expected kebab-case, as SCHEME or SCHEME@SCENARIO"
        if not isinstance(metrics, dict):
            yield f"{scheme}: expected an object, found {show(metrics)}"
            continue
        for name, metric in metrics.items():
            if not METRIC_NAME.fullmatch(name):
                yield f"{scheme} {name}: expected snake_case"
            yield from check_metric(f"{scheme} {name}", metric, summary.get("runs"))
            unit = metric.get("unit") if isinstance(metric, dict) else None
            if isinstance(unit, str) and units.setdefault(name, unit) != unit:
                yield f"{scheme} {name} unit: expected {units[name]} as before, found {unit}"
    yield from check_findings(summary.get("findings", []), schemes, summary.get("runs"))
    yield from check_outliers(summary.get("outliers", []), schemes)


def check_expectations(path, expected):
    """Refuse expectations that cannot be compared with anything, since they would always hold."""

    def refuse(where, reason):
        raise UnusableFile(f"{path}: {where}: {reason}")

    for problem in check_keys("top", expected, ("experiment", "command", "schemes")):
        raise UnusableFile(f"{path}: {problem}")
    if not isinstance(expected["schemes"], dict) or not expected["schemes"]:
        refuse("schemes", "expected an object with at least one scheme")
    for scheme, metrics in expected["schemes"].items():
        if not isinstance(metrics, dict) or not metrics:
            refuse(scheme, "expected an object with at least one metric")
        for metric, check in metrics.items():
            where = f"{scheme} {metric}"
            if not isinstance(check, dict) or set(check) not in CHECK_KEYS:
                refuse(where, "expected value with relative or absolute, or min and max")
            for key, number in check.items():
                if number is None and set(check) == {"value"}:
                    continue
                if not is_number(number):
                    refuse(f"{where} {key}", f"expected a number, found {show(number)}")
                if key in ("relative", "absolute") and number < 0:
                    refuse(f"{where} {key}", "expected a tolerance from 0 on")
            if "min" in check and "max" in check and check["min"] > check["max"]:
                refuse(where, "min is larger than max")


def compare_value(check, value):
    """Compare a value with its check; return what was expected if it does not hold, else None."""
    if "value" not in check:
        low = check.get("min", -math.inf)
        high = check.get("max", math.inf)
        if is_number(value) and low <= value <= high:
            return None
        if "min" in check and "max" in check:
            return f"{show(low)} to {show(high)}"
        return f"at least {show(low)}" if "min" in check else f"at most {show(high)}"

    center = check["value"]
    if center is None:
        return None if value is None else "null"
    tolerance = max(abs(center) * check.get("relative", 0), check.get("absolute", 0))
    # The bounds, not the difference: 1.1 - 1 is more than 0.1
    if is_number(value) and center - tolerance <= value <= center + tolerance:
        return None
    return f"{show(center)} +- {show(tolerance)}"


def compare(expected, actual):
    """Compare a summary with expectations; yield the mismatches."""
    if not isinstance(actual, dict):
        return
    if actual.get("experiment") != expected["experiment"]:
        found = show(actual.get("experiment"))
        yield f"experiment: expected {show(expected['experiment'])}, found {found}"
    schemes = actual.get("schemes")
    for scheme, metrics in expected["schemes"].items():
        found = schemes.get(scheme) if isinstance(schemes, dict) else None
        if not isinstance(found, dict):
            yield f"{scheme}: expected the scheme, found none"
            continue
        for name, check in metrics.items():
            metric = found.get(name)
            if not isinstance(metric, dict) or "value" not in metric:
                yield f"{scheme} {name}: expected the metric, found none"
                continue
            wanted = compare_value(check, metric["value"])
            if wanted is not None:
                yield f"{scheme} {name}: expected {wanted}, found {show(metric['value'])}"


def tell_apart(expected, actual, scheme, other):
    """Ask expectations of a scheme of another one; yield the scenarios where they hold for both."""
    found = actual.get("schemes") if isinstance(actual, dict) else None
    names = [name for name in expected["schemes"] if name.partition("@")[0] == scheme]
    if not names:
        yield f"{scheme}: expected some expectations of it, found none"
    for name in names:
        other_name = name.replace(scheme, other, 1)
        metrics = found.get(other_name) if isinstance(found, dict) else None
        if not isinstance(metrics, dict):
            yield f"{other_name}: expected the scheme, found none"
            continue
        checks = expected["schemes"][name]
        both = {key: check for key, check in checks.items() if key in metrics}
        if all(compare_value(check, metrics[key].get("value")) is None
               for key, check in both.items()):
            yield f"{name}: expected a metric that {other_name} misses, found that all hold"


def main(arguments=None):
    """Run the check; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("expected", metavar="EXPECTED", help="the file of expectations")
    parser.add_argument("actual", metavar="ACTUAL", help="the summary.json to check")
    parser.add_argument(
        "--without",
        metavar="SCHEME=OTHER",
        action="append",
        default=[],
        help="check that the expectations of a scheme fail for another one, instead",
    )
    options = parser.parse_args(arguments)
    try:
        expected, problems = read_json(options.expected)
        for problem in problems:
            raise UnusableFile(f"{options.expected}: {problem}")
        check_expectations(options.expected, expected)
        actual, mismatches = read_json(options.actual)
    except UnusableFile as error:
        print(error, file=sys.stderr)
        return 2

    mismatches += check_form(actual)
    if options.without:
        for pair in options.without:
            scheme, _, other = pair.partition("=")
            mismatches += tell_apart(expected, actual, scheme, other)
    else:
        mismatches += compare(expected, actual)
    for mismatch in mismatches:
        print(mismatch)
    return 1 if mismatches else 0


if __name__ == "__main__":
    sys.exit(main())
