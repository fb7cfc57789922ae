/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cross-aidc-bottleneck.h"

#include "ns3/callback.h"
#include "ns3/pre-ecn-queue.h"
#include "ns3/result-file.h"

#include <algorithm>

namespace ns3::aidc
{

CrossAidcBottleneck::CrossAidcBottleneck(Ptr<MarkingQueue> queue)
    : m_queue(queue)
{
    using C = CrossAidcBottleneck;
    queue->TraceConnectWithoutContext("Occupancy", MakeCallback(&C::NotifyOccupancy, this));
    if (DynamicCast<PreEcnQueue>(queue))
    {
        queue->TraceConnectWithoutContext("CongestionMark",
                                          MakeCallback(&C::NotifyCongestionMark, this));
    }
}

void
CrossAidcBottleneck::NotifyOccupancy(uint64_t, uint64_t after)
{
    m_longest = std::max(m_longest, after);
}

void
CrossAidcBottleneck::NotifyCongestionMark(Ptr<const QueueDiscItem>,
                                          CongestionSeverity severity,
                                          double)
{
    m_nLight += severity == CongestionSeverity::LIGHT ? 1 : 0;
}

void
CrossAidcBottleneck::Sample()
{
    m_samples.push_back(m_queue->GetOccupancy());
    m_lightMarks.push_back(m_nLight);
    m_ceMarks.push_back(m_queue->GetQueueStatistics().markedPackets);
}

void
CrossAidcBottleneck::Write(const std::string& path, Time interval) const
{
    ResultFile file(path, "time_s,occupancy_byte,light_marks,ce_marks");
    for (std::size_t i = 0; i < m_samples.size(); ++i)
    {
        const std::size_t before = i > 0 ? i - 1 : 0;
        file << static_cast<double>(i) * interval.GetSeconds() << ',' << m_samples[i] << ','
             << m_lightMarks[i] - m_lightMarks[before] << ',' << m_ceMarks[i] - m_ceMarks[before]
             << '\n';
    }
    file.Close();
}

} // namespace ns3::aidc
