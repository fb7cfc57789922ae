# SPDX-License-Identifier: GPL-2.0-only
"""The commands of a checkout: sets up what is missing, builds, then runs, tests or measures."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Callable, Optional

from aidc.scripts import program_in_tree

from . import benchmarks, experiments, packages, wheel
from .cmake import CMakeBuild, Ns3, configure, require
from .console import Failure, Progress, Step, WrongUse, jobs, note, run_steps, session, shown
from .ns3 import DEFAULT, RELEASES, Environment, InstalledNs3, PackagedNs3, interpreter
from .place import Place, Program, digest_of

LIBRARIES = "aidc-experiment"
"""The target that makes all that users' programs are linked with: what experiments share, which needs
the module's library."""

TEST_HELP = """\
Builds and runs the core's tests, all test suites, small variants of the experiments, what is written
in Python, and sessions with real BGP peers where these are installed.

--all adds what checks the same in more ways or takes long: the core under sanitizers; the experiments
fabric-failures and two-sites; others with other transports and sizes, through ns-3's stack, by ns-3's
simulator and in several processes; each option of each experiment; what this command does with
interrupts, full disks, wrong input and users' programs; clusters; and the manual's commands, word for
word.
"""

DOXYFILE = """\
PROJECT_NAME = aidc
INPUT = "{source}/model" "{source}/helper"
FILE_PATTERNS = *.h
RECURSIVE = YES
STRIP_FROM_PATH = "{source}"
OUTPUT_DIRECTORY = "{html}"
HTML_OUTPUT = api
GENERATE_LATEX = NO
HAVE_DOT = NO
QUIET = YES
WARNINGS = NO
"""
"""Settings of the API reference, as files; .ci/doxygen looks for what is not documented."""


def documentation_steps(source: Path, build: Path) -> list[Step]:
    """Steps that build doc/ to HTML (build/html) with a pinned Sphinx, and the API reference with Doxygen;
    the steps for what is missing come first."""
    folder, html, log = source / "doc", build / "html", build / "logs" / "doc.log"
    pins = folder / "requirements.txt"
    venv = Environment(build / "venv-doc", log)

    def build_pages(progress: Progress) -> None:
        log.unlink(missing_ok=True)
        command = [venv.python, "-m", "sphinx", "-b", "html", "-W", "--keep-going"]
        command += ["-d", html.with_suffix(".doctrees"), folder, html]
        progress.run(command, "Fix the warnings above: each counts as an error.")

    def build_reference(progress: Progress) -> None:
        if not packages.DOXYGEN.present():
            return  # a note has said so
        doxyfile = html.with_suffix(".doxyfile")
        doxyfile.write_text(DOXYFILE.format(source=source, html=html))
        progress.run(["doxygen", doxyfile])

    return [
        *venv.steps("Installing Sphinx", "-r", pins, pins=pins.read_text()),
        Step("Building the documentation", build_pages, log),
        Step("Building the API reference", build_reference, log, [packages.DOXYGEN]),
    ]


class Checkout(Place):
    """A checkout of the repository, with its folder build/."""

    description = """\
aidc on its own: sets up what is missing, then runs, tests or measures.

Everything that is downloaded or built goes into the folder build/ of this repository, which may be
deleted at any time.
"""
    epilog = """\
./aidc COMMAND --help says more. AIDC_PYTHON chooses the Python that makes the environments;
CXX chooses the compiler."""

    def __init__(self, source: Path) -> None:
        super().__init__(source)
        self._build = source / "build"
        self._system_log = self._build / "logs" / "system-packages.log"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds the choice of an ns-3."""
        which = parser.add_mutually_exclusive_group()
        which.add_argument(
            "--ns3",
            choices=RELEASES,
            default=DEFAULT,
            help=f"the ns-3 release to download and build against (default: {DEFAULT})",
        )
        which.add_argument(
            "--ns3-dir",
            type=Path,
            metavar="DIR",
            help="build against your own installation of ns-3 instead",
        )

    def add_commands(self, add: Callable[..., argparse.ArgumentParser]) -> None:
        """Adds the commands that build what nobody needs to run experiments."""
        test = add(self._test, "test", "build and run the tests", TEST_HELP)
        which = test.add_mutually_exclusive_group()
        which.add_argument("--all", action="store_true", help="the tests that take longest, too")
        which.add_argument(
            "--suite",
            metavar="NAME",
            help="only this ns-3 test suite, or tests matching this regex",
        )
        test.add_argument(
            "--werror", action="store_true", help="treat warnings as errors, as AIDC_WERROR=1 does"
        )
        bench = add(self._bench, "bench", "run the benchmarks; results go to results/bench.json")
        bench.add_argument("names", nargs="*", metavar="NAME", help="only these (default: all)")
        what = "build a package for pip, which needs no compiler"
        package = add(self._wheel, "wheel", what, wheel.DESCRIPTION)
        package.add_argument(
            "--out", type=Path, default=Path("dist"), metavar="DIR", help="its folder (dist)"
        )
        add(self._doc, "doc", "build the documentation to HTML")
        add(self._clean, "clean", "delete the build folder, and nothing else")

    def program(self, options: argparse.Namespace, name: str) -> Program:
        """The program of an experiment or of the user's own, or a script and what it needs, which make()
        builds."""
        build = self._chosen(options)
        if name.endswith(".py"):
            return self._script(build, name)
        if not name.endswith(".cc"):
            experiment = experiments.find(self.source, name)
            target = experiment.program
            if given := self._given_program(build, target):
                return Program(name, given, lambda: require(given), experiment=experiment)
            # The others of aidc's commands do not need the tree: they build on their own.
            in_tree = program_in_tree(self.source.parent.parent / "build", experiment.name)
            if in_tree and self.source.parent.name == "contrib":
                return Program(name, in_tree, experiment=experiment)
            path = build.program(target)

            def make() -> None:
                self.set_up(build, target, needs=packages.RUN)
                require(path)

            return Program(name, path, make, experiment=experiment)
        program, steps = user_program(Path(name), build)
        needs = packages.RUN if options.command == "sweep" else ()
        make_own = lambda: self.set_up(build, LIBRARIES, needs, more=steps)
        return Program(Path(name).stem, program, make_own, digest_of(Path(name)))

    def _script(self, build: CMakeBuild, name: str) -> Program:
        """A script: it needs the program that a twin runs, or the library alone."""
        script = self.script(name, build.ns3.python)
        target = script.experiment.program if script.experiment else "aidc-python"
        python_path = [str(self.source / "bindings"), script.env.get("PYTHONPATH", "")]
        own = {"PYTHONPATH": os.pathsep.join(filter(None, python_path)), "AIDC_BUILD_DIR": str(build.folder)}
        make = lambda: self.set_up(build, target, needs=packages.RUN, bindings=True)
        return dataclasses.replace(script, make=make, env={**script.env, **own})

    def plotly(self, options: argparse.Namespace, again: bool = False) -> Path:
        """The Python that has this ns-3, into which plotly is installed; or the user's, where there
        is none yet."""
        ns3 = self.chosen_ns3(options)
        with self._lock():
            run_steps(ns3.optional_steps("reports", again))
        return ns3.python if ns3.python.exists() else Path(interpreter()[0])

    def set_up(
        self,
        build: CMakeBuild,
        target: str,
        needs: Sequence[packages.Requirement] = (),
        bindings: bool = False,
        more: Sequence[Step] = (),
        optional: Sequence[str] = (),
        **cmake_options: str,
    ) -> None:
        """Installs what is missing, builds a target, and does more steps. optional: what ns3's
        optional_steps() will be asked for."""
        with self._lock(), contextlib.ExitStack() as stack:
            before, after = build.ns3.steps(bindings, stack, optional)
            steps = [*before, *build.steps(target, cmake_options), *after, *more]
            run_steps(packages.with_needed(steps, self._system_log, [*packages.BUILD, *needs]))

    def chosen_ns3(self, options: argparse.Namespace) -> Ns3:
        """The ns-3 of the command line."""
        if options.ns3_dir:
            return InstalledNs3(options.ns3_dir)
        return PackagedNs3(options.ns3, self._build)

    def check_compiles(self, name: str) -> None:
        """Any program can be built."""

    def is_suite(self, name: str) -> bool:
        """Is there an ns-3 test suite of this name?"""
        suites = (self.source / "test").rglob("*-test-suite.cc")
        return any(path.name == f"{name}-test-suite.cc" for path in suites)

    def test_scope(self, suite: Optional[str], every: bool = False) -> tuple[str, bool, dict[str, str]]:
        """What some tests need: a target, ns-3's bindings or not, and options of CMake. every: all tests,
        if no suite is named."""
        if suite is None:
            return "all", True, {"AIDC_TESTS": "ON", "AIDC_SANITIZE": "ON" if every else "OFF"}
        if self.is_suite(suite) or suite.startswith("^suite"):
            return "aidc-test-runner", False, {"AIDC_TESTS": "ON"}
        needed = {"AIDC_TESTS": "ON"}
        if "sanitized" in suite:
            needed["AIDC_SANITIZE"] = "ON"
        elif "core" in suite:
            needed["AIDC_SANITIZE"] = "OFF"
        return "all", "python" in suite, needed

    @staticmethod
    def _given_program(build: CMakeBuild, target: str) -> Optional[Path]:
        """A program, as it is, of the build that AIDC_BUILD_DIR names, where that is another one than ours."""
        folder = os.environ.get("AIDC_BUILD_DIR")
        if not folder or Path(folder).resolve() == build.folder.resolve():
            return None
        return Path(folder) / "bin" / target

    def _chosen(self, options: argparse.Namespace, werror: bool = False) -> CMakeBuild:
        """The build for the ns-3 of the command line, maybe the build with warnings as errors."""
        werror = werror or os.environ.get("AIDC_WERROR") == "1"
        return CMakeBuild(self.source, self._build, self.chosen_ns3(options), werror)

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        """Lets one command at a time work in the build folder."""
        self._build.mkdir(exist_ok=True)
        with (self._build / ".lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                note("Waiting for another ./aidc that is setting up...")
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _test(self, options: argparse.Namespace) -> int:
        build = self._chosen(options, options.werror)
        target, bindings, cmake_options = self.test_scope(options.suite, options.all)
        if bindings:
            cmake_options["AIDC_PYTHON"] = str(build.ns3.python)
        needs = [*packages.TEST, *packages.RUN, *(packages.TEST_PYTHON if bindings else ())]
        optional = ("reports", "tests") if bindings else ()
        self.set_up(build, target, needs, bindings, optional=optional, **cmake_options)
        if optional:
            with self._lock():
                run_steps([step for what in optional for step in build.ns3.optional_steps(what)])

        command = ["ctest", "--output-on-failure", "--no-tests=error", "--no-label-summary"]
        command += ["--parallel", str(jobs() + 1)]  # some wait for clusters and daemons all the time
        if options.suite:
            exact = self.is_suite(options.suite)
            command += ["--tests-regex", rf"^suite\.{options.suite}$" if exact else options.suite]
        elif not options.all:
            command += ["--label-exclude", "^all$"]
        with session(command, cwd=build.folder) as process:
            code = process.wait()
        print(skipped(build.folder / "Testing" / "Temporary" / "LastTest.log"), end="")
        return code

    def _bench(self, options: argparse.Namespace) -> None:
        build = self._chosen(options)
        self.set_up(build, "aidc-benchmarks", AIDC_BENCH="ON")
        measured = [require(build.program(name)) for name in benchmarks.programs(self.source)]
        results = benchmarks.measure(measured, options.names)
        path = Path("results") / "bench.json"
        benchmarks.merge(results, path)
        print(benchmarks.table(results))
        note(f"Written to {path}")

    def _wheel(self, options: argparse.Namespace) -> None:
        build = self._chosen(options)
        self.set_up(build, wheel.TARGET, more=wheel.steps(build, options.out))
        print(shown(wheel.path_of(build, options.out)))

    def _doc(self, _: argparse.Namespace) -> None:
        with self._lock():
            steps = documentation_steps(self.source, self._build)
            run_steps(packages.with_needed(steps, self._system_log))
        print(shown(self._build / "html" / "index.html"))

    def _clean(self, _: argparse.Namespace) -> None:
        if self._build.exists():
            shutil.rmtree(self._build)
            print(f"Deleted {shown(self._build)}")


def user_program(path: Path, build: CMakeBuild, folder: Optional[Path] = None) -> tuple[Path, list[Step]]:
    """A C++ program of a user's own, and the steps that build it once the library is built, in a folder of
    its own."""
    if not path.is_file():
        raise WrongUse(f"There is no file {path}.", f"./aidc new {path} writes a first program.")
    path = path.resolve()
    # Files of one name may be in several folders.
    mark = hashlib.sha256(str(path).encode()).hexdigest()[:8]
    own = folder or build.folder / "programs" / f"{path.stem}-{mark}"
    log = own / "build.log"

    def make(progress: Progress) -> None:
        own.mkdir(parents=True, exist_ok=True)
        log.unlink(missing_ok=True)
        definitions = {
            "CMAKE_EXPORT_COMPILE_COMMANDS": "ON",
            "AIDC_PROGRAM": path,
            "AIDC_BUILD": build.folder,
            "ns3_DIR": build.ns3.cmake_dir,
        }
        if not (own / "CMakeCache.txt").exists():
            try:
                project, what = build.source / "cmake" / "program", f"Configuring {path.name}"
                configure(progress, project, own, definitions, what=what)
            except Failure:
                (own / "CMakeCache.txt").unlink(missing_ok=True)
                raise
        command = ["cmake", "--build", own, "--parallel", jobs()]
        mend = f"Fix what the compiler names above. The whole log is {log}."
        progress.run(command, mend, f"Building {os.path.relpath(path)}")

    return own / "bin" / path.stem, [Step(f"Building {path.name}", make, log)]


def skipped(log: Path) -> str:
    """A line for each reason to skip that ctest's log of the last run has; empty where none.

    A test says so by a line "skipped: REASON", also where it has skipped only a part of itself.
    """
    if not log.exists():
        return ""
    found: list[tuple[str, str]] = []
    name = ""
    with log.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if begin := re.match(r"\d+/\d+ Testing: (.*)", line):
                name = begin[1].strip()
            elif line.startswith("skipped: "):
                found.append((name, line.partition(": ")[2].strip()))
    lines = [f"  {name}: {reason}" for name, reason in sorted(found)]
    return "\n".join(["", "Skipped:", *lines, ""]) if found else ""
