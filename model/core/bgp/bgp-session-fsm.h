// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_SESSION_FSM_H
#define AIDC_BGP_SESSION_FSM_H

#include "bgp-message.h"
#include "bgp-open.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

/// @file
/// The state machine of a connection to a peer (RFC 4271, section 8), without time and sockets: it
/// handles events and returns the actions to perform.
///
/// Differences from RFC 4271, section 8.2.2:
///
/// - After an error, the machine restarts automatically when the idle hold timer has expired. This
///   time is always the same: DampPeerOscillations is off.
/// - An unexpected message has the subcode and data of RFC 6608.
/// - An error of a message's header has the NOTIFICATION of section 6.1 in Established, too.
/// - In Idle, no timer but the idle hold timer runs.
/// - A passive machine has no connect retry timer, so that it never makes a connection.
/// - The optional session attribute DelayOpen is not supported: OPEN is sent at once.

namespace ns3::aidc
{

/// The settings of a session. Times are in milliseconds, except for the OPEN's hold time.
struct BgpSessionSettings
{
    BgpOpen open;                      //!< the speaker's; its hold time is 0, or 3 s at least
    uint32_t peerAs{0};                //!< the AS that the peer must have, 0: any
    uint32_t connectRetryTime{120000}; //!< between attempts
    uint32_t openHoldTime{240000};     //!< the hold time until OPEN has arrived
    uint32_t keepaliveTime{0};   //!< between KEEPALIVEs; 0, or longer: a third of the hold time
    uint32_t idleHoldTime{5000}; //!< between an error and the next start
    bool isPassive{false};       //!< only the peer makes connections
    bool restarts{true};         //!< restarts after an error
};

/// The states (RFC 4271, section 8.2.2).
enum class BgpSessionState : uint8_t
{
    IDLE,         //!< no connection is wanted or accepted
    CONNECT,      //!< a connection is being made
    ACTIVE,       //!< waits for the peer's connection, or for the next attempt
    OPEN_SENT,    //!< waits for the peer's OPEN
    OPEN_CONFIRM, //!< waits for KEEPALIVE or NOTIFICATION
    ESTABLISHED   //!< routes are exchanged
};

/// The events, with the numbers of RFC 4271, section 8.1.
///
/// The machine itself decides whether an OPEN is event 19 or 20, and a NOTIFICATION 24 or 25.
enum class BgpSessionEvent : uint8_t
{
    MANUAL_START = 1,             //!< the user wants the session
    MANUAL_STOP = 2,              //!< the user stops it; the input has the NOTIFICATION
    AUTOMATIC_START = 3,          //!< the program wants the session
    AUTOMATIC_STOP = 8,           //!< the program stops it for now; the input has the NOTIFICATION
    CONNECT_RETRY_EXPIRED = 9,    //!< the timer has expired
    HOLD_EXPIRED = 10,            //!< the timer has expired
    KEEPALIVE_EXPIRED = 11,       //!< the timer has expired
    IDLE_HOLD_EXPIRED = 13,       //!< the timer has expired
    TCP_ACKNOWLEDGED = 16,        //!< the speaker's attempt has made a connection
    TCP_CONFIRMED = 17,           //!< the peer's attempt has made a connection
    TCP_FAILED = 18,              //!< an attempt has failed, or the connection is closed or broken
    OPEN_RECEIVED = 19,           //!< the input has the OPEN, which is well-formed
    HEADER_ERROR = 21,            //!< in any message; the input has the NOTIFICATION
    OPEN_ERROR = 22,              //!< the input has the NOTIFICATION
    COLLISION_DUMP = 23,          //!< another connection of this peer is kept
    NOTIFICATION_RECEIVED = 25,   //!< the input has the NOTIFICATION
    KEEPALIVE_RECEIVED = 26,      //!< a KEEPALIVE
    UPDATE_RECEIVED = 27,         //!< an UPDATE that resets nothing (RFC 7606)
    UPDATE_ERROR = 28,            //!< the input has the NOTIFICATION
    SEND_HOLD_EXPIRED = 29,       //!< the peer takes no bytes (RFC 9687); the caller has the timer
    ROUTE_REFRESH_RECEIVED = 100, //!< a ROUTE-REFRESH; no number in RFC 4271
    UPDATE_SENT = 101,            //!< the caller has sent an UPDATE; no number in RFC 4271
    REPLACED = 102 //!< the peer has restarted and opens another connection (RFC 4724, section 5)
};

/// An event, and its data.
struct BgpSessionInput
{
    BgpSessionEvent event{BgpSessionEvent::MANUAL_START}; //!< the event
    const BgpOpen* open{nullptr};                         //!< of OPEN_RECEIVED; never null there
    BgpNotification notification; //!< received, or sent because of the event
};

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
    SEND_OPEN,         //!< send the speaker's OPEN
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

/// The state machine of a connection.
///
/// The caller performs all actions at once, in their order. It reports an expired timer only if the
/// timer has not been stopped.
class BgpSessionFsm
{
  public:
    /// Constructor. @param settings the settings, which machines may share
    /// @throws std::invalid_argument if the hold time is 1 or 2 s
    explicit BgpSessionFsm(std::shared_ptr<const BgpSessionSettings> settings);

    /// Handle an event. actions: the actions to perform are appended.
    void Handle(const BgpSessionInput& input, BgpSessionActions& actions);

    /// Start the idle hold timer in Idle, if it does not run yet.
    /// @param [in,out] actions the actions to perform are appended
    void HoldIdle(BgpSessionActions& actions);

    /// @return the state
    BgpSessionState GetState() const
    {
        return m_state;
    }

    /// Tell whether a timer runs. @return whether it does
    bool IsRunning(BgpSessionTimer timer) const
    {
        return (m_timers >> static_cast<uint8_t>(timer) & 1) != 0;
    }

    /// @return the hold time agreed on in seconds, 0: none; valid from OpenConfirm on
    uint16_t GetHoldTime() const
    {
        return m_holdTime;
    }

    /// @return the peer's BGP identifier, valid from OpenConfirm on
    uint32_t GetPeerIdentifier() const
    {
        return m_peerIdentifier;
    }

    /// @return the peer's AS, valid from OpenConfirm on
    uint32_t GetPeerAs() const
    {
        return m_peerAs;
    }

    /// @return the negotiated terms, valid from OpenConfirm on
    const BgpSessionTerms& GetTerms() const
    {
        return m_terms;
    }

    /// @return the settings
    const BgpSessionSettings& GetSettings() const
    {
        return *m_settings;
    }

  private:
    using Event = BgpSessionEvent; //!< an event
    using State = BgpSessionState; //!< a state
    using Timer = BgpSessionTimer; //!< a timer

    void HandleIdle(Event event);

    /// Handle an event in Connect or Active. @param event the event
    void HandleBeforeOpen(Event event);

    void HandleOpenSent(const BgpSessionInput& input);

    void HandleOpenConfirm(const BgpSessionInput& input);

    void HandleEstablished(const BgpSessionInput& input);

    /// Handle an event with one effect from OpenSent on. @return false if it has another effect
    bool HandleAfterOpen(const BgpSessionInput& input);

    /// Handle an event with one effect from OpenConfirm on. @return false if it has another effect
    bool HandleAfterConfirm(const BgpSessionInput& input);

    /// Check the peer's OPEN, and negotiate the terms. @return the NOTIFICATION if it is refused
    std::optional<BgpNotification> TakeOpen(const BgpOpen& open);

    /// There is a connection: send OPEN, and wait for the peer's.
    void SendOpen();

    /// Answer the peer's OPEN by a KEEPALIVE, and wait for the peer's KEEPALIVE.
    void Confirm();

    /// Restart the connect retry timer, unless only the peer makes connections.
    void RestartConnectRetry();

    /// Restart the hold timer, unless the hold time is 0.
    void RestartHold();

    /// Restart the keepalive timer, unless the hold time is 0.
    void RestartKeepalive();

    /// Send a NOTIFICATION, which decides about the peer's routes. @param notification its contents
    void Notify(BgpNotification notification);

    /// Send a NOTIFICATION, and end. @param notification its contents
    void Fail(BgpNotification notification);

    /// End because of a message or an event that does not fit the state. @param event the event
    void FailByEvent(Event event);

    /// Close the connection and go to Idle, to restart after the idle hold time.
    void End();

    /// Close the connection, stop all timers and go to Idle, to stay there.
    void Stop();

    void Connect();

    /// Append an action. @return the action, to be completed
    BgpSessionAction& Do(BgpSessionActionType type);

    /// Start a timer. milliseconds: how long; isJittered: whether a factor is drawn.
    void StartTimer(BgpSessionTimer timer, uint32_t milliseconds, bool isJittered);

    void StopTimer(BgpSessionTimer timer);

    /// Note that a timer does not run any more. @param timer the timer
    void Expire(BgpSessionTimer timer);

    std::shared_ptr<const BgpSessionSettings> m_settings; //!< the settings
    BgpSessionActions* m_actions{nullptr}; //!< actions of the event that is being handled
    uint8_t m_timers{0};                   //!< a bit for each timer that runs
    State m_state{State::IDLE};            //!< the state
    bool m_isOpen{false};                  //!< there is a connection or an attempt, to be closed
    bool m_retains{false};                 //!< if the event ends the session, routes become stale
    uint16_t m_holdTime{0};                //!< agreed on, seconds
    uint32_t m_peerIdentifier{0};          //!< of the peer's OPEN
    uint32_t m_peerAs{0};                  //!< of the peer's OPEN
    BgpSessionTerms m_terms;               //!< agreed on
};

/// Get the event of a timer's expiry.
/// @param timer the timer
/// @return the event
BgpSessionEvent GetBgpExpiryEvent(BgpSessionTimer timer);

/// Get the name of a state.
/// @param state the state
/// @return its name as in RFC 4271
const char* GetBgpSessionStateName(BgpSessionState state);

} // namespace ns3::aidc

#endif // AIDC_BGP_SESSION_FSM_H
