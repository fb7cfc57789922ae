/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_AS_PATH_H
#define AIDC_BGP_AS_PATH_H

#include "bgp-bytes.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

/// @file
/// AS paths (RFC 4271, sections 4.3 and 5.1.2; RFC 6793). A speaker is in no confederation.

namespace ns3::aidc
{

/// The two-octet AS number that stands for a four-octet one (RFC 6793).
constexpr uint32_t BGP_AS_TRANS = 23456;

/// The most AS numbers of a segment.
constexpr std::size_t BGP_MAX_SEGMENT_SIZE = 255;

/// The types of segments; as on the wire.
enum class BgpSegmentType : uint8_t
{
    SET = 1,     //!< in no order: the result of aggregation
    SEQUENCE = 2 //!< in order, the newest first
};

/// A segment of an AS path.
struct BgpAsSegment
{
    BgpSegmentType type{BgpSegmentType::SEQUENCE}; //!< the type
    std::vector<uint32_t> numbers;                 //!< at least 1, at most BGP_MAX_SEGMENT_SIZE
};

/// An AS path, the newest AS first. Empty for routes of the own AS.
struct BgpAsPath
{
    std::vector<BgpAsSegment> segments; //!< as they are on the wire

    /// Get the length that decides between routes.
    /// @return the number of ASs; a set is one (RFC 4271, section 9.1.2.2)
    std::size_t GetLength() const;

    /// Get the AS of the neighbor that has advertised the route.
    /// @return the first number of a leading sequence, 0 if there is none
    uint32_t GetNeighborAs() const;

    /// Tell whether an AS is on the path. If it is the speaker's own, this is a loop.
    /// @return whether any segment has it
    bool Contains(uint32_t as) const;

    /**
     * @brief Put an AS in front (RFC 4271, section 5.1.2).
     *
     * It becomes the first number of the leading sequence, or a new sequence if the path begins
     * with a set or if the sequence is full.
     *
     * @param as the AS
     */
    void Prepend(uint32_t as);
};

/// @brief Tell whether two segments are equal.
/// @param a a segment
/// @param b another segment
/// @return true if types and numbers are, in their order
bool operator==(const BgpAsSegment& a, const BgpAsSegment& b);

/// @brief Tell whether two paths are equal.
/// @param a a path
/// @param b another path
/// @return true if all segments are
bool operator==(const BgpAsPath& a, const BgpAsPath& b);

/// Print a path as in "65001 65002 {65003,65004}". @return os
std::ostream& operator<<(std::ostream& os, const BgpAsPath& path);

/// @brief Decode the value of an AS_PATH attribute.
/// @param bytes the value
/// @param isFourOctet whether an AS number has four octets instead of two
/// @param [out] path the path
/// @return false if a segment is unknown, empty or cut off (RFC 7606, section 7.2), or of a
///         confederation (RFC 5065, section 5)
bool DecodeBgpAsPath(BgpReader bytes, bool isFourOctet, BgpAsPath& path);

/// @brief Decode the value of an AS4_PATH attribute, without the segments of a confederation, which
///        it must not have (RFC 6793, section 6).
/// @param bytes the value
/// @param [out] path the path
/// @return false if there is no segment, or if one is unknown, empty or cut off
bool DecodeBgpAs4Path(BgpReader bytes, BgpAsPath& path);

/**
 * @brief Encode the value of an AS_PATH or AS4_PATH attribute.
 *
 * With two octets, BGP_AS_TRANS stands for numbers that need four. Segments that are too long are
 * written as several, empty ones are left out.
 *
 * @param [in,out] bytes the bytes to append to
 * @param path the path
 * @param isFourOctet whether an AS number has four octets instead of two
 */
void EncodeBgpAsPath(BgpBytes& bytes, const BgpAsPath& path, bool isFourOctet);

/// Tell whether a path in two-octet numbers needs an AS4_PATH besides.
/// @return whether a segment has a number of more than two octets
bool NeedsBgpAs4Path(const BgpAsPath& path);

/**
 * @brief Make the whole path of AS_PATH and AS4_PATH (RFC 6793, section 4.2.3).
 *
 * If the AS_PATH is longer than the AS4_PATH, routers without AS4_PATH have prepended their ASs to
 * it. These are kept. If it is shorter, the AS4_PATH is ignored.
 *
 * @param asPath the path in two-octet numbers
 * @param as4Path the path in four-octet numbers
 * @return the path
 */
BgpAsPath MergeBgpAs4Path(const BgpAsPath& asPath, const BgpAsPath& as4Path);

} // namespace ns3::aidc

#endif // AIDC_BGP_AS_PATH_H
