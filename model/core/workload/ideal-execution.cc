// SPDX-License-Identifier: GPL-2.0-only

#include "ideal-execution.h"

#include "rank-execution.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <queue>
#include <tuple>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// Executes the programs of a plan in the order of time.
class IdealExecution
{
  public:
    /// rate: the rate of a link in bit/s; latency: the latency in seconds.
    IdealExecution(const WorkloadPlan& plan, double rate, double latency)
        : m_rate(rate),
          m_latency(latency),
          m_idle(plan.GetNRanks())
    {
        for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
        {
            m_executions.push_back(std::make_unique<RankExecution>(plan.GetProgram(rank)));
        }
    }

    /// @return when the last operation of all programs ends, in seconds
    double Run()
    {
        for (uint32_t rank = 0; rank < m_executions.size(); ++rank)
        {
            m_executions[rank]->Start();
            TakeAll(rank);
        }
        while (!m_events.empty())
        {
            const Event next = m_events.top();
            m_events.pop();
            m_now = next.time;
            Handle(next);
        }
        return m_now;
    }

  private:
    /// What happens at a time.
    struct Event
    {
        /// What it is.
        enum class Kind : uint8_t
        {
            COMPUTED,    //!< a computation ends
            ARRIVED,     //!< a message is there
            ACKNOWLEDGED //!< a message is acknowledged
        };

        double time;     //!< when, in seconds
        uint64_t number; //!< which one of all: events of a time are in the order of their making
        Kind kind;       //!< what it is
        uint32_t rank;   //!< who computes or sends
        RankEvent what;  //!< the computation or message

        bool operator>(const Event& other) const
        {
            return std::tie(time, number) > std::tie(other.time, other.number);
        }
    };

    void Add(double time, Event::Kind kind, uint32_t rank, const RankEvent& what)
    {
        m_events.push({time, m_nEvents++, kind, rank, what});
    }

    /// Do what a rank has to do now.
    void TakeAll(uint32_t rank)
    {
        RankEvent event;
        while (m_executions[rank]->Take(event))
        {
            if (event.kind == RankEventKind::COMPUTE)
            {
                Add(m_now + 1e-9 * static_cast<double>(event.amount),
                    Event::Kind::COMPUTED,
                    rank,
                    event);
            }
            else if (event.kind == RankEventKind::SEND)
            {
                m_idle[rank] =
                    std::max(m_idle[rank], m_now) + 8 * static_cast<double>(event.amount) / m_rate;
                Add(m_idle[rank] + m_latency + 1e-9 * static_cast<double>(event.post + event.delay),
                    Event::Kind::ARRIVED,
                    rank,
                    event);
            }
        }
    }

    void Handle(const Event& event)
    {
        const RankEvent& what = event.what;
        switch (event.kind)
        {
        case Event::Kind::COMPUTED:
            m_executions[event.rank]->EndCompute(what.operation);
            TakeAll(event.rank);
            break;
        case Event::Kind::ARRIVED:
            m_executions[what.peer]->Receive(event.rank, what.amount, what.tag);
            Add(m_now + m_latency, Event::Kind::ACKNOWLEDGED, event.rank, what);
            TakeAll(what.peer);
            break;
        case Event::Kind::ACKNOWLEDGED:
            m_executions[event.rank]->EndSend(what.operation, what.lane, what.peer);
            TakeAll(event.rank);
            break;
        }
    }

    double m_rate;                                            //!< the rate of a link in bit/s
    double m_latency;                                         //!< the latency in seconds
    double m_now{0};                                          //!< the time in seconds
    uint64_t m_nEvents{0};                                    //!< how many events there were
    std::vector<double> m_idle;                               //!< by rank, when its link is idle
    std::vector<std::unique_ptr<RankExecution>> m_executions; //!< by rank

    /// The events, the earliest one first.
    std::priority_queue<Event, std::vector<Event>, std::greater<Event>> m_events;
};

} // namespace

double
GetIdealSeconds(const WorkloadPlan& plan, double rate, double latency)
{
    return IdealExecution(plan, rate, latency).Run();
}

} // namespace ns3::aidc
