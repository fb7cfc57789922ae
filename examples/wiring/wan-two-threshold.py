#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Two data centers, tunnels between them, and a WAN whose routers mark in two steps.

Four hosts send through a core link as fast as all of them together; the provider edge is notified of
light congestion and slows the flows down before anything is lost.
Helpers: WanHelper, WanTunnelHelper, PreEcnWanHelper, PriorityFlowControlHelper, RoceHelper.
Run it with ./aidc run examples/wiring/wan-two-threshold.py.
"""

from aidc import ns

aidc = ns.aidc

HOSTS = 4
BYTES = 20000000
PRIORITY = 3  # where packets of RoCEv2 go

site = aidc.LeafSpineSettings()
site.leaves, site.spines, site.hostsPerLeaf = 2, 2, HOSTS // 2
paths = aidc.TwoSiteWanSettings()
for path, delay in enumerate((10000000, 12000000)):  # ns from edge to edge
    paths.paths[path].delay, paths.paths[path].rate = delay, 200000000000

wan = aidc.WanHelper()
for i in range(2):
    wan.GetAidc(i).SetMtu(4200)  # for packets of 4096 bytes
wan.SetCoreKnowsAidcs(False)  # the provider edge sends through tunnels
wan.Build([aidc.MakeLeafSpine(site), aidc.MakeLeafSpine(site)], aidc.MakeTwoSiteWan(paths))

switches = aidc.SharedBufferSwitchHelper()
switches.Install(wan.GetSwitches())
routers = aidc.SharedBufferSwitchHelper()
routers.SetBufferAttribute("Size", ns.StringValue("64MB"))
every = aidc.SharedBufferSwitchHelper.ALL_CLASSES
routers.SetQueueDiscAttribute(every, "Mode", ns.StringValue("StaticStep"))
routers.SetQueueDisc(PRIORITY, "ns3::aidc::PreEcnQueueDisc")
marking = {"T1": "1MB", "T2": "16MB", "Maximum": "48MB", "AverageWeight": "0.02"}
for name, value in marking.items():
    routers.SetQueueDiscAttribute(PRIORITY, name, ns.StringValue(value))
for nodes in (wan.GetCores(), wan.GetEdges()):
    routers.Install(nodes)
wan.InstallLossless(aidc.PriorityFlowControlHelper())
wan.AssignAddresses()

tunnels = aidc.WanTunnelHelper()
tunnels.SetAttribute("EgressMode", ns.StringValue("PipeForEct1"))
tunnels.Install(wan)
edge = aidc.PreEcnWanHelper()
edge.SetKey("000102030405060708090a0b0c0d0e0f")
edge.Install(wan, tunnels)

roce = aidc.RoceHelper()
roce.SetAttribute("CongestionControl", ns.StringValue("ns3::aidc::DcqcnControl"))
roce.SetAttribute("MaxPackets", ns.StringValue("131072"))  # 100 Gbit/s over 20 ms there and back
roce.Install(wan.GetHosts())
for i in range(HOSTS):
    ends = [aidc.RoceHelper.GetNic(wan.GetAidc(j).GetHosts().Get(i)) for j in range(2)]
    pair = aidc.RoceHelper.Connect(ends[0], ends[1])
    work = aidc.RoceWork()
    work.nBytes = BYTES
    ends[0].Post(pair.first, work)
ns.Simulator.Stop(ns.MilliSeconds(100))
ns.Simulator.Run()

notifiers = edge.GetNotifiers()
print(f"Notifications: {sum(n.GetStatistics().light for n in notifiers)} of light congestion, "
      f"{sum(n.GetStatistics().severe for n in notifiers)} of severe congestion")
nics = [aidc.RoceHelper.GetNic(wan.GetAidc(1).GetHosts().Get(i)) for i in range(HOSTS)]
print(f"Received {sum(nic.GetStatistics().receivedBytes for nic in nics)} bytes, "
      f"dropped {wan.GetPacketCounts().dropped} packets")
ns.Simulator.Destroy()
