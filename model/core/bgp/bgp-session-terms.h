/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_SESSION_TERMS_H
#define AIDC_BGP_SESSION_TERMS_H

#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/// The largest message (RFC 4271, section 4.1).
constexpr std::size_t BGP_MAX_MESSAGE_SIZE = 4096;

/// An address family and a subsequent one (RFC 4760).
struct BgpAddressFamily
{
    uint16_t afi{1}; //!< address family, 1: IPv4
    uint8_t safi{1}; //!< subsequent address family, 1: unicast
};

/// The only family of routes that is supported.
constexpr BgpAddressFamily BGP_IPV4_UNICAST{1, 1};

/// @brief Tell whether two families are equal.
/// @param a a family
/// @param b another family
/// @return true if both numbers are
constexpr bool
operator==(const BgpAddressFamily& a, const BgpAddressFamily& b)
{
    return a.afi == b.afi && a.safi == b.safi;
}

/// The types of peers.
enum class BgpPeerType : uint8_t
{
    EXTERNAL, //!< in another AS
    INTERNAL  //!< in the same AS
};

/// What a session agrees on for its loss (RFC 4724; RFC 8538): IPv4 unicast only.
struct BgpRestartTerms
{
    bool isAgreed{false};            //!< both offer it: a lost session keeps the routes
    bool keepsOnNotification{false}; //!< both offer it: so does one that a NOTIFICATION ends
    bool isPeerRestarting{false};    //!< R: the peer has restarted
    bool isForwardingKept{false};    //!< F: the peer still forwards as before
    uint16_t restartTime{0};         //!< the peer's, seconds
};

/// The negotiated terms of a session, on which its messages depend.
struct BgpSessionTerms
{
    BgpPeerType peerType{BgpPeerType::EXTERNAL}; //!< the type of the peer
    bool isFourOctetAs{true};                    //!< both support four-octet ASs (RFC 6793)
    uint32_t firstAs{0};     //!< the first AS in paths of an external peer, 0: any
    BgpRestartTerms restart; //!< graceful restart

    /// @return whether the peer is in another AS
    bool IsExternal() const
    {
        return peerType == BgpPeerType::EXTERNAL;
    }
};

} // namespace ns3::aidc

#endif // AIDC_BGP_SESSION_TERMS_H
