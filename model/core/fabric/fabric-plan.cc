/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-plan.h"

#include "fabric-checks.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

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
    m_planes = checks.FindPlanes(m_leaves, m_switches, m_hosts);
    ListAttachments();
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
FabricPlan::ListAttachments()
{
    IndexedVector<NodeIndex, uint32_t> order(m_nodes.size()); // of leaves
    for (uint32_t i = 0; i < m_leaves.size(); ++i)
    {
        order[m_leaves[i]] = i;
    }
    m_attachments.clear();
    std::vector<uint32_t> sizes(m_nPods); // how many each pod has
    std::map<std::vector<NodeIndex>, uint32_t> indices;
    const auto add = [&](const std::vector<NodeIndex>& leaves, uint32_t pod) {
        if (indices.emplace(leaves, 0).second)
        {
            sizes.resize(std::max<std::size_t>(sizes.size(), pod + 1));
            m_attachments.push_back({leaves, pod, sizes[pod]++});
        }
    };
    for (const NodeIndex leaf : m_leaves)
    {
        add({leaf}, m_nodes[leaf].pod);
    }
    std::vector<std::vector<NodeIndex>> leavesOfHosts;
    for (const NodeIndex host : m_hosts)
    {
        std::set<uint32_t> numbers;
        std::set<uint32_t> pods;
        for (const auto& port : m_ports[host])
        {
            numbers.insert(order[port.peer]);
            pods.insert(m_nodes[port.peer].pod);
        }
        auto& leaves = leavesOfHosts.emplace_back();
        for (const uint32_t number : numbers)
        {
            leaves.push_back(m_leaves[number]);
        }
        const bool isInPod = pods.size() == 1 && (m_hasSuperSpines || leaves.size() == 1);
        add(leaves, isInPod ? *pods.begin() : static_cast<uint32_t>(sizes.size()));
    }
    std::sort(m_attachments.begin(),
              m_attachments.end(),
              [](const FabricAttachment& a, const FabricAttachment& b) {
                  return std::tie(a.pod, a.number) < std::tie(b.pod, b.number);
              });
    m_attachmentOf = IndexedVector<NodeIndex, uint32_t>(m_nodes.size());
    for (uint32_t i = 0; i < m_attachments.size(); ++i)
    {
        indices[m_attachments[i].leaves] = i;
    }
    for (const NodeIndex leaf : m_leaves)
    {
        m_attachmentOf[leaf] = indices.at({leaf});
    }
    for (std::size_t i = 0; i < m_hosts.size(); ++i)
    {
        m_attachmentOf[m_hosts[i]] = indices.at(leavesOfHosts[i]);
    }
}

void
FabricPlan::AssignAddresses()
{
    FabricAddressing::Sizes sizes;
    sizes.networks = m_networks;
    sizes.nSpines = static_cast<uint32_t>(m_switches.size() - m_leaves.size());
    sizes.isLeafAPod = !m_hasSuperSpines;
    for (const auto& attachment : m_attachments)
    {
        sizes.nPods = std::max(sizes.nPods, attachment.pod + 1);
        sizes.nLeaves = std::max(sizes.nLeaves, attachment.number + 1);
    }
    std::vector<uint32_t> nHosts(m_attachments.size());
    for (const NodeIndex host : m_hosts)
    {
        sizes.nHosts = std::max(sizes.nHosts, ++nHosts[m_attachmentOf[host]]);
    }
    m_addressing = FabricAddressing(sizes);

    m_addresses = IndexedVector<NodeIndex, uint32_t>(m_nodes.size());
    uint32_t nSpines = 0;
    for (const NodeIndex node : m_switches)
    {
        m_addresses[node] = m_nodes[node].tier == FabricTier::LEAF
                                ? GetLeafPrefix(node).network + 1
                                : m_addressing.GetSpineAddress(nSpines++);
    }
    std::vector<uint32_t> last; // of each attachment, the last address taken
    for (uint32_t i = 0; i < m_attachments.size(); ++i)
    {
        last.push_back(GetAttachmentPrefix(i).network + 1);
    }
    for (const NodeIndex host : m_hosts)
    {
        m_addresses[host] = ++last[m_attachmentOf[host]];
    }
}

void
FabricPlan::SetNetworks(const FabricNetworks& networks)
{
    const auto former = std::exchange(m_networks, networks);
    try
    {
        if (!m_attachments.empty())
        {
            AssignAddresses();
        }
    }
    catch (const std::invalid_argument&)
    {
        m_networks = former;
        throw;
    }
}

const FabricNetworks&
FabricPlan::GetNetworks() const
{
    return m_networks;
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

const std::vector<FabricAttachment>&
FabricPlan::GetAttachments() const
{
    return m_attachments;
}

uint32_t
FabricPlan::GetAttachment(NodeIndex host) const
{
    return m_attachmentOf[host];
}

uint32_t
FabricPlan::GetPlane(NodeIndex node) const
{
    return m_planes[node];
}

bool
FabricPlan::HasSeveralLinks(NodeIndex host) const
{
    return m_ports[host].size() > 1;
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
    return GetAttachmentPrefix(m_attachmentOf[leaf]);
}

FabricPrefix
FabricPlan::GetAttachmentPrefix(uint32_t attachment) const
{
    return m_addressing.GetLeafPrefix(m_attachments[attachment].pod,
                                      m_attachments[attachment].number);
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
