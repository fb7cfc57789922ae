# SPDX-License-Identifier: GPL-2.0-only
"""Types of C++ as annotations of Python, as cppyy converts them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Optional

from .cpp_api import Scope

ROOT = "_ns"
"""The name by which type hints name ns3."""

QUALIFIERS = re.compile(
    r"\b(const|constexpr|static|inline|virtual|typename|struct|class|enum|volatile|mutable|explicit"
    r"|friend|extern)\b|\[\[\w+\]\]|\bNS_DEPRECATED\w*(\(.*?\))?"
)

INTEGER = re.compile(
    r"(std::)?u?int(_fast|_least)?(8|16|32|64)?_t|(std::)?(size_t|ssize_t|ptrdiff_t|time_t)"
    r"|(unsigned|signed|int|long|short|char|\s)+|uintptr_t"
)

SEQUENCES = ("std::vector", "std::list", "std::deque", "std::array", "std::set", "std::multiset",
             "std::unordered_set", "std::initializer_list")
POINTERS = ("Ptr", "ns3::Ptr", "std::shared_ptr", "std::unique_ptr")
MAPPINGS = ("std::map", "std::unordered_map")
TEXTS = ("std::string", "std::string_view")


def split_arguments(text: str) -> list[str]:
    """The arguments of a template, or of a function, that commas separate."""
    parts, depth, begin = [], 0, 0
    for place, letter in enumerate(text):
        depth += letter in "<(" or -(letter in ">)")
        if letter == "," and depth == 0:
            parts.append(text[begin:place].strip())
            begin = place + 1
    return [*parts, text[begin:].strip()] if text.strip() else []


def python_name(whole: str) -> str:
    """A whole name of C++ as type hints have it."""
    return ".".join([ROOT, *whole.split("::")[1:]])


class Types:
    """Finds what whole names stand for."""

    def __init__(self, scopes: Mapping[str, Scope]) -> None:
        self._scopes = scopes
        self._enums = {f"{scope.name}::{enum.name}" for scope in scopes.values() for enum in scope.enums}

    def returned(self, text: str) -> str:
        """The annotation of what is returned, or of a variable."""
        return self._annotation(text, None)

    def accepted(self, text: str) -> str:
        """The annotation of a parameter, with what converts to it."""
        found: list[str] = []
        own = self._annotation(text, found)
        kinds = list(dict.fromkeys([own, *found]))
        return "Any" if "Any" in kinds else " | ".join(kinds)

    def _annotation(self, text: str, converts: Optional[list[str]]) -> str:
        """An annotation. What converts to it is added to a list, where there is one."""
        if re.search(r"\bchar\b(?! *\w)", text) and text.rstrip().endswith("*"):
            return "str"
        name = " ".join(QUALIFIERS.sub(" ", text).replace("&", " ").split())
        is_pointer = name.endswith("*")
        name = name.replace("*", " ").strip()
        if name == "void" or not name:
            return "Any" if is_pointer else "None"
        if name in TEXTS:
            return "str"
        for kind, is_kind in (("bool", name == "bool"), ("int", INTEGER.fullmatch(name)),
                              ("float", name in ("double", "float", "long double"))):
            if is_kind:
                return "Any" if is_pointer else kind
        template = re.fullmatch(r"([\w:]+) ?<(.*)>", name)
        if template:
            return self._template(template[1], split_arguments(template[2]))
        return self._named(name, converts)

    def _template(self, name: str, arguments: list[str]) -> str:
        """A template of the standard library, or a pointer of ns-3."""
        kinds = [self._annotation(argument, None) for argument in arguments]
        if name in POINTERS:
            return kinds[0]
        if name in SEQUENCES:
            return f"Sequence[{kinds[0]}]"
        if name in MAPPINGS:
            return f"Mapping[{kinds[0]}, {kinds[1]}]"
        return "Any"

    def _named(self, name: str, converts: Optional[list[str]]) -> str:
        """A class, an enumeration or an alias."""
        if name in self._enums:
            if converts is not None:
                converts.append("int")
            return python_name(name)
        if name in self._scopes:
            found = self._scopes[name]
            if found.is_template or found.is_namespace:
                return "Any"
            if converts is not None:
                converts += self._conversions(found)
            return python_name(name)
        owner, _, alias = name.rpartition("::")
        target = self._scopes[owner].aliases.get(alias) if owner in self._scopes else None
        if target is None or re.fullmatch(rf"(\w+::)*{alias}", target):
            return "Any"
        return self._annotation(target, converts)

    def _conversions(self, scope: Scope) -> Iterator[str]:
        """What constructors of a class make an object from without being named."""
        for function in scope.functions:
            needed = [p for p in function.parameters if not p.is_optional]
            is_constructor = function.name == scope.name.rpartition("::")[2]
            if is_constructor and not function.is_explicit and not function.is_template:
                if len(needed) <= 1 <= len(function.parameters):
                    yield self._annotation(function.parameters[0].type, None)
