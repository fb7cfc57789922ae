/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-plan.h"

#include "dependency-order.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ns3::aidc
{

/// Checks a plan.
class WorkloadPlan::Checker
{
  public:
    /// @param plan the plan
    explicit Checker(const WorkloadPlan& plan);

    /// Check peers, messages and members of collectives.
    void CheckOperations();

    /// Check that operations do not wait for each other in a circle.
    void CheckOrder();

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

    /// A message.
    struct Message
    {
        Place send;    //!< who sends it
        Place receive; //!< who receives it
        bool isFirst;  //!< whether it is the first one with its ranks and tag
    };

    /// @param place the operation that it is about
    /// @param what what is wrong with it
    [[noreturn]] void Fail(const Place& place, const std::string& what) const;

    /// Check the operation of a collective.
    /// @param place the operation
    void CheckMember(const Place& place);

    /// @param place the operation
    /// @return its number among all; the same one for all members of a collective
    uint32_t GetNode(const Place& place) const;

    const WorkloadPlan& m_plan;                //!< the plan
    std::vector<uint32_t> m_firstNode;         //!< by rank, of its operations
    std::vector<Place> m_places;               //!< by number among all
    std::vector<std::vector<Place>> m_members; //!< by item, of collectives
    std::vector<Message> m_messages;           //!< all messages
};

WorkloadPlan::Checker::Checker(const WorkloadPlan& plan)
    : m_plan(plan),
      m_members(plan.m_items.size())
{
    for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
    {
        m_firstNode.push_back(static_cast<uint32_t>(m_places.size()));
        for (uint32_t i = 0; i < plan.GetProgram(rank).GetN(); ++i)
        {
            m_places.push_back({rank, i});
        }
    }
}

void
WorkloadPlan::Checker::Fail(const Place& place, const std::string& what) const
{
    throw std::invalid_argument(m_plan.Describe(place.rank, place.operation) + " " + what);
}

void
WorkloadPlan::Checker::CheckMember(const Place& place)
{
    const RankProgram& program = m_plan.GetProgram(place.rank);
    const RankCollective& collective = program.GetCollective(place.operation);
    if ((*collective.ranks)[collective.member] != place.rank)
    {
        Fail(place, "is of another rank's member");
    }
    const uint32_t label = program.Get(place.operation).label;
    if (label >= m_members.size())
    {
        Fail(place, "belongs to no item");
    }
    m_members[label].push_back(place);
}

void
WorkloadPlan::Checker::CheckOperations()
{
    std::vector<End> sent;
    std::vector<End> received;
    for (const Place& place : m_places)
    {
        const RankOperation& operation = m_plan.GetProgram(place.rank).Get(place.operation);
        const uint32_t peer = operation.peer;
        switch (operation.kind)
        {
        case RankOperationKind::COMPUTE:
            continue;
        case RankOperationKind::COLLECTIVE:
            CheckMember(place);
            continue;
        case RankOperationKind::SEND:
            sent.push_back({place.rank, peer, operation.tag, operation.amount, place});
            break;
        case RankOperationKind::RECEIVE:
            received.push_back({peer, place.rank, operation.tag, operation.amount, place});
            break;
        }
        if (peer >= m_plan.GetNRanks())
        {
            Fail(place,
                 "has an unknown peer: there are " + std::to_string(m_plan.GetNRanks()) + " ranks");
        }
        if (peer == place.rank)
        {
            Fail(place, "is between a rank and itself");
        }
    }
    for (const auto& members : m_members)
    {
        if (members.empty())
        {
            continue;
        }
        const auto& program = m_plan.GetProgram(members[0].rank);
        const uint32_t n = program.GetCollective(members[0].operation).schedule.GetNMembers();
        if (members.size() != n)
        {
            Fail(members[0],
                 "has " + std::to_string(n) + " members, but " + std::to_string(members.size()) +
                     " operations");
        }
    }

    // Both in the same order, so that each message stands beside the operation that receives it
    const auto getKey = [](const End& end) { return std::make_tuple(end.from, end.to, end.tag); };
    const auto isBefore = [&getKey](const End& a, const End& b) { return getKey(a) < getKey(b); };
    std::stable_sort(sent.begin(), sent.end(), isBefore);
    std::stable_sort(received.begin(), received.end(), isBefore);
    for (std::size_t i = 0; i < sent.size() || i < received.size(); ++i)
    {
        if (i == received.size() || (i < sent.size() && isBefore(sent[i], received[i])))
        {
            Fail(sent[i].place, "is never received");
        }
        if (i == sent.size() || isBefore(received[i], sent[i]))
        {
            Fail(received[i].place, "waits for a message that is never sent");
        }
        if (sent[i].bytes != received[i].bytes)
        {
            Fail(received[i].place,
                 "gets a message of " + std::to_string(sent[i].bytes) + " bytes");
        }
        const bool isFirst = i == 0 || isBefore(sent[i - 1], sent[i]);
        m_messages.push_back({sent[i].place, received[i].place, isFirst});
    }
}

uint32_t
WorkloadPlan::Checker::GetNode(const Place& place) const
{
    const RankOperation& operation = m_plan.GetProgram(place.rank).Get(place.operation);
    const Place& first =
        operation.kind == RankOperationKind::COLLECTIVE ? m_members[operation.label][0] : place;
    return m_firstNode[first.rank] + first.operation;
}

void
WorkloadPlan::Checker::CheckOrder()
{
    std::vector<std::vector<uint32_t>> after(m_places.size());
    for (const Place& place : m_places)
    {
        auto& nodes = after[GetNode(place)];
        for (const uint32_t other : m_plan.GetProgram(place.rank).GetAfter(place.operation))
        {
            nodes.push_back(GetNode({place.rank, other}));
        }
    }
    for (std::size_t i = 0; i < m_messages.size(); ++i)
    {
        const Message& message = m_messages[i];
        after[GetNode(message.receive)].push_back(GetNode(message.send));
        if (!message.isFirst)
        {
            after[GetNode(message.receive)].push_back(GetNode(m_messages[i - 1].receive));
            after[GetNode(message.send)].push_back(GetNode(m_messages[i - 1].send));
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
            const Place& place = m_places[cycle[i]];
            text += " " + m_plan.Describe(place.rank, place.operation) + ", which waits for";
        }
        Fail(m_places[cycle[0]], text + (cycle.size() > SHOWN ? " others and" : "") + " the first");
    }
}

WorkloadPlan::WorkloadPlan(uint32_t nRanks)
    : m_programs(nRanks <= MAX_RANKS ? nRanks : 0)
{
    if (m_programs.empty())
    {
        throw std::invalid_argument("there are from 1 to " + std::to_string(MAX_RANKS) +
                                    " ranks, not " + std::to_string(nRanks));
    }
}

uint32_t
WorkloadPlan::AddItem(const std::string& name, const std::optional<CollectiveSchedule>& collective)
{
    m_items.push_back({name, collective});
    return static_cast<uint32_t>(m_items.size() - 1);
}

uint32_t
WorkloadPlan::TakeTags(uint32_t n)
{
    if (n > ~m_nextTag)
    {
        throw std::invalid_argument("there are more than 2^31 messages and chunks of collectives");
    }
    const uint32_t first = m_nextTag;
    m_nextTag += n;
    return first;
}

std::vector<uint32_t>
WorkloadPlan::AddCollective(const std::string& name,
                            const CollectiveSchedule& schedule,
                            const RankGroup& ranks,
                            const std::vector<std::vector<uint32_t>>& after)
{
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
    const uint32_t item = AddItem(name, schedule);
    const uint32_t tag = TakeTags(schedule.GetNLanes());
    std::vector<uint32_t> operations;
    for (uint32_t member = 0; member < ranks->size(); ++member)
    {
        operations.push_back(
            GetProgram((*ranks)[member])
                .AddCollective({schedule, ranks, member}, tag, after[member], item));
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
    if (other.GetNRanks() > MAX_RANKS - nRanks)
    {
        throw std::invalid_argument("there are at most " + std::to_string(MAX_RANKS) +
                                    " ranks, not " + std::to_string(nRanks) + " and " +
                                    std::to_string(other.GetNRanks()));
    }
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
           (label < m_items.size() ? m_items[label].name + ": " : "") + program.Describe(number) +
           ")";
}

void
WorkloadPlan::Check() const
{
    Checker checker(*this);
    checker.CheckOperations();
    checker.CheckOrder();
}

} // namespace ns3::aidc
