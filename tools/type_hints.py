# SPDX-License-Identifier: GPL-2.0-only
"""Type hints of aidc.ns, for editors and type checkers.

``python3 -m tools.type_hints --ns3 INCLUDE --aidc INCLUDE --attributes PROGRAM FILE`` writes them to a
file, which is ns.pyi beside the package's modules. They come from the headers, by Doxygen (cpp_api.py),
and from what ns-3 tells of attributes and trace sources: the output of doc/print-attributes.cc with the
argument --all.
"""

from __future__ import annotations

import argparse
import keyword
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Optional

from aidc.builds import MODULES

from .attributes import Registered, registered
from .console import Failure
from .cpp_api import Member, Scope, read

HEAD = '''\
# Made by tools/type_hints.py of the headers.
# mypy: ignore-errors
# pyright: basic
"""ns-3 with the module aidc in it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, overload

from aidc import ns as _ns

'''

OPERATORS = {
    "+": ("__add__", 1), "-": ("__sub__", 1), "*": ("__mul__", 1), "/": ("__truediv__", 1),
    "%": ("__mod__", 1), "<": ("__lt__", 1), "<=": ("__le__", 1), ">": ("__gt__", 1),
    ">=": ("__ge__", 1), "[]": ("__getitem__", 1), "+=": ("__iadd__", 1), "-=": ("__isub__", 1),
}
"""Operators, by the method of Python that cppyy makes of them, and how many parameters it has."""

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
        self.aliases = {f"{scope.name}::{alias.name}": alias.type for scope in scopes.values()
                        for alias in scope.of("typedef") if not alias.is_template}
        """What typedefs stand for."""

        self._enums = {f"{scope.name}::{enum.name}" for scope in scopes.values() for enum in scope.of("enum")}

    def accepted(self, text: str) -> str:
        """The annotation of a parameter, with what converts to it."""
        found: list[str] = []
        own = self.returned(text, found)
        kinds = list(dict.fromkeys([own, *found]))
        return "Any" if "Any" in kinds else " | ".join(kinds)

    def returned(self, text: str, converts: Optional[list[str]] = None) -> str:
        """The annotation of what is returned, or of a variable. What converts to it is added to a list."""
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
        if not template:
            return self._named(name, converts)
        kinds = [self.returned(argument) for argument in split_arguments(template[2])]
        if template[1] in POINTERS:
            return kinds[0]
        if template[1] in SEQUENCES:
            return f"Sequence[{kinds[0]}]"
        return f"Mapping[{kinds[0]}, {kinds[1]}]" if template[1] in MAPPINGS else "Any"

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
        target = self.aliases.get(name)
        if target is None or re.fullmatch(rf"(\w+::)*{name.rpartition('::')[2]}", target):
            return "Any"
        return self.returned(target, converts)

    def _conversions(self, scope: Scope) -> Iterator[str]:
        """What constructors of a class make an object from without being named."""
        for function in scope.of("function"):
            needed = [p for p in function.parameters if not p.is_optional]
            is_constructor = function.name == scope.name.rpartition("::")[2]
            if is_constructor and not function.is_explicit and not function.is_template:
                if len(needed) <= 1 <= len(function.parameters):
                    yield self.returned(function.parameters[0].type)


class TypeHints:
    """Writes type hints."""

    def __init__(
        self, scopes: Mapping[str, Scope], classes: Mapping[str, Registered], others: Sequence[str]
    ) -> None:
        self._scopes = scopes
        self._types = Types(scopes)
        self._classes = classes
        self._others = others
        self._inner: dict[str, list[Scope]] = {}
        for name, scope in scopes.items():
            self._inner.setdefault(name.rpartition("::")[0], []).append(scope)

    def text(self) -> str:
        """All of ns3; names of modules that are loaded later have no type."""
        root = self._scopes["ns3"]
        lines = list(self._members(root))
        known = set(re.findall(r"^(?:class|def) (\w+)|^(\w+)\b", "\n".join(lines), re.M))
        names = {name for pair in known for name in pair}
        lines += [f"{name}: Any" for name in self._others if name not in names]
        return HEAD + "\n".join(lines) + "\n"

    def _members(self, scope: Scope) -> Iterator[str]:
        """What is in a scope, in lines."""
        taken: set[str] = set()
        for enum in scope.of("enum"):
            yield from self._enum(enum, scope, taken)
        for inner in self._inner.get(scope.name, ()):
            name = inner.name.rpartition("::")[2]
            if claim(name, taken):
                yield from [f"{name}: Any"] if inner.is_template else self._class(name, inner)
        for variable in scope.of("variable"):
            if claim(variable.name, taken):
                kind = self._types.returned(variable.type)
                is_static = variable.is_static or "static" in variable.type
                is_class = is_static and not scope.is_namespace
                kind = f"ClassVar[{kind}]" if is_class else kind
                yield f"{variable.name}: {kind}"
                yield from docstring(variable.doc)
        for alias in (member.name for member in scope.of("typedef") if not member.is_template):
            if claim(alias, taken):
                kind = self._types.returned(self._types.aliases[f"{scope.name}::{alias}"])
                yield f"{alias} = {kind}" if kind.startswith(ROOT + ".") else f"{alias}: Any"
        yield from self._functions(scope, taken)

    def _enum(self, enum: Member, scope: Scope, taken: set[str]) -> Iterator[str]:
        """An enumeration, whose values are also values of its scope, as in C++."""
        values = [(name, doc) for name, doc in enum.values if usable(name)]
        kind = "int"
        if claim(enum.name, taken):
            kind = python_name(f"{scope.name}::{enum.name}")
            yield f"class {enum.name}(int):"
            yield from indented(docstring(enum.doc))
            yield from indented(f"{name}: ClassVar[{kind}]" for name, _ in values)
            yield "    ..."
        for name, doc in values if not enum.is_strong else ():
            if claim(name, taken):
                yield f"{name}: {kind}" if scope.is_namespace else f"{name}: ClassVar[{kind}]"
                yield from docstring(doc)

    def _class(self, name: str, scope: Scope) -> Iterator[str]:
        """A class, or a namespace as one."""
        bases = [python_name(base) for base in dict.fromkeys(scope.bases)
                 if base in self._scopes and not self._scopes[base].is_template]
        is_index = scope.name.endswith("Index")  # FabricIndex of C++: bindings/aidc/namespace.py
        if not bases and (is_index or "operator uint32_t" in [one.name for one in scope.of("function")]):
            bases = ["int"]
        yield f"class {name}({', '.join(bases)}):" if bases else f"class {name}:"
        attributes, traces = self._registered(scope.name)
        parts = [scope.doc]
        parts += ["Attributes:\n" + listed(attributes)] if attributes else []
        parts += ["Trace sources:\n" + listed(traces)] if traces else []
        yield from indented(docstring("\n\n".join(filter(None, parts))))
        yield from indented(self._members(scope))
        if attributes:
            names = ", ".join(f'"{attribute}"' for attribute in attributes)
            for function in ("SetAttribute", "GetAttribute"):
                yield from indented([
                    f"def {function}(self, name: Literal[{names}], "
                    f"value: {ROOT}.AttributeValue) -> None: ..."
                ])
        yield "    ..."

    def _registered(self, name: str) -> tuple[dict[str, str], dict[str, str]]:
        """The attributes and the trace sources of a class, and of its base classes."""
        attributes: dict[str, str] = {}
        traces: dict[str, str] = {}
        while name in self._classes:
            found = self._classes[name]
            for attribute, (text, value, _, default) in found.attributes.items():
                attributes.setdefault(attribute, f"{value}, {default}: {text}")
            for trace, (text, signature) in found.traces.items():
                traces.setdefault(trace, f"{signature}: {text}")
            if found.base == name:
                break
            name = found.base
        return attributes, traces

    def _functions(self, scope: Scope, taken: set[str]) -> Iterator[str]:
        """The functions of a scope, functions of one name together."""
        own = scope.name.rpartition("::")[2]
        attributes = self._registered(scope.name)[0]
        groups: dict[str, list[Member]] = {}
        for function in scope.of("function"):
            name = function.name
            if name == own and not scope.is_namespace:
                name = "__init__"
            elif name.startswith("operator"):
                name, count = OPERATORS.get(name[len("operator"):].strip(), ("", 0))
                if scope.is_namespace or len(function.parameters) != count:
                    continue
            if name in ("SetAttribute", "GetAttribute") and attributes:
                continue
            if name and (usable(name) or name.startswith("__")) and name not in taken:
                groups.setdefault(name, []).append(function)
        for name in self._outer_operators(scope):
            groups.setdefault(name, [])
        for name, functions in groups.items():
            if not functions:
                yield f"def {name}(self, other: Any) -> Any: ..."
            elif all(function.is_template for function in functions) and name != "__init__":
                yield f"{name}: Any"  # name[types](...)
            else:
                yield from self._overloads(name, functions, scope)

    def _outer_operators(self, scope: Scope) -> Iterator[str]:
        """The methods of operators outside of a class whose first operand it is."""
        outer = None if scope.is_namespace else self._scopes.get(scope.name.rpartition("::")[0])
        for function in outer.of("function") if outer and outer.is_namespace else ():
            begin, _, symbol = function.name.partition("operator")
            if not begin and symbol.strip() in OPERATORS and function.parameters:
                if self._types.returned(function.parameters[0].type) == python_name(scope.name):
                    yield OPERATORS[symbol.strip()][0]

    def _overloads(
        self, name: str, functions: Sequence[Member], scope: Scope
    ) -> Iterator[str]:
        lines: dict[str, str] = {}
        for function in sorted(functions, key=lambda function: function.is_template):
            is_static = function.is_static or scope.is_namespace
            if function.is_template:
                begin = "" if is_static else "self, "
                lines.setdefault(f"def {name}({begin}*arguments: Any) -> Any:", function.doc)
                continue
            parameters = [] if is_static else ["self"]
            for place, parameter in enumerate(function.parameters):
                # The parameters in Python, which cppyy fills by their place
                label = parameter.name if usable(parameter.name) else f"argument{place + 1}"
                kind = self._types.accepted(parameter.type)
                default = " = ..." if parameter.is_optional else ""
                parameters.append(f"{label}: {kind}{default}")
            returned = "None" if name == "__init__" else self._types.returned(function.type)
            line = f"def {name}({', '.join(parameters)}) -> {returned}:"
            lines.setdefault(line, function.doc)
        is_static = any(function.is_static for function in functions) or scope.is_namespace
        for line, doc in lines.items():
            if len(lines) > 1:
                yield "@overload"
            if is_static and scope.name != "ns3":
                yield "@staticmethod"
            yield line
            yield from indented([*docstring(doc), "..."])


def usable(name: str) -> bool:
    """Can a name of C++ be one of Python?"""
    return name.isidentifier() and not keyword.iskeyword(name)


def claim(name: str, taken: set[str]) -> bool:
    """Can a name of C++ be one of Python that is not taken? Then it is taken from now on."""
    is_free = usable(name) and name not in taken
    taken.update([name] if is_free else [])
    return is_free


def indented(lines: Iterable[str]) -> Iterator[str]:
    return (textwrap.indent(line, "    ") for line in lines)


def docstring(text: str) -> list[str]:
    """A docstring; none for no text."""
    if not text:
        return []
    paragraphs = text.replace("\\", "\\\\").replace('"""', "'''").split("\n")
    wrapped = "\n".join(textwrap.fill(paragraph, 90) for paragraph in paragraphs)
    end = '\n"""' if "\n" in wrapped or wrapped.endswith('"') else '"""'
    return [f'"""{wrapped}{end}']


def listed(texts: Mapping[str, str]) -> str:
    """Names, with what is said of them."""
    return "\n".join(f"* {name} ({text.replace(': ', '): ', 1)}" for name, text in texts.items())


def headers_of(module: str, folder: Path) -> list[Path]:
    """The headers that a module's header includes."""
    text = (folder / "ns3" / f"{module}-module.h").read_text(encoding="utf-8")
    names = re.findall(r'#include [<"]ns3/([^>"]+)', text)
    return [target_of(folder / "ns3" / name).resolve() for name in names]


def with_included(headers: Sequence[Path], folder: Path) -> list[Path]:
    """Headers, and our headers that they include: of a folder of headers, or next to themselves."""
    found = list(headers)
    for header in found:  # which grows
        for name in re.findall(r'#include "(.+)"', header.read_text(encoding="utf-8")):
            for path in filter(Path.exists, (header.parent / name, folder / name)):
                if (target := target_of(path).resolve()) not in found:
                    found.append(target)
    return found


def target_of(header: Path) -> Path:
    """A header; a build's header leads to the source."""
    forward = re.fullmatch(r'#include "(\.\./.*)"\n', header.read_text(encoding="utf-8"))
    return header.parent / forward[1] if forward else header


def names_of(modules: Iterable[str], folder: Path) -> list[str]:
    """The names of classes, enumerations and namespaces that other modules define."""
    defined = re.compile(r"^(?:class|struct|enum(?: class)?|namespace|using) +(\w+)\b(?! *;)", re.M)
    names: set[str] = set()
    for module in modules:
        for header in headers_of(module, folder):
            names.update(defined.findall(header.read_text(encoding="utf-8", errors="replace")))
    return sorted(name for name in names - {"ns3", "namespace"} if usable(name))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m tools.type_hints", description=__doc__)
    parser.add_argument("--ns3", required=True, metavar="DIR;...", help="where ns-3's headers are")
    parser.add_argument("--aidc", type=Path, required=True, metavar="DIR", help="include of aidc")
    parser.add_argument("--attributes", type=Path, required=True, metavar="PROGRAM")
    parser.add_argument("file", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    folders = [Path(folder) for folder in options.ns3.split(";")]
    ns3 = next((folder for folder in folders if (folder / "ns3" / "core-module.h").exists()), None)
    if not ns3:
        raise Failure(f"There is no ns3/core-module.h in {options.ns3}.")
    loaded = [module for module in MODULES if module != "aidc"]
    there = {path.name[: -len("-module.h")] for path in ns3.glob("ns3/*-module.h")}
    headers = [path for module in loaded for path in headers_of(module, ns3)]
    printed = subprocess.check_output([options.attributes, "--all"], text=True)
    with tempfile.TemporaryDirectory() as work:
        ours = with_included(headers_of("aidc", options.aidc), options.aidc)
        scopes = read([*headers, *ours], [ns3, options.aidc], Path(work))
    others = names_of(sorted(there - {*loaded}), ns3)
    hints = TypeHints(scopes, registered(printed.splitlines()), others)
    options.file.parent.mkdir(parents=True, exist_ok=True)
    options.file.write_text(hints.text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failure as failure:
        sys.exit(failure.report())
