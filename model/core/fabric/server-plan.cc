/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-plan.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// @param link a link
/// @throws std::invalid_argument if it has no rate or latency
void
CheckLink(const ScaleUpLink& link)
{
    if (link.rate == 0 || link.latency <= 0)
    {
        throw std::invalid_argument(
            "expected a scale-up link with a rate above 0 and a latency of at least 1 ns, found " +
            std::to_string(link.rate) + " bit/s and " + std::to_string(link.latency) + " ns");
    }
}

} // namespace

ServerPlan::ServerPlan(uint32_t gpusPerServer,
                       std::vector<NodeIndex> hosts,
                       std::vector<ScaleUpLink> links)
    : m_gpusPerServer(gpusPerServer),
      m_hosts(std::move(hosts)),
      m_links(std::move(links))
{
    if (gpusPerServer == 0 || m_hosts.size() % gpusPerServer != 0)
    {
        throw std::invalid_argument("expected a number of GPUs that is a multiple of the " +
                                    std::to_string(gpusPerServer) + " GPUs of a server, found " +
                                    std::to_string(m_hosts.size()));
    }
    if (m_links.size() != 1 && m_links.size() != m_hosts.size())
    {
        throw std::invalid_argument("expected a scale-up link for each of " +
                                    std::to_string(m_hosts.size()) + " GPUs, found " +
                                    std::to_string(m_links.size()));
    }
    for (const auto& link : m_links)
    {
        CheckLink(link);
    }
    std::map<NodeIndex, uint32_t> servers;
    for (uint32_t gpu = 0; gpu < GetNGpus(); ++gpu)
    {
        const uint32_t server = servers.emplace(m_hosts[gpu], GetServer(gpu)).first->second;
        if (server != GetServer(gpu))
        {
            throw std::invalid_argument("expected hosts with GPUs of one server, found host " +
                                        std::to_string(m_hosts[gpu].value) + " of servers " +
                                        std::to_string(server) + " and " +
                                        std::to_string(GetServer(gpu)));
        }
    }
}

void
ServerPlan::AddDirectLink(uint32_t a, uint32_t b, const ScaleUpLink& link)
{
    if (a == b || std::max(a, b) >= GetNGpus() || GetServer(a) != GetServer(b))
    {
        throw std::invalid_argument("expected a link between two GPUs of a server, found " +
                                    std::to_string(a) + " and " + std::to_string(b));
    }
    CheckLink(link);
    m_directLinks[std::minmax(a, b)] = link;
}

const ScaleUpLink*
ServerPlan::FindDirectLink(uint32_t a, uint32_t b) const
{
    const auto found = m_directLinks.find(std::minmax(a, b));
    return found == m_directLinks.end() ? nullptr : &found->second;
}

bool
ServerPlan::AreConnected(uint32_t a, uint32_t b) const
{
    return GetServer(a) == GetServer(b) &&
           (m_withoutSwitch.count(GetServer(a)) == 0 || FindDirectLink(a, b));
}

void
ServerPlan::SetServers(FabricPlan& fabric) const
{
    for (uint32_t gpu = 0; gpu < GetNGpus(); ++gpu)
    {
        fabric.SetServer(GetHost(gpu), GetServer(gpu));
    }
}

ServerPlan
MakeServers(FabricPlan& fabric, uint32_t gpusPerServer, const ScaleUpLink& link)
{
    ServerPlan servers(gpusPerServer, fabric.GetHosts(), {link});
    servers.SetServers(fabric);
    return servers;
}

} // namespace ns3::aidc
