#!/usr/bin/env python3
# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Congestion signaling: what senders learn of the bottlenecks of their paths.

Helpers: CsigHelper and its CsigHostHelper, CsigCollector, CsigFabricPorts, FabricHelper.
Run it with ./aidc run examples/wiring/csig-signals.py.
"""

from aidc import ns

aidc = ns.aidc

# Segments leave room for the reflection in their TCP header.
network = aidc.FabricHelper()
dctcp = aidc.DctcpOptions()
segment = aidc.CsigHostHelper.GetSegmentSize(network.GetMtu(), aidc.CsigFormat.EXPANDED, False)
dctcp.mtu = segment + 40
aidc.ConfigureDctcp(dctcp)

network.Build(aidc.TopologyFile.Read(aidc.FindDataFile("topologies/tor-8-12us.txt")).GetFabric())
aidc.SharedBufferSwitchHelper().Install(network.GetSwitches())
network.AssignAddresses()

# After queue discs and addresses: ports that update tags, hosts that ask and reflect.
csig = aidc.CsigHelper()
csig.SetAgentAttribute("Interval", ns.TimeValue(ns.MicroSeconds(20)))
csig.GetHostHelper().SetAttribute("Format", ns.StringValue("Expanded"))
csig.GetHostHelper().SetAttribute("Signals", ns.StringValue("min(ABW),max(PD)"))
csig.Install(network)

# What all hosts learn, by time and by the name of the port that a tag names.
collector = aidc.CsigCollector(csig.GetDomain(), ns.MicroSeconds(100))
for host in network.GetFabric().GetHosts():
    collector.AddHost(network.GetNode(host))
for locator, name in aidc.CsigFabricPorts(network).GetNames():
    collector.SetPort(locator, name)

tcp = aidc.TcpFlowHelper()
tcp.StopWhenDone()
tcp.Install(network, aidc.ReadFlowFile(aidc.FindDataFile("flows/pair.txt")))
ns.Simulator.Stop(ns.MilliSeconds(10))
ns.Simulator.Run()

print(f"Senders got {collector.GetNSignals()} signals")
ns.Simulator.Destroy()
