#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The queue of an incast and its two thresholds, as a figure."""

import pandas
from aidc import ns, traces
from cppyy.gbl import std

aidc = ns.aidc
aidc.ConfigureDctcp()
network = aidc.FabricHelper()
network.Build(aidc.MakeLeafSpine(aidc.LeafSpineSettings()))
switches = aidc.SharedBufferSwitchHelper()
switches.SetBufferAttribute("Size", ns.StringValue("9MB"))
switches.SetRtt(ns.MicroSeconds(80))  # the distance of the thresholds follows from it
switches.Install(network.GetSwitches())
network.AssignAddresses()

hosts = list(network.GetFabric().GetHosts())
port = network.GetSwitchPort(hosts[0])  # the port of the leaf that leads to the first host
queue = aidc.EcnQueueMonitor.FindQueues(port)[0]
monitor = aidc.EcnQueueMonitor(ns.MicroSeconds(1))
monitor.Add(queue)
monitor.WriteSeries(queue, "incast.csv")
monitor.Start()

thresholds: list[int] = []
traces.connect(queue, "EcnThrd", lambda before, after: thresholds.append(after))

flows = std.vector[aidc.FlowSpec]()
for i in range(32):
    flow = aidc.FlowSpec()
    flow.source, flow.destination, flow.bytes = hosts[16 + i], hosts[0], 200000
    flows.push_back(flow)
tcp = aidc.TcpFlowHelper()
tcp.StopWhenDone()
tcp.Install(network, flows)
ns.Simulator.Run()
ns.Simulator.Destroy()

print(f"{monitor.GetMarkedPackets()} packets were marked, {monitor.GetDroppedPackets()} dropped")
print(f"The ECN threshold fell to {min(thresholds) / 1e6:.2f} MB")
series = pandas.read_csv("incast.csv")
series["ms"] = 1e3 * series["time_s"]
lines = ["occupancy_byte", "buf_thrd_byte", "ecn_thrd_byte"]
series.plot(x="ms", y=lines, ylabel="bytes").figure.savefig("incast.png")
