/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-records.h"

#include "mpi-ranks.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>
#include <string>

namespace ns3::aidc
{

namespace
{

/// How often it is looked whether all flows are done.
const Time STOP_INTERVAL = MicroSeconds(10);

} // namespace

uint32_t
FlowRecords::Add(const FlowSpec& flow, Time idealFct)
{
    FlowRecord record;
    record.spec = flow;
    record.idealFct = idealFct;
    m_nWithEnd += flow.bytes > 0 ? 1 : 0;
    m_records.push_back(record);
    return static_cast<uint32_t>(m_records.size() - 1);
}

void
FlowRecords::AddDelivered(uint32_t index, uint64_t nBytes)
{
    FlowRecord& record = m_records[index];
    record.receivedBytes += nBytes;
    if (!record.isDone && record.spec.bytes > 0 && record.receivedBytes >= record.spec.bytes)
    {
        Finish(record, Simulator::Now());
    }
}

void
FlowRecords::Finish(FlowRecord& record, Time time)
{
    ++m_nDone;
    record.isDone = true;
    record.finish = time;
    record.fct = record.finish - record.spec.start;
    record.slowdown = record.fct.GetSeconds() / record.idealFct.GetSeconds();
}

void
FlowRecords::StopWhenDone(const MpiRanks* ranks)
{
    m_ranks = ranks && ranks->GetN() > 1 ? ranks : nullptr;
    Simulator::Schedule(STOP_INTERVAL, &FlowRecords::LookWhetherDone, Ptr<FlowRecords>(this));
}

void
FlowRecords::LookWhetherDone()
{
    // A node that stopped the simulation would find others a little ahead or behind.
    const auto total = static_cast<double>(m_nWithEnd);
    const auto done = static_cast<double>(m_nDone);
    if (total > 0 && (m_ranks ? m_ranks->Sum(done) : done) >= total)
    {
        Simulator::Stop();
    }
    else if (total > 0)
    {
        Simulator::Schedule(STOP_INTERVAL, &FlowRecords::LookWhetherDone, Ptr<FlowRecords>(this));
    }
}

void
FlowRecords::Gather(const MpiRanks& ranks)
{
    std::ostringstream own;
    for (std::size_t i = 0; i < m_records.size(); ++i)
    {
        if (m_records[i].receivedBytes > 0)
        {
            own << i << ' ' << m_records[i].receivedBytes << ' ' << m_records[i].isDone << ' '
                << m_records[i].finish.GetTimeStep() << '\n';
        }
    }
    for (const auto& text : ranks.GatherOthers(own.str()))
    {
        std::istringstream others(text);
        std::size_t index = 0;
        uint64_t bytes = 0;
        bool isDone = false;
        int64_t finish = 0;
        while (others >> index >> bytes >> isDone >> finish)
        {
            m_records[index].receivedBytes += bytes;
            if (isDone)
            {
                Finish(m_records[index], TimeStep(finish));
            }
        }
    }
}

bool
FlowRecords::IsDone() const
{
    return m_nDone == m_nWithEnd;
}

const std::vector<FlowRecord>&
FlowRecords::Get() const
{
    return m_records;
}

uint64_t
FlowRecords::GetDeliveredBytes() const
{
    uint64_t sum = 0;
    for (const auto& record : m_records)
    {
        sum += record.receivedBytes;
    }
    return sum;
}

double
FlowRecords::GetDelaySeconds(const std::vector<FabricLink>& path)
{
    double delay = 0;
    for (const FabricLink& link : path)
    {
        delay += static_cast<double>(link.delay) / 1e9;
    }
    return delay;
}

double
FlowRecords::GetPipelineSeconds(const std::vector<FabricLink>& path,
                                uint64_t nPackets,
                                double fullBytes,
                                double lastBytes)
{
    double first = 0;   // when the first full packet is behind the link
    double slowest = 0; // the longest time that a link so far needs for a full packet
    double end = 0;     // when the last packet is behind the link
    for (const FabricLink& link : path)
    {
        const auto rate = static_cast<double>(link.rate);
        first += 8 * fullBytes / rate;
        slowest = std::max(slowest, 8 * fullBytes / rate);
        const double others =
            nPackets > 1 ? first + static_cast<double>(nPackets - 2) * slowest : 0;
        end = std::max(end, others) + 8 * lastBytes / rate;
    }
    return end;
}

} // namespace ns3::aidc
