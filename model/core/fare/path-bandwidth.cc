// SPDX-License-Identifier: GPL-2.0-only

#include "path-bandwidth.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace ns3::aidc
{

static_assert(std::numeric_limits<float>::is_iec559 && sizeof(float) == 4, "binary32 is float");

/// The bits of BINARY16_MAX.
static constexpr uint16_t MAX_BITS = 0x7bff;

/// Round a small number, not negative, from the middle to the even one, in any rounding mode.
static uint16_t
RoundToEven(double number)
{
    const double below = std::floor(number);
    const double rest = number - below;
    const auto integer = static_cast<uint16_t>(below);
    const bool isUp = rest > 0.5 || (rest == 0.5 && integer % 2 != 0);
    return static_cast<uint16_t>(integer + isUp);
}

uint16_t
EncodeBinary16(double number)
{
    if (std::isnan(number))
    {
        return 0x7e00;
    }
    const uint16_t sign = std::signbit(number) ? 0x8000 : 0;
    const double size = std::fabs(number);
    if (size >= BINARY16_MAX)
    {
        return sign | MAX_BITS;
    }
    if (size < std::ldexp(1, -14))
    {
        return sign | RoundToEven(std::ldexp(size, 24)); // subnormal, in units of 2^-24
    }
    const int exponent = std::ilogb(size);
    // From 1024 to 2048, which carries into the exponent as it has to
    const uint16_t fraction = RoundToEven(std::ldexp(size, 10 - exponent));
    return static_cast<uint16_t>(sign | (((exponent + 15) << 10) + fraction - 1024));
}

double
DecodeBinary16(uint16_t bits)
{
    const int exponent = bits >> 10 & 0x1f;
    const int fraction = bits & 0x3ff;
    double size = 0;
    if (exponent == 0x1f)
    {
        size = fraction == 0 ? std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
    }
    else
    {
        size =
            exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    }
    return (bits & 0x8000) != 0 ? -size : size;
}

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

double
RoundBandwidth(double bytesPerSecond, BandwidthCarrier carrier)
{
    if (carrier == BandwidthCarrier::PATH_BANDWIDTH)
    {
        return DecodeBinary16(EncodeBinary16(bytesPerSecond / GIGABYTE)) * GIGABYTE;
    }
    constexpr double MAX = std::numeric_limits<float>::max();
    return static_cast<float>(std::min(bytesPerSecond, MAX));
}

BgpExtendedCommunity
EncodeBandwidth(double bytesPerSecond, bool isTransitive, const BandwidthFormat& format)
{
    const uint64_t flag = isTransitive ? 0 : uint64_t{NON_TRANSITIVE} << 56;
    if (format.carrier == BandwidthCarrier::PATH_BANDWIDTH)
    {
        return {flag | uint64_t{0x01} << 56 | uint64_t{format.subtype} << 48 |
                uint64_t{format.routerId} << 16 | EncodeBinary16(bytesPerSecond / GIGABYTE)};
    }
    const auto bandwidth = static_cast<float>(RoundBandwidth(bytesPerSecond, format.carrier));
    uint32_t bits = 0;
    std::memcpy(&bits, &bandwidth, sizeof(bits));
    const uint64_t as = format.as > 0xffff ? BGP_AS_TRANS : format.as;
    return {flag | uint64_t{LINK_BANDWIDTH_SUBTYPE} << 48 | as << 32 | bits};
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
