# SPDX-License-Identifier: GPL-2.0-only
"""First programs of users, which the command new writes."""

from __future__ import annotations

import re
from pathlib import Path

from .console import Failure

FIRST = {".cc": "first.cc", ".py": "first.py"}
"""The first programs of examples/first, by the suffix of the user's file."""


def write_first(source: Path, path: Path) -> None:
    """Writes a first program to a file, which must not exist yet; its suffix says which one."""
    if path.suffix not in FIRST:
        raise Failure(f"{path} is neither NAME.cc nor NAME.py.", "What it ends in says which one.")
    text = (source / "examples" / "first" / FIRST[path.suffix]).read_text(encoding="utf-8")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(without_licence(text).replace("NAME", path.name))
    except FileExistsError:
        raise Failure(f"{path} exists already, and is left as it is.") from None
    except OSError as error:
        raise Failure(f"Cannot write {path}: {error.strerror}.") from None


def without_licence(text: str) -> str:
    """A file of this repository without its copyright: what a user makes of it is the user's."""
    text = re.sub(r"\A/\*\n( \*.*\n)* \*/\n+", "", text)
    return re.sub(r"\A(#!.*\n)?(#.*\n)+\n*", r"\1", text) if text.startswith("#!") else text
