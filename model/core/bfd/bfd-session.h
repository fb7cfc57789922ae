// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BFD_SESSION_H
#define AIDC_BFD_SESSION_H

#include "bfd-packet.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

/// @file
/// A session of BFD in asynchronous mode (RFC 5880), without time and sockets: it handles events
/// and returns the actions to perform.
///
/// Not supported: echo, demand mode of its own, authentication. A neighbor's demand mode is obeyed.

namespace ns3::aidc
{

/// Kinds of actions.
enum class BfdActionType : uint8_t
{
    SEND,             //!< send a packet
    SET_TRANSMISSION, //!< set the transmission timer
    SET_DETECTION,    //!< set the detection timer
    CHANGE_STATE      //!< report that the state has changed
};

/// An action to perform.
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

/// @return the largest factor of an interval with jitter (RFC 5880, section 6.8.7): 0.9 if the
///         sender's multiplier is 1, so that no packet comes after the detection time; otherwise 1
constexpr double
GetBfdMaxJitter(uint8_t detectMultiplier)
{
    return detectMultiplier == 1 ? 0.9 : 1;
}

/// The settings of a session.
struct BfdSessionSettings
{
    uint32_t desiredMinTx{50000};  //!< least time between own packets while Up, us; not 0
    uint32_t requiredMinRx{50000}; //!< least time between packets that it takes, us; 0: none
    uint8_t detectMultiplier{3};   //!< of the neighbor's detection time; not 0
    bool isPassive{false};         //!< it sends nothing until a packet comes (section 6.1)
};

/// A session with one neighbor.
class BfdSession
{
  public:
    /// Constructor of a session in Down, which sends nothing before Start(). discriminator: its
    /// own, not 0. All functions append the actions to perform to their lists.
    /// @throws std::invalid_argument if the discriminator or a setting is 0 but must not be
    BfdSession(const BfdSessionSettings& settings, uint32_t discriminator);

    /// Start to send.
    void Start(BfdActions& actions);

    /// Handle a packet that has passed DecodeBfdPacket() and is of this session. @return NONE if it
    /// was accepted; AUTHENTICATED; or ADMIN_DOWN
    BfdDiscard Receive(const BfdPacket& packet, BfdActions& actions);

    /// Handle the end of the detection time.
    void ExpireDetection(BfdActions& actions);

    /// Handle the end of the transmission interval.
    void ExpireTransmission(BfdActions& actions);

    /// Take the session down or let it come up again (section 6.8.16).
    void SetAdminDown(bool isAdminDown, BfdActions& actions);

    /// Change the settings (sections 6.8.3 and 6.8.4): while Up, by a poll sequence.
    /// @throws std::invalid_argument as the constructor
    void SetSettings(const BfdSessionSettings& settings, BfdActions& actions);

    /// @return the state
    BfdState GetState() const
    {
        return m_state;
    }

    /// @return why the state last changed
    BfdDiagnostic GetDiagnostic() const
    {
        return m_diagnostic;
    }

    /// @return the state of the neighbor as its last packet told; Down before
    BfdState GetRemoteState() const
    {
        return m_remote.state;
    }

    /// @return its own discriminator
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

    /// @return whether the path to the neighbor has failed (RFC 5882, section 3.2): true once the
    ///         session has gone from Up to Down, until it is Up again or either side is
    ///         administratively down; a session that has never been Up tells nothing
    bool HasFailed() const
    {
        return m_hasFailed;
    }

    /// @return the time between periodic packets without jitter (sections 6.8.2 and 6.8.7), us; 0
    ///         if there are none
    uint64_t GetTransmissionInterval() const;

    /// @return the time without packets after which the session is Down (section 6.8.4), us; 0
    ///         before a packet
    uint64_t GetDetectionTime() const;

  private:
    /// @return the DesiredMinTxInterval that is told in the present state, us
    uint32_t GetDesiredMinTx() const;

    void ChangeState(BfdState state, BfdActions& actions);

    /// Change the state as a packet asks for (section 6.8.6).
    void Follow(BfdActions& actions);

    /// Use the intervals that this session tells the neighbor.
    void UseIntervals();

    BfdPacket MakePacket() const;

    /// Send a packet and measure intervals from here, unless a passive session must not.
    void SendNow(BfdActions& actions);

    void UpdateTimers(BfdActions& actions);

    BfdSessionSettings m_settings;                   //!< as the user has set them
    uint32_t m_discriminator;                        //!< its own
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

/// Finds the session of a packet (RFC 5880, section 6.8.6; RFC 5881, section 3).
///
/// Sessions have numbers from 0 on, in the order in which they are added; their discriminators are
/// the numbers plus 1.
class BfdSessionTable
{
  public:
    /// Add a session. interface: the interface to the neighbor; address: the neighbor's address.
    /// @throws std::invalid_argument if there is one with this neighbor at this interface
    uint32_t Add(uint32_t interface, uint32_t address);

    /// @return the discriminator of a session
    static uint32_t GetDiscriminator(uint32_t number)
    {
        return number + 1;
    }

    /// Find a session by its neighbor. number: its number, unchanged if there is none.
    /// @return whether there is one
    bool Find(uint32_t interface, uint32_t address, uint32_t& number) const;

    /// Find the session of a packet, which has arrived on an interface. number: its number,
    /// unchanged if the packet is to be discarded. @return NONE, UNKNOWN_SESSION, NOT_DOWN or
    /// UNKNOWN_NEIGHBOR; sessions are never created
    BfdDiscard Select(const BfdPacket& packet,
                      uint32_t interface,
                      uint32_t source,
                      uint32_t& number) const;

  private:
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_numbers; //!< by interface and address
};

} // namespace ns3::aidc

#endif // AIDC_BFD_SESSION_H
