# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Links from a report to chapters of the manual."""

from __future__ import annotations

import html
import os
from pathlib import Path
from typing import Optional
from urllib.parse import quote

PACKAGE = Path(__file__).resolve().parents[1]


def chapter_page(chapter: str, package: Path = PACKAGE) -> Optional[Path]:
    """The page of a chapter: HTML if ./aidc doc has made it, else its source. None in a package that
    pip has installed, which has no manual."""
    if package.parent.name != "bindings":
        return None
    checkout = package.parents[1]
    pages = (checkout / "build" / "html" / f"{chapter}.html", checkout / "doc" / f"{chapter}.rst")
    return next((page for page in pages if page.exists()), None)


def chapter_link(chapter: str, text: str, folder: Path) -> str:
    """A text as a link to a chapter, from a report in a folder; the text alone if there is no page.

    The link is relative: a checkout may have another path where the report is read, such as outside
    of a container.
    """
    page = chapter_page(chapter) if chapter else None
    if page is None:
        return html.escape(text)
    address = quote(os.path.relpath(page, folder.resolve()))
    return f'<a href="{html.escape(address)}">{html.escape(text)}</a>'
