// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SERVERS_NETWORK_H
#define AIDC_SERVERS_NETWORK_H

#include "test/transport/roce-network.h"

#include "ns3/scale-up-endpoint.h"
#include "ns3/server-helper.h"
#include "ns3/server-plan.h"

// Servers and their fabric, for the test suites.

namespace aidctest
{

inline WorkloadPlan
MakeCollectivePlan(CollectiveKind kind, uint32_t nRanks, uint64_t nBytes, uint32_t nChunks = 1)
{
    std::vector<uint32_t> ranks(nRanks);
    std::iota(ranks.begin(), ranks.end(), 0);
    WorkloadPlan plan(nRanks);
    plan.AddCollective("c",
                       {kind, GetCollectiveAlgorithms(kind).front(), nRanks, nBytes, nChunks},
                       std::make_shared<const std::vector<uint32_t>>(ranks),
                       std::vector<std::vector<uint32_t>>(nRanks));
    return plan;
}

/// Returns the settings of 2 servers of 2 GPUs on 2 rails with a spine.
inline ServerFabricSettings
GetTwoByTwo()
{
    ServerFabricSettings settings;
    settings.gpus = 4;
    settings.gpusPerServer = 2;
    settings.spines = 1;
    return settings;
}

/// A network of servers, whose ranks may all send each other messages.
class ServersNetwork
{
  public:
    /// A message, as a rank sees it arrive.
    struct Arrived
    {
        Time time;       //!< when
        uint32_t from;   //!< the rank that sent it
        uint64_t nBytes; //!< its bytes
        uint32_t tag;    //!< its tag
    };

    explicit ServersNetwork(const ServerFabric& made)
        : network(made.fabric),
          helper(made.servers)
    {
    }

    /// Install all, with the settings of `helper`.
    void Start(uint32_t nRanks)
    {
        network.isLossless = true;
        network.Start();
        const auto plan = MakeCollectivePlan(CollectiveKind::ALL_TO_ALL, nRanks, nRanks);
        nodes = helper.GetNodes(network.network, plan);
        arrived.resize(nRanks);
        acknowledged.resize(nRanks);
        for (const auto& endpoint : helper.Connect(plan, network.network, path))
        {
            const auto rank = static_cast<uint32_t>(endpoints.size());
            endpoints.push_back(DynamicCast<ScaleUpEndpoint>(endpoint));
            endpoint->SetReceiver(MessageEndpoint::Receiver(
                [this, rank](uint32_t from, uint64_t nBytes, uint32_t tag) {
                    arrived[rank].push_back({Simulator::Now(), from, nBytes, tag});
                }));
        }
    }

    void Send(Time time, uint32_t from, uint32_t to, uint64_t nBytes, uint32_t tag = 0)
    {
        Simulator::ScheduleWithContext(
            nodes.Get(from)->GetId(),
            time,
            [this, from, to, nBytes, tag] {
                endpoints[from]->Send(to, nBytes, tag, Callback<void>([this, from] {
                                          acknowledged[from].push_back(Simulator::Now());
                                      }));
            });
    }

    RoceNetwork network;                         //!< the fabric
    ServerHelper helper;                         //!< to be set before Start()
    RocePath path;                               //!< of queue pairs
    NodeContainer nodes;                         //!< by rank
    std::vector<Ptr<ScaleUpEndpoint>> endpoints; //!< by rank
    std::vector<std::vector<Arrived>> arrived;   //!< by rank, the messages that have arrived
    std::vector<std::vector<Time>> acknowledged; //!< by rank, when its messages were acknowledged
};

} // namespace aidctest

#endif // AIDC_SERVERS_NETWORK_H
