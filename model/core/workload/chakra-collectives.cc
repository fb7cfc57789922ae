/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-collectives.h"

#include <memory>
#include <stdexcept>

namespace ns3::aidc
{

ChakraCollectives::ChakraCollectives(const ChakraSettings& settings, WorkloadPlan& plan)
    : m_settings(settings),
      m_plan(plan)
{
}

void
ChakraCollectives::Match(uint32_t rank, const ChakraNode& node)
{
    Group& group = GetGroup(rank, node);
    const CollectiveSchedule schedule = GetSchedule(rank, node, *group.ranks);
    const std::size_t number = group.counts[group.members.at(rank)]++;
    if (number == group.collectives.size())
    {
        const uint32_t item = m_plan.AddItem(DescribeChakraNode(node), schedule);
        const uint32_t tag = m_plan.TakeTags(schedule.GetNLanes());
        group.collectives.push_back({schedule, item, tag, rank, &node, 0});
    }
    Collective& collective = group.collectives[number];
    if (collective.schedule.GetKind() != schedule.GetKind() ||
        collective.schedule.GetAlgorithm() != schedule.GetAlgorithm() ||
        collective.schedule.GetBytes() != schedule.GetBytes())
    {
        throw ChakraError(rank,
                          node,
                          "does not match " + DescribeChakraNode(*collective.node) + " of rank " +
                              std::to_string(collective.rank) + ": both are number " +
                              std::to_string(number) + " of their process group");
    }
    ++collective.nMembers;
    m_numbers[&node] = number;
}

uint32_t
ChakraCollectives::AddOperation(uint32_t rank,
                                const ChakraNode& node,
                                const std::vector<uint32_t>& after)
{
    const Group& group = m_groups.at(node.group);
    const std::size_t number = m_numbers.at(&node);
    const Collective& collective = group.collectives[number];
    if (collective.nMembers != group.ranks->size())
    {
        throw ChakraError(rank,
                          node,
                          "is number " + std::to_string(number) + " of its process group, which " +
                              std::to_string(collective.nMembers) + " of " +
                              std::to_string(group.ranks->size()) + " ranks have");
    }
    return m_plan.GetProgram(rank).AddCollective(
        {collective.schedule, group.ranks, group.members.at(rank)},
        collective.tag,
        after,
        collective.item);
}

ChakraCollectives::Group&
ChakraCollectives::GetGroup(uint32_t rank, const ChakraNode& node)
{
    const auto fail = [&](const std::string& what) {
        throw ChakraError(rank, node, "is of the process group \"" + node.group + "\", " + what);
    };
    const auto [entry, isNew] = m_groups.emplace(node.group, Group());
    Group& group = entry->second;
    if (isNew)
    {
        std::vector<uint32_t> ranks;
        const auto found = m_settings.groups.find(node.group);
        if (found != m_settings.groups.end())
        {
            ranks = found->second;
        }
        else if (node.group.empty())
        {
            for (uint32_t other = 0; other < m_plan.GetNRanks(); ++other)
            {
                ranks.push_back(other);
            }
        }
        else
        {
            fail("whose ranks are not known");
        }
        for (uint32_t member = 0; member < ranks.size(); ++member)
        {
            if (ranks[member] >= m_plan.GetNRanks() ||
                !group.members.emplace(ranks[member], member).second)
            {
                fail("which has rank " + std::to_string(ranks[member]) +
                     " twice, or there is no such rank");
            }
        }
        group.counts.resize(ranks.size());
        group.ranks = std::make_shared<const std::vector<uint32_t>>(ranks);
    }
    if (group.members.count(rank) == 0)
    {
        fail("which has not this rank");
    }
    return group;
}

CollectiveSchedule
ChakraCollectives::GetSchedule(uint32_t rank,
                               const ChakraNode& node,
                               const std::vector<uint32_t>& ranks) const
{
    const auto bytes = [&] {
        return GetChakraAttribute(rank,
                                  node,
                                  node.communicationSize,
                                  "comm_size",
                                  CollectiveSchedule::MAX_BYTES);
    };
    const auto make = [&](CollectiveKind kind, CollectiveAlgorithm algorithm, uint64_t size) {
        return m_settings.MakeSchedule(kind, algorithm, ranks, size);
    };
    try
    {
        switch (GetChakraAttribute(rank, node, node.communicationType, "comm_type", 9))
        {
        case 0:
            return make(CollectiveKind::ALL_REDUCE, m_settings.allReduce, bytes());
        case 2: {
            const uint64_t size = bytes();
            if (size > CollectiveSchedule::MAX_BYTES / ranks.size())
            {
                throw ChakraError(rank, node, "gathers more than 2^60 bytes");
            }
            return make(CollectiveKind::ALL_GATHER, m_settings.allGather, size * ranks.size());
        }
        case 5:
            return make(CollectiveKind::BROADCAST, m_settings.broadcast, bytes());
        case 6:
            return make(CollectiveKind::ALL_TO_ALL, m_settings.allToAll, bytes());
        case 7:
        case 8:
            return make(CollectiveKind::REDUCE_SCATTER, m_settings.reduceScatter, bytes());
        case 9:
            return make(CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RECURSIVE_DOUBLING, 0);
        default:
            throw ChakraError(rank,
                              node,
                              "is a reduce, gather or scatter, which are not supported");
        }
    }
    catch (const ChakraError&)
    {
        throw;
    }
    catch (const std::invalid_argument& error)
    {
        throw ChakraError(rank, node, std::string("cannot be: ") + error.what());
    }
}

} // namespace ns3::aidc
