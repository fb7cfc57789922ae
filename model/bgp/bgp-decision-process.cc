/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-decision-process.h"

#include "ns3/ipv4-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpDecisionProcess");

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
BgpDecisionProcess::SetInstaller(std::unique_ptr<BgpRouteInstaller> installer,
                                 Ptr<BgpLinkWatcher> watcher)
{
    m_installer = std::move(installer);
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
    if (m_installer)
    {
        const bool isActive = m_watcher->SetActive(false); // these changes are the speaker's own
        m_installer->Install(*m_rib, prefixes);
        m_watcher->SetActive(isActive);
    }
    m_advertise();
}

void
BgpDecisionProcess::Dispose()
{
    m_decision.Cancel();
    m_installer = nullptr;
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
