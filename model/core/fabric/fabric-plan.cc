/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-plan.h"

#include "fabric-checks.h"
#include "fabric-processes.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

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

FabricPlan::FabricPlan(const std::string& name)
    : m_name(name)
{
}

NodeIndex
FabricPlan::AddNode(FabricTier tier, uint32_t pod, uint32_t index)
{
    m_ports.Add({});
    return m_nodes.Add({tier, pod, index, NO_SERVER});
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
    FabricLink added;
    added.a = a;
    added.b = b;
    added.rate = rate;
    added.delay = delay;
    added.errorRate = errorRate;
    added.line = line;
    FabricChecks::CheckLink(link, added, m_nodes.size());
    added.aPort = m_ports[a].Add({link, b});
    added.bPort = m_ports[b].Add({link, a});
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
    m_attachments = FabricAttachments(m_nodes, m_ports, m_leaves, m_hosts, m_hasSuperSpines);
    AssignAddresses();
    m_processes = IndexedVector<NodeIndex, uint32_t>(m_nodes.size());
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
    sizes.networks = m_networks;
    sizes.nSpines = static_cast<uint32_t>(m_switches.size() - m_leaves.size());
    sizes.isLeafAPod = !m_hasSuperSpines;
    for (const auto& attachment : GetAttachments())
    {
        sizes.nPods = std::max(sizes.nPods, attachment.pod + 1);
        sizes.nLeaves = std::max(sizes.nLeaves, attachment.number + 1);
    }
    std::vector<uint32_t> nHosts(GetAttachments().size());
    for (const NodeIndex host : m_hosts)
    {
        sizes.nHosts = std::max(sizes.nHosts, ++nHosts[GetAttachment(host)]);
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
    for (uint32_t i = 0; i < GetAttachments().size(); ++i)
    {
        last.push_back(GetAttachmentPrefix(i).network + 1);
    }
    for (const NodeIndex host : m_hosts)
    {
        m_addresses[host] = ++last[GetAttachment(host)];
    }
}

void
FabricPlan::SetNetworks(const FabricNetworks& networks)
{
    const auto former = std::exchange(m_networks, networks);
    try
    {
        if (!GetAttachments().empty())
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

std::string
FabricPlan::GetNodeName(NodeIndex node) const
{
    const auto& [tier, pod, index, server] = m_nodes[node];
    static constexpr const char* TIERS[] = {"host-", "leaf-", "spine-", "super-spine-"};
    const bool isInPod =
        m_hasSuperSpines && (tier == FabricTier::LEAF || tier == FabricTier::SPINE);
    return (isInPod ? "pod-" + std::to_string(pod) + "-" : "") +
           TIERS[static_cast<uint32_t>(tier)] + std::to_string(index);
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

FabricPrefix
FabricPlan::GetLeafPrefix(NodeIndex leaf) const
{
    return GetAttachmentPrefix(GetAttachment(leaf));
}

FabricPrefix
FabricPlan::GetAttachmentPrefix(uint32_t attachment) const
{
    const FabricAttachment& known = GetAttachments()[attachment];
    return m_addressing.GetLeafPrefix(known.pod, known.number);
}

void
FabricPlan::AssignProcesses(uint32_t nProcesses)
{
    m_processes = DistributeOverProcesses(m_nodes, m_links, m_ports, nProcesses);
    m_nProcesses = nProcesses;
}

void
FabricPlan::SetProcesses(const IndexedVector<NodeIndex, uint32_t>& processes, uint32_t nProcesses)
{
    if (processes.size() != m_nodes.size())
    {
        throw std::invalid_argument("expected a process for each of " +
                                    std::to_string(m_nodes.size()) + " nodes, found " +
                                    std::to_string(processes.size()));
    }
    for (const uint32_t process : processes)
    {
        if (process >= nProcesses)
        {
            throw std::invalid_argument("expected processes from 0 to " +
                                        std::to_string(nProcesses) + " - 1, found " +
                                        std::to_string(process));
        }
    }
    m_processes = processes;
    m_nProcesses = nProcesses;
}

} // namespace ns3::aidc
