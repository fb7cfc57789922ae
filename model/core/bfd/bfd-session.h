/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BFD_SESSION_H
#define AIDC_BFD_SESSION_H

#include "bfd-packet.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * @brief A session of BFD in asynchronous mode (RFC 5880), without time and sockets: it handles
 *        events and returns the actions to perform.
 *
 * Not supported: echo, demand mode of its own, authentication. A neighbor's demand mode is obeyed.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief Kinds of actions.
enum class BfdActionType : uint8_t
{
    SEND,             //!< send a packet
    SET_TRANSMISSION, //!< set the transmission timer
    SET_DETECTION,    //!< set the detection timer
    CHANGE_STATE      //!< report that the state has changed
};

/// @ingroup aidc
/// @brief An action to perform.
struct BfdAction
{
    BfdActionType type{BfdActionType::SEND}; //!< the kind of action
    BfdPacket packet{};                      //!< of SEND

    /// Of SEND: intervals between periodic packets begin with it.
    bool isPeriodic{false};

    /// Of the timers, us; 0: stop the timer. The transmission timer expires when this time, with
    /// jitter, has passed since the last periodic packet; the detection timer, when this has passed
    /// since the last packet that Receive() has accepted.
    uint64_t microseconds{0};

    BfdState before{BfdState::DOWN}; //!< of CHANGE_STATE: the state before
};

/// Actions, in the order in which they are done.
using BfdActions = std::vector<BfdAction>;

/// The least DesiredMinTxInterval of a session that is not Up, us (RFC 5880, section 6.8.3).
constexpr uint32_t BFD_SLOW_INTERVAL = 1000000;
/// The smallest factor of an interval with jitter (RFC 5880, section 6.8.7).
constexpr double BFD_MIN_JITTER = 0.75;

/// @ingroup aidc
/// @brief Get the largest factor of an interval with jitter (RFC 5880, section 6.8.7).
/// @param detectMultiplier the sender's detection multiplier
/// @return 0.9 if it is 1, so that no packet comes after the detection time; otherwise 1
constexpr double
GetBfdMaxJitter(uint8_t detectMultiplier)
{
    return detectMultiplier == 1 ? 0.9 : 1;
}

/// @ingroup aidc
/// @brief What the user sets of a session.
struct BfdSessionSettings
{
    uint32_t desiredMinTx{50000};  //!< least time between own packets while Up, us; not 0
    uint32_t requiredMinRx{50000}; //!< least time between packets that it takes, us; 0: none
    uint8_t detectMultiplier{3};   //!< of the neighbor's detection time; not 0
    bool isPassive{false};         //!< it sends nothing until a packet comes (section 6.1)
};

/// @ingroup aidc
/// @brief A session with one neighbor.
class BfdSession
{
  public:
    /// Constructor of a session in Down, which sends nothing before Start().
    /// @param settings the settings
    /// @param discriminator the own discriminator, not 0
    /// @throws std::invalid_argument if a setting or the discriminator is 0 that must not be
    BfdSession(const BfdSessionSettings& settings, uint32_t discriminator);

    /// Start to send. @param [in,out] actions the actions to perform are appended
    void Start(BfdActions& actions);

    /**
     * @brief Handle a packet that has passed DecodeBfdPacket() and is of this session.
     * @param packet the packet
     * @param [in,out] actions the actions to perform are appended
     * @return NONE if it was accepted; AUTHENTICATED; or ADMIN_DOWN
     */
    BfdDiscard Receive(const BfdPacket& packet, BfdActions& actions);

    /// Handle the end of the detection time. @param [in,out] actions actions are appended
    void ExpireDetection(BfdActions& actions);

    /// Handle the end of the transmission interval. @param [in,out] actions actions are appended
    void ExpireTransmission(BfdActions& actions);

    /// Take the session down or let it come up again (section 6.8.16).
    /// @param isAdminDown whether it goes down
    /// @param [in,out] actions the actions to perform are appended
    void SetAdminDown(bool isAdminDown, BfdActions& actions);

    /// Change the settings (sections 6.8.3 and 6.8.4): while Up, by a poll sequence.
    /// @param settings the settings
    /// @param [in,out] actions the actions to perform are appended
    /// @throws std::invalid_argument as the constructor
    void SetSettings(const BfdSessionSettings& settings, BfdActions& actions);

    /// @return the state
    BfdState GetState() const
    {
        return m_state;
    }

    /// @return why the state has changed last
    BfdDiagnostic GetDiagnostic() const
    {
        return m_diagnostic;
    }

    /// @return the state of the neighbor as its last packet told; Down before
    BfdState GetRemoteState() const
    {
        return m_remote.state;
    }

    /// @return the own discriminator
    uint32_t GetDiscriminator() const
    {
        return m_discriminator;
    }

    /// @return the discriminator of the neighbor, 0 if it is not known
    uint32_t GetRemoteDiscriminator() const
    {
        return m_remoteDiscriminator;
    }

    /// @return the settings
    const BfdSessionSettings& GetSettings() const
    {
        return m_settings;
    }

    /// @return whether a poll sequence is under way
    bool IsPolling() const
    {
        return m_isPolling;
    }

    /**
     * @brief Tell whether the path to the neighbor has failed (RFC 5882, section 3.2).
     * @return true once the session has gone from Up to Down, until it is Up again or one of both
     *         sides is administratively down. A session that has never been Up tells nothing.
     */
    bool HasFailed() const
    {
        return m_hasFailed;
    }

    /// Get the transmission interval (sections 6.8.2 and 6.8.7).
    /// @return the time between periodic packets without jitter, us; 0 if there are none
    uint64_t GetTransmissionInterval() const;

    /// Get the detection time (section 6.8.4).
    /// @return the time without packets after which the session is Down, us; 0 before a packet
    uint64_t GetDetectionTime() const;

  private:
    /// @return the DesiredMinTxInterval that is told in the present state, us
    uint32_t GetDesiredMinTx() const;

    void ChangeState(BfdState state, BfdActions& actions);

    /// Change the state as a packet asks for (section 6.8.6). @param [in,out] actions are appended
    void Follow(BfdActions& actions);

    /// Use the own intervals that are told.
    void UseIntervals();

    BfdPacket MakePacket() const;

    /// Send a packet at once, from which on intervals are measured, unless a passive session must
    /// not. @param [in,out] actions the actions to perform are appended
    void SendNow(BfdActions& actions);

    /// Set timers whose times have changed. @param [in,out] actions actions are appended
    void UpdateTimers(BfdActions& actions);

    BfdSessionSettings m_settings;                   //!< what the user has set
    uint32_t m_discriminator;                        //!< the own one
    BfdState m_state{BfdState::DOWN};                //!< the state
    BfdDiagnostic m_diagnostic{BfdDiagnostic::NONE}; //!< of the last change for the worse
    bool m_isStarted{false};                         //!< packets are sent
    bool m_hasFailed{false};                         //!< HasFailed()
    bool m_isPolling{false};                         //!< a poll sequence is under way
    bool m_pollsAgain{false};                        //!< another one follows
    uint32_t m_desiredMinTxInUse;                    //!< for the transmission interval, us
    uint32_t m_requiredMinRxInUse;                   //!< for the detection time, us
    BfdPacket m_remote;                              //!< the neighbor's last packet
    uint32_t m_remoteDiscriminator{0};               //!< the neighbor's, 0: not known
    bool m_isDetecting{false};                       //!< the detection timer runs
    uint64_t m_transmissionInterval{0};              //!< as the timer was set, us
    uint64_t m_detectionTime{0};                     //!< as the timer was set, us
};

} // namespace ns3::aidc

#endif // AIDC_BFD_SESSION_H
