#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""An incast of seven TCP flows, with and without priority flow control: drops against pauses.

Helpers: PriorityFlowControlHelper, SharedBufferSwitchHelper, FabricHelper, TcpFlowHelper.
Run it with ./aidc run examples/wiring/priority-flow-control.py.
"""

from aidc import ns
from cppyy.gbl import std

aidc = ns.aidc


def make_incast(hosts: list[int]) -> std.vector[aidc.FlowSpec]:
    """Makes a flow of 500 kB from each host to the first one."""
    flows = std.vector[aidc.FlowSpec]()
    for host in hosts[1:]:
        flow = aidc.FlowSpec()
        flow.source, flow.destination, flow.bytes = host, hosts[0], 500000
        flows.push_back(flow)
    return flows


def simulate(is_lossless: bool) -> None:
    """Simulates the incast, and prints what has become of packets."""
    aidc.ConfigureDctcp()  # large windows; here nothing is marked
    network = aidc.FabricHelper()
    network.Build(aidc.TopologyFile.Read(aidc.FindDataFile("topologies/tor-8-12us.txt")).GetFabric())
    switches = aidc.SharedBufferSwitchHelper()
    switches.SetBufferAttribute("Size", ns.StringValue("1200kB"))
    for name, value in (("Mode", "StaticStep"), ("Threshold", "100MB")):
        switches.SetQueueDiscAttribute(switches.ALL_CLASSES, name, ns.StringValue(value))
    switches.Install(network.GetSwitches())

    # After the switches' queue discs, before addresses. The flows have DSCP 0, priority 0.
    pfc = aidc.PriorityFlowControlHelper()
    pfc.SetPriorities([0])
    if is_lossless:
        pfc.InstallSwitches(network.GetSwitches())
        pfc.InstallHosts(network.GetHosts())
    network.AssignAddresses()

    tcp = aidc.TcpFlowHelper()
    tcp.StopWhenDone()
    tcp.Install(network, make_incast(list(network.GetFabric().GetHosts())))
    ns.Simulator.Run()
    last = max(record.fct.GetSeconds() for record in tcp.GetRecords())
    print(f"{'lossless' if is_lossless else 'lossy'}: done after {1000 * last:.2f} ms, "
          f"{network.GetPacketCounts().dropped} packets dropped")
    if is_lossless:
        devices = [network.GetNode(host).GetDevice(0) for host in network.GetFabric().GetHosts()]
        controls = [device.GetObject[aidc.PriorityFlowControl]() for device in devices]
        found = [control.GetStatistics().priorities[0] for control in controls]
        print(f"  hosts were stopped {sum(one.pauses for one in found)} times, for "
              f"{sum(one.paused.GetSeconds() for one in found) * 1e6:.0f} us in all")
    ns.Simulator.Destroy()


simulate(False)
simulate(True)
