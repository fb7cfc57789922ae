/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_SESSION_ACTION_H
#define AIDC_BGP_SESSION_ACTION_H

#include "bgp-notification.h"

#include <cstdint>
#include <vector>

/// @file
/// The actions and timers of the state machine of a connection.

namespace ns3::aidc
{

/// The smallest factor of a timer with jitter; the largest is 1 (RFC 4271, section 10).
constexpr double BGP_MIN_JITTER = 0.75;

/// The timers (RFC 4271, section 8). Each runs or does not.
enum class BgpSessionTimer : uint8_t
{
    CONNECT_RETRY, //!< until the next attempt to connect
    HOLD,          //!< until the peer counts as dead
    KEEPALIVE,     //!< until the next KEEPALIVE
    IDLE_HOLD,     //!< until the machine restarts after an error
    N_TIMERS       //!< how many there are
};

/// Kinds of actions.
enum class BgpSessionActionType : uint8_t
{
    CONNECT,           //!< begin to make a connection
    CLOSE,             //!< close the connection, or give up the attempt
    SEND_OPEN,         //!< send the own OPEN
    SEND_KEEPALIVE,    //!< send a KEEPALIVE
    SEND_NOTIFICATION, //!< send a NOTIFICATION
    START_TIMER,       //!< start a timer, from the beginning if it runs
    STOP_TIMER,        //!< stop a timer that runs
    SESSION_UP,        //!< routes can be exchanged
    SESSION_DOWN       //!< all routes of the peer are gone, or become stale
};

/// An action to perform.
struct BgpSessionAction
{
    BgpSessionActionType type{BgpSessionActionType::CONNECT}; //!< the kind of action
    BgpSessionTimer timer{BgpSessionTimer::N_TIMERS};         //!< of START and STOP_TIMER
    uint32_t milliseconds{0};                                 //!< of START_TIMER
    bool isJittered{false};       //!< a factor of BGP_MIN_JITTER to 1 has to be drawn for the timer
    bool retainsRoutes{false};    //!< of SESSION_DOWN: the peer's routes become stale (RFC 4724)
    BgpNotification notification; //!< of SEND_NOTIFICATION
};

/// Actions, in the order in which they are done.
using BgpSessionActions = std::vector<BgpSessionAction>;

/// Writes the actions of a state machine, and knows which of its timers run.
class BgpSessionActionWriter
{
  public:
    /// Set the list of actions.
    /// @param actions the list to append to while an event is handled; null: none
    void SetActions(BgpSessionActions* actions)
    {
        m_actions = actions;
    }

    /// Append an action. @param type its kind
    void Do(BgpSessionActionType type);

    /// Append the end of the session. @param retainsRoutes whether the peer's routes become stale
    void EndSession(bool retainsRoutes);

    /// Append a NOTIFICATION. @param notification its contents
    void Notify(BgpNotification notification);

    /// Start a timer. milliseconds: how long; isJittered: whether a factor is drawn.
    void StartTimer(BgpSessionTimer timer, uint32_t milliseconds, bool isJittered);

    /// Stop a timer if it runs. @param timer the timer
    void StopTimer(BgpSessionTimer timer);

    /// Stop all timers that run.
    void StopTimers();

    /// Note that a timer has expired, so that it does not run any more. @param timer the timer
    void Expire(BgpSessionTimer timer)
    {
        m_timers &= static_cast<uint8_t>(~(1U << static_cast<uint8_t>(timer)));
    }

    /// Tell whether a timer runs. @return whether it does
    bool IsRunning(BgpSessionTimer timer) const
    {
        return (m_timers >> static_cast<uint8_t>(timer) & 1) != 0;
    }

  private:
    BgpSessionActions* m_actions{nullptr}; //!< actions of the event that is being handled
    uint8_t m_timers{0};                   //!< a bit for each timer that runs
};

} // namespace ns3::aidc

#endif // AIDC_BGP_SESSION_ACTION_H
