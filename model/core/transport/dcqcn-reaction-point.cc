/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcqcn-reaction-point.h"

#include <algorithm>

namespace ns3::aidc
{

void
DcqcnReactionPoint::Start(const Settings& settings)
{
    *this = DcqcnReactionPoint();
    m_settings = settings;
    m_rates.Reset(settings.rates, settings.initialAlpha);
}

void
DcqcnReactionPoint::NotifyCnp(int64_t now)
{
    const bool isFirst = !m_hasCnp;
    m_hasCnp = true;
    if (isFirst)
    {
        m_alphaTime = now;
        m_decreaseStart = now + 1;
    }
    CatchUp(now);
    UpdateAlpha(now);
    if (m_settings.rates.variant == DcqcnRates::MELLANOX)
    {
        m_isAlphaRaised = !isFirst;
        if (m_nextCut == NEVER)
        {
            const auto interval = m_settings.decreaseInterval;
            const auto nIntervals = isFirst ? 0 : (now - m_decreaseStart) / interval;
            m_nextCut = m_decreaseStart + (nIntervals + 1) * interval;
        }
    }
    else
    {
        m_rates.Cut(true);
        m_rates.RaiseAlpha();
        m_alphaTime = now;
        m_nextRaise = now + m_settings.rateTimer;
        m_nBytes = 0;
        m_isCounting = m_settings.byteCounter > 0;
    }
    m_due = std::min(m_nextCut, m_nextRaise);
}

double
DcqcnReactionPoint::GetAlpha(int64_t now) const
{
    auto copy = *this;
    if (m_hasCnp)
    {
        copy.CatchUp(now);
        copy.UpdateAlpha(now);
    }
    return copy.m_rates.GetAlpha();
}

void
DcqcnReactionPoint::CatchUp(int64_t now)
{
    if (m_nextCut <= now)
    {
        RaiseRates(m_nextCut);
        UpdateAlpha(m_nextCut);
        m_rates.Cut(m_settings.clampTargetRate || m_rates.GetTimerCount() > 0);
        m_nextRaise = m_nextCut + m_settings.rateTimer;
        m_nextCut = NEVER;
    }
    RaiseRates(now);
    m_due = std::min(m_nextCut, m_nextRaise);
}

void
DcqcnReactionPoint::RaiseRates(int64_t now)
{
    if (m_nextRaise <= now)
    {
        const auto n = (now - m_nextRaise) / m_settings.rateTimer + 1;
        m_rates.ExpireTimer(static_cast<uint64_t>(n));
        m_nextRaise += n * m_settings.rateTimer;
    }
}

void
DcqcnReactionPoint::UpdateAlpha(int64_t now)
{
    auto n = (now - m_alphaTime) / m_settings.alphaTimer;
    m_alphaTime += n * m_settings.alphaTimer;
    if (n > 0 && m_isAlphaRaised)
    {
        m_rates.RaiseAlpha();
        m_isAlphaRaised = false;
        --n;
    }
    m_rates.DecayAlpha(static_cast<uint64_t>(n));
}

void
DcqcnReactionPoint::Count(int64_t now, uint32_t nBytes)
{
    m_nBytes += nBytes;
    if (m_nBytes >= m_settings.byteCounter)
    {
        GetRate(now);
        m_rates.ExpireByteCounter(m_nBytes / m_settings.byteCounter);
        m_nBytes %= m_settings.byteCounter;
    }
}

} // namespace ns3::aidc
