/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-processes.h"

#include "graph-partition.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// By how much the load of a process may be above the mean where fewer bytes then cross between
/// processes.
constexpr double BALANCED = 1.05;

/// Divides the nodes of a plan. Nodes that stay together, such as a leaf and its hosts, or the
/// hosts of a server, are a group.
class FabricDivider
{
  public:
    FabricDivider(const FabricNodes& nodes,
                  const FabricLinks& links,
                  const FabricPorts& ports,
                  uint32_t nProcesses)
        : m_nodes(nodes),
          m_links(links),
          m_ports(ports),
          m_nProcesses(nProcesses)
    {
        FindGroups();
        m_graph = MakeGraph();
    }

    /// @return the process of each node
    IndexedVector<NodeIndex, uint32_t> Divide() const
    {
        // The first ones are preferred where the others are not better.
        std::vector<Division> divisions;
        Add(divisions, GetConsecutive([this](NodeIndex leaf) { return m_nodes[leaf].pod; }));
        Add(divisions, GetConsecutive([](NodeIndex leaf) { return leaf.value; }));
        Add(divisions, PartitionGraph(m_graph, m_nProcesses));
        double balanced = BALANCED;
        const auto isMoreEven = [](const Division& a, const Division& b) {
            return a.heaviest < b.heaviest;
        };
        balanced =
            std::max(balanced,
                     std::min_element(divisions.begin(), divisions.end(), isMoreEven)->heaviest);
        const auto isBetter = [balanced](const Division& a, const Division& b) {
            const bool isEven = a.heaviest <= balanced;
            return isEven != (b.heaviest <= balanced) ? isEven : a.cut < b.cut;
        };
        const auto& best = *std::min_element(divisions.begin(), divisions.end(), isBetter);
        IndexedVector<NodeIndex, uint32_t> processes(m_nodes.size());
        for (NodeIndex node; node < m_nodes.GetEnd(); ++node)
        {
            processes[node] = best.processes[m_groups[node]];
        }
        return processes;
    }

  private:
    /// The processes of groups
    using Processes = std::vector<uint32_t>;

    /// A way to divide the groups
    struct Division
    {
        Processes processes; //!< the process of each group
        double heaviest;     //!< the largest load of a process, as a multiple of the mean
        double cut;          //!< the rates of links between processes
    };

    /// Find the groups: a server whose hosts have links to several leaves, a leaf with the other
    /// hosts that have links to it alone, or one other node.
    void FindGroups()
    {
        FindServers();
        m_groups = IndexedVector<NodeIndex, uint32_t>(m_nodes.size());
        std::map<uint32_t, uint32_t> groupOfServer;
        for (NodeIndex node; node < m_nodes.GetEnd(); ++node)
        {
            if (IsOfServer(node))
            {
                const auto [known, isNew] = groupOfServer.emplace(m_nodes[node].server, m_nGroups);
                m_groups[node] = known->second;
                m_nGroups += isNew ? 1 : 0;
            }
            else if (!IsOfLeaf(node))
            {
                m_groups[node] = m_nGroups++;
            }
            if (m_nodes[node].tier == FabricTier::LEAF)
            {
                m_leaves.push_back(node);
            }
        }
        for (NodeIndex node; node < m_nodes.GetEnd(); ++node)
        {
            if (IsOfLeaf(node) && !IsOfServer(node))
            {
                m_groups[node] = m_groups[m_ports[node].front().peer];
            }
        }
    }

    /// Find the servers whose hosts have links to several leaves.
    void FindServers()
    {
        std::map<uint32_t, NodeIndex> leaves; // the leaf of the first host
        for (NodeIndex node; node < m_nodes.GetEnd(); ++node)
        {
            const uint32_t server = m_nodes[node].server;
            if (server == NO_SERVER)
            {
                continue;
            }
            const NodeIndex leaf = m_ports[node].front().peer;
            if (!IsOfLeaf(node) || leaves.emplace(server, leaf).first->second != leaf)
            {
                m_servers.emplace(server, static_cast<uint32_t>(m_servers.size()));
            }
        }
    }

    /// @return whether it is of a server whose hosts have links to several leaves
    bool IsOfServer(NodeIndex node) const
    {
        return m_servers.count(m_nodes[node].server) > 0;
    }

    /// @return whether it is a host that has links to one leaf
    bool IsOfLeaf(NodeIndex node) const
    {
        const auto& ports = m_ports[node];
        return m_nodes[node].tier == FabricTier::HOST &&
               std::all_of(ports.begin(), ports.end(), [&ports](const FabricPort& port) {
                   return port.peer == ports.front().peer;
               });
    }

    /// @return the groups; the weight of one is the work that traffic at the rates of links makes
    WeightedGraph MakeGraph() const
    {
        WeightedGraph graph(m_nGroups);
        for (const FabricLink& link : m_links)
        {
            const auto rate = static_cast<double>(link.rate);
            const uint32_t a = m_groups[link.a];
            const uint32_t b = m_groups[link.b];
            graph.weights[a] += rate;
            graph.weights[b] += rate;
            if (a != b)
            {
                graph.AddEdge(a, b, rate);
            }
        }
        return graph;
    }

    /// Divide leaves in their order. Other nodes follow the leaf or the pod that they belong to, or
    /// are spread evenly, as servers are in their order. @param getUnit tells the unit of a leaf,
    /// all of which stays together @return the processes; nothing if there are more processes than
    /// units
    template <typename GetUnit>
    Processes GetConsecutive(const GetUnit& getUnit) const
    {
        std::map<uint32_t, double> units; // in their order, with their loads
        for (const NodeIndex leaf : m_leaves)
        {
            units[getUnit(leaf)] += m_graph.weights[m_groups[leaf]];
        }
        if (units.size() < m_nProcesses)
        {
            return {};
        }
        const auto processOfUnit = Deal(units);
        Processes processes(m_nGroups);
        std::map<uint32_t, uint32_t> processOfPod; // of its first leaf
        for (const NodeIndex leaf : m_leaves)
        {
            processes[m_groups[leaf]] = processOfUnit.at(getUnit(leaf));
            processOfPod.emplace(m_nodes[leaf].pod, processes[m_groups[leaf]]);
        }
        uint64_t nTop = 0;
        for (const FabricNode& node : m_nodes)
        {
            nTop += node.pod == NO_POD ? 1 : 0;
        }
        uint64_t top = 0;
        for (NodeIndex node; node < m_nodes.GetEnd(); ++node)
        {
            const FabricNode& known = m_nodes[node];
            if (IsOfServer(node))
            {
                processes[m_groups[node]] = static_cast<uint32_t>(
                    uint64_t{m_servers.at(known.server)} * m_nProcesses / m_servers.size());
            }
            else if (known.pod == NO_POD)
            {
                processes[m_groups[node]] = static_cast<uint32_t>(top++ * m_nProcesses / nTop);
            }
            else if (known.tier == FabricTier::HOST)
            {
                processes[m_groups[node]] = processes[m_groups[m_ports[node].front().peer]];
            }
            else if (known.tier != FabricTier::LEAF)
            {
                processes[m_groups[node]] = processOfPod.at(known.pod);
            }
        }
        return processes;
    }

    /// Give each process consecutive units. A unit belongs to the process in whose equal share of
    /// the load its middle is, but no process is left out: the next one begins where there are only
    /// as many units left as processes. @return the process of each unit
    std::map<uint32_t, uint32_t> Deal(const std::map<uint32_t, double>& units) const
    {
        const double sum =
            std::accumulate(units.begin(), units.end(), 0.0, [](double before, const auto& unit) {
                return before + unit.second;
            });
        std::map<uint32_t, uint32_t> processes;
        double before = 0;
        uint32_t process = 0;
        std::size_t nLeft = units.size();
        for (const auto& [unit, load] : units)
        {
            const bool isBeyond = (2 * before + load) * m_nProcesses >= 2 * (process + 1) * sum;
            const bool isLastChance = nLeft == m_nProcesses - process - 1;
            if (nLeft < units.size() && process + 1 < m_nProcesses && (isBeyond || isLastChance))
            {
                ++process;
            }
            processes[unit] = process;
            before += load;
            --nLeft;
        }
        return processes;
    }

    /// Add a division, if it is one that gives each process something to do.
    void Add(std::vector<Division>& divisions, Processes processes) const
    {
        std::vector<double> loads(m_nProcesses);
        std::vector<bool> isUsed(m_nProcesses);
        double cut = 0;
        for (uint32_t group = 0; group < processes.size(); ++group)
        {
            loads[processes[group]] += m_graph.weights[group];
            isUsed[processes[group]] = true;
            for (const auto& [other, rate] : m_graph.edges[group])
            {
                cut += processes[group] < processes[other] ? rate : 0;
            }
        }
        if (std::find(isUsed.begin(), isUsed.end(), false) == isUsed.end())
        {
            const double sum = std::accumulate(loads.begin(), loads.end(), 0.0);
            const double heaviest = *std::max_element(loads.begin(), loads.end());
            divisions.push_back(
                {std::move(processes), sum > 0 ? heaviest * m_nProcesses / sum : 1, cut});
        }
    }

    const FabricNodes& m_nodes;                  //!< the nodes
    const FabricLinks& m_links;                  //!< the links
    const FabricPorts& m_ports;                  //!< the ports of each node
    uint32_t m_nProcesses;                       //!< the number of processes
    std::vector<NodeIndex> m_leaves;             //!< the leaves, ascending
    std::map<uint32_t, uint32_t> m_servers;      //!< servers with several leaves: their order
    IndexedVector<NodeIndex, uint32_t> m_groups; //!< the group of each node
    uint32_t m_nGroups{0};                       //!< the number of groups
    WeightedGraph m_graph{0};                    //!< the groups
};

} // namespace

IndexedVector<NodeIndex, uint32_t>
DistributeOverProcesses(const FabricNodes& nodes,
                        const FabricLinks& links,
                        const FabricPorts& ports,
                        uint32_t nProcesses)
{
    const auto nLeaves = std::count_if(nodes.begin(), nodes.end(), [](const FabricNode& node) {
        return node.tier == FabricTier::LEAF;
    });
    if (nProcesses == 0 || nProcesses > static_cast<uint64_t>(nLeaves))
    {
        throw std::invalid_argument("expected at most " + std::to_string(nLeaves) +
                                    " processes, one per leaf, and at least 1; found " +
                                    std::to_string(nProcesses));
    }
    if (nProcesses == 1)
    {
        return IndexedVector<NodeIndex, uint32_t>(nodes.size());
    }
    return FabricDivider(nodes, links, ports, nProcesses).Divide();
}

} // namespace ns3::aidc
