// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-processes.h"

#include "../require-argument.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>
#ifdef AIDC_HAS_SCOTCH
#include <cmath>
#include <cstdio>
#include <limits>
// After the headers whose names it uses
#include <scotch.h>
#endif

namespace ns3::aidc
{

namespace
{

/// A graph with weights, which is to be divided into parts.
struct WeightedGraph
{
    /// Add to the weight of the edge between two vertices, which need not be there yet.
    void AddEdge(uint32_t a, uint32_t b, double weight)
    {
        edges[a][b] += weight;
        edges[b][a] += weight;
    }

    std::vector<double> weights;                   //!< by vertex, at least 0
    std::vector<std::map<uint32_t, double>> edges; //!< by vertex, the weights by the other vertex
};

#ifdef AIDC_HAS_SCOTCH

/// How far a part may be from its equal share, as a share of it.
constexpr double IMBALANCE = 0.02;

/// @return whole numbers in about the proportions of the weights, whose sum Scotch can count
std::vector<SCOTCH_Num>
MakeWhole(const std::vector<double>& weights)
{
    // Numbers from 1 to 1000 have the proportions of any links' rates, but not if there are many.
    constexpr double LARGEST = 1000;
    constexpr double LARGEST_SUM = std::numeric_limits<int32_t>::max() / 4.0;
    const double largest = weights.empty() ? 0 : *std::max_element(weights.begin(), weights.end());
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    const double scale =
        largest > 0 ? std::min(LARGEST / largest, LARGEST_SUM / std::max(sum, 1.0)) : 0;
    std::vector<SCOTCH_Num> whole;
    for (const double weight : weights)
    {
        whole.push_back(
            std::max<SCOTCH_Num>(1, static_cast<SCOTCH_Num>(std::lround(weight * scale))));
    }
    return whole;
}

/// The arrays of a graph, as Scotch has them.
struct ScotchArrays
{
    explicit ScotchArrays(const WeightedGraph& graph)
        : vertexWeights(MakeWhole(graph.weights))
    {
        std::vector<double> weights;
        for (const auto& edges : graph.edges)
        {
            first.push_back(static_cast<SCOTCH_Num>(others.size()));
            for (const auto& [other, weight] : edges)
            {
                others.push_back(static_cast<SCOTCH_Num>(other));
                weights.push_back(weight);
            }
        }
        first.push_back(static_cast<SCOTCH_Num>(others.size()));
        edgeWeights = MakeWhole(weights);
    }

    std::vector<SCOTCH_Num> first;         //!< by vertex, its first edge; at the end their number
    std::vector<SCOTCH_Num> others;        //!< by edge, the vertex that it leads to
    std::vector<SCOTCH_Num> vertexWeights; //!< by vertex
    std::vector<SCOTCH_Num> edgeWeights;   //!< by edge
};

/// Divide a graph by Scotch, into parts of about the same weight with little between them.
/// @return the part of each vertex, the same each time; nothing without Scotch, or if it fails
std::vector<uint32_t>
PartitionGraph(const WeightedGraph& graph, uint32_t nParts)
{
    const ScotchArrays arrays(graph);
    const auto n = static_cast<SCOTCH_Num>(graph.weights.size());
    std::vector<SCOTCH_Num> parts(graph.weights.size());

    // One thread and a fixed seed: the same parts each time.
    SCOTCH_Context context;
    SCOTCH_Graph whole;
    SCOTCH_Graph bound;
    SCOTCH_Strat strategy;
    SCOTCH_contextInit(&context);
    SCOTCH_graphInit(&whole);
    SCOTCH_graphInit(&bound);
    SCOTCH_stratInit(&strategy);
    const bool isDone =
        SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
        SCOTCH_contextThreadSpawn(&context, 1, nullptr) == 0 &&
        SCOTCH_contextRandomClone(&context) == 0 &&
        SCOTCH_graphBuild(&whole,
                          0,
                          n,
                          arrays.first.data(),
                          arrays.first.data() + 1,
                          arrays.vertexWeights.data(),
                          nullptr,
                          static_cast<SCOTCH_Num>(arrays.others.size()),
                          arrays.others.data(),
                          arrays.edgeWeights.data()) == 0 &&
        SCOTCH_stratGraphMapBuild(&strategy,
                                  SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE,
                                  static_cast<SCOTCH_Num>(nParts),
                                  IMBALANCE) == 0;
    bool isParted = false;
    if (isDone)
    {
        SCOTCH_contextRandomSeed(&context, 1);
        SCOTCH_contextRandomReset(&context);
        isParted =
            SCOTCH_contextBindGraph(&context, &whole, &bound) == 0 &&
            SCOTCH_graphPart(&bound, static_cast<SCOTCH_Num>(nParts), &strategy, parts.data()) == 0;
    }
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&bound);
    SCOTCH_graphExit(&whole);
    SCOTCH_contextExit(&context);
    return isParted ? std::vector<uint32_t>(parts.begin(), parts.end()) : std::vector<uint32_t>();
}

#else

std::vector<uint32_t>
PartitionGraph(const WeightedGraph&, uint32_t)
{
    return {};
}

#endif

/// How far above the mean the load of a process may be, so that fewer bytes cross.
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

    IndexedVector<NodeIndex, uint32_t> Divide() const
    {
        // The first ones are preferred where the others are not better.
        std::vector<Division> divisions;
        Add(divisions, GetConsecutive([this](NodeIndex leaf) { return m_nodes[leaf].pod; }));
        Add(divisions, GetConsecutive([](NodeIndex leaf) { return leaf.value; }));
        Add(divisions, PartitionGraph(m_graph, m_nProcesses));
        double balanced = divisions.front().heaviest;
        for (const auto& division : divisions)
        {
            balanced = std::min(balanced, division.heaviest);
        }
        balanced = std::max(balanced, BALANCED);
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

    /// Find the groups: a server at several leaves, a leaf with its other hosts, or another node.
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
        WeightedGraph graph;
        graph.weights.resize(m_nGroups);
        graph.edges.resize(m_nGroups);
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

    /// Divide units (leaves) in their order; others follow their leaf or pod, or are spread evenly.
    /// @return the processes; nothing if there are more than units
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

    /// Give each process the consecutive units whose middles are in its equal share of the load,
    /// and at least one. @return the process of each unit
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
    WeightedGraph m_graph;                       //!< the groups
};

} // namespace

bool
CanPartitionGraphs()
{
#ifdef AIDC_HAS_SCOTCH
    return true;
#else
    return false;
#endif
}

IndexedVector<NodeIndex, uint32_t>
DistributeOverProcesses(const FabricNodes& nodes,
                        const FabricLinks& links,
                        const FabricPorts& ports,
                        uint32_t nProcesses)
{
    const auto nLeaves = std::count_if(nodes.begin(), nodes.end(), [](const FabricNode& node) {
        return node.tier == FabricTier::LEAF;
    });
    AIDC_REQUIRE(nProcesses >= 1 && nProcesses <= static_cast<uint64_t>(nLeaves),
                 "expected at most " + std::to_string(nLeaves) +
                     " processes, one per leaf, and at least 1; found " +
                     std::to_string(nProcesses));
    if (nProcesses == 1)
    {
        return IndexedVector<NodeIndex, uint32_t>(nodes.size());
    }
    return FabricDivider(nodes, links, ports, nProcesses).Divide();
}

} // namespace ns3::aidc
