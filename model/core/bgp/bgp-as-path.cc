// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-as-path.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

/// Get what a segment adds to the length of a path. @return the number of ASs that it counts as
static std::size_t
GetSegmentLength(const BgpAsSegment& segment)
{
    return segment.type == BgpSegmentType::SET ? 1 : segment.numbers.size();
}

std::size_t
BgpAsPath::GetLength() const
{
    std::size_t length = 0;
    for (const BgpAsSegment& segment : segments)
    {
        length += GetSegmentLength(segment);
    }
    return length;
}

uint32_t
BgpAsPath::GetNeighborAs() const
{
    const bool hasNeighbor = !segments.empty() &&
                             segments.front().type == BgpSegmentType::SEQUENCE &&
                             !segments.front().numbers.empty();
    return hasNeighbor ? segments.front().numbers.front() : 0;
}

bool
BgpAsPath::Contains(uint32_t as) const
{
    return std::any_of(segments.begin(), segments.end(), [as](const BgpAsSegment& segment) {
        return std::find(segment.numbers.begin(), segment.numbers.end(), as) !=
               segment.numbers.end();
    });
}

void
BgpAsPath::Prepend(uint32_t as)
{
    if (segments.empty() || segments.front().type != BgpSegmentType::SEQUENCE ||
        segments.front().numbers.size() >= BGP_MAX_SEGMENT_SIZE)
    {
        segments.insert(segments.begin(), BgpAsSegment());
    }
    auto& numbers = segments.front().numbers;
    numbers.insert(numbers.begin(), as);
}

std::ostream&
operator<<(std::ostream& os, const BgpAsPath& path)
{
    const char* space = "";
    for (const BgpAsSegment& segment : path.segments)
    {
        const bool isSet = segment.type == BgpSegmentType::SET;
        os << space << (isSet ? "{" : "");
        const char* separator = "";
        for (const uint32_t number : segment.numbers)
        {
            os << separator << number;
            separator = isSet ? "," : " ";
        }
        os << (isSet ? "}" : "");
        space = " ";
    }
    return os;
}

/// isFourOctet: AS numbers, else two; skipsConfederations: else an error @return false on one
static bool
DecodeSegments(BgpReader bytes, bool isFourOctet, bool skipsConfederations, BgpAsPath& path)
{
    path.segments.clear();
    while (bytes.GetSize() > 0)
    {
        const auto type = bytes.Read<uint8_t>();
        const auto count = bytes.Read<uint8_t>();
        BgpReader numbers = bytes.ReadPart(count * (isFourOctet ? 4U : 2U));
        const bool isConfederation = type == 3 || type == 4; // RFC 5065, section 3
        if (type < 1 || type > 4 || count == 0 || !bytes.IsWhole() ||
            (isConfederation && !skipsConfederations))
        {
            return false;
        }
        if (isConfederation)
        {
            continue;
        }
        BgpAsSegment segment;
        segment.type = static_cast<BgpSegmentType>(type);
        segment.numbers.reserve(count);
        while (numbers.GetSize() > 0)
        {
            segment.numbers.push_back(isFourOctet ? numbers.Read<uint32_t>()
                                                  : numbers.Read<uint16_t>());
        }
        path.segments.push_back(std::move(segment));
    }
    return true;
}

bool
DecodeBgpAsPath(BgpReader bytes, bool isFourOctet, BgpAsPath& path)
{
    return DecodeSegments(bytes, isFourOctet, false, path);
}

bool
DecodeBgpAs4Path(BgpReader bytes, BgpAsPath& path)
{
    return bytes.GetSize() > 0 && DecodeSegments(bytes, true, true, path);
}

void
EncodeBgpAsPath(BgpBytes& bytes, const BgpAsPath& path, bool isFourOctet)
{
    for (const BgpAsSegment& segment : path.segments)
    {
        for (std::size_t i = 0; i < segment.numbers.size(); ++i)
        {
            if (i % BGP_MAX_SEGMENT_SIZE == 0)
            {
                bytes.push_back(static_cast<uint8_t>(segment.type));
                bytes.push_back(static_cast<uint8_t>(
                    std::min(segment.numbers.size() - i, BGP_MAX_SEGMENT_SIZE)));
            }
            const uint32_t number = segment.numbers[i];
            if (isFourOctet)
            {
                AppendBgp(bytes, number);
            }
            else
            {
                AppendBgp(bytes, static_cast<uint16_t>(number > 0xffff ? BGP_AS_TRANS : number));
            }
        }
    }
}

bool
NeedsBgpAs4Path(const BgpAsPath& path)
{
    return std::any_of(path.segments.begin(), path.segments.end(), [](const auto& segment) {
        return std::any_of(segment.numbers.begin(), segment.numbers.end(), [](uint32_t number) {
            return number > 0xffff;
        });
    });
}

BgpAsPath
MergeBgpAs4Path(const BgpAsPath& asPath, const BgpAsPath& as4Path)
{
    const std::size_t length = asPath.GetLength();
    const std::size_t length4 = as4Path.GetLength();
    if (length4 == 0 || length < length4)
    {
        return asPath;
    }
    BgpAsPath merged;
    std::size_t nMissing = length - length4;
    for (const BgpAsSegment& segment : asPath.segments)
    {
        if (nMissing == 0)
        {
            break;
        }
        merged.segments.push_back(segment);
        const std::size_t nKept = std::min(GetSegmentLength(segment), nMissing);
        nMissing -= nKept;
        if (segment.type == BgpSegmentType::SEQUENCE && nKept < segment.numbers.size())
        {
            merged.segments.back().numbers.resize(nKept);
            break;
        }
    }
    auto rest = as4Path.segments.begin();
    if (!merged.segments.empty() && merged.segments.back().type == BgpSegmentType::SEQUENCE &&
        rest->type == BgpSegmentType::SEQUENCE &&
        merged.segments.back().numbers.size() + rest->numbers.size() <= BGP_MAX_SEGMENT_SIZE)
    {
        auto& numbers = merged.segments.back().numbers;
        numbers.insert(numbers.end(), rest->numbers.begin(), rest->numbers.end());
        ++rest;
    }
    merged.segments.insert(merged.segments.end(), rest, as4Path.segments.end());
    return merged;
}

} // namespace ns3::aidc
