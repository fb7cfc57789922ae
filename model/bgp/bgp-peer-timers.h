/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_PEER_TIMERS_H
#define AIDC_BGP_PEER_TIMERS_H

#include "../core/bgp/bgp-peer-session.h"
#include "../deadline-timer.h"

#include <cstdint>
#include <deque>
#include <functional>

namespace ns3::aidc
{

/// The timers of both connections of a session (RFC 4271, section 8.1.3).
class BgpPeerTimers
{
  public:
    /// Constructor.
    explicit BgpPeerTimers(const std::function<void(BgpConnection, BgpSessionEvent)>& expire)
    {
        for (const auto connection : {BgpConnection::OUTGOING, BgpConnection::INCOMING})
        {
            for (uint32_t timer = 0; timer < N_TIMERS; ++timer)
            {
                const auto event = GetBgpExpiryEvent(static_cast<BgpSessionTimer>(timer));
                m_timers.emplace_back([expire, connection, event] { expire(connection, event); });
            }
        }
    }

    /// @return the timer
    DeadlineTimer& Get(BgpConnection which, BgpSessionTimer timer)
    {
        return m_timers[static_cast<uint32_t>(which) * N_TIMERS + static_cast<uint32_t>(timer)];
    }

    /// Stop all timers, and cancel their events.
    void Cancel()
    {
        for (DeadlineTimer& timer : m_timers)
        {
            timer.Cancel();
        }
    }

  private:
    /// The number of timers of a connection.
    static constexpr auto N_TIMERS = static_cast<uint32_t>(BgpSessionTimer::N_TIMERS);

    std::deque<DeadlineTimer> m_timers; //!< by connection and timer; they stay where they are
};

} // namespace ns3::aidc

#endif // AIDC_BGP_PEER_TIMERS_H
