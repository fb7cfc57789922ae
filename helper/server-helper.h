// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SERVER_HELPER_H
#define AIDC_SERVER_HELPER_H

#include "fabric-network.h"

#include "ns3/attribute.h"
#include "ns3/message-endpoint.h"
#include "ns3/node-container.h"
#include "ns3/ptr.h"
#include "ns3/roce-queue-pair.h"
#include "ns3/scale-up-endpoint.h"
#include "ns3/server-plan.h"
#include "ns3/workload-plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// Connects the ranks of a plan that are GPUs of servers: by scale-up switches within
/// servers, and by RoCEv2 between them.
///
///     aidc::ServerHelper servers(made.servers);
///     aidc::RankApplicationHelper ranks(plan);
///     ranks.Install(servers.GetNodes(network, plan), servers.Connect(plan, network));
///
/// Each rank is a GPU, by default rank r GPU r. Two ranks of one server that send each other
/// messages have ways over the scale-up switch, two ranks of different servers have queue pairs.
class ServerHelper
{
  public:
    /// @param servers the servers; their hosts are in the network that Connect() gets
    explicit ServerHelper(ServerPlan servers)
        : m_servers(std::move(servers))
    {
    }

    /// Set an attribute of the endpoints (ScaleUpEndpoint). Rate and Latency come from the plan of
    /// servers, unless they are set here, or the user has set their defaults.
    /// @param name its name
    /// @param value its value
    void SetAttribute(const std::string& name, const AttributeValue& value)
    {
        m_attributes.emplace_back(name, value.Copy());
    }

    /// Set how many queue pairs two ranks have at each port of their GPUs' adapters
    /// (NCCL_IB_QPS_PER_CONNECTION of NCCL).
    /// @param n the number, at least 1; by default 1
    /// @param isStriped whether each message is divided over all of them
    ///        (NCCL_IB_SPLIT_DATA_ON_QPS), or messages take them in turn; by default the attribute
    ///        Striped of RoceMessageEndpoint, if the user has set it, and otherwise whether GPUs
    ///        have several ports
    void SetQueuePairs(uint32_t n, std::optional<bool> isStriped = std::nullopt);

    /// Set which GPU a rank is.
    /// @param gpus the GPU of each rank, each one at most once
    /// @throws std::runtime_error if there is no such GPU, or it is given twice
    void SetPlacement(const std::vector<uint32_t>& gpus);

    /// @return the node of each rank, for RankApplicationHelper
    /// @throws std::runtime_error if there are more ranks than GPUs
    NodeContainer GetNodes(const FabricNetwork& network, const WorkloadPlan& plan) const;

    /// Connect the ranks, before the simulation begins. With several processes (MpiProcesses), each
    /// one calls it.
    /// @param plan the programs of the ranks
    /// @param network the network of the hosts, which have a RoceNic (RoceHelper)
    /// @param path the delays of the longest path between servers, for congestion controls and
    ///        timeouts
    /// @return the endpoint of each rank, a ScaleUpEndpoint, for RankApplicationHelper
    /// @throws std::runtime_error if there are more ranks than GPUs, or a server has nodes of
    ///         several processes of the simulation
    std::vector<Ptr<MessageEndpoint>> Connect(const WorkloadPlan& plan,
                                              const FabricNetwork& network,
                                              const RocePath& path = RocePath()) const;

    /// @return the servers
    const ServerPlan& GetServers() const
    {
        return m_servers;
    }

  private:
    /// What connects the ranks of a plan.
    class Connector;

    uint32_t GetGpu(uint32_t rank) const
    {
        return m_placement.empty() ? rank : m_placement[rank];
    }

    /// @return a new endpoint for a rank there
    Ptr<ScaleUpEndpoint> MakeEndpoint(uint32_t gpu) const;

    ServerPlan m_servers;              //!< the servers
    std::vector<uint32_t> m_placement; //!< the GPU of each rank; empty if rank r is GPU r
    uint32_t m_nQueuePairs{1};         //!< queue pairs of two ranks at each port
    std::optional<bool> m_isStriped;   //!< whether messages are divided over them

    /// Attributes of endpoints.
    std::vector<std::pair<std::string, Ptr<const AttributeValue>>> m_attributes;
};

} // namespace ns3::aidc

#endif // AIDC_SERVER_HELPER_H
