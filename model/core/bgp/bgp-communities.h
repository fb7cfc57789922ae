/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_COMMUNITIES_H
#define AIDC_BGP_COMMUNITIES_H

#include <cstdint>
#include <ostream>
#include <vector>

/// @file
/// Communities (RFC 1997), extended communities (RFC 4360) and large ones (RFC 8092).

namespace ns3::aidc
{

/// Well-known community: not beyond the AS or confederation (RFC 1997).
constexpr uint32_t BGP_NO_EXPORT = 0xffffff01;

/// Well-known community: to no peer at all (RFC 1997).
constexpr uint32_t BGP_NO_ADVERTISE = 0xffffff02;

/// Well-known community: to no external peer, not even in the confederation (RFC 1997).
constexpr uint32_t BGP_NO_EXPORT_SUBCONFED = 0xffffff03;

/// Well-known community: the session is about to be shut down (RFC 8326).
constexpr uint32_t BGP_GRACEFUL_SHUTDOWN = 0xffff0000;

/// @brief Tell whether there is a community.
/// @param communities the communities of a route
/// @param community the one to look for
/// @return whether it is among them
bool HasBgpCommunity(const std::vector<uint32_t>& communities, uint32_t community);

/// @brief Add a community, unless it is there.
/// @param [in,out] communities the communities of a route
/// @param community the one to add
void AddBgpCommunity(std::vector<uint32_t>& communities, uint32_t community);

/**
 * @brief An extended community: eight octets. The first one or two are its type.
 *
 *      +0   I, T, and six bits of type: I is the authority that has assigned it, T is 1 if it is
 *           not transitive across ASs
 *      +1   low octet of the type (of types that have one)
 *      +2   value
 *
 * In address-specific communities (types 0x01 and 0x41) and in those of a two-octet AS (0x00 and
 * 0x40), the value is the global administrator, four octets or two, and the local administrator.
 */
struct BgpExtendedCommunity
{
    uint64_t value{0}; //!< all octets, the first one on top

    /// @return the high octet of the type
    uint8_t GetType() const
    {
        return static_cast<uint8_t>(value >> 56);
    }

    /// @return the low octet of the type
    uint8_t GetSubtype() const
    {
        return static_cast<uint8_t>(value >> 48);
    }

    /// Get the four octets after the type: the address as global administrator.
    /// @return the octets as a number
    uint32_t GetAddress() const
    {
        return static_cast<uint32_t>(value >> 16);
    }

    /// Get the two octets after the type: the AS as global administrator.
    /// @return the octets as a number
    uint16_t GetAs() const
    {
        return static_cast<uint16_t>(value >> 32);
    }

    /// Get the last two octets: the local administrator in an address-specific community.
    /// @return the octets as a number
    uint16_t GetLocal16() const
    {
        return static_cast<uint16_t>(value);
    }

    /// Get the last four octets: the local administrator in an AS-specific community.
    /// @return the octets as a number
    uint32_t GetLocal32() const
    {
        return static_cast<uint32_t>(value);
    }

    /// @return whether the community is transitive across ASs
    bool IsTransitive() const
    {
        return (value >> 62 & 1) == 0;
    }
};

/// @brief Make a community of an address.
/// @param type the high octet: 0x01, or 0x41 if it is not transitive
/// @param subtype the low octet
/// @param address the global administrator
/// @param local the local administrator
/// @return the community
BgpExtendedCommunity MakeBgpAddressCommunity(uint8_t type,
                                             uint8_t subtype,
                                             uint32_t address,
                                             uint16_t local);

/// @brief Make a community of a two-octet AS number.
/// @param type the high octet: 0x00, or 0x40 if it is not transitive
/// @param subtype the low octet
/// @param as the global administrator
/// @param local the local administrator
/// @return the community
BgpExtendedCommunity MakeBgpAsCommunity(uint8_t type, uint8_t subtype, uint16_t as, uint32_t local);

/// @brief Tell whether two communities are equal.
/// @param a a community
/// @param b another community
/// @return true if all octets are
bool operator==(const BgpExtendedCommunity& a, const BgpExtendedCommunity& b);

/// Print a community as 0x and 16 hexadecimal digits. @return os
std::ostream& operator<<(std::ostream& os, const BgpExtendedCommunity& community);

/// @brief Remove the communities that must not leave the AS (RFC 4360, section 6).
/// @param [in,out] communities loses those that are not transitive
void RemoveNonTransitive(std::vector<BgpExtendedCommunity>& communities);

/// A large community (RFC 8092).
struct BgpLargeCommunity
{
    uint32_t global{0}; //!< global administrator: an AS
    uint32_t local1{0}; //!< first part of the local data
    uint32_t local2{0}; //!< second part of the local data
};

/// @brief Tell whether two communities are equal.
/// @param a a community
/// @param b another community
/// @return true if all octets are
bool operator==(const BgpLargeCommunity& a, const BgpLargeCommunity& b);

} // namespace ns3::aidc

#endif // AIDC_BGP_COMMUNITIES_H
