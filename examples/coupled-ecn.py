#!/usr/bin/env python3
# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The experiment coupled-ecn as a Python script.

The same scenarios, schemes, results and files as examples/coupled-ecn.cc, whose header describes
them; the same seed gives the same numbers. Run it with ./aidc run coupled-ecn.py.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass

from aidc import experiment, ns
from cppyy.gbl import std

aidc = ns.aidc

SCENARIOS = ("light", "incast", "incast-capped", "mix")
SCHEMES = {"static-low": "200kB", "static-high": "2MB", "coupled": None}
COLUMNS = (
    "goodput",
    "dropped_packets",
    "drops_before_first_mark",
    "marked_packets",
    "queue_p99",
    "fct_mean",
    "fct_p99",
    "fct_slowdown_p99",
)


@dataclass
class Scenario:
    """The flows of a scenario, and where they go."""

    name: str
    topology: aidc.TopologyFile
    flows: object
    limit: ns.Time
    sampling: ns.Time
    cap: str = "0B"


def fan_in(hosts: list[int], receivers: int, size: int):
    """Flows of two senders to each receiver, spread over 10 us; the last hosts send."""
    uniform = ns.CreateObject[ns.UniformRandomVariable]()
    uniform.SetStream(1)
    flows = std.vector[aidc.FlowSpec]()
    for index in range(2 * receivers):
        flow = aidc.FlowSpec()
        flow.source = hosts[-1 - index]
        flow.destination = hosts[index // 2]
        flow.bytes = size
        flow.start = ns.NanoSeconds(int(uniform.GetValue(0, 10000)))
        flows.push_back(flow)
    return flows


def make_scenario(name: str, options: argparse.Namespace) -> Scenario:
    """Reads the topology of a scenario and makes its flows."""
    incast = name.startswith("incast")
    default = {"light": "tor-48-200us", "mix": "tor-48-12us"}.get(name, "tor-48-incast")
    default = "tor-48-12us" if name == "file" else default
    path = options.topology or f"topologies/{default}.txt"
    topology = aidc.TopologyFile.Read(aidc.FindDataFile(path))
    aidc.NoteTrailingText(std.cerr, topology.GetName(), topology.GetTrailingText())
    hosts = list(topology.GetHosts())
    third = max(1, len(hosts) // 3)
    if name == "light":
        flows = fan_in(hosts, min(4, third), 0)
        limit = ns.MilliSeconds(10 if options.small else 30)
        return Scenario(name, topology, flows, limit, ns.MicroSeconds(20))
    if incast:
        flows = fan_in(hosts, third, 1000000 if options.small else 5000000)
        cap = "0B" if name == "incast" else "250kB"
        return Scenario(name, topology, flows, ns.MilliSeconds(100), ns.MicroSeconds(1), cap)
    if name == "mix":
        sizes = aidc.FlowSizeDistribution.Read(aidc.FindDataFile(options.flow_sizes))
        generator = aidc.PoissonFlowGenerator(topology.GetHosts(), sizes)
        generator.SetLoad(options.load)
        generator.SetDuration(ns.MicroSeconds(300 if options.small else 3000))
        generator.AssignStreams(1)
        flows = generator.Generate()
        return Scenario(name, topology, flows, ns.MilliSeconds(200), ns.MicroSeconds(5))
    trailing = aidc.TrailingText()
    flows = aidc.ReadFlowFile(aidc.FindDataFile(options.flows), trailing)
    aidc.NoteTrailingText(std.cerr, options.flows, trailing)
    if not len(flows):
        raise ValueError("scenario file has no flows")
    limit = flows[len(flows) - 1].start + ns.Seconds(1)
    return Scenario(name, topology, flows, limit, ns.MicroSeconds(100))


def set_scheme(switches, scheme: str, options: argparse.Namespace) -> None:
    """Configures the marking of a switch; coupled has what the helper derives from the links."""
    every = aidc.SharedBufferSwitchHelper.ALL_CLASSES
    threshold = SCHEMES[scheme]
    if threshold:
        switches.SetQueueDiscAttribute(every, "Mode", ns.StringValue("StaticStep"))
        switches.SetQueueDiscAttribute(every, "Threshold", ns.StringValue(threshold))
    elif options.offset.GetValue() > 0:
        switches.SetQueueDiscAttribute(every, "Offset", ns.QueueSizeValue(options.offset))


def run_once(run: experiment.Run, options: argparse.Namespace) -> None:
    """Runs one scheme in one scenario."""
    scenario = make_scenario(run.scenario, options)
    run.announce(len(scenario.flows))
    aidc.ConfigureDctcp()
    network = aidc.FabricHelper()
    experiment.configure(network, options)
    network.Build(scenario.topology.GetFabric())

    share = "ns3::aidc::SharedBufferQueue::"
    ns.Config.SetDefault(share + "Alpha", ns.DoubleValue(options.alpha))
    ns.Config.SetDefault(share + "Cap", ns.StringValue(scenario.cap))
    switches = aidc.SharedBufferSwitchHelper()
    switches.SetNClasses(1)
    switches.SetBufferAttribute("Size", ns.QueueSizeValue(options.buffer))
    set_scheme(switches, run.scheme, options)
    switches.Install(network.GetSwitches())
    network.AssignAddresses()
    network.AssignStreams(100)

    tcp = aidc.TcpFlowHelper()
    tcp.StopWhenDone()
    tcp.Install(network, scenario.flows, options.flows)

    monitor = aidc.EcnQueueMonitor(scenario.sampling)
    for receiver in dict.fromkeys(flow.destination for flow in scenario.flows):
        monitor.AddPort(network.GetSwitchPort(receiver))
    if run.is_first:
        port = network.GetSwitchPort(scenario.flows[0].destination)
        queue = aidc.EcnQueueMonitor.FindQueues(port)[0]
        monitor.WriteSeries(queue, run.series_path("queue"))
    monitor.Start()
    ns.Simulator.Stop(scenario.limit)
    ns.Simulator.Run()
    monitor.Stop()

    begin = min(flow.start.GetNanoSeconds() for flow in scenario.flows)
    elapsed = (aidc.GetEndOfFlows(tcp.GetRecords()).GetNanoSeconds() - begin) / 1e9
    run.metrics = [
        ("goodput", 8.0 * tcp.GetDeliveredBytes() / elapsed, "bit/s"),
        ("dropped_packets", monitor.GetDroppedPackets(), "packet"),
        ("marked_packets", monitor.GetMarkedPackets(), "packet"),
        ("drops_before_first_mark", monitor.GetDropsBeforeFirstMark(), "packet"),
        ("queue_p99", monitor.GetOccupancyPercentile(0.99), "byte"),
        ("queue_max", monitor.GetMaxOccupancy(), "byte"),
    ]
    if scenario.name != "light":  # its flows do not end
        run.metrics.append(("completion_time", elapsed if tcp.IsDone() else math.nan, "s"))
        results = aidc.GetFctMetrics(tcp.GetRecords())
        run.metrics += [(metric.name, metric.value, metric.unit) for metric in results]
    run.records = std.vector[aidc.FlowRecord](tcp.GetRecords())
    ns.Simulator.Destroy()


def run_all(options: argparse.Namespace) -> None:
    """Runs all schemes in all scenarios, and writes the results."""
    plan = experiment.Plan(
        name="coupled-ecn",
        scenarios=["file"] if options.flows else options.scenarios,
        schemes=list(SCHEMES),
        totals=("dropped_packets", "marked_packets"),
        columns=COLUMNS,
        parameters={
            "buffer": (float(options.buffer.GetValue()), "byte"),
            "alpha": (options.alpha,),
            "load": (options.load,),
            "flow-sizes": (options.flow_sizes,),
            "topology": (options.topology or "default",),
        },
        figures="coupled-ecn.gp",
    )
    experiment.run_all(plan, options, lambda run: run_once(run, options))


def main() -> int:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    add = parser.add_argument
    add("--scenarios", type=experiment.names(SCENARIOS), default=list(SCENARIOS),
        help="scenarios to run, separated by commas: " + ", ".join(SCENARIOS))
    add("--topology", default="", help="topology file instead of the scenario's")
    add("--flow-sizes", default="flow-sizes/web-search-dctcp.txt",
        help="flow-size file of scenario mix")
    add("--flows", default="", help="flow file; runs its flows instead of the scenarios")
    add("--load", type=float, default=0.6, help="load of scenario mix, above 0 and at most 1")
    add("--buffer", type=experiment.size_in_bytes, default="12MB", help="size of the shared buffer")
    add("--offset", type=experiment.size_in_bytes, default="0B",
        help="Offset of coupled; 0B derives it")
    add("--alpha", type=float, default=8.0, help="factor of the dynamic threshold")
    experiment.add_options(parser, "results/coupled-ecn")
    options = parser.parse_args()
    checks = {
        "--load: expected more than 0 and at most 1": not 0 < options.load <= 1,
        "--alpha: expected 1/65536 to 65536": not 1 / 65536 <= options.alpha <= 65536,
        "--buffer: expected more than 0": options.buffer.GetValue() == 0,
    }
    for message, failed in checks.items():
        if failed:
            parser.error(message)
    return experiment.run_program("coupled-ecn.py", lambda: run_all(options))


if __name__ == "__main__":
    sys.exit(main())
