# SPDX-License-Identifier: GPL-2.0-only
"""Text for a terminal: its width, lines that fit, and rows in columns."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence

USUAL, LEAST, MOST = 80, 20, 1000
"""Characters of a line: where nobody says, and those that are believed."""

GAP = 2
"""The blanks between columns."""

SWATCH = 3
"""The characters of a scheme's color, and of the blank behind it."""


def width() -> int:
    """The characters of a line: COLUMNS, or what the terminal says."""
    columns = shutil.get_terminal_size((USUAL, 0)).columns
    return columns if LEAST <= columns <= MOST else USUAL


def wrap(text: str, room: int, indent: int) -> str:
    """Lines of so many characters; all but the first begin with blanks. A number stays with its unit."""
    words = re.sub(r"(\S*\d) (\S+)", r"\1\0\2", " ".join(text.split()))
    lines = textwrap.fill(words, room, subsequent_indent=" " * indent, break_long_words=False,
                          break_on_hyphens=False)
    return lines.replace("\0", " ") + "\n"


def _swatch(color: str) -> str:
    """Two blanks on a color #RRGGBB."""
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"\x1b[48;2;{red};{green};{blue}m  \x1b[0m"


def _widths(rows: Iterable[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*(row for row in rows if row))]


def print_aligned(rows: Sequence[Sequence[str]], left: int, colors: Mapping[str, str]) -> str:
    """Rows in columns, so many of them flush left; the last of these may have colors. An empty row is a
    blank line."""
    widths = _widths(rows)
    lines = []
    for row in rows:
        cells = []
        for i, text in enumerate(row):
            swatch = ""
            if i + 1 == left and colors:
                swatch = (_swatch(colors[text]) if text in colors else "  ") + " "
            cells.append(swatch + (text.ljust(widths[i]) if i < left else text.rjust(widths[i])))
        lines.append((" " * GAP).join(cells).rstrip(" "))
    return "".join(f"{line}\n" for line in lines)


def print_table(
    rows: Sequence[Sequence[str]], left: int, room: int, colors: Mapping[str, str]
) -> str:
    """A table with a header: as it is, or if it is too wide, with a column for each row."""
    used = sum(size + GAP for size in _widths(rows)) + (SWATCH if colors else 0)
    return print_aligned(rows, left, colors) if used <= room + GAP else _transposed(rows, left, room)


def _transposed(rows: Sequence[Sequence[str]], left: int, room: int) -> str:
    """Rows as columns, in blocks: new at empty rows, and named by the first name of rows that have two."""
    header = rows[0]
    blocks: list[list[list[str]]] = []
    name = ""
    used = room
    for row in rows[1:]:
        if not row:
            used = room
            continue
        if left > 1 and row[0]:
            name = row[0]
        column = [row[left - 1], *row[left:]]
        size = GAP + max(map(len, column))
        if used + size > room:
            first = [name if left > 1 else "", *header[left:]]
            blocks.append([[text] for text in first])
            used = max(map(len, first))
        used += size
        for line, text in zip(blocks[-1], column):
            line.append(text)
    return "\n".join(print_aligned(block, 1, {}) for block in blocks)
