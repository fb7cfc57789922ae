# SPDX-License-Identifier: GPL-2.0-only
"""The picture of a network over time, from what FabricRecorder has written (network-*.json).

The places of nodes are computed here; the browser draws them, and colors links and queues as they
were at the time that the reader chooses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aidc.experiments.results import ReportError, read_json

WIDTH = 1000
"""The width of the picture, in its own units."""

TIER_HEIGHT = 110
"""The height from tier to tier."""

TIERS = ("host", "leaf", "spine", "super-spine")
"""The tiers of a data center, from below."""

EDGE = 30
"""Room at each side."""

NAMES = {"host": ("host", "hosts"), "leaf": ("leaf", "leaves"), "spine": ("spine", "spines"),
         "super-spine": ("super-spine", "super-spines"),
         "provider-edge": ("provider edge", "provider edges"), "core": ("core router", "core routers")}
"""What tiers are called: one node, several."""

LETTER = 6.4
"""The width of a letter."""

LINE = 11
"""The height of a line of text."""

LEVELS = ("queue_byte", "bottleneck_flows")
"""Series of levels: of two intervals, the higher number holds. Others are sums or shares."""

SHARES = ("load", "paused")
"""Series of shares in 1/1000: of two intervals, their mean by time holds."""

MAX_HOSTS = 320
"""With more hosts than that, only switches and routers are drawn."""

Network = dict[str, Any]
"""The content of a network-*.json. Nodes have "x", "y" and, where there is room for it, "label": the
lines of their names, or one line that runs downward. "size" is the picture's."""


def read_network(path: Path) -> Network:
    """What was recorded in a run, with places of nodes. Raises ReportError."""
    network = read_json(path)
    wanted = ("times_ns", "nodes", "links", "ports", "node_series", "events")
    if not isinstance(network, dict) or network.get("format") != 1:
        raise ReportError(f'{path}: expected "format": 1')
    for name in wanted:
        if not isinstance(network.get(name), list):
            raise ReportError(f'{path}: expected a list "{name}"')
    _place(network)
    return network


def instants_of(network: Mapping[str, Any]) -> list[tuple[float, str]]:
    """The links that have failed or returned: times in s, and texts."""
    ends = [" to ".join(network["nodes"][link[end]]["name"] for end in "ab") for link in network["links"]]
    return [(event["time_ns"] / 1e9, f"{event['event']}: {ends[event['link']]}")
            for event in network["events"]]


def describe(network: Network) -> str:
    """What the picture shows, as a sentence."""
    nodes = network["nodes"]
    counts = {tier: sum(node["tier"] == tier for node in nodes) for tier in NAMES}
    found = [f"{count} {NAMES[tier][count != 1]}" for tier, count in counts.items() if count]
    text = ", ".join(found[:-1]) + (" and " if len(found) > 1 else "") + "".join(found[-1:])
    sites = len({node["site"] for node in nodes if node.get("site") is not None})
    where = f"The network, {sites} data centers" if sites > 1 else "The network"
    hidden = "" if "host" in network["drawn_tiers"] else " Hosts are not drawn."
    return f"{where}, from bottom to top: {text}.{hidden}"


def halved(network: Network) -> Network:
    """The same with half as many intervals."""
    times = network["times_ns"]
    kept = [*times[:-1:2], times[-1]]

    def pairs_of(values: Sequence[int]) -> list[Sequence[int]]:
        return [values[place : place + 2] for place in range(0, len(values), 2)]

    spans = pairs_of([end - begin for begin, end in zip(times, times[1:])])

    def halve(name: str, values: Sequence[int]) -> list[int]:
        if name in SHARES:
            return [round(sum(value * span for value, span in zip(*both)) / max(1, sum(both[1])))
                    for both in zip(pairs_of(values), spans)]
        return list(map(max if name in LEVELS else sum, pairs_of(values)))

    def halve_all(series: Mapping[str, Any]) -> dict[str, Any]:
        return {name: halve(name, values) if isinstance(values, list) else values
                for name, values in series.items()}

    return {
        **network,
        "times_ns": kept,
        "ports": [halve_all(port) for port in network["ports"]],
        "node_series": [halve_all(series) for series in network["node_series"]],
    }


def _place(network: Network) -> None:
    """Gives each node its place: tiers one above the other, the WAN between data centers."""
    nodes = network["nodes"]
    hosts = sum(node["tier"] == "host" for node in nodes)
    network["drawn_tiers"] = [tier for tier in TIERS if tier != "host" or hosts <= MAX_HOSTS]
    sites = sorted({node["site"] for node in nodes if node.get("site") is not None})
    has_wan = any(node["tier"] in ("provider-edge", "core") for node in nodes)
    tiers = [tier for tier in network["drawn_tiers"] if any(n["tier"] == tier for n in nodes)]
    top = EDGE + (TIER_HEIGHT * 1.2 if has_wan else 0)
    height = top + TIER_HEIGHT * max(0, len(tiers) - 1) + EDGE
    share = WIDTH / max(1, len(sites))
    for place, site in enumerate(sites or [None]):
        left = place * share + EDGE
        right = (place + 1) * share - EDGE if sites else WIDTH - EDGE
        for level, tier in enumerate(tiers):
            y = height - EDGE - TIER_HEIGHT * level
            own = [n for n in nodes if n["tier"] == tier and n.get("site") == site]
            _spread(_ordered(own, network), left, right, y)
        edges = [n for n in nodes if n["tier"] == "provider-edge" and n.get("site") == site]
        middle = (left + right) / 2
        _spread(edges, middle - 60 * len(edges), middle + 60 * len(edges), EDGE + TIER_HEIGHT * 0.4)
    _place_cores([node for node in nodes if node["tier"] == "core"], len(sites))
    rows: dict[Any, list[Any]] = {}  # what stands side by side, from left to right
    for node in sorted((node for node in nodes if "x" in node), key=lambda node: node["x"]):
        rows.setdefault((node["tier"], node.get("site"), node["y"]), []).append(node)
    network["size"] = [WIDTH, round(height + max(map(_label_row, rows.values()), default=0))]


def _label_row(row: Sequence[Any]) -> float:
    """Labels a row: names in one line, else in two, else downward; returns the height of what is below."""
    gap = min((right["x"] - left["x"] for left, right in zip(row, row[1:])), default=WIDTH)
    whole = [[node["name"]] for node in row]
    split = [re.sub(r"^[a-z]-", "", node["name"]).replace("-leaf", "\nleaf").replace("-spine", "\nspine")
             .split("\n") for node in row]
    for labels in (whole, split):
        if all(LETTER * len(line) < gap for label in labels for line in label):
            for node, label in zip(row, labels):
                node["label"] = label
            return LINE if row[0]["tier"] == "host" else 0
    if row[0]["tier"] != "host" or gap < LINE:
        return 0
    for node in row:
        node.update(label=[node["name"]], is_turned=True)
    return LETTER * max(len(node["name"]) for node in row)


def _ordered(own: Sequence[Any], network: Network) -> list[Any]:
    """Nodes of a tier from left to right: by pod and number; hosts below their leaves."""
    if not own or own[0]["tier"] != "host":
        return sorted(own, key=lambda node: (node.get("pod") or 0, node["index"]))
    leaf_of: dict[int, tuple[int, int]] = {}
    for link in network["links"]:
        a, b = (network["nodes"][link[end]] for end in "ab")
        for host, leaf in ((a, b), (b, a)):
            if host["tier"] == "host":
                leaf_of.setdefault(id(host), (leaf.get("pod") or 0, leaf["index"]))
    return sorted(own, key=lambda node: (leaf_of.get(id(node), (0, 0)), node["index"]))


def _spread(nodes: Sequence[Any], left: float, right: float, y: float) -> None:
    """Places nodes side by side."""
    for place, node in enumerate(nodes):
        node["x"] = round(left + (right - left) * (place + 0.5) / len(nodes), 1)
        node["y"] = round(y, 1)


def _place_cores(cores: Sequence[Any], n_sites: int) -> None:
    """Places core routers core-PATH-NUMBER: the routers of a path in a row, a row a path."""
    paths: dict[int, list[Any]] = {}
    for place, node in enumerate(cores):
        match = re.fullmatch(r"core-(\d+)-(\d+)", node["name"])
        paths.setdefault(int(match[1]) if match else 0, []).append(node)
        node["order"] = int(match[2]) if match else place
    left, right = (0.3, 0.7) if n_sites > 1 else (0.1, 0.9)
    for row, (_, own) in enumerate(sorted(paths.items())):
        y = EDGE + row * TIER_HEIGHT * 0.8 / max(1, len(paths) - 1 or 1)
        _spread(sorted(own, key=lambda node: node.pop("order")), left * WIDTH, right * WIDTH, y)
