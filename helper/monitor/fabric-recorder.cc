// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-recorder.h"

#include "../../model/core/require-argument.h"
#include "../fabric-network.h"
#include "../local-node.h"
#include "fabric-recording.h"

#include "ns3/callback.h"
#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ingress-edge-controller.h"
#include "ns3/ipv4.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/multipath-routing.h"
#include "ns3/priority-flow-control.h"
#include "ns3/process-gather.h"
#include "ns3/queue-disc.h"
#include "ns3/roce-nic.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/warning.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3::aidc
{

namespace
{

const char*
GetName(FabricTier tier)
{
    switch (tier)
    {
    case FabricTier::HOST:
        return "host";
    case FabricTier::LEAF:
        return "leaf";
    case FabricTier::SPINE:
        return "spine";
    default:
        return "super-spine";
    }
}

/// A link as processes exchange it.
struct FoundLink
{
    uint32_t a;    //!< the number of the node at its first end
    uint32_t port; //!< the index of the device there
    uint32_t b;    //!< the number of the node at the other end
    uint64_t rate; //!< bit/s
    int64_t delay; //!< ns
};

/// @return its rate in bit/s, 0 if it has none
uint64_t
GetRate(Ptr<NetDevice> device)
{
    DataRateValue rate;
    device->GetAttributeFailSafe("DataRate", rate);
    return rate.Get().GetBitRate();
}

/// @return its root queue disc, null if it has none
Ptr<QueueDisc>
GetRoot(Ptr<NetDevice> device)
{
    const auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
    return layer ? layer->GetRootQueueDiscOnDevice(device) : nullptr;
}

} // namespace

FabricRecorder::FabricRecorder(Time interval)
    : m_interval(interval),
      m_recording(std::make_unique<FabricRecording>())
{
    AIDC_REFUSED_UNLESS(interval.IsStrictlyPositive(),
                        "FabricRecorder: expected an interval above 0, found " << interval);
}

FabricRecorder::~FabricRecorder()
{
    m_event.Cancel();
}

void
FabricRecorder::AddFabric(const FabricNetwork& network,
                          const std::string& prefix,
                          std::optional<uint32_t> site)
{
    const FabricPlan& plan = network.GetFabric();
    for (NodeIndex id; id < NodeIndex(plan.GetNNodes()); ++id)
    {
        const auto& planned = plan.GetNode(id);
        FabricRecording::Node node;
        node.name = prefix + plan.GetNodeName(id);
        node.tier = GetName(planned.tier);
        node.site = site;
        if (planned.pod != NO_POD)
        {
            node.pod = planned.pod;
        }
        node.index = planned.index;
        m_nodes[network.GetNode(id)] = m_recording->AddNode(node);
        m_order.push_back(network.GetNode(id));
    }
}

void
FabricRecorder::Add(const WanHelper& network)
{
    for (uint32_t site = 0; site < network.GetPlan().GetNSites(); ++site)
    {
        AddFabric(network.GetAidc(site), WanPlan::GetSiteName(site) + "-", site);
    }
    const auto& routers = network.GetPlan().GetRouters();
    for (NodeIndex id; id < routers.GetEnd(); ++id)
    {
        FabricRecording::Node node;
        node.name = routers[id].name;
        node.tier = network.GetPlan().IsEdge(id) ? "provider-edge" : "core";
        if (network.GetPlan().IsEdge(id))
        {
            node.site = routers[id].site;
        }
        node.index = id.value;
        m_nodes[network.GetRouter(id)] = m_recording->AddNode(node);
        m_order.push_back(network.GetRouter(id));
    }
}

uint32_t
FabricRecorder::FindNode(Ptr<Node> node) const
{
    const auto found = m_nodes.find(node);
    AIDC_REFUSED_IF(found == m_nodes.end(),
                    "FabricRecorder: node " << node->GetId() << " has not been added");
    return found->second;
}

void
FabricRecorder::AddCounter(Ptr<Node> node, const std::string& name, std::function<uint64_t()> read)
{
    const uint32_t number = FindNode(node);
    if (IsLocalNode(node))
    {
        m_recording->AddNodeSeries(number, name, {std::move(read)});
    }
}

void
FabricRecorder::NotifyPort(Ptr<NetDevice> port, const std::string& name)
{
    const auto found = m_ports.find(port);
    if (found == m_ports.end())
    {
        return;
    }
    uint64_t& count = m_counts[port][name];
    if (++count == 1)
    {
        m_recording->AddPortSeries(found->second.link, found->second.end, name, {[&count] {
                                       return count;
                                   }});
    }
}

void
FabricRecorder::FindSources()
{
    for (const auto& node : m_order)
    {
        if (!IsLocalNode(node))
        {
            continue;
        }
        if (const auto nic = node->GetObject<RoceNic>())
        {
            AddCounter(node, "cnps", [nic] { return nic->GetStatistics().receivedCnps; });
        }
        if (const auto edge = node->GetObject<IngressEdgeController>())
        {
            AddCounter(node, "notifications", [edge] {
                const auto& counted = edge->GetReceiver().GetStatistics();
                return counted.light + counted.severe;
            });
            AddCounter(node, "rate_reductions", [edge] {
                return edge->GetStatistics().rateReductions;
            });
            AddCounter(node, "path_changes", [edge] { return edge->GetStatistics().pathChanges; });
        }
        const auto routing = MultipathRoutingHelper::GetRouting(node);
        const auto flowSets =
            routing ? DynamicCast<FlowSetSelector>(routing->GetSelector()) : nullptr;
        if (flowSets)
        {
            flowSets->TraceConnectWithoutContext(
                "Migration",
                Callback<void, const FlowSetMigration&>(
                    [this, own = PeekPointer(node)](const FlowSetMigration& migration) {
                        if (migration.reason == FlowSetAction::MIGRATE)
                        {
                            const auto ipv4 = own->GetObject<Ipv4>();
                            NotifyPort(ipv4->GetNetDevice(migration.from), "migrations");
                        }
                    }));
        }
    }
}

std::optional<LongestWait>
FabricRecorder::FindLongestWait() const
{
    std::vector<std::pair<std::string, Ptr<Node>>> nodes;
    for (uint32_t number = 0; number < m_order.size(); ++number)
    {
        nodes.emplace_back(m_recording->GetNodeName(number), m_order[number]);
    }
    return aidc::FindLongestWait(nodes);
}

std::string
FabricRecorder::FindNeedlessRepeats() const
{
    int64_t lost = 0; // packets of all kinds
    uint64_t timeouts = 0;
    uint64_t duplicates = 0;
    uint64_t refusals = 0;
    for (const auto& node : m_order)
    {
        const auto nic = IsLocalNode(node) ? node->GetObject<RoceNic>() : nullptr;
        if (!nic)
        {
            continue;
        }
        const auto& counted = nic->GetStatistics();
        lost += static_cast<int64_t>(counted.sentPackets + counted.sentAcks + counted.sentNaks +
                                     counted.sentRnrNaks + counted.sentCnps);
        lost -= static_cast<int64_t>(counted.receivedPackets + counted.receivedAcks +
                                     counted.receivedNaks + counted.receivedRnrNaks +
                                     counted.receivedCnps);
        timeouts += counted.timeouts;
        duplicates += counted.duplicatePackets;
        refusals += counted.receivedNaks;
    }
    lost = static_cast<int64_t>(SumOverProcesses(static_cast<uint64_t>(lost)));
    timeouts = SumOverProcesses(timeouts);
    duplicates = SumOverProcesses(duplicates);
    refusals = SumOverProcesses(refusals);
    if (lost != 0 || refusals > 0 || timeouts + duplicates == 0)
    {
        return "";
    }
    return "RoCEv2: " + std::to_string(timeouts) + " timeouts and " + std::to_string(duplicates) +
           " packets that arrived twice, without a lost packet";
}

void
FabricRecorder::FindLinks()
{
    std::vector<FoundLink> own;
    std::map<std::pair<uint32_t, uint32_t>, Ptr<NetDevice>> devices;
    for (const auto& node : m_order)
    {
        for (uint32_t i = 0; i < node->GetNDevices(); ++i)
        {
            const auto device = node->GetDevice(i);
            const auto channel = device->GetChannel();
            if (!channel || channel->GetNDevices() != 2 || channel->GetDevice(0) != device)
            {
                continue;
            }
            const auto peer = m_nodes.find(channel->GetDevice(1)->GetNode());
            if (peer == m_nodes.end())
            {
                continue;
            }
            // Each process knows the ports by their nodes and numbers there.
            const auto place = std::pair(FindNode(node), device->GetIfIndex());
            devices[place] = device;
            if (IsLocalNode(node))
            {
                TimeValue delay;
                channel->GetAttributeFailSafe("Delay", delay);
                own.push_back({place.first,
                               place.second,
                               peer->second,
                               GetRate(device),
                               delay.Get().GetNanoSeconds()});
            }
        }
    }
    auto all = GatherItems(own);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return std::tie(a.a, a.port) < std::tie(b.a, b.port);
    });
    for (const auto& link : all)
    {
        const auto number = m_recording->AddLink({link.a, link.b, link.rate, link.delay});
        const auto device = devices.find({link.a, link.port});
        if (device != devices.end())
        {
            AddPorts(device->second, number);
        }
    }
}

void
FabricRecorder::AddPorts(Ptr<NetDevice> device, uint32_t link)
{
    const auto channel = device->GetChannel();
    for (uint32_t end = 0; end < 2; ++end)
    {
        if (IsLocalNode(channel->GetDevice(end)->GetNode()))
        {
            AddPort(channel->GetDevice(end), link, end, GetRate(device));
        }
    }
    if (IsLocalNode(device->GetNode()) && DynamicCast<EthernetNetDevice>(device))
    {
        device->TraceConnectWithoutContext("LinkState",
                                           Callback<void, bool>([this, link](bool isUp) {
                                               m_recording->AddEvent(
                                                   Simulator::Now().GetNanoSeconds(),
                                                   isUp ? "link-up" : "link-down",
                                                   link);
                                           }));
    }
}

void
FabricRecorder::AddPort(Ptr<NetDevice> device, uint32_t link, uint32_t end, uint64_t rate)
{
    Port* port = &m_ports[device];
    port->link = link;
    port->end = end;
    const auto add = [&](const std::string& name, const FabricRecording::Source& source) {
        m_recording->AddPortSeries(link, end, name, source);
    };
    using Recording = FabricRecording;
    const auto root = GetRoot(device);
    if (const auto ethernet = DynamicCast<EthernetNetDevice>(device))
    {
        add("load",
            {[ethernet] { return ethernet->GetStatistics().GetWireOctets(PREAMBLE_AND_GAP); },
             Recording::SHARE,
             rate / 8});
    }
    else if (root)
    {
        add("load",
            {[root] { return root->GetStats().nTotalSentBytes; }, Recording::SHARE, rate / 8});
    }
    if (root)
    {
        add("queue_byte", {[root] { return root->GetNBytes(); }, Recording::LEVEL});
        add("marked", {[root] { return root->GetStats().nTotalMarkedPackets; }});
        add("dropped", {[root] { return root->GetStats().nTotalDroppedPackets; }});
    }
    if (const auto control = device->GetObject<PriorityFlowControl>())
    {
        control->TraceConnectWithoutContext(
            "Paused",
            Callback<void, uint32_t, bool>([port](uint32_t priority, bool isPaused) {
                NotePause(*port, priority, isPaused);
            }));
        add("paused",
            {[port] {
                 const Time now = port->classes ? Simulator::Now() - port->since : Time();
                 return static_cast<uint64_t>((port->paused + now).GetNanoSeconds());
             },
             Recording::SHARE,
             1'000'000'000});
    }
    if (m_csig)
    {
        add("bottleneck_flows", {[this, device] { return m_named[device]; }, Recording::LEVEL});
    }
}

void
FabricRecorder::NotePause(Port& port, uint32_t priority, bool isPaused)
{
    const auto bit = static_cast<uint8_t>(1U << priority);
    const auto classes = static_cast<uint8_t>(isPaused ? port.classes | bit : port.classes & ~bit);
    if (port.classes == 0 && classes != 0)
    {
        port.since = Simulator::Now();
    }
    else if (port.classes != 0 && classes == 0)
    {
        port.paused += Simulator::Now() - port.since;
    }
    port.classes = classes;
}

void
FabricRecorder::FindBottlenecks()
{
    m_named.clear();
    const auto before = m_recording->GetNewest();
    if (!m_csig || !before)
    {
        return;
    }
    for (const auto& bottleneck : m_csig->GetBottlenecks(m_signal))
    {
        if (bottleneck.port.device && bottleneck.time.GetNanoSeconds() > *before)
        {
            ++m_named[bottleneck.port.device];
        }
    }
}

void
FabricRecorder::Start(Time delay)
{
    FindLinks();
    FindSources();
    m_event = Simulator::Schedule(delay, &FabricRecorder::Sample, this);
}

void
FabricRecorder::Stop()
{
    m_event.Cancel();
    const auto newest = m_recording->GetNewest();
    const int64_t now = Simulator::Now().GetNanoSeconds();
    if (newest && now > *newest)
    {
        FindBottlenecks();
        m_recording->Sample(now);
    }
}

void
FabricRecorder::Sample()
{
    NoteEndlessTimer();
    FindBottlenecks();
    if (m_recording->Sample(Simulator::Now().GetNanoSeconds()))
    {
        m_interval = m_interval + m_interval;
    }
    m_event = Simulator::Schedule(m_interval, &FabricRecorder::Sample, this);
}

void
FabricRecorder::Write(const std::string& path) const
{
    if (m_recording->GetNewest())
    {
        m_recording->Write(path);
    }
}

} // namespace ns3::aidc
