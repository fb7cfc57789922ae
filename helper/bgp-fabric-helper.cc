// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-fabric-helper.h"

#include "../model/aidc-compat.h"
#include "../model/core/bgp/bgp-path-attributes.h"
#include "../model/core/require-argument.h"
#include "../model/device-link-properties.h"
#include "fabric-interface.h"
#include "factory-attribute.h"
#include "user-default.h"

#include "ns3/bfd-speaker.h"
#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/link-bandwidth-monitor.h"
#include "ns3/log.h"
#include "ns3/process-gather.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpFabricHelper");

/// The length of the prefix of a host.
static constexpr uint8_t HOST_LENGTH = 32;

BgpSpeakerFactory::BgpSpeakerFactory()
    : m_factory("ns3::aidc::BgpSpeaker")
{
}

void
BgpSpeakerFactory::Set(const std::string& name, const AttributeValue& value)
{
    SetFactoryAttribute(m_factory, name, value);
    m_isSet.insert(name);
}

void
BgpSpeakerFactory::Prepare(const std::string& helper)
{
    RefuseUserDefaults("ns3::aidc::BgpSpeaker",
                       {"As", "RouterId", "Tier", "AttachNonTransitive"},
                       helper + ", which knows the place of each switch");
    const auto derive = [this](const std::string& name, Time time) {
        if (m_isSet.count(name) == 0)
        {
            SetDerived(m_factory, name, TimeValue(time));
        }
    };
    derive("HoldTime", Seconds(9));
    derive("ConnectRetryTime", Seconds(10));
}

Ptr<BgpSpeaker>
BgpSpeakerFactory::Create(uint32_t as, Ipv4Address routerId, PathBandwidthTier tier) const
{
    const auto speaker = m_factory.Create<BgpSpeaker>();
    speaker->SetAttribute("As", UintegerValue(as));
    speaker->SetAttribute("RouterId", Ipv4AddressValue(routerId));
    speaker->SetAttribute("Tier", EnumValue(static_cast<BgpSpeaker::Tier>(tier)));
    speaker->SetAttribute("AttachNonTransitive",
                          BooleanValue(tier == PathBandwidthTier::SUPER_SPINE));
    return speaker;
}

void
BgpSpeakerFactory::AddLinkAddress(const Ptr<Ipv4>& ipv4, uint32_t interface, Ipv4Address address)
{
    Ipv4InterfaceAddress own(address, Ipv4Mask("/31"));
    ClearBroadcast(own);
    ipv4->AddAddress(interface, own);
}

BgpFabricHelper::BgpFabricHelper()
    : m_monitors("ns3::aidc::LinkBandwidthMonitor"),
      m_linkNetwork(FabricLinkAddresses::DEFAULT_NETWORK)
{
}

void
BgpFabricHelper::SetMonitorAttribute(const std::string& name, const AttributeValue& value)
{
    SetFactoryAttribute(m_monitors, name, value);
}

ApplicationContainer
BgpFabricHelper::Install(FabricHelper& network)
{
    NS_LOG_FUNCTION(this);
    AIDC_REFUSED_IF(m_network, "BgpFabricHelper::Install() is called once");
    AIDC_REFUSED_IF(network.GetSwitchRoutes() != FabricHelper::OWN_HOSTS,
                    "BgpFabricHelper: expected switches with OWN_HOSTS as their routes, see "
                    "FabricHelper::SetSwitchRoutes()");
    m_factory.Prepare("BgpFabricHelper");
    m_network = &network;
    const FabricPlan& plan = network.GetFabric();
    network.GetRoutes(); // which are there once addresses are assigned
    m_asPlan = std::make_unique<FabricAsPlan>(plan, m_firstAs);
    m_addresses =
        std::make_unique<FabricLinkAddresses>(plan,
                                              m_linkNetwork,
                                              network.GetHostRoutes() == FabricHelper::OWN_HOSTS);
    ApplicationContainer speakers;
    const auto pool = std::make_shared<BgpAttributePool>();
    for (const NodeIndex node : GetSpeakingNodes())
    {
        if (!network.IsLocal(node))
        {
            continue;
        }
        AssignAddresses(node);
        const auto speaker = Make(node);
        speaker->SetAttributePool(pool);
        speakers.Add(speaker);
    }
    const auto& attachments = plan.GetAttachments();
    for (uint32_t i = 0; i < attachments.size(); ++i)
    {
        const FabricPrefix prefix = plan.GetAttachmentPrefix(i);
        const Ipv4Mask mask(0xffffffff << (32 - prefix.length));
        for (const NodeIndex leaf : attachments[i].leaves)
        {
            if (network.IsLocal(leaf))
            {
                m_speakers[leaf].speaker->Originate(Ipv4Address(prefix.network), mask);
            }
        }
    }
    network.SetConvergedCallback([this](LinkIndex link, bool) { NotifyLink(link); });
    return speakers;
}

bool
BgpFabricHelper::Speaks(NodeIndex node) const
{
    const FabricPlan& plan = m_network->GetFabric();
    return plan.IsSwitch(node) ||
           (m_network->GetHostRoutes() == FabricHelper::OWN_HOSTS && plan.HasSeveralLinks(node));
}

std::vector<NodeIndex>
BgpFabricHelper::GetSpeakingNodes() const
{
    const FabricPlan& plan = m_network->GetFabric();
    std::vector<NodeIndex> nodes = plan.GetSwitches();
    std::copy_if(plan.GetHosts().begin(),
                 plan.GetHosts().end(),
                 std::back_inserter(nodes),
                 [this](NodeIndex host) { return Speaks(host); });
    return nodes;
}

void
BgpFabricHelper::AssignAddresses(NodeIndex node) const
{
    const auto ipv4 = m_network->GetNode(node)->GetObject<Ipv4>();
    const auto& ports = m_network->GetFabric().GetPorts(node);
    for (PortIndex port; port < ports.GetEnd(); ++port)
    {
        if (Speaks(ports[port].peer))
        {
            if (m_network->GetFabric().IsHost(node))
            {
                // Packets that the host sends have its own address, not the link's.
                ipv4->AddAddress(
                    GetInterfaceOfPort(port),
                    Ipv4InterfaceAddress(m_network->GetAddress(node), Ipv4Mask::GetOnes()));
            }
            BgpSpeakerFactory::AddLinkAddress(
                ipv4,
                GetInterfaceOfPort(port),
                Ipv4Address(m_addresses->GetAddress(ports[port].link, node)));
        }
    }
}

Ptr<BgpSpeaker>
BgpFabricHelper::Make(NodeIndex node)
{
    const FabricPlan& plan = m_network->GetFabric();
    if (m_bfd)
    {
        m_network->GetNode(node)->AddApplication(m_bfd->Create<BfdSpeaker>());
    }
    const auto speaker = m_factory.Create(m_asPlan->GetAs(node),
                                          m_network->GetAddress(node),
                                          GetPathBandwidthTier(plan.GetNode(node).tier));
    speaker->TraceConnectWithoutContext(
        "RouteChange",
        Callback<void, const BgpPrefix&, const std::vector<BgpRibPath>&>(
            [this, node](const BgpPrefix& prefix, const std::vector<BgpRibPath>&) {
                NotifyRoute(node, prefix);
            }));
    m_network->GetNode(node)->AddApplication(speaker);
    Speaker& known = m_speakers[node];
    known.speaker = speaker;
    const auto& ports = plan.GetPorts(node);
    for (PortIndex port; port < ports.GetEnd(); ++port)
    {
        if (Speaks(ports[port].peer))
        {
            known.peers[port] = speaker->AddPeer(MakePeer(node, port));
        }
    }
    if (!m_usesAvailable)
    {
        return speaker;
    }
    const auto monitor = m_monitors.Create<LinkBandwidthMonitor>();
    monitor->SetSpeaker(speaker);
    for (const auto& [port, peer] : known.peers)
    {
        const auto device = DynamicCast<EthernetNetDevice>(m_network->GetPort(node, port));
        AIDC_REFUSED_UNLESS(device,
                            "BgpFabricHelper::UseAvailableBandwidth(): expected Ethernet ports, "
                            "found another device at "
                                << plan.GetNodeName(node));
        monitor->Watch(peer, device);
    }
    m_network->GetNode(node)->AddApplication(monitor);
    return speaker;
}

BgpPeerSettings
BgpFabricHelper::MakePeer(NodeIndex node, PortIndex port) const
{
    const FabricPlan& plan = m_network->GetFabric();
    const auto& [link, peer] = plan.GetPorts(node)[port];
    const FabricTier tier = plan.GetNode(peer).tier;
    BgpPeerSettings settings;
    settings.address = Ipv4Address(m_addresses->GetAddress(link, peer));
    settings.localAddress = Ipv4Address(m_addresses->GetAddress(link, node));
    settings.as = m_asPlan->GetAs(peer);
    settings.tier = GetPathBandwidthTier(tier);
    settings.linkBandwidth =
        static_cast<double>(GetLinkRate(m_network->GetPort(node, port)).GetBitRate()) / 8;
    settings.exchangesNonTransitive =
        tier == FabricTier::SUPER_SPINE || plan.GetNode(node).tier == FabricTier::SUPER_SPINE;
    settings.isPassive = plan.GetLinks()[link].b == node;
    settings.minTtl = m_minTtl;
    settings.usesBfd = m_bfd.has_value();
    return settings;
}

int64_t
BgpFabricHelper::AssignStreams(int64_t stream)
{
    AIDC_REFUSED_UNLESS(m_network, "BgpFabricHelper::Install() comes first");
    int64_t next = stream;
    for (const NodeIndex node : GetSpeakingNodes())
    {
        const auto found = m_speakers.find(node);
        if (found != m_speakers.end())
        {
            found->second.speaker->AssignStreams(next);
        }
        ++next;
    }
    if (m_bfd)
    {
        next += BfdFabricHelper::AssignStreams(*m_network, next);
    }
    return next - stream;
}

Ptr<BgpSpeaker>
BgpFabricHelper::GetSpeaker(NodeIndex node) const
{
    const auto found = m_speakers.find(node);
    AIDC_REFUSED_IF(found == m_speakers.end(),
                    "BgpFabricHelper: expected the id of a switch, or host that speaks, of this "
                    "process, found "
                        << node.value);
    return found->second.speaker;
}

uint32_t
BgpFabricHelper::GetPeer(NodeIndex node, PortIndex port) const
{
    const auto found = m_speakers.find(node);
    AIDC_REFUSED_IF(found == m_speakers.end() || found->second.peers.count(port) == 0,
                    "BgpFabricHelper: expected a switch, or host that speaks, of this process and "
                    "its port to another one, found "
                        << node.value << " " << port.value);
    return found->second.peers.at(port);
}

uint32_t
BgpFabricHelper::GetAs(NodeIndex node) const
{
    AIDC_REFUSED_UNLESS(m_network, "BgpFabricHelper::Install() comes first");
    return m_asPlan->GetAs(node);
}

void
BgpFabricHelper::SetDrained(NodeIndex node, bool isDrained) const
{
    if (!m_network || m_network->IsLocal(node))
    {
        GetSpeaker(node)->SetGracefulShutdown(isDrained);
    }
}

void
BgpFabricHelper::TraceConnect(const std::string& source,
                              const CallbackBase& sink,
                              const std::string& prefix) const
{
    for (const auto& [node, known] : m_speakers)
    {
        AIDC_REFUSED_UNLESS(
            known.speaker->TraceConnect(source,
                                        prefix + m_network->GetFabric().GetNodeName(node),
                                        sink),
            "BgpFabricHelper: expected a trace source of BgpSpeaker and its sink, found "
                << source);
    }
}

bool
BgpFabricHelper::IsSettled() const
{
    uint64_t nUnsettled = 0; // at the nodes of this process
    for (const auto& [node, known] : m_speakers)
    {
        const auto& ports = m_network->GetFabric().GetPorts(node);
        for (const auto& [port, peer] : known.peers)
        {
            const bool isUp = m_network->GetRoutes().IsLinkUp(ports[port].link);
            const bool isEstablished =
                known.speaker->GetSessionState(peer) == BgpSessionState::ESTABLISHED;
            nUnsettled +=
                isUp != isEstablished || (isUp && known.speaker->GetRib().HasChanges(peer));
        }
    }
    return SumOverProcesses(nUnsettled) == 0;
}

BgpSpeakerStatistics
BgpFabricHelper::GetStatistics() const
{
    BgpSpeakerStatistics sum;
    for (const auto& [node, known] : m_speakers)
    {
        sum += known.speaker->GetStatistics();
    }
    return SumOverProcesses(sum);
}

Time
BgpFabricHelper::GetLastRouteChange() const
{
    return GetLatestOverProcesses(m_lastChange);
}

void
BgpFabricHelper::NotifyLink(LinkIndex link)
{
    const FabricPlan& plan = m_network->GetFabric();
    const FabricLink& ends = plan.GetLinks()[link];
    if (plan.IsSwitch(ends.a) && plan.IsSwitch(ends.b))
    {
        return; // the speakers have noticed
    }
    const NodeIndex host = plan.IsHost(ends.a) ? ends.a : ends.b;
    const auto& leaves = plan.GetAttachments()[plan.GetAttachment(host)].leaves;
    const auto live = m_network->GetRoutes().GetLiveLeaves(host);
    const bool isDetached = !live.empty() && live.size() < leaves.size();
    for (const NodeIndex leaf : leaves)
    {
        const auto found = m_speakers.find(leaf);
        if (found == m_speakers.end())
        {
            continue;
        }
        const bool announces =
            isDetached && std::find(live.begin(), live.end(), leaf) != live.end();
        const Ipv4Address address = m_network->GetAddress(host);
        announces ? found->second.speaker->Originate(address, Ipv4Mask::GetOnes())
                  : found->second.speaker->Withdraw(address, Ipv4Mask::GetOnes());
    }
}

void
BgpFabricHelper::NotifyRoute(NodeIndex node, const BgpPrefix& prefix)
{
    // Nodes may run one after the other within a window of time.
    m_lastChange = std::max(m_lastChange, Simulator::Now());
    // A host whose link to this leaf is back has had a route of BGP here, which goes now, and the
    // leaf's own route to the host with it. The speaker has not changed the table yet.
    if (prefix.length == HOST_LENGTH &&
        m_network->GetFabric().GetNode(node).tier == FabricTier::LEAF)
    {
        Simulator::ScheduleNow(&FabricHelper::RewriteRoutes, m_network, node);
    }
}

} // namespace ns3::aidc
