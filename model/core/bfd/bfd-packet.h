// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BFD_PACKET_H
#define AIDC_BFD_PACKET_H

#include <array>
#include <cstddef>
#include <cstdint>

/// @file
/// The control packet of BFD (RFC 5880, section 4.1), and why packets are discarded.

namespace ns3::aidc
{

/// The UDP port of control packets (RFC 5881, section 4).
constexpr uint16_t BFD_PORT = 3784;
/// The smallest source port of control packets (RFC 5881, section 4).
constexpr uint16_t BFD_MIN_SOURCE_PORT = 49152;
/// The time to live of control packets, sent and received (RFC 5881, section 5).
constexpr uint8_t BFD_TTL = 255;
/// The bytes of a control packet without an authentication section.
constexpr std::size_t BFD_PACKET_SIZE = 24;
/// The least length of a control packet with an authentication section.
constexpr std::size_t BFD_MIN_AUTHENTICATED_SIZE = 26;

/// The state of a session; as on the wire.
enum class BfdState : uint8_t
{
    ADMIN_DOWN = 0, //!< the user has taken it down
    DOWN = 1,       //!< nothing is known of the other side
    INIT = 2,       //!< packets arrive, but the other side may not get ours
    UP = 3          //!< packets arrive at both sides
};

/// Why a session last changed its state; as on the wire.
enum class BfdDiagnostic : uint8_t
{
    NONE = 0,                      //!< no reason
    DETECTION_TIME_EXPIRED = 1,    //!< no packet has come for too long
    ECHO_FAILED = 2,               //!< not used, as echo is not offered
    NEIGHBOR_SIGNALED_DOWN = 3,    //!< the other side is down
    FORWARDING_PLANE_RESET = 4,    //!< not used
    PATH_DOWN = 5,                 //!< not used
    CONCATENATED_PATH_DOWN = 6,    //!< not used
    ADMINISTRATIVELY_DOWN = 7,     //!< the user has taken it down
    REVERSE_CONCATENATED_DOWN = 8, //!< not used
    N_DIAGNOSTICS = 9              //!< how many there are; larger numbers are reserved
};

/// @return the name of a state, as in RFC 5880
const char* GetBfdStateName(BfdState state);

/// Why a packet is discarded, in the order of the checks (RFC 5880, section 6.8.6).
enum class BfdDiscard : uint8_t
{
    NONE,             //!< it is not
    WRONG_TTL,        //!< from more than one hop away (RFC 5881, section 5); the caller's check
    WRONG_VERSION,    //!< not version 1
    TOO_SHORT,        //!< its length is below the least one
    TRUNCATED,        //!< its length is beyond the end of the datagram
    NO_MULTIPLIER,    //!< its detection multiplier is 0
    MULTIPOINT,       //!< its bit Multipoint is set
    NO_DISCRIMINATOR, //!< the sender's discriminator is 0
    UNKNOWN_SESSION,  //!< there is no session of the receiver's discriminator
    NOT_DOWN,         //!< it has no receiver's discriminator although the sender is in Init or Up
    UNKNOWN_NEIGHBOR, //!< it has none, and there is no session with its source
    AUTHENTICATED,    //!< it has an authentication section, which no session has
    ADMIN_DOWN,       //!< the session is administratively down
    N_DISCARDS        //!< how many there are
};

/// @return the name of a reason, in words
const char* GetBfdDiscardName(BfdDiscard discard);

/// A control packet without the contents of an authentication section.
struct BfdPacket
{
    uint8_t diagnostic{0};                 //!< a BfdDiagnostic, or any number below 32
    BfdState state{BfdState::ADMIN_DOWN};  //!< of the sender
    bool isPoll{false};                    //!< the sender asks for a packet with isFinal
    bool isFinal{false};                   //!< answers a packet with isPoll
    bool isControlPlaneIndependent{false}; //!< the sender's BFD survives its control plane
    bool isAuthenticated{false};           //!< there is an authentication section
    bool isDemand{false};                  //!< the sender wants no periodic packets while Up
    uint8_t detectMultiplier{0};           //!< packets that may be lost, plus 1
    uint32_t myDiscriminator{0};           //!< of the sender's session
    uint32_t yourDiscriminator{0};         //!< of the receiver's session, 0 if not known
    uint32_t desiredMinTx{0};              //!< least time between the sender's packets, us
    uint32_t requiredMinRx{0};             //!< least time between packets that it takes, us
    uint32_t requiredMinEchoRx{0};         //!< the same of echo packets, us; 0: it takes none
};

/// @return whether two packets are equal in all members
bool operator==(const BfdPacket& a, const BfdPacket& b);

/// Write a packet, with the lower five bits of its diagnostic and no authentication section.
/// @return the payload of the UDP datagram
std::array<uint8_t, BFD_PACKET_SIZE> EncodeBfdPacket(const BfdPacket& packet);

/// Read a packet, and do those checks of RFC 5880, section 6.8.6, that need no session. data: the
/// payload of a UDP datagram, any bytes; bytes beyond the packet's length are ignored; may be null
/// if there are none; packet: unchanged if it is to be discarded. @return NONE, or one of
/// WRONG_VERSION to NO_DISCRIMINATOR
BfdDiscard DecodeBfdPacket(const uint8_t* data, std::size_t size, BfdPacket& packet);

} // namespace ns3::aidc

#endif // AIDC_BFD_PACKET_H
