/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-routing.h"

#include "../model/core/require-argument.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFabricRouting");

FabricRouting::FabricRouting(const FabricPlan& fabric, const NodeContainer& nodes)
    : m_fabric(fabric),
      m_installer(fabric, nodes)
{
}

void
FabricRouting::SetSwitchRoutes(SwitchRoutes routes)
{
    AIDC_REFUSED_IF(m_routes, "FabricHelper::SetSwitchRoutes() comes before AssignAddresses()");
    m_switchRoutes = routes;
}

void
FabricRouting::SetHostRoutes(SwitchRoutes routes)
{
    AIDC_REFUSED_IF(m_routes, "FabricHelper::SetHostRoutes() comes before AssignAddresses()");
    m_hostRoutes = routes;
}

void
FabricRouting::SetSharesUplinks(bool shares)
{
    AIDC_REFUSED_IF(m_routes, "FabricHelper::SetSharesUplinks() comes before AssignAddresses()");
    m_sharesUplinks = shares;
}

void
FabricRouting::Compute()
{
    NS_LOG_FUNCTION(this << m_switchRoutes);
    AIDC_REFUSED_IF(m_hostRoutes != SHORTEST_PATHS && m_hostRoutes != m_switchRoutes,
                    "FabricHelper: expected hosts with SHORTEST_PATHS or the kind of routes that "
                    "switches have, see FabricHelper::SetHostRoutes()");
    AIDC_REFUSED_IF(m_sharesUplinks && m_switchRoutes != PATH_BANDWIDTHS,
                    "FabricHelper: expected switches with PATH_BANDWIDTHS to share uplinks; with "
                    "BGP, it is the attribute ShareUplinks of BgpSpeaker");
    m_routes = std::make_unique<FabricRoutes>(m_fabric);
    if (m_switchRoutes == PATH_BANDWIDTHS)
    {
        m_bandwidths = std::make_unique<FabricPathBandwidths>(
            m_fabric,
            FabricPathBandwidthSettings{m_sharesUplinks, m_hostRoutes == PATH_BANDWIDTHS});
        m_bandwidths->Update(*m_routes);
    }
}

const FabricRoutes&
FabricRouting::GetRoutes() const
{
    AIDC_REFUSED_IF(!m_routes, "FabricHelper::AssignAddresses() comes first");
    return *m_routes;
}

void
FabricRouting::Converge(LinkIndex link, bool isUp)
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
        if (m_fabric.GetRank(id) == Simulator::GetSystemId())
        {
            Install(id);
        }
    }
    if (m_converged)
    {
        m_converged(link, isUp);
    }
}

FabricTable
FabricRouting::GetTable(NodeIndex id) const
{
    switch (m_fabric.IsSwitch(id) ? m_switchRoutes : m_hostRoutes)
    {
    case PATH_BANDWIDTHS:
        return m_routes->GetTable(id, m_bandwidths->GetNextHops(id));
    case OWN_HOSTS:
        return m_routes->GetOwnTable(id);
    default:
        return m_routes->GetTable(id);
    }
}

} // namespace ns3::aidc
