// SPDX-License-Identifier: GPL-2.0-only

#include "edge-rate-law.h"

#include <algorithm>
#include <cmath>

namespace ns3::aidc
{

namespace
{

/// More doublings exceed any rate.
constexpr int64_t MOST_DOUBLINGS = 64;

} // namespace

bool
EdgeRateLaw::Notify(const Settings& settings,
                    int64_t now,
                    double step,
                    uint64_t measured,
                    int64_t feedback)
{
    Raise(settings, now);
    m_feedback = feedback;
    m_quietEnd = now + std::max(settings.quietTime, feedback);
    m_nextRise = m_quietEnd;
    const bool isEarly =
        m_hasStepped && now - m_lastStep < std::max(settings.stepInterval, feedback);
    if (step <= 0 || measured <= settings.floor || (isEarly && (step <= m_step || !IsLimited())))
    {
        return false;
    }
    m_lastStep = now;
    m_hasStepped = true;
    m_ceiling = std::max(m_ceiling, measured);
    const uint64_t old = m_rate;
    // The rate may have risen since the last step, if the quiet time is shorter than a step's.
    m_base = std::max(isEarly ? m_base : 0, std::min(m_rate, measured));
    m_step = step;
    const auto lowered = std::clamp(static_cast<uint64_t>(static_cast<double>(m_base) * (1 - step)),
                                    settings.floor,
                                    settings.lineRate);
    m_rate = std::min(m_rate, lowered);
    m_isExplicit = m_isExplicit && m_rate == old;
    return m_rate != old;
}

bool
EdgeRateLaw::SetExplicitRate(const Settings& settings,
                             int64_t now,
                             const ExplicitRate& given,
                             uint64_t measured)
{
    Raise(settings, now);
    if (given.rate == UNLIMITED)
    {
        return false; // the rates set before end by time
    }
    const uint64_t rate = std::min(given.rate, settings.lineRate);
    // The rate of the same router, or one that is no longer valid, or else the one that allows most
    const auto rank = [&given, now](const Share& share) {
        return share.end > 0 && share.source == given.source ? UNLIMITED
               : share.end <= now                            ? UNLIMITED - 1
                                                             : share.rate;
    };
    Share& share = rank(m_explicit[0]) >= rank(m_explicit[1]) ? m_explicit[0] : m_explicit[1];
    const bool isSame = rank(share) == UNLIMITED;
    if ((isSame && given.time < share.time) || (rank(share) < UNLIMITED - 1 && rate >= share.rate))
    {
        return false;
    }
    share = {given.source, rate, given.time, now + given.validity};
    const uint64_t old = m_rate;
    m_feedback = given.feedback;
    m_validity = given.validity;
    m_quietEnd = now + std::max(settings.quietTime, given.feedback);
    for (const auto& each : m_explicit)
    {
        m_quietEnd = std::max(m_quietEnd, each.end);
    }
    m_nextRise = m_quietEnd;
    m_ceiling = std::max(m_ceiling, measured);
    m_rate = std::min(GetExplicitRate(now), rate);
    m_isExplicit = true;
    return m_rate < old;
}

uint64_t
EdgeRateLaw::GetExplicitRate(int64_t now) const
{
    uint64_t least = UNLIMITED;
    for (const auto& share : m_explicit)
    {
        least = share.end > now ? std::min(least, share.rate) : least;
    }
    return least;
}

bool
EdgeRateLaw::Update(const Settings& settings, int64_t now, uint64_t measured, bool isWaiting)
{
    const uint64_t old = m_rate;
    if (IsLimited())
    {
        m_ceiling = std::max(m_ceiling, measured);
    }
    Raise(settings, now);
    if (IsLimited() && now >= m_quietEnd && !isWaiting &&
        m_rate >= std::min(m_ceiling, settings.lineRate))
    {
        m_rate = UNLIMITED;
        m_ceiling = 0;
    }
    return m_rate != old;
}

void
EdgeRateLaw::Raise(const Settings& settings, int64_t now)
{
    if (const uint64_t least = GetExplicitRate(now);
        m_isExplicit && least != UNLIMITED && least > m_rate)
    {
        m_rate = least; // the rate that allowed less is no longer valid
    }
    if (!IsLimited() || now < m_nextRise)
    {
        return;
    }
    const int64_t interval =
        std::max({settings.recoveryInterval, m_feedback, m_isExplicit ? m_validity : 0});
    const int64_t nRises = (now - m_nextRise) / interval + 1;
    m_nextRise += nRises * interval;
    const auto nDoublings = static_cast<int>(std::min<int64_t>(nRises, MOST_DOUBLINGS));
    const double rise =
        m_isExplicit
            ? std::ldexp(static_cast<double>(m_rate), nDoublings) - static_cast<double>(m_rate)
            : std::max(settings.recoveryStep * static_cast<double>(m_ceiling), 1.0) *
                  static_cast<double>(nRises);
    // Compared before it is added: the sum may not fit. A smaller line rate than before lowers.
    m_rate = m_rate >= settings.lineRate || rise >= static_cast<double>(settings.lineRate - m_rate)
                 ? settings.lineRate
                 : m_rate + static_cast<uint64_t>(rise);
    m_ceiling = IsLimited() ? m_ceiling : 0;
}

} // namespace ns3::aidc
