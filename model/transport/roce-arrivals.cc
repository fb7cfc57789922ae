/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-arrivals.h"

#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcRoceArrivals");

RoceArrivals::RoceArrivals(const RoceQueuePairTable& pairs, RoceNicRecord& record)
    : m_pairs(pairs),
      m_record(record)
{
}

void
RoceArrivals::SetOrdered(uint32_t node)
{
    m_isOrdered = true;
    m_node = node;
}

void
RoceArrivals::Take(const RoceArrival& arrival)
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
        m_former.swap(m_arrivals);
    }
    if (m_arrivals.empty())
    {
        m_time = now;
        m_flush.Schedule(m_node, TimeStep(1));
    }
    m_arrivals.push_back(arrival);
}

void
RoceArrivals::Flush()
{
    std::vector<RoceArrival> arrivals;
    arrivals.swap(m_former.empty() ? m_arrivals : m_former);
    std::stable_sort(arrivals.begin(), arrivals.end(), [](const auto& a, const auto& b) {
        return a.port < b.port;
    });
    for (const auto& arrival : arrivals)
    {
        Deliver(arrival);
    }
}

void
RoceArrivals::Deliver(const RoceArrival& arrival) const
{
    RoceQueuePair* const pair = m_pairs.Find(arrival.packet.destinationQp);
    if (!pair || arrival.source != pair->GetConnection().remoteAddress)
    {
        NS_LOG_LOGIC("drops a packet for queue pair " << arrival.packet.destinationQp);
        ++m_record.counted.unknownQueuePairs;
        return;
    }
    pair->HandlePacket(arrival);
}

void
RoceArrivals::Clear()
{
    m_flush.Cancel();
    m_arrivals.clear();
    m_former.clear();
}

} // namespace ns3::aidc
