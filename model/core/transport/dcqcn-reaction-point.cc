/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcqcn-reaction-point.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::aidc
{

namespace
{

/// So many steps are done one by one. After them, half of a distance so often is nothing.
constexpr uint64_t FEW_STEPS = 64;

} // namespace

double
ComputeDecay(double base, uint64_t n)
{
    if (n > FEW_STEPS)
    {
        return std::pow(base, static_cast<double>(n));
    }
    double result = 1;
    for (; n > 0; --n)
    {
        result *= base;
    }
    return result;
}

void
DcqcnRates::Reset(const DcqcnSettings& settings, double alpha)
{
    m_settings = settings;
    m_settings.minRate = std::min(settings.minRate, settings.lineRate);
    m_alpha = alpha;
    m_rate = settings.lineRate;
    m_targetRate = settings.lineRate;
    m_timerCount = 0;
    m_byteCount = 0;
}

void
DcqcnRates::DecayAlpha(uint64_t n)
{
    m_alpha *= ComputeDecay(1 - m_settings.gain, n);
}

void
DcqcnRates::RaiseAlpha()
{
    m_alpha = std::min(1.0, (1 - m_settings.gain) * m_alpha + m_settings.gain);
}

void
DcqcnRates::Cut(bool lowersTarget)
{
    if (lowersTarget)
    {
        m_targetRate = m_rate;
    }
    m_rate = std::max(m_settings.minRate, m_rate * (1 - m_alpha / 2));
    m_timerCount = 0;
    m_byteCount = 0;
}

void
DcqcnRates::ExpireTimer(uint64_t n)
{
    Expire(m_timerCount, m_byteCount, n);
}

void
DcqcnRates::ExpireByteCounter(uint64_t n)
{
    Expire(m_byteCount, m_timerCount, n);
}

DcqcnRates::Phase
DcqcnRates::GetPhase(uint64_t count, uint64_t other) const
{
    constexpr auto ALL_THAT_FOLLOW = std::numeric_limits<uint64_t>::max();
    const uint64_t f = m_settings.threshold;
    if (m_settings.variant != DcqcnSettings::PAPER)
    {
        if (count < f)
        {
            return {0, f - count};
        }
        return count == f ? Phase{m_settings.additiveIncrease, 1}
                          : Phase{m_settings.hyperIncrease, ALL_THAT_FOLLOW};
    }
    const uint64_t next = count + 1;
    if (next < f && other < f)
    {
        return {0, f - next};
    }
    if (other <= f)
    {
        return {m_settings.additiveIncrease, ALL_THAT_FOLLOW};
    }
    return next <= f ? Phase{m_settings.additiveIncrease, f - count}
                     : Phase{m_settings.hyperIncrease, ALL_THAT_FOLLOW};
}

void
DcqcnRates::Expire(uint64_t& count, uint64_t other, uint64_t n)
{
    while (n > 0)
    {
        const auto phase = GetPhase(count, other);
        const auto steps = std::min(n, phase.n);
        Raise(phase.increase, steps);
        count += steps;
        n -= steps;
    }
}

void
DcqcnRates::Raise(double increase, uint64_t n)
{
    const double line = m_settings.lineRate;
    if (n <= FEW_STEPS)
    {
        for (; n > 0; --n)
        {
            m_targetRate = std::min(line, m_targetRate + increase);
            m_rate = (m_rate + m_targetRate) / 2;
        }
        return;
    }
    // The distance d = R_T - R_C becomes (d + increase) / 2 at each step in which R_T stays below
    // the line rate, so that d - increase is halved; once R_T is there, d is halved.
    double distance = m_targetRate - m_rate;
    if (increase > 0)
    {
        const double below = std::floor((line - m_targetRate) / increase);
        const auto steps = below < static_cast<double>(n) ? static_cast<uint64_t>(below) : n;
        distance = increase + (distance - increase) * ComputeDecay(0.5, steps);
        m_targetRate += static_cast<double>(steps) * increase;
        n -= steps;
        if (n > 0)
        {
            distance += line - m_targetRate;
            m_targetRate = line;
        }
    }
    distance *= ComputeDecay(0.5, n);
    m_targetRate = std::min(line, m_targetRate);
    m_rate = std::clamp(m_targetRate - distance, m_settings.minRate, m_targetRate);
}

void
DcqcnReactionPoint::Start(const DcqcnSettings& settings)
{
    *this = DcqcnReactionPoint();
    m_settings = settings;
    m_rates.Reset(settings, settings.initialAlpha);
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
    if (m_settings.variant != DcqcnSettings::PAPER)
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
