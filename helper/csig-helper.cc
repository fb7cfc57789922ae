// SPDX-License-Identifier: GPL-2.0-only

#include "csig-helper.h"

#include "../model/core/csig/csig-reflection.h"
#include "../model/core/csig/tcp-header-bytes.h"
#include "../model/core/require-argument.h"
#include "local-node.h"
#include "user-default.h"

#include "ns3/boolean.h"
#include "ns3/csig-path-signals.h"
#include "ns3/csig-port.h"
#include "ns3/csig-queue-port.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ipv4.h"
#include "ns3/loopback-net-device.h"
#include "ns3/names.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/process-gather.h"
#include "ns3/roce-nic.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::aidc
{

CsigHostHelper::CsigHostHelper()
    : m_factory("ns3::aidc::CsigHost")
{
}

void
CsigHostHelper::Authorize(const CsigFlowRule& rule)
{
    m_rules.push_back(rule);
    m_factory.Set("AuthorizeAll", BooleanValue(false));
}

void
CsigHostHelper::Install(const NodeContainer& nodes) const
{
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        auto host = m_factory.Create<CsigHost>();
        for (const auto& rule : m_rules)
        {
            host->Authorize(rule);
        }
        host->Install(*node);
    }
}

uint32_t
CsigHostHelper::GetSegmentSize(uint32_t mtu, CsigFormat format, bool hasTimestamps)
{
    AIDC_REFUSED_IF(mtu < 100, "The MTU must be at least 100 bytes, found " << mtu);
    constexpr uint32_t IPV4_HEADER = 20;
    constexpr uint32_t TIMESTAMPS = 10; // RFC 7323; the option of CSIG follows without padding
    const auto options = static_cast<uint32_t>((hasTimestamps ? TIMESTAMPS : 0) +
                                               CSIG_EMPTY_OPTION_SIZE + GetCsigDataSize(format));
    return mtu - IPV4_HEADER - static_cast<uint32_t>(TCP_MIN_HEADER_SIZE) - (options + 3) / 4 * 4;
}

namespace
{

/// The bits of the expanded locator.
constexpr uint32_t LOCATOR_BITS = GetCsigWidths(CsigFormat::EXPANDED).locator;

/// Get how many bits a number needs. @return bits, at least 1
uint32_t
CountBits(uint32_t number)
{
    uint32_t bits = 1;
    for (; bits < 32 && number >> bits != 0; ++bits)
    {
    }
    return bits;
}

/// Tell where a port of a fabric leads to.
CsigOrientation
GetOrientation(FabricTier from, FabricTier to)
{
    return to > from   ? CsigOrientation::UP
           : to < from ? CsigOrientation::DOWN
                       : CsigOrientation::SIDE;
}

/// @return the phase of a port's windows, from 0 to 1: an additive recurrence with powers of the
/// plastic number, which spreads any few switches' ports evenly, by no random choice
double
GetPhase(uint32_t device, uint32_t port)
{
    const double sum = 0.7548776662466927 * device + 0.5698402909980532 * port;
    return sum - std::floor(sum);
}

} // namespace

CsigHelper::CsigHelper()
    : m_domainFactory("ns3::aidc::CsigDomain"),
      m_portFactory("ns3::aidc::CsigPort"),
      m_queuePortFactory("ns3::aidc::CsigQueuePort"),
      m_agentFactory("ns3::aidc::CsigAgent"),
      m_nicFactory("ns3::aidc::CsigPathSignals")
{
}

void
CsigHelper::SetDomain(Ptr<CsigDomain> domain)
{
    AIDC_REFUSED_IF(m_domain && m_domain != domain,
                    "CsigHelper: a part of the network has another CsigDomain already");
    m_domain = domain;
}

void
CsigHelper::SetDomainAttribute(const std::string& name, const AttributeValue& value)
{
    AIDC_REFUSED_IF(m_domain, "CsigHelper: the CsigDomain is made already");
    SetFactoryAttribute(m_domainFactory, name, value);
    m_domainAttributes.insert(name);
}

void
CsigHelper::SetPortAttribute(const std::string& name, const AttributeValue& value)
{
    bool isKnown = false;
    for (auto* factory : {&m_portFactory, &m_queuePortFactory})
    {
        TypeId::AttributeInformation information;
        if (factory->GetTypeId().LookupAttributeByName(name, &information))
        {
            factory->Set(name, value);
            isKnown = true;
        }
    }
    if (!isKnown)
    {
        SetFactoryAttribute(m_portFactory, name, value); // which tells
    }
    m_isTrustSet = m_isTrustSet || name == "Trusted";
}

void
CsigHelper::SetAgentAttribute(const std::string& name, const AttributeValue& value)
{
    SetFactoryAttribute(m_agentFactory, name, value);
    m_hasPhase = m_hasPhase || name == "Phase";
}

void
CsigHelper::Install(const FabricHelper& network)
{
    std::vector<NodeIndex> nodes;
    for (NodeIndex node; node < NodeIndex(network.GetFabric().GetNNodes()); ++node)
    {
        if (m_excluded.count(node) == 0)
        {
            nodes.push_back(node);
        }
    }
    Install(network, nodes);
}

void
CsigHelper::Install(const FabricHelper& network, const std::vector<NodeIndex>& nodes)
{
    const auto& fabric = network.GetFabric();
    if (!m_domain)
    {
        FitDomain(fabric);
    }
    for (const NodeIndex node : nodes)
    {
        AIDC_REFUSED_IF(m_excluded.count(node) != 0,
                        "CsigHelper: " << fabric.GetNodeName(node) << " is excluded");
        if (!network.IsLocal(node))
        {
            continue;
        }
        if (fabric.IsHost(node))
        {
            const auto& ports = fabric.GetPorts(node);
            std::set<Ptr<NetDevice>> outside;
            for (PortIndex port; port < ports.GetEnd(); ++port)
            {
                if (m_excluded.count(ports[port].peer) != 0)
                {
                    outside.insert(network.GetPort(node, port));
                }
            }
            InstallHost(network.GetNode(node), outside);
        }
        else
        {
            InstallSwitch(network, node);
        }
    }
    AddPorts(network, nodes);
}

void
CsigHelper::AddPorts(const FabricHelper& network, const std::vector<NodeIndex>& nodes)
{
    const auto& fabric = network.GetFabric();
    const std::set<NodeIndex> own(nodes.begin(), nodes.end());
    for (const auto& [node, port, locators] : GatherCsigPortLocators(network))
    {
        if (own.count(node) != 0)
        {
            m_ports.Add(locators,
                        {fabric.GetNodeName(node),
                         fabric.GetPortName(node, port),
                         network.GetPort(node, port)});
        }
    }
}

void
CsigHelper::InstallSwitch(const FabricHelper& network, NodeIndex node)
{
    const auto& fabric = network.GetFabric();
    const auto tier = fabric.GetNode(node).tier;
    const auto& ports = fabric.GetPorts(node);
    MakeDomain();
    for (PortIndex port; port < ports.GetEnd(); ++port)
    {
        const NodeIndex peer = ports[port].peer;
        InstallPort(network.GetPort(node, port),
                    {GetDeviceNumber(fabric, node),
                     static_cast<uint32_t>(tier),
                     port.value,
                     GetOrientation(tier, fabric.GetNode(peer).tier),
                     m_excluded.count(peer) != 0,
                     fabric.IsHost(peer)});
    }
}

void
CsigHelper::InstallSwitch(Ptr<Node> node, uint32_t device, uint32_t stage)
{
    MakeDomain();
    std::string name = Names::FindName(node);
    name = name.empty() ? "node-" + std::to_string(node->GetId()) : name;
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (DynamicCast<LoopbackNetDevice>(node->GetDevice(i)))
        {
            continue;
        }
        if (const auto agent =
                InstallPort(node->GetDevice(i),
                            {device, stage, i, CsigOrientation::UNKNOWN, false, false}))
        {
            m_ports.Add(agent->GetLocators(),
                        {name, name + ":" + std::to_string(i), node->GetDevice(i)});
        }
    }
}

void
CsigHelper::InstallHosts(const NodeContainer& hosts)
{
    for (auto host = hosts.Begin(); host != hosts.End(); ++host)
    {
        InstallHost(*host, {});
    }
}

void
CsigHelper::InstallHost(Ptr<Node> host, const std::set<Ptr<NetDevice>>& outside)
{
    MakeDomain();
    if (!IsLocalNode(host))
    {
        return;
    }
    m_hostHelper.SetAttribute("Domain", PointerValue(m_domain));
    m_nicFactory.Set("Domain", PointerValue(m_domain));
    const auto nic = host->GetObject<RoceNic>();
    if (nic)
    {
        nic->SetAttribute("Signals", PointerValue(m_nicFactory.Create<CsigPathSignals>()));
    }
    if (!nic || host->GetObject<Ipv4>())
    {
        m_hostHelper.Install(NodeContainer(host));
        m_hosts.Add(host);
        for (const auto& device : outside)
        {
            host->GetObject<CsigHost>()->LeaveUntagged(device);
        }
    }
    for (uint32_t i = 0; i < host->GetNDevices(); ++i)
    {
        const auto device = DynamicCast<EthernetNetDevice>(host->GetDevice(i));
        if (!device)
        {
            continue;
        }
        const bool isOutside = outside.count(device) != 0;
        auto port = CreateObject<CsigPort>();
        port->SetAttribute("Role", EnumValue(CsigPort::HOST));
        port->SetAttribute("Domain", PointerValue(m_domain));
        // Whatever tags a network adapter makes end here.
        SetDerived(*port, "StripEgress", BooleanValue(isOutside));
        SetDerived(*port, "Trusted", BooleanValue(!isOutside));
        port->Install(device);
    }
}

Ptr<CsigAgent>
CsigHelper::InstallPort(Ptr<NetDevice> device, const Place& place)
{
    auto agent = m_agentFactory.Create<CsigAgent>();
    agent->SetAttribute("Device", UintegerValue(place.device));
    agent->SetAttribute("Stage", UintegerValue(place.stage));
    agent->SetAttribute("Port", UintegerValue(place.port));
    agent->SetAttribute("Orientation", EnumValue(place.orientation));
    if (!m_hasPhase)
    {
        SetDerived(*agent, "Phase", DoubleValue(GetPhase(place.device, place.port)));
    }
    const auto ethernet = DynamicCast<EthernetNetDevice>(device);
    auto port = (ethernet ? m_portFactory : m_queuePortFactory).Create<Object>();
    port->SetAttribute("Domain", PointerValue(m_domain));
    port->SetAttribute("Agent", PointerValue(agent));
    if (place.isBoundary)
    {
        SetDerived(*port, "StripEgress", BooleanValue(true));
    }
    if (ethernet)
    {
        const auto own = DynamicCast<CsigPort>(port);
        if (place.isBoundary || (place.isHostPort && !m_isTrustSet))
        {
            SetDerived(*own, "Trusted", BooleanValue(false));
        }
        for (const auto& rule : m_rules)
        {
            if (!place.isBoundary)
            {
                own->Authorize(rule);
            }
        }
        own->Install(ethernet);
        return own->GetAgent();
    }
    DynamicCast<CsigQueuePort>(port)->Install(device);
    return agent;
}

std::optional<CsigFlowBottleneck>
CsigHelper::GetBottleneck(const FlowKey& flow, CsigSignal signal) const
{
    const auto all = GetBottlenecks(signal);
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.flow == flow; });
    return found == all.end() ? std::nullopt : std::make_optional(*found);
}

std::vector<CsigFlowBottleneck>
CsigHelper::GetBottlenecks(CsigSignal signal) const
{
    /// The newest signal of a flow, as processes tell each other.
    struct Newest
    {
        FlowKey flow;
        CsigFields fields;
        int64_t time;
    };

    std::vector<PlacedItem<Newest>> own;
    for (auto host = m_hosts.Begin(); host != m_hosts.End(); ++host)
    {
        const auto csig = (*host)->GetObject<CsigHost>();
        for (const auto& flow : csig->GetFlows())
        {
            const auto newest = csig->GetSignal(flow, signal);
            const auto reading = newest ? m_domain->Read(newest->fields) : std::nullopt;
            if (reading && reading->hasBottleneck)
            {
                own.push_back({(*host)->GetId(), {flow, newest->fields, newest->time}});
            }
        }
    }
    std::vector<CsigFlowBottleneck> all;
    for (const auto& newest : GatherInOrder(own))
    {
        const auto* port = m_ports.Find(*m_domain, newest.fields);
        all.push_back({newest.flow,
                       *m_domain->Read(newest.fields),
                       NanoSeconds(newest.time),
                       port ? *port : CsigPortDirectory::Port{}});
    }
    return all;
}

void
CsigHelper::MakeDomain()
{
    const std::string reason = "CsigHelper, which knows the place of each port";
    RefuseUserDefaults("ns3::aidc::CsigAgent", {"Device", "Stage", "Port", "Orientation"}, reason);
    RefuseUserDefaults("ns3::aidc::CsigPort", {"Role"}, reason);
    if (!m_domain)
    {
        m_domain = m_domainFactory.Create<CsigDomain>();
    }
}

void
CsigHelper::FitDomain(const FabricPlan& fabric)
{
    std::size_t nPorts = 0;
    for (const NodeIndex node : fabric.GetSwitches())
    {
        nPorts = std::max(nPorts, fabric.GetPorts(node).size());
    }
    if (m_domainAttributes.count("ExpandedLocator") == 0)
    {
        SetDerived(m_domainFactory,
                   "ExpandedLocator",
                   StringValue(FitLocator(static_cast<uint32_t>(fabric.GetSwitches().size()),
                                          static_cast<uint32_t>(nPorts))));
    }
    const CsigSpeeds known;
    std::set<uint64_t> speeds;
    bool isKnown = true;
    for (const auto& link : fabric.GetLinks())
    {
        speeds.insert(link.rate);
        isKnown = isKnown && known.Encode(link.rate) != 0;
    }
    constexpr std::size_t MAX_SPEEDS = 7; // what the 3 bits of the compact default can tell
    if (!isKnown && speeds.size() <= MAX_SPEEDS && m_domainAttributes.count("LinkSpeeds") == 0)
    {
        const CsigSpeeds own({speeds.begin(), speeds.end()});
        SetDerived(m_domainFactory, "LinkSpeeds", StringValue(FormatCsigSpeeds(own)));
    }
    MakeDomain();
}

uint32_t
CsigHelper::GetDeviceNumber(const FabricPlan& fabric, NodeIndex node)
{
    const auto& switches = fabric.GetSwitches();
    const auto found = std::lower_bound(switches.begin(), switches.end(), node);
    AIDC_REFUSED_IF(found == switches.end() || *found != node,
                    "CsigHelper: node " << node << " is no switch of the fabric");
    return static_cast<uint32_t>(found - switches.begin()) + 1;
}

std::string
CsigHelper::FitLocator(uint32_t nSwitches, uint32_t nPorts)
{
    const uint32_t deviceBits = CountBits(nSwitches);
    const uint32_t portBits = CountBits(nPorts == 0 ? 0 : nPorts - 1);
    if (deviceBits <= 10 && portBits <= 6)
    {
        return "device:10,port:6";
    }
    if (deviceBits + portBits <= LOCATOR_BITS)
    {
        return "device:" + std::to_string(LOCATOR_BITS - portBits) +
               ",port:" + std::to_string(portBits);
    }
    return deviceBits <= 14 ? "orientation:2,device:14" : "device:16";
}

} // namespace ns3::aidc
