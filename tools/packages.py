# SPDX-License-Identifier: GPL-2.0-only
"""System packages: which are missing, and the one command that installs them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional

from .console import Failure, Progress, Step, note

CMAKE_MINIMUM = (3, 20)

INSTALLERS = {
    "apt": ("apt-get", "apt-get install -y"),
    "dnf": ("dnf", "dnf install -y"),
    "brew": ("brew", "brew install"),
}
"""Package managers: the program that tells that one is there, and how it installs."""

HOMEBREW_FOLDERS = ["/opt/homebrew/include"]
"""Where CMake looks for headers by itself and the compiler does not."""

MPI_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/lib64/openmpi/bin"])
"""Where an MPI's programs may be: Fedora has them in a folder of their own."""

HEADER_FOLDERS = ["/usr/include", "/usr/local/include", *HOMEBREW_FOLDERS]


@dataclass(frozen=True)
class Requirement:
    """Something of the system that must be there, and the packages that have it."""

    what: str
    present: Callable[[], bool]
    names: str
    """The names of the package for apt, dnf and brew; one name for all of them."""

    optional: str = ""
    """What is done without if it is missing; empty where nothing works without it."""

    def package(self, installer: str) -> str:
        """The package's name for a package manager."""
        names = self.names.split()
        return names[list(INSTALLERS).index(installer)] if len(names) > 1 else names[0]


def compiler() -> Optional[str]:
    """The C++ compiler that CMake will find."""
    chosen = os.environ.get("CXX")
    candidates = [chosen.split()[0]] if chosen else ["c++", "g++", "clang++"]
    return next((path for name in candidates if (path := shutil.which(name))), None)


def has_cmake() -> bool:
    """Is there a CMake that is new enough?"""
    program = shutil.which("cmake")
    if not program:
        return False
    text = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    version = re.search(r"version (\d+)\.(\d+)", text)
    return version is not None and (int(version[1]), int(version[2])) >= CMAKE_MINIMUM


def has_header(name: str) -> bool:
    """Does the C++ compiler find a header? Without a compiler, is it at a usual place?"""
    program = compiler()
    if not program:
        return any(Path(folder, name).exists() for folder in HEADER_FOLDERS)
    source = f'#if !__has_include("{name}")\n#error missing\n#endif\n'
    folders = [f"-I{folder}" for folder in HOMEBREW_FOLDERS if Path(folder).is_dir()]
    command = [program, "-E", "-x", "c++", *folders, "-"]
    return subprocess.run(command, input=source.encode(), capture_output=True).returncode == 0


def python_runs(python: str, code: str) -> bool:
    """Does a short Python program end well?"""
    return subprocess.run([python, "-c", code], capture_output=True).returncode == 0


def header(what: str, name: str, names: str, optional: str = "") -> Requirement:
    """A library, known by one of its headers."""
    return Requirement(what, lambda: has_header(name), names, optional)


def program(
    what: str, one_of: str, names: str, optional: str = "", path: Optional[str] = None
) -> Requirement:
    """A program, which may have several names."""
    present = lambda: any(shutil.which(name, path=path) for name in one_of.split())
    return Requirement(what, present, names, optional)


BROWSER = "tests of reports in a browser"
PROCESSES = "simulations in several processes"

COMPILER = Requirement("a C++ compiler", lambda: compiler() is not None, "g++ gcc-c++ gcc")
CMAKE = Requirement("CMake 3.20 or later", has_cmake, "cmake")
NINJA = program("Ninja or Make", "ninja make", "ninja-build ninja-build ninja")
GNUPLOT = program("gnuplot", "gnuplot", "gnuplot-nox gnuplot gnuplot", "figures")
TSHARK = program(
    "tshark", "tshark", "tshark wireshark-cli wireshark", "tests of captures and dissectors"
)
CHROMIUM = program("Chromium", "chromium google-chrome", "chromium", BROWSER)
CHROMEDRIVER = program(
    "chromedriver", "chromedriver", "chromium-driver chromedriver chromedriver", BROWSER
)
DOXYGEN = program("Doxygen", "doxygen", "doxygen", "API reference in the manual, type hints")
BOOST = header(
    "the headers of Boost",
    "boost/math/distributions/students_t.hpp",
    "libboost-dev boost-devel boost",
)
SODIUM = header(
    "libsodium",
    "sodium.h",
    "libsodium-dev libsodium-devel libsodium",
    "authentication of congestion notifications",
)
ZLIB = header("zlib", "zlib.h", "zlib1g-dev zlib-devel zlib", "gzip-compressed workloads")
MPI = program(
    "an MPI", "mpicxx mpic++", "libopenmpi-dev openmpi-devel open-mpi", PROCESSES, MPI_PATH
)
MPIRUN = program("mpirun", "mpirun mpiexec", "openmpi-bin openmpi open-mpi", PROCESSES, MPI_PATH)
SCOTCH = Requirement(
    "Scotch 7",
    lambda: has_header("scotch/scotch.h") or has_header("scotch.h"),
    "libscotch-dev scotch-devel scotch",
    "partition of networks among several processes by their traffic",
)
GOOGLETEST = header("GoogleTest", "gtest/gtest.h", "libgtest-dev gtest-devel googletest")
RAPIDCHECK = header("RapidCheck", "rapidcheck.h", "librapidcheck-dev rapidcheck-devel rapidcheck")
BUILD = (COMPILER, CMAKE, NINJA, BOOST, SODIUM, ZLIB, MPI, MPIRUN, SCOTCH)
TEST = (GOOGLETEST, RAPIDCHECK)
TEST_PYTHON = (TSHARK, CHROMIUM, CHROMEDRIVER, DOXYGEN)
RUN = (GNUPLOT,)


def venv_of(python: str, version: str) -> Requirement:
    """The means to make a virtual environment, which Debian packages apart."""
    return Requirement(
        f"the venv module of Python {version}",
        lambda: python_runs(python, "import ensurepip, venv"),
        f"python{version}-venv python3 python",
    )


def headers_of(python: str, version: str) -> Requirement:
    """The C headers of Python, which cppyy is compiled with."""
    code = (
        "import os, sysconfig;"
        "assert os.path.exists(os.path.join(sysconfig.get_path('include'), 'Python.h'))"
    )
    return Requirement(
        f"the C headers of Python {version}",
        lambda: python_runs(python, code),
        f"python{version}-dev python3-devel python",
    )


def with_needed(steps: Sequence[Step], log: Path, needs: Sequence[Requirement] = ()) -> list[Step]:
    """Steps, after the steps that install what they need, and what else is needed."""
    return [*steps_for([*needs, *(need for step in steps for need in step.needs)], log), *steps]


def steps_for(requirements: Sequence[Requirement], log: Path) -> list[Step]:
    """Steps that install what is missing, where that is possible: as root, by apt.

    Elsewhere all that is missing is named in one message: a Failure, or a note where everything
    missing is optional.
    """
    missing = [requirement for requirement in requirements if not requirement.present()]
    if not missing:
        return []
    only_optional = all(requirement.optional for requirement in missing)
    given_up = log.with_suffix(".given-up")
    before = given_up.read_text().split() if given_up.exists() else []
    is_hopeless = only_optional and all(requirement.package("apt") in before for requirement in missing)
    if shutil.which("apt-get") and os.geteuid() == 0 and not is_hopeless:
        note(f"{describe(missing)}\nThis command runs it now, as it is run by root.")
        return [apt_step(missing, log, given_up if only_optional else None)]
    if not only_optional:
        raise Failure(describe(missing), "Then run the same command again.")
    note(describe(missing))
    return []


def apt_step(missing: Sequence[Requirement], log: Path, given_up: Optional[Path]) -> Step:
    """Installs packages by apt without questions, then looks again.

    Where a file is given, a failure is noted there and the work goes on.
    """
    names = sorted({requirement.package("apt") for requirement in missing})
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}

    def install(progress: Progress) -> None:
        mend = f"Install by hand, then run the same command again:\n  {install_command(missing)}"
        what = "Installing system packages"
        try:
            progress.run(["apt-get", "update"], mend, what, env)
            command = ["apt-get", "install", "-y", "--no-install-recommends", *names]
            progress.run(command, mend, what, env)
        except Failure:
            if not given_up:
                raise
            given_up.write_text("\n".join(names))
            note("\n" + describe(missing))
        if still := [item for item in missing if not item.optional and not item.present()]:
            raise Failure(
                "Still missing after installing packages: " + ", ".join(i.what for i in still),
                "This system's packages may be too old for aidc.",
            )

    return Step(f"Installing system packages: {' '.join(names)}", install, log)


def install_command(missing: Sequence[Requirement]) -> str:
    """The command of this machine's package manager; apt's where none is known."""
    installer = next((name for name, (program, _) in INSTALLERS.items() if shutil.which(program)), "apt")
    names = sorted({requirement.package(installer) for requirement in missing})
    sudo = "" if installer == "brew" or os.geteuid() == 0 else "sudo "
    return f"{sudo}{INSTALLERS[installer][1]} {' '.join(names)}"


def describe(missing: Sequence[Requirement]) -> str:
    """Names all that is missing and the command that installs it."""
    lacks = [f"  {one.what}" + (f" (without it: no {one.optional})" if one.optional else "") for one in missing]
    return "\n".join(["This machine lacks", *lacks, "Install with", f"  {install_command(missing)}"])
