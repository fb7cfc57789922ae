/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-checks.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

namespace ns3::aidc
{

namespace
{

/// Throw the error of a node. @throws std::invalid_argument always
[[noreturn]] void
RefuseNode(NodeIndex node, const std::string& text)
{
    throw std::invalid_argument("node " + std::to_string(node.value) + ": " + text);
}

} // namespace

FabricChecks::FabricChecks(const FabricNodes& nodes,
                           const FabricLinks& links,
                           const FabricPorts& ports)
    : m_nodes(nodes),
      m_links(links),
      m_ports(ports)
{
}

std::string
FabricChecks::DescribeLink(LinkIndex link, uint32_t line)
{
    std::string text = "link " + std::to_string(link.value);
    if (line != 0)
    {
        text += " (line " + std::to_string(line) + ")";
    }
    return text;
}

void
FabricChecks::CheckLink(LinkIndex link, const FabricLink& added, std::size_t nNodes)
{
    const auto refuse = [link, &added](const std::string& text) {
        throw std::invalid_argument(DescribeLink(link, added.line) + ": " + text);
    };
    for (const NodeIndex node : {added.a, added.b})
    {
        if (node.value >= nNodes)
        {
            refuse("expected a node below " + std::to_string(nNodes) + ", found " +
                   std::to_string(node.value));
        }
    }
    if (added.a == added.b)
    {
        refuse("expected two nodes, found node " + std::to_string(added.a.value) + " twice");
    }
    if (added.rate == 0)
    {
        refuse("expected a rate above 0, found 0");
    }
    if (added.delay < 0)
    {
        refuse("expected a delay of at least 0 ns, found " + std::to_string(added.delay));
    }
    if (!(added.errorRate >= 0 && added.errorRate <= 1))
    {
        refuse("expected an error rate from 0 to 1, found " + std::to_string(added.errorRate));
    }
}

NodeIndex
FabricChecks::CheckHost(NodeIndex host) const
{
    if (m_ports[host].empty())
    {
        RefuseNode(host, "expected a link of a host, found none");
    }
    for (const auto& port : m_ports[host])
    {
        if (m_nodes[port.peer].tier != FabricTier::LEAF)
        {
            RefuseNode(host,
                       "expected a host's link to a leaf, found " +
                           DescribeLink(port.link, m_links[port.link].line) + " to node " +
                           std::to_string(port.peer.value));
        }
    }
    return m_ports[host].front().peer;
}

uint32_t
FabricChecks::CheckLeaves(const std::vector<NodeIndex>& leaves, bool hasSuperSpines) const
{
    uint32_t pod = 0;
    uint32_t index = 0;
    for (const NodeIndex leaf : leaves)
    {
        const auto& node = m_nodes[leaf];
        if (leaf != leaves[0])
        {
            const bool isNextPod = !hasSuperSpines || node.pod != pod;
            pod += isNextPod ? 1 : 0;
            index = hasSuperSpines && isNextPod ? 0 : index + 1;
        }
        if (node.pod != pod || node.index != index)
        {
            RefuseNode(leaf,
                       "expected leaf " + std::to_string(index) + " of pod " + std::to_string(pod) +
                           ", found leaf " + std::to_string(node.index) + " of pod " +
                           std::to_string(node.pod));
        }
    }
    return pod + 1;
}

uint32_t
FabricChecks::CountPods(const std::vector<NodeIndex>& leaves, bool hasSuperSpines) const
{
    const uint32_t nPods = CheckLeaves(leaves, hasSuperSpines);
    using Key = std::tuple<FabricTier, uint32_t, uint32_t, NodeIndex>;
    std::vector<Key> keys;
    keys.reserve(m_nodes.size());
    for (NodeIndex i; i < m_nodes.GetEnd(); ++i)
    {
        const auto& node = m_nodes[i];
        const bool isPodSpine = node.tier == FabricTier::SPINE && hasSuperSpines;
        if (isPodSpine && node.pod >= nPods)
        {
            RefuseNode(i,
                       "expected a spine's pod below " + std::to_string(nPods) + ", found " +
                           std::to_string(node.pod));
        }
        if (node.tier >= FabricTier::SPINE && !isPodSpine && node.pod != NO_POD)
        {
            RefuseNode(i, "expected no pod in the top tier, found " + std::to_string(node.pod));
        }
        keys.emplace_back(node.tier,
                          node.tier == FabricTier::HOST ? NO_POD : node.pod,
                          node.index,
                          i);
    }
    std::sort(keys.begin(), keys.end());
    for (size_t i = 1; i < keys.size(); ++i)
    {
        const auto& [tier, pod1, index1, node1] = keys[i];
        const auto& [tier0, pod0, index0, node0] = keys[i - 1];
        if (std::tie(tier, pod1, index1) == std::tie(tier0, pod0, index0))
        {
            RefuseNode(node1,
                       "expected an index that no other node of its tier has, found " +
                           std::to_string(index1) + ", that of node " +
                           std::to_string(node0.value));
        }
    }
    return nPods;
}

void
FabricChecks::CheckPods() const
{
    for (LinkIndex i; i < m_links.GetEnd(); ++i)
    {
        const FabricNode& a = m_nodes[m_links[i].a];
        const FabricNode& b = m_nodes[m_links[i].b];
        if (a.tier == FabricTier::HOST || b.tier == FabricTier::HOST)
        {
            continue; // may have links to several pods
        }
        if (a.pod != b.pod && a.pod != NO_POD && b.pod != NO_POD)
        {
            throw std::invalid_argument(DescribeLink(i, m_links[i].line) +
                                        ": expected a link within a pod or to a super-spine, "
                                        "found one between the pods " +
                                        std::to_string(a.pod) + " and " + std::to_string(b.pod));
        }
    }
}

IndexedVector<NodeIndex, uint32_t>
FabricChecks::FindPlanes(const std::vector<NodeIndex>& leaves,
                         const std::vector<NodeIndex>& switches,
                         const std::vector<NodeIndex>& hosts) const
{
    constexpr uint32_t NONE = 0xffffffff;
    IndexedVector<NodeIndex, uint32_t> planes(m_nodes.size(), NONE);
    uint32_t nPlanes = 0;
    std::vector<NodeIndex> stack;
    for (const NodeIndex leaf : leaves)
    {
        if (planes[leaf] != NONE)
        {
            continue;
        }
        planes[leaf] = nPlanes;
        stack.push_back(leaf);
        while (!stack.empty())
        {
            const NodeIndex node = stack.back();
            stack.pop_back();
            for (const auto& port : m_ports[node])
            {
                if (m_nodes[port.peer].tier != FabricTier::HOST && planes[port.peer] == NONE)
                {
                    planes[port.peer] = nPlanes;
                    stack.push_back(port.peer);
                }
            }
        }
        ++nPlanes;
    }
    const bool isShared = nPlanes == 1 || SharePlanes(planes, hosts);
    for (const NodeIndex node : switches)
    {
        if (planes[node] == NONE || (planes[node] != 0 && !isShared))
        {
            RefuseNode(node,
                       "expected switches that are connected, found no path to node " +
                           std::to_string(leaves[0].value));
        }
    }
    return planes;
}

bool
FabricChecks::SharePlanes(const IndexedVector<NodeIndex, uint32_t>& planes,
                          const std::vector<NodeIndex>& hosts) const
{
    std::set<std::set<uint32_t>> different; // few, whatever the number of hosts
    for (const NodeIndex host : hosts)
    {
        std::set<uint32_t> own;
        for (const auto& port : m_ports[host])
        {
            own.insert(planes[port.peer]);
        }
        different.insert(own);
    }
    for (const auto& a : different)
    {
        for (const auto& b : different)
        {
            const bool isShared = std::any_of(a.begin(), a.end(), [&b](uint32_t plane) {
                return b.count(plane) != 0;
            });
            if (!isShared)
            {
                return false;
            }
        }
    }
    return true;
}

} // namespace ns3::aidc
