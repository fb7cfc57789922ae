/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-capabilities.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3::aidc
{

bool
BgpCapabilities::HasFamily(const BgpAddressFamily& family) const
{
    return families.empty() ? family == BGP_IPV4_UNICAST
                            : std::find(families.begin(), families.end(), family) != families.end();
}

/// Say whether two capabilities are equal.
/// @param a a capability
/// @param b another one
/// @return true if code and value are
static bool
operator==(const BgpUnknownCapability& a, const BgpUnknownCapability& b)
{
    return a.code == b.code && a.value == b.value;
}

/// Get all members of a set of capabilities.
/// @param a the capabilities
/// @return references to them
static auto
Tie(const BgpCapabilities& a)
{
    return std::tie(a.families, a.hasRouteRefresh, a.gracefulRestart, a.fourOctetAs, a.unknown);
}

bool
operator==(const BgpCapabilities& a, const BgpCapabilities& b)
{
    return Tie(a) == Tie(b);
}

/// Append a capability.
/// @param [in,out] bytes what to append to
/// @param code its code
/// @param value its value, of which a length has no more than 255 bytes
static void
AppendCapability(BgpBytes& bytes, uint8_t code, BgpBytes value)
{
    value.resize(std::min<std::size_t>(value.size(), 255));
    bytes.push_back(code);
    bytes.push_back(static_cast<uint8_t>(value.size()));
    AppendBgpBytes(bytes, value);
}

void
EncodeBgpCapabilities(BgpBytes& bytes, const BgpCapabilities& capabilities)
{
    const auto append = [&bytes](BgpCapabilityCode code, BgpBytes value) {
        AppendCapability(bytes, static_cast<uint8_t>(code), std::move(value));
    };
    for (const BgpAddressFamily& family : capabilities.families)
    {
        BgpBytes value;
        AppendBgp(value, family.afi);
        value.push_back(0); // reserved
        value.push_back(family.safi);
        append(BgpCapabilityCode::MULTIPROTOCOL, std::move(value));
    }
    if (capabilities.hasRouteRefresh)
    {
        append(BgpCapabilityCode::ROUTE_REFRESH, {});
    }
    if (capabilities.gracefulRestart)
    {
        append(BgpCapabilityCode::GRACEFUL_RESTART,
               EncodeBgpGracefulRestart(*capabilities.gracefulRestart));
    }
    if (capabilities.fourOctetAs)
    {
        BgpBytes value;
        AppendBgp(value, *capabilities.fourOctetAs);
        append(BgpCapabilityCode::FOUR_OCTET_AS, std::move(value));
    }
    for (const BgpUnknownCapability& capability : capabilities.unknown)
    {
        AppendCapability(bytes, capability.code, capability.value);
    }
}

/// Decode a capability that is known.
/// @param code its code
/// @param value its value
/// @param [in,out] capabilities gets it
/// @return false if it has another length than it must
static bool
DecodeKnown(BgpCapabilityCode code, BgpReader value, BgpCapabilities& capabilities)
{
    switch (code)
    {
    case BgpCapabilityCode::MULTIPROTOCOL: {
        BgpAddressFamily family;
        family.afi = value.Read<uint16_t>();
        value.Read<uint8_t>(); // reserved
        family.safi = value.Read<uint8_t>();
        auto& families = capabilities.families;
        if (std::find(families.begin(), families.end(), family) == families.end())
        {
            families.push_back(family);
        }
        break;
    }
    case BgpCapabilityCode::ROUTE_REFRESH:
        capabilities.hasRouteRefresh = true;
        break;
    case BgpCapabilityCode::GRACEFUL_RESTART: {
        const auto restart = DecodeBgpGracefulRestart(value);
        if (restart)
        {
            capabilities.gracefulRestart = restart; // the last one counts (RFC 4724, section 3)
        }
        return restart.has_value();
    }
    case BgpCapabilityCode::FOUR_OCTET_AS: {
        const auto as = value.Read<uint32_t>();
        if (value.IsWhole())
        {
            capabilities.fourOctetAs = as;
        }
        break;
    }
    }
    return value.IsWhole() && value.GetSize() == 0;
}

bool
DecodeBgpCapabilities(BgpReader bytes, BgpCapabilities& capabilities)
{
    while (bytes.GetSize() > 0)
    {
        const auto code = bytes.Read<uint8_t>();
        const BgpReader value = bytes.ReadPart(bytes.Read<uint8_t>());
        if (!bytes.IsWhole())
        {
            return false;
        }
        switch (static_cast<BgpCapabilityCode>(code))
        {
        case BgpCapabilityCode::MULTIPROTOCOL:
        case BgpCapabilityCode::ROUTE_REFRESH:
        case BgpCapabilityCode::GRACEFUL_RESTART:
        case BgpCapabilityCode::FOUR_OCTET_AS:
            if (!DecodeKnown(static_cast<BgpCapabilityCode>(code), value, capabilities))
            {
                return false;
            }
            break;
        default:
            capabilities.unknown.push_back({code, value.GetBytes()});
        }
    }
    return true;
}

} // namespace ns3::aidc
