#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Three data centers, and maintenance of the link between two of them while all of them send.

Each host sends to a host of each other data center, both ways. The link is drained before it is
taken down: packets go through the third data center's core router, and none is lost.
Helpers: WanHelper, WanTunnelHelper, PriorityFlowControlHelper, RoceHelper.
Run it with ./aidc run examples/wiring/wan-three-sites.py.
"""

from aidc import ns

aidc = ns.aidc

SITES = 3
HOSTS = 2
BYTES = 20000000
DELAYS = {(0, 1): 1000000, (1, 2): 2000000, (0, 2): 2500000}  # ns from edge to edge

site = aidc.LeafSpineSettings()
site.leaves, site.spines, site.hostsPerLeaf = 2, 2, HOSTS // 2
settings, pairs = aidc.WanSettings(), []
for (a, b), delay in DELAYS.items():
    pair = aidc.WanPairSettings()  # with one path
    pair.a, pair.b, pair.paths[0].delay = a, b, delay
    pairs.append(pair)
settings.pairs = pairs

wan = aidc.WanHelper()
for i in range(SITES):
    wan.GetAidc(i).SetMtu(4200)  # for packets of 4096 bytes
wan.SetCoreKnowsAidcs(False)  # the provider edge sends through tunnels
wan.SetConvergenceDelay(ns.MicroSeconds(500))
wan.Build([aidc.MakeLeafSpine(site) for _ in range(SITES)], aidc.MakeWan(settings))
switches = aidc.SharedBufferSwitchHelper()
switches.Install(wan.GetSwitches())
routers = aidc.SharedBufferSwitchHelper()
routers.SetBufferAttribute("Size", ns.StringValue("64MB"))
every = aidc.SharedBufferSwitchHelper.ALL_CLASSES
routers.SetQueueDiscAttribute(every, "Mode", ns.StringValue("StaticStep"))
for nodes in (wan.GetCores(), wan.GetEdges()):
    routers.Install(nodes)
wan.InstallLossless(aidc.PriorityFlowControlHelper())
wan.AssignAddresses()
tunnels = aidc.WanTunnelHelper()
tunnels.Install(wan)

roce = aidc.RoceHelper()
roce.SetAttribute("MaxPackets", ns.StringValue("65536"))
roce.Install(wan.GetHosts())
nics = [
    [aidc.RoceHelper.GetNic(wan.GetAidc(i).GetHosts().Get(host)) for host in range(HOSTS)]
    for i in range(SITES)
]
work = aidc.RoceWork()
work.nBytes = BYTES
for i in range(SITES):
    for j in range(SITES):
        for host in range(HOSTS):
            if i != j:
                sender, receiver = nics[i][host], nics[j][host]
                sender.Post(aidc.RoceHelper.Connect(sender, receiver).first, work)

link = wan.GetPlan().FindLink("core-a-0", "core-c-0")
times = [ns.MicroSeconds(us) for us in (500, 4000, 30000)]  # drained, down, restored
wan.ScheduleMaintenance(link, *times)
ns.Simulator.Stop(ns.MilliSeconds(100))
ns.Simulator.Run()

statistics = [nic.GetStatistics() for row in nics for nic in row]
print(f"Received {sum(s.receivedBytes for s in statistics)} bytes "
      f"of {SITES * (SITES - 1) * HOSTS * BYTES}, "
      f"lost {wan.GetLostPackets()} packets, dropped {wan.GetPacketCounts().dropped}")
ns.Simulator.Destroy()
