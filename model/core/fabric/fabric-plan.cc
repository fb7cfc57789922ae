/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-plan.h"

#include "fabric-checks.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace ns3::aidc
{

FabricPlan::FabricPlan(const std::string& name)
    : m_name(name)
{
}

NodeIndex
FabricPlan::AddNode(FabricTier tier, uint32_t pod, uint32_t index)
{
    m_ports.Add({});
    return m_nodes.Add({tier, pod, index});
}

LinkIndex
FabricPlan::AddLink(NodeIndex a,
                    NodeIndex b,
                    uint64_t rate,
                    int64_t delay,
                    double errorRate,
                    uint32_t line)
{
    const LinkIndex link = m_links.GetEnd();
    const auto refuse = [link, line](const std::string& text) {
        throw std::invalid_argument(FabricChecks::DescribeLink(link, line) + ": " + text);
    };
    for (const NodeIndex node : {a, b})
    {
        if (node.value >= m_nodes.size())
        {
            refuse("expected a node below " + std::to_string(m_nodes.size()) + ", found " +
                   std::to_string(node.value));
        }
    }
    if (a == b)
    {
        refuse("expected two nodes, found node " + std::to_string(a.value) + " twice");
    }
    if (rate == 0)
    {
        refuse("expected a rate above 0, found 0");
    }
    if (delay < 0)
    {
        refuse("expected a delay of at least 0 ns, found " + std::to_string(delay));
    }
    if (!(errorRate >= 0 && errorRate <= 1))
    {
        refuse("expected an error rate from 0 to 1, found " + std::to_string(errorRate));
    }
    FabricLink added;
    added.a = a;
    added.b = b;
    added.aPort = m_ports[a].Add({link, b});
    added.bPort = m_ports[b].Add({link, a});
    added.rate = rate;
    added.delay = delay;
    added.errorRate = errorRate;
    added.line = line;
    return m_links.Add(added);
}

void
FabricPlan::Finish()
{
    ListNodes();
    const FabricChecks checks(m_nodes, m_links, m_ports);
    for (const NodeIndex host : m_hosts)
    {
        m_nodes[host].pod = m_nodes[checks.CheckHost(host)].pod;
    }
    m_nPods = checks.CountPods(m_leaves, m_hasSuperSpines);
    if (m_hasSuperSpines)
    {
        checks.CheckPods();
    }
    checks.CheckConnected(m_leaves[0], m_switches);
    AssignAddresses();
    m_ranks = IndexedVector<NodeIndex, uint32_t>(m_nodes.size());
}

void
FabricPlan::ListNodes()
{
    m_hosts.clear();
    m_switches.clear();
    m_leaves.clear();
    m_hasSuperSpines = false;
    for (NodeIndex node; node < m_nodes.GetEnd(); ++node)
    {
        const FabricTier tier = m_nodes[node].tier;
        (tier == FabricTier::HOST ? m_hosts : m_switches).push_back(node);
        if (tier == FabricTier::LEAF)
        {
            m_leaves.push_back(node);
        }
        m_hasSuperSpines |= tier == FabricTier::SUPER_SPINE;
    }
    std::sort(m_leaves.begin(), m_leaves.end(), [this](NodeIndex a, NodeIndex b) {
        return std::tie(m_nodes[a].pod, m_nodes[a].index, a) <
               std::tie(m_nodes[b].pod, m_nodes[b].index, b);
    });
    if (m_leaves.empty())
    {
        throw std::invalid_argument("expected at least one leaf, a switch with hosts; found none");
    }
}

void
FabricPlan::AssignAddresses()
{
    FabricAddressing::Sizes sizes;
    sizes.nPods = m_nPods;
    sizes.nSpines = static_cast<uint32_t>(m_switches.size() - m_leaves.size());
    sizes.isLeafAPod = !m_hasSuperSpines;
    for (const NodeIndex leaf : m_leaves)
    {
        sizes.nLeaves = std::max(sizes.nLeaves, GetLeafInPod(leaf) + 1);
    }
    IndexedVector<NodeIndex, uint32_t> nHosts(m_nodes.size());
    for (const NodeIndex host : m_hosts)
    {
        sizes.nHosts = std::max(sizes.nHosts, ++nHosts[GetLeaf(host)]);
    }
    m_addressing = FabricAddressing(sizes);

    m_addresses = IndexedVector<NodeIndex, uint32_t>(m_nodes.size());
    uint32_t nSpines = 0;
    for (const NodeIndex node : m_switches)
    {
        m_addresses[node] = m_nodes[node].tier == FabricTier::LEAF
                                ? GetLeafPrefix(node).network + 1
                                : FabricAddressing::GetSpineAddress(nSpines++);
    }
    auto last = m_addresses; // of each leaf, the last address taken
    for (const NodeIndex host : m_hosts)
    {
        m_addresses[host] = ++last[GetLeaf(host)];
    }
}

uint32_t
FabricPlan::GetLeafInPod(NodeIndex leaf) const
{
    return m_hasSuperSpines ? m_nodes[leaf].index : 0;
}

const std::string&
FabricPlan::GetName() const
{
    return m_name;
}

uint32_t
FabricPlan::GetNNodes() const
{
    return static_cast<uint32_t>(m_nodes.size());
}

const FabricNode&
FabricPlan::GetNode(NodeIndex node) const
{
    return m_nodes[node];
}

const FabricLinks&
FabricPlan::GetLinks() const
{
    return m_links;
}

const FabricNodePorts&
FabricPlan::GetPorts(NodeIndex node) const
{
    return m_ports[node];
}

const std::vector<NodeIndex>&
FabricPlan::GetHosts() const
{
    return m_hosts;
}

const std::vector<NodeIndex>&
FabricPlan::GetSwitches() const
{
    return m_switches;
}

const std::vector<NodeIndex>&
FabricPlan::GetLeaves() const
{
    return m_leaves;
}

uint32_t
FabricPlan::GetNPods() const
{
    return m_nPods;
}

NodeIndex
FabricPlan::GetLeaf(NodeIndex host) const
{
    return m_ports[host].front().peer;
}

bool
FabricPlan::IsHost(NodeIndex node) const
{
    return m_nodes[node].tier == FabricTier::HOST;
}

bool
FabricPlan::IsSwitch(NodeIndex node) const
{
    return !IsHost(node);
}

std::string
FabricPlan::GetNodeName(NodeIndex node) const
{
    const auto& [tier, pod, index] = m_nodes[node];
    std::string name;
    if (m_hasSuperSpines && (tier == FabricTier::LEAF || tier == FabricTier::SPINE))
    {
        name = "pod-" + std::to_string(pod) + "-";
    }
    switch (tier)
    {
    case FabricTier::HOST:
        name += "host-";
        break;
    case FabricTier::LEAF:
        name += "leaf-";
        break;
    case FabricTier::SPINE:
        name += "spine-";
        break;
    case FabricTier::SUPER_SPINE:
        name += "super-spine-";
        break;
    }
    return name + std::to_string(index);
}

std::string
FabricPlan::GetPortName(NodeIndex node, PortIndex port) const
{
    const NodeIndex peer = m_ports[node][port].peer;
    uint32_t nParallel = 0;
    uint32_t number = 0;
    for (PortIndex i; i < m_ports[node].GetEnd(); ++i)
    {
        if (m_ports[node][i].peer == peer)
        {
            ++nParallel;
            number = port < i ? number : nParallel;
        }
    }
    std::string name = GetNodeName(node) + ":" + GetNodeName(peer);
    if (nParallel > 1)
    {
        name += "." + std::to_string(number);
    }
    return name;
}

uint32_t
FabricPlan::GetAddress(NodeIndex node) const
{
    return m_addresses[node];
}

FabricPrefix
FabricPlan::GetLeafPrefix(NodeIndex leaf) const
{
    return m_addressing.GetLeafPrefix(m_nodes[leaf].pod, GetLeafInPod(leaf));
}

FabricPrefix
FabricPlan::GetPodPrefix(uint32_t pod) const
{
    return m_addressing.GetPodPrefix(pod);
}

void
FabricPlan::AssignRanks(uint32_t nRanks)
{
    if (nRanks == 0 || nRanks > m_nPods)
    {
        throw std::invalid_argument("expected at most " + std::to_string(m_nPods) +
                                    " ranks, one a pod, and at least 1; found " +
                                    std::to_string(nRanks));
    }
    std::vector<uint64_t> nHosts(m_nPods);
    for (const NodeIndex host : m_hosts)
    {
        ++nHosts[m_nodes[host].pod];
    }

    // A pod belongs to the rank in whose equal share of the hosts its middle is, but no rank is
    // left out: the next one begins where there are only as many pods left as ranks.
    std::vector<uint32_t> podRank(m_nPods);
    uint64_t before = 0;
    for (uint32_t pod = 0, rank = 0; pod < m_nPods; ++pod)
    {
        const bool isBeyond =
            (2 * before + nHosts[pod]) * nRanks >= 2 * uint64_t{rank + 1} * m_hosts.size();
        const bool isLastChance = m_nPods - pod == nRanks - rank - 1;
        if (pod > 0 && rank + 1 < nRanks && (isBeyond || isLastChance))
        {
            ++rank;
        }
        podRank[pod] = rank;
        before += nHosts[pod];
    }

    const auto nTop = std::count_if(m_nodes.begin(), m_nodes.end(), [](const FabricNode& node) {
        return node.pod == NO_POD;
    });
    uint64_t top = 0;
    for (NodeIndex i; i < m_nodes.GetEnd(); ++i)
    {
        const uint32_t pod = m_nodes[i].pod;
        m_ranks[i] = pod != NO_POD
                         ? podRank[pod]
                         : static_cast<uint32_t>(top++ * nRanks / static_cast<uint64_t>(nTop));
    }
}

uint32_t
FabricPlan::GetRank(NodeIndex node) const
{
    return m_ranks[node];
}

} // namespace ns3::aidc
