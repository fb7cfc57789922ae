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
        for (const NodeIndex to : plan.GetEdges(1 - plan.GetRouters()[router].site))
        {
            const auto tunnel = tunnels.GetTunnel(router, to);
            controller->AddTunnel(tunnel);
            tunnel->SetTrafficController(controller);
            const auto delays = tunnels.GetPathDelays(router, to);
            for (uint32_t path = 0; path < delays.size(); ++path)
            {
                controller->SetPathDelay(tunnel, path, delays[path]);
            }
        }
        m_controllers[router] = controller;
    }
}
} // namespace ns3::aidc
