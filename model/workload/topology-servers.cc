/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-servers.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// @param ids some ids, ascending
/// @param id an id
/// @return how many of them are lower
uint32_t
CountBelow(const std::vector<NodeIndex>& ids, NodeIndex id)
{
    return static_cast<uint32_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
}

} // namespace

TopologyServers::TopologyServers(uint32_t gpusPerServer,
                                 std::vector<NodeIndex> nvSwitches,
                                 std::vector<NodeIndex> allSwitches)
    : m_gpusPerServer(gpusPerServer),
      m_nvSwitches(std::move(nvSwitches)),
      m_allSwitches(std::move(allSwitches))
{
}

bool
TopologyServers::IsNvSwitch(NodeIndex id) const
{
    return std::binary_search(m_nvSwitches.begin(), m_nvSwitches.end(), id);
}

NodeIndex
TopologyServers::GetNode(NodeIndex id) const
{
    return NodeIndex(id.value - CountBelow(m_nvSwitches, id));
}

uint32_t
TopologyServers::GetServer(NodeIndex id) const
{
    return (id.value - CountBelow(m_allSwitches, id)) / m_gpusPerServer;
}

void
TopologyServers::AddLink(const WorkloadFileReader& reader,
                         NodeIndex a,
                         NodeIndex b,
                         const DataRate& rate,
                         const Time& delay,
                         double errorRate)
{
    const NodeIndex nvSwitch = IsNvSwitch(a) ? a : b;
    const NodeIndex id = IsNvSwitch(a) ? b : a;
    const std::string name = "NVSwitch " + std::to_string(nvSwitch.value);
    if (std::binary_search(m_allSwitches.begin(), m_allSwitches.end(), id))
    {
        reader.Fail("a link of " + name + " to a GPU",
                    "one to " + std::string(IsNvSwitch(id) ? "NVSwitch " : "switch ") +
                        std::to_string(id.value));
    }
    const uint32_t server = m_serverOf.emplace(nvSwitch, GetServer(id)).first->second;
    if (server != GetServer(id))
    {
        reader.Fail("links of " + name + " to GPUs of one server",
                    "GPU " + std::to_string(id.value) + " of server " +
                        std::to_string(GetServer(id)) + " besides those of server " +
                        std::to_string(server));
    }
    if (errorRate != 0)
    {
        reader.Fail("an error rate of 0 at " + name + ", which loses nothing",
                    reader.GetFields()[4]);
    }
    if (delay < NanoSeconds(1))
    {
        reader.Fail("a delay of at least 1ns at " + name, reader.GetFields()[3]);
    }
    Gpu& gpu = m_gpus[id];
    gpu.rate += rate.GetBitRate();
    gpu.delay = std::max(gpu.delay, delay);
}

bool
TopologyServers::IsLinked(NodeIndex id) const
{
    return m_gpusPerServer <= 1 || m_gpus.count(id) > 0;
}

ServerPlan
TopologyServers::MakePlan(const std::vector<NodeIndex>& hosts) const
{
    if (m_gpusPerServer == 0)
    {
        return {};
    }
    std::vector<ScaleUpLink> links;
    for (const auto& [id, gpu] : m_gpus)
    {
        links.push_back({gpu.rate, 2 * gpu.delay.GetNanoSeconds()});
    }
    // GPUs that are servers by themselves need no links
    return {m_gpusPerServer,
            hosts,
            links.size() == hosts.size() ? links : std::vector<ScaleUpLink>{ScaleUpLink()}};
}

} // namespace ns3::aidc
