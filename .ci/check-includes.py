#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks what the folders of this repository may include, and that no file is forgotten.

Includes point one way, from the examples down to the core; two folders of one rank do not include
each other. The core includes no ns-3. Every source is listed in CMake, every file has its licence.
That each header parses alone is checked by the build with AIDC_WERROR.

Prints each breach as FILE:LINE: MESSAGE and exits with 1 if there is any.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

# Programs of the tests, which cmake/tests.cmake makes.
PROGRAMS = ("aidc-test-runner.cc", "csig-pcap.cc", "ethernet-pcap.cc")
SOURCE = Path(__file__).resolve().parent.parent

RANKS = [
    {"model/core"},
    {"model"},
    {"model/ethernet", "model/buffer", "model/routing"},
    {"model/switching", "model/csig", "model/bgp", "model/wan", "model/transport"},
    {"model/workload"},
    {"helper"},
    {"examples"},
]
"""Folders from the lowest to the highest; model itself has only what all of its
folders share: what hides ns-3's releases, and what hides kinds of devices."""

RANK = {folder: rank for rank, folders in enumerate(RANKS) for folder in folders}

CORE = {"model/core", "test/core", "test/fuzz"}
"""Folders that must build without ns-3."""

INCLUDE = re.compile(r'\s*#\s*include\s+(["<])([^">]+)[">]')
LICENCE = "SPDX-License-Identifier: GPL-2.0-only"
WITHOUT_COMMENTS = {".json", ".csv", ".txt", ".bin", ".png", ".svg"}
"""Kinds of file that a licence line cannot be written into."""


def tracked_files() -> list[PurePosixPath]:
    """All files of the repository, in a fixed order, as paths from its root."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=SOURCE, capture_output=True, check=True, text=True).stdout
    paths = {PurePosixPath(name) for name in names.split("\0") if name}
    return sorted(path for path in paths if (SOURCE / path).is_file())


def read(path: PurePosixPath) -> str:
    """The text of a file."""
    return (SOURCE / path).read_text(encoding="utf-8")


def check_arrows(files: list[PurePosixPath]) -> Iterator[str]:
    """Breaches of the order of the folders."""
    home = {path.name: str(path.parent) for path in files if path.suffix == ".h"}
    for path in files:
        if path.suffix not in (".h", ".cc"):
            continue
        folder = str(path.parent)
        for number, line in enumerate(read(path).splitlines(), start=1):
            match = INCLUDE.match(line)
            if match:
                message = breach(folder, match[2], home)
                if message:
                    yield f"{path}:{number}: {message}"


def breach(folder: str, included: str, home: dict[str, str]) -> str:
    """Why a file of a folder may not include a header; empty if it may."""
    name = PurePosixPath(included).name
    ours = included in (name, f"ns3/{name}") and name in home
    target = home[name] if ours else ""
    if folder in CORE:
        if included.startswith("ns3/") and target != "model/core":
            return f"the core includes no ns-3, but here is {included}"
        if ours and target not in CORE:
            return f"the core includes nothing of {target}, but here is {included}"
        return ""
    if not ours or folder not in RANK or target == folder:
        return ""
    if target not in RANK:
        return f"{folder} must not include {included} of {target}"
    if RANK[target] >= RANK[folder]:
        return f"{folder} must not include {included} of {target}: includes point down the ranks"
    return ""


def check_lists(files: list[PurePosixPath]) -> Iterator[str]:
    """Sources that no CMakeLists.txt names: they would never be compiled."""
    lists = {"": read(PurePosixPath("CMakeLists.txt"))}
    examples = PurePosixPath("examples/CMakeLists.txt")
    if examples in files:
        lists["examples"] = read(examples)
    words = {folder: set(re.split(r"[\s()]+", text)) for folder, text in lists.items()}
    for path in files:
        entry = listed_as(path)
        if entry and not words.get("examples" if path.parts[0] == "examples" else "", set()) & {
            entry,
            str(path),
            path.name,
        }:
            yield f"{path}:1: not listed in CMakeLists.txt (as {entry})"


def listed_as(path: PurePosixPath) -> str:
    """How CMake's lists name a source; empty for files that they need not name."""
    folder = str(path.parent)
    if path.suffix not in (".h", ".cc") or path.name in PROGRAMS:
        return ""
    if path.parts[0] in ("model", "helper"):
        return str(path)
    if path.suffix == ".h":
        return ""
    if folder == "test":
        return path.stem.removesuffix("-test-suite")
    if folder == "test/core":
        return path.stem.removesuffix("-test")
    if folder == "test/fuzz" and path.stem.endswith("-fuzz"):
        return path.stem.removesuffix("-fuzz")
    if folder in ("examples", "bench"):
        return path.stem
    return ""


def check_licences(files: list[PurePosixPath]) -> Iterator[str]:
    """Files without a licence line at their beginning."""
    for path in files:
        if path.suffix in WITHOUT_COMMENTS or path.name == "LICENSE":
            continue
        if LICENCE not in "\n".join(read(path).splitlines()[:8]):
            yield f"{path}:1: no line {LICENCE}"


def main() -> int:
    """Prints all breaches."""
    files = tracked_files()
    breaches = [*check_arrows(files), *check_lists(files), *check_licences(files)]
    for line in breaches:
        print(line)
    print(f"{len(files)} files checked, {len(breaches)} breaches")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
