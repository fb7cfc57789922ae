/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scale-up-port.h"

#include "../multiply-divide.h"
#include "../never.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

namespace
{

/// @param rate bit/s
/// @throws std::invalid_argument if it is 0
void
CheckScaleUpRate(uint64_t rate)
{
    if (rate == 0)
    {
        throw std::invalid_argument("expected a scale-up rate above 0, found 0 bit/s");
    }
}

} // namespace

int64_t
GetScaleUpTime(uint64_t nBytes, uint64_t rate)
{
    constexpr uint64_t PS_PER_S = 1000000000000;
    return static_cast<int64_t>(MultiplyDivideUp(8 * nBytes, PS_PER_S, rate));
}

ScaleUpEgress::ScaleUpEgress(uint64_t rate, uint64_t segmentSize)
    : m_rate(rate),
      m_segmentSize(segmentSize)
{
    CheckScaleUpRate(rate);
    if (segmentSize == 0 || segmentSize > MAX_SEGMENT)
    {
        throw std::invalid_argument("expected scale-up segments of 1 to " +
                                    std::to_string(MAX_SEGMENT) + " bytes, found " +
                                    std::to_string(segmentSize));
    }
}

void
ScaleUpEgress::Add(uint32_t flow, uint64_t nBytes, int64_t now)
{
    auto& messages = m_flows[flow];
    if (messages.empty())
    {
        m_turns.push_back(flow);
    }
    messages.push_back({nBytes, now});
}

int64_t
ScaleUpEgress::GetNextStart() const
{
    return IsEmpty() ? NEVER : std::max(m_free, m_flows.at(m_turns.front()).front().since);
}

ScaleUpSegment
ScaleUpEgress::Take()
{
    ScaleUpSegment segment;
    segment.start = GetNextStart();
    segment.flow = m_turns.front();
    m_turns.pop_front();
    auto& messages = m_flows[segment.flow];
    Message& message = messages.front();
    segment.nBytes = std::min(message.nLeft, m_segmentSize);
    segment.end = segment.start + GetScaleUpTime(segment.nBytes, m_rate);
    message.nLeft -= segment.nBytes;
    segment.isLast = message.nLeft == 0;
    if (segment.isLast)
    {
        messages.pop_front();
    }
    if (messages.empty())
    {
        m_flows.erase(segment.flow);
    }
    else
    {
        m_turns.push_back(segment.flow);
    }
    m_free = segment.end;
    return segment;
}

ScaleUpIngress::ScaleUpIngress(uint64_t rate)
    : m_rate(rate)
{
    CheckScaleUpRate(rate);
}

int64_t
ScaleUpIngress::Take(int64_t first, int64_t last, uint64_t nBytes)
{
    m_free = std::max(m_free, first) + GetScaleUpTime(nBytes, m_rate);
    return std::max(m_free, last);
}

} // namespace ns3::aidc
