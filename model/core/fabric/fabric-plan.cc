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

uint32_t
FabricPlan::AddNode(FabricTier tier, uint32_t pod, uint32_t index)
{
    m_nodes.push_back({tier, pod, index});
    m_ports.emplace_back();
    return GetNNodes() - 1;
}

uint32_t
FabricPlan::AddLink(uint32_t a,
                    uint32_t b,
                    uint64_t rate,
                    int64_t delay,
                    double errorRate,
                    uint32_t line)
{
    const auto link = static_cast<uint32_t>(m_links.size());
    const auto refuse = [link, line](const std::string& text) {
        throw std::invalid_argument(FabricChecks::DescribeLink(link, line) + ": " + text);
    };
    for (const uint32_t node : {a, b})
    {
        if (node >= m_nodes.size())
        {
            refuse("expected a node below " + std::to_string(m_nodes.size()) + ", found " +
                   std::to_string(node));
        }
    }
    if (a == b)
    {
        refuse("expected two nodes, found node " + std::to_string(a) + " twice");
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
    added.aPort = static_cast<uint32_t>(m_ports[a].size());
    added.bPort = static_cast<uint32_t>(m_ports[b].size());
    added.rate = rate;
    added.delay = delay;
    added.errorRate = errorRate;
    added.line = line;
    m_links.push_back(added);
    m_ports[a].push_back({link, b});
    m_ports[b].push_back({link, a});
    return link;
}

void
FabricPlan::Finish()
{
    ListNodes();
    const FabricChecks checks(m_nodes, m_links, m_ports);
    for (const uint32_t host : m_hosts)
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
    m_ranks.assign(m_nodes.size(), 0);
}

void
FabricPlan::ListNodes()
{
    m_hosts.clear();
    m_switches.clear();
    m_leaves.clear();
    m_hasSuperSpines = false;
    for (uint32_t node = 0; node < GetNNodes(); ++node)
    {
        const FabricTier tier = m_nodes[node].tier;
        (tier == FabricTier::HOST ? m_hosts : m_switches).push_back(node);
        if (tier == FabricTier::LEAF)
        {
            m_leaves.push_back(node);
        }
        m_hasSuperSpines |= tier == FabricTier::SUPER_SPINE;
    }
    std::sort(m_leaves.begin(), m_leaves.end(), [this](uint32_t a, uint32_t b) {
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
    for (const uint32_t leaf : m_leaves)
    {
        sizes.nLeaves = std::max(sizes.nLeaves, GetLeafInPod(leaf) + 1);
    }
    std::vector<uint32_t> nHosts(m_nodes.size());
    for (const uint32_t host : m_hosts)
    {
        sizes.nHosts = std::max(sizes.nHosts, ++nHosts[GetLeaf(host)]);
    }
    m_addressing = FabricAddressing(sizes);

    m_addresses.assign(m_nodes.size(), 0);
    uint32_t nSpines = 0;
    for (const uint32_t node : m_switches)
    {
        m_addresses[node] = m_nodes[node].tier == FabricTier::LEAF
                                ? GetLeafPrefix(node).network + 1
                                : FabricAddressing::GetSpineAddress(nSpines++);
    }
    std::vector<uint32_t> last = m_addresses; // of each leaf, the last address taken
    for (const uint32_t host : m_hosts)
    {
        m_addresses[host] = ++last[GetLeaf(host)];
    }
}

uint32_t
FabricPlan::GetLeafInPod(uint32_t leaf) const
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
FabricPlan::GetNode(uint32_t node) const
{
    return m_nodes[node];
}

const std::vector<FabricLink>&
FabricPlan::GetLinks() const
{
    return m_links;
}

const std::vector<FabricPort>&
FabricPlan::GetPorts(uint32_t node) const
{
    return m_ports[node];
}

const std::vector<uint32_t>&
FabricPlan::GetHosts() const
{
    return m_hosts;
}

const std::vector<uint32_t>&
FabricPlan::GetSwitches() const
{
    return m_switches;
}

const std::vector<uint32_t>&
FabricPlan::GetLeaves() const
{
    return m_leaves;
}

uint32_t
FabricPlan::GetNPods() const
{
    return m_nPods;
}

uint32_t
FabricPlan::GetLeaf(uint32_t host) const
{
    return m_ports[host][0].peer;
}

bool
FabricPlan::IsHost(uint32_t node) const
{
    return m_nodes[node].tier == FabricTier::HOST;
}

bool
FabricPlan::IsSwitch(uint32_t node) const
{
    return !IsHost(node);
}

std::string
FabricPlan::GetNodeName(uint32_t node) const
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
FabricPlan::GetPortName(uint32_t node, uint32_t port) const
{
    const uint32_t peer = m_ports[node][port].peer;
    uint32_t nParallel = 0;
    uint32_t number = 0;
    for (uint32_t i = 0; i < m_ports[node].size(); ++i)
    {
        if (m_ports[node][i].peer == peer)
        {
            ++nParallel;
            number = i <= port ? nParallel : number;
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
FabricPlan::GetAddress(uint32_t node) const
{
    return m_addresses[node];
}

FabricPrefix
FabricPlan::GetLeafPrefix(uint32_t leaf) const
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
    for (const uint32_t host : m_hosts)
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
    for (uint32_t i = 0; i < GetNNodes(); ++i)
    {
        const uint32_t pod = m_nodes[i].pod;
        m_ranks[i] = pod != NO_POD
                         ? podRank[pod]
                         : static_cast<uint32_t>(top++ * nRanks / static_cast<uint64_t>(nTop));
    }
}

uint32_t
FabricPlan::GetRank(uint32_t node) const
{
    return m_ranks[node];
}

} // namespace ns3::aidc
