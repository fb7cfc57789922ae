# SPDX-License-Identifier: GPL-2.0-only
"""Tests of aidc.run(), aidc.compare() and aidc.report(), with a program that only prints metrics."""

import json
import math
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from folder_test import SOURCE, FolderTest

PYTHON = os.environ.get("AIDC_PYTHON")
HAS_PANDAS = PYTHON and subprocess.run([PYTHON, "-c", "import pandas"]).returncode == 0

# Stands for the experiment incast, whose options it takes as it likes: goodput is ten times its degree, and
# the seed; it waits for its limit
PROGRAM = f"#!{sys.executable}" + """
import json, sys, time
if "--help" in sys.argv:
    for name in ("degree", "xoff-alpha", "transport", "limit", "seed"):
        print(f"    --{name}:  a value")
    sys.exit(0)
options = dict(word.lstrip("-").partition("=")[::2] for word in sys.argv[1:])
if options.get("degree") == "0":
    sys.exit("aidc-incast: expected --degree of at least 1, found 0")
if "plan" in options:
    print(json.dumps({"ns3": "3.44", "pairs": [["one", "NA"]], "parameters": {}}))
    sys.exit()
time.sleep(float(options.get("limit", 0)))
value = 10 * int(options.get("degree", 1)) + int(options["seed"])
metrics = [["goodput", value, "bit/s"], ["fct_p99", None, "s"]]
print(json.dumps({"metrics": metrics, "waits": None}))
"""

BEGIN = """\
import json, aidc
def refused(kind, **options):
    try:
        aidc.run(**options)
    except kind as error:
        return str(error)
"""


@unittest.skipUnless(HAS_PANDAS, "AIDC_PYTHON names no Python with pandas")
class Run(FolderTest):
    """Scripts, each in a process of its own."""

    def setUp(self):
        super().setUp()
        program = self.folder / "bin" / "aidc-incast"
        program.parent.mkdir()
        program.write_text(PROGRAM)
        program.chmod(0o755)
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(SOURCE / "bindings"),
            "AIDC_BUILD_DIR": str(self.folder),
        }

    def start(self, code):
        """Starts a script."""
        return subprocess.Popen(
            [PYTHON, "-B", "-c", BEGIN + code],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def told(self, code):
        """What a script prints as JSON, and what it says beside."""
        with self.start(code) as process:
            out, err = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0, err)
        return json.loads(out), err

    def test_a_sweep_is_a_frame(self):
        told, progress = self.told(
            "frame = aidc.run('incast', degree=[2, 4], xoff_alpha=True, seeds=3, jobs=1)\n"
            "print(json.dumps([list(frame), frame.values.tolist(), frame.attrs['folder'],"
            " [str(kind) for kind in frame.dtypes]]))"
        )
        columns, rows, folder, kinds = told
        self.assertEqual(
            columns, ["degree", "scenario", "scheme", "metric", "mean", "ci95", "unit", "seeds"]
        )
        self.assertEqual(folder, str(self.folder / "results" / "sweep-incast"))
        # 10 times 2 and 4, and the mean of 1, 2 and 3, whose deviation is 1; Student's t is 4.303, of two
        # degrees of freedom
        t = 0.95 * math.sqrt(2 / (1 - 0.95**2))
        for row, mean in zip(rows, (22, 42)):
            self.assertEqual(row[:4] + row[6:], [(mean - 2) / 10, "one", "NA", "goodput", "bit/s", 3])
            self.assertEqual(row[4], mean)
            self.assertAlmostEqual(row[5], t / 3**0.5, places=9)
        self.assertEqual((len(rows), kinds[0], kinds[4]), (2, "int64", "float64"))
        summary = json.loads((Path(folder) / "runs/degree=4_seed=2/summary.json").read_text())
        self.assertIn(" --xoff-alpha=true ", summary["command"])
        self.assertIn("[6/6] degree=4 seed=3: ", progress)

    def test_columns_are_typed(self):
        told, _ = self.told(
            "frame = aidc.run('incast', degree=[2, 4], limit=[0, 0.01], transport=['1', 'x'])\n"
            "kinds = {name: frame[name].dtype.kind for name in frame}\n"
            "print(json.dumps([kinds, (frame.degree * frame.limit).max()]))"
        )
        kinds, product = told
        self.assertEqual((kinds["degree"], kinds["limit"], kinds["seeds"]), ("i", "f", "i"))
        self.assertEqual(kinds["transport"], kinds["scheme"])
        self.assertNotIn(kinds["transport"], "if")
        self.assertAlmostEqual(product, 0.04)

    def test_scalars_are_options(self):
        told, progress = self.told(
            "import numpy\n"
            "frame = aidc.run('incast', degree=numpy.int64(3), progress=False)\n"
            "print(json.dumps([list(frame)[0], frame['mean'].tolist(),"
            " frame['ci95'].isna().tolist()]))"
        )
        self.assertEqual((told, progress), (["scenario", [31.0], [True]], ""))

    def test_each_call_has_its_folder(self):
        told, progress = self.told(
            "frames = [aidc.run('incast', degree=d) for d in (1, 2, 1)]\n"
            "frames.append(aidc.run('incast', out='here/x', degree=range(1, 3)))\n"
            "print(json.dumps([[frame.attrs['folder'] for frame in frames],"
            " [frame['mean'].tolist() for frame in frames]]))"
        )
        names = ["results/sweep-incast", "results/sweep-incast-2", "results/sweep-incast", "here/x"]
        self.assertEqual(told[0], [str(self.folder / name) for name in names])
        self.assertEqual(told[1], [[11], [21], [11], [11, 21]])
        self.assertIn("1 of 1 runs are there already", progress)

    def test_what_is_refused(self):
        told, _ = self.told(
            "print(json.dumps([\n"
            " refused(ValueError, experiment='nothing'),\n"
            " refused(ValueError, experiment='incast', degre=1),\n"
            " refused(ValueError, experiment='incast', degre=[1, 2]),\n"
            " refused(ValueError, experiment='incast', runs=3),\n"
            " refused(ValueError, experiment='incast', degree=[]),\n"
            " refused(ValueError, experiment='incast', degree=[1, 1]),\n"
            " refused(ValueError, experiment='incast', transport=['a,b']),\n"
            " refused(ValueError, experiment='incast', degree=None),\n"
            " refused(ValueError, experiment='incast', seeds=0),\n"
            " refused(ValueError, experiment='incast', seeds=2.5),\n"
            " refused(ValueError, experiment='missing.cc'),\n"
            " refused(ValueError, experiment='incast', on='pbs'),\n"
            " refused(ValueError, experiment='incast', slurm='--time=1'),\n"
            " refused(RuntimeError, experiment='incast', degree=0),\n"
            "]))"
        )
        expected = (
            r'There is no experiment "nothing"\.\nThere are: .*incast',
            "^incast has no option --degre",
            "^incast has no option --degre",
            "runs: .*sets it itself",
            "^degree: expected at least one value",
            "degree: a value is given twice",
            'transport: "a,b" has a comma',
            "^degree: expected a value, found None",
            "^seeds: expected a whole number of at least 1, found 0",
            "^seeds: expected a whole number of at least 1, found 2.5",
            "There is no file missing.cc",
            '^--on "pbs": expected slurm, or the address of a Dask scheduler',
            "^--slurm has options of sbatch, for --on slurm",
            r"^The run seed=1 failed \(exit code 1\):\naidc-incast: expected --degree of at least 1",
        )
        self.assertEqual(len(told), len(expected))
        for found, pattern in zip(told, expected):
            self.assertRegex(found or "nothing was raised", pattern)

    def test_results_of_a_run(self):
        told, _ = self.told(
            "frame = aidc.run('incast', xoff_alpha=[True, False], degree=[2, 4], transport='a/b', seeds=2)\n"
            "results = aidc.results_of(frame, seed=2, degree=4, xoff_alpha=False)\n"
            "texts = []\n"
            "for values in {}, {'degree': 4}, {'xoff_alpha': 1, 'degree': 4}:\n"
            "    try:\n        aidc.results_of(frame, **values)\n"
            "    except ValueError as error:\n        texts.append(str(error))\n"
            "slash = aidc.run('incast', transport=['a/b c', 'd'])\n"
            "other = aidc.results_of(slash.attrs['folder'], transport='a/b c')\n"
            "print(json.dumps([results.value('one', 'NA', 'goodput'), results.summary['command'],"
            " texts, other.summary['command']]))"
        )
        value, command, texts, other = told
        self.assertEqual(value, 42)
        for word in ("--xoff-alpha=false", "--degree=4", "--seed=2", "--transport=a/b"):
            self.assertIn(f" {word} ", f"{command} ")
        self.assertIn("'--transport=a/b c' ", other)
        self.assertIn("(xoff-alpha, degree), found nothing", texts[0])
        self.assertIn("(xoff-alpha, degree), found degree", texts[1])
        self.assertIn("has no run with xoff-alpha=1, degree=4, seed=1", texts[2])

    def test_compare(self):
        told, _ = self.told(
            "a = aidc.run('incast', degree=1, seeds=4)\n"
            "b = aidc.run('incast', degree=2, seeds=4, out='b')\n"
            "frame = aidc.compare(a, 'b')\n"
            "same = aidc.compare(a, a[a['metric'] == 'goodput'])\n"
            "try:\n    aidc.compare(a, 'nothing')\nexcept ValueError as error:\n    text = str(error)\n"
            "try:\n    import pandas\n    aidc.compare(a, pandas.DataFrame())\n"
            "except ValueError as error:\n    text += str(error)\n"
            "print(json.dumps([frame.iloc[0].fillna(0).to_dict(), same['verdict'].tolist(),"
            " same['change'].isna().tolist(), text]))"
        )
        row, same, changes, text = told
        # 10 or 20, and the mean of 1 to 4; pairs differ by 10 each
        self.assertEqual((row["a"], row["b"], row["unit"]), (12.5, 22.5, "bit/s"))
        self.assertEqual((row["scheme"], row["verdict"]), ("NA", "differs"))
        self.assertAlmostEqual(row["change"], 0.8)
        self.assertEqual((same, changes), (["same"], [True]))
        self.assertRegex(text, "Cannot read nothing.*expected a folder, or a frame that aidc.run")

    def test_report(self):
        if subprocess.run([PYTHON, "-c", "import plotly"], stderr=-3).returncode != 0:
            self.skipTest("AIDC_PYTHON has no plotly")
        told, _ = self.told(
            "frame = aidc.run('incast', degree=[1, 2])\n"
            "print(json.dumps([str(aidc.report(frame)), str(aidc.report('results/sweep-incast'))]))"
        )
        for path in told:
            text = (self.folder / path).read_text(encoding="utf-8")
            self.assertIn("goodput", text)
            self.assertIn("</html>", text)

    def test_ctrl_c_keeps_what_is_whole(self):
        code = (
            "try:\n    aidc.run('incast', limit=[0, 60], jobs=2)\n"
            "except KeyboardInterrupt:\n    print('\"interrupted\"')"
        )
        with self.start(code) as process:
            while "limit=0 seed=1" not in process.stderr.readline():
                self.assertIsNone(process.poll())
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=50)
        self.assertEqual(out, '"interrupted"\n')
        self.assertLess(time.monotonic() - begin, 30)
        runs = self.folder / "results" / "sweep-incast" / "runs"
        self.assertEqual([path.name for path in runs.iterdir()], ["limit=0_seed=1"])
