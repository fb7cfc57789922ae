// SPDX-License-Identifier: GPL-2.0-only

#include "multipath-routing-helper.h"

#include "../model/core/require-argument.h"
#include "factory-attribute.h"

#include "ns3/ip-l4-protocol.h"
#include "ns3/ipv4-list-routing.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/udp-l4-protocol.h"

namespace ns3::aidc
{

MultipathRoutingHelper::MultipathRoutingHelper(const std::string& routing,
                                               const std::string& selector)
{
    m_routing = MakeFactory(routing);
    if (!selector.empty())
    {
        SetSelector(selector);
    }
}

void
MultipathRoutingHelper::SetSelector(const std::string& typeId)
{
    m_selector = MakeFactory(typeId);
}

void
MultipathRoutingHelper::SetSelectorAttribute(const std::string& name, const AttributeValue& value)
{
    SetFactoryAttribute(m_selector, name, value);
}

MultipathRoutingHelper*
MultipathRoutingHelper::Copy() const
{
    return new MultipathRoutingHelper(*this);
}

Ptr<Ipv4RoutingProtocol>
MultipathRoutingHelper::Create(Ptr<Node> node) const
{
    auto routing = m_routing.Create<MultipathRouting>();
    if (m_selector.GetTypeId() != TypeId())
    {
        routing->SetSelector(m_selector.Create<NextHopSelector>());
    }
    node->AggregateObject(routing);
    return routing;
}

Ptr<MultipathRouting>
MultipathRoutingHelper::GetRouting(Ptr<Node> node)
{
    const auto ipv4 = node->GetObject<Ipv4>();
    return ipv4 && ipv4->GetRoutingProtocol()
               ? Ipv4RoutingHelper::GetRouting<MultipathRouting>(ipv4->GetRoutingProtocol())
               : nullptr;
}

void
MultipathRoutingHelper::SpreadUdp(Ptr<Node> node)
{
    const auto routing = GetRouting(node);
    const auto udp = node->GetObject<UdpL4Protocol>();
    AIDC_REFUSED_UNLESS(routing && udp,
                        "expected node " << node->GetId() << " to have UDP and a MultipathRouting");
    routing->SetUdpProvisional();
    const auto down = udp->GetDownTarget();
    udp->SetDownTarget(IpL4Protocol::DownTargetCallback([routing, down](Ptr<Packet> packet,
                                                                        Ipv4Address source,
                                                                        Ipv4Address destination,
                                                                        uint8_t protocol,
                                                                        Ptr<Ipv4Route> route) {
        const bool asksAgain = routing->IsProvisional(route);
        down(packet, source, destination, protocol, asksAgain ? nullptr : route);
    }));
}

int64_t
MultipathRoutingHelper::AssignStreams(const NodeContainer& nodes, int64_t stream)
{
    int64_t next = stream;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        if (const auto routing = GetRouting(*node))
        {
            next += routing->AssignStreams(next);
        }
    }
    return next - stream;
}

} // namespace ns3::aidc
