// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup aidc
 * @brief Benchmarks routes_k12, routes_k32, memory_k32: what it takes to route a fat-tree.
 *
 * The time of FabricHelper::AssignAddresses() is measured in a network whose nodes, links and queue
 * discs of switches are there: the computation of all routes, and for each node its interfaces,
 * addresses, and routes, and each host's queue disc. The memory is the most that the process has
 * had beyond what it had before it made the plan: the whole network with its protocol stacks and
 * the queue discs of switches with one class.
 *
 * The same is done by ns-3 at sizes where it ends: GlobalRouting, the time of
 * PopulateRoutingTables(), in which all routes are computed and installed; and NixVector, which
 * routes on demand, the time until one packet of each host to one in another pod is routed. The
 * time of interfaces and addresses, which is part of ours, is not part of theirs.
 */

#include "ns3/fabric-routes.h"

#include "child-process.h"
#include "paired-timing.h"
#include "plain-network.h"
#include "udp-load.h"

#include "ns3/abort.h"
#include "ns3/clos-fabric.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/packet.h"
#include "ns3/protocol-numbers.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/socket.h"

#ifdef AIDC_HAS_NIX_VECTOR
#include "ns3/nix-vector-helper.h"
#endif

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

constexpr uint64_t RATE = 100000000000; //!< bit/s of all links
constexpr int64_t DELAY = 1000;         //!< ns of all links

/// What routes a network.
enum class Side
{
    FABRIC,     //!< FabricHelper
    GLOBAL,     //!< ns-3's GlobalRouting
    NIX_VECTOR, //!< ns-3's NixVector
};

/// Get the most memory that this process has had. @return bytes of resident memory
double
GetPeakMemory()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
    return static_cast<double>(usage.ru_maxrss);
#else
    return static_cast<double>(usage.ru_maxrss) * 1024;
#endif
}

/// Build and route a fat-tree with FabricHelper. @return seconds to route; bytes of memory; seconds
/// to build; seconds of it to compute the routes
ChildProcess::Report
RouteByFabric(uint32_t k)
{
    const double before = GetPeakMemory();
    FabricHelper network;
    const double build = GetProcessorTime([&] {
        network.Build(MakeFatTree(k, RATE, DELAY));
        SharedBufferSwitchHelper switches;
        switches.SetNClasses(1);
        switches.Install(network.GetSwitches());
    });
    const double route = GetProcessorTime([&] { network.AssignAddresses(); });
    const double memory = GetPeakMemory() - before;
    const FabricPlan& fabric = network.GetFabric();
    const double compute = GetProcessorTime([&] {
        const FabricRoutes routes(fabric);
        for (const NodeIndex id : fabric.GetSwitches())
        {
            NS_ABORT_MSG_IF(routes.GetTable(id).routes.empty(), "A switch has no routes");
        }
    });
    return {route, memory, build, compute};
}

/// Build and route a fat-tree with GlobalRouting. @return seconds to route
ChildProcess::Report
RouteByGlobal(uint32_t k)
{
    const FabricPlan fabric = MakeFatTree(k, RATE, DELAY);
    PlainNetwork network(fabric, Ipv4GlobalRoutingHelper());
    network.AssignAddresses(fabric);
    return {GetProcessorTime([] { Ipv4GlobalRoutingHelper::PopulateRoutingTables(); })};
}

#ifdef AIDC_HAS_NIX_VECTOR

/// Build a fat-tree with NixVector, and route a packet of each host. @return seconds to route
ChildProcess::Report
RouteByNixVector(uint32_t k)
{
    const FabricPlan fabric = MakeFatTree(k, RATE, DELAY);
    PlainNetwork network(fabric, Ipv4NixVectorHelper());
    network.AssignAddresses(fabric);
    const auto partners = ChoosePartners(fabric, 1);
    const double route = GetProcessorTime([&] {
        for (std::size_t i = 0; i < partners.size(); ++i)
        {
            const NodeIndex host = fabric.GetHosts()[i];
            Ipv4Header header;
            header.SetSource(network.GetAddress(host));
            header.SetDestination(network.GetAddress(partners[i]));
            header.SetProtocol(PROTOCOL_UDP);
            Socket::SocketErrno error;
            const auto routing = network.GetNode(host)->GetObject<Ipv4>()->GetRoutingProtocol();
            NS_ABORT_MSG_UNLESS(routing->RouteOutput(Create<Packet>(1000), header, nullptr, error),
                                "NixVector has not found a route");
        }
    });
    return {route};
}

#endif

/// Build and route a fat-tree, in a process of its own.
ChildProcess::Report
Route(Side side, uint32_t k)
{
    ChildProcess child([side, k] {
        return [side, k] {
#ifdef AIDC_HAS_NIX_VECTOR
            if (side == Side::NIX_VECTOR)
            {
                return RouteByNixVector(k);
            }
#endif
            return side == Side::GLOBAL ? RouteByGlobal(k) : RouteByFabric(k);
        };
    });
    return child.Run();
}

/// Measure our time to route over ns-3's, and print it.
void
Compare(const std::string& name, Side side, uint32_t k, uint32_t pairs)
{
    PairedTiming timing;
    for (uint32_t i = 0; i < pairs; ++i)
    {
        timing.Add(Route(Side::FABRIC, k)[0], Route(side, k)[0]);
    }
    const auto ratio = timing.Get();
    std::fprintf(stderr, "  %-32s %.6f (1 is %.4f s)\n", name.c_str(), ratio.median, ratio.seconds);
    PrintResult(name, side == Side::GLOBAL ? "GlobalRouting" : "NixVector", ratio);
}

/// Route a fat-tree several times, and print the figures for the reader.
ChildProcess::Report
Measure(uint32_t k, uint32_t runs)
{
    std::array<std::vector<double>, std::tuple_size_v<ChildProcess::Report>> values;
    for (uint32_t run = 0; run < runs; ++run)
    {
        const auto report = Route(Side::FABRIC, k);
        for (std::size_t i = 0; i < report.size(); ++i)
        {
            values[i].push_back(report[i]);
        }
    }
    ChildProcess::Report medians{};
    for (std::size_t i = 0; i < medians.size(); ++i)
    {
        medians[i] = GetQuantile(values[i], 0.5);
    }
    std::fprintf(stderr,
                 "  k = %u: %u hosts and %u switches built in %.3f s, routed in %.3f s, of which "
                 "the routes' computation %.3f s; %.1f MB\n",
                 k,
                 k * k * k / 4,
                 k * k * 5 / 4,
                 medians[2],
                 medians[0],
                 medians[3],
                 medians[1] / 1e6);
    return medians;
}

/// Build and route one fat-tree, if the user asks for it by --k=K; ends the program then.
void
MeasureOneSize(int argc, char* argv[])
{
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        if (argument.rfind("--k=", 0) == 0)
        {
            Measure(static_cast<uint32_t>(std::strtoul(argument.c_str() + 4, nullptr, 10)), 1);
            std::exit(0);
        }
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    MeasureOneSize(argc, argv);
    const auto parse = [argc, argv](const std::string& name) {
        return ParseBenchmarkOptions(
            argc,
            argv,
            name,
            "seconds to route a fat-tree of switches with 12 ports, and (routes_k32) with 32; "
            "(memory_k32) bytes of the network; (routes_k4_over_global_routing, "
            "routes_k8_over_global_routing, routes_k4_over_nixvector, routes_k8_over_nixvector) "
            "time over that of ns-3's own routing. --k=K builds and routes one of that size, and "
            "prints time and memory",
            "k12 k32",
            5);
    };
    const auto options = parse("routes_k12");
    if (!options.only.empty())
    {
        RouteByFabric(options.only == "k12" ? 12 : 32);
        return 0;
    }
    if (options.selected)
    {
        PrintResult("routes_k12", Measure(12, options.pairs)[0], "s", "limit 0.1 s", options.pairs);
    }
    const bool isTime = parse("routes_k32").selected;
    const bool isMemory = parse("memory_k32").selected;
    if (isTime || isMemory)
    {
        const auto report = Measure(32, 1);
        if (isTime)
        {
            PrintResult("routes_k32", report[0], "s", "limit 10 s", 1);
        }
        if (isMemory)
        {
            PrintResult("memory_k32", report[1], "byte", "limit 2e9 byte", 1);
        }
    }
    for (const uint32_t k : {4, 8})
    {
        const std::string prefix = "routes_k" + std::to_string(k) + "_over_";
        if (parse(prefix + "global_routing").selected)
        {
            Compare(prefix + "global_routing", Side::GLOBAL, k, k == 4 ? options.pairs : 1);
        }
        if (parse(prefix + "nixvector").selected)
        {
#ifdef AIDC_HAS_NIX_VECTOR
            Compare(prefix + "nixvector", Side::NIX_VECTOR, k, options.pairs);
#else
            std::cerr << "  " << prefix << "nixvector is left out: this ns-3 was built without its "
                      << "module nix-vector-routing\n";
#endif
        }
    }
    return 0;
}
