// SPDX-License-Identifier: GPL-2.0-only

#include "dependency-order.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace ns3::aidc
{

std::vector<uint32_t>
SortByDependencies(const std::vector<std::vector<uint32_t>>& after,
                   std::vector<uint32_t>& cycle,
                   const std::vector<bool>& isLate)
{
    using Place = std::pair<bool, uint32_t>; // whether it is late, and its number
    const auto getPlace = [&isLate](uint32_t item) {
        return Place{!isLate.empty() && isLate[item], item};
    };
    const auto n = static_cast<uint32_t>(after.size());
    std::vector<std::size_t> nLeft(n);
    std::vector<std::vector<uint32_t>> next(n);
    std::priority_queue<Place, std::vector<Place>, std::greater<Place>> ready;
    for (uint32_t item = 0; item < n; ++item)
    {
        nLeft[item] = after[item].size();
        for (const uint32_t other : after[item])
        {
            next[other].push_back(item);
        }
        if (nLeft[item] == 0)
        {
            ready.push(getPlace(item));
        }
    }
    std::vector<uint32_t> order;
    order.reserve(n);
    while (!ready.empty())
    {
        const uint32_t item = ready.top().second;
        ready.pop();
        order.push_back(item);
        for (const uint32_t other : next[item])
        {
            if (--nLeft[other] == 0)
            {
                ready.push(getPlace(other));
            }
        }
    }
    cycle.clear();
    if (order.size() == n)
    {
        return order;
    }
    // Each item that is left depends on another one that is left: so a walk along them gets back
    // to where it has been.
    const auto isLeft = [&nLeft](uint32_t item) { return nLeft[item] > 0; };
    std::vector<bool> isVisited(n);
    auto item = static_cast<uint32_t>(
        std::find_if(nLeft.begin(), nLeft.end(), [](std::size_t left) { return left > 0; }) -
        nLeft.begin());
    while (!isVisited[item])
    {
        isVisited[item] = true;
        cycle.push_back(item);
        item = *std::find_if(after[item].begin(), after[item].end(), isLeft);
    }
    cycle.erase(cycle.begin(), std::find(cycle.begin(), cycle.end(), item));
    return order;
}

namespace
{

/// The bytes per nanosecond of a link of 400 Gb/s.
constexpr uint64_t RATE = 50;

/// Runs steps on an ideal network.
class OrderEstimate
{
  public:
    OrderEstimate(const std::vector<std::vector<OrderedStep>>& ranks,
                  const std::vector<OrderedCollective>& collectives)
        : m_steps(ranks),
          m_collectives(collectives),
          m_ranks(ranks.size()),
          m_members(collectives.size())
    {
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        {
            m_ranks[rank].next.resize(ranks[rank].size());
            for (uint32_t step = 0; step < ranks[rank].size(); ++step)
            {
                const auto& after = ranks[rank][step].after;
                m_ranks[rank].nLeft.push_back(static_cast<uint32_t>(after.size()));
                for (const uint32_t other : after)
                {
                    m_ranks[rank].next[other].push_back(step);
                }
            }
        }
    }

    /// @return the numbers of the collectives in the order in which they start
    std::vector<uint32_t> Run()
    {
        for (uint32_t rank = 0; rank < m_steps.size(); ++rank)
        {
            for (uint32_t step = 0; step < m_steps[rank].size(); ++step)
            {
                if (m_steps[rank][step].after.empty())
                {
                    Start({rank, step});
                }
            }
        }
        for (;;)
        {
            // All that ends now may make collectives ready; the id decides which of them starts
            while (!m_events.empty() && m_events.top().first == m_now)
            {
                const std::size_t event = m_events.top().second;
                m_events.pop();
                for (const Place place : std::exchange(m_ending[event], {}))
                {
                    End(place);
                }
            }
            StartCollectives();
            if (m_events.empty())
            {
                return m_order;
            }
            m_now = m_events.top().first;
        }
    }

  private:
    /// A step of a rank.
    struct Place
    {
        uint32_t rank; //!< the rank
        uint32_t step; //!< the number of its step
    };

    /// A time and a number, by which equal times are in order.
    using Moment = std::pair<uint64_t, uint64_t>;

    /// Messages from a rank to another one with a tag.
    struct Mailbox
    {
        std::deque<uint64_t> arrivals; //!< when messages arrive that nobody has waited for yet
        std::deque<Place> waiting;     //!< who waits
    };

    /// A group.
    struct Group
    {
        bool isBusy{false}; //!< whether it does a collective
        /// The collectives that may start: when they were ready, their ids and numbers.
        std::set<std::tuple<uint64_t, uint64_t, uint32_t>> ready;
    };

    /// A rank under way.
    struct Rank
    {
        std::vector<uint32_t> nLeft;             //!< by step, how many it waits for
        std::vector<std::vector<uint32_t>> next; //!< by step, the steps that wait for it
        std::map<uint32_t, uint64_t> unitIsFree; //!< by unit, when it is
    };

    /// @param place a step that waits for nothing any more
    void Start(Place place)
    {
        const OrderedStep& step = m_steps[place.rank][place.step];
        switch (step.kind)
        {
        case OrderedStep::Kind::COMPUTE: {
            uint64_t& isFree = m_ranks[place.rank].unitIsFree[step.peer];
            isFree = std::max(isFree, m_now) + step.amount;
            EndAt(place, isFree);
            return;
        }
        case OrderedStep::Kind::SEND: {
            Mailbox& box = m_mailboxes[{place.rank, step.peer, step.tag}];
            const uint64_t arrival = m_now + step.amount / RATE;
            EndAt(place, arrival);
            if (box.waiting.empty())
            {
                box.arrivals.push_back(arrival);
                return;
            }
            EndAt(box.waiting.front(), arrival);
            box.waiting.pop_front();
            return;
        }
        case OrderedStep::Kind::RECEIVE: {
            Mailbox& box = m_mailboxes[{step.peer, place.rank, step.tag}];
            if (box.arrivals.empty())
            {
                box.waiting.push_back(place);
                return;
            }
            EndAt(place, std::max(m_now, box.arrivals.front()));
            box.arrivals.pop_front();
            return;
        }
        case OrderedStep::Kind::COLLECTIVE:
            break;
        }
        const auto number = static_cast<uint32_t>(step.amount);
        const OrderedCollective& collective = m_collectives[number];
        m_members[number].push_back(place);
        if (m_members[number].size() == collective.nMembers)
        {
            m_groups[collective.group].ready.emplace(m_now, collective.id, number);
            m_changed.insert(collective.group);
        }
    }

    void EndAt(Place place, uint64_t time)
    {
        m_events.emplace(time, m_ending.size());
        m_ending.push_back({place});
    }

    /// @param place a step that has ended
    void End(Place place)
    {
        const OrderedStep& step = m_steps[place.rank][place.step];
        if (step.kind == OrderedStep::Kind::COLLECTIVE)
        {
            const uint32_t group = m_collectives[step.amount].group;
            m_groups[group].isBusy = false;
            m_changed.insert(group);
        }
        Rank& rank = m_ranks[place.rank];
        for (const uint32_t next : rank.next[place.step])
        {
            if (--rank.nLeft[next] == 0)
            {
                Start({place.rank, next});
            }
        }
    }

    void StartCollectives()
    {
        for (const uint32_t number : std::exchange(m_changed, {}))
        {
            Group& group = m_groups[number];
            if (group.isBusy || group.ready.empty())
            {
                continue;
            }
            const uint32_t first = std::get<2>(*group.ready.begin());
            group.ready.erase(group.ready.begin());
            group.isBusy = true;
            m_order.push_back(first);
            m_events.emplace(m_now + m_collectives[first].bytes / RATE, m_ending.size());
            m_ending.push_back(std::move(m_members[first]));
        }
    }

    const std::vector<std::vector<OrderedStep>>& m_steps; //!< by rank, its steps
    const std::vector<OrderedCollective>& m_collectives;  //!< the collectives
    std::vector<Rank> m_ranks;                            //!< the ranks
    std::vector<std::vector<Place>> m_members;            //!< by collective, who is ready
    std::map<uint32_t, Group> m_groups;                   //!< by number
    std::set<uint32_t> m_changed;                         //!< groups that may start one
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Mailbox> m_mailboxes; //!< by ends and tag
    std::vector<std::vector<Place>> m_ending; //!< by event, what ends
    std::priority_queue<Moment, std::vector<Moment>, std::greater<Moment>> m_events; //!< by time
    uint64_t m_now{0};             //!< the time in nanoseconds
    std::vector<uint32_t> m_order; //!< what has started
};

} // namespace

std::vector<uint32_t>
EstimateCollectiveOrder(const std::vector<std::vector<OrderedStep>>& ranks,
                        const std::vector<OrderedCollective>& collectives)
{
    return OrderEstimate(ranks, collectives).Run();
}

} // namespace ns3::aidc
