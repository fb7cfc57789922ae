#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Selectors of next hops: flow-set switching against hashing, on four elephants and four uplinks.

Helpers: MultipathRoutingHelper, FlowSetMonitor, LinkLoadMonitor, FabricHelper, TcpFlowHelper.
Run it with ./aidc run examples/wiring/flow-set-routing.py.
"""

from aidc import ns
from cppyy.gbl import std

aidc = ns.aidc


def make_routing(is_flow_set: bool) -> aidc.MultipathRoutingHelper:
    """Makes the helper that installs the routing of switches."""
    if not is_flow_set:
        return aidc.MultipathRoutingHelper()  # by a hash of the five-tuple
    routing = aidc.MultipathRoutingHelper("ns3::aidc::FlowSetEcmpRouting")
    routing.SetSelector("ns3::aidc::FlowSetSelector")
    routing.SetSelectorAttribute("AssessmentInterval", ns.TimeValue(ns.MicroSeconds(100)))
    routing.SetSelectorAttribute("FlowletGap", ns.TimeValue(ns.MicroSeconds(10)))
    return routing


def make_elephants(fabric: aidc.FabricPlan) -> std.vector[aidc.FlowSpec]:
    """Makes a flow from each host of the first leaf to one of the second leaf."""
    hosts = list(fabric.GetHosts())
    flows = std.vector[aidc.FlowSpec]()
    for i in range(4):
        flow = aidc.FlowSpec()
        flow.source, flow.destination, flow.bytes = hosts[i], hosts[4 + i], 5000000
        flow.start = ns.MicroSeconds(i)
        flows.push_back(flow)
    return flows


def simulate(is_flow_set: bool) -> None:
    """Simulates one kind of routing, and prints what it does."""
    dctcp = aidc.DctcpSettings()
    dctcp.useSack = False  # acknowledgments may overtake each other
    aidc.ConfigureDctcp(dctcp)
    plan = aidc.LeafSpineSettings()
    plan.leaves, plan.spines, plan.hostsPerLeaf = 2, 4, 4
    plan.leafSpineRate = plan.hostRate
    network = aidc.FabricHelper()
    network.SetSwitchRouting(make_routing(is_flow_set))
    network.Build(aidc.MakeLeafSpine(plan))
    aidc.SharedBufferSwitchHelper().Install(network.GetSwitches())
    network.AssignAddresses()
    network.AssignStreams(1)
    tcp = aidc.TcpFlowHelper()
    tcp.StopWhenDone()
    tcp.Install(network, make_elephants(network.GetFabric()))

    monitor = aidc.FlowSetMonitor()
    leaf = network.GetNode(network.GetFabric().GetLeaves()[0])
    selector = aidc.MultipathRoutingHelper.GetRouting(leaf).GetSelector()
    if is_flow_set:
        monitor.Add(ns.DynamicCast[aidc.FlowSetSelector](selector), std.vector[std.string]())
    ns.Simulator.Run()
    last = max(record.fct.GetSeconds() for record in tcp.GetRecords())
    print(f"{selector.GetInstanceTypeId().GetName()}: done after {1000 * last:.3f} ms, "
          f"{monitor.GetMigrations()} migrations of {monitor.GetAllowedMigrations()} allowed")
    ns.Simulator.Destroy()


simulate(False)
simulate(True)
