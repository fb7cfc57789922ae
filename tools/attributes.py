# SPDX-License-Identifier: GPL-2.0-only
"""The manual's chapter of attributes and trace sources, made of what ns-3 itself tells of them.

    build/ns3-3.44/bin/aidc-print-attributes | python3 -m tools.attributes > doc/attributes.rst
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from aidc.experiments.styles import scale_for

SOURCE = Path(__file__).resolve().parents[1]

HEAD = """\
.. SPDX-License-Identifier: GPL-2.0-only
.. Made by tools/attributes.py; a test compares it with what ns-3 tells.

Attributes and trace sources
============================

This chapter lists what ns-3 itself knows of the module's classes: the attributes that you set, and the trace sources that you
connect to. A class also has the ones that its base class has. :doc:`tutorial` shows how to set and to connect them.

A value is a text with its unit: a time is written as ``10us``, a rate as ``100Gbps``, a size as ``1MB``. Other numbers have the unit
that the description names; a share or a probability has none. Where no upper end of the range is given, the type itself sets it.
"""

KINDS = {
    "Time": "time",
    "DataRate": "rate",
    "QueueSize": "size",
    "Boolean": "``true`` or ``false``",
    "String": "text",
    "ObjectFactory": "TypeId, with attributes in brackets",
    "Pointer": "object",
    "ObjectPtrContainer": "list of objects",
}
"""How the manual calls ns-3's types of attributes; it calls others by their names."""

NS3_SIGNATURES = {
    "ns3::Packet::TracedCallback": "Ptr<const Packet> packet",
    "ns3::QueueDiscItem::TracedCallback": "Ptr<const QueueDiscItem> item",
    "ns3::Time::TracedCallback": "Time value",
    "ns3::TracedValueCallback::Uint64": "uint64_t oldValue, uint64_t newValue",
}
"""Arguments of the callbacks that ns-3 defines."""


@dataclass
class Registered:
    """What ns-3 tells of a class."""

    base: str
    attributes: dict[str, tuple[str, str, str, str]] = field(default_factory=dict)
    """What is said of each attribute, the class of its value, its type and range, and its default."""

    traces: dict[str, tuple[str, str]] = field(default_factory=dict)
    """What is said of each trace source, and its signature."""


def registered(lines: Iterable[str]) -> dict[str, Registered]:
    """What aidc-print-attributes has printed of classes."""
    classes: dict[str, Registered] = {}
    for line in lines:
        kind, name, base, *rest = line.rstrip("\n").split("\t")
        found = classes.setdefault(name, Registered(base))
        if kind == "attribute":
            attribute, text, value, underlying, default = rest
            found.attributes[attribute] = (text, value, underlying, default)
        elif kind == "trace":
            trace, text, signature = rest
            found.traces[trace] = (text, signature)
    return classes


def shorten(name: str) -> str:
    """A name without its namespaces."""
    return re.sub(r"\b(?:ns3::)?aidc::|\bns3::", "", name)


def literal(text: str) -> str:
    """A text as a literal of reStructuredText."""
    return f"``{text}``" if text else "empty"


def plain(text: str) -> str:
    """A text in which no character means anything to reStructuredText, as a sentence."""
    escaped = re.sub(r"([*_|\\])", r"\\\1", text)
    escaped = re.sub(r"`([^`]+)`", r"``\1``", escaped)
    return escaped if escaped.endswith(".") else escaped + "."


def shown_value(text: str) -> str:
    """A value as the manual shows it: a time, which ns-3 writes in nanoseconds, in a unit that fits."""
    if re.fullmatch(r"[+-][\d.e+]+ns", text):
        seconds = float(text[:-2]) / 1e9
        factor, unit = scale_for(abs(seconds), "s") if seconds else (1, "s")
        return f"{seconds / factor:g}{unit}"
    if match := re.fullmatch(r"(\d+)(bps|B)", text):
        number = int(match[1])
        for prefix, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
            if number >= size and number % (size // 1000) == 0:
                return f"{number / size:g}{prefix}{match[2]}"
    return text


def shown_range(text: str) -> str:
    """A range of ns-3's checkers in words, empty if every value of the type is in it."""
    match = re.fullmatch(r"(\S+) ([^: ]+):([^: ]+)", text)
    if not match:
        return ""
    name, low, high = match.groups()
    bits = re.fullmatch(r"u?int(\d+)_t", name)
    unbounded = {str(2 ** int(bits[1]) - 1), str(2 ** (int(bits[1]) - 1) - 1)} if bits else set()
    if high in unbounded or high in ("+9.22337e+18ns", "1.79769e+308"):
        return f", at least {literal(shown_value(low))}"
    return f", {literal(shown_value(low))} to {literal(shown_value(high))}"


def shown_type(value: str, underlying: str) -> str:
    """What values an attribute takes: its type and its range."""
    name = re.sub(r"Value(<.*)?$", "", shorten(value))
    if name == "Enum":
        return " or ".join(literal(word) for word in underlying.split("|"))
    kind = KINDS.get(name, name)
    if pointed := re.search(r"Ptr<\s*(.+?)\s*>", underlying):
        return f"{kind}: {literal(shorten(pointed[1]))}"
    if number := re.match(r"u?int\d+_t|double", underlying):
        kind = literal(number[0])
    return kind + shown_range(underlying)


@functools.lru_cache(maxsize=None)
def headers() -> list[str]:
    """The texts of all headers of the module."""
    paths = [path for folder in ("model", "helper") for path in (SOURCE / folder).rglob("*.h")]
    return [path.read_text(encoding="utf-8") for path in sorted(paths)]


def signature(name: str) -> str:
    """The arguments of a callback, by its name as ns-3 tells it."""
    if name in NS3_SIGNATURES:
        return NS3_SIGNATURES[name]
    owner, typedef = name.split("::")[-2:]
    for text in headers():
        found = re.search(rf"typedef void \(\*{typedef}\)\(([^;]*)\);", text)
        if found and re.search(rf"class [^;{{]*\b{owner}\b", text):
            return re.sub(r"\s+", " ", found[1])
    raise SystemExit(f"No header defines the signature {name} of a trace source.")


def rows(header: Iterable[str], widths: str, cells: Iterable[Iterable[str]]) -> Iterator[str]:
    """A table in reStructuredText."""
    yield f"\n.. list-table::\n   :header-rows: 1\n   :widths: {widths}\n"
    for row in (header, *cells):
        yield "\n".join(f"   {'  ' if i else '* '}- {cell}" for i, cell in enumerate(row))


def chapter(lines: Iterable[str]) -> str:
    """The chapter, of the lines that aidc-print-attributes prints."""
    parts = [HEAD]
    for name, found in registered(lines).items():
        owner = shorten(name)
        parts.append(f"\n{owner}\n{'-' * len(owner)}\n\nBase class: {literal(shorten(found.base))}.")
        attributes = []
        for attribute, (text, value, underlying, default) in found.attributes.items():
            if value == "ns3::PointerValue" and default == "0":
                default = "none"
            shown = default if default in ("none", "read only") else literal(shown_value(default))
            attributes.append((literal(attribute), shown_type(value, underlying), shown, plain(text)))
        traces = [(literal(trace), literal(f"({shorten(signature(told))})"), plain(text))
                  for trace, (text, told) in found.traces.items()]
        if attributes:
            parts += rows(("Attribute", "Type and range", "Default", "Meaning and unit"), "18 25 15 42", attributes)
        if traces:
            parts += rows(("Trace source", "Arguments", "Meaning"), "18 40 42", traces)
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.stdout.write(chapter(sys.stdin))
