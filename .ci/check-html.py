#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks the manual's HTML (./aidc doc): it can be read from disk, without a network.

    .ci/check-html.py [FOLDER]

No page of the folder (default: build/html) makes a browser ask a server for anything. In the
manual's own pages, all links lead somewhere, formulas have no TeX in them, and no item of a list is
empty. The pages in api/ are Doxygen's. Prints each breach as FILE: MESSAGE and exits with 1 if there is any.
"""

from __future__ import annotations

import re
import sys
import urllib.parse
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Optional

ASKING = {
    "audio": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "object": "data",
    "script": "src",
    "source": "src",
    "video": "src",
}
"""Tags for which a browser asks for a file, and the attribute that names it."""


class Page(HTMLParser):
    """What a page asks for, what it links to, and which places of it have a name."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.asks_for: list[str] = []
        self.links: list[str] = []
        self.places: set[str] = set()
        self.formulas = ""
        self._is_formula = False
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, Optional[str]]]) -> None:
        """Notes a tag's addresses and its name."""
        values = {name: value or "" for name, value in attrs}
        self.places |= {values[name] for name in ("id", "name") if name in values}
        self._is_formula |= tag == "math"
        if tag == "a":
            self.links.append(values.get("href", ""))
        elif tag in ASKING:
            self.asks_for.append(values.get(ASKING[tag], ""))

    def handle_endtag(self, tag: str) -> None:
        """Notes the end of a formula."""
        self._is_formula &= tag != "math"

    def handle_data(self, data: str) -> None:
        """Notes the text of formulas."""
        self.formulas += data if self._is_formula else ""


def is_on_a_server(address: str) -> bool:
    """Whether an address is not one of this folder."""
    return bool(re.match(r"(https?:|ftp:)?//", address))


def dead_links(page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    """The links of a page, and the files that it asks for, that lead nowhere."""
    for address in filter(None, page.links + page.asks_for):
        parts = urllib.parse.urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        path = page.path
        if parts.path:
            path = (page.path.parent / urllib.parse.unquote(parts.path)).resolve()
        place = urllib.parse.unquote(parts.fragment)
        if not path.exists() or place and path in pages and place not in pages[path].places:
            yield f"{page.path}: {address} leads nowhere"


def breaches(folder: Path) -> Iterator[str]:
    """What is wrong in a folder."""
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    if folder / "index.html" not in pages:
        yield f"{folder}: has no index.html; ./aidc doc makes it"
    for page in pages.values():
        for address in filter(is_on_a_server, page.asks_for):
            yield f"{page.path}: asks a server for {address}"
        if page.path.parent == folder:
            yield from dead_links(page, pages)
            if "\\" in page.formulas:
                yield f"{page.path}: a formula has TeX in it that is no MathML"
            if "<li></li>" in page.text:
                yield f"{page.path}: an empty item of a list; a dash in a table is written \\-"
    for style in folder.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        addresses = re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')]+)", text)
        for address in filter(is_on_a_server, addresses):
            yield f"{style}: asks a server for {address}"


if __name__ == "__main__":
    top = Path(sys.argv[1] if len(sys.argv) > 1 else "build/html").resolve()
    found = list(breaches(top))
    print("\n".join(found) or f"{top}: nothing is asked of a server, and all links lead somewhere")
    sys.exit(bool(found))
