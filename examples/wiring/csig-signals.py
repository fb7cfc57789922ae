#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Congestion signaling: three UDP flows overload a host's link, and their senders are told where.

Helpers: CsigHelper and its CsigHostHelper, CsigUdpFlowHelper, FabricHelper.
Run it with ./aidc run examples/wiring/csig-signals.py.
"""

from aidc import ns
from cppyy.gbl import std

aidc = ns.aidc

plan = aidc.LeafSpineSettings()
plan.leaves, plan.spines, plan.hostsPerLeaf = 2, 2, 4
plan.leafSpineRate = plan.hostRate
network = aidc.FabricHelper()
network.Build(aidc.MakeLeafSpine(plan))
aidc.SharedBufferSwitchHelper().Install(network.GetSwitches())
network.AssignAddresses()

# After queue discs and addresses: ports that update tags, hosts that ask in turn for the least
# available bandwidth and the longest delay of a hop, and reflect what they are told.
csig = aidc.CsigHelper()
csig.SetAgentAttribute("Interval", ns.TimeValue(ns.MicroSeconds(20)))
csig.GetHostHelper().SetAttribute("Format", ns.StringValue("Expanded"))
csig.GetHostHelper().SetAttribute("Signals", ns.StringValue("min(ABW),max(PD)"))
csig.GetHostHelper().SetAttribute("TagUdp", ns.BooleanValue(True))
csig.SetPortAttribute("Trusted", ns.BooleanValue(True))  # leaves take tags from hosts
csig.Install(network)

# From hosts of the first leaf, 40 Gb/s each, to the first host of the second leaf.
hosts = list(network.GetFabric().GetHosts())
flows = std.vector[aidc.FlowSpec]()
for i in range(3):
    flow = aidc.FlowSpec()
    flow.source, flow.destination, flow.bytes = hosts[i], hosts[4], 1000000
    flows.push_back(flow)
udp = aidc.CsigUdpFlowHelper()
udp.Install(network, csig.GetDomain(), flows, aidc.CsigUdpFlowSettings())
udp.StopWhenDone()
ns.Simulator.Stop(ns.MilliSeconds(10))
ns.Simulator.Run()

for host in hosts[:3]:
    source = ns.DynamicCast[aidc.CsigUdpSource](network.GetNode(host).GetApplication(0))
    for signal in (aidc.CsigSignal.ABW, aidc.CsigSignal.HOP_DELAY):
        found = csig.GetBottleneck(source.GetFlow(), signal)
        if found:
            reading = found.value().reading
            print(f"{network.GetFabric().GetNodeName(host)}: {aidc.GetCsigName(signal)} is "
                  f"{reading.GetValue()} {reading.GetUnit()} at {found.value().port.name}")
ns.Simulator.Destroy()
