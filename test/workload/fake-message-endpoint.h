// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FAKE_MESSAGE_ENDPOINT_H
#define AIDC_FAKE_MESSAGE_ENDPOINT_H

#include "test/test-case.h"

#include "ns3/message-endpoint.h"
#include "ns3/workload-plan.h"

// Messages over links of a rate and a latency, without packets.

namespace aidctest
{

/// Sends messages one after another at a rate; they are delivered as a whole a latency after their
/// last byte, and acknowledged another latency later.
class FakeMessageEndpoint : public MessageEndpoint
{
  public:
    /// Make the endpoints of some ranks. nsPerByte: nanoseconds that a byte takes.
    static std::vector<Ptr<MessageEndpoint>> Make(const NodeContainer& nodes,
                                                  double nsPerByte,
                                                  Time latency)
    {
        std::vector<Ptr<FakeMessageEndpoint>> endpoints;
        for (uint32_t rank = 0; rank < nodes.GetN(); ++rank)
        {
            auto endpoint = CreateObject<FakeMessageEndpoint>();
            endpoint->m_rank = rank;
            endpoint->m_node = nodes.Get(rank)->GetId();
            endpoint->m_nsPerByte = nsPerByte;
            endpoint->m_latency = latency;
            endpoints.push_back(endpoint);
        }
        for (const auto& endpoint : endpoints)
        {
            for (const auto& peer : endpoints)
            {
                endpoint->m_peers.push_back(PeekPointer(peer));
            }
        }
        return {endpoints.begin(), endpoints.end()};
    }

    void Send(uint32_t peer, uint64_t nBytes, uint32_t tag, Callback<void> done) override
    {
        const auto serialization =
            NanoSeconds(static_cast<int64_t>(static_cast<double>(nBytes) * m_nsPerByte));
        m_idle = std::max(m_idle, Simulator::Now()) + serialization;
        const auto arrival = m_idle + m_latency - Simulator::Now();
        FakeMessageEndpoint* const other = m_peers.at(peer);
        Simulator::ScheduleWithContext(other->m_node, arrival, [this, other, nBytes, tag, done] {
            other->m_receiver(m_rank, nBytes, tag);
            if (!done.IsNull())
            {
                Simulator::ScheduleWithContext(m_node, m_latency, [done] { done(); });
            }
        });
    }

    void SetReceiver(Receiver receiver) override
    {
        m_receiver = receiver;
    }

  private:
    uint32_t m_rank{0};                        //!< the rank
    uint32_t m_node{0};                        //!< the id of the node
    double m_nsPerByte{0};                     //!< nanoseconds that a byte takes
    Time m_latency;                            //!< the latency
    Time m_idle;                               //!< when all has been sent
    std::vector<FakeMessageEndpoint*> m_peers; //!< by rank
    Receiver m_receiver;                       //!< who takes messages
};

/// Rank 0 computes 500 ns, then sends 2000 bytes; rank 1 has the first message before it waits for
/// it, and then the second one.
inline WorkloadPlan
MakeTwoRankPlan()
{
    WorkloadPlan plan(2);
    const uint32_t item = plan.AddItem("x");
    plan.GetProgram(0).AddCompute(500, {});
    plan.AddMessage(item, 0, 1, 100, 1, {}, {});
    plan.GetProgram(1).AddCompute(5000, {});
    plan.AddMessage(item, 0, 1, 2000, 2, {0}, {1});
    plan.GetProgram(1).AddCompute(10, {2});
    return plan;
}

} // namespace aidctest

#endif // AIDC_FAKE_MESSAGE_ENDPOINT_H
