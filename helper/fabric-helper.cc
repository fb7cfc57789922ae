// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-helper.h"

#include "../model/core/require-argument.h"
#include "fabric-interface.h"
#include "fabric-role.h"
#include "link-address.h"
#include "remote-host.h"
#include "user-default.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <cstddef>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFabricHelper");

namespace
{

/// The routes of a table by network and length.
using Routes = std::map<std::pair<uint32_t, uint8_t>, uint32_t>;

Routes
GetGroupsByPrefix(const FabricTable& table)
{
    Routes groups;
    for (const auto& route : table.routes)
    {
        groups[{route.network, route.length}] = route.group;
    }
    return groups;
}

/// Tell whether groups of two tables are the same.
bool
IsSameGroup(const FabricTable& a, uint32_t aGroup, const FabricTable& b, uint32_t bGroup)
{
    constexpr uint32_t DISCARD = FabricTable::DISCARD;
    if (aGroup == DISCARD || bGroup == DISCARD)
    {
        return aGroup == bGroup;
    }
    static const std::vector<double> EQUAL;
    const auto& aWeights = a.weights.empty() ? EQUAL : a.weights[aGroup];
    const auto& bWeights = b.weights.empty() ? EQUAL : b.weights[bGroup];
    return a.groups[aGroup] == b.groups[bGroup] && aWeights == bWeights;
}

} // namespace

std::vector<NextHop>
FabricHelper::GetNextHops(NodeIndex id, const FabricTable& table, uint32_t group) const
{
    const auto& neighbors = GetFabric().GetPorts(id);
    const auto& ports = table.groups[group];
    const bool isWeighted = !table.weights.empty() && !table.weights[group].empty();
    std::vector<NextHop> nextHops;
    for (std::size_t i = 0; i < ports.size(); ++i)
    {
        const NodeIndex peer = neighbors[ports[i]].peer;
        nextHops.emplace_back(GetInterfaceOfPort(ports[i]),
                              GetFabric().IsHost(peer) ? Ipv4Address::GetAny()
                                                       : Ipv4Address(GetFabric().GetAddress(peer)),
                              isWeighted ? table.weights[group][i] : 1);
    }
    return nextHops;
}

void
FabricHelper::UpdateRoutes(NodeIndex id, const FabricTable& table)
{
    FabricTable& last = m_tables[id];
    const auto former = GetGroupsByPrefix(last);
    const auto current = GetGroupsByPrefix(table);
    const auto routing = MultipathRoutingHelper::GetRouting(GetNodes().Get(id.value));
    // New routes come first, so that a group that goes on to be used is never without a route.
    std::vector<RouteUpdate> updates;
    for (const auto& [prefix, group] : current)
    {
        const Ipv4Address network(prefix.first);
        const Ipv4Mask mask = MakeMask(prefix.second);
        const auto found = former.find(prefix);
        if (found != former.end() && IsSameGroup(last, found->second, table, group))
        {
            continue;
        }
        if (group == FabricTable::DISCARD)
        {
            routing->AddDiscardRoute(network, mask);
        }
        else
        {
            updates.push_back({network, mask, GetNextHops(id, table, group)});
        }
    }
    if (!updates.empty())
    {
        routing->UpdateRoutes(updates);
    }
    for (const auto& [prefix, group] : former)
    {
        if (current.find(prefix) == current.end())
        {
            routing->RemoveRoute(Ipv4Address(prefix.first), MakeMask(prefix.second));
        }
    }
    last = table;
}

void
FabricHelper::RewriteRoutes(NodeIndex id)
{
    const auto routing = MultipathRoutingHelper::GetRouting(GetNodes().Get(id.value));
    const FabricTable& table = m_tables[id];
    for (const auto& [network, length, group] : table.routes)
    {
        if (group == FabricTable::DISCARD)
        {
            routing->AddDiscardRoute(Ipv4Address(network), MakeMask(length));
        }
        else
        {
            routing->AddRoute(Ipv4Address(network),
                              MakeMask(length),
                              GetNextHops(id, table, group));
        }
    }
}

namespace
{

/// The size of a host's queue disc: memory in plenty.
const QueueSize DEFAULT_HOST_QUEUE_SIZE(QueueSizeUnit::PACKETS, 100000);

} // namespace

FabricHelper::FabricHelper()
    : m_failures(GetFabric().GetLinks(), GetNodes(), GetDevices(), [this](LinkIndex link, bool up) {
          Converge(link, up);
      })
{
}

FabricHelper::~FabricHelper() = default;

void
FabricHelper::SetSwitchRoutes(SwitchRoutes routes)
{
    AIDC_REFUSED_IF(m_routes, "FabricHelper::SetSwitchRoutes() comes before AssignAddresses()");
    m_switchRoutes = routes;
}

void
FabricHelper::SetHostRoutes(SwitchRoutes routes)
{
    AIDC_REFUSED_IF(m_routes, "FabricHelper::SetHostRoutes() comes before AssignAddresses()");
    m_hostRoutes = routes;
}

void
FabricHelper::SetSharesUplinks(bool shares)
{
    AIDC_REFUSED_IF(m_routes, "FabricHelper::SetSharesUplinks() comes before AssignAddresses()");
    m_sharesUplinks = shares;
}

void
FabricHelper::ComputeRoutes()
{
    NS_LOG_FUNCTION(this << m_switchRoutes);
    AIDC_REFUSED_IF(m_hostRoutes != SHORTEST_PATHS && m_hostRoutes != m_switchRoutes,
                    "FabricHelper: expected hosts with SHORTEST_PATHS or the kind of routes that "
                    "switches have, see FabricHelper::SetHostRoutes()");
    AIDC_REFUSED_IF(m_sharesUplinks && m_switchRoutes != PATH_BANDWIDTHS,
                    "FabricHelper: expected switches with PATH_BANDWIDTHS to share uplinks; with "
                    "BGP, it is the attribute ShareUplinks of BgpSpeaker");
    m_routes = std::make_unique<FabricRoutes>(GetFabric());
    if (m_switchRoutes == PATH_BANDWIDTHS)
    {
        m_bandwidths = std::make_unique<FabricPathBandwidths>(
            GetFabric(),
            FabricPathBandwidthSettings{m_sharesUplinks, m_hostRoutes == PATH_BANDWIDTHS});
        m_bandwidths->Update(*m_routes);
    }
}

const FabricRoutes&
FabricHelper::GetRoutes() const
{
    AIDC_REFUSED_IF(!m_routes, "FabricHelper::AssignAddresses() comes first");
    return *m_routes;
}

void
FabricHelper::Converge(LinkIndex link, bool isUp)
{
    if (m_routes->IsLinkUp(link) == isUp)
    {
        return;
    }
    NS_LOG_LOGIC("Link " << link.value << " is " << (isUp ? "up" : "down") << " for all");
    auto touched = isUp ? m_routes->RestoreLink(link) : m_routes->FailLink(link);
    if (m_bandwidths)
    {
        const auto changed = m_bandwidths->Update(*m_routes);
        touched.insert(touched.end(), changed.begin(), changed.end());
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    }
    for (const NodeIndex id : touched)
    {
        if (IsLocal(id))
        {
            InstallRoutes(id);
        }
    }
    if (m_converged)
    {
        m_converged(link, isUp);
    }
}

void
FabricHelper::InstallRoutes(NodeIndex id)
{
    switch (GetFabric().IsSwitch(id) ? m_switchRoutes : m_hostRoutes)
    {
    case PATH_BANDWIDTHS:
        UpdateRoutes(id, m_routes->GetTable(id, m_bandwidths->GetNextHops(id)));
        break;
    case OWN_HOSTS:
        UpdateRoutes(id, m_routes->GetOwnTable(id));
        break;
    default:
        UpdateRoutes(id, m_routes->GetTable(id));
    }
}

void
FabricHelper::Build(const FabricPlan& fabric)
{
    MakeNodesAndLinks(fabric);
    for (const bool isHost : {true, false})
    {
        const auto nodes = isHost ? GetHosts() : GetSwitches();
        for (auto node = nodes.Begin(); node != nodes.End(); ++node)
        {
            FabricRole::Set(*node, isHost ? FabricRole::HOST : FabricRole::SWITCH);
        }
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        stack.SetRoutingHelper(isHost ? m_hostRouting : m_switchRouting);
        stack.Install(nodes);
    }
}

void
FabricHelper::AssignAddresses()
{
    NS_LOG_FUNCTION(this);
    AIDC_REFUSED_IF(GetNodes().GetN() == 0, "FabricHelper::Build() comes first");
    ComputeRoutes();
    TrafficControlHelper trafficControl;
    trafficControl.SetRootQueueDisc("ns3::FifoQueueDisc");
    ObjectFactory queues("ns3::aidc::RingQueue");
    for (NodeIndex id; id < NodeIndex(GetFabric().GetNNodes()); ++id)
    {
        if (!IsLocal(id))
        {
            SetRemoteHost(id);
            continue;
        }
        for (PortIndex port; GetFabric().IsHost(id) && port < GetFabric().GetPorts(id).GetEnd();
             ++port)
        {
            const auto layer = GetNodes().Get(id.value)->GetObject<TrafficControlLayer>();
            if (!layer->GetRootQueueDiscOnDevice(GetPort(id, port)))
            {
                const auto queueDisc = trafficControl.Install(GetPort(id, port)).Get(0);
                // A queue disc with a queue tells the size of the queue.
                const QueueSize users = queueDisc->GetMaxSize();
                queueDisc->AddInternalQueue(queues.Create<QueueDisc::InternalQueue>());
                const bool isUsers = HasUserDefault("ns3::FifoQueueDisc::MaxSize");
                queueDisc->SetMaxSize(
                    m_hostQueueSize.value_or(isUsers ? users : DEFAULT_HOST_QUEUE_SIZE));
            }
        }
        AssignAddress(id);
        if (GetFabric().IsHost(id) && GetFabric().HasSeveralLinks(id))
        {
            MultipathRoutingHelper::SpreadUdp(GetNodes().Get(id.value));
            if (m_datapath.isOrdered.value_or(true)) // packets may arrive at once here, too
            {
                SwitchDatapathHelper{SwitchDatapath::STACK, m_datapath.isOrdered}.Install(
                    GetNodes().Get(id.value));
            }
            InstallRoutes(id);
        }
        else if (GetFabric().IsHost(id))
        {
            const Ipv4Address leaf(GetFabric().GetAddress(GetFabric().GetLeaf(id)));
            MultipathRoutingHelper::GetRouting(GetNodes().Get(id.value))
                ->AddRoute(Ipv4Address::GetAny(),
                           Ipv4Mask::GetZero(),
                           {NextHop(GetInterfaceOfPort(PortIndex(0)), leaf)});
        }
        else
        {
            m_datapath.Install(GetNodes().Get(id.value));
            InstallRoutes(id);
        }
    }
}

void
FabricHelper::SetRemoteHost(NodeIndex id)
{
    if (!GetFabric().IsHost(id))
    {
        return;
    }
    const auto host = CreateObject<RemoteHost>();
    const std::size_t nPorts = GetFabric().GetPorts(id).size();
    host->SetAddresses(std::vector<Ipv4Address>(nPorts, GetAddress(id)));
    GetNodes().Get(id.value)->AggregateObject(host);
}

void
FabricHelper::AssignAddress(NodeIndex id)
{
    const auto ipv4 = GetNodes().Get(id.value)->GetObject<Ipv4>();
    for (PortIndex port; port < GetFabric().GetPorts(id).GetEnd(); ++port)
    {
        const uint32_t interface = ipv4->AddInterface(GetPort(id, port));
        NS_ASSERT(interface == GetInterfaceOfPort(port));
        ipv4->SetMetric(interface, 1);
        ipv4->SetUp(interface);
    }
    // Ports that a switch has in addition to the plan's, such as ports to other networks.
    const auto node = GetNodes().Get(id.value);
    for (uint32_t i = 0; GetFabric().IsSwitch(id) && i < node->GetNDevices(); ++i)
    {
        if (ipv4->GetInterfaceForDevice(node->GetDevice(i)) < 0)
        {
            ipv4->SetUp(ipv4->AddInterface(node->GetDevice(i)));
        }
    }
    const bool isAtPort = GetFabric().IsHost(id) && !GetFabric().HasSeveralLinks(id);
    const uint32_t interface = isAtPort ? GetInterfaceOfPort(PortIndex(0)) : LOOPBACK_INTERFACE;
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(GetAddress(id), Ipv4Mask::GetOnes()));
}

int64_t
FabricHelper::AssignStreams(int64_t stream)
{
    // Ends of links and switches of other processes count too, so that their number does not change
    // results.
    int64_t next = stream + AssignErrorStreams(stream);
    const auto assign = [this, &next](NodeIndex id) {
        if (IsLocal(id))
        {
            MultipathRoutingHelper::AssignStreams(NodeContainer(GetNodes().Get(id.value)), next);
        }
        ++next;
    };
    for (const NodeIndex id : GetFabric().GetSwitches())
    {
        assign(id);
    }
    for (const NodeIndex id : GetFabric().GetHosts())
    {
        if (GetFabric().HasSeveralLinks(id))
        {
            assign(id);
        }
    }
    return next - stream;
}

void
FabricHelper::ScheduleFailure(LinkIndex link, Time failure, Time restoration)
{
    m_failures.CheckLink(link);
    FabricLinkFailures::CheckTimes(failure, restoration);
    Simulator::Schedule(failure, &FabricHelper::FailLink, this, link);
    Simulator::Schedule(restoration, &FabricHelper::RestoreLink, this, link);
}

void
FabricHelper::SetFailed(LinkIndex link, bool isFailed)
{
    m_failures.CheckLink(link);
    AIDC_REFUSED_UNLESS(m_routes, "FabricHelper::AssignAddresses() comes before links fail");
    m_failures.SetFailed(link, isFailed);
}

NetworkPath
FabricHelper::GetPath(NodeIndex source, NodeIndex destination) const
{
    NetworkPath path{GetRoutes().GetPath(source, destination), {}};
    NodeIndex node = source;
    for (const auto& link : path.links)
    {
        const bool isForward = link.a == node;
        node = isForward ? link.b : link.a;
        path.arrivals.push_back(GetPort(node, isForward ? link.bPort : link.aPort));
    }
    return path;
}

void
SwitchDatapathHelper::Install(Ptr<Node> node) const
{
    auto datapath = CreateObject<SwitchDatapath>();
    if (mode)
    {
        datapath->SetAttribute("Mode", EnumValue(*mode));
    }
    if (isOrdered)
    {
        datapath->SetAttribute("OrderedArrivals", BooleanValue(*isOrdered));
    }
    else
    {
        SetDerived(*datapath, "OrderedArrivals", BooleanValue(true));
    }
    datapath->Install(node);
}

} // namespace ns3::aidc
