/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-queue-pair-table.h"

#include "../core/require-argument.h"

#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcRoceQueuePairTable");

const RoceQueuePairTable::Entry&
RoceQueuePairTable::GetEntry(uint32_t qp) const
{
    AIDC_REFUSED_UNLESS(qp >= FIRST_QP && qp - FIRST_QP < m_entries.size(),
                        "RoceNic: there is no queue pair " << qp);
    return m_entries[qp - FIRST_QP];
}

RoceQueuePairTable::Entry&
RoceQueuePairTable::GetUnconnected(uint32_t qp)
{
    AIDC_REFUSED_IF(GetEntry(qp).pair, "RoceNic: queue pair " << qp << " is connected already");
    return m_entries[qp - FIRST_QP];
}

RoceQueuePair&
RoceQueuePairTable::Get(uint32_t qp) const
{
    RoceQueuePair* pair = Find(qp);
    AIDC_REFUSED_UNLESS(pair, "RoceNic: there is no queue pair " << qp << " that is connected");
    return *pair;
}

std::vector<uint32_t>
RoceQueuePairTable::Forget()
{
    std::vector<uint32_t> numbers;
    for (auto& entry : m_entries)
    {
        if (entry.pair)
        {
            numbers.push_back(entry.pair->GetConnection().localQp);
            entry.pair->Forget();
            m_former.push_back(std::move(entry.pair));
        }
    }
    return numbers;
}

void
RoceQueuePairTable::Clear()
{
    m_flush.Cancel();
    m_arrivals.clear();
    m_before.clear();
    m_entries.clear();
    m_former.clear();
}

// Arrivals

void
RoceQueuePairTable::Take(const RoceArrival& arrival)
{
    if (!m_isOrdered)
    {
        Deliver(arrival);
        return;
    }
    const int64_t now = Simulator::Now().GetTimeStep();
    if (!m_arrivals.empty() && m_time != now)
    {
        // Those of the last time step are about to be delivered in this one
        m_before.swap(m_arrivals);
    }
    if (m_arrivals.empty())
    {
        m_time = now;
        m_flush.Schedule(m_node, TimeStep(1));
    }
    m_arrivals.push_back(arrival);
}

void
RoceQueuePairTable::Flush()
{
    std::vector<RoceArrival> arrivals;
    arrivals.swap(m_before.empty() ? m_arrivals : m_before);
    std::stable_sort(arrivals.begin(), arrivals.end(), [](const auto& a, const auto& b) {
        return a.port < b.port;
    });
    for (const auto& arrival : arrivals)
    {
        Deliver(arrival);
    }
}

void
RoceQueuePairTable::Deliver(const RoceArrival& arrival) const
{
    RoceQueuePair* const pair = Find(arrival.packet.destinationQp);
    if (!pair || arrival.source != pair->GetConnection().remoteAddress)
    {
        NS_LOG_LOGIC("drops a packet for queue pair " << arrival.packet.destinationQp);
        ++m_record.counted.unknownQueuePairs;
        return;
    }
    pair->HandlePacket(arrival);
}

} // namespace ns3::aidc
