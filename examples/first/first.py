#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A leaf-spine fabric with coupled ECN, flow-set routing and CSIG; an elephant and an incast."""

import argparse

import pandas
from aidc import ns
from cppyy.gbl import std

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--senders", type=int, default=8, help="senders of the incast, from 1 to 47")
parser.add_argument("--RngRun", type=int, default=1, help="the seed, which ./aidc sweep sets")
options = parser.parse_args()
if not 1 <= options.senders <= 47:
    parser.error(f"expected --senders from 1 to 47, found {options.senders}")
aidc = ns.aidc
ns.RngSeedManager.SetRun(options.RngRun)
aidc.ConfigureDctcp()  # before there are hosts
network = aidc.FabricHelper()
network.SetSwitchRouting(aidc.MultipathRoutingHelper("ns3::aidc::FlowSetEcmpRouting"))
network.Build(aidc.MakeLeafSpine(aidc.LeafSpineSettings()))  # 64 hosts at 100 Gbit/s
aidc.SharedBufferSwitchHelper().Install(network.GetSwitches())  # queues with coupled ECN
network.AssignAddresses()
csig = aidc.CsigHelper()
csig.GetHostHelper().SetAttribute("Format", ns.StringValue("Expanded"))  # names ports
csig.SetPortAttribute("Trusted", ns.BooleanValue(True))  # switches take tags from hosts
csig.Install(network)
hosts = list(network.GetFabric().GetHosts())
flows = std.vector[aidc.FlowSpec]()
for i in range(options.senders + 1):  # the first one is the elephant, the others are the incast
    flow = aidc.FlowSpec()
    flow.source, flow.destination = hosts[16 + i], hosts[0]
    flow.bytes, flow.start = (200000, ns.MicroSeconds(500)) if i else (20000000, ns.Time(0))
    flows.push_back(flow)
tcp = aidc.TcpFlowHelper()
tcp.StopWhenDone()
tcp.Install(network, flows)
ns.Simulator.Run()

records = pandas.DataFrame(
    {
        "bytes": [int(record.spec.bytes) for record in tcp.GetRecords()],
        "fct_us": [1e6 * record.fct.GetSeconds() for record in tcp.GetRecords()],
        "limited_by": [str(found.port.name) for found in csig.GetBottlenecks()],
    }
)
print(records)
print(f"last_fct = {records['fct_us'].iloc[-1] / 1e6} s")  # a metric of ./aidc sweep
records.plot.bar(y="fct_us", xlabel="flow", ylabel="microseconds").figure.savefig("flows.png")
ns.Simulator.Destroy()
