# SPDX-License-Identifier: GPL-2.0-only
"""What C++ headers declare for users, by Doxygen: classes, functions, enums, and what is said of them."""

from __future__ import annotations

import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from .console import Failure

CONFIGURATION = """\
INPUT = {input}
INCLUDE_PATH = {include}
OUTPUT_DIRECTORY = {output}
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
MACRO_EXPANSION = YES
EXTRACT_ALL = YES
CLASS_GRAPH = NO
QUIET = YES
WARNINGS = NO
"""
"""Macros are expanded, because ns-3 declares the values of attributes by them."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function."""

    name: str
    type: str
    is_optional: bool


@dataclass(frozen=True)
class Member:
    """A function, or one of several of a name; a variable; an enumeration; or a typedef."""

    kind: str
    name: str
    type: str
    doc: str
    is_static: bool
    is_template: bool
    is_explicit: bool
    is_strong: bool
    """Is it an enumeration whose values do not belong to its scope?"""

    parameters: tuple[Parameter, ...]
    values: tuple[tuple[str, str], ...]
    """An enumeration's names, and what is said of them."""


@dataclass(frozen=True)
class Scope:
    """A namespace or a class, with what is public in it."""

    name: str
    """The whole name, such as ns3::aidc::FabricHelper."""

    is_namespace: bool
    is_template: bool
    doc: str
    bases: list[str]
    """Whole names."""

    members: list[Member]

    def of(self, kind: str) -> list[Member]:
        """The members of a kind: function, variable, enum or typedef."""
        return [member for member in self.members if member.kind == kind]


def read(headers: Sequence[Path], include: Sequence[Path], work: Path) -> dict[str, Scope]:
    """The scopes of ns3 that headers declare, by their whole names. The folder work is Doxygen's."""
    work.mkdir(parents=True, exist_ok=True)
    configuration = CONFIGURATION.format(
        input=" ".join(f'"{path}"' for path in headers),
        include=" ".join(f'"{path}"' for path in include),
        output=work,
    )
    try:
        ended = subprocess.run(
            ["doxygen", "-"], input=configuration, capture_output=True, text=True
        )
    except FileNotFoundError:
        raise Failure("Type hints need Doxygen, which is not installed.") from None
    if ended.returncode != 0:
        raise Failure(f"Doxygen failed:\n{ended.stderr.strip()}")
    names: Names = {}
    ours = {}
    for compound in ET.parse(work / "xml" / "index.xml").getroot().iter("compound"):
        name = compound.findtext("name", "")
        is_ours = name == "ns3" or name.startswith("ns3::")
        if is_ours and compound.get("kind") in ("class", "struct", "namespace"):
            ours[name] = compound.get("refid")
            names[compound.get("refid")] = name
            for member in compound.iter("member"):
                names[member.get("refid")] = f"{name}::{member.findtext('name')}"
    return {
        name: _scope(name, ET.parse(work / "xml" / f"{refid}.xml").getroot().find("compounddef"), names)
        for name, refid in ours.items()
    }


Names = dict[Optional[str], str]
"""Whole names, by the numbers that Doxygen refers to them by."""


def _scope(name: str, element: ET.Element, names: Names) -> Scope:
    bases = element.findall("basecompoundref[@prot='public']")
    found = [_member(member, names) for member in element.iter("memberdef")
             if member.get("prot") in ("public", "package")
             # "= delete" is no function
             and "=delete" not in member.findtext("argsstring", "").replace(" ", "")]
    return Scope(
        name,
        element.get("kind") == "namespace",
        element.find("templateparamlist") is not None or "<" in name,
        _doc(element),
        [names[base.get("refid")] for base in bases if base.get("refid") in names],
        found,
    )


def _member(member: ET.Element, names: Names) -> Member:
    parameters = tuple(
        Parameter(
            parameter.findtext("declname", ""),
            _type(parameter.find("type"), names) + _text(parameter.find("array")),
            parameter.find("defval") is not None,
        )
        for parameter in member.findall("param")
        if _text(parameter.find("type")) != "void"
    )
    kind, type_text = member.get("kind", ""), _type(member.find("type"), names)
    return Member(
        kind,
        member.findtext("name", ""),
        type_text + (member.findtext("argsstring", "") if kind == "typedef" else ""),
        _doc(member),
        member.get("static") == "yes",
        member.find("templateparamlist") is not None,
        member.get("explicit") == "yes",
        member.get("strong") == "yes",
        parameters,
        tuple((value.findtext("name", ""), _doc(value)) for value in member.findall("enumvalue")),
    )


def _text(element: ET.Element | None) -> str:
    """The text of an element, with single spaces."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def _type(element: ET.Element | None, names: Names) -> str:
    """A type, with the whole names of what it names of ns3."""
    if element is None:
        return ""
    parts = [element.text or ""]
    for reference in element:
        parts += [names.get(reference.get("refid"), reference.text or ""), reference.tail or ""]
    return " ".join("".join(parts).split())


def _doc(element: ET.Element) -> str:
    """What is said of an element: its brief description, the others, parameters and results."""
    parts = [_text(element.find("briefdescription"))]
    lines = []
    for paragraph in element.findall("detaileddescription/para"):
        for found in [one for one in paragraph if one.tag in ("parameterlist", "simplesect")]:
            for item in found.findall("parameteritem"):
                names = ", ".join(map(_text, item.iter("parametername")))
                lines.append(f"{names}: {_text(item.find('parameterdescription'))}")
            if found.get("kind") == "return":
                lines.append(f"Returns: {_text(found)}")
            paragraph.remove(found)
        parts.append(_text(paragraph))
    parts.append("\n".join(lines))
    return "\n\n".join(part for part in parts if part)
