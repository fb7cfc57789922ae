// SPDX-License-Identifier: GPL-2.0-only

#include "workload-plan.h"

#include "../require-argument.h"
#include "dependency-order.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

namespace ns3::aidc
{

RankGroups
MakeRankGroups(uint32_t first, uint32_t n, uint32_t count, uint32_t distance)
{
    RankGroups groups;
    if (count == 1)
    {
        return groups;
    }
    for (uint32_t block = first; block < first + n; block += count * distance)
    {
        for (uint32_t rank = block; rank < block + distance; ++rank)
        {
            std::vector<uint32_t> ranks;
            for (uint32_t i = 0; i < count; ++i)
            {
                ranks.push_back(rank + i * distance);
            }
            groups.push_back(std::make_shared<const std::vector<uint32_t>>(std::move(ranks)));
        }
    }
    return groups;
}

namespace
{

/// Goes through the programs of all ranks, each in its order.
class WorkloadWalk
{
  public:
    /// @param plan the plan, whose messages and collectives are complete
    explicit WorkloadWalk(const WorkloadPlan& plan)
        : m_plan(plan),
          m_next(plan.GetNRanks()),
          m_nMembers(plan.GetItems().size())
    {
        for (uint32_t rank = plan.GetNRanks(); rank-- > 0;)
        {
            m_movable.push_back(rank);
        }
    }

    /// Go as far as possible: to messages not sent, and collectives that wait for members. @return
    /// true if all ranks end, so that no operations wait in a circle; else they may, or may not
    bool Run()
    {
        while (!m_movable.empty())
        {
            const uint32_t rank = m_movable.back();
            m_movable.pop_back();
            Go(rank);
        }
        return m_nDone == m_next.size();
    }

  private:
    /// Go on as far as possible.
    void Go(uint32_t rank)
    {
        const RankProgram& program = m_plan.GetProgram(rank);
        for (uint32_t& next = m_next[rank]; next < program.GetN(); ++next)
        {
            const RankOperation& operation = program.Get(next);
            bool isDone = true;
            switch (operation.kind)
            {
            case RankOperationKind::COMPUTE:
                break;
            case RankOperationKind::SEND:
                Send(rank, operation.peer, operation.tag);
                break;
            case RankOperationKind::RECEIVE:
                isDone = Receive(operation.peer, rank, operation.tag);
                break;
            case RankOperationKind::COLLECTIVE:
                isDone = EnterCollective(rank, operation);
                break;
            }
            if (!isDone)
            {
                return;
            }
        }
        ++m_nDone;
    }

    /// @return whether all members are there, which go on then
    bool EnterCollective(uint32_t rank, const RankOperation& operation)
    {
        const RankCollective& collective = m_plan.GetProgram(rank).GetCollective(m_next[rank]);
        if (++m_nMembers[operation.label] < collective.schedule.GetNMembers())
        {
            return false;
        }
        for (const uint32_t other : *collective.ranks)
        {
            if (other != rank)
            {
                ++m_next[other];
                m_movable.push_back(other);
            }
        }
        return true;
    }

    void Send(uint32_t from, uint32_t to, uint32_t tag)
    {
        ++m_sent[{from, to, tag}];
        if (m_waiting.erase({from, to, tag}) > 0)
        {
            m_movable.push_back(to);
        }
    }

    bool Receive(uint32_t from, uint32_t to, uint32_t tag)
    {
        const auto sent = m_sent.find({from, to, tag});
        if (sent == m_sent.end())
        {
            m_waiting.insert({from, to, tag});
            return false;
        }
        if (--sent->second == 0)
        {
            m_sent.erase(sent);
        }
        return true;
    }

    const WorkloadPlan& m_plan;       //!< the plan
    std::vector<uint32_t> m_next;     //!< by rank, its next operation
    std::vector<uint32_t> m_nMembers; //!< by item, how many members are at the collective
    std::vector<uint32_t> m_movable;  //!< ranks that can go on
    std::size_t m_nDone{0};           //!< how many are at their ends
    /// By tag and ranks, how many messages have been sent and not received.
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> m_sent;
    /// Who waits for a message, by tag and ranks.
    std::set<std::tuple<uint32_t, uint32_t, uint32_t>> m_waiting;
};

/// Checks a plan.
class WorkloadChecker
{
  public:
    explicit WorkloadChecker(const WorkloadPlan& plan)
        : m_plan(plan),
          m_firsts(plan.GetItems().size()),
          m_nMembers(plan.GetItems().size())
    {
    }

    /// Check peers, messages and members of collectives.
    void CheckOperations()
    {
        for (uint32_t rank = 0; rank < m_plan.GetNRanks(); ++rank)
        {
            const RankProgram& program = m_plan.GetProgram(rank);
            for (uint32_t number = 0; number < program.GetN(); ++number)
            {
                switch (program.Get(number).kind)
                {
                case RankOperationKind::COMPUTE:
                    break;
                case RankOperationKind::COLLECTIVE:
                    CheckMember({rank, number});
                    break;
                case RankOperationKind::SEND:
                case RankOperationKind::RECEIVE:
                    CheckEnd({rank, number});
                    break;
                }
            }
        }
        CheckMembers();
        CheckMessages();
    }

    /// Check that operations do not wait for each other in a circle.
    void CheckOrder() const
    {
        // Nearly always, ranks can do all in their order, which takes no memory to find out
        if (WorkloadWalk(m_plan).Run())
        {
            return;
        }
        std::vector<uint32_t> firstNodes;
        std::vector<Place> places;
        for (uint32_t rank = 0; rank < m_plan.GetNRanks(); ++rank)
        {
            firstNodes.push_back(static_cast<uint32_t>(places.size()));
            for (uint32_t i = 0; i < m_plan.GetProgram(rank).GetN(); ++i)
            {
                places.push_back({rank, i});
            }
        }
        const auto getNode = [&](const Place& place) { return GetNode(place, firstNodes); };
        std::vector<std::vector<uint32_t>> after(places.size());
        for (const Place& place : places)
        {
            auto& nodes = after[getNode(place)];
            for (const uint32_t other : m_plan.GetProgram(place.rank).GetAfter(place.operation))
            {
                nodes.push_back(getNode({place.rank, other}));
            }
        }
        for (std::size_t i = 0; i < m_sent.size(); ++i)
        {
            after[getNode(m_received[i].place)].push_back(getNode(m_sent[i].place));
            if (i > 0 && m_sent[i].from == m_sent[i - 1].from && m_sent[i].to == m_sent[i - 1].to &&
                m_sent[i].tag == m_sent[i - 1].tag)
            {
                after[getNode(m_received[i].place)].push_back(getNode(m_received[i - 1].place));
                after[getNode(m_sent[i].place)].push_back(getNode(m_sent[i - 1].place));
            }
        }
        std::vector<uint32_t> cycle;
        SortByDependencies(after, cycle);
        if (!cycle.empty())
        {
            static constexpr std::size_t SHOWN = 6;
            std::string text = "never starts: it waits for";
            for (std::size_t i = 1; i < cycle.size() && i < SHOWN; ++i)
            {
                const Place& place = places[cycle[i]];
                text += " " + m_plan.Describe(place.rank, place.operation) + ", which waits for";
            }
            Fail(places[cycle[0]],
                 text + (cycle.size() > SHOWN ? " others and" : "") + " the first");
        }
    }

  private:
    /// An operation of a rank.
    struct Place
    {
        uint32_t rank;      //!< the rank
        uint32_t operation; //!< the number of its operation
    };

    /// One end of a message.
    struct End
    {
        uint32_t from;  //!< the rank that sends
        uint32_t to;    //!< the rank that receives
        uint32_t tag;   //!< the tag
        uint64_t bytes; //!< the size
        Place place;    //!< the operation
    };

    [[noreturn]] void Fail(const Place& place, const std::string& what) const
    {
        throw std::invalid_argument(m_plan.Describe(place.rank, place.operation) + " " + what);
    }

    void CheckMember(const Place& place)
    {
        const RankProgram& program = m_plan.GetProgram(place.rank);
        const RankCollective& collective = program.GetCollective(place.operation);
        if ((*collective.ranks)[collective.member] != place.rank)
        {
            Fail(place, "is of another rank's member");
        }
        const uint32_t label = program.Get(place.operation).label;
        if (label >= m_nMembers.size())
        {
            Fail(place, "belongs to no item");
        }
        if (m_nMembers[label]++ == 0)
        {
            m_firsts[label] = place;
        }
    }

    void CheckEnd(const Place& place)
    {
        const RankOperation& operation = m_plan.GetProgram(place.rank).Get(place.operation);
        const uint32_t peer = operation.peer;
        if (peer >= m_plan.GetNRanks())
        {
            Fail(place,
                 "has an unknown peer: there are " + std::to_string(m_plan.GetNRanks()) + " ranks");
        }
        if (peer == place.rank)
        {
            Fail(place, "is between a rank and itself");
        }
        if (operation.kind == RankOperationKind::SEND)
        {
            m_sent.push_back({place.rank, peer, operation.tag, operation.amount, place});
        }
        else
        {
            m_received.push_back({peer, place.rank, operation.tag, operation.amount, place});
        }
    }

    void CheckMembers() const
    {
        for (std::size_t item = 0; item < m_nMembers.size(); ++item)
        {
            if (m_nMembers[item] == 0)
            {
                continue;
            }
            const Place& first = m_firsts[item];
            const auto& program = m_plan.GetProgram(first.rank);
            const uint32_t n = program.GetCollective(first.operation).schedule.GetNMembers();
            if (m_nMembers[item] != n)
            {
                Fail(first,
                     "has " + std::to_string(n) + " members, but " +
                         std::to_string(m_nMembers[item]) + " operations");
            }
        }
    }

    void CheckMessages()
    {
        // Both in the same order, so that each message is next to the operation that receives it
        const auto getKey = [](const End& end) {
            return std::make_tuple(end.from, end.to, end.tag);
        };
        const auto isBefore = [&getKey](const End& a, const End& b) {
            return getKey(a) < getKey(b);
        };
        std::stable_sort(m_sent.begin(), m_sent.end(), isBefore);
        std::stable_sort(m_received.begin(), m_received.end(), isBefore);
        for (std::size_t i = 0; i < m_sent.size() || i < m_received.size(); ++i)
        {
            if (i == m_received.size() || (i < m_sent.size() && isBefore(m_sent[i], m_received[i])))
            {
                Fail(m_sent[i].place, "is never received");
            }
            if (i == m_sent.size() || isBefore(m_received[i], m_sent[i]))
            {
                Fail(m_received[i].place, "waits for a message that is never sent");
            }
            if (m_sent[i].bytes != m_received[i].bytes)
            {
                Fail(m_received[i].place,
                     "gets a message of " + std::to_string(m_sent[i].bytes) + " bytes");
            }
        }
    }

    /// @return its number among all; the same one for all members of a collective
    uint32_t GetNode(const Place& place, const std::vector<uint32_t>& firstNodes) const
    {
        const RankOperation& operation = m_plan.GetProgram(place.rank).Get(place.operation);
        const Place& first =
            operation.kind == RankOperationKind::COLLECTIVE ? m_firsts[operation.label] : place;
        return firstNodes[first.rank] + first.operation;
    }

    const WorkloadPlan& m_plan;       //!< the plan
    std::vector<Place> m_firsts;      //!< by item, the first operation of a collective
    std::vector<uint32_t> m_nMembers; //!< by item, how many operations a collective has
    std::vector<End> m_sent;          //!< messages that are sent, as they are received
    std::vector<End> m_received;      //!< messages that are received
};

} // namespace

WorkloadPlan::WorkloadPlan(uint32_t nRanks)
    : m_programs(nRanks <= MAX_RANKS ? nRanks : 0)
{
    AIDC_REQUIRE(!m_programs.empty(),
                 "there are from 1 to " + std::to_string(MAX_RANKS) + " ranks, not " +
                     std::to_string(nRanks));
}

uint32_t
WorkloadPlan::TakeTags(uint32_t n)
{
    AIDC_REQUIRE(n <= ~m_nextTag, "there are more than 2^31 messages and chunks of collectives");
    const uint32_t first = m_nextTag;
    m_nextTag += n;
    return first;
}

void
WorkloadPlan::CheckRanks(const RankGroup& ranks)
{
    if (!m_checkedRanks.insert(ranks).second)
    {
        return;
    }
    std::vector<uint32_t> sorted = *ranks;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
    {
        throw std::invalid_argument("rank " + std::to_string(*twice) + " is there twice");
    }
    if (!sorted.empty() && sorted.back() >= GetNRanks())
    {
        throw std::invalid_argument("there are " + std::to_string(GetNRanks()) +
                                    " ranks, counted from 0, but no rank " +
                                    std::to_string(sorted.back()));
    }
}

std::vector<uint32_t>
WorkloadPlan::AddCollective(const std::string& name,
                            const CollectiveSchedule& schedule,
                            const RankGroup& ranks,
                            const std::vector<std::vector<uint32_t>>& after)
{
    return AddCollective({std::make_shared<const std::string>(name), schedule}, ranks, after);
}

std::vector<uint32_t>
WorkloadPlan::AddCollective(const WorkloadItem& item,
                            const RankGroup& ranks,
                            const std::vector<std::vector<uint32_t>>& after)
{
    CheckRanks(ranks);
    const CollectiveSchedule& schedule = *item.collective;
    const auto label = static_cast<uint32_t>(m_items.size());
    m_items.push_back(item);
    const uint32_t tag = TakeTags(schedule.GetNLanes());
    std::vector<uint32_t> operations;
    operations.reserve(ranks->size());
    for (uint32_t member = 0; member < ranks->size(); ++member)
    {
        operations.push_back(
            GetProgram((*ranks)[member])
                .AddCollective({schedule, ranks, member}, tag, after[member], label));
    }
    return operations;
}

std::pair<uint32_t, uint32_t>
WorkloadPlan::AddMessage(uint32_t item,
                         uint32_t from,
                         uint32_t to,
                         uint64_t bytes,
                         uint32_t tag,
                         const std::vector<uint32_t>& afterFrom,
                         const std::vector<uint32_t>& afterTo,
                         bool hasCredit)
{
    if (from >= GetNRanks() || to >= GetNRanks() || from == to)
    {
        throw std::invalid_argument("a message is between two of " + std::to_string(GetNRanks()) +
                                    " ranks, counted from 0, not " + std::to_string(from) +
                                    " and " + std::to_string(to));
    }
    if (hasCredit)
    {
        const uint32_t creditTag = TakeTags(1);
        return {GetProgram(from).AddSendWithCredit(to, bytes, tag, creditTag, afterFrom, item),
                GetProgram(to).AddReceiveWithCredit(from, bytes, tag, creditTag, afterTo, item)};
    }
    return {GetProgram(from).AddSend(to, bytes, tag, afterFrom, item),
            GetProgram(to).AddReceive(from, bytes, tag, afterTo, item)};
}

void
WorkloadPlan::Append(WorkloadPlan other)
{
    const uint32_t nRanks = GetNRanks();
    const auto nItems = static_cast<uint32_t>(m_items.size());
    AIDC_REQUIRE(other.GetNRanks() <= MAX_RANKS - nRanks,
                 "there are at most " + std::to_string(MAX_RANKS) + " ranks, not " +
                     std::to_string(nRanks) + " and " + std::to_string(other.GetNRanks()));
    std::map<const std::vector<uint32_t>*, RankGroup> groups;
    for (RankProgram& program : other.m_programs)
    {
        program.MoveBehind(nRanks, nItems, groups);
        m_programs.push_back(std::move(program));
    }
    std::move(other.m_items.begin(), other.m_items.end(), std::back_inserter(m_items));
    // No message goes from one plan to the other, so the same tags may be in both
    m_nextTag = std::max(m_nextTag, other.m_nextTag);
}

std::string
WorkloadPlan::Describe(uint32_t rank, uint32_t number) const
{
    const RankProgram& program = GetProgram(rank);
    const uint32_t label = program.Get(number).label;
    return "rank " + std::to_string(rank) + ", operation " + std::to_string(number) + " (" +
           (label < m_items.size() ? m_items[label].GetName() + ": " : "") +
           program.Describe(number) + ")";
}

void
WorkloadPlan::Check() const
{
    WorkloadChecker checker(*this);
    checker.CheckOperations();
    checker.CheckOrder();
}

} // namespace ns3::aidc
