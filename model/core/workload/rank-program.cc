// SPDX-License-Identifier: GPL-2.0-only

#include "rank-program.h"

#include "../require-argument.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

uint32_t
RankProgram::AddCollective(const RankCollective& collective,
                           uint32_t tag,
                           const std::vector<uint32_t>& after,
                           uint32_t label)
{
    const uint32_t nMembers = collective.schedule.GetNMembers();
    AIDC_REQUIRE(collective.ranks && collective.ranks->size() == nMembers &&
                     collective.member < nMembers,
                 "a collective needs a rank for each member");
    uint32_t& last = m_lastOfGroup.emplace(collective.ranks.get(), MAX_SIZE).first->second;
    last = Add(RankOperation{m_collectives.size(), 0, tag, label, 0, RankOperationKind::COLLECTIVE},
               after,
               last);
    m_collectives.push_back(collective);
    return last;
}

void
RankProgram::SlowDown(double factor)
{
    AIDC_REQUIRE(factor >= 1 && factor <= MAX_SLOWDOWN,
                 "computations take 1 to 1000 times as long, not " + std::to_string(factor));
    constexpr uint64_t MAX_NANOSECONDS = 1ULL << 62;
    for (RankOperation& operation : m_operations)
    {
        if (operation.kind == RankOperationKind::COMPUTE && operation.peer != NO_UNIT)
        {
            const double nanoseconds =
                std::min<double>(factor * static_cast<double>(operation.amount), MAX_NANOSECONDS);
            operation.amount = std::max(operation.amount, static_cast<uint64_t>(nanoseconds));
        }
    }
}

void
RankProgram::MoveBehind(uint32_t nRanks,
                        uint32_t nItems,
                        std::map<const std::vector<uint32_t>*, RankGroup>& groups)
{
    for (RankOperation& operation : m_operations)
    {
        operation.label += nItems;
        if (operation.kind == RankOperationKind::SEND ||
            operation.kind == RankOperationKind::RECEIVE)
        {
            operation.peer += nRanks;
        }
    }
    std::map<const void*, uint32_t> lastOfGroup;
    for (RankCollective& collective : m_collectives)
    {
        const auto* const former = collective.ranks.get();
        RankGroup& group = groups[former];
        if (!group)
        {
            std::vector<uint32_t> ranks = *former;
            for (uint32_t& rank : ranks)
            {
                rank += nRanks;
            }
            group = std::make_shared<const std::vector<uint32_t>>(std::move(ranks));
        }
        lastOfGroup[group.get()] = m_lastOfGroup.at(former);
        collective.ranks = group;
    }
    m_lastOfGroup = std::move(lastOfGroup);
}

uint32_t
RankProgram::Add(RankOperation operation, const std::vector<uint32_t>& after, uint32_t last)
{
    const uint32_t number = GetN();
    for (const uint32_t other : after)
    {
        if (other >= number)
        {
            throw std::invalid_argument("operation " + std::to_string(number) +
                                        " can wait for earlier ones only, not for " +
                                        std::to_string(other));
        }
    }
    if (m_after.size() + after.size() >= MAX_SIZE || number == MAX_SIZE)
    {
        throw std::invalid_argument("a rank has at most 2^30 operations and dependencies");
    }
    m_after.insert(m_after.end(), after.begin(), after.end());
    if (last != MAX_SIZE && std::find(after.begin(), after.end(), last) == after.end())
    {
        m_after.push_back(last);
    }
    operation.afterEnd = static_cast<uint32_t>(m_after.size());
    m_operations.push_back(operation);
    return number;
}

std::string
RankProgram::Describe(uint32_t number) const
{
    const RankOperation& operation = Get(number);
    const auto describeMessage = [&operation](const char* what, const char* direction) {
        return std::string(what) + " of " + std::to_string(operation.amount) + " bytes " +
               direction + " rank " + std::to_string(operation.peer) + " with tag " +
               std::to_string(operation.tag);
    };
    switch (operation.kind)
    {
    case RankOperationKind::COMPUTE:
        return "computation of " + std::to_string(operation.amount) + " ns";
    case RankOperationKind::SEND:
        return describeMessage("send", "to");
    case RankOperationKind::RECEIVE:
        return describeMessage("receive", "from");
    case RankOperationKind::COLLECTIVE:
        break;
    }
    const CollectiveSchedule& schedule = GetCollective(number).schedule;
    return std::string(GetCollectiveName(schedule.GetKind())) + " of " +
           std::to_string(schedule.GetBytes()) + " bytes";
}

} // namespace ns3::aidc
