#!/usr/bin/env python3
# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The experiment flowset-ecmp as a Python script.

The same scenarios, schemes, results and files as examples/flowset-ecmp.cc, whose header describes
them; the same seed gives the same numbers. Run it with ./aidc run flowset-ecmp.py.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass

from aidc import experiment, ns
from cppyy.gbl import std

aidc = ns.aidc

SCENARIOS = ("load-30", "load-50", "load-80", "elephants", "failure", "surge", "fat-tree")
SCHEMES = ("hash-ecmp", "flowlet", "spray", "flow-set", "flow-set-flowlet")
TOTALS = (
    "fct_slowdown_mean",
    "fct_slowdown_p50",
    "fct_slowdown_p99",
    "reordered_packets",
    "load_imbalance",
    "migrations",
    "dropped_packets",
    "lost_packets",
)


@dataclass
class Scenario:
    """The flows of a scenario, and where they go."""

    name: str
    fabric: aidc.FabricPlan
    flows: object
    limit: ns.Time


def get_uplinks(fabric: aidc.FabricPlan, node: int) -> list[int]:
    """The ports of a switch that lead up."""
    tier = fabric.GetNode(node).tier
    ports = enumerate(fabric.GetPorts(node))
    return [port for port, to in ports if fabric.GetNode(to.peer).tier > tier]


def get_hosts_of(fabric: aidc.FabricPlan, leaf: int) -> list[int]:
    """The hosts of a leaf, by port."""
    return [port.peer for port in fabric.GetPorts(leaf) if fabric.IsHost(port.peer)]


def make_network(scenario: str, options: argparse.Namespace) -> aidc.FabricPlan:
    """Makes the network of a scenario."""
    topology = options.topology or ("fat-tree" if scenario == "fat-tree" else "leaf-spine")
    if topology == "fat-tree":
        return aidc.MakeFatTree(4 if options.small else 8, 100000000000, 1000)
    if topology == "leaf-spine":
        plan = aidc.LeafSpineOptions()
        plan.leaves = 4 if options.small else 8
        plan.spines = 4 if options.small else 8
        plan.hostsPerLeaf = 8 if options.small else 16
        plan.leafSpineRate = plan.hostRate
        return aidc.MakeLeafSpine(plan)
    file = aidc.TopologyFile.Read(aidc.FindDataFile(topology))
    aidc.NoteTrailingText(std.cerr, file.GetName(), file.GetTrailingText())
    return aidc.FabricPlan(file.GetFabric())


def get_host_share(fabric: aidc.FabricPlan) -> float:
    """What share of the hosts' rate fills the uplinks of the leaves, the same at all; at most 1."""
    leaf = fabric.GetLeaves()[0]
    ports = fabric.GetPorts(leaf)
    rates = [float(fabric.GetLinks()[port.link].rate) for port in ports]
    up = sum(rates[port] for port in get_uplinks(fabric, leaf))
    down = sum(rate for rate, port in zip(rates, ports) if fabric.IsHost(port.peer))
    hosts = len(fabric.GetHosts())
    leaving = down * (hosts - len(get_hosts_of(fabric, leaf))) / max(1, hosts - 1)
    return min(1.0, up / leaving) if leaving > 0 else 1.0


def make_mix(fabric: aidc.FabricPlan, load: float, options: argparse.Namespace):
    """Flows that arrive at random; the load is the share of what is slower, uplinks or hosts."""
    sizes = aidc.FlowSizeDistribution.Read(aidc.FindDataFile(options.flow_sizes))
    generator = aidc.PoissonFlowGenerator(fabric.GetHosts(), sizes)
    link = fabric.GetPorts(fabric.GetHosts()[0])[0].link
    generator.SetHostRate(ns.DataRate(fabric.GetLinks()[link].rate))
    generator.SetLoad(load * get_host_share(fabric))
    generator.SetDuration(options.duration)
    generator.AssignStreams(1)
    return generator.Generate()


def add_leaf_to_leaf(flows, hosts: list[tuple[int, int]], size: int, start, uniform) -> None:
    """Adds flows between pairs of hosts, which start within 10 us."""
    for source, destination in hosts:
        flow = aidc.FlowSpec()
        flow.source = source
        flow.destination = destination
        flow.bytes = size
        flow.start = start + ns.NanoSeconds(int(uniform.GetValue(0, 10000)))
        flows.push_back(flow)


def make_scenario(name: str, options: argparse.Namespace) -> Scenario:
    """Makes the network of a scenario and its flows."""
    fabric = make_network(name, options)
    leaves = list(fabric.GetLeaves())
    if name in ("elephants", "failure", "surge") and len(leaves) < 2:
        raise ValueError(f"expected a topology of at least two leaves for scenario {name}")
    limit = ns.MilliSeconds(200)
    uniform = ns.CreateObject[ns.UniformRandomVariable]()
    uniform.SetStream(10)
    if name == "file":
        trailing = aidc.TrailingText()
        flows = aidc.ReadFlowFile(aidc.FindDataFile(options.flows), trailing)
        aidc.NoteTrailingText(std.cerr, options.flows, trailing)
    elif name == "elephants":
        flows = std.vector[aidc.FlowSpec]()
        size = 2000000 if options.small else 10000000
        for leaf, following in zip(leaves, leaves[1:] + leaves[:1]):
            pairs = list(zip(get_hosts_of(fabric, leaf), get_hosts_of(fabric, following)))
            pairs = pairs[: len(get_uplinks(fabric, leaf))]
            add_leaf_to_leaf(flows, pairs, size, ns.Seconds(0), uniform)
    else:
        load = {"load-80": 0.8, "load-50": 0.5}.get(name, 0.3)
        flows = make_mix(fabric, load, options)
    if name == "surge":
        pairs = list(zip(get_hosts_of(fabric, leaves[0]), get_hosts_of(fabric, leaves[1])))
        size = 500000 if options.small else 2000000
        add_leaf_to_leaf(flows, pairs, size, quarters(options.duration, 1), uniform)
    if not len(flows):
        raise ValueError(f"scenario {name} has no flows")
    if name == "file":
        limit = flows[len(flows) - 1].start + ns.Seconds(1)
    return Scenario(name, fabric, flows, limit)


def quarters(duration: ns.Time, count: int) -> ns.Time:
    """Some quarters of a time."""
    return ns.TimeStep(count * duration.GetTimeStep() // 4)


def make_routing(scheme: str, options: argparse.Namespace) -> aidc.MultipathRoutingHelper:
    """Makes the routing of a scheme."""
    if scheme.startswith("flow-set"):
        routing = aidc.MultipathRoutingHelper("ns3::aidc::FlowSetEcmpRouting")
        routing.SetSelector("ns3::aidc::FlowSetSelector")
        routing.SetSelectorAttribute("AssessmentInterval", ns.TimeValue(options.interval))
        gap = ns.Seconds(0) if scheme == "flow-set" else options.gap
        routing.SetSelectorAttribute("FlowletGap", ns.TimeValue(gap))
        return routing
    routing = aidc.MultipathRoutingHelper()
    if scheme == "flowlet":
        routing.SetSelector("ns3::aidc::FlowletSelector")
        routing.SetSelectorAttribute("Gap", ns.TimeValue(options.gap))
    elif scheme == "spray":
        routing.SetSelector("ns3::aidc::SpraySelector")
    return routing


def build(scenario: Scenario, scheme: str, options: argparse.Namespace) -> aidc.FabricHelper:
    """Builds the network of a scenario, with the routing of a scheme."""
    dctcp = aidc.DctcpOptions()
    dctcp.useSack = False  # acknowledgments may overtake each other
    dctcp.minWindow = 2  # so that no sender waits for a timer because of marks
    aidc.ConfigureDctcp(dctcp)
    network = aidc.FabricHelper()
    experiment.configure(network, options)
    network.SetSwitchRouting(make_routing(scheme, options))
    network.SetDetectionDelay(ns.MicroSeconds(50))
    network.SetConvergenceDelay(ns.MicroSeconds(100))
    network.Build(scenario.fabric)
    switches = aidc.SharedBufferSwitchHelper()
    switches.SetNClasses(1)
    switches.SetBufferAttribute("Size", ns.QueueSizeValue(options.buffer))
    every = aidc.SharedBufferSwitchHelper.ALL_CLASSES
    switches.SetQueueDiscAttribute(every, "Mode", ns.StringValue("StaticStep"))
    switches.SetQueueDiscAttribute(every, "Threshold", ns.QueueSizeValue(options.marking))
    switches.Install(network.GetSwitches())
    network.AssignAddresses()
    network.AssignStreams(100)
    return network


def watch(network: aidc.FabricHelper, load: aidc.LinkLoadMonitor, flow_sets) -> None:
    """Watches the uplinks of all switches, and the flow sets, unless that monitor is None."""
    fabric = network.GetFabric()
    for node in fabric.GetSwitches():
        uplinks = get_uplinks(fabric, node)
        if uplinks:
            load.AddGroup([network.GetPort(node, port) for port in uplinks])
        if flow_sets:
            names = [""] * (len(fabric.GetPorts(node)) + 1)
            if fabric.GetNode(node).tier == aidc.FabricTier.LEAF:
                for port in uplinks:
                    names[port + 1] = fabric.GetPortName(node, port)
            routing = aidc.MultipathRoutingHelper.GetRouting(network.GetNode(node))
            selector = ns.DynamicCast[aidc.FlowSetSelector](routing.GetSelector())
            flow_sets.Add(selector, names)


def schedule_failure(network: aidc.FabricHelper, options: argparse.Namespace) -> None:
    """Schedules that the first uplink of the first leaf fails and comes back."""
    fabric = network.GetFabric()
    leaf = fabric.GetLeaves()[0]
    link = fabric.GetPorts(leaf)[get_uplinks(fabric, leaf)[0]].link
    network.ScheduleFailure(link, quarters(options.duration, 1), quarters(options.duration, 3))


def run_once(run: experiment.Run, options: argparse.Namespace) -> None:
    """Runs one scheme in one scenario."""
    scenario = make_scenario(run.scenario, options)
    run.announce(len(scenario.flows))
    network = build(scenario, run.scheme, options)
    tcp = aidc.TcpFlowHelper()
    tcp.StopWhenDone()
    tcp.Install(network, scenario.flows, options.flows)
    reordering = aidc.ReorderMonitor()
    reordering.Add(network.GetHosts())
    load = aidc.LinkLoadMonitor(ns.MicroSeconds(100))
    flow_sets = aidc.FlowSetMonitor()
    has_flow_sets = run.scheme.startswith("flow-set")
    watch(network, load, flow_sets if has_flow_sets else None)
    if scenario.name == "failure":
        schedule_failure(network, options)
    load.Start()
    ns.Simulator.Stop(scenario.limit)
    ns.Simulator.Run()
    load.Stop()
    if has_flow_sets and run.is_first:
        flow_sets.WriteSeries(run.series_path("cqi"))

    records = run.records = std.vector[aidc.FlowRecord](tcp.GetRecords())
    begin = min(record.spec.start.GetTimeStep() for record in records)
    elapsed = aidc.GetEndOfFlows(records).GetSeconds() - ns.TimeStep(begin).GetSeconds()
    counts = network.GetPacketCounts()
    run.metrics = [
        ("goodput", 8.0 * tcp.GetDeliveredBytes() / elapsed, "bit/s"),
        ("completion_time", elapsed if tcp.IsDone() else math.nan, "s"),
        *((metric.name, metric.value, metric.unit) for metric in aidc.GetFctMetrics(records)),
        ("dropped_packets", counts.dropped, "packet"),
        ("marked_packets", counts.marked, "packet"),
        ("packet_hops", counts.sent, "packet"),
        ("reordered_packets", reordering.GetReorderedPackets(), "packet"),
        ("lost_packets", network.GetLostPackets(), "packet"),
        ("load_imbalance", load.GetImbalance(), "1"),
        ("migrations", flow_sets.GetMigrations(), "1"),
        ("migrations_allowed", flow_sets.GetAllowedMigrations(), "1"),
        ("migration_intervals", flow_sets.GetIntervals(), "1"),
        ("bound_violations", flow_sets.GetBoundViolations(), "1"),
        ("reroutes", flow_sets.GetReroutes(), "1"),
    ]
    ns.Simulator.Destroy()


def run_all(options: argparse.Namespace) -> None:
    """Runs all schemes in all scenarios, and writes the results."""
    parameters = {"topology": (options.topology or "default",), "flow-sizes": (options.flow_sizes,)}
    for name in ("buffer", "marking"):
        parameters[name] = (float(getattr(options, name).GetValue()), "byte")
    for name in ("interval", "gap", "duration"):
        parameters[name] = (getattr(options, name).GetSeconds(), "s")
    plan = experiment.Plan(
        name="flowset-ecmp",
        scenarios=["file"] if options.flows else options.scenarios,
        schemes=options.schemes,
        totals=TOTALS,
        columns=TOTALS,
        parameters=parameters,
        figures="flowset-ecmp.gp",
        has_flow_files=True,
    )
    experiment.run_all(plan, options, lambda run: run_once(run, options))


def parse_options() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], allow_abbrev=False,
        epilog="Parallel simulations (--ranks) are for the C++ program only.")
    add = parser.add_argument
    add("--scenarios", type=experiment.names(SCENARIOS), default=list(SCENARIOS),
        help="scenarios to run, separated by commas: " + ", ".join(SCENARIOS))
    add("--schemes", type=experiment.names(SCHEMES), default=list(SCHEMES),
        help="schemes to run, separated by commas: " + ", ".join(SCHEMES))
    add("--topology", default="",
        help="leaf-spine, fat-tree or a topology file, instead of the scenario's")
    add("--flow-sizes", default="flow-sizes/web-search-dctcp.txt", help="flow-size file")
    add("--flows", default="", help="flow file; runs its flows instead of the scenarios")
    add("--buffer", type=experiment.size_in_bytes, default="12MB",
        help="size of a switch's shared buffer")
    add("--marking", type=experiment.size_in_bytes, default="200kB", help="ECN marking threshold")
    add("--interval", type=experiment.time_span, default="100us",
        help="assessment interval of flow-set switching")
    add("--gap", type=experiment.time_span, default="20us", help="flowlet gap")
    add("--duration", type=experiment.time_span, default="2ms",
        help="how long flows arrive; a quarter of it with --small")
    experiment.add_options(parser, "results/flowset-ecmp")
    options = parser.parse_args()
    for name in ("buffer", "marking"):
        if getattr(options, name).GetValue() == 0:
            parser.error(f"--{name}: expected more than 0B")
    for name in ("interval", "gap", "duration"):
        if not getattr(options, name).IsStrictlyPositive():
            parser.error(f"--{name}: expected more than 0")
    if options.small:
        options.duration = quarters(options.duration, 1)
    return options


def main() -> int:
    """Runs the experiment."""
    options = parse_options()
    return experiment.run_program("flowset-ecmp.py", lambda: run_all(options))


if __name__ == "__main__":
    sys.exit(main())
