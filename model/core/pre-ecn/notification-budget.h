/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NOTIFICATION_BUDGET_H
#define AIDC_NOTIFICATION_BUDGET_H

#include "domain-message.h"
#include "token-bucket.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief Bounds the rate of a router's notifications, severe congestion first.
 *
 * There is a token bucket that holds two notifications of each flow for which the router has room,
 * so that congestion that hits all flows at once is told to all of them at once. Half of it is for
 * severe congestion alone.
 *
 * The bound is fair among flows by intervals, not by the bucket: the more flows there are, the less
 * often each of them is notified of (GetTime()).
 */
class NotificationBudget
{
  public:
    /// The settings.
    struct Settings
    {
        uint64_t maxRate{0};        //!< bit/s on the link; 0 for no bound
        std::size_t maxFlows{4096}; //!< for how many flows the router has room
    };

    /// Bytes of a notification on the link: with headers of UDP, IPv4 and Ethernet, check sequence,
    /// preamble and gap (IEEE 802.3).
    static constexpr uint32_t BYTES = DOMAIN_MESSAGE_SIZE + 8 + 20 + 38;

    /// Get the time that the bound leaves for a notification. @return ns, 0 without a bound
    static int64_t GetTime(const Settings& settings)
    {
        return settings.maxRate == 0
                   ? 0
                   : static_cast<int64_t>(BYTES * uint64_t{8'000'000'000} / settings.maxRate);
    }

    /// Decide on a notification. settings: the settings, which do not change; now: the time in ns,
    /// never less than before. @return whether it may be sent; then it counts as sent
    bool Pass(const Settings& settings, int64_t now, CongestionSeverity severity)
    {
        if (settings.maxRate == 0)
        {
            return true;
        }
        const auto half = static_cast<uint32_t>(
            std::min<uint64_t>(settings.maxFlows * BYTES, TokenBucket::MAX_BURST / 2));
        if (!m_isStarted)
        {
            m_isStarted = true;
            m_bucket.Start(now, settings.maxRate, 2 * half, 2 * half);
        }
        const uint32_t needed = BYTES + (severity == CongestionSeverity::SEVERE ? 0 : half);
        if (m_bucket.GetReadyTime(now, needed) > now)
        {
            return false;
        }
        m_bucket.Take(now, BYTES);
        return true;
    }

  private:
    TokenBucket m_bucket;    //!< the bytes that may be sent
    bool m_isStarted{false}; //!< whether there was a notification
};

} // namespace ns3::aidc

#endif // AIDC_NOTIFICATION_BUDGET_H
