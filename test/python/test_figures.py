# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the figures' scripts: they draw all schemes and scenarios, or say what they leave out."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("AIDC_BUILD_DIR", "."))

# The experiments whose figures compare all of their schemes in all scenarios
NAMES = ("coupled-ecn", "fare-clos", "flowset-ecmp")
PROGRAMS = {name: BUILD / "bin" / f"aidc-{name}" for name in NAMES}


def script(name):
    """The path of an experiment's gnuplot script."""
    return SOURCE / "examples" / name / f"{name}.gp"


class NamesTest(unittest.TestCase):
    """Names of schemes and scenarios."""

    @unittest.skipUnless(all(map(Path.exists, PROGRAMS.values())), "no build of the experiments")
    def test_each_scheme_and_scenario_is_drawn(self):
        for name, program in PROGRAMS.items():
            told = subprocess.check_output([program, "--help"], text=True)
            texts = " ".join(re.findall('"(.*?)"', script(name).read_text()))
            named = set(re.findall(r"[\w-]+", texts))
            for option in ("scenarios", "schemes"):
                line = re.search(rf"--{option}: .*?(?:run|compare)(?:, of|:) (.*?)[;\[]", told)
                known = set(line[1].strip().split(", "))
                self.assertEqual(known - named, set(), f"{name} --{option}")


class Drawing(unittest.TestCase):
    """Runs scripts."""

    def draw(self, name, **files):
        """Runs a script on files, and returns what it says and the figures that it draws."""
        said, folder = self.draw_in_folder(name, **files)
        return said, sorted(path.name for path in folder.glob("*.png"))

    def draw_in_folder(self, name, *, then="", summary="", **files):
        """Runs a script on files, then a command of gnuplot; returns what they say and the folder of
        the figures."""
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        if summary:
            Path(temporary.name, "summary.json").write_text(summary)
        for file, text in files.items():
            Path(temporary.name, file.replace("_", "-") + ".csv").write_text(text)
        ended = subprocess.run(
            ["gnuplot", "-d", script(name), *(["-e", then] if then else [])],
            cwd=temporary.name,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
        )
        return ended.stdout, Path(temporary.name)


@unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
class NotesTest(Drawing):
    """What a script says of what it does not draw, and where its axes end."""

    def test_totals_of_schemes_that_do_not_differ(self):
        for name, scenario, schemes, columns in (
            ("coupled-ecn", "light", ("static-low", "coupled"), 2),
            ("flowset-ecmp", "load-30", ("hash-ecmp", "spray"), 8),
            ("csig-fabric", "hot-spot", ("hash", "csig-blind"), 9),
        ):
            rows = "".join(f"{scenario},{scheme}" + ",1" * columns + "\n" for scheme in schemes)
            said, drawn = self.draw(name, totals="scenario,scheme" + ",x" * columns + "\n" + rows)
            self.assertRegex(said, rf"^Not in totals: {scenario}, where all schemes .*\n$", name)
            self.assertEqual(drawn, [], name)

    def test_metrics_without_a_value(self):
        # What totals.csv has as nan, the table of the run shows as "-".
        statics = ("static-25kb", "static-50kb", "static-100kb")
        for name, scenario, schemes, metrics, figure in (
            ("ai-training", "quiet", ("baseline", "all"),
             ("completion_time", "wait_pause", "wait_rate", "wait_window"), "step-quiet"),
            ("coupled-ecn", "incast", ("static-low", "coupled"),
             ("marked_packets", "dropped_packets"), "totals"),
            ("coupled-ecn", "step", (*statics, "red"),
             ("dropped_packets", "marked_packets", "goodput", "fct_p99",
              "drops_before_first_mark"), "totals"),
            ("pre-ecn", "10ms", ("tail-drop", "two-threshold"),
             ("completion_time", "dropped_packets", "edge_reaction_time",
              "sender_reaction_time"), "losses-10ms"),
        ):
            for schemes_without, metrics_without in (
                (schemes[:1], metrics), (schemes, metrics[:1]), (schemes, metrics)
            ):
                lines = ["scenario,scheme," + ",".join(metrics)]
                for place, scheme in enumerate(schemes, 2):
                    without = metrics_without if scheme in schemes_without else ()
                    values = ["nan" if metric in without else 1e6 * place for metric in metrics]
                    lines.append(",".join([scenario, scheme, *map(str, values)]))
                with self.subTest(name, scenario=scenario, schemes=schemes_without):
                    _, drawn = self.draw(name, totals="\n".join(lines) + "\n")
                    if (schemes_without, metrics_without) != (schemes, metrics):
                        self.assertIn(f"{figure}.png", drawn)

    def test_one_run_has_no_interval_and_says_so(self):
        for name, scenario, schemes, metrics, figure in (
            ("ai-training", "quiet", ("baseline", "all"),
             ("completion_time", "wait_pause", "wait_rate", "wait_window"), "step-quiet"),
            ("coupled-ecn", "incast", ("static-low", "coupled"),
             ("dropped_packets", "marked_packets"), "totals"),
            ("pre-ecn", "10ms", ("tail-drop", "two-threshold"),
             ("completion_time", "dropped_packets", "edge_reaction_time",
              "sender_reaction_time"), "losses-10ms"),
            ("csig-fabric", "hot-spot", ("hash", "csig-blind"), tuple("abcd"), "totals"),
            ("fare-clos", "intact-3", ("ecmp", "fare"),
             ("bound_share", "all_to_all_bound_share"), "shares"),
            ("flowset-ecmp", "load-30", ("hash-ecmp", "spray"), tuple("abcdef"), "totals"),
            ("incast", "incast", ("off", "static"), ("fct_p50", "fct_mean", "fct_p99"),
             "fct-incast"),
        ):
            for interval, is_said in (("nan", True), ("0.25", False)):
                header = ["scenario", "scheme", *metrics, *(f"{m}_ci95" for m in metrics)]
                rows = [
                    [scenario, scheme, *[str(value)] * len(metrics), *[interval] * len(metrics)]
                    for value, scheme in enumerate(schemes, 2)
                ]
                totals = "".join(",".join(row) + "\n" for row in (header, *rows))
                with self.subTest(name, interval=interval):
                    _, folder = self.draw_in_folder(name, totals=totals)
                    said = (folder / f"{figure}.svg").read_text(encoding="utf-8")
                    self.assertEqual("(one run)" in said, is_said)

    def test_intervals_end_within_the_axis(self):
        # 0.75 +- 9 in the unit of the file; each axis is multiplied by a factor of its own.
        waits = ("wait_pause", "wait_rate", "wait_window")
        fcts = ("fct_p50", "fct_mean", "fct_p99")
        statics = ("static-25kb", "static-50kb", "static-100kb", "coupled")
        early = "drops_before_first_mark"
        for name, scenario, schemes, metrics, factor in (
            ("ai-training", "quiet", ("baseline", "all"), ("completion_time", *waits), 1e3),
            ("coupled-ecn", "step", statics,
             ("dropped_packets", "marked_packets", "goodput", "fct_p99", early), 1),
            ("gpu-servers", "all-to-all", ("dcqcn", "swift"), ("completion_time",), 1e3),
            ("incast", "incast", ("off", "static"), fcts, 1e3),
            ("int-csig", "mix", ("csig", "hpcc"), ("overhead",), 100),
        ):
            header = ["scenario", "scheme", *metrics, *(f"{metric}_ci95" for metric in metrics)]
            rows = [[scenario, scheme, *["0.75"] * len(metrics), *["9"] * len(metrics)]
                    for scheme in schemes]
            totals = "".join(",".join(row) + "\n" for row in (header, *rows))
            with self.subTest(name):
                said, _ = self.draw_in_folder(name, then="print GPVAL_Y_MAX", totals=totals)
                self.assertGreaterEqual(float(said.splitlines()[-1]), 9.75 * factor)

    def test_heat_map_of_nothing(self):
        said, drawn = self.draw(
            "flowset-ecmp",
            cqi_elephants_flow_set="time_s,port,cqi,queue_byte\n0.0001,leaf-0:spine-0,0,0\n"
            "0.0002,leaf-0:spine-0,0,0\n0.0003,leaf-0:spine-0,0,0\n",
        )
        self.assertEqual(said, "No figure cqi-elephants-flow-set: the CQI is 0 at all times\n")
        self.assertEqual(drawn, [])
        said, drawn = self.draw(
            "csig-fabric",
            heat_incast_hash="time_s,port,signal,signals,mean\n0.0001,leaf-0:spine-0,PD,4,2\n",
        )
        self.assertEqual(
            said, "No figure heat-incast-hash: no signal of available bandwidth came\n"
        )
        self.assertEqual(drawn, [])

    def test_losses_of_nobody(self):
        header = "scenario,scheme,dropped_packets,completion_time,edge_reaction_time"
        said, drawn = self.draw(
            "pre-ecn",
            totals=f"{header},sender_reaction_time\n10ms,two-threshold,0,0.04,nan,nan\n",
        )
        self.assertEqual(said, "")
        self.assertEqual(drawn, ["losses-10ms.png"])


TWO_SITES = {"step_time": "s", "unmarked_xoffs": "1", "load_imbalance": "1", "degraded_misfit": "1",
             "reaction_time": "s", "wan_drops": "packet", "waiting_port_named": "1"}
"""The metrics of the figures of two-sites, with their units."""


@unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
class TwoSitesTest(Drawing):
    """The figures of two-sites, which are drawn from the runs in summary.json."""

    SCHEMES = ("baseline", "coupled-ecn", "flow-set", "fare", "pre-ecn", "csig", "all", "another")

    def summary(self, schemes, runs, without=()):
        """A summary as experiments write it, a metric per line."""
        lines = ["{", f'  "runs": {len(runs)},', '  "schemes": {']
        for scheme in schemes:
            lines.append(f'    "{scheme}@step": {{')
            for metric, unit in TWO_SITES.items():
                has_value = metric not in without
                entry = {"value": sum(runs) / len(runs) if has_value else None, "unit": unit,
                         "ci95": None if len(runs) == 1 or not has_value else 0.14,
                         "runs": runs if has_value else [None] * len(runs)}
                comma = "" if metric == "waiting_port_named" else ","
                lines.append(f'      "{metric}": {json.dumps(entry)}{comma}')
            lines.append("    }" + ("" if scheme == schemes[-1] else ","))
        text = "\n".join([*lines, "  }", "}", ""])
        json.loads(text)
        return text

    def test_each_scheme_alone_and_all(self):
        several = [0.02, 0.03, 0.04]
        for schemes, runs in ((self.SCHEMES, [0.02]), (self.SCHEMES, several),
                              *(((scheme,), several) for scheme in self.SCHEMES)):
            with self.subTest(schemes=schemes, runs=runs):
                said, folder = self.draw_in_folder("two-sites", summary=self.summary(schemes, runs))
                self.assertEqual(said, "")
                drawn = {path.name for path in folder.glob("*.png")}
                # The panels compare a mechanism by itself; another scheme has only the step.
                panels = set() if schemes == ("another",) else {"mechanisms.png"}
                self.assertEqual(drawn, {"step.png", *panels})
                step = (folder / "step.svg").read_text(encoding="utf-8")
                self.assertEqual([s for s in schemes if f"<text>{s}</text>" in step], list(schemes))
                self.assertEqual("(one run)" in step, len(runs) == 1)

    def test_values_missing(self):
        for without in (*((metric,) for metric in TWO_SITES), tuple(TWO_SITES)):
            with self.subTest(without):
                summary = self.summary(self.SCHEMES, [0.02, 0.03], without)
                said, folder = self.draw_in_folder("two-sites", summary=summary)
                self.assertEqual(said, "")
                drawn = {path.name for path in folder.glob("*.png")}
                wanted = {"step.png", "mechanisms.png"}
                wanted -= {"step.png"} if "step_time" in without else set()
                wanted -= {"mechanisms.png"} if len(without) > 1 else set()
                self.assertEqual(drawn, wanted)

    def test_intervals_and_runs_end_within_the_axis(self):
        # The step alone is drawn: a mean of 97.74 ms has an interval to 237.74 ms, a run takes 668 ms.
        others = [metric for metric in TWO_SITES if metric != "step_time"]
        for runs, highest in (([0.09774, 0.09774], 237.74), ([0.02, 0.668, 0.02], 668)):
            summary = self.summary(("baseline", "all"), runs, others)
            said, _ = self.draw_in_folder("two-sites", then="print GPVAL_Y_MAX, GPVAL_Y_MIN",
                                          summary=summary)
            top, bottom = map(float, said.split())
            self.assertGreaterEqual(top, highest)
            self.assertEqual(bottom, 0)


if __name__ == "__main__":
    unittest.main()
