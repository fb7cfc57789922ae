# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the figures that experiments describe: they show all schemes, or say what they leave out."""

import io
import json
import re
import shutil
import tempfile
import unittest
import unittest.mock
from contextlib import redirect_stderr
from pathlib import Path

from aidc.experiments import gnuplot
from aidc.experiments.charts import Axis, Boxes, Figure, Line, Panel, thinned, whole
from aidc.experiments.description import description
from aidc.experiments.results import Results
from folder_test import SOURCE

NAMES = sorted(path.parent.name for path in (SOURCE / "examples").glob("*/description.py"))
FOLLOWS = {"static-best"}
"""Schemes that are others again."""


def described(name):
    """The description of an experiment."""
    return description(SOURCE / "examples" / name)


class NamesTest(unittest.TestCase):
    """Names of schemes."""

    def test_each_scheme_has_a_color(self):
        for name in NAMES:
            told = (SOURCE / "examples" / name / "help.txt").read_text()
            line = re.search(r"--schemes: .*?(?:: | of )(.*?)[;\[]", told)
            known = set(line[1].strip().split(", ")) - FOLLOWS
            self.assertGreater(len(known), 2)
            self.assertEqual(known - set(described(name).colors), set(), name)

    def test_colors_are_colors(self):
        for name in NAMES:
            self.assertTrue(described(name).colors, name)
            for color in described(name).colors.values():
                self.assertRegex(color, "^#[0-9A-F]{6}$", name)


class Drawing(unittest.TestCase):
    """Draws results that a test makes up."""

    def results(self, name, scenario="", values=None, pairs=(), **files):
        """A folder of results of a scenario.

        values has the runs' values, by scheme and metric; pairs has schemes without any, as SCHEME@SCENARIO.
        """
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        folder = Path(temporary.name)
        schemes = {
            f"{scheme}@{scenario}": {metric: self.entry(found) for metric, found in metrics.items()}
            for scheme, metrics in (values or {}).items()
        }
        for pair in pairs:
            schemes.setdefault(pair, {})
        (folder / "summary.json").write_text(json.dumps({"experiment": name, "schemes": schemes}))
        for file, text in files.items():
            (folder / f"{file.replace('_', '-')}.csv").write_text(text)
        return folder

    @staticmethod
    def entry(found):
        """A metric as a summary has it: with an interval of 9 where there are several runs."""
        runs = found if isinstance(found, list) else [found]
        has_value = None not in runs
        return {"value": sum(runs) / len(runs) if has_value else None, "unit": "1", "runs": runs,
                "ci95": 9 if len(runs) > 1 and has_value else None}

    def draw(self, name, folder):
        """What the description says of figures that it leaves out, and the figures gnuplot draws."""
        notes = gnuplot.write_script(described(name), folder)
        ended = gnuplot.run(folder / "figures.gp")
        self.assertEqual((ended.returncode, ended.stdout), (0, ""))
        drawn = sorted(path.stem for path in folder.glob("*.png"))
        self.assertEqual(sorted(path.stem for path in folder.glob("*.svg")), drawn)
        return notes, drawn

    @staticmethod
    def text(folder, figure):
        """The text of a figure."""
        return (folder / f"{figure}.svg").read_text(encoding="utf-8")

    @staticmethod
    def figures(name, folder):
        """The figures of a folder by their names."""
        return {figure.name: figure for figure in whole(described(name).charts(Results(folder)))}


WAITS = ("completion_time", "wait_pause", "wait_rate", "wait_window")
DROPS = ("dropped_packets", "marked_packets")
STEP = (*DROPS, "goodput", "fct_p99", "drops_before_first_mark")
STATICS = ("static-25kb", "static-50kb", "static-100kb")
LOSSES = ("completion_time", "dropped_packets", "edge_reaction_time", "sender_reaction_time")
FCTS = ("fct_p50", "fct_mean", "fct_p99")
GAINS = ("goodput", "fct_slowdown_mean", "fct_slowdown_p99", "dropped_packets")
MOVES = ("fct_slowdown_p99", "reordered_packets", "load_imbalance", "migrations")


@unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
class BarsTest(Drawing):
    """Figures of metrics: what they say of what they do not draw, and where their axes end."""

    def test_totals_of_schemes_that_do_not_differ(self):
        for name, scenario, schemes, metrics in (
            ("coupled-ecn", "light", ("static-low", "coupled"), DROPS),
            ("flowset-ecmp", "load-30", ("hash-ecmp", "spray"), MOVES),
            ("csig-fabric", "hot-spot", ("hash", "csig-blind"), GAINS),
        ):
            values = {scheme: dict.fromkeys(metrics, 1) for scheme in schemes}
            notes, drawn = self.draw(name, self.results(name, scenario, values))
            self.assertEqual(notes, [f"Not in totals: {scenario}, where all schemes have the same"])
            self.assertEqual(drawn, [], name)

    def test_metrics_without_a_value(self):
        # What the summary has as null, the table of the run shows as "-".
        for name, scenario, schemes, metrics, figure in (
            ("ai-training", "quiet", ("baseline", "all"), WAITS, "step-quiet"),
            ("coupled-ecn", "incast", ("static-low", "coupled"), DROPS, "totals"),
            ("coupled-ecn", "step", (*STATICS, "red"), STEP, "totals"),
            ("pre-ecn", "10ms", ("tail-drop", "two-threshold"), LOSSES, "losses-10ms"),
        ):
            for schemes_without, metrics_without in (
                (schemes[:1], metrics), (schemes, metrics[:1]), (schemes, metrics)
            ):
                values = {
                    scheme: {metric: None if scheme in schemes_without and metric in metrics_without
                             else 1e6 * place for metric in metrics}
                    for place, scheme in enumerate(schemes, 2)
                }
                with self.subTest(name, scenario=scenario, schemes=schemes_without):
                    _, drawn = self.draw(name, self.results(name, scenario, values))
                    has_value = (schemes_without, metrics_without) != (schemes, metrics)
                    self.assertEqual(figure in drawn, has_value)

    def test_one_run_has_no_interval_and_says_so(self):
        for name, scenario, schemes, metrics, figure in (
            ("ai-training", "quiet", ("baseline", "all"), WAITS, "step-quiet"),
            ("coupled-ecn", "incast", ("static-low", "coupled"), DROPS, "totals"),
            ("pre-ecn", "10ms", ("tail-drop", "two-threshold"), LOSSES, "losses-10ms"),
            ("csig-fabric", "hot-spot", ("hash", "csig-blind"), GAINS, "totals"),
            ("fare-clos", "intact-3", ("ecmp", "fare"), ("bound_share", "all_to_all_bound_share"), "shares"),
            ("flowset-ecmp", "load-30", ("hash-ecmp", "spray"), MOVES, "totals"),
            ("incast", "incast", ("off", "static"), FCTS, "fct-incast"),
        ):
            for runs in (1, 2):
                values = {scheme: dict.fromkeys(metrics, [place] * runs)
                          for place, scheme in enumerate(schemes, 2)}
                folder = self.results(name, scenario, values)
                with self.subTest(name, runs=runs):
                    self.draw(name, folder)
                    self.assertEqual("(one run)" in self.text(folder, figure), runs == 1)

    def test_intervals_end_within_the_axis(self):
        # 0.75 +- 9
        for name, scenario, schemes, metrics, figure in (
            ("ai-training", "quiet", ("baseline", "all"), WAITS, "step-quiet"),
            ("coupled-ecn", "step", (*STATICS, "coupled"), STEP, "tradeoff"),
            ("gpu-servers", "all-to-all", ("dcqcn", "swift"), ("completion_time",), "totals"),
            ("incast", "incast", ("off", "static"), FCTS, "fct-incast"),
            ("int-csig", "mix", ("csig", "hpcc"), ("overhead",), "totals"),
        ):
            values = {scheme: dict.fromkeys(metrics, [0.75, 0.75]) for scheme in schemes}
            with self.subTest(name):
                panels = self.figures(name, self.results(name, scenario, values))[figure].panels
                for panel in panels:
                    low, high = panel.limits()[1]
                    self.assertGreaterEqual(high, 9.75)
                    self.assertEqual(low, 0)  # what cannot be negative has no interval below 0

    def test_losses_of_nobody(self):
        values = {"two-threshold": dict(zip(LOSSES, (0.04, 0, None, None)))}
        notes, drawn = self.draw("pre-ecn", self.results("pre-ecn", "10ms", values))
        self.assertEqual((notes, drawn), ([], ["losses-10ms"]))

    def test_bars_stand_beside_each_other(self):
        # Two schemes in a group of 0.84: bars of 0.42, at -0.21 and 0.21, with runs over them
        values = {"dcqcn": {"completion_time": [1, 2]}, "swift": {"completion_time": [3, 4]}}
        folder = self.results("gpu-servers", "ring", values, pairs=("dcqcn@tree",))
        old, new = self.figures("gpu-servers", folder)["totals"].panels[0].marks
        self.assertEqual((old.x, new.x, old.y, new.y), ([-0.21], [0.21], [1.5], [3.5]))
        self.assertEqual(new.intervals, [(0, 12.5)])
        self.assertEqual([(bar, round(x, 3), y) for bar, x, y in new.dots()], [(0, 0.147, 3), (0, 0.273, 4)])


@unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
class SeriesTest(Drawing):
    """Figures of series."""

    def test_heat_map_of_nothing(self):
        folder = self.results(
            "flowset-ecmp", pairs=["flow-set@elephants"],
            cqi_elephants_flow_set="time_s,port,cqi,queue_byte\n0.0001,leaf-0:spine-0,0,0\n"
            "0.0002,leaf-0:spine-0,0,0\n0.0003,leaf-0:spine-0,0,0\n",
        )
        self.assertEqual(self.draw("flowset-ecmp", folder),
                         (["No figure cqi-elephants-flow-set: no CQI above 0"], []))
        folder = self.results(
            "csig-fabric", pairs=["hash@incast"],
            heat_incast_hash="time_s,port,signal,signals,mean\n0.0001,leaf-0:spine-0,PD,4,2\n",
        )
        self.assertEqual(self.draw("csig-fabric", folder),
                         (["No figure heat-incast-hash: no signals above 0"], []))

    def test_heat_map(self):
        # With 4 classes up to 16, 1 and 3 are in one class, and its cells in one row are joined.
        rows = "".join(f"{time},{port},{cqi}\n" for time, port, cqi in (
            (1e-4, "leaf-0:spine-0", 1), (1e-4, "leaf-1:spine-0", 0), (1e-4, "leaf-0:spine-1", 16),
            (2e-4, "leaf-0:spine-0", 3), (2e-4, "leaf-1:spine-0", 5)))
        folder = self.results("flowset-ecmp", pairs=["flow-set@elephants"],
                              cqi_elephants_flow_set="time_s,port,cqi\n" + rows)
        panel = self.figures("flowset-ecmp", folder)["cqi-elephants-flow-set"].panels[0]
        found = {mark.label: [tuple(round(end, 9) for end in box) for box in mark.boxes]
                 for mark in panel.marks}
        self.assertEqual(found, {"CQI 1 to 4": [(1e-4, 3e-4, -0.5, 0.5)],
                                 "CQI 5 to 8": [(2e-4, 3e-4, -2.5, -1.5)],
                                 "CQI 13 to 16": [(1e-4, 2e-4, -1.5, -0.5)]})
        names = ("leaf-0:spine-0", "leaf-0:spine-1", "leaf-1:spine-0")
        self.assertEqual(panel.y.ticks, {0: names[0], -1: names[1], -2: names[2]})
        self.draw("flowset-ecmp", folder)
        for name in names:
            self.assertIn(name, self.text(folder, "cqi-elephants-flow-set"))

    def test_axes_of_a_queue_fit_the_queue(self):
        # 10 kB until 2 us of 10 us, Buf_Thrd at 12 MB, ECN_Thrd at 200 kB: 2.4 us, and 1.2 times 200 kB
        header = "time_s,occupancy_byte,buf_thrd_byte,ecn_thrd_byte,region\n"
        rows = "".join(f"{i}e-06,{10000 if i < 3 else 0},12000000,200000,{'A' if i < 5 else 'B'}\n"
                       for i in range(11))
        folder = self.results("incast", pairs=["coupled@incast"],
                              queue_incast_coupled=header + rows)
        figure = self.figures("incast", folder)["queue-incast"]
        (panel,) = figure.panels
        for found, ends in zip(panel.limits(), ((0, 2.4e-6), (0, 240000))):
            for value, end in zip(found, ends):
                self.assertAlmostEqual(value, end, delta=1e-9)
        self.assertEqual(panel.y.title, "coupled, with Buf_Thrd off the scale")
        a, b = (mark for mark in panel.marks if isinstance(mark, Boxes))
        self.assertEqual([box[:2] for box in (*a.boxes, *b.boxes)], [(0, 5e-6), (5e-6, 1e-5)])
        self.draw("incast", folder)

    def test_a_line_of_many_points(self):
        x = list(range(10000))
        y = [(i * 7919) % 9973 for i in x]
        thin_x, thin_y = thinned(x, y, 600)
        self.assertLessEqual(len(thin_x), 600)
        self.assertEqual((max(thin_y), min(thin_y), thin_x[0], thin_x[-1]), (9972, 0, 0, 9999))
        self.assertEqual(thinned(x[:600], y[:600], 600), (x[:600], y[:600]))

    def test_values_that_are_not_there(self):
        nan, inf = float("nan"), float("inf")
        line = Line([0, nan, 2, 3, 4], [1, 1, inf, nan, 5], "#000000", halves=((), [1, 2, 3, 4, 5]),
                    texts=list("abcde"))
        empty = Panel([Line([1], [nan], "#000000")], Axis(), Axis())
        (figure,) = whole([Figure("x", "y", [Panel([line], Axis(), Axis()), empty])])
        (panel,) = figure.panels
        kept = Line([0, 4], [1, 5], "#000000", halves=((), [1, 5]), texts=["a", "e"])
        self.assertEqual(panel.marks, [kept])
        self.assertEqual(list(whole([Figure("x", "y", [Panel([], Axis(), Axis())])])), [])

    def test_names_of_logarithmic_axes(self):
        for unit, limits, names in (
            ("byte", (900, 2e6), ["1 kB", "10 kB", "100 kB", "1 MB"]),
            ("s", (1e-6, 1e-3), ["1 us", "10 us", "100 us", "1 ms"]),
            ("1", (0.9, 30), ["1", "2", "5", "10", "20"]),
            ("packet", (500, 2e6), ["1,000", "10,000", "100,000", "1,000,000"]),
            ("share", (1e-4, 1e-1), ["0.01 %", "0.1 %", "1 %", "10 %"]),
        ):
            self.assertEqual(list(Axis(unit=unit, is_log=True).names(limits).values()), names)


class MessagesTest(Drawing):
    """What a run says of its figures."""

    def test_without_gnuplot(self):
        folder = self.results("gpu-servers", "ring", {"dcqcn": {"completion_time": 1}})
        with unittest.mock.patch.object(gnuplot, "run", side_effect=FileNotFoundError), \
                redirect_stderr(io.StringIO()) as said:
            self.assertTrue(gnuplot.draw(described("gpu-servers"), folder))
        self.assertEqual(said.getvalue(), "No figures: gnuplot is not installed; once it is, run 'gnuplot "
                         "figures.gp' in the folder of the results\n")
        self.assertTrue((folder / "figures.gp").exists())

    def test_results_that_cannot_be_read(self):
        folder = self.results("incast", pairs=["off@incast"], queue_incast_off="time_s,occupancy_byte\n1\n")
        with redirect_stderr(io.StringIO()) as said:
            self.assertFalse(gnuplot.draw(described("incast"), folder))
        self.assertEqual(said.getvalue(), f"No figures: {folder / 'queue-incast-off.csv'}: line 2: expected 2 "
                         "columns, found 1\n")


TWO_SITES = {"step_time", "unmarked_xoffs", "load_imbalance", "degraded_misfit", "reaction_time", "wan_drops",
             "waiting_port_named"}
"""The metrics of the figures of two-sites."""


@unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
class TwoSitesTest(Drawing):
    """The figures of two-sites: panels with schemes of their own."""

    SCHEMES = ("baseline", "coupled-ecn", "flow-set", "fare", "pre-ecn", "csig", "all", "another")

    def folder(self, schemes, runs, without=()):
        """Results of schemes, all with the same runs."""
        values = {scheme: {metric: [None if metric in without else run for run in runs]
                           for metric in TWO_SITES}
                  for scheme in schemes}
        return self.results("two-sites", "step", values)

    def test_each_scheme_alone_and_all(self):
        several = [0.02, 0.03, 0.04]
        for schemes, runs in ((self.SCHEMES, [0.02]), (self.SCHEMES, several),
                              *(((scheme,), several) for scheme in self.SCHEMES)):
            with self.subTest(schemes=schemes, runs=runs):
                folder = self.folder(schemes, runs)
                # The panels compare a mechanism by itself; another scheme has only the step.
                panels = [] if schemes == ("another",) else ["mechanisms"]
                self.assertEqual(self.draw("two-sites", folder), ([], [*panels, "step"]))
                step = self.text(folder, "step")
                self.assertEqual([s for s in schemes if f"<text>{s}</text>" in step], list(schemes))
                self.assertEqual("(one run)" in step, len(runs) == 1)

    def test_values_missing(self):
        for without in (*((metric,) for metric in sorted(TWO_SITES)), tuple(TWO_SITES)):
            with self.subTest(without):
                folder = self.folder(self.SCHEMES, [0.02, 0.03], without)
                wanted = {"step", "mechanisms"}
                wanted -= {"step"} if "step_time" in without else set()
                wanted -= {"mechanisms"} if len(without) > 1 else set()
                self.assertEqual(self.draw("two-sites", folder), ([], sorted(wanted)))

    def test_intervals_and_runs_end_within_the_axis(self):
        for runs, highest in (([0.09774, 0.09774], 9.09774), ([0.02, 66.8, 0.02], 66.8)):
            (panel,) = self.figures("two-sites", self.folder(("baseline", "all"), runs))["step"].panels
            low, high = panel.limits()[1]
            self.assertGreaterEqual(high, highest)
            self.assertEqual(low, 0)
