# SPDX-License-Identifier: GPL-2.0-only
"""Tests of reports: what they show is what the folder has, in a browser that sees nothing else."""

import importlib.util
import json
import os
import random
import re
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import browser
from aidc import reports
from aidc.experiments import description
from aidc.reports import sections
from aidc.reports.fabric import describe, read_network
from aidc.reports.page import quantity
from aidc.reports.sections import change
from folder_test import SOURCE

MOST_BYTES = 8_000_000
HAS_PLOTLY = importlib.util.find_spec("plotly") is not None
SCHEMES = ("old", "new")
NODES = [
    {"name": "host-0", "tier": "host", "site": None, "pod": 0, "index": 0},
    {"name": "host-1", "tier": "host", "site": None, "pod": 0, "index": 1},
    {"name": "leaf-0", "tier": "leaf", "site": None, "pod": 0, "index": 0},
]
LINKS = [{"a": 2, "b": host, "rate_bps": 10**10, "delay_ns": 1000} for host in (0, 1)]


def network():
    """A leaf with two hosts, for three intervals of 1 ms."""
    return {
        "format": 1,
        "times_ns": [0, 1000000, 2000000, 3000000],
        "nodes": NODES,
        "links": LINKS,
        "ports": [
            {"link": 0, "end": 1, "load": [1000, 500, 0], "paused": [0, 250, 0]},
            {"link": 1, "end": 0, "load": [0, 900, 0], "queue_byte": [0, 64000, 16000],
             "dropped": [0, 0, 3]},
        ],
        "node_series": [{"node": 0, "cnps": [0, 7, 0]}],
        "events": [{"time_ns": 2100000, "event": "link-down", "link": 0}],
    }


def metric(values, unit):
    """A metric as a summary has it; a half-width by hand: 12.706 = t of 1 degree, 2 values."""
    mean = sum(values) / len(values)
    half = 12.706 * abs(values[0] - values[1]) / 2 if len(values) == 2 else None
    return {"value": mean, "unit": unit, "ci95": half, "runs": values}


def finding(metric, verdict, **more):
    """A finding of the scheme "new", as a summary has it."""
    return {"subject": "New <way>", "scenario": "calm", "scheme": "new", "baseline": "old",
            "metric": metric, "verdict": verdict, "ratio": None, "ratio_ci95": None, **more}


def summary():
    """The summary of an experiment."""
    return {
        "experiment": "sample",
        "question": "Is <new> better than old?",
        "ns3": "3.44",
        "seed": 1,
        "runs": 2,
        "command": "aidc-sample --runs=2",
        "parameters": {"aidc": "abc", "t1": {"value": 20000, "unit": "byte"}},
        "findings": [
            finding("dropped_packets", "worse", label="drops <of> all", goal=True, chapter="csig",
                    sentence="New drops more.", ratio=1.0, ratio_ci95=[0.0512, 24508.96]),
            finding("goodput", "no value", label="goodput", goal=False, chapter="coupled-ecn",
                    sentence="New has no goodput."),
            finding("completion_time", "better", label="completion", goal=False,
                    chapter="coupled-ecn", sentence="New takes 40 % less.", ratio=0.6,
                    ratio_ci95=[2.3e-8, 0.72]),
        ],
        "outliers": [
            {"scheme": "new", "scenario": "calm", "run": 2, "metric": "completion_time",
             "value": 0.0266, "median": 0.0133, "unit": "s",
             "waits": {"queue_pair": "host-0 to host-1, queue pair 7", "since": 0.001,
                       "cause": "timeout", "waited": 0.012,
                       "sentence": "Queue pair 7 of host-0 waited 12 ms for a timeout."}},
            {"scheme": "old", "scenario": "busy-long", "run": 1, "metric": "completion_time",
             "value": 0.1, "median": 0.04, "unit": "s", "waits": None},
        ],
        "schemes": {
            f"{scheme}@{scenario}": {
                "completion_time": metric([0.0123456789 * factor, 0.0133 * factor], "s"),
                "dropped_packets": metric([12345 * factor, 12346 * factor], "packet"),
                "goodput": {"value": None, "unit": "bit/s", "ci95": None, "runs": [None, None]},
            }
            for scenario, factor in (("calm", 1), ("busy-long", 3))
            for scheme in SCHEMES
        },
    }


DESCRIPTION = """
from aidc.experiments import Experiment
from aidc.experiments.charts import slowdowns

EXPERIMENT = Experiment(question="", metrics=(), charts=slowdowns, colors={"old": "#595959", "new": "#009E73"})
"""


def write_experiment(folder):
    """A folder as an experiment writes it."""
    (folder / "summary.json").write_text(json.dumps(summary()))
    header = "scenario,scheme,completion_time,completion_time_ci95"
    (folder / "totals.csv").write_text(f"{header}\ncalm,old,1,1\n")
    for scheme in SCHEMES:
        rows = "".join(f"{i * 1e-6},{(i * 7919) % 1000},9000,500,A\n" for i in range(5000))
        (folder / f"queue-calm-{scheme}.csv").write_text(
            "time_s,occupancy_byte,buf_thrd_byte,ecn_thrd_byte,region\n" + rows)
        (folder / f"rate-busy-long-{scheme}.csv").write_text("time_s,goodput_bps\n0,1e9\n1,2e9\n")
        (folder / f"ports-calm-{scheme}.csv").write_text("time_s,port,depth\n0,a,1\n0,b,2\n1,a,3\n")
        (folder / f"network-calm-{scheme}.json").write_text(json.dumps(network()))
    (folder / "slowdown.csv").write_text(
        "scenario,scheme,bin_low_byte,bin_high_byte,flows,slowdown_p50\n"
        "calm,old,0,1000,5,1.5\ncalm,old,1000,10000,5,nan\n")
    return folder


def write_sweep(folder):
    """A folder as a sweep writes it."""
    (folder / "sweep.json").write_text(json.dumps(
        {"experiment": "sample", "vary": {"alpha": ["1", "4"], "load": ["0.3"]}, "seeds": 2,
         "arguments": ["--scenarios=calm"]}))
    rows = "".join(f"{alpha},0.3,calm,{scheme},goodput,2,{1e9 + 1e8 * i},5,bit/s\n"
                   for i, (alpha, scheme) in enumerate((a, s) for a in "14" for s in SCHEMES))
    (folder / "means.csv").write_text(
        "alpha,load,scenario,scheme,metric,seeds,mean,ci95,unit\n" + rows)
    return folder


class FolderTest(unittest.TestCase):
    """Tests with a folder of their own."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name, "results")
        described = Path(temporary.name, "examples", "sample", "description.py")
        for folder in (self.folder, described.parent):
            folder.mkdir(parents=True)
        described.write_text(DESCRIPTION)
        patch = mock.patch.object(description, "EXAMPLES", described.parents[1])
        patch.start()
        self.addCleanup(patch.stop)


class ErrorsTest(FolderTest):
    """What no report can be made of."""

    def check(self, text):
        """The error of the folder's report."""
        with self.assertRaises(reports.ReportError) as caught:
            reports.write(self.folder)
        self.assertIn(text, str(caught.exception))
        self.assertEqual(list(self.folder.glob("report*")), [])

    def test_no_results(self):
        self.check("expected a folder of results, with summary.json or sweep.json, found neither")

    def test_no_summary(self):
        (self.folder / "summary.json").write_text("{")
        self.check(f"cannot read {self.folder / 'summary.json'}: ")
        (self.folder / "summary.json").write_text('{"schemes": 1}')
        self.check(f'{self.folder / "summary.json"}: expected an object with "schemes"')

    def test_table_with_a_short_line(self):
        write_experiment(self.folder)
        (self.folder / "slowdown.csv").write_text("scenario,scheme\na\n")
        self.check(f"{self.folder / 'slowdown.csv'}: line 2: expected 2 columns, found 1")

    def test_network_of_another_format(self):
        write_experiment(self.folder)
        path = self.folder / "network-calm-old.json"
        path.write_text(json.dumps({**network(), "format": 2}))
        self.check(f'{path}: expected "format": 1')
        path.write_text(json.dumps({**network(), "links": None}))
        self.check(f'{path}: expected a list "links"')

    def test_timeline_without_notes(self):
        write_experiment(self.folder)
        path = self.folder / "timeline-calm-old.json"
        for text in ("", '{"traceEvents":[]}', '{"displayTimeUnit":"ns",', "[]"):
            path.write_text(text)
            self.check(f'{path}: expected a timeline, with "otherData" in its first line')

    def test_without_plotly(self):
        write_experiment(self.folder)
        (self.folder / "plotly.py").write_text("raise ImportError")
        with mock.patch.dict(os.environ, {"PYTHONPATH": str(self.folder)}):
            self.check(f"  {sys.executable} -m pip install 'plotly>=6'")


class TimelineTest(FolderTest):
    """The table of timelines."""

    def test_slowest_rank_and_busiest_link(self):
        write_experiment(self.folder)
        experiment = reports.open_folder(self.folder)
        self.assertEqual(sections.timeline_table(experiment), "")
        notes = {"slowest_rank": "3", "slowest_rank_computation": "400.000 us",
                 "slowest_rank_exposed": "10.500 us", "slowest_rank_finish": "410.500 us",
                 "busiest_link": "leaf-0:<host-1>", "busiest_link_load": "0.501234"}
        name = "timeline-calm-new.json"
        head = json.dumps({"displayTimeUnit": "ns", "otherData": notes})[:-1]
        (self.folder / name).write_text(f'{head},\n"traceEvents":[\n]}}\n')
        body = sections.timeline_table(experiment)
        cells = re.findall(r"<td[^>]*>([^<]*)</td>", body)
        self.assertEqual(cells, ["calm", "new", "3", "400.000 us", "10.500 us", "410.500 us",
                                 "leaf-0:&lt;host-1&gt;", "50.1 %"])
        self.assertIn(f'href="{name}"', body)


class QuantityTest(unittest.TestCase):
    """Numbers for people."""

    def test_numbers_are_those_of_the_terminal(self):
        # Four digits, as many decimals of the half-width, and thousands apart where there is no unit
        for value, unit, ci95, text in (
            (0.09774, "s", 0.1372, "97.74 ± 137.20 ms"),
            (0.0249, "s", 0.000312, "24.90 ± 0.31 ms"),
            (0, "s", 0, "0 ± 0 s"),
            (9.9996e-4, "s", None, "1.000 ms"),
            (105e-6, "s", None, "105.0 us"),
            (2.5e9, "bit/s", 4e6, "2.500 ± 0.004 Gbit/s"),
            (1.5e12, "byte", None, "1.500 TB"),
            (1625.5, "packet", 1234.56, "1,625.5 ± 1,234.6"),
            (1234567, "packet", None, "1,234,567"),
            (0.99184, "1", 0.0051, "0.9918 ± 0.0051"),
            (7, "1", 0, "7 ± 0"),
            (0.9807, "share", None, "98.1 %"),
            (1, "share", 0.004, "100.0 ± 0.4 %"),
            (None, "s", None, "–"),
        ):
            self.assertEqual(quantity(value, unit, ci95), text)
        # 1e-4 s beside 2e-3 s: less than a tenth of a ms gets its own unit, but not more
        self.assertEqual(quantity(99e-6, "s", largest=2e-3), "99.00 us")
        self.assertEqual(quantity(100e-6, "s", largest=2e-3), "0.1000 ms")
        self.assertEqual(quantity(2, "1", 1, is_whole=False), "2.000 ± 1.000")

    def test_changes_have_their_unit_once(self):
        self.assertEqual(change(0.0249, 0.0188, "s"), "24.90 → 18.80 ms")
        self.assertEqual(change(0.2503, 0.9807, "share"), "25.0 → 98.1 %")
        self.assertEqual(change(0.002, 99e-6, "s"), "2.000 ms → 99.00 us")
        self.assertEqual(change(0, 3.5, "1", is_whole=True), "0 → 3.5")


class ManualTest(FolderTest):
    """Links into the manual."""

    def test_checkout_has_html_or_sources(self):
        package = self.folder / "bindings" / "aidc"
        source = self.folder / "doc" / "csig.rst"
        built = self.folder / "build" / "html" / "csig.html"
        for path in (package / "x", source):
            path.parent.mkdir(parents=True)
            path.touch()
        self.assertIsNone(sections.chapter_page("fare", package))
        self.assertEqual(sections.chapter_page("csig", package), source)
        built.parent.mkdir(parents=True)
        built.touch()
        self.assertEqual(sections.chapter_page("csig", package), built)

    def test_installed_package_has_none(self):
        (self.folder / "doc").mkdir()
        (self.folder / "doc" / "csig.rst").touch()
        self.assertIsNone(sections.chapter_page("csig", self.folder / "lib" / "aidc"))
        self.assertIsNone(sections.chapter_page("csig", self.folder / "site-packages" / "aidc"))

    def test_links_lead_to_files(self):
        write_experiment(self.folder)
        body = sections.matrix(reports.open_folder(self.folder), self.folder)
        targets = re.findall('href="([^"]*)"', body)
        self.assertEqual(len(targets), 4)  # the row, and three sentences
        for target in targets:
            self.assertTrue((self.folder.resolve() / target).is_file(), target)

    def test_chapter_without_a_page_is_named(self):
        write_experiment(self.folder)
        experiment = reports.open_folder(self.folder)
        with mock.patch.object(sections, "chapter_page", lambda chapter: None):
            body = sections.matrix(experiment, self.folder)
        self.assertNotIn("href", body)
        self.assertIn("chapter “csig” of the manual", body)


class NetworkTest(FolderTest):
    """Recorded networks: their labels, and fewer times."""

    def read(self, names, links=()):
        """A network of nodes by name, tier and data center."""
        nodes = [{"name": name, "tier": tier, "site": site, "pod": 0, "index": place}
                 for place, (name, tier, site) in enumerate(names)]
        path = self.folder / "network.json"
        path.write_text(json.dumps({**network(), "nodes": nodes, "links": list(links), "ports": [],
                                    "node_series": [], "events": []}))
        return read_network(path)

    def labels(self, found):
        """The labels by name, and whether they run downward."""
        return {node["name"]: (node.get("label"), node.get("is_turned", False))
                for node in found["nodes"]}

    def test_few_nodes_have_their_names(self):
        found = self.read([("host-0", "host", None), ("host-1", "host", None), ("leaf-0", "leaf", None)])
        self.assertEqual(self.labels(found), {name: ([name], False)
                                              for name in ("host-0", "host-1", "leaf-0")})
        self.assertEqual(describe(found), "The network, from bottom to top: 2 hosts and 1 leaf.")

    def test_many_nodes_have_shorter_names(self):
        # Two data centers of 16 hosts and 8 leaves in 440 units each: 27.5 and 55 units per node
        hosts = [(f"{site}-host-{i}", "host", n) for n, site in enumerate("ab") for i in range(16)]
        leaves = [(f"{site}-pod-{i // 2}-leaf-{i % 2}", "leaf", n)
                  for n, site in enumerate("ab") for i in range(8)]
        found = self.read([*hosts, *leaves, ("core-0-0", "core", None)])
        labels = self.labels(found)
        self.assertEqual(labels["b-host-15"], (["b-host-15"], True))
        self.assertEqual(labels["a-pod-3-leaf-1"], (["pod-3", "leaf-1"], False))
        self.assertEqual(labels["core-0-0"], (["core-0-0"], False))
        self.assertEqual(describe(found), "The network, 2 data centers, from bottom to top: 32 hosts, "
                         "16 leaves and 1 core router.")
        # The longest name, 9 letters, ends within the picture.
        lowest = max(node["y"] for node in found["nodes"])
        self.assertGreater(found["size"][1] - lowest, 9 * 6)

    def test_hosts_too_many_to_be_named(self):
        found = self.read([(f"host-{i}", "host", None) for i in range(200)])
        self.assertEqual(set(self.labels(found).values()), {(None, False)})
        found = self.read([*((f"host-{i}", "host", None) for i in range(400)), ("leaf-0", "leaf", None)])
        self.assertIn("Hosts are not drawn", describe(found))

    def test_half_of_the_times(self):
        found = reports.halved(network())
        self.assertEqual(found["times_ns"], [0, 2000000, 3000000])
        first, second = found["ports"]
        self.assertEqual(first, {"link": 0, "end": 1, "load": [750, 0], "paused": [125, 0]})
        self.assertEqual(second, {"link": 1, "end": 0, "load": [450, 0],
                                  "queue_byte": [64000, 16000], "dropped": [0, 3]})
        self.assertEqual(found["node_series"], [{"node": 0, "cnps": [7, 0]}])


@unittest.skipUnless(HAS_PLOTLY, "no plotly")
class SizeTest(FolderTest):
    """The size of a report."""

    def test_much_is_too_much(self):
        write_experiment(self.folder)
        draw = random.Random(1)
        hosts = [{**NODES[0], "name": f"host-{i}", "index": i} for i in range(300)]
        large = {
            **network(),
            "times_ns": list(range(201)),
            "nodes": [*hosts, NODES[2]],
            "links": [{**LINKS[0], "a": 300, "b": i} for i in range(300)],
            "ports": [{"link": i, "end": end, "load": [draw.randrange(1001) for _ in range(200)],
                       "queue_byte": [draw.randrange(10**6) for _ in range(200)]}
                      for i in range(300) for end in (0, 1)],
            "node_series": [],
            "events": [],
        }
        for name in summary()["schemes"]:
            scheme, _, scenario = name.partition("@")
            (self.folder / f"network-{scenario}-{scheme}.json").write_text(json.dumps(large))
        path = reports.write(self.folder)
        self.assertLessEqual(path.stat().st_size, MOST_BYTES)
        self.assertGreater(path.stat().st_size, MOST_BYTES / 2)


@unittest.skipUnless(HAS_PLOTLY, "no plotly")
@unittest.skipIf(browser.MISSING, f"no {browser.MISSING}")
class BrowserTest(FolderTest):
    """Reports as a reader sees them."""

    @classmethod
    def setUpClass(cls):
        stack = browser.opened()
        cls.browser = stack.__enter__()
        cls.addClassCleanup(stack.__exit__, None, None, None)

    def open(self, path, **options):
        """Opens a page, which must not ask for anything else nor complain."""
        self.assertLessEqual(path.stat().st_size, MOST_BYTES)
        self.browser.open(path, **options)

    def check_quiet(self, path):
        """The page has asked for nothing else and complained of nothing."""
        self.assertEqual(self.browser.messages(), [])
        others = [url for url in self.browser.requests()
                  if url != f"file://{path}" and not url.startswith("data:")]
        self.assertEqual(others, [])

    def draw_all(self):
        """Has the page draw all charts, as a reader who goes down the page."""
        count = self.browser.value("document.querySelectorAll('figure[data-chart]').length")
        for place in range(count):
            self.browser.run(f"document.querySelectorAll('figure[data-chart]')[{place}]"
                             ".scrollIntoView({behavior: 'instant'})")
            self.browser.wait(f"document.querySelectorAll('figure[data-chart]')[{place}]"
                              ".querySelector('.js-plotly-plot .main-svg')")
        return count

    def test_tables_have_the_numbers_of_the_summary(self):
        self.open(reports.write(write_experiment(self.folder)))
        cells = self.browser.value(
            "[...document.querySelectorAll('td[data-name]')]"
            ".map((cell) => [cell.dataset.name, cell.dataset.value, cell.textContent])")
        expected = {f"{name}/completion_time": metrics["completion_time"]
                    for name, metrics in summary()["schemes"].items()}
        self.assertEqual({name: float(value) for name, value, _ in cells},
                         {name: found["value"] for name, found in expected.items()})
        texts = {name: text for name, _, text in cells}
        # 12.82 ms; half of the interval is 12.706 * 0.95432 ms / 2 = 6.06 ms; below it, the median
        self.assertEqual(texts["old@calm/completion_time"], "12.82 ± 6.06 ms12.82 ms")
        self.browser.run("document.querySelector('details[data-table]').open = true")
        self.browser.wait("document.querySelector('details[data-table] tbody tr')")
        rows = self.browser.value(
            "[...document.querySelectorAll('details[data-table] tbody tr')]"
            ".map((row) => [...row.cells].map((cell) => cell.dataset.value ?? cell.textContent))")
        shown = {(scenario, scheme, name): value for scenario, scheme, name, value, _ in rows}
        for name, metrics in summary()["schemes"].items():
            scheme, _, scenario = name.partition("@")
            for key, found in metrics.items():
                value = shown.pop((scenario, scheme, key))
                self.assertEqual(None if value == "–" else float(value), found["value"])
        self.assertEqual(shown, {})

    def test_charts_have_the_numbers_and_the_colors(self):
        path = reports.write(write_experiment(self.folder))
        self.open(path)
        # Metrics, slowdowns, and the series ports, queue and rate
        self.assertEqual(self.draw_all(), 5)
        traces = self.browser.value(
            "document.querySelector('.js-plotly-plot').data"
            ".map(({type, name, x, y, marker}) => [type, name, x, y, marker.color])")
        ink = self.browser.value("getComputedStyle(document.body).getPropertyValue('--ink').trim()")
        found = summary()["schemes"]
        own = {scheme: [found[f"{scheme}@{scenario}"]["completion_time"]
                        for scenario in ("calm", "busy-long")] for scheme in SCHEMES}
        self.assertEqual(len(traces), 6)  # of each scheme bars, a dot for each run, medians
        for scheme, color, (bars, dots, medians) in (("old", "#595959", traces[:3]),
                                                     ("new", "#009E73", traces[3:])):
            self.assertEqual([bars[0], bars[1], bars[4]], ["bar", scheme, color])
            self.assertEqual([dots[0], dots[4], medians[4]], ["scatter", color, ink])
            runs = [run for metric in own[scheme] for run in metric["runs"]]
            # The median of two runs is their mean.
            for values, expected in ((bars[3], [metric["value"] for metric in own[scheme]]),
                                     (dots[3], runs),
                                     (medians[3], [metric["value"] for metric in own[scheme]])):
                self.assertEqual(len(values), len(expected))
                for value, number in zip(values, expected):
                    self.assertAlmostEqual(value, 1e3 * number, places=4)
            # Dots stand over their bar, which is 0.42 wide for two schemes.
            for place, x in enumerate(dots[2]):
                self.assertLess(abs(x - bars[2][place // 2]), 0.21)
        # Of 5000 samples, the highest is drawn, and the thresholds.
        lines = self.browser.value(
            "[...document.querySelectorAll('figure')]"
            ".find((figure) => figure.textContent.includes('Over time: queue'))"
            ".querySelector('.js-plotly-plot').data"
            ".map(({name, y}) => [name, y.length, Math.max(...y)])")
        region = "A: Buf_Thrd - Offset > Floor"
        self.assertEqual([name for name, _, _ in lines],
                         [region, "Buf_Thrd", "ECN_Thrd", "old", region, "Buf_Thrd", "ECN_Thrd", "new"])
        # In kB, as the axis ends at 1.35 of the longest queue
        self.assertEqual([top for _, _, top in lines], [1.34865, 9, 0.5, 0.999] * 2)
        self.assertTrue(all(n <= 600 for _, n, _ in lines))
        self.check_quiet(path)

    def test_slider_colors_the_network(self):
        path = reports.write(write_experiment(self.folder))
        self.open(path)
        self.browser.wait("document.querySelector('.network svg')")
        at = ("(() => { const slider = document.querySelector('input[type=range]');"
              " slider.value = %d; slider.dispatchEvent(new Event('input'));"
              " return [document.querySelector('.clock').textContent,"
              " document.querySelector('.moments').textContent,"
              " [...document.querySelectorAll('.half')].map((line) => line.style.stroke),"
              " [...document.querySelectorAll('.queue')].map((dot) => Number(dot.getAttribute('r'))),"
              " document.querySelectorAll('.half.failed').length,"
              " [...document.querySelectorAll('.mark')].filter((mark) => mark.style.display === '')"
              ".length]; })()")
        # At first, the interval with the highest load: 500 and 900 are more than 1000.
        self.assertEqual(self.browser.value("document.querySelector('input[type=range]').value"),
                         "1")
        idle, full, half = "var(--idle)", "rgb(213, 94, 0)", "rgb(230, 159, 0)"
        # Lines go from leaf to host 0 and back, then from leaf to host 1 and back.
        self.assertEqual(self.browser.value(at % 0),
                         ["0 ns to 1 ms", "No event in this interval.", [idle, full, idle, idle],
                          [0], 0, 0])
        self.assertEqual(self.browser.value(at % 1),
                         ["1 ms to 2 ms", "1 port paused; 7 CNPs", [idle, half, full, idle],
                          [9], 0, 1])
        # A quarter of the depth is half of the radius.
        self.assertEqual(self.browser.value(at % 2),
                         ["2 ms to 3 ms", "2.1 ms: link-down leaf-0 – host-0; 3 packets dropped",
                          [idle] * 4, [4.5], 2, 1])
        self.check_quiet(path)

    def test_columns_sort(self):
        self.open(reports.write(write_experiment(self.folder)))
        first = "document.querySelector('table.sortable').tBodies[0].rows[0].textContent"
        heads = "document.querySelectorAll('table.sortable th button')"
        self.browser.run(f"{heads}[2].click()")
        self.assertIn("calm", self.browser.value(first))
        self.browser.run(f"{heads}[2].click()")
        self.assertIn("busy-long", self.browser.value(first))
        self.browser.run(f"{heads}[1].click()")
        self.assertIn("new", self.browser.value(first))

    def test_question_and_verdicts(self):
        self.open(reports.write(write_experiment(self.folder)))
        self.assertEqual(self.browser.value("document.querySelector('.question').textContent"),
                         "Is <new> better than old?")
        items = self.browser.value(
            "[...document.querySelectorAll('.findings li')].map((item) => item.textContent)")
        self.assertEqual(items, ["New drops more. worse chapter csig",
                                 "New has no goodput. no value chapter coupled-ecn",
                                 "New takes 40 % less. better chapter coupled-ecn"])

    def test_matrix_comes_first_and_begins_with_the_main_metric(self):
        self.open(reports.write(write_experiment(self.folder)))
        self.assertTrue(self.browser.value(
            "document.querySelector('main > section').contains(document.querySelector('.matrix'))"))
        rows = self.browser.value(
            "[...document.querySelectorAll('.matrix tr')]"
            ".map((row) => [...row.cells].map((cell) => cell.innerText.split('\\n').map((s) => s.trim())))")
        self.assertEqual(rows, [
            [["mechanism"], ["completion"], ["what it is for"], ["side effects"]],
            # Medians: 12.3456789 and 13.3 ms, 12345 and 12346 packets
            [["New <way>", "new"], ["better", "12.82 → 12.82 ms, × 0.60 (less than 0.001 to 0.72)"],
             ["worse drops <of> all", "12,345.5 → 12,345.5, × 1.00 (0.051 to 24,509)"],
             ["no value goodput"]],
        ])
        colors = self.browser.value("['.better', '.worse', '.unknown'].map((name) => getComputedStyle("
                                    "document.querySelector(`.matrix ${name} b`)).backgroundColor)")
        self.assertEqual(colors, ["rgb(0, 115, 79)", "rgb(179, 71, 0)", "rgba(0, 0, 0, 0)"])

    def test_rows_stand_below_what_they_are_compared_with(self):
        write_experiment(self.folder)
        more = [finding("completion_time", "worse", label="completion", goal=False, baseline="new",
                        scheme="old", subject="without New")]
        (self.folder / "summary.json").write_text(json.dumps(
            {**summary(), "findings": summary()["findings"] + more}))
        self.open(reports.write(self.folder))
        heads = self.browser.value(
            "[...document.querySelectorAll('.matrix tbody tr')].map((row) => row.cells[0].innerText)")
        self.assertEqual([head.split("\n")[0] for head in heads],
                         ["compared with old", "New <way>", "compared with new", "without New"])
        self.assertEqual(self.browser.value(
            "[...document.querySelectorAll('.matrix .main')].map((cell) => cell.innerText.split('\\n')[0])"),
            ["better", "worse"])

    def test_matrix_on_a_phone(self):
        self.open(reports.write(write_experiment(self.folder)), width=360)
        edges = self.browser.value(
            "[...document.querySelectorAll('.matrix *')].map((e) => e.getBoundingClientRect().right)")
        self.assertLessEqual(max(edges), 360)
        # The heads of columns are not there, so the main metric has its name.
        self.assertIn("better completion", self.browser.value(
            "document.querySelector('.matrix .main').innerText.replace(/\\s+/g, ' ')"))

    def test_verdicts_of_an_older_version(self):
        old = summary()
        del old["outliers"]
        old["findings"] = [
            {"subject": "new", "scenario": "calm", "scheme": "new", "baseline": "old",
             "metric": metric, "verdict": verdict, "sentence": "It is so.", "chapter": "csig"}
            for metric, verdict in (("dropped_packets", "gains"), ("completion_time", "loses"),
                                    ("goodput", "no difference within the interval"))]
        write_experiment(self.folder)
        (self.folder / "summary.json").write_text(json.dumps(old))
        self.open(reports.write(self.folder))
        found = self.browser.value(
            "[...document.querySelectorAll('.matrix td')].map((cell) =>"
            " [...cell.querySelectorAll('li')].map((item) => item.innerText.split('\\n')[0].trim()))")
        self.assertEqual(found, [["worse"], ["better dropped packets", "inconclusive goodput"]])
        self.assertFalse(self.browser.value("document.querySelector('#runs-that-stand-out')"))

    def test_runs_that_stand_out(self):
        self.open(reports.write(write_experiment(self.folder)))
        items = self.browser.value(
            "[...document.querySelectorAll('.outliers li')].map((item) => item.textContent.trim())")
        self.assertEqual(items, [
            "new in calm, run 2: completion 26.60 ms, 2.0 times the median of 13.30 ms. "
            "Queue pair 7 of host-0 waited 12 ms for a timeout.",
            "old in busy-long, run 1: completion 100.0 ms, 2.5 times the median of 40.00 ms."])
        many = {**summary(), "outliers": summary()["outliers"] * 4}
        (self.folder / "summary.json").write_text(json.dumps(many))
        self.open(reports.write(self.folder))
        items = self.browser.value(
            "[...document.querySelectorAll('.outliers li')].map((item) => item.textContent)")
        self.assertEqual((len(items), items[-1]), (6, "3 more in summary.json"))
        (self.folder / "summary.json").write_text(json.dumps({**summary(), "outliers": []}))
        self.open(reports.write(self.folder))
        self.assertIn("No run took more than twice the median",
                      self.browser.value("document.querySelector('#runs-that-stand-out').innerText"))

    def test_tables_show_that_they_scroll(self):
        path = reports.write(write_experiment(self.folder))
        edges = ("(() => { const frame = document.querySelector('#results .wide');"
                 " return ['left', 'right', 'below'].filter((side) => frame.classList.contains(`more-${side}`)); })()")
        self.open(path)
        self.assertEqual(self.browser.value(edges), [])
        self.open(path, width=200)
        self.assertEqual(self.browser.value(edges), ["right"])
        self.browser.run("document.querySelector('#results .scroll').scrollLeft = 20")
        self.browser.wait(f"{edges}.length === 2")
        self.browser.run("document.querySelector('#results .scroll').scrollLeft = 2000")
        self.browser.wait(f"{edges}.join() === 'left'")
        # What can be seen of it is a shadow
        self.browser.wait("getComputedStyle(document.querySelector('#results .wide'), '::before')"
                          ".opacity === '1'")
        self.browser.wait("getComputedStyle(document.querySelector('#results .wide'), '::after')"
                          ".opacity === '0'")
        # 40 rows of two lines are higher than a table gets.
        entry = summary()["schemes"]["old@calm"]
        (self.folder / "summary.json").write_text(json.dumps(
            {**summary(), "schemes": {f"scheme-{i}@calm": entry for i in range(40)}, "findings": []}))
        self.open(reports.write(self.folder))
        self.assertEqual(self.browser.value(edges), ["below"])
        self.browser.run("document.querySelector('#results .scroll').scrollTop = 9999")
        self.browser.wait(f"{edges}.length === 0")

    def test_dark_and_narrow(self):
        path = reports.write(write_experiment(self.folder))
        background = "getComputedStyle(document.body).backgroundColor"
        self.open(path, width=400)
        self.draw_all()
        self.assertEqual(self.browser.value("document.documentElement.scrollWidth"), 400)
        light = self.browser.value(background)
        self.open(path, is_dark=True)
        self.draw_all()
        self.assertEqual([light, self.browser.value(background)],
                         ["rgb(255, 255, 255)", "rgb(20, 23, 27)"])
        # A dark gray is a light one there.
        self.assertEqual(
            self.browser.value("document.querySelector('.js-plotly-plot').data[0].marker.color"),
            "#bbbbbb")
        # Intervals are light, too, and end within the plot.
        bars = self.browser.value(
            "(() => { const {data, _fullLayout: {yaxis}} = document.querySelector('.js-plotly-plot');"
            " const {y, error_y: e} = data[0];"
            " return [e.color, yaxis.range, y.map((v, i) => v + e.array[i]),"
            " y.map((v, i) => v - e.arrayminus[i])]; })()")
        color, (low, high), tops, bottoms = bars
        self.assertEqual(color, "#e6e9ed")
        self.assertLess(max(tops), high)
        self.assertLessEqual(low, min(bottoms))
        self.check_quiet(path)

    def test_folder_of_an_older_version(self):
        (self.folder / "summary.json").write_text(json.dumps(
            {"schemes": {"a@b": {"goodput": {"value": 5e9, "unit": "bit/s"}}}}))
        path = reports.write(self.folder)
        self.open(path)
        self.assertEqual(self.draw_all(), 1)
        cell = self.browser.value("document.querySelector('td[data-name]').textContent")
        self.assertEqual(cell, "5.000 Gbit/s")
        self.check_quiet(path)

    def test_sweep(self):
        path = reports.write(write_sweep(self.folder))
        self.open(path)
        self.assertEqual(self.draw_all(), 1)
        lines = self.browser.value("document.querySelector('.js-plotly-plot').data"
                                   ".map(({name, x, y}) => [name, x, y])")
        self.assertEqual(lines, [["old", [0, 1], [1, 1.2]], ["new", [0, 1], [1.1, 1.3]]])
        self.check_quiet(path)

    def test_sweep_has_a_dot_per_run(self):
        write_sweep(self.folder)
        rows = "".join(f"{alpha},0.3,{seed},calm,old,goodput,{value},bit/s\n"
                       for alpha in "14" for seed, value in ((1, 0.7e9), (2, 0.8e9), (3, 1.8e9)))
        (self.folder / "sweep.csv").write_text("alpha,load,seed,scenario,scheme,metric,value,unit\n" + rows)
        self.open(reports.write(self.folder))
        self.draw_all()
        found = self.browser.value("document.querySelector('.js-plotly-plot').data"
                                   ".map(({mode, x, y}) => [mode, x, y])")
        self.assertEqual(found[1:3], [
            ["markers", [0] * 3 + [1] * 3, [0.7, 0.8, 1.8] * 2],
            ["markers", [0, 1], [0.8, 0.8]]])

    def test_comparison(self):
        rows = [["", "calm", "old", "goodput", "1e9", "5", "2e9", "5", "bit/s", "+100.00 %",
                 "differs"]]
        header = ["options", "scenario", "scheme", "metric", "a", "a_ci95", "b", "b_ci95", "unit",
                  "change", "verdict"]
        path = self.folder / "report-compare.html"
        self.assertEqual(reports.write_comparison(self.folder, self.folder, header, rows), path)
        self.open(path)
        cells = self.browser.value("[...document.querySelectorAll('td')]"
                                   ".map((cell) => cell.dataset.value ?? cell.textContent)")
        self.assertEqual(cells, ["", "calm", "old", "goodput", "1000000000.0", "2000000000.0", "100.0",
                                 "differs"])
        texts = self.browser.value("[...document.querySelectorAll('td')].map((cell) => cell.textContent)")
        self.assertEqual(texts[4:6], ["1.000 ± 0.000 Gbit/s", "2.000 ± 0.000 Gbit/s"])
        self.check_quiet(path)
