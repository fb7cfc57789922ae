// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_AS_PATH_H
#define AIDC_BGP_AS_PATH_H

#include "bgp-bytes.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <tuple>
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

    /// @return references to all members
    auto Tie() const
    {
        return std::tie(type, numbers);
    }
};

/// An AS path, the newest AS first. Empty for routes of the speaker's AS.
struct BgpAsPath
{
    std::vector<BgpAsSegment> segments; //!< as they are on the wire

    /// @return the length that decides between routes: the number of ASs; a set is one (RFC 4271,
    ///         section 9.1.2.2)
    std::size_t GetLength() const;

    /// @return the AS of the neighbor that has advertised the route: the first number of a leading
    ///         sequence, 0 if there is none
    uint32_t GetNeighborAs() const;

    /// @return whether an AS is on the path; if it is the speaker's own, this is a loop
    bool Contains(uint32_t as) const;

    /// Put an AS in front (RFC 4271, section 5.1.2): it becomes the first number of the leading
    /// sequence, or a new sequence if the path begins with a set or if the sequence is full.
    void Prepend(uint32_t as);

    /// @return references to all members
    auto Tie() const
    {
        return std::tie(segments);
    }
};

/// Print a path as in "65001 65002 {65003,65004}". @return os
std::ostream& operator<<(std::ostream& os, const BgpAsPath& path);

/// Decode the value of an AS_PATH attribute. isFourOctet: AS numbers have four octets instead of
/// two. @return false if a segment is unknown, empty or cut off (RFC 7606, section 7.2), or of a
/// confederation (RFC 5065, section 5)
bool DecodeBgpAsPath(BgpReader bytes, bool isFourOctet, BgpAsPath& path);

/// Decode the value of an AS4_PATH attribute, without the segments of a confederation, which it
/// must not have (RFC 6793, section 6). @return false if there is no segment, or if one is unknown,
/// empty or cut off
bool DecodeBgpAs4Path(BgpReader bytes, BgpAsPath& path);

/// Append the value of an AS_PATH or AS4_PATH attribute. With two octets, BGP_AS_TRANS stands for
/// numbers that need four. Segments that are too long are written as several, empty ones are left
/// out.
void EncodeBgpAsPath(BgpBytes& bytes, const BgpAsPath& path, bool isFourOctet);

/// @return whether a path in two-octet numbers needs an AS4_PATH, too, as a segment has a number of
///         more than two octets
bool NeedsBgpAs4Path(const BgpAsPath& path);

/// Make the whole path of AS_PATH and AS4_PATH (RFC 6793, section 4.2.3). If the AS_PATH is longer
/// than the AS4_PATH, routers without AS4_PATH have prepended their ASs to it. These are kept. If
/// it is shorter, the AS4_PATH is ignored.
BgpAsPath MergeBgpAs4Path(const BgpAsPath& asPath, const BgpAsPath& as4Path);

} // namespace ns3::aidc

#endif // AIDC_BGP_AS_PATH_H
