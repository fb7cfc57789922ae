# SPDX-License-Identifier: GPL-2.0-only
"""aidc in Python.

    from aidc import ns

gives ns-3 with this module in it: ``ns.aidc.SharedBufferSwitchHelper()``, ``ns.NodeContainer()`` and
so on. It loads what this module uses of ns-3 (core, network, internet, traffic-control,
point-to-point, csma, applications), which takes seconds, where ns-3's own ``from ns import ns`` loads
all of ns-3. Another module is loaded when a name of it is used first, such as
``ns.FlowMonitorHelper``. Both can be used together, in either order::

    from ns import ns
    import aidc

    import aidc

    frame = aidc.run("incast", degree=[2, 4, 8], seeds=10)

runs an experiment and gives its results as a data frame; ``aidc.compare`` and ``aidc.report`` take
it. ``import aidc`` alone takes no time and needs no compiled library: ``aidc.ns`` is loaded when it is
used first.

The library comes from the standalone build that the environment variable ``AIDC_BUILD_DIR`` names
(``./aidc run NAME.py`` sets it), or from the package that pip has installed, or from ``build/`` of
this checkout, or, where the checkout is ``contrib/aidc`` of an ns-3 tree, from the tree's build.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import sys
from typing import TYPE_CHECKING, Any

from aidc.builds import builds, release
from aidc.runs import compare, report, results_of, run
from aidc.scripts import run_script

if TYPE_CHECKING:
    from aidc import ns as ns  # ns.pyi, which tools/type_hints.py makes
    from aidc.results import Results as Results

    __version__: str

__all__ = ["Results", "__version__", "builds", "compare", "ns", "report", "results_of", "run", "run_script"]

_LATE = {"Results": "aidc.results", "ns": "aidc.namespace"}
"""Names that are loaded when they are used first, as pandas or ns-3 comes with them."""


def _load(name: str) -> Any:
    """Loads what is used for the first time."""
    if name == "__version__":
        globals()[name] = release()
    elif name in _LATE:
        globals()[name] = getattr(importlib.import_module(_LATE[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals()[name]


if not TYPE_CHECKING:  # else any name would have a type
    __getattr__ = _load


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Ns3Finder(importlib.abc.MetaPathFinder):
    """Adds this module to ns-3's own bindings where these are imported later."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Finds the bindings as Python does; their loading ends by loading this module."""
        if name != "ns":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_both(module: Any) -> None:
                load(module)
                _load("ns")

            spec.loader.exec_module = load_both  # type: ignore[method-assign]
        return spec


if "ns" in sys.modules:
    _load("ns")
else:
    sys.meta_path.insert(0, _Ns3Finder())
