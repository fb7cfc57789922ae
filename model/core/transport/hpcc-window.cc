/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hpcc-window.h"

#include <algorithm>

namespace ns3::aidc
{

void
HpccWindow::Start(const UtilizationWindow::Settings& settings)
{
    *this = HpccWindow();
    m_windows.Start(settings, settings.maxWindow);
    m_baseRtt = settings.baseRtt;
}

HpccWindow::Outcome
HpccWindow::NotifyReport(const Report& report)
{
    const IntHeader& header = report.header;
    if (header.nHops == 0)
    {
        return Outcome::NO_HOP;
    }
    if (header.nHops > INT_MAX_HOPS)
    {
        return Outcome::TOO_MANY_HOPS;
    }
    if (std::any_of(header.hops.begin(), header.hops.begin() + header.nHops, [](const IntHop& hop) {
            return GetIntRate(hop.rateCode) == 0;
        }))
    {
        return Outcome::UNKNOWN_RATE;
    }
    auto outcome = Outcome::USED;
    if (m_last.nHops == 0)
    {
        outcome = Outcome::FIRST;
        m_lastUpdate = report.next;
    }
    else if (!IsSamePath(header))
    {
        outcome = Outcome::PATH_CHANGED;
    }
    else if (report.now - m_lastTime > GetLongestTime(header))
    {
        outcome = Outcome::TOO_OLD;
    }
    else
    {
        const auto busiest = FindBusiest(header);
        if (busiest.utilization < 0)
        {
            return Outcome::NOT_NEWER;
        }
        const bool isRound = report.acknowledged > m_lastUpdate;
        m_windows.Update(busiest.utilization, busiest.time, isRound);
        m_lastUpdate = isRound ? std::max(report.next, m_lastUpdate) : m_lastUpdate;
    }
    m_last = header;
    m_lastTime = report.now;
    return outcome;
}

bool
HpccWindow::IsSamePath(const IntHeader& header) const
{
    return header.nHops == m_last.nHops && header.pathId == m_last.pathId &&
           std::equal(header.hops.begin(),
                      header.hops.begin() + header.nHops,
                      m_last.hops.begin(),
                      [](const IntHop& a, const IntHop& b) { return a.rateCode == b.rateCode; });
}

HpccWindow::Busiest
HpccWindow::FindBusiest(const IntHeader& header) const
{
    Busiest busiest;
    for (std::size_t i = 0; i < header.nHops; ++i)
    {
        const IntHop& hop = header.hops[i];
        const IntHop& last = m_last.hops[i];
        const int64_t time = GetIntTimeBetween(hop, last);
        if (time == 0 || time > INT_TIME_WRAP / 2)
        {
            continue; // the same reading, or one that a later acknowledgment has overtaken
        }
        const double bytesPerNs = static_cast<double>(GetIntRate(hop.rateCode)) / 8e9;
        const auto queue = static_cast<double>(std::min(GetIntQueue(hop), GetIntQueue(last)));
        const auto sent = static_cast<double>(GetIntBytesBetween(hop, last));
        const double utilization = queue / (bytesPerNs * static_cast<double>(m_baseRtt)) +
                                   sent / (static_cast<double>(time) * bytesPerNs);
        if (utilization > busiest.utilization)
        {
            busiest = {utilization, time};
        }
    }
    return busiest;
}

int64_t
HpccWindow::GetLongestTime(const IntHeader& header)
{
    int64_t wrap = INT_TIME_WRAP;
    for (std::size_t i = 0; i < header.nHops; ++i)
    {
        const auto rate = static_cast<double>(GetIntRate(header.hops[i].rateCode));
        wrap = std::min(wrap, static_cast<int64_t>(INT_BYTES_WRAP * 8e9 / rate));
    }
    return wrap / 2;
}

} // namespace ns3::aidc
