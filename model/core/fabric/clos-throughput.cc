// SPDX-License-Identifier: GPL-2.0-only

#include "clos-throughput.h"

#include "../require-argument.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// A network of which the maximum flow is computed, from vertex 0 to vertex 1.
class FlowNetwork
{
  public:
    /// The source.
    static constexpr std::size_t SOURCE = 0;
    /// The sink.
    static constexpr std::size_t SINK = 1;

    FlowNetwork()
        : m_graph(2)
    {
    }

    std::size_t AddVertex()
    {
        return boost::add_vertex(m_graph);
    }

    void AddEdge(std::size_t from, std::size_t to, uint64_t capacity)
    {
        const auto forward = boost::add_edge(from, to, m_graph).first;
        const auto backward = boost::add_edge(to, from, m_graph).first;
        boost::put(boost::edge_capacity, m_graph, forward, static_cast<int64_t>(capacity));
        boost::put(boost::edge_capacity, m_graph, backward, 0);
        boost::put(boost::edge_reverse, m_graph, forward, backward);
        boost::put(boost::edge_reverse, m_graph, backward, forward);
    }

    uint64_t GetMaxFlow()
    {
        return static_cast<uint64_t>(boost::push_relabel_max_flow(m_graph, SOURCE, SINK));
    }

  private:
    /// Types of the graph that its own properties name
    using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
    /// Graph with capacities, residual capacities and reverse edges, as Boost asks
    using Graph = boost::adjacency_list<
        boost::vecS,
        boost::vecS,
        boost::directedS,
        boost::no_property,
        boost::property<
            boost::edge_capacity_t,
            int64_t,
            boost::property<boost::edge_residual_capacity_t,
                            int64_t,
                            boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

    Graph m_graph; //!< the network
};

/// The rates of the links that are not lost.
class LinkRates
{
  public:
    LinkRates(const FabricPlan& fabric, const std::vector<LinkIndex>& lost)
        : m_fabric(fabric)
    {
        const std::set<LinkIndex> down(lost.begin(), lost.end());
        const auto& links = fabric.GetLinks();
        for (LinkIndex link; link < links.GetEnd(); ++link)
        {
            if (down.count(link) == 0)
            {
                m_rates[links[link].a][links[link].b] += links[link].rate;
                m_rates[links[link].b][links[link].a] += links[link].rate;
            }
        }
    }

    /// Get a node's rates to its neighbors. @return bit/s by neighbor, of parallel links together
    const std::map<NodeIndex, uint64_t>& GetOf(NodeIndex node)
    {
        return m_rates[node];
    }

    /// @return the bit/s that two nodes can exchange by each switch of a tier that both reach
    std::map<NodeIndex, uint64_t> GetBetween(NodeIndex a, NodeIndex b, FabricTier tier)
    {
        std::map<NodeIndex, uint64_t> between;
        const auto& ofB = GetOf(b);
        for (const auto& [middle, rate] : GetOf(a))
        {
            const auto other = ofB.find(middle);
            if (m_fabric.GetNode(middle).tier == tier && other != ofB.end())
            {
                between[middle] = std::min(rate, other->second);
            }
        }
        return between;
    }

  private:
    const FabricPlan& m_fabric;                                 //!< the network
    std::map<NodeIndex, std::map<NodeIndex, uint64_t>> m_rates; //!< by both ends
};

/// Check that each one, numbered by T, sends to one and receives from one.
template <typename T>
class OneToOne
{
  public:
    explicit OneToOne(std::string what)
        : m_what(std::move(what))
    {
    }

    /// Add a pair, perhaps again. @throws std::invalid_argument if one of them has another peer
    void Add(T source, T destination)
    {
        const auto to = m_to.emplace(source, destination).first->second;
        const auto from = m_from.emplace(destination, source).first->second;
        AIDC_REQUIRE(to == destination && from == source,
                     "clos-throughput: expected " + m_what +
                         " that send to one and receive from one");
    }

  private:
    std::string m_what;    //!< who sends and receives
    std::map<T, T> m_to;   //!< where each one sends
    std::map<T, T> m_from; //!< whom each one receives from
};

/// @return the bound on a pair's bit/s by the cut around a set of hosts; infinite without a cut
double
GetCutRate(uint64_t rate, std::size_t nInside, std::size_t nHosts)
{
    const auto nPairs = static_cast<double>(nInside) * static_cast<double>(nHosts - nInside);
    return nPairs > 0 ? static_cast<double>(rate) / nPairs
                      : std::numeric_limits<double>::infinity();
}

} // namespace

uint64_t
GetMaxThroughput(const FabricPlan& fabric,
                 const std::vector<LeafDemand>& demands,
                 const std::vector<LinkIndex>& lost)
{
    LinkRates rates(fabric, lost);
    OneToOne<NodeIndex> leaves("leaves");
    OneToOne<uint32_t> pods("pods");
    FlowNetwork network;
    std::map<std::pair<NodeIndex, NodeIndex>, std::size_t> planes; // vertices, by their spines
    for (const auto& demand : demands)
    {
        leaves.Add(demand.source, demand.destination);
        const std::size_t pair = network.AddVertex();
        network.AddEdge(FlowNetwork::SOURCE, pair, demand.rate);
        for (const auto& [spine, rate] :
             rates.GetBetween(demand.source, demand.destination, FabricTier::SPINE))
        {
            network.AddEdge(pair, FlowNetwork::SINK, rate);
        }
        const uint32_t from = fabric.GetNode(demand.source).pod;
        const uint32_t to = fabric.GetNode(demand.destination).pod;
        if (from == to)
        {
            continue;
        }
        pods.Add(from, to);
        for (const auto& [spine, up] : rates.GetOf(demand.source))
        {
            for (const auto& [remote, down] : rates.GetOf(demand.destination))
            {
                uint64_t sum = 0;
                for (const auto& [superSpine, rate] :
                     rates.GetBetween(spine, remote, FabricTier::SUPER_SPINE))
                {
                    sum += rate;
                }
                if (sum == 0)
                {
                    continue;
                }
                const auto [plane, isNew] = planes.emplace(std::make_pair(spine, remote), 0);
                if (isNew)
                {
                    plane->second = network.AddVertex();
                    network.AddEdge(plane->second, FlowNetwork::SINK, sum);
                }
                network.AddEdge(pair, plane->second, std::min(up, down));
            }
        }
    }
    return network.GetMaxFlow();
}

double
GetAllToAllRate(const FabricPlan& fabric, const std::vector<LinkIndex>& lost)
{
    LinkRates rates(fabric, lost);
    const std::size_t nHosts = fabric.GetHosts().size();
    double rate = std::numeric_limits<double>::infinity();
    std::map<uint32_t, std::size_t> hostsOfPods;
    std::map<uint32_t, uint64_t> ratesOfPods;
    for (const NodeIndex host : fabric.GetHosts())
    {
        const NodeIndex leaf = fabric.GetLeaf(host);
        rate = std::min(rate, GetCutRate(rates.GetOf(host).at(leaf), 1, nHosts));
        ++hostsOfPods[fabric.GetNode(leaf).pod];
    }
    for (const NodeIndex id : fabric.GetSwitches())
    {
        const auto& node = fabric.GetNode(id);
        uint64_t up = 0;
        std::size_t nInside = 0;
        for (const auto& [peer, capacity] : rates.GetOf(id))
        {
            up += fabric.GetNode(peer).tier > node.tier ? capacity : 0;
            nInside += fabric.IsHost(peer) ? 1 : 0;
        }
        rate = std::min(rate, GetCutRate(up, nInside, nHosts));
        if (node.tier == FabricTier::SPINE && node.pod != NO_POD)
        {
            ratesOfPods[node.pod] += up;
        }
    }
    for (const auto& [pod, capacity] : ratesOfPods)
    {
        rate = std::min(rate, GetCutRate(capacity, hostsOfPods[pod], nHosts));
    }
    return rate;
}

} // namespace ns3::aidc
