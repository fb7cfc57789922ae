#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A ring all-reduce of eight hosts over RoCEv2 with DCQCN, in a lossless class.

Helpers: RoceHelper, RoceRankHelper, RankApplicationHelper, PriorityFlowControlHelper.
Run it with ./aidc run examples/wiring/rocev2-all-reduce.py.
"""

from aidc import ns
from cppyy.gbl import std

aidc = ns.aidc

RANKS = 8
BYTES = 16000000

network = aidc.FabricHelper()
network.SetMtu(4200)  # for packets of 4096 bytes
plan = aidc.LeafSpineSettings()
plan.leaves, plan.spines, plan.hostsPerLeaf = 2, 4, RANKS // 2
network.Build(aidc.MakeLeafSpine(plan))
aidc.SharedBufferSwitchHelper().Install(network.GetSwitches())
pfc = aidc.PriorityFlowControlHelper()  # class 3, where packets of RoCEv2 go
pfc.InstallSwitches(network.GetSwitches())
pfc.InstallHosts(network.GetHosts())
network.AssignAddresses()

roce = aidc.RoceHelper()
roce.SetAttribute("CongestionControl", ns.StringValue("ns3::aidc::DcqcnControl"))
roce.Install(network.GetHosts())

# One collective, of all ranks; nothing comes before it.
schedule = aidc.CollectiveSchedule(
    aidc.CollectiveKind.ALL_REDUCE, aidc.CollectiveAlgorithm.RING, RANKS, BYTES
)
workload = aidc.WorkloadPlan(RANKS)
ranks = std.make_shared[std.vector["uint32_t"]](std.vector["uint32_t"](range(RANKS)))
after = std.vector[std.vector["uint32_t"]](RANKS)
workload.AddCollective("all-reduce", schedule, ranks, after)

training = aidc.RankApplicationHelper(workload)
hosts = network.GetHosts()
training.Install(hosts, aidc.RoceRankHelper.Connect(training.GetPlan(), hosts))
training.StopWhenDone()
ns.Simulator.Run()

record = training.GetCollectiveRecords()[0]
time = (record.finish - record.start).GetSeconds()
print(f"All-reduce of {BYTES / 1e6:g} MB by {RANKS} ranks: {time * 1e3:.3f} ms, "
      f"bus bandwidth {8 * record.bandwidth.bus / 1e9:.1f} Gb/s")
nic = aidc.RoceHelper.GetNic(hosts.Get(0))
print(f"Host 0 sent {nic.GetStatistics().sentPackets} packets, "
      f"{nic.GetStatistics().retransmittedPackets} of them again")
ns.Simulator.Destroy()
