/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_JUMP_START_H
#define AIDC_JUMP_START_H

#include <algorithm>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Jump start: a connection that begins takes the bandwidth that the path has left.
 *
 * Section 8.1.3 of draft-ravi-ippm-csig-01. The first min(ABW) says how much that is. A connection
 * that was idle for long is like one that begins.
 */
class JumpStart
{
  public:
    /// @param isOn whether there is jump start at all
    /// @param idleTime after how long without a packet the connection begins anew, in ns; 0 is
    ///        never
    void Start(bool isOn, int64_t idleTime)
    {
        *this = JumpStart();
        m_isArmed = isOn;
        m_idleTime = isOn ? idleTime : 0;
    }

    /// @return whether a connection may begin anew, so that NotifySent() does anything
    bool WatchesIdleTime() const
    {
        return m_idleTime > 0;
    }

    /// @param now the time in ns
    /// @return whether the connection begins anew with it
    bool NotifySent(int64_t now)
    {
        if (m_idleTime == 0)
        {
            return false;
        }
        const bool isAnew = m_hasSent && now - m_lastSent >= m_idleTime;
        m_hasSent = true;
        m_lastSent = now;
        m_isArmed = m_isArmed || isAnew;
        return isAnew;
    }

    /// Take note of min(ABW).
    /// @param available the bandwidth that the path has at least, in bit/s
    /// @param lineRate the rate of the port, in bit/s
    /// @param rtt the round-trip time of the idle path, in ns; if it is 0, a later value is awaited
    /// @return the window of that bandwidth in bytes, 0 if the connection does not jump
    double NotifyAvailable(uint64_t available, uint64_t lineRate, int64_t rtt)
    {
        if (!m_isArmed || rtt <= 0)
        {
            return 0;
        }
        m_isArmed = false;
        return static_cast<double>(std::min(available, lineRate)) * static_cast<double>(rtt) / 8e9;
    }

  private:
    int64_t m_idleTime{0}; //!< after which idle time the connection begins anew, 0 for never
    int64_t m_lastSent{0}; //!< time of the last packet
    bool m_hasSent{false}; //!< whether there was one
    bool m_isArmed{false}; //!< whether the next min(ABW) is the first
};

} // namespace ns3::aidc

#endif // AIDC_JUMP_START_H
