/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-bandwidth.h"

#include "../bgp/bgp-as-path.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace ns3::aidc
{

static_assert(std::numeric_limits<float>::is_iec559 && sizeof(float) == 4, "binary32 is float");

/// Bytes a second in 1 GB/s.
static constexpr double GIGABYTE = 1e9;

/// The bit of a type's high octet that keeps a community from the next AS.
static constexpr uint8_t NON_TRANSITIVE = 0x40;

std::optional<double>
RouteBandwidth::GetLowest() const
{
    if (transitive && nonTransitive)
    {
        return std::min(*transitive, *nonTransitive);
    }
    return transitive ? transitive : nonTransitive;
}

RouteBandwidth
BandwidthCommunities::Get(BandwidthCarrier carrier) const
{
    if (carrier == BandwidthCarrier::PATH_BANDWIDTH)
    {
        return path;
    }
    return {link.GetLowest(), link.nonTransitive};
}

/// Find out whether a community has a bandwidth. @return the carrier, if it is one
static std::optional<BandwidthCarrier>
GetCarrier(const BgpExtendedCommunity& community, uint8_t subtype)
{
    const int type = community.GetType() & ~NON_TRANSITIVE;
    if (type == 0x01 && community.GetSubtype() == subtype)
    {
        return BandwidthCarrier::PATH_BANDWIDTH;
    }
    if (type == 0x00 && community.GetSubtype() == LINK_BANDWIDTH_SUBTYPE)
    {
        return BandwidthCarrier::LINK_BANDWIDTH;
    }
    return std::nullopt;
}

/// @return bytes a second, may be anything
static double
DecodeBandwidth(const BgpExtendedCommunity& community, BandwidthCarrier carrier)
{
    if (carrier == BandwidthCarrier::PATH_BANDWIDTH)
    {
        return DecodeBinary16(community.GetLocal16()) * GIGABYTE;
    }
    const uint32_t bits = community.GetLocal32();
    float bandwidth = 0;
    std::memcpy(&bandwidth, &bits, sizeof(bandwidth));
    return bandwidth;
}

BandwidthCommunities
DecodeBandwidths(const std::vector<BgpExtendedCommunity>& communities, uint8_t subtype)
{
    BandwidthCommunities result;
    for (const BgpExtendedCommunity& community : communities)
    {
        const auto carrier = GetCarrier(community, subtype);
        if (!carrier)
        {
            continue;
        }
        const double bandwidth = DecodeBandwidth(community, *carrier);
        if (!(bandwidth >= 0) || std::isinf(bandwidth))
        {
            ++result.nMalformed;
            continue;
        }
        RouteBandwidth& route =
            *carrier == BandwidthCarrier::PATH_BANDWIDTH ? result.path : result.link;
        auto& lowest = community.IsTransitive() ? route.transitive : route.nonTransitive;
        lowest = std::fabs(lowest ? std::min(*lowest, bandwidth) : bandwidth); // no -0
    }
    return result;
}

BgpExtendedCommunity
EncodeBandwidth(double bytesPerSecond, bool isTransitive, const BandwidthFormat& format)
{
    const uint8_t flag = isTransitive ? 0 : NON_TRANSITIVE;
    if (format.carrier == BandwidthCarrier::PATH_BANDWIDTH)
    {
        return MakeBgpAddressCommunity(0x01 | flag,
                                       format.subtype,
                                       format.routerId,
                                       EncodeBinary16(bytesPerSecond / GIGABYTE));
    }
    constexpr double MAX = std::numeric_limits<float>::max();
    const auto bandwidth = static_cast<float>(std::min(bytesPerSecond, MAX));
    uint32_t bits = 0;
    std::memcpy(&bits, &bandwidth, sizeof(bits));
    const uint32_t as = format.as > 0xffff ? BGP_AS_TRANS : format.as;
    return MakeBgpAsCommunity(flag, LINK_BANDWIDTH_SUBTYPE, static_cast<uint16_t>(as), bits);
}

void
ChangeBandwidths(const BandwidthChange& change,
                 const BandwidthFormat& format,
                 std::vector<BgpExtendedCommunity>& communities)
{
    const auto goes = [&change, &format](const BgpExtendedCommunity& community) {
        const auto carrier = GetCarrier(community, format.subtype);
        const bool stays =
            change.keepsTransitive && carrier == format.carrier && community.IsTransitive();
        return carrier && !stays;
    };
    communities.erase(std::remove_if(communities.begin(), communities.end(), goes),
                      communities.end());
    if (change.transitive && !change.keepsTransitive)
    {
        communities.push_back(EncodeBandwidth(*change.transitive, true, format));
    }
    if (change.nonTransitive)
    {
        communities.push_back(EncodeBandwidth(*change.nonTransitive, false, format));
    }
}

void
RemoveForeignCommunities(BandwidthCarrier carrier, std::vector<BgpExtendedCommunity>& communities)
{
    const auto goes = [carrier](const BgpExtendedCommunity& community) {
        const bool isLinkBandwidth =
            community.GetType() == 0x40 && community.GetSubtype() == LINK_BANDWIDTH_SUBTYPE;
        return !community.IsTransitive() &&
               !(isLinkBandwidth && carrier == BandwidthCarrier::LINK_BANDWIDTH);
    };
    communities.erase(std::remove_if(communities.begin(), communities.end(), goes),
                      communities.end());
}

} // namespace ns3::aidc
