#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks what the folders of this repository may include, and that no file is forgotten.

Includes point one way, from the examples down to the core; two folders of one rank do not include
each other, and units of a folder (a unit is NAME.h with NAME.cc) have an order too: none includes
itself by way of others. The core includes no ns-3. CMake finds every source, every file has
its license. A source that registers a class has a log component.
A source of model/ and helper/ has its own header, and includes it first. That a header needs no other
before it is shown by the build with AIDC_WERROR (aidc_check_headers() of cmake/standalone.cmake), as
other builds compile several sources at once.

Prints each breach as FILE:LINE: MESSAGE and exits with 1 if there is any. Files that may be too long to
have one subject are told as advice, which is no breach.
"""

from __future__ import annotations

import graphlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

# Programs of the tests and what they share, which cmake/tests.cmake makes.
PROGRAMS = (
    "aidc-test-runner.cc",
    "bgp-tap-speaker.cc",
    "process-faults.cc",
    "random-parallel-network.cc",
    "random-draw.cc",
    "run-corpus.cc",
    "weight-loop-sweep.cc",
)
SOURCE = Path(__file__).resolve().parent.parent

RANKS = [
    {"model/core"},
    {
        "model/core/simulator",
        "model/core/ethernet",
        "model/core/buffer",
        "model/core/routing",
        "model/core/fabric",
        "model/core/coupled-ecn",
        "model/core/flow-set",
        "model/core/csig",
        "model/core/bfd",
        "model/core/bgp",
        "model/core/fare",
        "model/core/tunnel",
        "model/core/transport",
        "model/core/workload",
    },
    {"model/core/pre-ecn", "model/core/leap"},
    {"model"},
    {"model/simulator"},
    {"model/ethernet", "model/buffer", "model/routing"},
    {"model/switching", "model/bfd"},
    {
        "model/coupled-ecn",
        "model/flow-set",
        "model/csig",
        "model/bgp",
        "model/tunnel",
        "model/transport",
    },
    {"model/fare", "model/pre-ecn"},
    {"model/workload"},
    {"model/leap"},
    {"helper"},
    {"helper/monitor"},
    {"helper/csig"},
    {"helper/experiment"},
    {"examples"},
]
"""Folders from the lowest to the highest. model/core itself has what all of the core shares, and
model itself what all of its folders share: what hides ns-3's releases, and what hides kinds of
devices. Each folder of examples is one of the highest rank: none includes another one."""

TWINS = {"model/core/bgp", "model/core/fare"}
"""Folders of one rank whose units include each other, if in no circle: a RIB weighs paths by FARE's policy,
which reads the attributes of BGP."""

RANK = {folder: rank for rank, folders in enumerate(RANKS) for folder in folders}
EXAMPLES = SOURCE / "examples"
RANK.update({f"examples/{path.name}": RANK["examples"] for path in EXAMPLES.iterdir() if path.is_dir()})

CORE_TESTS = ("test/core", "test/fuzz")
"""Folders that must build without ns-3, with all that is in them and as model/core must."""

INCLUDE = re.compile(r'\s*#\s*include\s+(["<])([^">]+)[">]')
LONGEST_UNIT = 800
"""Lines from which on a unit of model/ and helper/ may have more than one subject."""
LONGEST = {"model": 300, "helper": 300, "test": 600}
"""The same of a header of a folder, and of any file of test/."""

LICENSE = "SPDX-License-Identifier: GPL-2.0-only"
WITHOUT_COMMENTS = {".json", ".csv", ".txt", ".bin", ".png", ".svg"}
"""Kinds of file that a license line cannot be written into."""


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
    public = public_units()
    for path in files:
        if path.suffix not in (".h", ".cc"):
            continue
        folder = str(path.parent)
        for number, line in enumerate(read(path).splitlines(), start=1):
            match = INCLUDE.match(line)
            if match:
                message = breach(folder, match[2], home) or wrong_path(
                    folder, match[2], home, public
                )
                if message:
                    yield f"{path}:{number}: {message}"


def is_in(folder: str, *roots: str) -> bool:
    """Whether a folder is one of some folders or below one."""
    return any(folder == root or folder.startswith(root + "/") for root in roots)


def public_units() -> set[str]:
    """Units whose headers are ns3/NAME.h."""
    match = re.search(r"set\(aidc_public_units\s([^)]*)\)", read(PurePosixPath("CMakeLists.txt")))
    return set(match[1].split()) if match else set()


def target_of(folder: str, included: str, home: dict[str, str]) -> str:
    """The folder of a header of ours that a file of a folder includes; empty for others."""
    path = PurePosixPath(included)
    target = home.get(path.name, "")
    near = normpath(f"{folder}/{path.parent}")
    return target if str(path.parent) in ("ns3", ".", target) or near == target else ""


def wrong_path(folder: str, included: str, home: dict[str, str], public: set[str]) -> str:
    """How a file of a folder should include a header that it may include; empty if it does."""
    target = target_of(folder, included, home)
    if not is_in(target, "model", "helper"):
        return ""
    name = PurePosixPath(included).name
    if folder == target:
        expected = name
    elif f"{target}/{name}".removesuffix(".h") in public:
        expected = f"ns3/{name}"
    elif is_in(folder, "model", "helper"):
        expected = relpath(f"{target}/{name}", folder)
    elif is_in(folder, "examples"):
        return f"examples include public headers only, but here is {included}"
    else:
        expected = f"{target}/{name}"
    return "" if included == expected else f"include {expected}, not {included}"


def breach(folder: str, included: str, home: dict[str, str]) -> str:
    """Why a file of a folder may not include a header; empty if it may."""
    target = target_of(folder, included, home)
    ours = bool(target)
    if is_in(folder, "model/core", *CORE_TESTS):
        if included.startswith("ns3/") and not is_in(target, "model/core"):
            return f"the core includes no ns-3, but here is {included}"
        if ours and not is_in(target, "model/core", *CORE_TESTS):
            return f"the core includes nothing of {target}, but here is {included}"
    if is_in(folder, "model", "helper", "examples") and folder not in RANK:
        return f"{folder} has no rank in .ci/check-includes.py"
    if not ours or folder not in RANK or target == folder or {folder, target} == TWINS:
        return ""
    if target not in RANK:
        return f"{folder} must not include {included} of {target}"
    if RANK[target] >= RANK[folder]:
        return f"{folder} must not include {included} of {target}: includes point down the ranks"
    return ""


def check_cycles(files: list[PurePosixPath]) -> Iterator[str]:
    """A circle of units, if there is one."""
    roots = ("model", "helper", "examples")
    units = {str(path.with_suffix("")) for path in files if is_in(str(path), *roots)}
    named = {path.stem: str(path.with_suffix("")) for path in files if path.suffix == ".h"}
    named = {name: unit for name, unit in named.items() if unit in units}
    uses: dict[str, set[str]] = {unit: set() for unit in units}
    for path in files:
        unit = str(path.with_suffix(""))
        if unit in units:
            found = [INCLUDE.match(line) for line in read(path).splitlines()]
            names = {PurePosixPath(match[2]).stem for match in found if match}
            uses[unit] |= {named[name] for name in names if name in named} - {unit}
    try:
        graphlib.TopologicalSorter(uses).prepare()
    except graphlib.CycleError as error:
        cycle = error.args[1]
        yield f"{cycle[0]}:1: units include each other in a circle: {', '.join(cycle)}"


def check_own_headers(files: list[PurePosixPath]) -> Iterator[str]:
    """Sources without a header of their own, and those that include something else before it."""
    for path in files:
        header = path.with_suffix(".h")
        if path.suffix == ".cc" and header not in files and path.parts[0] in ("model", "helper"):
            yield f"{path}:1: has no header {header.name}: a unit is NAME.h with one NAME.cc"
        if path.suffix == ".cc" and header in files:
            found = filter(None, map(INCLUDE.match, read(path).splitlines()))
            first = next(found, None)
            if not first or first[2] != header.name:
                yield f"{path}:1: {header.name} is not the first include"


def check_patterns(files: list[PurePosixPath]) -> Iterator[str]:
    """Sources of tests that no pattern of CMake finds: they would never be compiled."""
    for path in files:
        if path.suffix == ".cc" and path.parts[0] == "test" and path.name not in PROGRAMS:
            if not path.stem.endswith(("-test", "-test-suite", "-fuzz", "-processes", "-pcap")):
                yield f"{path}:1: expected a name with -test, -test-suite or -fuzz"


def find_long(files: list[PurePosixPath]) -> Iterator[str]:
    """Units, headers and tests that may be too long to have one subject."""
    units: dict[PurePosixPath, int] = {}
    for path in files:
        limit = LONGEST.get(path.parts[0])
        if not limit or path.suffix not in (".h", ".cc"):
            continue
        lines = len(read(path).splitlines())
        is_test = path.parts[0] == "test"
        if not is_test:
            unit = path.with_suffix("")
            units[unit] = units.get(unit, 0) + lines
        if lines > limit and (is_test or path.suffix == ".h"):
            yield f"{path}:{limit + 1}: advice: {lines} lines; above {limit}, look for a second subject"
    for unit, lines in units.items():
        if lines > LONGEST_UNIT:
            yield f"{unit}:1: advice: {lines} lines; above {LONGEST_UNIT}, look for a second subject"


def check_licenses(files: list[PurePosixPath]) -> Iterator[str]:
    """Files without a license line at their beginning."""
    for path in files:
        if path.suffix in WITHOUT_COMMENTS or path.name == "LICENSE":
            continue
        if LICENSE not in "\n".join(read(path).splitlines()[:8]):
            yield f"{path}:1: no line {LICENSE}"


def check_log_components(files: list[PurePosixPath]) -> Iterator[str]:
    """Each source that registers a class of ns-3 has a log component."""
    for path in files:
        if path.suffix == ".cc" and is_in(str(path.parent), "model", "helper"):
            text = read(path)
            if "NS_OBJECT_ENSURE_REGISTERED" in text and "NS_LOG_COMPONENT_DEFINE" not in text:
                yield f"{path}:1: expected NS_LOG_COMPONENT_DEFINE, as it registers a class"


def main() -> int:
    """Prints all breaches."""
    files = tracked_files()
    checks = (
        check_arrows,
        check_cycles,
        check_own_headers,
        check_patterns,
        check_licenses,
        check_log_components,
    )
    breaches = [line for check in checks for line in check(files)]
    for line in [*breaches, *find_long(files)]:
        print(line)
    print(f"{len(files)} files checked, {len(breaches)} breaches")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
