# SPDX-License-Identifier: GPL-2.0-only
"""One folder built by CMake: configured when its options change, then built."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Union

from .console import Failure, Progress, Step, jobs
from .ns3 import InstalledNs3, PackagedNs3

Ns3 = Union[PackagedNs3, InstalledNs3]


def generator() -> str:
    """Ninja, but where only Make is there. Where neither is, Ninja is about to be installed."""
    only_make = shutil.which("make") and not shutil.which("ninja")
    return "Unix Makefiles" if only_make else "Ninja"


def configure(
    progress: Progress,
    source: Path,
    folder: Path,
    definitions: Mapping[str, object],
    mend: str = "",
    what: str = "",
) -> None:
    """Configures a build of release, with ccache where that is there."""
    own: dict[str, object] = {"CMAKE_BUILD_TYPE": "Release"}
    if ccache := shutil.which("ccache"):
        own["CMAKE_CXX_COMPILER_LAUNCHER"] = ccache
    command = ["cmake", "-S", source, "-B", folder, "-G", generator()]
    command += [f"-D{name}={value}" for name, value in {**own, **definitions}.items()]
    progress.run(command, mend, what)


class CMakeBuild:
    """The build of this repository against one ns-3."""

    def __init__(self, source: Path, build: Path, ns3: Ns3, werror: bool = False) -> None:
        suffix = "-werror" if werror else ""
        self.folder = build / f"ns3-{ns3.name}{suffix}"
        self.source = source
        self.ns3 = ns3
        self._log = build / "logs" / f"{self.folder.name}.log"
        self._stamp = self.folder / ".aidc-configured.json"
        self._werror = "ON" if werror else "OFF"
        self.identity = {
            "source": str(source),
            "folder": str(self.folder),
            "ns3": ns3.name,
            "generator": generator(),
            "compiler": os.environ.get("CXX", ""),
        }
        """What a build folder cannot outlive: a change here makes a new one."""

    def program(self, name: str) -> Path:
        """The path of a built program."""
        return self.folder / "bin" / name

    def steps(self, target: str, options: Mapping[str, str]) -> list[Step]:
        """Steps that build a target with at least the given options.

        Options of an earlier configuration stay, so that running, testing and benchmarking in turn
        compile nothing twice.
        """
        steps = []
        try:
            stored = json.loads(self._stamp.read_text())
        except (OSError, ValueError):
            stored = {}
        same = stored.get("identity") == self.identity
        wanted = {**(stored.get("options", {}) if same else {}), **options}
        if not same or stored.get("options") != wanted:
            steps.append(Step("Configuring the build",
                              lambda progress: self._configure(progress, wanted, fresh=not same), self._log))
        command = ["cmake", "--build", self.folder, "--target", target, "--parallel", jobs()]
        build = lambda progress: progress.run(command, f"The whole log is {self._log}.")
        return [*steps, Step(f"Building {target}", build, self._log)]

    def _configure(self, progress: Progress, options: dict[str, str], fresh: bool) -> None:
        if fresh:
            shutil.rmtree(self.folder, ignore_errors=True)
            self._log.unlink(missing_ok=True)
        self._stamp.unlink(missing_ok=True)
        definitions = {"AIDC_WERROR": self._werror, **options, "ns3_DIR": self.ns3.cmake_dir}
        definitions["AIDC_NS3_RELEASE"] = self.ns3.release
        mend = "Fix what CMake names above; if the build folder itself is broken, ./aidc clean removes it."
        configure(progress, self.source, self.folder, definitions, mend)
        self._stamp.write_text(json.dumps({"identity": self.identity, "options": options}))


def require(program: Path) -> Path:
    """A built program, or a Failure where the build has not made it."""
    if not program.exists():
        raise Failure(f"The build has not made {program}.", "See what it left out in its log.")
    return program
