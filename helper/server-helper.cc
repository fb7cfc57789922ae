// SPDX-License-Identifier: GPL-2.0-only

#include "server-helper.h"

#include "../model/core/require-argument.h"
#include "../model/simulator/network-lookahead.h"
#include "factory-attribute.h"
#include "roce-helper.h"
#include "user-default.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/roce-message-endpoint.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace ns3::aidc
{

/// Connects the ranks of a plan.
class ServerHelper::Connector
{
  public:
    /// nodes: the node of each rank; path: the delays of the longest path between servers
    Connector(const ServerHelper& helper, const NodeContainer& nodes, const RocePath& path)
        : m_helper(helper),
          m_servers(helper.m_servers),
          m_nodes(nodes),
          m_path(path),
          m_senders(RoceRankHelper::MakeFactory(nodes, helper.m_nQueuePairs, helper.m_isStriped))
    {
        for (uint32_t rank = 0; rank < nodes.GetN(); ++rank)
        {
            m_rankOfGpu[helper.GetGpu(rank)] = rank;
            m_fabric.push_back(MakeSender(rank));
            m_endpoints.push_back(helper.MakeEndpoint(helper.GetGpu(rank)));
            m_endpoints.back()->SetRank(rank, nodes.Get(rank));
            m_endpoints.back()->SetFabric(m_fabric.back());
        }
        JoinServers();
    }

    /// Connect two ranks. @param a a rank @param b another one
    void Connect(uint32_t a, uint32_t b)
    {
        if (m_servers.AreConnected(m_helper.GetGpu(a), m_helper.GetGpu(b)))
        {
            ConnectScaleUp(a, b);
            return;
        }
        const uint32_t relayOfA = FindRelay(a, b);
        const uint32_t relayOfB = FindRelay(b, a);
        if (relayOfA == a || relayOfB == b)
        {
            ConnectFabric({*m_fabric[a], m_nodes.Get(a), b}, {*m_fabric[b], m_nodes.Get(b), a});
            return;
        }
        AddRelay(a, relayOfA, b);
        AddRelay(b, relayOfB, a);
    }

    /// @return the endpoints, by rank
    std::vector<Ptr<MessageEndpoint>> GetEndpoints() const
    {
        return {m_endpoints.begin(), m_endpoints.end()};
    }

  private:
    uint32_t GetServer(uint32_t rank) const
    {
        return m_servers.GetServer(m_helper.GetGpu(rank));
    }

    /// Make nodes of servers groups of time windows.
    void JoinServers() const
    {
        std::map<uint32_t, uint32_t> firsts; // a rank of each server
        for (uint32_t rank = 0; rank < m_nodes.GetN(); ++rank)
        {
            const uint32_t first = firsts.emplace(GetServer(rank), rank).first->second;
            const auto a = m_nodes.Get(first);
            const auto b = m_nodes.Get(rank);
            if (a->GetSystemId() != b->GetSystemId())
            {
                throw std::runtime_error("ServerHelper: expected the hosts of server " +
                                         std::to_string(GetServer(rank)) +
                                         " in one process of the simulation, as FabricPlan::"
                                         "AssignProcesses() has them, found processes " +
                                         std::to_string(a->GetSystemId()) + " and " +
                                         std::to_string(b->GetSystemId()));
            }
            if (a != b)
            {
                NodeGroup::Join(a, b);
            }
        }
    }

    /// @return with PXN, the rank of from's server on the rail of to, which sends for it; else from
    uint32_t FindRelay(uint32_t from, uint32_t to) const
    {
        const uint32_t gpu =
            m_servers.GetGpu(GetServer(from), m_servers.GetRail(m_helper.GetGpu(to)));
        const auto relay = m_rankOfGpu.find(gpu);
        const bool isOther = m_endpoints[from]->IsPxn() && relay != m_rankOfGpu.end() &&
                             m_servers.AreConnected(m_helper.GetGpu(from), gpu) &&
                             m_servers.GetHost(gpu) != m_servers.GetHost(m_helper.GetGpu(from));
        return isOther ? relay->second : from;
    }

    /// Make the endpoint that sends by the adapter of a rank.
    Ptr<RoceMessageEndpoint> MakeSender(uint32_t rank) const
    {
        return RoceRankHelper::MakeEndpoint(m_senders, m_nodes.Get(rank));
    }

    /// Connect two ranks by the scale-up switch, once. @param a a rank @param b another one
    void ConnectScaleUp(uint32_t a, uint32_t b)
    {
        if (m_connected.insert(std::minmax(a, b)).second)
        {
            ScaleUpEndpoint::Connect(
                *m_endpoints[a],
                *m_endpoints[b],
                m_servers.FindDirectLink(m_helper.GetGpu(a), m_helper.GetGpu(b)));
        }
    }

    /// Connect two adapters by queue pairs. @param a one end @param b the other end
    void ConnectFabric(const RoceRankHelper::End& a, const RoceRankHelper::End& b) const
    {
        for (uint32_t i = 0; i < m_helper.m_nQueuePairs; ++i)
        {
            RoceRankHelper::Connect(a, b, m_path);
        }
    }

    /// Have a rank send messages to another one by a relay.
    void AddRelay(uint32_t from, uint32_t relay, uint32_t to)
    {
        const auto sender = MakeSender(relay);
        ConnectFabric({*sender, m_nodes.Get(relay), to}, {*m_fabric[to], m_nodes.Get(to), from});
        ConnectScaleUp(from, relay);
        m_endpoints[from]->AddRelay(to, *m_endpoints[relay], sender);
    }

    const ServerHelper& m_helper;                        //!< the settings
    const ServerPlan& m_servers;                         //!< the servers
    NodeContainer m_nodes;                               //!< the node of each rank
    RocePath m_path;                                     //!< the delays between servers
    ObjectFactory m_senders;                             //!< makes what sends by adapters
    std::map<uint32_t, uint32_t> m_rankOfGpu;            //!< the rank of each GPU that has one
    std::vector<Ptr<RoceMessageEndpoint>> m_fabric;      //!< the adapter's endpoint of each rank
    std::vector<Ptr<ScaleUpEndpoint>> m_endpoints;       //!< the endpoint of each rank
    std::set<std::pair<uint32_t, uint32_t>> m_connected; //!< ranks with a way over the switch
};

void
ServerHelper::SetQueuePairs(uint32_t n, std::optional<bool> isStriped)
{
    AIDC_REFUSED_IF(n == 0, "ServerHelper: expected at least 1 queue pair, found 0");
    m_nQueuePairs = n;
    m_isStriped = isStriped;
}

void
ServerHelper::SetPlacement(const std::vector<uint32_t>& gpus)
{
    std::set<uint32_t> used;
    for (uint32_t rank = 0; rank < gpus.size(); ++rank)
    {
        if (gpus[rank] >= m_servers.GetNGpus() || !used.insert(gpus[rank]).second)
        {
            throw std::runtime_error("ServerHelper: expected a GPU of its own, below " +
                                     std::to_string(m_servers.GetNGpus()) + ", for rank " +
                                     std::to_string(rank) + ", found GPU " +
                                     std::to_string(gpus[rank]));
        }
    }
    m_placement = gpus;
}

NodeContainer
ServerHelper::GetNodes(const FabricNetwork& network, const WorkloadPlan& plan) const
{
    const std::size_t nPlaces = m_placement.empty() ? m_servers.GetNGpus() : m_placement.size();
    if (plan.GetNRanks() > nPlaces)
    {
        throw std::runtime_error("ServerHelper: expected a GPU for each of " +
                                 std::to_string(plan.GetNRanks()) + " ranks, found " +
                                 std::to_string(nPlaces));
    }
    NodeContainer nodes;
    for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
    {
        nodes.Add(network.GetNode(m_servers.GetHost(GetGpu(rank))));
    }
    return nodes;
}

Ptr<ScaleUpEndpoint>
ServerHelper::MakeEndpoint(uint32_t gpu) const
{
    const ScaleUpLink& link = m_servers.GetScaleUpLink(gpu);
    ObjectFactory factory("ns3::aidc::ScaleUpEndpoint");
    SetDerived(factory, "Rate", DataRateValue(DataRate(link.rate)));
    SetDerived(factory, "Latency", TimeValue(NanoSeconds(static_cast<uint64_t>(link.latency))));
    for (const auto& [name, value] : m_attributes)
    {
        SetFactoryAttribute(factory, name, *value);
    }
    return factory.Create<ScaleUpEndpoint>();
}

std::vector<Ptr<MessageEndpoint>>
ServerHelper::Connect(const WorkloadPlan& plan,
                      const FabricNetwork& network,
                      const RocePath& path) const
{
    Connector connector(*this, GetNodes(network, plan), path);
    for (const auto& [a, b] : RoceRankHelper::GetPairs(plan))
    {
        connector.Connect(a, b);
    }
    return connector.GetEndpoints();
}

} // namespace ns3::aidc
