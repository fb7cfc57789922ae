// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-decision-process.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpDecisionProcess");

std::vector<NextHop>
BgpDecisionProcess::GetNextHops(const std::vector<BgpRibPath>& paths) const
{
    std::vector<NextHop> nextHops;
    const bool isWeighted = std::any_of(paths.begin(), paths.end(), [](const BgpRibPath& path) {
        return path.weight > 0;
    });
    for (const BgpRibPath& path : paths)
    {
        if (path.peer == BGP_NO_PEER)
        {
            return {}; // the node has its own routes
        }
        const Ipv4Address gateway(path.nextHop);
        const double weight = isWeighted ? path.weight : 1;
        const BgpPeerLink& link = m_findLink(path.peer);
        if (link.HasAddress(gateway))
        {
            nextHops.emplace_back(static_cast<uint32_t>(link.GetInterface()), gateway, weight);
            continue;
        }
        Ipv4Header header;
        header.SetDestination(gateway);
        Socket::SocketErrno error = Socket::ERROR_NOTERROR;
        const auto route =
            m_ipv4->GetRoutingProtocol()->RouteOutput(nullptr, header, nullptr, error);
        if (route)
        {
            const Ipv4Address next = route->GetGateway();
            nextHops.emplace_back(m_ipv4->GetInterfaceForDevice(route->GetOutputDevice()),
                                  next == Ipv4Address::GetAny() ? gateway : next,
                                  weight);
        }
        else
        {
            NS_LOG_WARN("no route to next hop " << gateway << ", which is left out");
        }
    }
    return nextHops;
}

BgpDecisionProcess::BgpDecisionProcess(const Time& delay,
                                       const RouteTrace& trace,
                                       std::function<void()> advertise)
    : m_delay(delay),
      m_trace(trace),
      m_advertise(std::move(advertise))
{
}

void
BgpDecisionProcess::Open(const BgpRibSettings& settings, std::shared_ptr<BgpAttributePool> pool)
{
    m_rib = std::make_unique<BgpRib>(settings, std::move(pool));
    for (auto& [prefix, attributes] : std::exchange(m_origins, {}))
    {
        m_rib->Originate(prefix, attributes);
    }
}

void
BgpDecisionProcess::SetRouting(Ptr<Ipv4> ipv4,
                               Ptr<MultipathRouting> routing,
                               FindLink findLink,
                               Ptr<BgpLinkWatcher> watcher)
{
    m_ipv4 = std::move(ipv4);
    m_routing = std::move(routing);
    m_findLink = std::move(findLink);
    m_watcher = std::move(watcher);
}

void
BgpDecisionProcess::Originate(const BgpPrefix& prefix, const BgpPathAttributes& attributes)
{
    NS_LOG_FUNCTION(this << prefix);
    if (!m_rib)
    {
        m_origins[prefix] = attributes;
        return;
    }
    m_rib->Originate(prefix, attributes);
    Schedule();
}

void
BgpDecisionProcess::Withdraw(const BgpPrefix& prefix)
{
    NS_LOG_FUNCTION(this << prefix);
    if (!m_rib)
    {
        m_origins.erase(prefix);
        return;
    }
    m_rib->Withdraw(prefix);
    Schedule();
}

void
BgpDecisionProcess::Schedule()
{
    if (m_decision.IsExpired() && !m_isHeld)
    {
        m_decision = Simulator::Schedule(m_delay, &BgpDecisionProcess::Decide, this);
    }
}

void
BgpDecisionProcess::SetHeld(bool isHeld)
{
    const bool wasHeld = std::exchange(m_isHeld, isHeld);
    if (isHeld)
    {
        m_decision.Cancel();
    }
    else if (wasHeld)
    {
        Schedule();
    }
}

void
BgpDecisionProcess::Decide()
{
    m_rib->Decide();
    const std::vector<BgpPrefix> prefixes = m_rib->TakeUsedChanges();
    NS_LOG_FUNCTION(this << prefixes.size());
    for (const BgpPrefix& prefix : prefixes)
    {
        m_trace(prefix, m_rib->GetPaths(prefix));
    }
    if (m_routing)
    {
        const bool isActive = m_watcher->SetActive(false); // these changes are the speaker's own
        std::vector<RouteUpdate> updates;
        for (const BgpPrefix& prefix : prefixes)
        {
            const Ipv4Address network(prefix.network);
            const Ipv4Mask mask(prefix.length == 0 ? 0 : 0xffffffffU << (32 - prefix.length));
            std::vector<NextHop> nextHops = GetNextHops(m_rib->GetPaths(prefix));
            NS_LOG_LOGIC(prefix << " has " << nextHops.size() << " next hops");
            if (!nextHops.empty())
            {
                updates.push_back({network, mask, std::move(nextHops), true});
                m_installed.insert(prefix);
            }
            else if (m_installed.erase(prefix) > 0)
            {
                m_routing->RemoveLearned(network, mask);
            }
        }
        if (!updates.empty())
        {
            m_routing->UpdateRoutes(updates);
        }
        m_watcher->SetActive(isActive);
    }
    m_advertise();
}

void
BgpDecisionProcess::Dispose()
{
    m_decision.Cancel();
    m_ipv4 = nullptr;
    m_routing = nullptr;
    m_findLink = nullptr;
    m_watcher = nullptr;
}

void
BgpDecisionProcess::Print(std::ostream& os) const
{
    for (const BgpPrefix& prefix : m_rib->GetPrefixes())
    {
        os << prefix;
        for (const BgpRibPath& path : m_rib->GetPaths(prefix))
        {
            if (path.peer == BGP_NO_PEER)
            {
                os << " own";
                continue;
            }
            os << " via " << Ipv4Address(path.nextHop) << " weight " << path.weight;
        }
        os << '\n';
    }
}

} // namespace ns3::aidc
