// SPDX-License-Identifier: GPL-2.0-only

#include "random-parallel-network.h"

#include "ns3/boolean.h"
#include "ns3/clos-fabric.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/graph-fabric.h"
#include "ns3/mpi-processes.h"
#include "ns3/object-factory.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/process-gather.h"
#include "ns3/queue-size.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"
#include "ns3/time-window-helper.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <tuple>

namespace aidctest
{

namespace
{

/// When the simulation ends.
const Time END = MicroSeconds(400);

/// The speeds of links.
constexpr std::array<uint64_t, 3> SPEEDS{10'000'000'000, 25'000'000'000, 40'000'000'000};

const char*
GetName(uint32_t load)
{
    static constexpr std::array<const char*, 4> NAMES{"UDP", "TCP", "RoCEv2", "lossless RoCEv2"};
    return NAMES.at(load);
}

/// Add a number to a digest, by FNV-1a.
void
AddTo(uint64_t& digest, uint64_t number)
{
    constexpr uint64_t PRIME = 1099511628211U;
    for (uint32_t shift = 0; shift < 64; shift += 8)
    {
        digest = (digest ^ (number >> shift & 0xff)) * PRIME;
    }
}

} // namespace

RandomParallelNetwork::RandomParallelNetwork(uint32_t seed)
    : m_seed(seed),
      m_random(seed)
{
}

RandomParallelNetwork::~RandomParallelNetwork() = default;

uint32_t
RandomParallelNetwork::Draw(uint32_t least, uint32_t most)
{
    // Not by a distribution of the standard library, each of which has its own
    return least + static_cast<uint32_t>(m_random() % (uint64_t{most} - least + 1));
}

FabricPlan
RandomParallelNetwork::MakeRandomLeafSpine()
{
    LeafSpineSettings settings;
    settings.leaves = 2 * Draw(1, 3);
    settings.spines = Draw(1, 3);
    settings.hostsPerLeaf = Draw(2, 4); // two hosts at least, if each has two leaves
    settings.leavesPerHost = Draw(1, 2);
    settings.parallelLinks = Draw(1, 2);
    return MakeLeafSpine(settings);
}

FabricPlan
RandomParallelNetwork::MakeRandomClos()
{
    ClosSettings settings;
    settings.pods = Draw(2, 3);
    settings.leavesPerPod = 2;
    settings.hostsPerLeaf = Draw(1, 2);
    settings.leavesPerHost = Draw(1, 2);
    settings.spinesPerPod = Draw(1, 2);
    settings.superSpinesPerPlane = Draw(1, 2);
    settings.parallelLinks = Draw(1, 2);
    return MakeClos5(settings);
}

FabricPlan
RandomParallelNetwork::MakePlan()
{
    const FabricPlan regular = Draw(0, 1) == 0 ? MakeRandomLeafSpine() : MakeRandomClos();
    // All delays alike in some networks, so that much happens at the same time
    const bool isUniform = Draw(0, 2) == 0;
    const uint64_t speed = SPEEDS.at(Draw(0, 2));
    const bool isLossy = Draw(0, 3) == 0;
    auto links = regular.GetLinks();
    for (LinkIndex link; link < links.GetEnd(); ++link)
    {
        links[link].rate = isUniform ? speed : SPEEDS.at(Draw(0, 2));
        links[link].delay = isUniform ? 500 : Draw(200, 3000);
        links[link].errorRate = isLossy && Draw(0, 3) == 0 ? 0.01 : 0;
    }
    auto plan = MakeFabric("random", regular.GetNNodes(), regular.GetSwitches(), links);
    const uint32_t nProcesses = MpiProcesses::Get().GetN();
    std::mt19937 random(m_seed + 1000);
    if (random() % 3 == 0 && nProcesses <= plan.GetNPods())
    {
        plan.AssignProcesses(nProcesses);
        return plan;
    }
    IndexedVector<NodeIndex, uint32_t> processes;
    for (NodeIndex node; node < NodeIndex(plan.GetNNodes()); ++node)
    {
        // No process without a node
        processes.Add(node.value < nProcesses ? node.value
                                              : static_cast<uint32_t>(random() % nProcesses));
    }
    plan.SetProcesses(processes, nProcesses);
    return plan;
}

void
RandomParallelNetwork::MakeFlows(const FabricPlan& plan)
{
    const auto& hosts = plan.GetHosts();
    const auto last = static_cast<uint32_t>(hosts.size() - 1);
    // Some networks have an incast.
    const bool isIncast = Draw(0, 2) == 0;
    const uint32_t n = Draw(2, 12);
    for (uint32_t i = 0; i < n; ++i)
    {
        const uint32_t to = isIncast ? 0 : Draw(0, last);
        const uint32_t from = (to + Draw(1, last)) % (last + 1);
        FlowSpec flow;
        flow.source = hosts[from];
        flow.destination = hosts[to];
        flow.bytes = Draw(1, 200) * 1000;
        flow.start = NanoSeconds(1000 * Draw(0, 50));
        m_flows.push_back(flow);
    }
}

void
RandomParallelNetwork::Build()
{
    m_load = static_cast<Load>(Draw(0, 3));
    const auto plan = MakePlan();
    const bool isRoce = m_load == Load::ROCE || m_load == Load::LOSSLESS_ROCE;
    m_network = std::make_unique<FabricHelper>();
    auto& network = *m_network;
    network.SetDeviceKind(FabricHelper::ETHERNET);
    network.SetDatapath(Draw(0, 3) == 0 ? SwitchDatapath::STACK : SwitchDatapath::FAST);
    if (isRoce)
    {
        network.SetMtu(4200);
    }
    else
    {
        ConfigureDctcp();
    }
    network.Build(plan);
    SharedBufferSwitchHelper switches;
    // Lossless ports need their headroom.
    const std::string size =
        std::to_string(Draw(2, 5)) + (m_load == Load::LOSSLESS_ROCE ? "MB" : "00kB");
    switches.SetBufferAttribute("Size", QueueSizeValue(QueueSize(size)));
    SharedBufferSwitchHelper::AssignStreams(switches.Install(network.GetSwitches()), 1000);
    if (m_load == Load::LOSSLESS_ROCE)
    {
        PriorityFlowControlHelper pfc;
        pfc.InstallSwitches(network.GetSwitches());
        pfc.InstallHosts(network.GetHosts());
    }
    network.AssignAddresses();
    network.AssignStreams(1);
    MakeFlows(plan);
    if (isRoce)
    {
        RoceHelper roce;
        const bool isSwift = Draw(0, 1) == 0;
        roce.SetCongestionControl(isSwift ? "ns3::aidc::SwiftControl" : "ns3::aidc::DcqcnControl");
        roce.Install(network.GetHosts());
        m_roce.Install(network, m_flows);
    }
    else if (m_load == Load::TCP)
    {
        m_tcp.Install(network, m_flows);
    }
    else
    {
        CsigUdpFlowSettings settings;
        settings.rate = DataRate(SPEEDS.at(Draw(0, 2)) / 2);
        settings.packetSize = Draw(200, 8000);
        m_udp.Install(network, nullptr, m_flows, settings);
    }
    std::ostringstream text;
    text << "seed " << m_seed << ": " << plan.GetHosts().size() << " hosts, "
         << plan.GetSwitches().size() << " switches, " << plan.GetLinks().size() << " links, "
         << m_flows.size() << " flows of " << GetName(static_cast<uint32_t>(m_load))
         << ", buffers of " << size;
    m_text = text.str();
}

void
RandomParallelNetwork::ScheduleFailures()
{
    m_network->SetDetectionDelay(NanoSeconds(Draw(0, 20000)));
    m_network->SetConvergenceDelay(NanoSeconds(Draw(0, 20000)));
    const auto& links = m_network->GetFabric().GetLinks();
    const uint32_t n = Draw(0, 2);
    for (uint32_t i = 0; i < n; ++i)
    {
        const LinkIndex link(Draw(0, static_cast<uint32_t>(links.size() - 1)));
        const Time failure = NanoSeconds(Draw(5000, 60000));
        m_network->ScheduleFailure(link, failure, failure + NanoSeconds(Draw(20000, 100000)));
        m_text += ", link " + std::to_string(link.value) + " fails";
    }
    m_text += "\n";
}

void
RandomParallelNetwork::WatchPorts()
{
    const auto& plan = m_network->GetFabric();
    for (NodeIndex node; node < NodeIndex(plan.GetNNodes()); ++node)
    {
        for (PortIndex port; m_network->IsLocal(node) && port < plan.GetPorts(node).GetEnd();
             ++port)
        {
            m_ports.push_back(std::make_unique<Port>());
            m_ports.back()->node = node.value;
            m_ports.back()->port = port.value;
            m_network->GetPort(node, port)
                ->TraceConnectWithoutContext(
                    "PhyRxEnd",
                    MakeBoundCallback(&RandomParallelNetwork::NoteFrame, m_ports.back().get()));
        }
    }
}

void
RandomParallelNetwork::NoteFrame(Port* port, Ptr<const Packet> frame)
{
    ++port->n;
    AddTo(port->digest, static_cast<uint64_t>(Simulator::Now().GetTimeStep()));
    // The headers, which tell the frame from others
    std::array<uint8_t, 64> bytes{};
    frame->CopyData(bytes.data(), bytes.size());
    AddTo(port->digest, frame->GetSize());
    for (const uint8_t byte : bytes)
    {
        AddTo(port->digest, byte);
    }
}

std::string
RandomParallelNetwork::WritePorts() const
{
    std::vector<Port> own;
    for (const auto& port : m_ports)
    {
        own.push_back(*port);
    }
    auto all = GatherItems(own);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return std::tie(a.node, a.port) < std::tie(b.node, b.port);
    });
    std::ostringstream text;
    for (const auto& port : all)
    {
        text << "node " << port.node << ", port " << port.port << ": " << port.n << " frames, "
             << std::hex << port.digest << std::dec << "\n";
    }
    return text.str();
}

std::vector<FlowRecord>
RandomParallelNetwork::GatherRecords()
{
    if (m_load == Load::UDP)
    {
        m_udp.Gather();
        return m_udp.GetRecords();
    }
    FlowRecordsHelper& flows =
        m_load == Load::TCP ? static_cast<FlowRecordsHelper&>(m_tcp) : m_roce;
    flows.Gather();
    return flows.GetRecords();
}

std::string
RandomParallelNetwork::Simulate()
{
    RngSeedManager::SetSeed(m_seed);
    TimeWindowHelper::Enable();
    Build();
    ScheduleFailures();
    WatchPorts();
    Simulator::Stop(END);
    Simulator::Run();
    std::ostringstream text;
    text << m_text;
    for (const auto& record : GatherRecords())
    {
        text << "flow from " << record.spec.source << " to " << record.spec.destination << ": "
             << record.receivedBytes << " of " << record.spec.bytes << " bytes, done "
             << record.isDone << " at " << record.finish.GetNanoSeconds() << " ns, ideal "
             << record.idealFct.GetNanoSeconds() << " ns\n";
    }
    const auto counts = m_network->GetPacketCounts();
    text << "packets: " << counts.sent << " sent, " << counts.dropped << " dropped, "
         << counts.marked << " marked, " << m_network->GetLostPackets()
         << " lost by failures, end at " << Simulator::Now().GetNanoSeconds() << " ns\n"
         << WritePorts();
    m_network.reset();
    Simulator::Destroy();
    return text.str();
}

} // namespace aidctest
