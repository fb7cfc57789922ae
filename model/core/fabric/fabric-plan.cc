/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-plan.h"

#include "fabric-elements.h"
#include "fabric-processes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

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

/// Checks whether nodes and links make a fabric.
class FabricChecks
{
  public:
    /// Constructor.
    FabricChecks(const FabricNodes& nodes, const FabricLinks& links, const FabricPorts& ports)
        : m_nodes(nodes),
          m_links(links),
          m_ports(ports)
    {
    }

    /// Check a link that is to be added. added: the link, without ports.
    /// @throws std::invalid_argument if a value is out of range
    static void CheckLink(LinkIndex link, const FabricLink& added, std::size_t nNodes)
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

    /// Check the links of a host. @return the leaf of its first link @throws std::invalid_argument
    /// if the host has no link, or one that does not lead to a leaf
    NodeIndex CheckHost(NodeIndex host) const
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

    /// Check pods and indices, and count the pods.
    /// @param leaves the leaves, by pod and index
    /// @param hasSuperSpines whether the fabric has super-spines
    /// @return the number of pods
    /// @throws std::invalid_argument if pods or leaves have gaps or two nodes are the same
    uint32_t CountPods(const std::vector<NodeIndex>& leaves, bool hasSuperSpines) const
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

    /// Check that pods are connected by super-spines only.
    /// @throws std::invalid_argument naming a link for which this does not hold
    void CheckPods() const
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
                                            std::to_string(a.pod) + " and " +
                                            std::to_string(b.pod));
            }
        }
    }

    /**
     * @brief Find the planes: sets of switches that are connected by links between switches.
     *
     * There may be several planes if any two hosts have links to the same plane.
     *
     * @param leaves the leaves
     * @param switches all switches
     * @param hosts the hosts
     * @return the plane of each switch, from 0, that of the first leaf
     * @throws std::invalid_argument naming a switch that is not connected
     */
    IndexedVector<NodeIndex, uint32_t> FindPlanes(const std::vector<NodeIndex>& leaves,
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

  private:
    /// Name a link in an error. line: its line in a file, 0 if none.
    static std::string DescribeLink(LinkIndex link, uint32_t line)
    {
        std::string text = "link " + std::to_string(link.value);
        if (line != 0)
        {
            text += " (line " + std::to_string(line) + ")";
        }
        return text;
    }

    /// Tell whether any two hosts have links to the same plane.
    bool SharePlanes(const IndexedVector<NodeIndex, uint32_t>& planes,
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

    /// Check that leaves and pods are counted without gaps. @throws std::invalid_argument if there
    /// is a gap
    uint32_t CheckLeaves(const std::vector<NodeIndex>& leaves, bool hasSuperSpines) const
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
                           "expected leaf " + std::to_string(index) + " of pod " +
                               std::to_string(pod) + ", found leaf " + std::to_string(node.index) +
                               " of pod " + std::to_string(node.pod));
            }
        }
        return pod + 1;
    }

    const FabricNodes& m_nodes; //!< the nodes
    const FabricLinks& m_links; //!< the links
    const FabricPorts& m_ports; //!< the ports of each node
};

} // namespace

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
