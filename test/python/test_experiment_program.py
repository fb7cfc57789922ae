# SPDX-License-Identifier: GPL-2.0-only
"""Tests of many runs of a program, for which a script stands: their order, files, errors and table."""

import io
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import experiments_command
from aidc.experiments.command import run as run_experiment
from aidc.experiments.folder import Failure
from aidc.experiments.program import ENDING, Program, Run, make_all
from folder_test import FolderTest

BIG = 1000000
"""More bytes than a pipe holds."""

STUB = """\
#!/usr/bin/env -S python3 -IS
import json, os, sys, time
from pathlib import Path
options = dict(word.lstrip("-").partition("=")[::2] for word in sys.argv[1:])
if "plan" in options:
    if options.get("rain"):
        sys.exit("aidc-test: expected no --rain")
    print("Something else")
    pairs = [[scenario, scheme] for scenario in ("one", "two") for scheme in ("a", "b")]
    print(json.dumps({"experiment": "test", "pairs": pairs[: 1 if "small" in options else 4],
                      "ns3": "3.44", "parameters": {"answer": 42}}))
    sys.exit()
number, kind, out = int(options["run"]), options["only"], Path(options["out"])
scheme, _, scenario = kind.partition("@")
name = f"run {number} of {kind}"
with open(os.environ["CALLS"], "a") as file:
    file.write(f"{kind} {options['seed']} {number}\\n")
print(json.dumps({"progress": 0, "text": ", 2 flows"}), flush=True)
"""
"""The first part of the program, which all tests have."""

MEASURE = """\
if options.get("fails") == name:
    sys.exit(f"aidc-test: it rains ({name})")
time.sleep(0.05 if scheme == "a" else 0)
value = {"one": 100, "two": 200}[scenario] + {"a": 10, "b": 20}[scheme] + number
metrics = [["count", value, "1"], ["left_out", 1, "s"], ["wall_time", time.monotonic(), "s"]]
if scenario == "one":
    metrics.insert(1, ["only_there", 5, "1"])
(out / f"flows-{scenario}-{scheme}.csv").write_text(
    "run,source,destination,size_byte,start_s,fct_s,slowdown\\n"
    f"{number},3,5,1000,1e-06,nan,nan\\n{number},3,5,1000,1e-06,2e-06,{number + 0.5}\\n")
(out / "all.csv").write_text(f"run\\n{name}\\n")
if number == 1:
    (out / f"series-{scenario}-{scheme}.csv").write_text(f"x\\n{name}\\n")
print(json.dumps({"metrics": metrics, "waits": None}))
"""

DESCRIPTION = """\
from aidc.experiments import Experiment

def conclude(summary, plan):
    for scenario, scheme in plan.pairs:
        for value in list(summary.values(scenario, scheme, "count")):
            summary.add(scenario, scheme, "twice", 2 * value, "1")
    summary.copy("one", "a", "best")

EXPERIMENT = Experiment(
    question="How much?",
    metrics=("count", "only_there"),
    totals=lambda plan: ("twice",),
    columns=lambda plan: ("count",),
    keeps_flows=lambda plan: True,
    conclude=conclude,
    runs=2,
)
"""


class Stub(FolderTest):
    """A program in a folder of the test."""

    def setUp(self):
        super().setUp()
        self.program = self.folder / "aidc-test"
        self.calls = self.folder / "calls"
        self.calls.touch()

    def write(self, code):
        """Writes the program."""
        self.program.write_text(STUB + code)
        self.program.chmod(0o755)

    def assert_alone(self):
        """This process has no child left."""
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)


class Told:
    """What is told of runs, and taken from them."""

    def __init__(self):
        self.begun, self.taken, self.said, self.texts = [], [], "", {}
        self.under_way = self.most = 0

    def begin(self, run, name):
        """A run begins."""
        self.begun.append(name)
        self.under_way += 1
        self.most = max(self.most, self.under_way)

    def tell(self, run, text, share):
        """A run tells of itself."""
        self.texts[run] = self.texts.get(run, "") + text

    def end(self, run):
        """A run has ended."""
        self.under_way -= 1

    def print(self, said):
        """A run has said something."""
        self.said += said

    def take(self, run, outcome, files):
        """What a run has measured."""
        self.taken.append((str(run), outcome["metrics"], sorted(path.name for path in files.iterdir())))


class Runs(Stub):
    """Runs in processes of their own, some at once."""

    def make(self, runs, at_once, processes=1):
        """Makes runs, and returns what is told of them."""
        self.told = Told()
        shutil.rmtree(self.folder / "runs", ignore_errors=True)
        env = {**os.environ, "CALLS": str(self.calls)}
        program = Program("aidc-test", self.program, ["--seed=7"], processes, env)
        make_all(program, runs, at_once, self.folder / "runs", self.told, self.told.take)
        return self.told

    def test_results_are_taken_in_order(self):
        self.write(
            "print(json.dumps({'progress': 0.5, 'text': f' of {number}'}), flush=True)\n"
            "time.sleep(0.5 if number == 1 else 0.01)\n"  # so that others are done before the first one
            "print(f'said by {number}', file=sys.stderr)\n"
            f"print('x' * {BIG} if number == 2 else 'and more', flush=True)\n"
            f"print(json.dumps({{'metrics': ['m', 'y' * {BIG} if number == 4 else number]}}))\n"
            "(out / f'{number}.csv').touch()\n"
        )
        told = self.make([Run("one", "a", number) for number in range(1, 6)], 3)
        big = {3: "y" * BIG}
        self.assertEqual(
            told.taken,
            [(f"run {n} of a@one", ["m", big.get(n - 1, n)], [f"{n}.csv"]) for n in range(1, 6)],
        )
        lines = [(f"said by {n}\n" + ("x" * BIG if n == 2 else "and more") + "\n") for n in range(1, 6)]
        self.assertEqual(told.said, "".join(lines))
        self.assertEqual(told.texts[4], ", 2 flows of 5")
        self.assertEqual((told.most, told.under_way), (3, 0))
        self.assert_alone()
        self.assertEqual(self.make([], 2).taken, [])

    def test_first_runs_begin_first_where_there_are_some_at_once(self):
        self.write("print(json.dumps({'metrics': []}))\n")
        runs = [Run("one", scheme, number) for scheme in "ab" for number in (1, 2)]
        names = [f"{run.kind} run {run.number}" for run in runs]
        told = self.make(runs, 2)
        self.assertEqual(told.begun, [names[place] for place in (0, 2, 1, 3)])
        self.assertEqual([name for name, *_ in told.taken], list(map(str, runs)))
        told = self.make(runs, 1)
        self.assertEqual(told.begun, [run.kind for run in runs])
        self.assertEqual(self.make(runs[::2], 2).begun, ["a@one", "b@one"])

    def test_errors(self):
        """A run that fails ends all of them, with its reason; two others would take a minute."""
        name = "run 2 of a@one"
        for code, reason, said in (
            ("sys.exit('aidc-test: no such file')", "aidc-test: no such file", ""),
            ("sys.exit('aidc: warning: it is wet\\naidc-test: no such\\nfile')",
             "aidc-test: no such\nfile", "aidc: warning: it is wet\n"),
            ("print('last words', flush=True); os._exit(3)",
             f"{name} has ended with exit status 3 before it was done", "last words\n"),
            ("pass", f"{name} has ended with exit status 0 before it was done", ""),
            ("os.kill(os.getpid(), 9)",
             f"{name} was ended by signal 9 (Killed); if memory was too small, a smaller --jobs needs "
             "less", ""),
            ("print('bad memory', file=sys.stderr, flush=True); os.kill(os.getpid(), 11)",
             f"{name} was ended by signal 11 (Segmentation fault)", "bad memory\n"),
            # As ns-3 ends by NS_FATAL_ERROR
            ("print('before\\nmsg=\"no\", +0.1s 3 file=x.cc, line=7\\nNS_FATAL, terminating', "
             "file=sys.stderr, flush=True); os.abort()",
             f'msg="no", +0.1s 3 file=x.cc, line=7 ({name})', "before\n"),
        ):
            with self.subTest(reason):
                self.write(f"if number != 2:\n    time.sleep(60)\n{code}\n")
                begin = time.monotonic()
                with self.assertRaises(Failure) as failure:
                    self.make([Run("one", "a", number) for number in (1, 2, 3)], 3)
                self.assertEqual((str(failure.exception), self.told.said), (reason, said))
                self.assertLess(time.monotonic() - begin, 30)
                self.assert_alone()

    def test_a_run_that_does_not_end_when_it_is_told_is_killed(self):
        self.write(
            "import signal\n"
            "if number == 1:\n"
            "    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
            "    Path(os.environ['CALLS'] + '.deaf').touch()\n"
            "    time.sleep(60)\n"
            "while not Path(os.environ['CALLS'] + '.deaf').exists():\n"
            "    time.sleep(0.01)\n"
            "sys.exit('aidc-test: no')\n"
        )
        begin = time.monotonic()
        with self.assertRaisesRegex(Failure, "aidc-test: no"):
            self.make([Run("one", "a", number) for number in (1, 2)], 2)
        self.assertLess(time.monotonic() - begin, 30)
        self.assert_alone()

    def test_errors_of_processes(self):
        """What Open MPI says of processes that end, and the programs before."""
        program = Program("aidc-test", Path("p"), [], 2)
        ended = ("--------\nmpirun noticed that process rank 1 with PID 0 on node x exited on\nsignal {} "
                 "({}).\n--------\n")
        abort = ended.format(6, "Aborted")
        fatal = 'msg="no", +0.1s 3 file=x.cc, line=7'
        warning = "aidc: warning: it is wet\n"
        killed = "process 1 was killed; systems do so when memory is too small"
        for said, told, reason in (
            (f"{warning}aidc-test: process 1: no such thing\n--------\nmpirun says more\n",
             warning, "aidc-test: process 1: no such thing"),
            (f"{warning}[x:12] *** Process received signal ***\n{abort}", warning,
             "process 1 was ended by signal 6 (Aborted)"),
            (ended.format(9, "Killed"), "", killed),
            (f"{fatal}\nNS_FATAL, terminating\n{abort}", "", f"process 1: {fatal} (run 2 of a@one)"),
            ("There are not enough slots\n", "",
             "cannot run 2 processes; mpirun says:\nThere are not enough slots"),
        ):
            self.assertEqual(program.describe(Run("one", "a", 2), 134, said), (told, reason))

    def test_plan(self):
        self.write("")
        program = Program("aidc-test", self.program, ["--small"], 1, dict(os.environ))
        self.assertEqual(program.plan()["pairs"], [["one", "a"]])
        for path, arguments, expected in (
            (self.program, ["--rain=1"], "^aidc-test: expected no --rain$"),
            (self.folder / "none", [], "^cannot run .*none: No such file or directory$"),
        ):
            with self.assertRaisesRegex(Failure, expected):
                Program("aidc-test", path, arguments).plan()

    def test_what_starts_processes(self):
        (self.folder / "mpirun").write_text("#!/bin/sh\n")
        (self.folder / "mpirun").chmod(0o755)
        program = Program("aidc-test", Path("/p"), ["--small", "--processes=3"], 3)
        run = Run("one", "a", 2)
        own = ["/p", "--small", "--processes=3", "--only=a@one", "--run=2", "--out=out", "--json"]
        before = {name: os.environ.pop(name, None) for name in ("PATH", "SLURM_JOB_NUM_NODES")}
        try:
            os.environ["PATH"] = str(self.folder)
            self.assertEqual(program.command(run, Path("out")),
                             [str(self.folder / "mpirun"), "-n", "3", *own])
            # mpirun starts all processes on this machine; srun, on all that the job has
            os.environ["SLURM_JOB_NUM_NODES"] = "2"
            words = ["srun", "--kill-on-bad-exit=1", "--overcommit", "--ntasks=3"]
            self.assertEqual(program.command(run, Path("out")), [*words, *own])
            os.environ.update(SLURM_JOB_NUM_NODES="1", PATH="")
            with self.assertRaisesRegex(Failure, "^--processes=3: found no mpirun or mpiexec.*--processes=1$"):
                program.command(run, Path("out"))
        finally:
            for name, value in before.items():
                os.environ.pop(name, None)
                os.environ.update({name: value} if value is not None else {})


class Experiments(Stub):
    """All runs of an experiment, as its user makes them."""

    def setUp(self):
        super().setUp()
        self.described = self.folder / "test"
        self.described.mkdir()
        (self.described / "description.py").write_text(DESCRIPTION)
        self.write(MEASURE)

    def run_all(self, *words, out="results"):
        """Makes all runs; returns how it ended."""
        self.out = self.folder / out
        self.calls.write_text("")
        command = experiments_command.command(
            self.program, *words, f"--out={self.out}", folder=self.described)
        return subprocess.run(command, env={**os.environ, "CALLS": str(self.calls), "COLUMNS": "100"},
                              capture_output=True, text=True, timeout=100)

    def files(self):
        """The content of all files, without wall times and the command."""
        return {path.name: re.sub('"(wall_time|command)".*', "", path.read_text())
                for path in self.out.iterdir()}

    def test_every_scheme_in_every_scenario(self):
        """Run r of scheme j in scenario i, counted from 1, tells 100 i + 10 j + r: the mean of two runs is
        100 i + 10 j + 1.5."""
        ended = self.run_all("--seed=7", "--jobs=1")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        kinds = [f"{scheme}@{scenario}" for scenario in ("one", "two") for scheme in "ab"]
        self.assertEqual(self.calls.read_text(),
                         "".join(f"{kind} 7 {number}\n" for kind in kinds for number in (1, 2)))
        # A line each tenth of the runs; of eight, that is each of them.
        told = re.sub(", about .* left", "", ended.stderr)
        self.assertEqual(told, "".join(
            f"[{n}/8] {kinds[(n - 1) // 2]}, 2 flows\n" for n in range(1, 9)))
        self.assertTrue(ended.stdout.startswith(
            "test: ns-3 3.44, seed 7, 2 runs (mean ± half-width of the 95 % CI)\n\n"
            "scenario  scheme"), ended.stdout)
        self.assertNotIn("left_out", ended.stdout)
        self.assertTrue(ended.stdout.endswith(f"\nResults are in {self.out}\n"))
        files = self.files()
        self.assertEqual(set(files), {
            ".results", "summary.json", "totals.csv", "slowdown.csv", "all.csv",
            *(f"{name}-{scenario}-{scheme}.csv" for name in ("flows", "series")
              for scenario in ("one", "two") for scheme in "ab")})
        # Half of the interval of two values that are 1 apart: Student's t of 12.706205, times 1/2
        lines = files["totals.csv"].splitlines()
        self.assertEqual(lines[0], "scenario,scheme,count,only_there,twice,"
                         "count_ci95,only_there_ci95,twice_ci95")
        for line, begin in zip(lines[1:], (
            "one,a,111.5,5,223,6.353102", "one,b,121.5,5,243,6.353102",
            "two,a,211.5,nan,423,6.353102", "two,b,221.5,nan,443,6.353102",
        )):
            self.assertEqual(line[: len(begin)], begin)
        self.assertEqual(len(lines), 5)
        self.assertEqual(files["flows-two-b.csv"],
                         "run,source,destination,size_byte,start_s,fct_s,slowdown\n"
                         "1,3,5,1000,1e-06,nan,nan\n1,3,5,1000,1e-06,2e-06,1.5\n"
                         "2,3,5,1000,1e-06,nan,nan\n2,3,5,1000,1e-06,2e-06,2.5\n")
        self.assertIn("\none,a,1000,10000,2,", files["slowdown.csv"])
        self.assertEqual(files["all.csv"], "run\n" + "".join(
            f"run {number} of {kind}\n" for kind in kinds for number in (1, 2)))
        summary = json.loads((self.out / "summary.json").read_text())
        self.assertEqual(
            [summary[name] for name in ("experiment", "ns3", "seed", "runs", "question", "parameters")],
            ["test", "3.44", 7, 2, "How much?", {"answer": 42}])
        self.assertIn("--seed=7", summary["command"])
        self.assertEqual(summary["schemes"]["b@two"]["count"]["runs"], [221, 222])
        self.assertEqual(list(summary["schemes"]), [*kinds, "best@one"])
        self.assertLess({"left_out", "wall_time"}, set(summary["schemes"]["a@one"]))

    def test_signals_have_their_handlers_again(self):
        # A script goes on after its run.
        handlers = lambda: [signal.getsignal(number) for number in ENDING]
        before = handlers()
        env = {**os.environ, "CALLS": str(self.calls)}
        for words, status in (["--jobs=1"], 0), (["--rain=1"], 1):
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                words = [*words, f"--out={self.folder / 'results'}"]
                ended = run_experiment(self.program, self.described, words, ["test"], env)
            self.assertEqual(ended, status)
            self.assertEqual(handlers(), before)

    def test_the_same_files_with_any_number_of_jobs(self):
        self.assertEqual(self.run_all("--jobs=1", "--runs=3", out="1").returncode, 0)
        one = self.files()
        for jobs in (2, 100):
            ended = self.run_all(f"--jobs={jobs}", "--runs=3", out=str(jobs))
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertEqual(self.files(), one, jobs)
            self.assertRegex(ended.stderr, r"^\[0/12 done\] a@one run 1, ")

    def test_errors(self):
        for jobs in (1, 3):
            ended = self.run_all(f"--jobs={jobs}", "--fails=run 2 of b@one")
            self.assertEqual((ended.returncode, ended.stdout), (1, ""))
            said = [line for line in ended.stderr.splitlines() if not line.startswith("[")]
            self.assertEqual(said[0], "aidc-test: it rains (run 2 of b@one)")
            self.assertFalse(self.out.exists())
            if jobs > 1:
                continue
            # The runs of a@one are there, and kept.
            partial = self.folder / "results.partial"
            self.assertEqual(said[1:], [f"What it had written is in {partial}"])
            self.assertEqual((partial / "all.csv").read_text(),
                             "run\nrun 1 of a@one\nrun 2 of a@one\nrun 1 of b@one\n")
        ended = self.run_all("--jobs=1", "--fails=run 2 of a@one")
        self.assertEqual(ended.stderr.splitlines()[-1], "aidc-test: it rains (run 2 of a@one)")
        self.assertEqual([path.name for path in self.folder.glob("results*")], [])

    def test_a_disk_that_is_full(self):
        self.out = self.folder / "results"
        command = experiments_command.command(
            self.program, f"--out={self.out}", folder=self.described)
        limit = 300  # bytes, which the files of runs do not have
        ended = subprocess.run(
            command, env={**os.environ, "CALLS": str(self.calls)}, capture_output=True, text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        said = [line for line in ended.stderr.splitlines() if not line.startswith("[")]
        self.assertEqual((ended.returncode, said), (1, [
            f"aidc-test: cannot write {self.out}.partial/totals.csv: File too large",
            f"What it had written is in {self.out}.partial"]))
        self.assertFalse(self.out.exists())

    def test_the_small_variant_is_run_once(self):
        ended = self.run_all("--small")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(self.calls.read_text(), "a@one 1 1\n")
        self.assertTrue(ended.stdout.startswith("test: ns-3 3.44, seed 1, 1 run\n"), ended.stdout)
        self.run_all("--small=true", "--runs=2", "--seed=4294967295", "--jobs=1")
        self.assertEqual(self.calls.read_text(), "a@one 4294967295 1\na@one 4294967295 2\n")

    def test_a_folder_that_is_no_utf_8(self):
        self.out = Path(os.fsdecode(os.fsencode(self.folder) + b"/caf\xe9"))
        command = experiments_command.command(
            self.program, "--small", f"--out={self.out}", folder=self.described)
        ended = subprocess.run(command, env={**os.environ, "CALLS": str(self.calls)}, capture_output=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertTrue(ended.stdout.endswith(b"/caf\xe9\n"))
        self.assertIn("/caf\ufffd", json.loads((self.out / "summary.json").read_text("utf-8"))["command"])

    def test_options_that_are_refused(self):
        for words, expected in (
            ("--seed=0", "--seed to be at least 1"),
            ("--runs=0", "--runs to be at least 1"),
            ("--processes=0", "--processes to be at least 1"),
            ("--seed=4294967296", '--seed to be a whole number of 32 bits, found "4294967296"'),
            ("--jobs=-1", '--jobs to be a whole number of 32 bits, found "-1"'),
            ("--small=maybe", '--small to be true or false, found "maybe"'),
            ("--processes=2 --jobs=2", "--processes=1 with --jobs, which is not used otherwise"),
        ):
            ended = self.run_all(*words.split())
            self.assertEqual((ended.returncode, ended.stderr), (1, f"aidc-test: expected {expected}\n"))
        for words, expected in (
            ("--seed=1 --seed 2", "--seed is given twice"),
            ("--only=a@one", "there is no option --only; --help lists them"),
            ("--run=1", "there is no option --run; --help lists them"),
            ("--rain=1", "expected no --rain"),
        ):
            ended = self.run_all(*words.split())
            self.assertEqual((ended.returncode, ended.stderr), (1, f"aidc-test: {expected}\n"))
        command = experiments_command.command(self.program, "--out=", folder=self.described)
        ended = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(ended.stderr, "aidc-test: expected --out to be a folder\n")
        self.assertEqual(self.calls.read_text(), "")


class Command(unittest.TestCase):
    """python3 -m aidc.experiments PROGRAM"""

    def test_programs_that_there_are_not(self):
        for path, status, expected in (
            ("/nowhere/aidc-incast", 1, "aidc-incast: cannot run /nowhere/aidc-incast: No such file"),
            ("/nowhere/aidc-nothing", 2, "/nowhere/aidc-nothing: expected the program of an experiment"),
        ):
            ended = subprocess.run(experiments_command.command(Path(path)), capture_output=True, text=True)
            self.assertEqual(ended.returncode, status)
            self.assertTrue(ended.stderr.startswith(expected), ended.stderr)
