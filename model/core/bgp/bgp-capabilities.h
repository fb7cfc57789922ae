/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_CAPABILITIES_H
#define AIDC_BGP_CAPABILITIES_H

#include "bgp-address-family.h"
#include "bgp-bytes.h"
#include "bgp-graceful-restart.h"

#include <cstdint>
#include <optional>
#include <vector>

/// @file
/// Capabilities of an OPEN (RFC 5492): a code, a length in one byte, and a value.

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

/// An unknown capability.
struct BgpUnknownCapability
{
    uint8_t code{0}; //!< its code
    BgpBytes value;  //!< its value
};

/// The capabilities of a speaker.
struct BgpCapabilities
{
    std::vector<BgpAddressFamily> families;            //!< MULTIPROTOCOL, one a family
    bool hasRouteRefresh{false};                       //!< ROUTE_REFRESH
    std::optional<BgpGracefulRestart> gracefulRestart; //!< GRACEFUL_RESTART
    std::optional<uint32_t> fourOctetAs;               //!< FOUR_OCTET_AS
    std::vector<BgpUnknownCapability> unknown;         //!< all others, in the order of the wire

    /**
     * @brief Tell whether routes of a family can be exchanged.
     *
     * Without any family, it is IPv4 unicast (RFC 4760, section 8).
     *
     * @param family the family
     * @return whether they can
     */
    bool HasFamily(const BgpAddressFamily& family) const;
};

/// @brief Tell whether two sets of capabilities are equal.
/// @param a capabilities
/// @param b others
/// @return true if all are, in their order
bool operator==(const BgpCapabilities& a, const BgpCapabilities& b);

/// @brief Encode capabilities, in the order of their codes; unknown ones are last.
/// @param [in,out] bytes the bytes to append to
/// @param capabilities the capabilities
void EncodeBgpCapabilities(BgpBytes& bytes, const BgpCapabilities& capabilities);

/**
 * @brief Decode capabilities up to the end.
 *
 * Repeated capabilities are treated by RFC 5492, section 4: equal ones count once, and of a
 * capability that may occur only once, the last one counts.
 *
 * @param bytes the capabilities
 * @param [in,out] capabilities gets them
 * @return false if one is cut off, or a known one has a wrong length
 */
bool DecodeBgpCapabilities(BgpReader bytes, BgpCapabilities& capabilities);

} // namespace ns3::aidc

#endif // AIDC_BGP_CAPABILITIES_H
