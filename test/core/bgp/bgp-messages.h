// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_MESSAGES_H
#define AIDC_BGP_MESSAGES_H

#include "bgp-golden-messages.h"
#include "model/core/bgp/bgp-bytes.h"
#include "model/core/bgp/bgp-path-attributes.h"
#include "model/core/bgp/bgp-update.h"
#include "test/core/hex-bytes.h"

#include "ns3/bgp-message.h"

// How tests make BGP messages.

namespace aidctest::bgp
{

using namespace ns3::aidc;
using aidctest::ParseHex;

/// Get what follows a message's header.
inline BgpBytes
GetBody(const BgpBytes& message)
{
    return {message.begin() + BGP_HEADER_SIZE, message.end()};
}

inline BgpUpdateResult
DecodeUpdate(const BgpBytes& message, const BgpSessionTerms& terms = {})
{
    const BgpBytes body = GetBody(message);
    return DecodeBgpUpdate(body.data(), body.size(), terms);
}

inline BgpBytes
MakeUpdateBody(const BgpBytes& withdrawn, const BgpBytes& attributes, const BgpBytes& announced)
{
    BgpBytes body;
    AppendBgp(body, static_cast<uint16_t>(withdrawn.size()));
    AppendBgpBytes(body, withdrawn);
    AppendBgp(body, static_cast<uint16_t>(attributes.size()));
    AppendBgpBytes(body, attributes);
    AppendBgpBytes(body, announced);
    return body;
}

/// Make routes to be announced with the same attributes.
inline std::vector<BgpOutgoingRoute>
Routes(const BgpPathAttributes& attributes, const std::vector<BgpPrefix>& prefixes)
{
    const auto shared = std::make_shared<const BgpPathAttributes>(attributes);
    std::vector<BgpOutgoingRoute> routes;
    for (const BgpPrefix& prefix : prefixes)
    {
        routes.push_back({prefix, shared});
    }
    return routes;
}

/// Encode announced routes, as a speaker sends them.
inline BgpBytes
EncodeRoutes(const BgpPathAttributes& attributes,
             const std::vector<BgpPrefix>& prefixes,
             const BgpSessionTerms& terms = {})
{
    const BgpPackedUpdates packed = PackBgpUpdates({}, Routes(attributes, prefixes), terms);
    return packed.messages.size() == 1 ? packed.messages[0] : BgpBytes();
}

/// isFourOctetAs: whether AS numbers have four octets.
inline BgpSessionTerms
MakeSession(bool isFourOctetAs, BgpPeerType peerType = BgpPeerType::EXTERNAL)
{
    BgpSessionTerms terms;
    terms.isFourOctetAs = isFourOctetAs;
    terms.peerType = peerType;
    return terms;
}

inline BgpPrefix
DrawPrefix()
{
    return MakeBgpPrefix(DrawAny<uint32_t>(), DrawInRange<uint8_t>(0, 33));
}

template <typename Draw>
auto
DrawList(std::size_t maxSize, const Draw& draw)
{
    std::vector<decltype(draw())> list;
    const auto size = DrawInRange<std::size_t>(0, maxSize + 1);
    for (std::size_t i = 0; i < size; ++i)
    {
        list.push_back(draw());
    }
    return list;
}

/// Draw a number, small ones and large ones.
inline uint32_t
DrawNumber()
{
    return *rc::gen::oneOf(rc::gen::inRange<uint32_t>(0, 4), rc::gen::arbitrary<uint32_t>());
}

/// Returns its number, not 0.
inline uint32_t
DrawAs()
{
    return *rc::gen::oneOf(rc::gen::inRange<uint32_t>(1, 65536),
                           rc::gen::inRange<uint32_t>(65536, 4294967295U),
                           rc::gen::just(BGP_AS_TRANS));
}

inline BgpAsPath
DrawAsPath()
{
    BgpAsPath path;
    path.segments = DrawList(3, [] {
        BgpAsSegment segment;
        segment.type = DrawElement({BgpSegmentType::SET, BgpSegmentType::SEQUENCE});
        segment.numbers = DrawList(6, DrawAs);
        segment.numbers.push_back(DrawAs());
        return segment;
    });
    return path;
}

/// Draw attributes that can go to any peer.
inline BgpPathAttributes
DrawAttributes()
{
    BgpPathAttributes attributes;
    attributes.origin = DrawElement({BgpOrigin::IGP, BgpOrigin::EGP, BgpOrigin::INCOMPLETE});
    attributes.asPath = DrawAsPath();
    attributes.nextHop = DrawInRange<uint32_t>(0x01000000, 0x7f000000);
    if (DrawAny<bool>())
    {
        attributes.multiExitDisc = DrawNumber();
    }
    attributes.isAtomicAggregate = DrawAny<bool>();
    if (DrawAny<bool>())
    {
        attributes.aggregator = BgpAggregator{DrawAs(), DrawNumber()};
    }
    attributes.communities = DrawList(80, DrawNumber); // more than 255 bytes
    attributes.extendedCommunities =
        DrawList(3, [] { return BgpExtendedCommunity{DrawAny<uint64_t>()}; });
    attributes.largeCommunities =
        DrawList(3, [] { return BgpLargeCommunity{DrawNumber(), DrawNumber(), DrawNumber()}; });
    for (const int type : {11, 19, 33, 255})
    {
        if (DrawAny<bool>())
        {
            attributes.unknown.push_back(
                {static_cast<uint8_t>(type), *rc::gen::arbitrary<BgpBytes>()});
        }
    }
    if (!attributes.communities.empty() && DrawAny<bool>())
    {
        attributes.partial = uint64_t{1} << static_cast<int>(BgpAttributeType::COMMUNITIES);
    }
    return attributes;
}

} // namespace aidctest::bgp

#endif // AIDC_BGP_MESSAGES_H
