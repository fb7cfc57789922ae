/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pre-ecn-wan-helper.h"

#include "../model/wan/pre-ecn-queues.h"
#include "user-default.h"

#include "ns3/node.h"
#include "ns3/notification-sender.h"
#include "ns3/string.h"

#include <cstddef>

namespace ns3::aidc
{

namespace
{

/// Where the addresses of routers are (WanPlan::GetAddress()).
const char* const DOMAIN = "172.31.0.0/16";

} // namespace

PreEcnWanHelper::PreEcnWanHelper()
    : m_notifierFactory("ns3::aidc::CongestionNotifier"),
      m_controllerFactory("ns3::aidc::IngressEdgeController")
{
}

void
PreEcnWanHelper::Secure(ObjectBase& end) const
{
    if (!m_key.empty())
    {
        end.SetAttribute("Key", StringValue(m_key));
    }
    SetDerived(end, "Domain", StringValue(DOMAIN));
}

void
PreEcnWanHelper::Install(const WanHelper& network, const WanTunnelHelper& tunnels)
{
    const WanPlan& plan = network.GetPlan();
    for (NodeIndex router; router < plan.GetRouters().GetEnd(); ++router)
    {
        const auto node = network.GetRouter(router);
        if (!FindPreEcnQueues(node).empty())
        {
            const auto notifier = m_notifierFactory.Create<CongestionNotifier>();
            Secure(*notifier->GetSender());
            notifier->Install(node);
            m_notifiers.push_back(notifier);
        }
        if (!plan.IsEdge(router))
        {
            continue;
        }
        const auto controller = m_controllerFactory.Create<IngressEdgeController>();
        Secure(*controller);
        controller->Install(node);
        for (uint32_t site = 0; site < plan.GetNSites(); ++site)
        {
            if (site == plan.GetRouters()[router].site)
            {
                continue;
            }
            for (const NodeIndex to : plan.GetEdges(site))
            {
                for (std::size_t i = 0; i < tunnels.GetNTunnels(router, to); ++i)
                {
                    const auto tunnel = tunnels.GetTunnel(router, to, i);
                    controller->AddTunnel(tunnel);
                    tunnel->SetTrafficController(controller);
                    const auto delays = tunnels.GetPathDelays(router, to, i);
                    for (uint32_t path = 0; path < delays.size(); ++path)
                    {
                        controller->SetPathDelay(tunnel, path, delays[path]);
                    }
                }
            }
        }
        m_controllers[router] = controller;
    }
}
} // namespace ns3::aidc
