/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PAUSE_WATCHDOG_H
#define AIDC_PAUSE_WATCHDOG_H

#include "../never.h"

#include <cstdint>

namespace ns3::aidc
{

/// What is seen of an egress queue that a peer can pause.
struct PausedQueueView
{
    bool paused{false};  //!< whether the peer wants it stopped, obeyed or not
    bool waiting{false}; //!< whether it has packets
    uint64_t sent{0};    //!< packets that it has sent so far
};

/// What a PauseWatchdog has found.
enum class PauseWatchdogEvent : uint8_t
{
    NONE,     //!< nothing new
    STORM,    //!< the queue has been stopped for too long: the pause shall not be obeyed any more
    RESTORED, //!< the storm is over: pauses shall be obeyed again
};

/**
 * @brief Tells a queue that is stopped by a storm of pauses or a deadlock, and when that is over.
 *
 * As deployed switches do it, such as SONiC's PFC watchdog:
 *
 *     OPERATIONAL --(paused, has packets, has sent none for the detection time)--> STORMED
 *     STORMED     --(no pause for the restoration time)--------------------------> OPERATIONAL
 *
 * It has no clock: the caller calls Observe when the peer's wish changes, and at the time that
 * GetDeadline gives. A queue that was empty when it was paused is looked at again after a detection
 * time, so that finding it takes up to two of them.
 */
class PauseWatchdog
{
  public:
    /// Set the times. @param detection how long a queue may be stopped, in any unit, > 0
    /// @param restoration how long no pause must have been seen, in the same unit, > 0
    void SetTimes(int64_t detection, int64_t restoration);

    /// Look at the queue. now: the time, which does not go back. @return what has been found
    PauseWatchdogEvent Observe(int64_t now, const PausedQueueView& view);

    /// Get when to look at the queue again, even if nothing changes. @return the time, or NEVER if
    /// there is nothing to wait for
    int64_t GetDeadline() const;

    /// Tell whether the queue is stopped by a storm. @return true from STORM to RESTORED
    bool IsStormed() const
    {
        return m_stormed;
    }

  private:
    int64_t m_detection{1};   //!< how long a queue may be stopped
    int64_t m_restoration{1}; //!< how long no pause must have been seen
    /// Beginning of what would change the state: of being stopped, or of not being paused; or
    /// NEVER.
    int64_t m_since{NEVER};
    uint64_t m_sent{0};    //!< what the queue had sent at the last look
    bool m_waiting{false}; //!< whether it had packets at the last look
    bool m_stormed{false}; //!< the state
};

} // namespace ns3::aidc

#endif // AIDC_PAUSE_WATCHDOG_H
