// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_JUMP_START_H
#define AIDC_JUMP_START_H

#include <algorithm>
#include <cstdint>

namespace ns3::aidc
{

/// Jump start: a new connection takes the bandwidth that the path has left (section 8.1.3 of
/// draft-ravi-ippm-csig-01).
///
/// The first min(ABW) gives this bandwidth. A connection that was idle for a long time starts over
/// like a new one.
class JumpStart
{
  public:
    /// @param isOn whether the connection jumps at all
    /// @param idleTime the time without a packet after which the connection starts over, in ns; 0
    ///        for never
    void Start(bool isOn, int64_t idleTime)
    {
        *this = JumpStart();
        m_isArmed = isOn;
        m_idleTime = isOn ? idleTime : 0;
    }

    /// @return whether a connection may start over; if not, NotifySent() does nothing
    bool WatchesIdleTime() const
    {
        return m_idleTime > 0;
    }

    /// @param now the time in ns @return whether the connection starts over with this packet
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

    /// Note min(ABW).
    /// @param available the least bandwidth that the path has available, in bit/s
    /// @param lineRate the rate of the port, in bit/s
    /// @param rtt the round-trip time of the idle path, in ns; if 0, the jump waits for a later one
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
    int64_t m_idleTime{0}; //!< idle time after which the connection starts over, ns; 0 for never
    int64_t m_lastSent{0}; //!< time of the last packet
    bool m_hasSent{false}; //!< whether there was one
    bool m_isArmed{false}; //!< whether the next min(ABW) is the first
};

} // namespace ns3::aidc

#endif // AIDC_JUMP_START_H
