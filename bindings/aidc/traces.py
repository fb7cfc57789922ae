# SPDX-License-Identifier: GPL-2.0-only
"""Python functions on trace sources.

    from aidc import traces

    traces.connect(queue, "EcnThrd", lambda before, after: print(after))

The manual's chapter of attributes and trace sources has the arguments of each trace source. A call
from the simulation into Python takes microseconds: connect what happens rarely, or what you count.
"""

from __future__ import annotations

from collections.abc import Callable

import cppyy

from aidc import ns

__all__ = ["connect"]

_sources: dict[str, object] = {}
_connected: list[Callable[..., object]] = []  # cppyy does not keep what C++ calls

cppyy.cppdef("""
#include <functional>

namespace aidc_traces
{

template <typename Signature>
struct Source;

template <typename... Args>
struct Source<void (*)(Args...)>
{
    static bool Connect(ns3::Ptr<ns3::Object> object,
                        const std::string& name,
                        std::function<void(Args...)> function)
    {
        return object->TraceConnectWithoutContext(name, ns3::Callback<void, Args...>(function));
    }
};

} // namespace aidc_traces
""")


def _source(signature: str):
    """What connects functions to the trace sources of a signature, as ns-3 names it."""
    if signature not in _sources:
        alias = f"Source{len(_sources)}"
        cppyy.cppdef(f"namespace aidc_traces {{ using {alias} = Source<{signature}>; }}")
        _sources[signature] = getattr(cppyy.gbl.aidc_traces, alias)
    return _sources[signature]


def connect(source, name: str, function: Callable[..., object]) -> None:
    """Has a function called by a trace source of an object, with the trace source's arguments."""
    information = ns.TypeId.TraceSourceInformation()
    if not source.GetInstanceTypeId().LookupTraceSourceByName(name, information):
        raise ValueError(f"{source.GetInstanceTypeId().GetName()} has no trace source {name}")
    _connected.append(function)
    _source(str(information.callback)).Connect(source, name, function)
