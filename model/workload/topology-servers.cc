/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-servers.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// ids: some ids, ascending. @return how many of them are lower
uint32_t
CountBelow(const std::vector<NodeIndex>& ids, NodeIndex id)
{
    return static_cast<uint32_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
}

} // namespace

TopologyServers::TopologyServers(uint32_t gpusPerServer,
                                 uint32_t nGpus,
                                 std::vector<NodeIndex> nvSwitches,
                                 std::vector<NodeIndex> allSwitches)
    : m_gpusPerServer(gpusPerServer),
      m_nGpus(nGpus),
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
TopologyServers::GetGpu(NodeIndex id) const
{
    return id.value - CountBelow(m_allSwitches, id);
}

uint32_t
TopologyServers::GetServer(NodeIndex id) const
{
    return GetGpu(id) / m_gpusPerServer;
}

bool
TopologyServers::IsGpu(NodeIndex id) const
{
    return m_gpusPerServer > 0 &&
           !std::binary_search(m_allSwitches.begin(), m_allSwitches.end(), id);
}

bool
TopologyServers::IsOfServer(NodeIndex a, NodeIndex b) const
{
    return IsNvSwitch(a) || IsNvSwitch(b) || (IsGpu(a) && IsGpu(b));
}

void
TopologyServers::AddSwitchLink(const WorkloadFileReader& reader, NodeIndex nvSwitch, NodeIndex gpu)
{
    const std::string name = "NVSwitch " + std::to_string(nvSwitch.value);
    if (!IsGpu(gpu))
    {
        reader.Fail("a link of " + name + " to a GPU",
                    "one to " + std::string(IsNvSwitch(gpu) ? "NVSwitch " : "switch ") +
                        std::to_string(gpu.value));
    }
    const uint32_t server = m_serverOf.emplace(nvSwitch, GetServer(gpu)).first->second;
    if (server != GetServer(gpu))
    {
        reader.Fail("links of " + name + " to GPUs of one server",
                    "GPU " + std::to_string(gpu.value) + " of server " +
                        std::to_string(GetServer(gpu)) + " besides those of server " +
                        std::to_string(server));
    }
}

void
TopologyServers::AddLink(const WorkloadFileReader& reader,
                         NodeIndex a,
                         NodeIndex b,
                         const DataRate& rate,
                         double nanoseconds,
                         double errorRate)
{
    const bool isDirect = !IsNvSwitch(a) && !IsNvSwitch(b);
    const NodeIndex gpu = IsNvSwitch(a) ? b : a;
    const std::string name = isDirect ? "a link of two GPUs"
                                      : "NVSwitch " + std::to_string((IsNvSwitch(a) ? a : b).value);
    if (!isDirect)
    {
        AddSwitchLink(reader, IsNvSwitch(a) ? a : b, gpu);
    }
    else if (!m_nvSwitches.empty() || GetServer(a) != GetServer(b))
    {
        reader.Fail(m_nvSwitches.empty() ? "links of GPUs to switches, or to GPUs of their server"
                                         : "links of GPUs to switches, or to NVSwitches",
                    "one of the GPUs " + std::to_string(a.value) + " and " +
                        std::to_string(b.value));
    }
    if (errorRate != 0)
    {
        reader.Fail("an error rate of 0 at " + name + ", which loses nothing",
                    reader.GetFields()[4]);
    }
    if (nanoseconds < 1)
    {
        reader.Fail("a delay of at least 1ns at " + name, reader.GetFields()[3]);
    }
    const auto ends = std::minmax(a, b);
    const auto [first, isFirst] = m_lines.emplace(ends, reader.GetLine());
    if (!isFirst)
    {
        m_notes.push_back(std::to_string(reader.GetLine()) + ": another link between the nodes " +
                          std::to_string(a.value) + " and " + std::to_string(b.value) +
                          " of line " + std::to_string(first->second) + "; their rates add up");
    }
    if (!isDirect)
    {
        m_linkedServers.insert(GetServer(gpu));
    }
    Links& links = isDirect ? m_pairs[ends] : m_gpus[gpu];
    links.rate += rate.GetBitRate();
    links.nanoseconds = std::max(links.nanoseconds, nanoseconds);
}

std::vector<std::string>
TopologyServers::GetNotes() const
{
    std::vector<std::string> notes = m_notes;
    const std::size_t nServers = m_nGpus / std::max(m_gpusPerServer, 1U);
    if (m_gpusPerServer > 1 && m_linkedServers.size() < nServers)
    {
        notes.push_back("1: " + std::to_string(nServers - m_linkedServers.size()) +
                        " servers have no NVSwitch: " +
                        (m_pairs.empty() ? "their GPUs" : "GPUs that have no link of their own") +
                        " reach each other by the network");
    }
    return notes;
}

bool
TopologyServers::IsLinked(NodeIndex id) const
{
    return m_gpusPerServer <= 1 || m_gpus.count(id) > 0 ||
           m_linkedServers.count(GetServer(id)) == 0;
}

ServerPlan
TopologyServers::MakePlan(const std::vector<NodeIndex>& hosts) const
{
    if (m_gpusPerServer == 0)
    {
        return {};
    }
    // GPUs that have no links to switches do not use theirs
    std::vector<ScaleUpLink> links(m_gpus.empty() ? 1 : hosts.size());
    for (const auto& [id, gpu] : m_gpus)
    {
        links[GetGpu(id)] = {gpu.rate, std::llround(2 * gpu.nanoseconds)};
    }
    ServerPlan plan(m_gpusPerServer, hosts, links);
    for (uint32_t server = 0; server < plan.GetNServers(); ++server)
    {
        if (m_linkedServers.count(server) == 0)
        {
            plan.RemoveSwitch(server);
        }
    }
    for (const auto& [ends, pair] : m_pairs)
    {
        plan.AddDirectLink(GetGpu(ends.first),
                           GetGpu(ends.second),
                           {pair.rate, std::llround(pair.nanoseconds)});
    }
    return plan;
}

} // namespace ns3::aidc
