// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-routes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// Hosts with links to some of their leaves only, and each switch's distance from them, by row.
using DetachedHosts = std::map<NodeIndex, std::vector<uint8_t>>;

/// Discard the numbers of a prefix from the used ones on; an item of itemLength bits has a number.
void
DiscardBeyond(FabricTable& table, const FabricPrefix& prefix, uint8_t itemLength, uint32_t used)
{
    // The largest aligned blocks: 5 to 15 of 16 are 5, 6 and 7, 8 to 15.
    const uint32_t end = 1U << (itemLength - prefix.length);
    while (used < end)
    {
        uint32_t block = 1;
        uint8_t length = itemLength;
        for (; used % (2 * block) == 0; block *= 2)
        {
            --length;
        }
        table.routes.push_back(
            {prefix.network | used << (32U - itemLength), length, FabricTable::DISCARD});
        used += block;
    }
}

/// The groups of next hops of a switch or host, and the group of each FabricAttachment.
struct FabricLeafGroups
{
    std::vector<std::vector<PortIndex>> groups; //!< the ports of each group
    std::vector<std::vector<double>> weights;   //!< the weights of each group, if there are any
    std::vector<uint32_t> ofLeaf; //!< the group of each attachment, or FabricTable::DISCARD

    /// @return the next hops of all shortest paths, groups in the order of their first use
    static FabricLeafGroups Find(const FabricDistances& switches,
                                 const FabricDistances::Edges& edges,
                                 const uint8_t* distances,
                                 uint32_t nLeaves)
    {
        // Of each leaf a bit for each edge, in words of 64: whether the edge is a next hop.
        const uint32_t nEdges = edges.n;
        const uint32_t nWords = nEdges / 64 + 1;
        std::vector<uint64_t> bits(std::size_t{nWords} * nLeaves);
        for (uint32_t i = 0; i < nEdges; ++i)
        {
            const uint8_t* peer = switches.GetRow(edges.first[i].peer);
            uint64_t* word = &bits[std::size_t{i / 64} * nLeaves];
            const uint32_t shift = i % 64;
            for (uint32_t leaf = 0; leaf < nLeaves; ++leaf)
            {
                word[leaf] |= static_cast<uint64_t>(peer[leaf] + 1 == distances[leaf]) << shift;
            }
        }

        FabricLeafGroups result;
        result.ofLeaf.assign(nLeaves, FabricTable::DISCARD);
        std::map<std::vector<uint64_t>, uint32_t> numbers; // of the groups, by their bits
        std::vector<uint64_t> key(nWords);
        std::vector<uint64_t> lastKey;
        uint32_t lastGroup = 0;
        for (uint32_t leaf = 0; leaf < nLeaves; ++leaf)
        {
            if (distances[leaf] == FabricDistances::UNREACHABLE || distances[leaf] == 0)
            {
                continue;
            }
            for (uint32_t word = 0; word < nWords; ++word)
            {
                key[word] = bits[std::size_t{word} * nLeaves + leaf];
            }
            if (key != lastKey)
            {
                lastKey = key;
                const auto nGroups = static_cast<uint32_t>(result.groups.size());
                const auto [it, isNew] = numbers.emplace(key, nGroups);
                lastGroup = it->second;
                if (isNew)
                {
                    auto& ports = result.groups.emplace_back();
                    for (uint32_t i = 0; i < nEdges; ++i)
                    {
                        if (key[i / 64] >> (i % 64) & 1)
                        {
                            ports.push_back(edges.first[i].port);
                        }
                    }
                }
            }
            result.ofLeaf[leaf] = lastGroup;
        }
        return result;
    }

    /// Make the groups of a routing protocol's next hops.
    static FabricLeafGroups Take(const FabricNextHops& nextHops)
    {
        FabricLeafGroups result;
        for (const auto& group : nextHops.groups)
        {
            result.groups.push_back(group.ports);
            result.weights.push_back(group.weights);
        }
        for (const auto& way : nextHops.attachments)
        {
            const bool isRoute = way.distance != 0 && way.distance != FabricNextHops::UNREACHABLE;
            result.ofLeaf.push_back(isRoute ? way.group : FabricTable::DISCARD);
        }
        return result;
    }
};

/// @return the first of the groups (or DISCARD) that occur most often, and how often; 0 of nothing
std::pair<uint32_t, uint32_t>
FindCommonest(const std::vector<uint32_t>& groups)
{
    if (groups.empty())
    {
        return {FabricTable::DISCARD, 0};
    }
    const auto nFirst = std::count(groups.begin(), groups.end(), groups[0]);
    if (2 * static_cast<std::size_t>(nFirst) >= groups.size())
    {
        return {groups[0], static_cast<uint32_t>(nFirst)}; // nearly always
    }
    std::map<uint32_t, uint32_t> counts;
    uint32_t most = 0;
    for (const uint32_t group : groups)
    {
        most = std::max(most, ++counts[group]);
    }
    const auto commonest = *std::find_if(groups.begin(), groups.end(), [&](uint32_t group) {
        return counts[group] == most;
    });
    return {commonest, most};
}

/// Makes the forwarding table of a switch or host from distances (see FabricRoutes).
class FabricTableBuilder
{
  public:
    /// nextHops: of the node, a switch or host; null for the next hops by the distances
    FabricTableBuilder(const FabricPlan& fabric,
                       const FabricDistances& distances,
                       const DetachedHosts& detached,
                       NodeIndex node,
                       const FabricNextHops* nextHops = nullptr)
        : m_fabric(fabric),
          m_switches(distances),
          m_detached(detached),
          m_node(node),
          m_isHost(fabric.IsHost(node)),
          m_nextHops(nextHops)
    {
        const auto& attachments = fabric.GetAttachments();
        for (uint32_t column = 0; column < attachments.size(); ++column)
        {
            if (attachments[column].pod == m_podBegin.size())
            {
                m_podBegin.push_back(column);
            }
        }
        m_podBegin.push_back(static_cast<uint32_t>(attachments.size()));
        if (!m_isHost)
        {
            const uint32_t row = m_switches.GetRowOf(node);
            m_edges = m_switches.GetEdges(row);
            m_distances = m_switches.GetRow(row);
        }
        else
        {
            m_hostEdges = m_switches.GetEdgesOfHost(node);
            m_edges = {m_hostEdges.data(), static_cast<uint32_t>(m_hostEdges.size())};
        }
        if (!m_isHost && !nextHops)
        {
            return;
        }
        for (uint32_t column = 0; column < attachments.size(); ++column)
        {
            m_ownDistances.push_back(nextHops ? nextHops->attachments[column].distance
                                              : GetDistance([this, column](uint32_t row) {
                                                    return m_switches.GetRow(row)[column];
                                                }));
        }
        m_distances = m_ownDistances.data();
    }

    FabricTableBuilder(const FabricTableBuilder&) = delete;
    FabricTableBuilder& operator=(const FabricTableBuilder&) = delete;

    FabricTable GetTable() const
    {
        FabricLeafGroups leafGroups =
            m_nextHops
                ? FabricLeafGroups::Take(*m_nextHops)
                : FabricLeafGroups::Find(m_switches,
                                         m_edges,
                                         m_distances,
                                         static_cast<uint32_t>(m_fabric.GetAttachments().size()));
        FabricTable table;
        table.groups = std::move(leafGroups.groups);
        table.weights = std::move(leafGroups.weights);
        const auto& groups = leafGroups.ofLeaf;

        std::vector<Choice> pods;
        for (uint32_t pod = 0; pod + 1 < m_podBegin.size(); ++pod)
        {
            pods.push_back(ChoosePod(pod, groups));
        }
        const Choice all = ChooseDefault(m_fabric.GetNode(m_node).pod, pods);
        if (all.group != FabricTable::DISCARD)
        {
            table.routes.push_back({0, 0, all.group});
        }
        for (uint32_t pod = 0; pod < pods.size(); ++pod)
        {
            const FabricPrefix prefix = m_fabric.GetPodPrefix(pod);
            const Choice& choice = pods[pod];
            const uint32_t end = m_podBegin[pod + 1];
            FabricPrefix leafPrefix;
            if (choice.group != all.group || choice.group == FabricTable::DISCARD)
            {
                table.routes.push_back({prefix.network, prefix.length, choice.group});
            }
            for (uint32_t column = m_podBegin[pod]; column < end; ++column)
            {
                leafPrefix = m_fabric.GetAttachmentPrefix(column);
                if (groups[column] != choice.group)
                {
                    table.routes.push_back({leafPrefix.network, leafPrefix.length, groups[column]});
                }
                const auto first = static_cast<std::ptrdiff_t>(table.routes.size());
                if (m_distances[column] == 0)
                {
                    AddOwnHosts(column, table);
                }
                AddDetachedHosts(column, groups[column], table);
                std::sort(table.routes.begin() + first,
                          table.routes.end(),
                          [](const FabricRoute& a, const FabricRoute& b) {
                              return a.network < b.network;
                          });
            }
            if (!choice.isUniform && choice.group != FabricTable::DISCARD)
            {
                DiscardBeyond(table, prefix, leafPrefix.length, end - m_podBegin[pod]);
            }
        }
        if (!all.isUniform && all.group != FabricTable::DISCARD && !m_isHost)
        {
            const FabricPrefix first = m_fabric.GetPodPrefix(0);
            DiscardBeyond(table,
                          {first.network, 8},
                          first.length,
                          static_cast<uint32_t>(pods.size()));
        }
        return table;
    }

    /// Make the part of the table for the hosts of this leaf. @return the table
    FabricTable GetOwnTable() const
    {
        FabricTable table;
        for (uint32_t column = 0; column < m_fabric.GetAttachments().size(); ++column)
        {
            if (m_distances[column] == 0)
            {
                const FabricPrefix prefix = m_fabric.GetAttachmentPrefix(column);
                table.routes.push_back({prefix.network, prefix.length, FabricTable::DISCARD});
                AddOwnHosts(column, table);
            }
        }
        return table;
    }

  private:
    /// A port that leads to a switch.
    using Edge = FabricDistances::Edge;
    /// The distance if there is no path.
    static constexpr uint8_t UNREACHABLE = FabricDistances::UNREACHABLE;

    /// The choice for a pod's prefix or 0.0.0.0/0.
    struct Choice
    {
        uint32_t group{FabricTable::DISCARD}; //!< the group of the prefix
        bool isUniform{false};                //!< whether all leaves have it, except own ones
        bool isOwn{false};                    //!< whether all leaves are own ones
    };

    /// @return this node's distance from a destination; over ports that are up if it is a host
    template <typename GetRow>
    uint8_t GetDistance(GetRow getRow) const
    {
        if (!m_isHost)
        {
            return getRow(m_switches.GetRowOf(m_node));
        }
        uint8_t nearest = UNREACHABLE;
        for (const Edge& edge : m_edges)
        {
            if (m_switches.IsLinkUp(edge.link))
            {
                nearest = std::min(nearest, getRow(edge.peer));
            }
        }
        return nearest == UNREACHABLE ? UNREACHABLE : static_cast<uint8_t>(nearest + 1);
    }

    /// Choose the group of a pod's prefix.
    Choice ChoosePod(uint32_t pod, const std::vector<uint32_t>& groups) const
    {
        std::vector<uint32_t> others; // the groups of the pod's leaves, but of the switch itself
        uint32_t nLeaves = 0;
        bool isLeaf = false;
        bool isNeighbor = false;
        for (uint32_t column = m_podBegin[pod]; column < m_podBegin[pod + 1]; ++column)
        {
            const bool isOneLeaf = m_fabric.GetAttachments()[column].leaves.size() == 1;
            nLeaves += isOneLeaf ? 1 : 0;
            if (m_distances[column] == 0)
            {
                isLeaf = isLeaf || isOneLeaf;
                continue;
            }
            others.push_back(groups[column]);
            isNeighbor = isNeighbor || (isOneLeaf && m_distances[column] == 1);
        }
        const auto [group, count] = FindCommonest(others);
        if (nLeaves == 2 && isLeaf && isNeighbor)
        {
            return {FabricTable::DISCARD, false}; // two leaves could send to each other for ever
        }
        if (count == others.size())
        {
            return {group, true, others.empty()};
        }
        return {count > 1 ? group : FabricTable::DISCARD, m_isHost};
    }

    /// Choose the group of 0.0.0.0/0. @return the choice, DISCARD where there is no such route
    static Choice ChooseDefault(uint32_t pod, const std::vector<Choice>& pods)
    {
        std::vector<uint32_t> groups;
        for (const auto& choice : pods)
        {
            if (choice.group != FabricTable::DISCARD)
            {
                groups.push_back(choice.group);
            }
        }
        const auto [group, count] = FindCommonest(groups);
        if (pod == NO_POD || count < 2)
        {
            return {FabricTable::DISCARD, false};
        }
        bool isUniform = true;
        for (uint32_t i = 0; i < pods.size(); ++i)
        {
            isUniform &= i == pod || pods[i].isOwn || (pods[i].isUniform && pods[i].group == group);
        }
        return {group, isUniform};
    }

    /// Add the routes to hosts of a prefix that are at this leaf.
    void AddOwnHosts(uint32_t column, FabricTable& table) const
    {
        const auto& ports = m_fabric.GetPorts(m_node);
        for (PortIndex port; port < ports.GetEnd(); ++port)
        {
            const NodeIndex host = ports[port].peer;
            if (m_fabric.IsSwitch(host) || m_fabric.GetAttachment(host) != column ||
                IsElsewhere(host))
            {
                continue;
            }
            FabricNextHops::Group own{{port}, {}};
            if (m_fabric.HasSeveralLinks(host))
            {
                own.ports.clear();
                for (PortIndex i; i < ports.GetEnd(); ++i)
                {
                    if (ports[i].peer == host)
                    {
                        own.ports.push_back(i);
                    }
                }
            }
            if (own.ports.front() == port)
            {
                AddHost(host, own, table);
            }
        }
    }

    /// Add the routes to detached hosts of a prefix.
    void AddDetachedHosts(uint32_t column, uint32_t group, FabricTable& table) const
    {
        const auto isAggregated = [&](const FabricNextHops::Group& other) {
            return group == FabricTable::DISCARD
                       ? other.ports.empty()
                       : table.groups[group] == other.ports &&
                             (table.weights.empty() || table.weights[group] == other.weights);
        };
        for (const auto& [host, distances] : m_detached)
        {
            // Without a route of its own, a host has its prefix's route.
            const bool isKnown = !m_nextHops || m_nextHops->hosts.at(host).distance != UNREACHABLE;
            if (host != m_node && m_fabric.GetAttachment(host) == column && IsElsewhere(host) &&
                isKnown)
            {
                const auto to = GetGroupTo(host);
                if (!isAggregated(to))
                {
                    AddHost(host, to, table);
                }
            }
        }
    }

    /// @return whether the host is detached, and this is none of the leaves that it has left
    bool IsElsewhere(NodeIndex host) const
    {
        const auto detached = m_detached.find(host);
        return detached != m_detached.end() &&
               (m_isHost || detached->second[m_switches.GetRowOf(m_node)] != 0);
    }

    void AddHost(NodeIndex host, const FabricNextHops::Group& group, FabricTable& table) const
    {
        uint32_t index = 0;
        const auto isSame = [&](uint32_t i) {
            return table.groups[i] == group.ports &&
                   (table.weights.empty() || table.weights[i] == group.weights);
        };
        while (index < table.groups.size() && !isSame(index))
        {
            ++index;
        }
        if (group.ports.empty())
        {
            index = FabricTable::DISCARD;
        }
        else if (index == table.groups.size())
        {
            table.groups.push_back(group.ports);
            if (m_nextHops)
            {
                table.weights.push_back(group.weights);
            }
        }
        table.routes.push_back({m_fabric.GetAddress(host), 32, index});
    }

    /// @return the next hops to a detached host, none if it cannot be reached
    FabricNextHops::Group GetGroupTo(NodeIndex host) const
    {
        if (m_nextHops)
        {
            return m_nextHops->groups[m_nextHops->hosts.at(host).group];
        }
        const auto& distances = m_detached.at(host);
        const uint8_t own = GetDistance([&distances](uint32_t row) { return distances[row]; });
        FabricNextHops::Group group;
        for (const Edge& edge : m_edges)
        {
            if (own != UNREACHABLE && distances[edge.peer] + 1 == own)
            {
                group.ports.push_back(edge.port);
            }
        }
        return group;
    }

    const FabricPlan& m_fabric;          //!< the plan
    const FabricDistances& m_switches;   //!< the distances of switches
    const DetachedHosts& m_detached;     //!< the detached hosts
    const NodeIndex m_node;              //!< the switch or host of the table
    const bool m_isHost;                 //!< whether it is a host's
    std::vector<uint32_t> m_podBegin;    //!< the column of each pod's first leaf, then their number
    FabricDistances::Edges m_edges;      //!< the ports to switches
    const uint8_t* m_distances{nullptr}; //!< the distance from each attachment
    std::vector<Edge> m_hostEdges;       //!< keeps the edges of a host
    std::vector<uint8_t> m_ownDistances; //!< keeps distances that m_switches does not have
    const FabricNextHops* m_nextHops;    //!< the next hops that were given, if any
};

} // namespace

std::vector<NodeIndex>
FabricRoutes::FailLink(LinkIndex link)
{
    if (!IsLinkUp(link))
    {
        return {};
    }
    auto isChanged = m_distances.Fail(link);
    UpdateDetached(link, isChanged);
    return GetTouched(link, isChanged);
}

std::vector<NodeIndex>
FabricRoutes::RestoreLink(LinkIndex link)
{
    if (IsLinkUp(link))
    {
        return {};
    }
    auto isChanged = m_distances.Restore(link);
    UpdateDetached(link, isChanged);
    return GetTouched(link, isChanged);
}

std::vector<NodeIndex>
FabricRoutes::GetLiveLeaves(NodeIndex host) const
{
    std::vector<NodeIndex> live;
    for (const NodeIndex leaf : m_fabric.GetAttachments()[m_fabric.GetAttachment(host)].leaves)
    {
        const auto& ports = m_fabric.GetPorts(host);
        const bool isLive = std::any_of(ports.begin(), ports.end(), [&](const FabricPort& port) {
            return port.peer == leaf && IsLinkUp(port.link);
        });
        if (isLive)
        {
            live.push_back(leaf);
        }
    }
    return live;
}

void
FabricRoutes::UpdateDetached(LinkIndex link, std::vector<bool>& isChanged)
{
    const auto note = [&isChanged](const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
        for (std::size_t row = 0; row < isChanged.size(); ++row)
        {
            isChanged[row] = isChanged[row] || a[row] != b[row];
        }
    };
    const auto& ends = m_fabric.GetLinks()[link];
    if (m_fabric.IsSwitch(ends.a) && m_fabric.IsSwitch(ends.b))
    {
        for (auto& [host, distances] : m_detached)
        {
            const auto& found = m_distances.Search(GetLiveLeaves(host));
            note(distances, found);
            distances = found;
        }
        return;
    }
    const NodeIndex host = m_fabric.IsHost(ends.a) ? ends.a : ends.b;
    const uint32_t column = m_fabric.GetAttachment(host);
    const auto& leaves = m_fabric.GetAttachments()[column].leaves;
    if (leaves.size() == 1)
    {
        return;
    }
    const auto former = m_detached.find(host);
    const auto before =
        former == m_detached.end() ? m_distances.GetColumn(column) : std::move(former->second);
    m_detached.erase(host);
    const auto live = GetLiveLeaves(host);
    if (live.empty() || live.size() == leaves.size()) // a host without links is masked everywhere
    {
        note(before, m_distances.GetColumn(column));
        return;
    }
    const auto& found = m_distances.Search(live);
    note(before, found);
    m_detached.emplace(host, found);
}

std::vector<NodeIndex>
FabricRoutes::GetTouched(LinkIndex link, const std::vector<bool>& isChanged) const
{
    // Next hops depend on the node's own distances and on its neighbors' distances.
    IndexedVector<NodeIndex, char> isTouched(m_fabric.GetNNodes());
    const auto& switches = m_fabric.GetSwitches();
    for (std::size_t row = 0; row < isChanged.size(); ++row)
    {
        if (!isChanged[row])
        {
            continue;
        }
        isTouched[switches[row]] = 1;
        for (const auto& port : m_fabric.GetPorts(switches[row]))
        {
            isTouched[port.peer] = 1;
        }
    }
    for (const NodeIndex end : {m_fabric.GetLinks()[link].a, m_fabric.GetLinks()[link].b})
    {
        if (m_fabric.IsHost(end))
        {
            isTouched[end] = 1;
        }
    }
    std::vector<NodeIndex> touched;
    for (NodeIndex node; node < isTouched.GetEnd(); ++node)
    {
        if (isTouched[node] && (m_fabric.IsSwitch(node) || m_fabric.HasSeveralLinks(node)))
        {
            touched.push_back(node);
        }
    }
    return touched;
}

FabricTable
FabricRoutes::GetTable(NodeIndex node) const
{
    return FabricTableBuilder(m_fabric, m_distances, m_detached, node).GetTable();
}

FabricTable
FabricRoutes::GetTable(NodeIndex node, const FabricNextHops& nextHops) const
{
    return FabricTableBuilder(m_fabric, m_distances, m_detached, node, &nextHops).GetTable();
}

FabricTable
FabricRoutes::GetOwnTable(NodeIndex node) const
{
    return FabricTableBuilder(m_fabric, m_distances, m_detached, node).GetOwnTable();
}

std::vector<NodeIndex>
FabricRoutes::GetDetachedHosts() const
{
    std::vector<NodeIndex> hosts;
    for (const auto& [host, distances] : m_detached)
    {
        hosts.push_back(host);
    }
    return hosts;
}

std::vector<FabricLink>
FabricRoutes::GetPath(NodeIndex source, NodeIndex destination) const
{
    using Edge = FabricDistances::Edge;
    constexpr uint8_t UNREACHABLE = FabricDistances::UNREACHABLE;
    const auto& links = m_fabric.GetLinks();
    const auto detached = m_detached.find(destination);
    const uint32_t column = m_fabric.GetAttachment(destination);
    const auto getDistance = [&](uint32_t row) {
        return detached != m_detached.end() ? detached->second[row]
                                            : m_distances.GetRow(row)[column];
    };
    // The only link of a host counts as up.
    const auto isUp = [&](const Edge& edge) {
        const NodeIndex a = links[edge.link].a;
        const NodeIndex host = m_fabric.IsHost(a) ? a : links[edge.link].b;
        return IsLinkUp(edge.link) || (m_fabric.IsHost(host) && !m_fabric.HasSeveralLinks(host));
    };
    const auto findFastest = [&](const auto& edges, const auto& leadsOn) {
        const Edge* fastest = nullptr;
        for (const Edge& edge : edges)
        {
            if (isUp(edge) && leadsOn(edge) &&
                (!fastest || links[edge.link].rate > links[fastest->link].rate))
            {
                fastest = &edge;
            }
        }
        return fastest;
    };

    const auto first = m_distances.GetEdgesOfHost(source);
    uint8_t distance = UNREACHABLE;
    for (const Edge& edge : first)
    {
        distance = isUp(edge) ? std::min(distance, getDistance(edge.peer)) : distance;
    }
    if (distance == UNREACHABLE)
    {
        return {};
    }
    const auto isNext = [&](const Edge& edge) { return getDistance(edge.peer) == distance; };
    const Edge* next = findFastest(first, isNext);
    std::vector<FabricLink> path{links[next->link]};
    while (distance > 0)
    {
        --distance;
        next = findFastest(m_distances.GetEdges(next->peer), isNext);
        path.push_back(links[next->link]);
    }
    const auto ends = m_distances.GetEdgesOfHost(destination);
    const auto isHere = [next](const Edge& edge) { return edge.peer == next->peer; };
    const Edge* last = findFastest(ends, isHere);
    if (!last)
    {
        return {}; // it has no link that is up
    }
    path.push_back(links[last->link]);
    return path;
}

} // namespace ns3::aidc
