#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A shared-buffer switch with coupled ECN, wired by hand, under ns-3's own applications.

Helpers: EthernetHelper, SharedBufferSwitchHelper, EcnQueueMonitor.
Run it with ./aidc run examples/wiring/coupled-ecn-switch.py.
"""

from aidc import ns

aidc = ns.aidc
SENDERS = 6

aidc.ConfigureDctcp()  # before there are stacks
switch = ns.NodeContainer(1)
hosts = ns.NodeContainer(1 + SENDERS)  # the first one receives

# Links come first, then stacks, queue discs, and addresses.
ethernet = aidc.EthernetHelper()
ethernet.SetDeviceAttribute("DataRate", ns.StringValue("100Gbps"))
ethernet.SetDeviceAttribute("Mtu", ns.UintegerValue(9000))
ethernet.SetChannelAttribute("Delay", ns.StringValue("3us"))
links = [ethernet.Install(switch.Get(0), hosts.Get(i)) for i in range(hosts.GetN())]
stack = ns.InternetStackHelper()
stack.Install(switch)
stack.Install(hosts)

# Offset and ECN_Floor of each port are derived from its rate and the RTT: without SetRtt() the RTT
# of the links, here one that leaves room for what arrives before senders have seen the first marks.
switches = aidc.SharedBufferSwitchHelper()
switches.SetNClasses(1)
switches.SetBufferAttribute("Size", ns.StringValue("4MB"))
every = aidc.SharedBufferSwitchHelper.ALL_CLASSES
switches.SetClassAttribute(every, "Alpha", ns.DoubleValue(1))
switches.SetClassAttribute(every, "Cap", ns.StringValue("1MB"))
switches.SetRtt(ns.MicroSeconds(50))
switches.Install(switch)

addresses = ns.Ipv4AddressHelper(ns.Ipv4Address("10.0.0.0"), ns.Ipv4Mask("255.255.255.252"))
assigned = []
for link in links:
    assigned.append(addresses.Assign(link))
    addresses.NewNetwork()
ns.Ipv4GlobalRoutingHelper.PopulateRoutingTables()

port = ns.InetSocketAddress(assigned[0].GetAddress(1), 5000).ConvertTo()
sink = ns.PacketSinkHelper("ns3::TcpSocketFactory", port)
sink.Install(hosts.Get(0))
bulk = ns.BulkSendHelper("ns3::TcpSocketFactory", port)
bulk.SetAttribute("SendSize", ns.UintegerValue(8960))
for i in range(SENDERS):
    bulk.Install(hosts.Get(1 + i)).Start(ns.MicroSeconds(i))

monitor = aidc.EcnQueueMonitor(ns.MicroSeconds(1))
monitor.AddPort(links[0].Get(0))
monitor.Start()
ns.Simulator.Stop(ns.MilliSeconds(2))
ns.Simulator.Run()

queue = aidc.EcnQueueMonitor.FindQueues(links[0].Get(0))[0]
print(f"The Offset is {queue.GetEffectiveOffset()} bytes")
print(f"{SENDERS} senders filled the queue to {monitor.GetMaxOccupancy() / 1000:.0f} kB at most, "
      f"{monitor.GetOccupancyPercentile(0.5) / 1000:.0f} kB in the median")
print(f"{monitor.GetMarkedPackets()} packets were marked, {monitor.GetDroppedPackets()} dropped")
ns.Simulator.Destroy()
