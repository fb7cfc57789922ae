# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Numbers of nodes, ports and links as integers."""

from __future__ import annotations

_BINARY = (
    "add", "sub", "mul", "floordiv", "truediv", "mod", "pow", "divmod",
    "and", "or", "xor", "lshift", "rshift",
)
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def make_integer(kind) -> None:
    """Has the instances of a FabricIndex of C++ work as the integers that they are.

    So they are keys of dictionaries and of groups, can be sorted, computed with and printed; and
    int(), numpy and pandas take them where they take integers (astype(int), dtype="int64").
    """

    def of(name: str):
        function = getattr(int, f"__{name}__")
        return lambda self, *others: function(int(self), *map(_to_int, others))

    def _to_int(value):
        return int(value) if isinstance(value, kind) else value

    kind.__index__ = kind.__int__ = lambda self: int(self.value)
    for name in _BINARY:
        setattr(kind, f"__{name}__", of(name))
        setattr(kind, f"__r{name}__", of(f"r{name}"))
    for name in (*_COMPARISONS, "hash", "bool", "float", "neg", "repr", "str", "format"):
        setattr(kind, f"__{name}__", of(name))
