/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-attachments.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace ns3::aidc
{

FabricAttachments::FabricAttachments(const FabricNodes& nodes,
                                     const FabricPorts& ports,
                                     const std::vector<NodeIndex>& leaves,
                                     const std::vector<NodeIndex>& hosts,
                                     bool hasSuperSpines)
    : m_of(nodes.size())
{
    std::vector<uint32_t> sizes; // how many attachments each pod has
    std::map<std::vector<NodeIndex>, uint32_t> indices;
    const auto add = [&](const std::vector<NodeIndex>& some, uint32_t pod) {
        if (indices.emplace(some, 0).second)
        {
            sizes.resize(std::max<std::size_t>(sizes.size(), pod + 1));
            m_all.push_back({some, pod, sizes[pod]++});
        }
    };
    IndexedVector<NodeIndex, uint32_t> order(nodes.size()); // of leaves
    for (uint32_t i = 0; i < leaves.size(); ++i)
    {
        order[leaves[i]] = i;
        add({leaves[i]}, nodes[leaves[i]].pod);
    }
    std::vector<std::vector<NodeIndex>> leavesOfHosts;
    for (const NodeIndex host : hosts)
    {
        std::set<uint32_t> numbers;
        std::set<uint32_t> pods;
        for (const auto& port : ports[host])
        {
            numbers.insert(order[port.peer]);
            pods.insert(nodes[port.peer].pod);
        }
        auto& own = leavesOfHosts.emplace_back();
        for (const uint32_t number : numbers)
        {
            own.push_back(leaves[number]);
        }
        const bool isInPod = pods.size() == 1 && (hasSuperSpines || own.size() == 1);
        add(own, isInPod ? *pods.begin() : static_cast<uint32_t>(sizes.size()));
    }
    std::sort(m_all.begin(), m_all.end(), [](const FabricAttachment& a, const FabricAttachment& b) {
        return std::tie(a.pod, a.number) < std::tie(b.pod, b.number);
    });
    for (uint32_t i = 0; i < m_all.size(); ++i)
    {
        indices[m_all[i].leaves] = i;
    }
    for (const NodeIndex leaf : leaves)
    {
        m_of[leaf] = indices.at({leaf});
    }
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        m_of[hosts[i]] = indices.at(leavesOfHosts[i]);
    }
}

} // namespace ns3::aidc
