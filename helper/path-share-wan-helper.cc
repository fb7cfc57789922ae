// SPDX-License-Identifier: GPL-2.0-only

#include "path-share-wan-helper.h"

#include "../model/core/fabric/wan-routes.h"
#include "user-default.h"

#include "ns3/notification-key.h"
#include "ns3/string.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// Where the addresses of routers are (WanPlan::GetAddress()).
const char* const ROUTER_NETWORK = "172.31.0.0/16";

/// A link in one direction: the router that sends into it, and its port.
using SendingPort = std::pair<NodeIndex, PortIndex>;

/// Get the ports by which packets follow a path. @return the ports, in the order of the path
std::vector<SendingPort>
GetSendingPorts(const WanRoutes& routes, const std::vector<NodeIndex>& path)
{
    std::vector<SendingPort> ports;
    std::size_t i = 0;
    for (const auto& link : routes.GetLinks(path))
    {
        const NodeIndex router = path[i++];
        ports.emplace_back(router, link.a == router ? link.aPort : link.bPort);
    }
    return ports;
}

} // namespace

PathShareWanHelper::PathShareWanHelper()
    : m_controllerFactory("ns3::aidc::PathShareController"),
      m_reporterFactory("ns3::aidc::LinkLoadReporter")
{
}

void
PathShareWanHelper::Install(const WanHelper& network, const WanTunnelHelper& tunnels)
{
    for (const auto& [from, to] : tunnels.GetEnds())
    {
        if (network.IsLocal(from) && m_controllers.count(from) == 0)
        {
            auto& controller = m_controllers[from];
            controller = m_controllerFactory.Create<PathShareController>();
            if (!m_key.empty())
            {
                controller->SetAttribute("Key", StringValue(m_key));
            }
            SetDerived(*controller, "Domain", StringValue(ROUTER_NETWORK));
            controller->Install(network.GetRouter(from));
        }
        for (std::size_t i = 0; i < tunnels.GetNTunnels(from, to); ++i)
        {
            InstallTunnel(network,
                          from,
                          tunnels.GetTunnel(from, to, i),
                          tunnels.GetPaths(from, to, i));
        }
    }
}

void
PathShareWanHelper::InstallTunnel(const WanHelper& network,
                                  NodeIndex from,
                                  const Ptr<IpTunnelNetDevice>& tunnel,
                                  const std::vector<WanTunnelHelper::Path>& paths)
{
    if (network.IsLocal(from))
    {
        const auto& controller = m_controllers[from];
        controller->AddTunnel(tunnel);
        std::vector<double> weights;
        for (uint32_t path = 0; path < paths.size(); ++path)
        {
            controller->SetPathDelay(tunnel, path, paths[path].delay);
            weights.push_back(static_cast<double>(paths[path].rate));
        }
        if (m_isWeighted)
        {
            controller->SetPathWeights(tunnel, weights);
        }
    }
    InstallReports(network, from, tunnel, paths);
}

void
PathShareWanHelper::InstallReporter(const WanHelper& network,
                                    NodeIndex router,
                                    PortIndex port,
                                    NodeIndex edge)
{
    auto& reporter = m_reporters[router];
    if (!reporter)
    {
        reporter = m_reporterFactory.Create<LinkLoadReporter>();
        if (!m_key.empty())
        {
            const auto key = NotificationKeys::Parse(m_key).GetFirst();
            reporter->SetAttribute("Key", StringValue(key.Print()));
        }
        reporter->Install(network.GetRouter(router));
    }
    reporter->Add(network.GetPort(router, port), WanHelper::GetAddress(edge));
}

void
PathShareWanHelper::InstallReports(const WanHelper& network,
                                   NodeIndex from,
                                   const Ptr<IpTunnelNetDevice>& tunnel,
                                   const std::vector<WanTunnelHelper::Path>& all)
{
    std::vector<std::vector<SendingPort>> paths;
    for (const auto& path : all)
    {
        paths.push_back(GetSendingPorts(network.GetRoutes(), path.routers));
    }
    // A link of all paths has the same load whichever of them packets take.
    const auto isCommon = [&paths](const SendingPort& port) {
        return std::all_of(paths.begin(), paths.end(), [&port](const auto& path) {
            return std::find(path.begin(), path.end(), port) != path.end();
        });
    };
    for (uint32_t path = 0; path < paths.size(); ++path)
    {
        std::vector<PathShareController::Link> links;
        for (const auto& port : paths[path])
        {
            if (isCommon(port))
            {
                continue;
            }
            const NodeIndex router = port.first;
            if (network.IsLocal(router))
            {
                InstallReporter(network, router, port.second, from);
            }
            // Port i of the plan is device i of the router.
            links.push_back(
                {WanHelper::GetAddress(router), static_cast<uint16_t>(port.second.value)});
        }
        if (network.IsLocal(from))
        {
            m_controllers[from]->SetPathLinks(tunnel, path, links);
        }
    }
}

} // namespace ns3::aidc
