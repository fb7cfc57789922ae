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
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from aidc import ns
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


def run_once(scenario: Scenario, scheme: str, options: argparse.Namespace, series: str):
    """Runs one scheme; returns (metric, value, unit) in a list, and the records of the flows."""
    started = time.monotonic()
    aidc.ConfigureDctcp()
    network = aidc.FabricHelper()
    network.Build(scenario.topology.GetFabric())

    share = "ns3::aidc::SharedBufferQueue::"
    ns.Config.SetDefault(share + "Alpha", ns.DoubleValue(options.alpha))
    ns.Config.SetDefault(share + "Cap", ns.StringValue(scenario.cap))
    switches = aidc.SharedBufferSwitchHelper()
    switches.SetNClasses(1)
    switches.SetBufferAttribute("Size", ns.QueueSizeValue(options.buffer))
    set_scheme(switches, scheme, options)
    switches.Install(network.GetSwitches())
    network.AssignAddresses()
    network.AssignStreams(100)

    tcp = aidc.TcpFlowHelper()
    tcp.SetStopWhenDone(True)
    tcp.Install(network, scenario.flows, options.flows)

    monitor = aidc.EcnQueueMonitor(scenario.sampling)
    for receiver in dict.fromkeys(flow.destination for flow in scenario.flows):
        monitor.AddPort(network.GetSwitchPort(receiver))
    if series:
        port = network.GetSwitchPort(scenario.flows[0].destination)
        monitor.WriteSeries(aidc.EcnQueueMonitor.FindQueues(port)[0], series)
    monitor.Start()
    ns.Simulator.Stop(scenario.limit)
    ns.Simulator.Run()
    monitor.Stop()

    begin = min(flow.start.GetNanoSeconds() for flow in scenario.flows)
    elapsed = (ns.Simulator.Now().GetNanoSeconds() - begin) / 1e9
    metrics = [
        ("goodput", 8.0 * tcp.GetDeliveredBytes() / elapsed, "bit/s"),
        ("dropped_packets", monitor.GetDroppedPackets(), "packet"),
        ("marked_packets", monitor.GetMarkedPackets(), "packet"),
        ("drops_before_first_mark", monitor.GetDropsBeforeFirstMark(), "packet"),
        ("queue_p99", monitor.GetOccupancyPercentile(0.99), "byte"),
        ("queue_max", monitor.GetMaxOccupancy(), "byte"),
    ]
    if scenario.name != "light":  # its flows do not end
        metrics.append(("completion_time", elapsed if tcp.IsDone() else math.nan, "s"))
        results = aidc.GetFctMetrics(tcp.GetRecords())
        metrics += [(metric.name, metric.value, metric.unit) for metric in results]
    records = std.vector[aidc.FlowRecord](tcp.GetRecords())
    ns.Simulator.Destroy()
    return [*metrics, ("wall_time", time.monotonic() - started, "s")], records


def run_all(options: argparse.Namespace) -> None:
    """Runs all schemes in all scenarios, and writes the results."""
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    summary = aidc.ExperimentSummary("coupled-ecn")
    summary.SetSeed(options.seed)
    summary.SetRuns(options.runs)
    summary.SetCommand(" ".join(["coupled-ecn.py", *sys.argv[1:]]))
    summary.SetParameter("buffer", float(options.buffer.GetValue()), "byte")
    summary.SetParameter("alpha", options.alpha)
    summary.SetParameter("load", options.load)
    summary.SetParameter("flow-sizes", options.flow_sizes)
    summary.SetParameter("topology", options.topology or "default")
    totals = ["scenario,scheme,dropped_packets,marked_packets"]
    slowdowns = aidc.SlowdownTable(str(out))

    names = ["file"] if options.flows else options.scenarios
    planned = [(name, scheme) for name in names for scheme in SCHEMES]
    for number, (name, scheme) in enumerate(planned):
        key = f"{scheme}@{name}"
        for run in range(1, options.runs + 1):
            ns.RngSeedManager.SetSeed(options.seed)
            ns.RngSeedManager.SetRun(run)
            scenario = make_scenario(name, options)
            done = number * options.runs + run
            total = len(planned) * options.runs
            print(f"[{done}/{total}] {key}, {len(scenario.flows)} flows", file=sys.stderr)
            # The series is that of the first run.
            series = str(out / f"queue-{name}-{scheme}.csv") if run == 1 else ""
            metrics, records = run_once(scenario, scheme, options, series)
            for metric, value, unit in metrics:
                summary.Add(key, metric, float(value), unit)
            slowdowns.Add(records)
        means = (summary.GetMean(key, metric) for metric in ("dropped_packets", "marked_packets"))
        totals.append(",".join([name, scheme, *(f"{mean:.6g}" for mean in means)]))
        slowdowns.Write(name, scheme)

    (out / "totals.csv").write_text("\n".join(totals) + "\n", encoding="utf-8")
    summary.WriteJson(str(out / "summary.json"))
    summary.SetColumns(list(COLUMNS))
    summary.PrintTable(std.cout)
    std.cout.flush()
    aidc.DrawFigures(aidc.FindExampleFile("coupled-ecn.gp"), str(out), std.cerr)
    print(f"Results are in {out}")


def size_in_bytes(text: str):
    """Parses a size such as 12MB."""
    if not re.fullmatch(r"\d+(\.\d+)?([kKM]i?)?B", text):
        raise argparse.ArgumentTypeError(f'expected a size such as 12MB, found "{text}"')
    return ns.QueueSize(text)


def main() -> int:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    add = parser.add_argument
    add("--scenarios", type=lambda text: text.split(","), default=list(SCENARIOS),
        help="scenarios to run, separated by commas: " + ", ".join(SCENARIOS))
    add("--topology", default="", help="topology file instead of the scenario's")
    add("--flow-sizes", default="flow-sizes/web-search-dctcp.txt",
        help="flow-size file of scenario mix")
    add("--flows", default="", help="flow file; runs its flows instead of the scenarios")
    add("--load", type=float, default=0.6, help="load of scenario mix, above 0 and at most 1")
    add("--buffer", type=size_in_bytes, default="12MB", help="size of the shared buffer")
    add("--offset", type=size_in_bytes, default="0B", help="Offset of coupled; 0B derives it")
    add("--alpha", type=float, default=8.0, help="factor of the dynamic threshold")
    add("--seed", type=int, default=1, help="seed of the random number generators")
    add("--runs", type=int, default=1, help="number of runs; with several, confidence intervals")
    add("--out", default="results/coupled-ecn", help="folder of the results")
    add("--small", action="store_true", help="a variant that takes seconds")
    options = parser.parse_args()
    unknown = [name for name in options.scenarios if name not in SCENARIOS]
    checks = {
        f"--scenarios: expected {', '.join(SCENARIOS)}, found {unknown}": unknown,
        "--load: expected more than 0 and at most 1": not 0 < options.load <= 1,
        "--alpha: expected 1/65536 to 65536": not 1 / 65536 <= options.alpha <= 65536,
        "--buffer: expected more than 0": options.buffer.GetValue() == 0,
        "--seed: expected at least 1": options.seed < 1,
        "--runs: expected at least 1": options.runs < 1,
    }
    for message, failed in checks.items():
        if failed:
            parser.error(message)
    try:
        run_all(options)
    except (std.exception, OSError, ValueError) as error:
        print(f"coupled-ecn.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
