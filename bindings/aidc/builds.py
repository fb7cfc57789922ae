# SPDX-License-Identifier: GPL-2.0-only
"""Where the module is built: the folders that have its library and its programs."""

from __future__ import annotations

import importlib.metadata
import os
import re
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_SOURCE = _PACKAGE.parents[1]

IS_INSTALLED = (_PACKAGE / "lib").is_dir()
"""Is this a package that pip has installed, and not a checkout's?"""

MODULES = (
    "core",
    "network",
    "internet",
    "traffic-control",
    "point-to-point",
    "csma",
    "applications",
    "aidc",
)
"""The modules of ns-3 that are loaded with this one, which comes last."""


def builds() -> list[Path]:
    """Folders that may hold lib/ with our library and include/ with our headers, best first."""
    if named := os.environ.get("AIDC_BUILD_DIR"):
        return [Path(named)]
    if IS_INSTALLED:
        return [_PACKAGE]
    own = [path.parent.parent for path in _SOURCE.glob("build/**/lib/libaidc.*")]
    return sorted(own, reverse=True) + [_SOURCE.parent.parent / "build"]


def release() -> str:
    """The number of the release: of the installed package, or of the checkout."""
    if IS_INSTALLED:
        return importlib.metadata.version("aidc")
    text = (_SOURCE / "CITATION.cff").read_text(encoding="utf-8")
    match = re.search(r'^version: "(.+)"$', text, re.M)
    assert match
    return match[1]


def find_library() -> tuple[Path, Path]:
    """The build folder to use, and the library in it, whatever release and profile its name carries; an
    ImportError where there is none."""
    names = ("libaidc.so", "libaidc.dylib", "libns3*-aidc*.so", "libns3*-aidc*.dylib")
    others = ("-aidc-test", "-aidc-experiment", "-aidc-python")
    looked = builds()
    for build in looked:
        found = [path for name in names for path in sorted((build / "lib").glob(name))
                 if not any(other in path.name for other in others)]
        if found and (build / "include" / "ns3" / "aidc-module.h").exists():
            return build, found[0]
    raise ImportError(
        "aidc: found no built library; looked in " + ", ".join(map(str, looked)) + ". Build it with "
        "./aidc run, or set AIDC_BUILD_DIR to the folder of a standalone build."
    )
