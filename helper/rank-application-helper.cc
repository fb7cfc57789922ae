/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-application-helper.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// How often it is looked whether all is done.
const Time STOP_INTERVAL = MicroSeconds(10);

} // namespace

/// The applications, and how many of them are done.
struct RankApplicationHelper::Applications
{
    /**
     * @brief Tell whether all programs are done.
     * @return whether they are
     */
    bool AreDone()
    {
        // Who is done remains so
        while (nDone < items.size() && items[nDone]->IsDone())
        {
            ++nDone;
        }
        return nDone == items.size();
    }

    std::vector<Ptr<RankApplication>> items; //!< by rank
    std::size_t nDone{0};                    //!< how many of the first ones are done
};

RankApplicationHelper::RankApplicationHelper(WorkloadPlan plan)
    : m_plan(std::make_shared<const WorkloadPlan>(std::move(plan))),
      m_applications(std::make_shared<Applications>())
{
    m_plan->Check();
}

void
RankApplicationHelper::SetStart(const Time& start)
{
    m_start = start;
}

ApplicationContainer
RankApplicationHelper::Install(const NodeContainer& nodes,
                               const std::vector<Ptr<MessageEndpoint>>& endpoints)
{
    const uint32_t nRanks = m_plan->GetNRanks();
    if (nodes.GetN() != nRanks || endpoints.size() != nRanks || !m_applications->items.empty())
    {
        throw std::invalid_argument("expected a host and an endpoint for each of " +
                                    std::to_string(nRanks) + " ranks, once, found " +
                                    std::to_string(nodes.GetN()) + " and " +
                                    std::to_string(endpoints.size()));
    }
    ApplicationContainer container;
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        auto application = CreateObject<RankApplication>();
        application->SetProgram(m_plan, rank);
        application->SetEndpoint(endpoints[rank]);
        application->SetStartTime(m_start);
        nodes.Get(rank)->AddApplication(application);
        container.Add(application);
        m_applications->items.push_back(application);
    }
    return container;
}

void
RankApplicationHelper::StopWhenDone()
{
    Simulator::Schedule(STOP_INTERVAL, &RankApplicationHelper::Look, m_applications);
}

void
RankApplicationHelper::Look(std::shared_ptr<Applications> applications)
{
    if (applications->AreDone())
    {
        Simulator::Stop();
    }
    else
    {
        Simulator::Schedule(STOP_INTERVAL, &RankApplicationHelper::Look, applications);
    }
}

bool
RankApplicationHelper::IsDone() const
{
    return m_applications->items.size() == m_plan->GetNRanks() && m_applications->AreDone();
}

std::vector<RankRecord>
RankApplicationHelper::GetRankRecords() const
{
    std::vector<RankRecord> records;
    for (const auto& application : m_applications->items)
    {
        records.push_back({application->IsDone(), application->GetFinish()});
    }
    return records;
}

std::vector<CollectiveRecord>
RankApplicationHelper::GetCollectiveRecords() const
{
    const auto& items = m_plan->GetItems();
    std::vector<CollectiveRecord> byItem(items.size());
    std::vector<uint32_t> nEnded(items.size());
    std::vector<bool> hasStarted(items.size());
    for (uint32_t rank = 0; rank < m_applications->items.size(); ++rank)
    {
        const RankProgram& program = m_plan->GetProgram(rank);
        const auto& times = m_applications->items[rank]->GetTimes();
        for (uint32_t i = 0; i < program.GetN(); ++i)
        {
            if (program.Get(i).kind != RankOperationKind::COLLECTIVE || !times[i].hasStarted)
            {
                continue;
            }
            const uint32_t item = program.Get(i).label;
            CollectiveRecord& record = byItem[item];
            record.start =
                hasStarted[item] ? std::min(record.start, times[i].start) : times[i].start;
            hasStarted[item] = true;
            if (times[i].hasEnded)
            {
                record.finish = std::max(record.finish, times[i].end);
                ++nEnded[item];
            }
        }
    }
    std::vector<CollectiveRecord> records;
    for (std::size_t item = 0; item < items.size(); ++item)
    {
        if (!items[item].collective)
        {
            continue;
        }
        const CollectiveSchedule& schedule = *items[item].collective;
        CollectiveRecord& record = byItem[item];
        record.name = items[item].name;
        record.kind = schedule.GetKind();
        record.algorithm = schedule.GetAlgorithm();
        record.nMembers = schedule.GetNMembers();
        record.bytes = schedule.GetBytes();
        record.isDone = nEnded[item] == record.nMembers;
        if (record.isDone && record.finish > record.start)
        {
            record.bandwidth = GetCollectiveBandwidth(record.kind,
                                                      record.nMembers,
                                                      record.bytes,
                                                      (record.finish - record.start).GetSeconds());
        }
        records.push_back(record);
    }
    return records;
}

std::vector<std::string>
RankApplicationHelper::GetUnfinished(std::size_t max) const
{
    std::vector<std::string> unfinished;
    for (uint32_t rank = 0; rank < m_applications->items.size(); ++rank)
    {
        const auto& times = m_applications->items[rank]->GetTimes();
        for (uint32_t i = 0; i < times.size() && unfinished.size() < max; ++i)
        {
            if (times[i].hasStarted && !times[i].hasEnded)
            {
                unfinished.push_back(m_plan->Describe(rank, i));
            }
        }
    }
    return unfinished;
}

const WorkloadPlan&
RankApplicationHelper::GetPlan() const
{
    return *m_plan;
}

} // namespace ns3::aidc
