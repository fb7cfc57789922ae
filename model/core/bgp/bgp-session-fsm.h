/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_SESSION_FSM_H
#define AIDC_BGP_SESSION_FSM_H

#include "bgp-notification.h"
#include "bgp-open.h"
#include "bgp-session-options.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * @brief The state machine of a connection to a peer (RFC 4271, section 8), without time and
 *        sockets: it is told what happens and says what is to be done.
 *
 * What differs from RFC 4271, section 8.2.2:
 *
 * - After an error, the machine starts again by itself when the idle hold timer has expired, always
 *   after the same time: DampPeerOscillations is off.
 * - An unexpected message has the subcode and data of RFC 6608.
 * - An error of a message's header has the NOTIFICATION of section 6.1 in Established, too.
 * - In Idle, no timer but the idle hold timer runs.
 * - A passive machine has no connect retry timer, so that it never makes a connection.
 */

namespace ns3::aidc
{

/// The smallest factor of a timer with jitter; the largest is 1 (RFC 4271, section 10).
constexpr double BGP_MIN_JITTER = 0.75;

/**
 * @ingroup aidc
 * @brief The states (RFC 4271, section 8.2.2).
 */
enum class BgpSessionState : uint8_t
{
    IDLE,         //!< no connection is wanted or taken
    CONNECT,      //!< a connection is being made
    ACTIVE,       //!< waits for the peer's connection, or for another attempt
    OPEN_SENT,    //!< waits for the peer's OPEN
    OPEN_CONFIRM, //!< waits for KEEPALIVE or NOTIFICATION
    ESTABLISHED   //!< routes are exchanged
};

/**
 * @ingroup aidc
 * @brief The timers (RFC 4271, section 8). Each runs or does not.
 */
enum class BgpSessionTimer : uint8_t
{
    CONNECT_RETRY, //!< until a connection is tried again
    HOLD,          //!< until the peer counts as dead
    KEEPALIVE,     //!< until the next KEEPALIVE
    DELAY_OPEN,    //!< until OPEN is sent on a connection
    IDLE_HOLD,     //!< until the machine starts again after an error
    N_TIMERS       //!< how many there are
};

/**
 * @ingroup aidc
 * @brief What happens, by the numbers of RFC 4271, section 8.1.
 *
 * The machine finds out by itself whether an OPEN is event 19 or 20, and a NOTIFICATION 24 or 25.
 */
enum class BgpSessionEvent : uint8_t
{
    MANUAL_START = 1,             //!< the user wants the session
    MANUAL_STOP = 2,              //!< the user does not; the input has the NOTIFICATION
    AUTOMATIC_START = 3,          //!< the program wants the session
    AUTOMATIC_STOP = 8,           //!< the program does not for now; the input has the NOTIFICATION
    CONNECT_RETRY_EXPIRED = 9,    //!< the timer has expired
    HOLD_EXPIRED = 10,            //!< the timer has expired
    KEEPALIVE_EXPIRED = 11,       //!< the timer has expired
    DELAY_OPEN_EXPIRED = 12,      //!< the timer has expired
    IDLE_HOLD_EXPIRED = 13,       //!< the timer has expired
    TCP_ACKNOWLEDGED = 16,        //!< the own attempt has made a connection
    TCP_CONFIRMED = 17,           //!< the peer's attempt has
    TCP_FAILED = 18,              //!< an attempt has failed, or the connection is closed or broken
    OPEN_RECEIVED = 19,           //!< the input has the OPEN, which can be decoded
    HEADER_ERROR = 21,            //!< of any message; the input has the NOTIFICATION
    OPEN_ERROR = 22,              //!< the input has the NOTIFICATION
    COLLISION_DUMP = 23,          //!< another connection of this peer is kept
    NOTIFICATION_RECEIVED = 25,   //!< the input has the NOTIFICATION
    KEEPALIVE_RECEIVED = 26,      //!< a KEEPALIVE
    UPDATE_RECEIVED = 27,         //!< an UPDATE that resets nothing (RFC 7606)
    UPDATE_ERROR = 28,            //!< the input has the NOTIFICATION
    SEND_HOLD_EXPIRED = 29,       //!< the peer takes nothing (RFC 9687); the caller has the timer
    ROUTE_REFRESH_RECEIVED = 100, //!< a ROUTE-REFRESH; no number in RFC 4271
    UPDATE_SENT = 101             //!< the caller has sent an UPDATE; no number in RFC 4271
};

/**
 * @ingroup aidc
 * @brief An event, and what belongs to it.
 */
struct BgpSessionInput
{
    BgpSessionEvent event{BgpSessionEvent::MANUAL_START}; //!< what happens
    const BgpOpen* open{nullptr};                         //!< of OPEN_RECEIVED; never null there
    BgpNotification notification; //!< what has come, or what is sent because of the event
};

/**
 * @ingroup aidc
 * @brief Kinds of actions.
 */
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
    SESSION_DOWN       //!< all routes of the peer are gone
};

/**
 * @ingroup aidc
 * @brief What is to be done.
 */
struct BgpSessionAction
{
    BgpSessionActionType type{BgpSessionActionType::CONNECT}; //!< what
    BgpSessionTimer timer{BgpSessionTimer::N_TIMERS};         //!< of START and STOP_TIMER
    uint32_t milliseconds{0};                                 //!< of START_TIMER
    bool isJittered{false};       //!< a factor of BGP_MIN_JITTER to 1 has to be drawn for the timer
    BgpNotification notification; //!< of SEND_NOTIFICATION
};

/// Actions, in the order in which they are done.
using BgpSessionActions = std::vector<BgpSessionAction>;

/**
 * @ingroup aidc
 * @brief What is configured for a session. Times are in milliseconds, but for the OPEN's hold time.
 */
struct BgpSessionSettings
{
    BgpOpen open;                      //!< the own one; its hold time is 0, or 3 s at least
    uint32_t peerAs{0};                //!< the AS that the peer has to be of, 0: any
    uint32_t connectRetryTime{120000}; //!< between attempts
    uint32_t openHoldTime{240000};     //!< the hold time until OPEN has come
    uint32_t keepaliveTime{0};      //!< between KEEPALIVEs; 0, or longer: a third of the hold time
    uint32_t delayOpenTime{0};      //!< how long OPEN waits for the peer's; 0: not at all
    uint32_t idleHoldTime{5000};    //!< between an error and the next start
    bool isPassive{false};          //!< only the peer makes connections
    bool restarts{true};            //!< starts again after an error
    bool notifiesBeforeOpen{false}; //!< RFC 4271: SendNOTIFICATIONwithoutOPEN
};

/**
 * @ingroup aidc
 * @brief The state machine of a connection.
 *
 * The caller does all actions at once, in their order. It reports an expired timer only if the
 * timer has not been stopped.
 */
class BgpSessionFsm
{
  public:
    /**
     * @brief Constructor.
     * @param settings what is configured; machines may share it
     * @throws std::invalid_argument if the hold time is 1 or 2 s
     */
    explicit BgpSessionFsm(std::shared_ptr<const BgpSessionSettings> settings);

    /**
     * @brief Take an event.
     * @param input the event
     * @param [in,out] actions what is to be done is appended
     */
    void Handle(const BgpSessionInput& input, BgpSessionActions& actions);

    /**
     * @brief Start the idle hold timer in Idle, where it does not run yet.
     * @param [in,out] actions what is to be done is appended
     */
    void HoldIdle(BgpSessionActions& actions);

    /**
     * @brief Get the state.
     * @return the state
     */
    BgpSessionState GetState() const
    {
        return m_state;
    }

    /**
     * @brief Say whether a timer runs.
     * @param timer the timer
     * @return whether it does
     */
    bool IsRunning(BgpSessionTimer timer) const
    {
        return (m_timers >> static_cast<uint8_t>(timer) & 1) != 0;
    }

    /**
     * @brief Say whether there is a connection, be it without OPEN.
     * @return whether there is
     */
    bool IsConnected() const
    {
        return m_isConnected;
    }

    /**
     * @brief Get the hold time that both sides have agreed on.
     * @return seconds, 0: none; valid from OpenConfirm on
     */
    uint16_t GetHoldTime() const
    {
        return m_holdTime;
    }

    /**
     * @brief Get the peer's BGP identifier.
     * @return the identifier, valid from OpenConfirm on
     */
    uint32_t GetPeerIdentifier() const
    {
        return m_peerIdentifier;
    }

    /**
     * @brief Get the peer's AS.
     * @return the AS, valid from OpenConfirm on
     */
    uint32_t GetPeerAs() const
    {
        return m_peerAs;
    }

    /**
     * @brief Get what both sides have agreed on.
     * @return the session, valid from OpenConfirm on
     */
    const BgpSessionOptions& GetOptions() const
    {
        return m_options;
    }

    /**
     * @brief Get how often the connection has been lost since the user has started it.
     * @return RFC 4271's ConnectRetryCounter
     */
    uint32_t GetConnectRetryCounter() const
    {
        return m_connectRetryCounter;
    }

    /**
     * @brief Get what is configured.
     * @return the settings
     */
    const BgpSessionSettings& GetSettings() const
    {
        return *m_settings;
    }

  private:
    using Event = BgpSessionEvent; //!< what happens
    using State = BgpSessionState; //!< a state
    using Timer = BgpSessionTimer; //!< a timer

    /**
     * @brief Take an event in Idle.
     * @param event the event
     */
    void HandleIdle(Event event);

    /**
     * @brief Take an event in Connect or Active.
     * @param input the event
     */
    void HandleBeforeOpen(const BgpSessionInput& input);

    /**
     * @brief Take an event in OpenSent.
     * @param input the event
     */
    void HandleOpenSent(const BgpSessionInput& input);

    /**
     * @brief Take an event in OpenConfirm.
     * @param input the event
     */
    void HandleOpenConfirm(const BgpSessionInput& input);

    /**
     * @brief Take an event in Established.
     * @param input the event
     */
    void HandleEstablished(const BgpSessionInput& input);

    /**
     * @brief Take an event that has the same effect in OpenSent and all later states.
     * @param input the event
     * @return false if it has not
     */
    bool HandleAfterOpen(const BgpSessionInput& input);

    /**
     * @brief Take an event that has the same effect in OpenConfirm and Established.
     * @param input the event
     * @return false if it has not
     */
    bool HandleAfterConfirm(const BgpSessionInput& input);

    /**
     * @brief Check the peer's OPEN, and take what both sides agree on.
     * @param open the OPEN
     * @return what is to be sent if it is refused
     */
    std::optional<BgpNotification> TakeOpen(const BgpOpen& open);

    /**
     * @brief There is a connection: send OPEN, or wait for the peer's.
     */
    void BeginConnection();

    /**
     * @brief Send OPEN, and wait for the peer's.
     */
    void SendOpen();

    /**
     * @brief Send KEEPALIVE for the OPEN that has come, and wait for the peer's.
     */
    void Confirm();

    /**
     * @brief Start the connect retry timer again, unless only the peer makes connections.
     */
    void RestartConnectRetry();

    /**
     * @brief Start the hold timer again, unless the hold time is 0.
     */
    void RestartHold();

    /**
     * @brief Start the keepalive timer again, unless the hold time is 0.
     */
    void RestartKeepalive();

    /**
     * @brief Send a NOTIFICATION, and end.
     * @param notification what it says
     */
    void Fail(BgpNotification notification);

    /**
     * @brief End because of a message or an event that does not fit the state.
     * @param event the event
     */
    void FailByEvent(Event event);

    /**
     * @brief Close the connection and go to Idle, to start again after the idle hold time.
     * @param isCounted whether the connect retry counter is incremented
     */
    void End(bool isCounted = true);

    /**
     * @brief Close the connection and go to Idle, to stay there.
     */
    void Stop();

    /**
     * @brief Leave the session, the connection and all timers.
     */
    void Release();

    /**
     * @brief Ask for a connection to be made.
     */
    void Connect();

    /**
     * @brief Append an action.
     * @param type what is to be done
     */
    void Do(BgpSessionActionType type);

    /**
     * @brief Append a NOTIFICATION.
     * @param notification what it says
     */
    void Notify(BgpNotification notification);

    /**
     * @brief Start a timer.
     * @param timer the timer
     * @param milliseconds how long
     * @param isJittered whether a factor is drawn
     */
    void StartTimer(Timer timer, uint32_t milliseconds, bool isJittered);

    /**
     * @brief Stop a timer if it runs.
     * @param timer the timer
     */
    void StopTimer(Timer timer);

    std::shared_ptr<const BgpSessionSettings> m_settings; //!< what is configured
    BgpSessionActions* m_actions{nullptr};                //!< of the event that is being handled
    State m_state{State::IDLE};                           //!< the state
    uint8_t m_timers{0};                                  //!< a bit for each timer that runs
    bool m_isConnected{false};                            //!< there is a connection
    bool m_isConnecting{false};                           //!< an attempt is under way
    uint16_t m_holdTime{0};                               //!< agreed on, seconds
    uint32_t m_peerIdentifier{0};                         //!< of the peer's OPEN
    uint32_t m_peerAs{0};                                 //!< of the peer's OPEN
    uint32_t m_connectRetryCounter{0};                    //!< how often the connection was lost
    BgpSessionOptions m_options;                          //!< agreed on
};

/**
 * @ingroup aidc
 * @brief Get the name of a state.
 * @param state the state
 * @return its name as in RFC 4271
 */
const char* GetBgpSessionStateName(BgpSessionState state);

/**
 * @ingroup aidc
 * @brief Negotiate the hold time (RFC 4271, section 4.2).
 * @param own the own one in seconds
 * @param peer the peer's
 * @return the smaller one, which is 0 if either is
 */
uint16_t NegotiateBgpHoldTime(uint16_t own, uint16_t peer);

} // namespace ns3::aidc

#endif // AIDC_BGP_SESSION_FSM_H
