# SPDX-License-Identifier: GPL-2.0-only
"""The ns-3 that aidc is built against: a pinned package in a private environment, or the user's."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from . import packages
from .console import Failure, Progress, Step, note, shown, started


RELEASES = {
    "3.44": ("3.44.post0", "3.5.0"),
    "3.43": ("3.43.post9", "3.1.2"),
    "3.42": ("3.42.post2", "3.1.2"),
    "3.39": ("3.39.post2", "2.4.2"),
}
"""Releases of ns-3: the package ns3 that has one, and the cppyy that its bindings ask for."""

DEFAULT = "3.44"

TABLES = ("pandas", "matplotlib")
"""What scripts of users make tables and plots with."""

OPTIONAL = {
    "reports": ("plotly>=6",),
    "tests": ("selenium>=4", "mypy", "nbclient", "ipykernel", "distributed"),
}
"""Packages without which there are no reports, or no tests of them in a browser, of type hints, of
notebooks and of sweeps on Dask; all else works."""

PIP = "Installing Python packages"
MEND = """\
It is downloaded with pip, which follows your pip configuration and proxy settings.
If pip finds no matching distribution, no package was built for this machine or this
Python: choose another one with AIDC_PYTHON=/path/to/python3, or build against your
own ns-3 with ./aidc --ns3-dir DIR."""
"""What a failure of pip says, and what to do then."""

PYTHON_VERSIONS = [f"3.{minor}" for minor in range(9, 14)]
"""Versions of CPython that the package is built for."""


def interpreter() -> tuple[str, str]:
    """The Python to make environments with, and its version as in "3.11"."""
    python = os.environ.get("AIDC_PYTHON") or sys.executable
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        version = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Failure(f"The Python of AIDC_PYTHON does not run: {error}") from error
    return python, version.stdout.strip()


def check_python(version: str) -> None:
    """A Failure where ns-3's package is not built for a version of Python."""
    if version in PYTHON_VERSIONS:
        return
    found = [path for name in PYTHON_VERSIONS if (path := shutil.which(f"python{name}"))]
    choice = found[-1] if found else "/path/to/python3.12"
    raise Failure(
        f"The package ns3 is built for Python {PYTHON_VERSIONS[0]} to {PYTHON_VERSIONS[-1]}; "
        f"this is Python {version}.",
        f"Choose another Python, for example:\n  AIDC_PYTHON={choice} ./aidc ...",
    )


class Environment:
    """A virtual environment of the build folder, with pinned packages of Python."""

    def __init__(self, folder: Path, log: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.python = self.bin / "python"
        self.log = log

    def steps(self, title: str, *words: object, what: str = "packages", pins: str = "") -> list[Step]:
        """The step that makes it anew with the packages that are given as arguments of pip install, if that is
        not done; pins is what they stand for, if not themselves."""
        pins = pins or " ".join(map(str, words))
        if self.has(what, pins):
            return []
        python, version = interpreter()

        def make(progress: Progress) -> None:
            self.log.unlink(missing_ok=True)
            shutil.rmtree(self.folder, ignore_errors=True)
            mend = f"On Debian and Ubuntu it needs the package python{version}-venv."
            progress.run([python, "-m", "venv", self.folder], mend, "Making a virtual environment")
            self.install(progress, what, pins, *words)

        return [Step(title, make, self.log, [packages.venv_of(python, version)])]

    def has(self, what: str, pins: str) -> bool:
        """Has something been installed, of these versions? An environment that was moved has nothing."""
        stamp = self.stamp(what)
        return self.python.exists() and stamp.exists() and stamp.read_text() == f"{pins} {self.folder}\n"

    def pip(self, *words: object) -> list[object]:
        """The command that installs packages."""
        return [self.python, "-m", "pip", "install", "--progress-bar", "off", *words]

    def install(self, progress: Progress, what: str, pins: str, *words: object) -> None:
        """Installs packages."""
        progress.run(self.pip(*words), MEND, PIP)
        self.note(what, pins)

    def note(self, what: str, pins: str) -> None:
        """Notes that something is installed."""
        self.stamp(what).write_text(f"{pins} {self.folder}\n")

    def stamp(self, what: str) -> Path:
        """The file that tells that something is installed."""
        return self.folder / f".{what}-installed"


class PackagedNs3:
    """A pinned release of the package ns3 in a virtual environment of the build folder."""

    def __init__(self, name: str, build: Path) -> None:
        self.name = name
        self.release = name
        self._package, self._cppyy = RELEASES[name]
        self._environment = Environment(build / f"venv-{name}", build / "logs" / f"venv-{name}.log")
        self._pins = {"ns3": self._package, "bindings": self._cppyy,
                      **{what: " ".join(words) for what, words in OPTIONAL.items()}}
        self.python = self._environment.python
        self._import_cppyy = [self.python, "-c", "import cppyy"]

    @property
    def cmake_dir(self) -> Path:
        """The folder of ns3Config.cmake."""
        folder = self._environment.folder
        found = sorted(folder.glob("lib/python3*/site-packages/ns3/lib*/cmake/ns3"))
        if not found:
            raise Failure(
                f"The environment {folder} is not whole.",
                "Remove it with ./aidc clean, then run the same command again.",
            )
        return found[0]

    def steps(
        self, bindings: bool, stack: contextlib.ExitStack, optional: Sequence[str] = ()
    ) -> tuple[Sequence[Step], Sequence[Step]]:
        """Steps for what is missing, before and after the build, which ends with the stack; with the
        bindings, cppyy and what makes tables too. optional: for what optional_steps() will follow."""
        after: list[Step] = []
        log = self._environment.log
        if not self._installed("ns3"):
            check_python(interpreter()[1])
        title, package = f"Installing ns-3 {self._package} (about 70 MB)", f"ns3=={self._package}"
        before = self._environment.steps(title, package, "--no-deps", what="ns3", pins=self._package)
        if bindings and not self._installed("bindings"):
            python, version = interpreter()
            base = str(self.python) if self._installed("ns3") else python
            needs = [packages.headers_of(base, version)]
            what = f"cppyy {self._cppyy}, {' and '.join(TABLES)}"
            start = lambda _: stack.enter_context(self._installing_bindings(optional))
            title = f"Starting to install {what} (once; compiles for minutes, with the build)"
            before.append(Step(title, start, log, needs))
            title = f"Installing {what} (once, takes minutes)"
            after.append(Step(title, self._finish_bindings, log))
        return before, after

    def optional_steps(self, what: str, again: bool = False) -> list[Step]:
        """Steps that install some of OPTIONAL, if they are missing. Where that has failed once, it is
        only tried again if asked for."""
        if not self.python.exists() or self._installed(what):
            return []
        given_up = self._environment.stamp(what).with_suffix(".given-up")
        if given_up.exists() and not again:
            return []

        log = self._environment.log.with_suffix(f".{what}.log")

        def install(progress: Progress) -> None:
            words = ("--retries=1", *OPTIONAL[what])
            try:
                self._environment.install(progress, what, self._pins[what], *words)
            except Failure as failure:
                given_up.touch()
                note(f"\nThere will be no {what}: {failure.what} The log is {shown(log)}.")

        return [Step(f"Installing {' and '.join(OPTIONAL[what])}, for {what}", install, log)]

    def _installed(self, what: str) -> bool:
        return self._environment.has(what, self._pins[what])

    @contextlib.contextmanager
    def _installing_bindings(self, optional: Sequence[str]) -> Iterator[None]:
        log = self._environment.log.with_suffix(".bindings.log")
        # The first import compiles cppyy's own headers. The steps after the build do it again, as well as
        # what is optional: at once if it has succeeded, and else they tell why.
        pip = self._environment.pip
        commands = [pip(f"cppyy=={self._cppyy}", *TABLES), self._import_cppyy,
                    *(pip("--retries=1", *OPTIONAL[what]) for what in optional)]
        first, *texts = (shlex.join(map(str, words)) for words in commands)
        all_of_them = f"{first} && {{ {'; '.join(texts)}; true; }}"
        with started(["sh", "-c", all_of_them], log, PIP, MEND) as finish:
            self._finish_pip = finish
            yield

    def _finish_bindings(self, progress: Progress) -> None:
        self._finish_pip(progress)
        progress.run(self._import_cppyy, what="Importing cppyy")
        self._environment.note("bindings", self._pins["bindings"])


class InstalledNs3:
    """An installation of the user's own. Nothing is ever installed into it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        digest = hashlib.sha256(str(self._folder).encode()).hexdigest()[:8]
        self.name = f"own-{digest}"
        self.release = ""

    @property
    def python(self) -> Path:
        """The Python that has this installation's bindings: the user's choice."""
        return Path(interpreter()[0])

    @property
    def cmake_dir(self) -> Path:
        """The folder of ns3Config.cmake, at the usual places of an installation."""
        for pattern in (".", "lib*/cmake/ns3", "lib/*/cmake/ns3", "ns3/lib*/cmake/ns3"):
            for config in sorted(self._folder.glob(f"{pattern}/ns3Config.cmake")):
                return config.parent
        raise Failure(
            f"No ns3Config.cmake under {self._folder}.",
            "Give --ns3-dir the folder that ns-3 was installed to (./ns3 install).",
        )

    def steps(
        self, bindings: bool, stack: contextlib.ExitStack, optional: Sequence[str] = ()
    ) -> tuple[Sequence[Step], Sequence[Step]]:
        """Nothing to install; only a check that Python finds the bindings."""
        if bindings and not packages.python_runs(str(self.python), "from ns import ns"):
            raise Failure(
                f"{self.python} cannot import ns-3's bindings (from ns import ns).",
                "Set PYTHONPATH to the bindings of your ns-3, or AIDC_PYTHON to the Python that has them.",
            )
        return [], []

    def optional_steps(self, what: str, again: bool = False) -> list[Step]:
        """Nothing to install."""
        return []
