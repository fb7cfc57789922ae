/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ordered-trace-stream.h"

#include "time-window-helper.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::aidc
{

OrderedTraceStream::OrderedTraceStream(Ptr<OutputStreamWrapper> stream)
    : m_stream(stream)
{
}

Ptr<OutputStreamWrapper>
OrderedTraceStream::GetStream() const
{
    return m_stream;
}

void
OrderedTraceStream::Add(uint32_t node, const std::string& row)
{
    if (!m_isScheduled)
    {
        m_isScheduled = true;
        Simulator::ScheduleDestroy(&OrderedTraceStream::Flush, Ptr<OrderedTraceStream>(this));
    }
    const Time now = Simulator::Now();
    m_rows.emplace(std::make_pair(now, node), row);
    m_latest = std::max(m_latest, now);
    const Time window = TimeWindowHelper::GetWindow();
    while (m_rows.begin()->first.first + window < m_latest)
    {
        WriteFirst();
    }
}

void
OrderedTraceStream::Flush()
{
    while (!m_rows.empty())
    {
        WriteFirst();
    }
    m_stream->GetStream()->flush();
    m_latest = Time();
    m_isScheduled = false;
}

void
OrderedTraceStream::WriteFirst()
{
    *m_stream->GetStream() << m_rows.begin()->second;
    m_rows.erase(m_rows.begin());
}

} // namespace ns3::aidc
