// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FIXED_RATE_NETWORK_H
#define AIDC_FIXED_RATE_NETWORK_H

#include "model/core/workload/rank-execution.h"

#include "ns3/workload-plan.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <tuple>
#include <vector>

// The time of programs over links of fixed rate, for the tests of the core.

namespace aidctest
{

using namespace ns3::aidc;

/// A link of each rank in each direction.
struct FixedRateLink
{
    double bytesPerMicro; //!< the rate
    double latency;       //!< in microseconds
};

/// Executes the programs of all ranks. A rank has an adapter and, for ranks of the same server, a
/// scale-up link. Each of them sends its messages in their order (FIFO, whole messages), or takes a
/// message for each receiver in turn. The first bit of a message arrives a latency after it is
/// sent; a message has arrived when its last bit has, and when the receiving link has served it at
/// its rate, behind those whose first bits came before. The sender is told of the arrival at once.
class FixedRateNetwork
{
  public:
    /// All ranks are in servers of their own.
    FixedRateNetwork(const WorkloadPlan& plan, const FixedRateLink& adapter)
        : FixedRateNetwork(plan, adapter, adapter, 1)
    {
    }

    FixedRateNetwork(const WorkloadPlan& plan,
                     const FixedRateLink& adapter,
                     const FixedRateLink& scaleUp,
                     uint32_t nPerServer)
        : sent(plan.GetNRanks()),
          m_links({adapter, scaleUp}),
          m_nPerServer(nPerServer),
          m_egress(plan.GetNRanks()),
          m_ingress(plan.GetNRanks())
    {
        for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
        {
            m_executions.push_back(std::make_unique<RankExecution>(plan.GetProgram(rank)));
        }
    }

    /// Have messages for different receivers take turns.
    void SetRoundRobin()
    {
        m_isRoundRobin = true;
    }

    /// Returns when the last thing happens, in microseconds.
    double Run()
    {
        for (uint32_t rank = 0; rank < m_executions.size(); ++rank)
        {
            m_executions[rank]->Start();
            TakeAll(rank);
        }
        while (!m_events.empty())
        {
            const Event event = m_events.top();
            m_events.pop();
            m_now = event.time;
            Handle(event);
        }
        return m_now;
    }

    bool IsDone() const
    {
        return std::all_of(m_executions.begin(), m_executions.end(), [](const auto& execution) {
            return execution->IsDone();
        });
    }

    std::vector<std::array<uint64_t, 2>> sent; //!< by rank, bytes of its adapter and scale-up link

  private:
    enum class Kind
    {
        SENT,      //!< the sender's link is idle again
        FIRST_BIT, //!< the first bit is there
        ENDED      //!< the message has arrived, or the computation has ended
    };

    /// What a link has to send.
    struct Egress
    {
        std::map<uint32_t, std::deque<RankEvent>> messages; //!< by whose turn it is
        uint32_t last{0};                                   //!< whose turn it was
        bool isBusy{false};
    };

    struct Event
    {
        double time;
        uint64_t number; //!< events of a time are in the order in which they were made
        Kind kind;
        uint32_t rank;
        RankEvent what;

        bool operator>(const Event& other) const
        {
            return std::tie(time, number) > std::tie(other.time, other.number);
        }
    };

    void Add(double time, Kind kind, uint32_t rank, const RankEvent& what)
    {
        m_events.push({time, m_nEvents++, kind, rank, what});
    }

    uint32_t GetLink(uint32_t rank, uint32_t peer) const
    {
        return rank / m_nPerServer == peer / m_nPerServer ? 1 : 0;
    }

    void TakeAll(uint32_t rank)
    {
        RankEvent what;
        while (m_executions[rank]->Take(what))
        {
            if (what.kind == RankEventKind::COMPUTE)
            {
                Add(m_now + 1e-3 * static_cast<double>(what.amount), Kind::ENDED, rank, what);
            }
            else if (what.kind == RankEventKind::SEND)
            {
                const uint32_t link = GetLink(rank, what.peer);
                sent[rank][link] += what.amount;
                m_egress[rank][link].messages[m_isRoundRobin ? what.peer : 0].push_back(what);
                SendNext(rank, link);
            }
        }
    }

    void SendNext(uint32_t rank, uint32_t link)
    {
        Egress& egress = m_egress[rank][link];
        if (egress.isBusy || egress.messages.empty())
        {
            return;
        }
        auto next = egress.messages.upper_bound(egress.last);
        next = next == egress.messages.end() ? egress.messages.begin() : next;
        const RankEvent what = next->second.front();
        egress.last = next->first;
        egress.isBusy = true;
        next->second.pop_front();
        if (next->second.empty())
        {
            egress.messages.erase(next);
        }
        Add(m_now + m_links[link].latency, Kind::FIRST_BIT, rank, what);
        Add(m_now + static_cast<double>(what.amount) / m_links[link].bytesPerMicro,
            Kind::SENT,
            rank,
            what);
    }

    void Handle(const Event& event)
    {
        const RankEvent& what = event.what;
        const bool isMessage = what.kind == RankEventKind::SEND;
        const uint32_t link = isMessage ? GetLink(event.rank, what.peer) : 0;
        switch (event.kind)
        {
        case Kind::SENT:
            m_egress[event.rank][link].isBusy = false;
            SendNext(event.rank, link);
            return;
        case Kind::FIRST_BIT: {
            double& idle = m_ingress[what.peer][link];
            idle = std::max(idle, m_now) +
                   static_cast<double>(what.amount) / m_links[link].bytesPerMicro;
            Add(idle, Kind::ENDED, event.rank, what);
            return;
        }
        case Kind::ENDED:
            break;
        }
        if (isMessage)
        {
            m_executions[what.peer]->Receive(event.rank, what.amount, what.tag);
            TakeAll(what.peer);
            m_executions[event.rank]->EndSend(what.operation, what.lane, what.peer);
        }
        else
        {
            m_executions[event.rank]->EndCompute(what.operation);
        }
        TakeAll(event.rank);
    }

    std::array<FixedRateLink, 2> m_links; //!< the adapter and the scale-up link
    uint32_t m_nPerServer;
    double m_now{0};
    uint64_t m_nEvents{0};
    bool m_isRoundRobin{false};
    std::vector<std::array<Egress, 2>> m_egress;  //!< by rank and link
    std::vector<std::array<double, 2>> m_ingress; //!< by rank and link, when it is idle
    std::vector<std::unique_ptr<RankExecution>> m_executions;
    std::priority_queue<Event, std::vector<Event>, std::greater<Event>> m_events;
};

inline WorkloadPlan
MakeCollectivePlan(const CollectiveSchedule& schedule)
{
    std::vector<uint32_t> ranks(schedule.GetNMembers());
    std::iota(ranks.begin(), ranks.end(), 0);
    WorkloadPlan plan(schedule.GetNMembers());
    plan.AddCollective("c",
                       schedule,
                       std::make_shared<const std::vector<uint32_t>>(ranks),
                       std::vector<std::vector<uint32_t>>(ranks.size()));
    return plan;
}

} // namespace aidctest

#endif // AIDC_FIXED_RATE_NETWORK_H
