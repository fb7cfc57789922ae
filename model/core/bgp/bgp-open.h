// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_OPEN_H
#define AIDC_BGP_OPEN_H

#include "bgp-bytes.h"
#include "bgp-message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

/// @file
/// OPEN messages (RFC 4271, section 4.2; RFC 5492; RFC 6793; RFC 9072), and the capability of
/// graceful restart (RFC 4724, section 3; RFC 8538, section 2).
///
/// After the header:
///
///      +0   version, 4
///      +1   AS, 2 bytes; 23456 if it has four octets
///      +3   hold time in seconds, 2 bytes
///      +5   BGP identifier, 4 bytes
///      +9   length of the optional parameters
///      +10  optional parameters: type, length (1 byte), value; type 2 has capabilities
///
/// If there are more than 255 bytes of parameters, 255 stands at +9 and +10 and the true length in
/// two bytes at +11, and each parameter has a length of two bytes (RFC 9072).
///
/// The value of the capability of graceful restart:
///
///      +0   R, N, two reserved bits, restart time in seconds (12 bits)
///      +2   AFI (2 bytes), SAFI, flags; for each family
///
/// R: the speaker has restarted. N: a NOTIFICATION keeps the routes, too. F, the first one of the
/// flags of a family: the forwarding state was kept.

namespace ns3::aidc
{

/// The codes of known capabilities; as on the wire.
enum class BgpCapabilityCode : uint8_t
{
    MULTIPROTOCOL = 1,     //!< RFC 4760
    ROUTE_REFRESH = 2,     //!< RFC 2918
    GRACEFUL_RESTART = 64, //!< RFC 4724
    FOUR_OCTET_AS = 65     //!< RFC 6793
};

/// The longest restart time that can be offered, seconds.
constexpr uint16_t BGP_MAX_RESTART_TIME = 4095;

/// A family of routes that are kept over a restart.
struct BgpRestartFamily
{
    BgpAddressFamily family;      //!< the family
    bool isForwardingKept{false}; //!< F: its forwarding state was kept over the last restart

    /// @return references to all members
    auto Tie() const
    {
        return std::tie(family, isForwardingKept);
    }
};

/// The contents of the capability of graceful restart.
struct BgpGracefulRestart
{
    bool isRestarting{false};               //!< R: the speaker has restarted
    bool keepsOnNotification{false};        //!< N: a NOTIFICATION keeps the routes (RFC 8538)
    uint16_t restartTime{0};                //!< until the session is back, s, less than 4096
    std::vector<BgpRestartFamily> families; //!< each once

    /// Find a family. @return its entry, null if it is not there
    const BgpRestartFamily* Find(const BgpAddressFamily& family) const;

    /// @return references to all members
    auto Tie() const
    {
        return std::tie(isRestarting, keepsOnNotification, restartTime, families);
    }
};

/// @return the value of the capability of graceful restart; reserved bits are 0
BgpBytes EncodeBgpGracefulRestart(const BgpGracefulRestart& restart);

/// Decode the value of the capability of graceful restart. Reserved bits are ignored. If a family
/// is there twice, its last flags count. @return the contents; none if the length is not 2 + 4 n
std::optional<BgpGracefulRestart> DecodeBgpGracefulRestart(BgpReader value);

/// An unknown capability.
struct BgpUnknownCapability
{
    uint8_t code{0}; //!< its code
    BgpBytes value;  //!< its value

    /// @return references to all members
    auto Tie() const
    {
        return std::tie(code, value);
    }
};

/// The capabilities of a speaker.
struct BgpCapabilities
{
    std::vector<BgpAddressFamily> families;            //!< MULTIPROTOCOL, one a family
    bool hasRouteRefresh{false};                       //!< ROUTE_REFRESH
    std::optional<BgpGracefulRestart> gracefulRestart; //!< GRACEFUL_RESTART
    std::optional<uint32_t> fourOctetAs;               //!< FOUR_OCTET_AS
    std::vector<BgpUnknownCapability> unknown;         //!< all others, in the order of the wire

    /// @return whether routes of a family can be exchanged; without any family, IPv4 unicast routes
    ///         can (RFC 4760, section 8)
    bool HasFamily(const BgpAddressFamily& family) const;

    /// @return references to all members
    auto Tie() const
    {
        return std::tie(families, hasRouteRefresh, gracefulRestart, fourOctetAs, unknown);
    }
};

/// The version of BGP.
constexpr uint8_t BGP_VERSION = 4;

/// The contents of an OPEN.
struct BgpOpen
{
    uint8_t version{BGP_VERSION}; //!< version of the protocol
    uint16_t as{0};               //!< the AS in two octets
    uint16_t holdTime{0};         //!< seconds, 0: the session does not time out
    uint32_t identifier{0};       //!< BGP identifier, host byte order
    BgpCapabilities capabilities; //!< of all parameters together

    /// @return the AS of the speaker: the four-octet one if it is there, else the two-octet one
    uint32_t GetAs() const
    {
        return capabilities.fourOctetAs.value_or(as);
    }
};

/// @return the OPEN of a speaker of four-octet ASs, with the capabilities IPv4 unicast and route
///         refresh; holdTime is in seconds
BgpOpen MakeBgpOpen(uint32_t as, uint16_t holdTime, uint32_t identifier);

/// Encode an OPEN. All capabilities are in one parameter, which has the extended form only if
/// necessary. @return the message, empty if it is larger than BGP_MAX_MESSAGE_SIZE
BgpBytes EncodeBgpOpen(const BgpOpen& open);

/// The result of decoding an OPEN.
struct BgpOpenResult
{
    BgpOpen open;                                //!< the contents, if nothing is wrong
    std::optional<BgpNotification> notification; //!< the one to send if something is wrong
};

/// Decode an OPEN, with the checks that need no configuration (RFC 4271, section 6.2).
///
/// The order of the checks is: version, AS 0 (RFC 7607) or two AS numbers that do not match, hold
/// time, identifier 0 (RFC 6286), parameters. Repeated capabilities are treated by RFC 5492,
/// section 4: equal ones count once, and if a capability may occur only once, the last one counts.
/// @param body the bytes after the header; may be null if size is 0
/// @param size how many bytes
/// @return the contents, or the NOTIFICATION to send
BgpOpenResult DecodeBgpOpen(const uint8_t* body, std::size_t size);

/// Check an OPEN of a peer against the configuration (RFC 4271, section 6.2).
/// @param open the peer's OPEN
/// @param own the speaker's own OPEN
/// @param peerAs the AS that the peer must have, 0: any
/// @return the NOTIFICATION to send if the peer has another AS, if it has the speaker's identifier
///         in the speaker's AS (RFC 6286, section 2.2), or if it does not support IPv4 unicast
std::optional<BgpNotification> CheckBgpOpen(const BgpOpen& open,
                                            const BgpOpen& own,
                                            uint32_t peerAs);

/// @return what both sides have negotiated, with the peer's AS as the first one of its paths if it
///         is external
BgpSessionTerms NegotiateBgpSession(const BgpOpen& own, const BgpOpen& peer);

} // namespace ns3::aidc

#endif // AIDC_BGP_OPEN_H
