#!/usr/bin/env python3
# Copyright (c) 2026 The aidc authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The experiment csig-fabric as a Python script.

The same scenarios, schemes, results and files as examples/csig-fabric.cc, whose header describes
them; the same seed gives the same numbers. Run it with ./aidc run csig-fabric.py.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass
from pathlib import Path

from aidc import experiment, ns
from cppyy.gbl import std

aidc = ns.aidc

SCHEMES_OF = {
    "accuracy": ("interval", "ewma", "dre"),
    "degraded-link": ("idle-mesh", "loaded-mesh"),
    "hot-spot": ("hash", "csig-blind", "csig-balancer"),
    "incast": ("hash", "csig-blind", "csig-balancer"),
    "engineering": ("equal", "csig-weights"),
}
SCENARIOS = tuple(SCHEMES_OF)
SCHEMES = tuple(dict.fromkeys(scheme for some in SCHEMES_OF.values() for scheme in some))
TOTALS = (
    "goodput",
    "fct_slowdown_mean",
    "fct_slowdown_p99",
    "dropped_packets",
    "rehashes",
    "abw_error_mean",
    "abw_lag",
    "rank",
    "detection_time",
)
TIMES = ("abw_lag", "detection_time")  # those of the totals that are in seconds

SPEED = 100000000000  # of all links that are not slower


@dataclass
class CsigFabric:
    """A network with CSIG."""

    network: aidc.FabricHelper
    csig: aidc.CsigHelper = None
    ports: aidc.CsigFabricPorts = None


def number(value: float) -> str:
    """A number as C++ writes it."""
    return f"{value:.6g}"


def make_tree(options: argparse.Namespace, rates: dict[int, int]) -> aidc.FabricPlan:
    """Makes a fat-tree, in which some links have other rates."""
    tree = aidc.MakeFatTree(4 if options.small else 8, SPEED, 1000)
    links = std.vector[aidc.FabricLink](tree.GetLinks())
    for link, rate in rates.items():
        links[link].rate = rate
    return aidc.MakeFabric(tree.GetName(), tree.GetNNodes(), tree.GetSwitches(), links)


def get_first_uplink(fabric: aidc.FabricPlan, leaf: int) -> int:
    """The first port of a leaf that leads up."""
    ports = enumerate(fabric.GetPorts(leaf))
    return next(port for port, to in ports if not fabric.IsHost(to.peer))


def slow_first_uplinks(options: argparse.Namespace, leaves: int | None, rate: int):
    """The rates of the first uplinks of some leaves, by link."""
    tree = make_tree(options, {})
    some = list(tree.GetLeaves())[:leaves]
    return {tree.GetPorts(leaf)[get_first_uplink(tree, leaf)].link: rate for leaf in some}


def make_mix(fabric: aidc.FabricPlan, load: float, options: argparse.Namespace):
    """Flows that arrive at random; the load is the share of the hosts' rate."""
    sizes = aidc.FlowSizeDistribution.Read(aidc.FindDataFile(options.flow_sizes))
    generator = aidc.PoissonFlowGenerator(fabric.GetHosts(), sizes)
    generator.SetHostRate(ns.DataRate(SPEED))
    generator.SetLoad(load)
    generator.SetDuration(options.duration)
    generator.AssignStreams(1)
    return generator.Generate()


def make_counterparts(fabric: aidc.FabricPlan, options: argparse.Namespace, incast: int):
    """Flows from each host to its counterpart in the next pod; first those of an incast."""
    uniform = ns.CreateObject[ns.UniformRandomVariable]()
    uniform.SetStream(10)
    hosts = list(fabric.GetHosts())
    per_pod = len(hosts) // fabric.GetNPods()
    flows = std.vector[aidc.FlowSpec]()

    def add(source: int, destination: int) -> None:
        flow = aidc.FlowSpec()
        flow.source = source
        flow.destination = destination
        flow.bytes = options.size.GetValue()
        flow.start = ns.NanoSeconds(int(uniform.GetValue(0, 10000)))
        flows.push_back(flow)

    senders = [per_pod + i * (len(hosts) - per_pod) // incast for i in range(incast)]
    busy = {*senders, *([0] if incast else [])}
    for sender in senders:
        add(hosts[sender], hosts[0])
    for i, host in enumerate(hosts):
        to = (i + per_pod) % len(hosts)
        if i not in busy and to not in busy:
            add(host, hosts[to])
    return flows


def build(plan: aidc.FabricPlan, run: experiment.Run, options: argparse.Namespace) -> CsigFabric:
    """Builds a network."""
    network = aidc.FabricHelper()
    dctcp = aidc.DctcpOptions()
    dctcp.useSack = run.scenario != "engineering"  # new weights move flows, whose ACKs may overtake
    # Room for the reflection in the header of a segment
    segment = aidc.CsigHostHelper.GetSegmentSize(
        network.GetMtu(), aidc.CsigFormat.EXPANDED, False)
    dctcp.mtu = segment + 40
    aidc.ConfigureDctcp(dctcp)
    experiment.configure(network, options)
    routing = aidc.MultipathRoutingHelper()
    if run.scenario == "engineering":
        routing.SetSelector("ns3::aidc::WeightedSelector")
    network.SetSwitchRouting(routing)
    network.Build(plan)
    switches = aidc.SharedBufferSwitchHelper()
    switches.SetNClasses(1)
    switches.SetBufferAttribute("Size", ns.QueueSizeValue(options.buffer))
    every = aidc.SharedBufferSwitchHelper.ALL_CLASSES
    switches.SetQueueDiscAttribute(every, "Mode", ns.StringValue("StaticStep"))
    switches.SetQueueDiscAttribute(every, "Threshold", ns.QueueSizeValue(options.marking))
    switches.Install(network.GetSwitches())
    network.AssignAddresses()
    network.AssignStreams(100)
    return CsigFabric(network)


def install_csig(fabric: CsigFabric, run: experiment.Run, signals: str, tags_udp: bool,
                 options: argparse.Namespace) -> None:
    """Gives a network CSIG."""
    fabric.csig = csig = aidc.CsigHelper()
    layout = "stage:2,orientation:2,device:7,port:5"
    csig.SetDomainAttribute("ExpandedLocator", ns.StringValue(layout))
    estimation = {"ewma": "Ewma", "dre": "Discounting"}.get(run.scheme, "Interval")
    csig.SetAgentAttribute("Estimation", ns.StringValue(estimation))
    csig.SetAgentAttribute("Interval", ns.TimeValue(options.window))
    hosts = csig.GetHostHelper()
    hosts.SetAttribute("Format", ns.StringValue("Expanded"))
    hosts.SetAttribute("Signals", ns.StringValue(signals))
    hosts.SetAttribute("TagUdp", ns.BooleanValue(tags_udp))
    csig.Install(fabric.network)
    fabric.ports = aidc.CsigFabricPorts(fabric.network)


def collect(fabric: CsigFabric, options: argparse.Namespace) -> aidc.CsigCollector:
    """Makes a collector of the signals of all hosts."""
    collector = aidc.CsigCollector(fabric.csig.GetDomain(), options.window)
    plan = fabric.network.GetFabric()
    for host in plan.GetHosts():
        collector.AddHost(fabric.network.GetNode(host))
        collector.SetGroup(plan.GetAddress(host), plan.GetNodeName(plan.GetLeaf(host)))
    for locator, name in fabric.ports.GetNames():
        collector.SetPort(locator, name)
    return collector


def write_collected(run: experiment.Run, collector: aidc.CsigCollector) -> None:
    """Writes what a collector has of the first run."""
    if run.is_first:
        collector.WriteHeatMap(run.series_path("heat"))
        collector.WriteSummaries(run.series_path("pairs"))


def add_flows(run: experiment.Run, records, network: aidc.FabricHelper) -> None:
    """Adds what became of the flows, and of the packets; the simulation is over."""
    run.records = std.vector[aidc.FlowRecord](records)
    delivered = sum(record.receivedBytes for record in run.records)
    counts = network.GetPacketCounts()
    run.metrics += [
        ("goodput", 8.0 * delivered / aidc.GetEndOfFlows(run.records).GetSeconds(), "bit/s"),
        *((metric.name, metric.value, metric.unit) for metric in aidc.GetFctMetrics(run.records)),
        ("dropped_packets", counts.dropped, "packet"),
        ("marked_packets", counts.marked, "packet"),
        ("packet_hops", counts.sent, "packet"),
    ]


def simulate(limit: ns.Time) -> None:
    """Runs the simulation."""
    ns.Simulator.Stop(limit)
    ns.Simulator.Run()


def run_accuracy(run: experiment.Run, options: argparse.Namespace) -> None:
    """Compares what tags report with the truth."""
    fabric = build(make_tree(options, {}), run, options)
    install_csig(fabric, run, "min(ABW),min(ABW/C),max(PD)", False, options)
    network = fabric.network
    plan = network.GetFabric()
    flows = make_mix(plan, 0.5, options)
    run.announce(len(flows))
    tcp = aidc.TcpFlowHelper()
    tcp.StopWhenDone()
    tcp.Install(network, flows)
    truth = aidc.CsigTruthMonitor(
        fabric.csig.GetDomain(), options.window, ns.MicroSeconds(10))
    for node in plan.GetSwitches():
        for port, locator in enumerate(fabric.ports.GetLocators(node)):
            rate = plan.GetLinks()[plan.GetPorts(node)[port].link].rate
            truth.AddPort(network.GetPort(node, port), rate, locator)
    for host in plan.GetHosts():
        truth.AddHost(network.GetNode(host))
    collector = collect(fabric, options)
    if run.is_first:
        truth.KeepSeries(100)
    simulate(ns.MilliSeconds(200))
    if run.is_first:
        truth.WriteSeries(run.series_path("truth"))

    add_flows(run, tcp.GetRecords(), network)
    signals = aidc.CsigSignal
    rows = []
    for name, signal in (("abw", signals.ABW), ("abw_ratio", signals.ABW_RATIO),
                         ("delay", signals.HOP_DELAY)):
        found = truth.GetAccuracy(signal)
        unit = "s" if name == "delay" else "1"
        run.metrics += [
            (f"{name}_signals", found.nSignals, "1"),
            (f"{name}_error_mean", found.errorMean, unit),
            (f"{name}_error_p99", found.errorP99, unit),
            (f"{name}_bias", found.bias, unit),
            (f"{name}_right_port", found.rightPort, "1"),
            (f"{name}_lag", found.lag, "s"),
        ]
        values = (found.errorMean, found.errorP99, found.bias, found.rightPort, found.lag)
        rows.append(",".join([run.scheme, str(aidc.GetCsigName(signal)), str(found.nSignals),
                              *map(number, values)]))
    if run.is_first:
        with (run.out / "accuracy.csv").open("a", encoding="utf-8") as file:
            file.write("".join(row + "\n" for row in rows))
    write_collected(run, collector)


def run_degraded_link(run: experiment.Run, options: argparse.Namespace) -> None:
    """Looks for a degraded link."""
    rates = slow_first_uplinks(options, 1, SPEED // 4)
    fabric = build(make_tree(options, rates), run, options)
    install_csig(fabric, run, "min(ABW),max(PD)", True, options)
    plan = fabric.network.GetFabric()
    flows = std.vector[aidc.FlowSpec]()
    if run.scheme == "loaded-mesh":
        flows = make_mix(plan, 0.3, options)
    prober = aidc.CsigMeshProber(fabric.csig.GetDomain())
    prober.Install(fabric.network, 20)
    run.announce(len(flows))
    tcp = aidc.TcpFlowHelper()
    tcp.Install(fabric.network, flows)
    link = next(iter(rates))
    prober.Watch(fabric.ports.GetLocatorsOfLink(link), ns.MicroSeconds(20))
    simulate(options.duration)

    add_flows(run, tcp.GetRecords(), fabric.network)
    capacity = float(SPEED * len(plan.GetHosts()))
    seconds = options.duration.GetSeconds()
    abw, delay = aidc.CsigSignal.ABW, aidc.CsigSignal.HOP_DELAY
    run.metrics += [
        ("probes_share", 8.0 * prober.GetSentBytes() / seconds / capacity, "1"),
        ("signals", prober.GetNSignals(), "1"),
        ("rank", prober.GetRank(abw), "1"),
        ("margin", prober.GetMargin(abw), "1"),
        ("detection_time", prober.GetDetectionTime(abw), "s"),
        ("rank_by_delay", prober.GetRank(delay), "1"),
        ("margin_by_delay", prober.GetMargin(delay), "1"),
        ("detection_time_by_delay", prober.GetDetectionTime(delay), "s"),
    ]
    if run.is_first:
        prober.WriteRanking(run.series_path("ranking"), fabric.ports.GetNames())


def run_balancing(run: experiment.Run, options: argparse.Namespace) -> None:
    """Sends at constant rates, and lets flows change their paths."""
    fabric = build(make_tree(options, {}), run, options)
    install_csig(fabric, run, "min(ABW)", True, options)
    plan = fabric.network.GetFabric()
    incast = plan.GetNPods() - 1 if run.scenario == "incast" else 0
    flows = make_counterparts(plan, options, incast)
    run.announce(len(flows))
    udp = aidc.CsigUdpFlowOptions()
    udp.rate = options.rate
    udp.balances = run.scheme != "hash"
    udp.policy.threshold = options.threshold.GetBitRate()
    udp.policy.pause = 2 * options.window.GetNanoSeconds()
    udp.policy.leafStage = int(aidc.FabricTier.LEAF)
    udp.policy.sparesLastHop = run.scheme == "csig-balancer"
    sent = aidc.CsigUdpFlowHelper()
    sent.Install(fabric.network, fabric.csig.GetDomain(), flows, udp)
    sent.StopWhenDone()
    collector = collect(fabric, options)
    simulate(ns.MilliSeconds(200))

    add_flows(run, sent.GetRecords(), fabric.network)
    slowdowns = [record.slowdown for record in run.records]
    others = slowdowns[incast:]
    run.metrics += [
        ("rehashes", sent.GetNRehashes(), "1"),
        ("incast_rehashes", sum(sent.GetNRehashesOf(i) for i in range(incast)), "1"),
        ("last_hop_signals", sent.GetNLastHop(), "1"),
        ("incast_slowdown_mean", sum(slowdowns[:incast]) / incast if incast else math.nan, "1"),
        ("others_slowdown_mean", sum(others) / len(others), "1"),
    ]
    write_collected(run, collector)


def run_engineering(run: experiment.Run, options: argparse.Namespace) -> None:
    """Weights the uplinks of switches."""
    rates = slow_first_uplinks(options, None, 40000000000)
    fabric = build(make_tree(options, rates), run, options)
    install_csig(fabric, run, "min(ABW/C)", False, options)
    network = fabric.network
    plan = network.GetFabric()
    flows = make_mix(plan, 0.5, options)
    run.announce(len(flows))
    tcp = aidc.TcpFlowHelper()
    tcp.StopWhenDone()
    tcp.Install(network, flows)
    reordering = aidc.ReorderMonitor()
    reordering.Add(network.GetHosts())
    engineer = aidc.CsigPathEngineer(fabric.csig.GetDomain(), options.period)
    for node in plan.GetSwitches():
        engineer.AddSwitch(network, node, fabric.ports.GetLocators(node))
    collector = collect(fabric, options)
    if run.scheme == "csig-weights":
        for host in plan.GetHosts():
            engineer.AddHost(network.GetNode(host))
        engineer.Start()
    simulate(ns.MilliSeconds(200))
    engineer.Stop()

    add_flows(run, tcp.GetRecords(), network)
    rows = ["port,rate_bps,weight"]
    slow = 0.0
    for leaf in plan.GetLeaves():
        ports = list(plan.GetPorts(leaf))
        for port in range(get_first_uplink(plan, leaf), len(ports)):
            rate = plan.GetLinks()[ports[port].link].rate
            weight = engineer.GetWeight(fabric.ports.GetLocators(leaf)[port])
            slow += weight if rate < SPEED else 0
            rows.append(f"{plan.GetPortName(leaf, port)},{rate},{number(weight)}")
    run.metrics += [
        ("reordered_packets", reordering.GetReorderedPackets(), "packet"),
        ("weight_updates", engineer.GetNUpdates(), "1"),
        ("slow_weight", slow / len(plan.GetLeaves()), "1"),
    ]
    if run.is_first:
        Path(run.series_path("weights")).write_text("\n".join(rows) + "\n", encoding="utf-8")
    write_collected(run, collector)


RUNS = {
    "accuracy": run_accuracy,
    "degraded-link": run_degraded_link,
    "hot-spot": run_balancing,
    "incast": run_balancing,
    "engineering": run_engineering,
}


def run_once(run: experiment.Run, options: argparse.Namespace) -> None:
    """Runs one scheme in one scenario."""
    RUNS[run.scenario](run, options)
    known = {name for name, _, _ in run.metrics}
    run.metrics += [(name, math.nan, "s" if name in TIMES else "1")
                    for name in TOTALS if name not in known]
    ns.Simulator.Destroy()


def run_all(options: argparse.Namespace) -> None:
    """Runs all schemes in all scenarios, and writes the results."""
    parameters = {"flow-sizes": (options.flow_sizes,)}
    for name in ("buffer", "marking"):
        parameters[name] = (float(getattr(options, name).GetValue()), "byte")
    for name in ("window", "period", "duration"):
        parameters[name] = (getattr(options, name).GetSeconds(), "s")
    parameters["rate"] = (float(options.rate.GetBitRate()), "bit/s")
    parameters["size"] = (float(options.size.GetValue()), "byte")
    parameters["threshold"] = (float(options.threshold.GetBitRate()), "bit/s")
    plan = experiment.Plan(
        name="csig-fabric",
        scenarios=options.scenarios,
        schemes=options.schemes,
        schemes_of=SCHEMES_OF,
        totals=TOTALS,
        columns=TOTALS,
        parameters=parameters,
        figures="csig-fabric.gp",
        has_flow_files=True,
    )
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    (out / "accuracy.csv").write_text(
        "scheme,signal,signals,error_mean,error_p99,bias,right_port,lag_s\n", encoding="utf-8")
    experiment.run_all(plan, options, lambda run: run_once(run, options))


def parse_options() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    add = parser.add_argument
    add("--scenarios", type=experiment.names(SCENARIOS), default=list(SCENARIOS),
        help="scenarios to run, separated by commas: " + ", ".join(SCENARIOS))
    add("--schemes", type=experiment.names(SCHEMES), default=list(SCHEMES),
        help="schemes to run where they make sense, separated by commas: " + ", ".join(SCHEMES))
    add("--flow-sizes", default="flow-sizes/web-search-dctcp.txt", help="flow-size file")
    add("--buffer", type=experiment.size_in_bytes, default="12MB",
        help="size of a switch's shared buffer")
    add("--marking", type=experiment.size_in_bytes, default="200kB", help="ECN marking threshold")
    add("--window", type=experiment.time_span, default="100us",
        help="what available bandwidth is measured over")
    add("--period", type=experiment.time_span, default="200us",
        help="how often csig-weights sets new weights")
    add("--duration", type=experiment.time_span, default="2ms",
        help="how long flows arrive and probes are sent; a quarter of it with --small")
    add("--rate", type=experiment.data_rate, default="40Gbps",
        help="rate of the flows of hot-spot and incast; half as much again with --small")
    add("--size", type=experiment.size_in_bytes, default="20MB",
        help="size of the flows of hot-spot and incast; a quarter of it with --small")
    add("--threshold", type=experiment.data_rate, default="10Gbps",
        help="less available bandwidth is congestion to flows that change their path")
    experiment.add_options(parser, "results/csig-fabric")
    options = parser.parse_args()
    for name in ("buffer", "marking", "size"):
        if getattr(options, name).GetValue() == 0:
            parser.error(f"--{name}: expected more than 0B")
    for name in ("window", "period", "duration"):
        if not getattr(options, name).IsStrictlyPositive():
            parser.error(f"--{name}: expected more than 0")
    if options.rate.GetBitRate() == 0:
        parser.error("--rate: expected more than 0bps")
    if options.devices != "ethernet":
        parser.error("--devices: expected ethernet, whose frames can have tags")
    if options.small:
        options.duration = ns.TimeStep(options.duration.GetTimeStep() // 4)
        options.rate = ns.DataRate(options.rate.GetBitRate() // 2 * 3)
        options.size = ns.QueueSize(f"{options.size.GetValue() // 4}B")
    return options


def main() -> int:
    """Runs the experiment."""
    options = parse_options()
    return experiment.run_program("csig-fabric.py", lambda: run_all(options))


if __name__ == "__main__":
    sys.exit(main())
