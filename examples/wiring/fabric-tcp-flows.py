#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A fabric with DCTCP flows, a link that fails, and time windows instead of ns-3's event order.

Helpers: FabricHelper, TcpFlowHelper, SharedBufferSwitchHelper, TimeWindowHelper, ReorderMonitor.
Run it with ./aidc run examples/wiring/fabric-tcp-flows.py.
"""

from aidc import ns

aidc = ns.aidc

aidc.TimeWindowHelper.Enable()  # the same results, sooner in large networks
aidc.ConfigureDctcp()  # before there are stacks

# 4 leaves of 8 hosts, 2 spines, 100 Gb/s and 1 us everywhere.
plan = aidc.LeafSpineSettings()
plan.leaves, plan.spines, plan.hostsPerLeaf = 4, 2, 8
plan.leafSpineRate = plan.hostRate
network = aidc.FabricHelper()
network.SetDetectionDelay(ns.MicroSeconds(10))
network.Build(aidc.MakeLeafSpine(plan))
aidc.SharedBufferSwitchHelper().Install(network.GetSwitches())  # queues that mark
network.AssignAddresses()

# Flows between any two hosts for 0.2 ms, of sizes as in web search, at 30 % load.
sizes = aidc.FlowSizeDistribution.Read(aidc.FindDataFile("flow-sizes/web-search-dctcp.txt"))
generator = aidc.PoissonFlowGenerator(network.GetFabric().GetHosts(), sizes)
generator.SetHostRate(ns.DataRate("100Gbps"))
generator.SetLoad(0.3)
generator.SetDuration(ns.MicroSeconds(200))
generator.AssignStreams(1)
tcp = aidc.TcpFlowHelper()
tcp.StopWhenDone()
tcp.Install(network, generator.Generate())

# The last port of the first leaf leads to a spine; its link is down for 0.1 ms.
fabric = network.GetFabric()
link = list(fabric.GetPorts(fabric.GetLeaves()[0]))[-1].link
network.ScheduleFailure(link, ns.MicroSeconds(50), ns.MicroSeconds(150))

reordering = aidc.ReorderMonitor()
reordering.Add(network.GetHosts())
ns.Simulator.Stop(ns.MilliSeconds(100))
ns.Simulator.Run()

records = tcp.GetRecords()
slowdowns = sorted(record.slowdown for record in records if record.isDone)
print(f"{len(slowdowns)} of {len(records)} flows are done, median slowdown "
      f"{slowdowns[len(slowdowns) // 2]:.2f}, largest {slowdowns[-1]:.1f}")
print(f"{network.GetLostPackets()} packets were lost with the failed link, "
      f"{reordering.GetReorderedPackets()} were reordered")
print(f"A window lasted {aidc.TimeWindowHelper.GetWindow().GetMicroSeconds():.1f} us")
ns.Simulator.Destroy()
