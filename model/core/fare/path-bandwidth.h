// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PATH_BANDWIDTH_H
#define AIDC_PATH_BANDWIDTH_H

#include "../bgp/bgp-path-attributes.h"

#include <cstdint>
#include <optional>
#include <vector>

/// @file
/// Bandwidths of paths and links in extended communities.
///
///      path bandwidth (draft-xu-idr-fare)          link bandwidth (RFC 10005)
///      +0   0x01; 0x41: not transitive             +0   0x00; 0x40: not transitive
///      +1   not assigned yet, 0x06 by default      +1   0x04
///      +2   router ID, 4 bytes                     +2   AS, 2 bytes
///      +6   GB/s as binary16                       +4   bytes a second as binary32
///
/// An IPv4-address-specific community has two bytes left for the path bandwidth. So the draft's
/// "IEEE floating point format" is binary16 here. Its error is at most 1/2048 from 0.5 Mbit/s on.
///
/// In the code, bandwidths are in bytes a second. Encoding rounds them to the nearest number, ties
/// to even. Bandwidths that are too large become the largest number.

namespace ns3::aidc
{

/// The largest finite number of binary16.
constexpr double BINARY16_MAX = 65504;

/// Encode a number as binary16 (IEEE 754-2019): sign, 5 bits of exponent, 10 of fraction. Rounds to
/// the nearest number, ties to even. Numbers larger than all finite numbers, including infinity,
/// become the largest finite number, with their sign. @return its bits, 0x7e00 for NaN
uint16_t EncodeBinary16(double number);

/// Decode a number of binary16. @return the number, exactly; infinity or NaN if the exponent is all
/// ones
double DecodeBinary16(uint16_t bits);

/// The low octet of a path bandwidth's type, until one is assigned.
constexpr uint8_t PATH_BANDWIDTH_SUBTYPE = 0x06;

/// The low octet of a link bandwidth's type.
constexpr uint8_t LINK_BANDWIDTH_SUBTYPE = 0x04;

/// The largest path bandwidth, in bytes a second, which the origin of a route attaches.
constexpr double MAX_PATH_BANDWIDTH = BINARY16_MAX * 1e9;

/// The community that carries the bandwidth of a path.
enum class BandwidthCarrier : uint8_t
{
    PATH_BANDWIDTH, //!< of draft-xu-idr-fare
    LINK_BANDWIDTH  //!< of RFC 10005
};

/// How a router writes bandwidths.
struct BandwidthFormat
{
    BandwidthCarrier carrier{BandwidthCarrier::PATH_BANDWIDTH}; //!< the community
    uint8_t subtype{PATH_BANDWIDTH_SUBTYPE};                    //!< of path bandwidths
    uint32_t routerId{0};                                       //!< in path bandwidths
    uint32_t as{0}; //!< in link bandwidths; 23456 stands for one of four octets
};

/// The bandwidths of a received route, in bytes a second.
struct RouteBandwidth
{
    std::optional<double> transitive;    //!< the lowest one that is transitive
    std::optional<double> nonTransitive; //!< the lowest one that is not

    /// @return the lowest one
    std::optional<double> GetLowest() const;
};

/// The bandwidths in the communities of a route.
struct BandwidthCommunities
{
    RouteBandwidth path;    //!< path bandwidths
    RouteBandwidth link;    //!< link bandwidths
    uint32_t nMalformed{0}; //!< bandwidths that do not count: NaN, infinite or negative

    /// Get the bandwidths of a carrier, by which routes are weighted. A single link bandwidth
    /// counts as transitive, whether it is or not (RFC 10005): other routers send it either way.
    RouteBandwidth Get(BandwidthCarrier carrier) const;
};

/// Decode all bandwidths of a route, of both carriers. If there are several, the lowest one counts
/// (RFC 10005). Zero is a bandwidth. subtype: the low octet of a path bandwidth's type.
BandwidthCommunities DecodeBandwidths(const std::vector<BgpExtendedCommunity>& communities,
                                      uint8_t subtype = PATH_BANDWIDTH_SUBTYPE);

/// Encode a bandwidth, which is not negative. isTransitive: it goes from one AS to the next.
BgpExtendedCommunity EncodeBandwidth(double bytesPerSecond,
                                     bool isTransitive,
                                     const BandwidthFormat& format);

/// Round a bandwidth, which is not negative, as on the wire. @return what a receiver decodes
double RoundBandwidth(double bytesPerSecond, BandwidthCarrier carrier);

/// The change of a route's bandwidths when the route is readvertised.
struct BandwidthChange
{
    bool keepsTransitive{false};         //!< the transitive ones do not change, byte for byte
    std::optional<double> transitive;    //!< else: replaces them, if any
    std::optional<double> nonTransitive; //!< replaces the ones that are not transitive
};

/// Change the bandwidths of a route. Bandwidths of the other carrier are removed, because they do
/// not include this node. New bandwidths are last; other communities stay, in their order.
void ChangeBandwidths(const BandwidthChange& change,
                      const BandwidthFormat& format,
                      std::vector<BgpExtendedCommunity>& communities);

/// Leave out the communities that an external peer should not have sent, as they are not transitive
/// (RFC 4360, section 6). Where link bandwidths are used, they stay, as in RFC 10005: routers send
/// either.
void RemoveForeignCommunities(BandwidthCarrier carrier,
                              std::vector<BgpExtendedCommunity>& communities);

} // namespace ns3::aidc

#endif // AIDC_PATH_BANDWIDTH_H
