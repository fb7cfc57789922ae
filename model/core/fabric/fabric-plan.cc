// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-plan.h"

#include "../require-argument.h"
#include "fabric-processes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

namespace ns3::aidc
{

namespace
{

constexpr uint32_t HOST_BITS = 8;         //!< bits of a host, where everything fits
constexpr uint32_t MAX_LEAF_LENGTH = 24;  //!< it leaves a host that many bits
constexpr uint32_t MAX_SPINE_LENGTH = 30; //!< it leaves two addresses to be used

/// @return the smallest number of bits b with 2^b >= n; n >= 1
uint32_t
BitsFor(uint64_t n)
{
    uint32_t bits = 0;
    while ((uint64_t{1} << bits) < n)
    {
        ++bits;
    }
    return bits;
}

/// @throws std::invalid_argument if a network is longer, or has bits after its length
void
CheckNetwork(const FabricPrefix& prefix, uint32_t maxLength)
{
    AIDC_REQUIRE(prefix.length >= 1 && prefix.length <= maxLength &&
                     (prefix.network & (0xffffffffU >> prefix.length)) == 0,
                 "expected a network of 1 to " + std::to_string(maxLength) +
                     " bits and zeros behind them, found " + std::to_string(prefix.network) + "/" +
                     std::to_string(prefix.length));
}

/// Throw the error of a node. @throws std::invalid_argument always
[[noreturn]] void
RefuseNode(NodeIndex node, const std::string& text)
{
    throw std::invalid_argument("node " + std::to_string(node.value) + ": " + text);
}

/// Name a link in an error. line: its line in a file, 0 if none.
std::string
DescribeLink(LinkIndex link, uint32_t line)
{
    return "link " + std::to_string(link.value) +
           (line != 0 ? " (line " + std::to_string(line) + ")" : "");
}

/// Check a link, without ports. @throws std::invalid_argument if a value is out of range
void
CheckLink(LinkIndex link, const FabricLink& added, std::size_t nNodes)
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

/// Check that a host has links, all of them to leaves. @throws std::invalid_argument if not
void
CheckHost(const FabricPlan& plan, NodeIndex host)
{
    if (plan.GetPorts(host).empty())
    {
        RefuseNode(host, "expected a link of a host, found none");
    }
    for (const auto& port : plan.GetPorts(host))
    {
        if (plan.GetNode(port.peer).tier != FabricTier::LEAF)
        {
            RefuseNode(host,
                       "expected a host's link to a leaf, found " +
                           DescribeLink(port.link, plan.GetLinks()[port.link].line) + " to node " +
                           std::to_string(port.peer.value));
        }
    }
}

/// @return the number of pods @throws std::invalid_argument if leaves or pods have a gap
uint32_t
CountPods(const FabricPlan& plan, bool hasSuperSpines)
{
    uint32_t pod = 0;
    uint32_t index = 0;
    for (const NodeIndex leaf : plan.GetLeaves())
    {
        const auto& node = plan.GetNode(leaf);
        if (leaf != plan.GetLeaves().front())
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

/// @throws std::invalid_argument if the pod of a node is wrong, or two nodes are the same
void
CheckNodes(const FabricPlan& plan, uint32_t nPods, bool hasSuperSpines)
{
    using Key = std::tuple<FabricTier, uint32_t, uint32_t, NodeIndex>;
    std::vector<Key> keys;
    keys.reserve(plan.GetNNodes());
    for (NodeIndex i; i < NodeIndex(plan.GetNNodes()); ++i)
    {
        const auto& node = plan.GetNode(i);
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
        keys.emplace_back(node.tier, plan.IsHost(i) ? NO_POD : node.pod, node.index, i);
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
                           std::to_string(index1) + ", which node " + std::to_string(node0.value) +
                           " has");
        }
    }
}

/// @throws std::invalid_argument naming a link between pods that is not at a super-spine
void
CheckPods(const FabricPlan& plan)
{
    const auto& links = plan.GetLinks();
    for (LinkIndex i; i < links.GetEnd(); ++i)
    {
        if (plan.IsHost(links[i].a) || plan.IsHost(links[i].b))
        {
            continue; // may have links to several pods
        }
        const uint32_t a = plan.GetNode(links[i].a).pod;
        const uint32_t b = plan.GetNode(links[i].b).pod;
        if (a != b && a != NO_POD && b != NO_POD)
        {
            throw std::invalid_argument(DescribeLink(i, links[i].line) +
                                        ": expected a link within a pod or to a super-spine, "
                                        "found one between the pods " +
                                        std::to_string(a) + " and " + std::to_string(b));
        }
    }
}

/// Tell whether any two hosts have links to the same plane.
bool
SharePlanes(const FabricPlan& plan, const IndexedVector<NodeIndex, uint32_t>& planes)
{
    std::set<std::set<uint32_t>> different; // few, whatever the number of hosts
    for (const NodeIndex host : plan.GetHosts())
    {
        std::set<uint32_t> own;
        for (const auto& port : plan.GetPorts(host))
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

/// @return the plane of each switch, a set of switches that links between switches connect, from 0
/// at the first leaf @throws std::invalid_argument naming a switch that is not connected
IndexedVector<NodeIndex, uint32_t>
FindPlanes(const FabricPlan& plan)
{
    constexpr uint32_t NONE = 0xffffffff;
    IndexedVector<NodeIndex, uint32_t> planes(plan.GetNNodes(), NONE);
    uint32_t nPlanes = 0;
    std::vector<NodeIndex> stack;
    for (const NodeIndex leaf : plan.GetLeaves())
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
            for (const auto& port : plan.GetPorts(node))
            {
                if (plan.IsSwitch(port.peer) && planes[port.peer] == NONE)
                {
                    planes[port.peer] = nPlanes;
                    stack.push_back(port.peer);
                }
            }
        }
        ++nPlanes;
    }
    const bool isShared = nPlanes == 1 || SharePlanes(plan, planes);
    for (const NodeIndex node : plan.GetSwitches())
    {
        if (planes[node] == NONE || (planes[node] != 0 && !isShared))
        {
            RefuseNode(node,
                       "expected switches that are connected, found no path to node " +
                           std::to_string(plan.GetLeaves().front().value));
        }
    }
    return planes;
}

} // namespace

std::pair<uint32_t, uint32_t>
DivideAddresses(const FabricNetworks& networks, const FabricSizes& sizes, bool isLeafAPod)
{
    CheckNetwork(networks.leaves, MAX_LEAF_LENGTH);
    CheckNetwork(networks.spines, MAX_SPINE_LENGTH);
    const uint32_t freeBits = 32U - networks.leaves.length;
    uint32_t podBits = isLeafAPod ? freeBits - HOST_BITS : (freeBits - HOST_BITS) / 2;
    uint32_t leafBits = isLeafAPod ? 0 : podBits;
    // All-zeros, the leaf and all-ones are not hosts'.
    const uint32_t hostBits = BitsFor(uint64_t{sizes.nHosts} + 3);
    if (BitsFor(sizes.nPods) > podBits || BitsFor(sizes.nLeaves) > leafBits || hostBits > HOST_BITS)
    {
        podBits = BitsFor(sizes.nPods);
        leafBits = BitsFor(sizes.nLeaves);
    }
    AIDC_REQUIRE(podBits + leafBits + hostBits <= freeBits,
                 "expected a fabric that " + std::to_string(freeBits) +
                     " bits of address can number, found " + std::to_string(sizes.nPods) +
                     " pods of up to " + std::to_string(sizes.nLeaves) + " leaves with up to " +
                     std::to_string(sizes.nHosts) + " hosts");
    // All-zeros and all-ones are nobody's.
    const uint32_t maxSpines = (0xffffffffU >> networks.spines.length) - 1;
    AIDC_REQUIRE(sizes.nSpines <= maxSpines,
                 "expected at most " + std::to_string(maxSpines) +
                     " spines and super-spines, found " + std::to_string(sizes.nSpines));
    return {podBits, leafBits};
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
    CheckLink(link, added, m_nodes.size());
    added.aPort = m_ports[a].Add({link, b});
    added.bPort = m_ports[b].Add({link, a});
    return m_links.Add(added);
}

void
FabricPlan::Finish()
{
    ListNodes();
    for (const NodeIndex host : m_hosts)
    {
        CheckHost(*this, host);
        m_nodes[host].pod = m_nodes[GetLeaf(host)].pod;
    }
    m_nPods = CountPods(*this, m_hasSuperSpines);
    CheckNodes(*this, m_nPods, m_hasSuperSpines);
    if (m_hasSuperSpines)
    {
        CheckPods(*this);
    }
    m_planes = FindPlanes(*this);
    FindAttachments();
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
    AIDC_REQUIRE(!m_leaves.empty(), "expected at least one leaf, a switch with hosts; found none");
}

void
FabricPlan::FindAttachments()
{
    m_attachments.clear();
    m_attachmentOf = IndexedVector<NodeIndex, uint32_t>(m_nodes.size());
    std::vector<uint32_t> sizes; // how many attachments each pod has
    std::map<std::vector<NodeIndex>, uint32_t> indices;
    const auto add = [&](const std::vector<NodeIndex>& some, uint32_t pod) {
        if (indices.emplace(some, 0).second)
        {
            sizes.resize(std::max<std::size_t>(sizes.size(), pod + 1));
            m_attachments.push_back({some, pod, sizes[pod]++});
        }
    };
    IndexedVector<NodeIndex, uint32_t> order(m_nodes.size()); // of leaves
    for (uint32_t i = 0; i < m_leaves.size(); ++i)
    {
        order[m_leaves[i]] = i;
        add({m_leaves[i]}, m_nodes[m_leaves[i]].pod);
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
        auto& own = leavesOfHosts.emplace_back();
        for (const uint32_t number : numbers)
        {
            own.push_back(m_leaves[number]);
        }
        const bool isInPod = pods.size() == 1 && (m_hasSuperSpines || own.size() == 1);
        add(own, isInPod ? *pods.begin() : static_cast<uint32_t>(sizes.size()));
    }
    std::sort(m_attachments.begin(),
              m_attachments.end(),
              [](const FabricAttachment& a, const FabricAttachment& b) {
                  return std::tie(a.pod, a.number) < std::tie(b.pod, b.number);
              });
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
    FabricSizes sizes;
    sizes.nSpines = static_cast<uint32_t>(m_switches.size() - m_leaves.size());
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
    std::tie(m_podBits, m_leafBits) = DivideAddresses(m_networks, sizes, !m_hasSuperSpines);

    m_addresses = IndexedVector<NodeIndex, uint32_t>(m_nodes.size());
    uint32_t nSpines = 0;
    for (const NodeIndex node : m_switches)
    {
        m_addresses[node] = m_nodes[node].tier == FabricTier::LEAF
                                ? GetLeafPrefix(node).network + 1
                                : m_networks.spines.network + 1 + nSpines++;
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

std::vector<PortIndex>
FabricPlan::GetUplinks(NodeIndex id) const
{
    std::vector<PortIndex> uplinks;
    for (PortIndex port; port < m_ports[id].GetEnd(); ++port)
    {
        if (m_nodes[m_ports[id][port].peer].tier > m_nodes[id].tier)
        {
            uplinks.push_back(port);
        }
    }
    return uplinks;
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
FabricPlan::GetPodPrefix(uint32_t pod) const
{
    const uint32_t length = m_networks.leaves.length + m_podBits;
    return {m_networks.leaves.network | (pod << (32 - length)), static_cast<uint8_t>(length)};
}

FabricPrefix
FabricPlan::GetAttachmentPrefix(uint32_t attachment) const
{
    const auto& known = m_attachments[attachment];
    const uint32_t length = m_networks.leaves.length + m_podBits + m_leafBits;
    return {GetPodPrefix(known.pod).network | (known.number << (32 - length)),
            static_cast<uint8_t>(length)};
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
    AIDC_REQUIRE(processes.size() == m_nodes.size(),
                 "expected a process for each of " + std::to_string(m_nodes.size()) +
                     " nodes, found " + std::to_string(processes.size()));
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
