# SPDX-License-Identifier: GPL-2.0-only
"""The namespace ns3 of C++ in Python, with this module in it."""

from __future__ import annotations

import contextlib
import importlib.util
import re
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from aidc.builds import IS_INSTALLED, MODULES, find_library


def _folders_of(package: str) -> list[Path]:
    """The folders of a package; none if it is not there."""
    spec = importlib.util.find_spec(package)
    return [Path(folder) for folder in (spec and spec.submodule_search_locations) or ()]


_cppyy_folders = _folders_of("cppyy")
if _cppyy_folders and not any(list(folder.glob("allDict.cxx.pch*")) for folder in _cppyy_folders):
    print("aidc: cppyy compiles its headers, once, which takes minutes", file=sys.stderr)
try:
    import cppyy
except ImportError as error:
    raise ImportError(
        "aidc: cppyy, which ns-3's Python bindings are made with, is missing. Install it with "
        "pip install 'aidc[bindings]', or run scripts with ./aidc run NAME.py of a checkout, which "
        "installs it, or in a tree configured with --enable-python-bindings."
    ) from error

_BINARY = (
    "add", "sub", "mul", "floordiv", "truediv", "mod", "pow", "divmod",
    "and", "or", "xor", "lshift", "rshift",
)
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def _libraries(module: str, folders: Iterable[Path]) -> Iterator[Path]:
    """The libraries of one of ns-3's modules, whatever release and profile their names carry."""
    profile = "(-(debug|default|release|optimized|minsizerel|relwithdebinfo))?"
    name = re.compile(rf"libns3(\.[0-9.]+|-dev)?-{module}{profile}\.(so|dylib)")
    for folder in folders:
        yield from (path for path in folder.glob("lib*/libns3*") if name.fullmatch(path.name))


class _Namespace:
    """The namespace ns3. A module is loaded when a name of it is used that is not there yet."""

    def __init__(self, scope, folders: Iterable[Path]) -> None:
        vars(self).update(_scope=scope, _folders=list(folders), _loaded=set(MODULES))

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return getattr(self._scope, name)
        except AttributeError:
            for module in self._modules_with(name):
                _load_module(module, self._folders)
                self._loaded.add(module)
                with contextlib.suppress(AttributeError):
                    return getattr(self._scope, name)
            raise

    def __setattr__(self, name: str, value) -> None:
        setattr(self._scope, name, value)

    def __dir__(self) -> list[str]:
        return dir(self._scope)

    def _modules_with(self, name: str) -> Iterator[str]:
        """Modules that are not loaded and whose headers define a name."""
        kind = r"\b(class|struct|enum(\s+class)?|using|namespace)\s+"
        defined = re.compile(rf"{kind}{name}\b(?!\s*;)|\btypedef\b[^;]*\b{name}\s*;")
        for folder in self._folders:
            headers = folder / "include" / "ns3"
            for path in sorted(headers.glob("*-module.h")):
                module = path.name[: -len("-module.h")]
                if module in self._loaded or not any(_libraries(module, self._folders)):
                    continue
                for found in re.findall(r'#include [<"]ns3/([^>"]+)', path.read_text()):
                    header = headers / found
                    if header.exists() and defined.search(header.read_text(errors="replace")):
                        yield module
                        break


def _load_module(module: str, folders: Iterable[Path]) -> None:
    for path in _libraries(module, folders):
        cppyy.load_library(str(path))
    cppyy.include(f"ns3/{module}-module.h")


def _load() -> _Namespace:
    """Loads our library, what it is linked with, and the headers; returns the namespace ns3."""
    build, library = find_library()
    folders = _folders_of("ns3")
    # In place of copies in this package: a process can have one of each, and the headers are ns3's.
    for copy in sorted((build / "lib" / ".ns3").glob("libns3*")) if IS_INSTALLED else ():
        originals = [path for folder in folders for path in folder.glob(f"lib*/{copy.name}")]
        if not originals:
            raise ImportError(
                f"aidc: the package ns3 that has {copy.name} is missing. Install it with "
                "pip install 'aidc[bindings]'."
            )
        cppyy.load_library(str(originals[0]))
    folders.append(build)
    for folder in folders:
        cppyy.add_include_path(str(folder / "include"))
    cppyy.load_library(str(library))
    for module in MODULES:
        # Our library need not be linked with all of them.
        _load_module(module, folders)
    return _Namespace(cppyy.gbl.ns3, folders)


def _make_integer(kind) -> None:
    """Has the instances of a FabricIndex of C++ work as the integers that they are, in pandas, too."""

    def of(name: str):
        function = getattr(int, f"__{name}__")
        return lambda self, *others: function(
            int(self), *(int(other) if isinstance(other, kind) else other for other in others))

    kind.__index__ = kind.__int__ = lambda self: int(self.value)
    for name in _BINARY:
        setattr(kind, f"__{name}__", of(name))
        setattr(kind, f"__r{name}__", of(f"r{name}"))
    for name in (*_COMPARISONS, "hash", "bool", "float", "neg", "repr", "str", "format"):
        setattr(kind, f"__{name}__", of(name))


# ns-3's own bindings replace themselves in sys.modules by an object that has the attribute ns.
ns: Any = getattr(sys.modules.get("ns"), "ns", None)
if ns is None:
    ns = _load()
elif not hasattr(ns, "aidc"):
    _load()

# Without this, a fatal error would end the interpreter.
_names = ("libaidc-python.*", "libns3*-aidc-python*")
cppyy.load_library(str(next(path for name in _names for path in find_library()[1].parent.glob(name))))
cppyy.include(str(Path(__file__).with_name("python-process.h")))
ns.aidc.ThrowFatalErrors()

for _index in (ns.aidc.NodeIndex, ns.aidc.PortIndex, ns.aidc.LinkIndex):
    _make_integer(_index)

_run = ns.Simulator.Run


def _run_until_end_or_interrupt() -> None:
    """Runs the simulation; Ctrl-C ends the script at once, where Python would wait for C++ to return."""
    is_script = not hasattr(sys, "ps1") and "ipykernel" not in sys.modules
    is_main = threading.current_thread() is threading.main_thread()
    if not (is_script and is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler):
        _run()
    else:
        ns.aidc.RunUntilInterrupt(f"{Path(sys.argv[0]).name}: interrupted")


ns.Simulator.Run = staticmethod(_run_until_end_or_interrupt)
