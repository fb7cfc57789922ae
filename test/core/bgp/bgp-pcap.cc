// SPDX-License-Identifier: GPL-2.0-only

// Captures BGP messages of all kinds, which test/python/test_bgp_pcap.py and tshark read.
//
// Usage: aidc-test-programs bgp-pcap FILE. The capture has raw IPv4 packets of two connections to
// TCP port 179, the second one of a peer with two-octet ASs; several messages share a segment, and
// one is spread over two.

#include "model/core/bgp/bgp-open.h"
#include "model/core/bgp/bgp-update.h"
#include "model/core/fare/path-bandwidth.h"
#include "model/core/ipv4-bytes.h"

#include "ns3/bgp-message.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

using namespace ns3::aidc;

namespace
{

/// Writes segments of TCP into a capture.
class Capture
{
  public:
    explicit Capture(const std::string& path)
        : m_file(path, std::ios::binary)
    {
        BgpBytes header;
        AppendBgp(header, uint32_t{0xa1b2c3d4}); // microseconds, in network byte order
        AppendBgp(header, uint32_t{0x00020004}); // version 2.4
        header.resize(header.size() + 8);
        AppendBgp(header, uint32_t{65535}); // longest packet
        AppendBgp(header, uint32_t{101});   // raw IP
        Write(header);
    }

    /// Send bytes to port 179.
    void Send(uint16_t sourcePort, const BgpBytes& bytes)
    {
        // Segments of 1000 bytes, so that full messages take several
        for (std::size_t begin = 0; begin < bytes.size(); begin += 1000)
        {
            const auto end = std::min<std::size_t>(bytes.size(), begin + 1000);
            WriteSegment(sourcePort,
                         BgpBytes(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                                  bytes.begin() + static_cast<std::ptrdiff_t>(end)));
        }
    }

  private:
    void Write(const BgpBytes& bytes)
    {
        std::copy(bytes.begin(), bytes.end(), std::ostreambuf_iterator<char>(m_file));
    }

    void WriteSegment(uint16_t sourcePort, const BgpBytes& payload)
    {
        const auto length = static_cast<uint16_t>(40 + payload.size());
        Ipv4Bytes ip{0x45};
        StoreBgp(&ip[Ipv4Offset::LENGTH], length);
        ip[Ipv4Offset::TTL] = 255;
        ip[Ipv4Offset::PROTOCOL] = 6;
        StoreBgp(&ip[Ipv4Offset::SOURCE], uint32_t{0x0a000102});
        StoreBgp(&ip[Ipv4Offset::DESTINATION], uint32_t{0x0a000101});
        SetIpv4Checksum(ip);
        BgpBytes packet(ip.begin(), ip.end());
        AppendBgp(packet, sourcePort);
        AppendBgp(packet, BGP_PORT);
        uint32_t& sequence = m_sequences[sourcePort % 2];
        AppendBgp(packet, sequence);
        AppendBgp(packet, uint32_t{1});      // acknowledgment
        AppendBgp(packet, uint16_t{0x5018}); // 20 bytes of header; PSH, ACK
        AppendBgp(packet, uint16_t{65535});  // window
        AppendBgp(packet, uint32_t{0});      // checksum, which tshark ignores; urgent pointer
        AppendBgpBytes(packet, payload);
        sequence += static_cast<uint32_t>(payload.size());

        BgpBytes record;
        AppendBgp(record, ++m_nPackets); // a second each
        AppendBgp(record, uint32_t{0});
        AppendBgp(record, static_cast<uint32_t>(packet.size()));
        AppendBgp(record, static_cast<uint32_t>(packet.size()));
        Write(record);
        Write(packet);
    }

    std::ofstream m_file;          //!< the capture
    uint32_t m_nPackets{0};        //!< packets so far
    uint32_t m_sequences[2]{1, 1}; //!< next sequence number of each connection
};

/// Attributes of all kinds, whose path begins with an AS.
BgpPathAttributes
MakeAttributes(uint32_t as)
{
    BgpPathAttributes attributes;
    attributes.origin = BgpOrigin::INCOMPLETE;
    attributes.asPath.segments = {{BgpSegmentType::SEQUENCE, {as, 4200000002}},
                                  {BgpSegmentType::SET, {64512, 4200000003}}};
    attributes.nextHop = 0x0a000102;
    attributes.multiExitDisc = 7;
    attributes.isAtomicAggregate = true;
    attributes.aggregator = BgpAggregator{4200000002, 0x0a000009};
    attributes.communities = {BGP_NO_EXPORT, 0xfde90001};
    attributes.largeCommunities = {{as, 1, 2}};
    attributes.unknown = {{200, {1, 2, 3}}};
    BandwidthFormat format;
    format.routerId = 0x0a000002;
    format.as = 65002;
    BandwidthChange change;
    change.transitive = 12.5e9;
    change.nonTransitive = 50e9;
    ChangeBandwidths(change, format, attributes.extendedCommunities);
    format.carrier = BandwidthCarrier::LINK_BANDWIDTH;
    attributes.extendedCommunities.push_back(EncodeBandwidth(12.5e9, true, format));
    attributes.extendedCommunities.push_back(EncodeBandwidth(50e9, false, format));
    return attributes;
}

/// An UPDATE with path attributes only.
BgpBytes
MakeUpdate(const BgpBytes& attributes)
{
    BgpBytes message = BeginBgpMessage(BgpMessageType::UPDATE);
    AppendBgp(message, uint16_t{0});
    AppendBgp(message, static_cast<uint16_t>(attributes.size()));
    AppendBgpBytes(message, attributes);
    FinishBgpMessage(message);
    return message;
}

/// What a peer sends in a session.
void
WriteSession(Capture& capture, uint16_t port, const BgpOpen& open, const BgpSessionTerms& session)
{
    const auto all = std::make_shared<const BgpPathAttributes>(MakeAttributes(open.GetAs()));
    const auto plain = [&open] {
        BgpPathAttributes others;
        others.asPath.Prepend(open.GetAs());
        others.nextHop = 0x0a000102;
        others.multiExitDisc = 1; // tshark guesses the size of ASs, and may look behind AS_PATH
        return std::make_shared<const BgpPathAttributes>(others);
    }();
    capture.Send(port, EncodeBgpOpen(open));
    capture.Send(port, EncodeBgpKeepalive());

    // Routes of each length, and more than fit in a message; all withdrawn again
    std::vector<BgpOutgoingRoute> routes;
    std::vector<BgpPrefix> prefixes;
    for (uint32_t i = 0; i < 33; ++i)
    {
        routes.push_back({MakeBgpPrefix(0xc0000200, static_cast<uint8_t>(i)), all});
    }
    for (uint32_t i = 0; i < 1500; ++i)
    {
        routes.push_back({MakeBgpPrefix(0x0a000000 + (i << 8), 24), plain});
    }
    for (const BgpOutgoingRoute& route : routes)
    {
        prefixes.push_back(route.prefix);
    }
    BgpBytes stream;
    for (const BgpBytes& message : PackBgpUpdates({}, routes, session).messages)
    {
        AppendBgpBytes(stream, message);
    }
    for (const BgpBytes& message : PackBgpUpdates(prefixes, {}, session).messages)
    {
        AppendBgpBytes(stream, message);
    }
    capture.Send(port, stream);

    // MP_REACH_NLRI and MP_UNREACH_NLRI of 10.9.0.0/16, which speakers read but do not send; and
    // End of RIB
    BgpBytes attributes = {0x80, 14, 12, 0, 1, 1, 4, 10, 0, 1, 2, 0, 16, 10, 9};
    EncodeBgpPathAttributes(attributes, *plain, session);
    capture.Send(port, MakeUpdate(attributes));
    capture.Send(port, MakeUpdate({0x80, 15, 6, 0, 1, 1, 16, 10, 9}));
    BgpBytes rest = MakeUpdate({});
    AppendBgpBytes(rest, EncodeBgpRouteRefresh({}));
    AppendBgpBytes(rest, EncodeBgpKeepalive());
    capture.Send(port, rest);
    capture.Send(port, EncodeBgpNotification(BgpCease::CONNECTION_COLLISION_RESOLUTION));
}

} // namespace

int
main(int argc, char* argv[])
{
    if (argc != 2)
    {
        std::cerr << "Usage: " << argv[0] << " FILE" << std::endl;
        return 2;
    }
    Capture capture(argv[1]);
    BgpOpen open = MakeBgpOpen(4200000001, 9, 0x0a000002);
    // extended messages (RFC 8654) and graceful restart
    open.capabilities.unknown = {{6, {}}, {64, {0, 120, 0, 1, 1, 0x80}}};
    WriteSession(capture, 50000, open, {});

    open = MakeBgpOpen(65002, 9, 0x0a000002);
    open.capabilities.fourOctetAs.reset();
    BgpSessionTerms session;
    session.isFourOctetAs = false;
    WriteSession(capture, 50001, open, session);
    return 0;
}
