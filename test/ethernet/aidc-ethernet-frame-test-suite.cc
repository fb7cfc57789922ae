// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"

#include "ns3/ethernet-frame.h"
#include "ns3/ipv4-header.h"

#include <boost/endian/conversion.hpp>

// Frames whose headers are values.
AIDC_TEST_SUITE("aidc-ethernet-frame", UNIT);

using boost::endian::load_big_u16;

using Bytes = std::vector<uint8_t>;

/// The addresses and the EtherType of a frame with an IPv4 packet, by hand.
const Bytes ETHERNET{0x02, 0, 0, 0, 0, 0x0b, 0x02, 0, 0, 0, 0, 0x0a, 0x08, 0x00};
/// 23 bytes of protocol 253 (RFC 3692) from 10.0.0.1 to 10.0.1.2, TTL 7, without a checksum.
const Bytes IPV4{0x45, 0x02, 0x00, 0x17, 0x12, 0x34, 0x40, 0x00, 0x07, 0xfd,
                 0x00, 0x00, 0x0a, 0x00, 0x00, 0x01, 0x0a, 0x00, 0x01, 0x02};
/// What follows.
const Bytes PAYLOAD{0xaa, 0xbb, 0xcc};

/// Put bytes one after the other. size: the size of the result, to which it is padded with zeros; 0
/// for no padding.
Bytes
Join(const std::vector<Bytes>& parts, std::size_t size = 0)
{
    Bytes all;
    for (const auto& part : parts)
    {
        all.insert(all.end(), part.begin(), part.end());
    }
    all.resize(std::max(size, all.size()));
    return all;
}

Bytes
Get(const Ptr<const Packet>& packet)
{
    Bytes bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

/// Make a frame of a packet, whose headers are values.
EthernetFrame
MakeTransitFrame()
{
    EthernetFrame frame;
    frame.packet = Create<Packet>(PAYLOAD.data(), static_cast<uint32_t>(PAYLOAD.size()));
    std::copy_n(ETHERNET.begin(), 6, frame.fields.destination.begin());
    std::copy_n(ETHERNET.begin() + 6, 6, frame.fields.source.begin());
    frame.fields.etherType = 0x0800;
    std::copy(IPV4.begin(), IPV4.end(), frame.transit.bytes.begin());
    frame.hasTransit = true;
    return frame;
}

// Headers that are values are the bytes that they stand for.
AIDC_TEST_CASE("Headers that are values are written as their bytes")
{
    auto frame = MakeTransitFrame();
    NS_TEST_EXPECT_MSG_EQ(frame.GetPayloadSize(), 23, "with the IPv4 header");
    NS_TEST_EXPECT_MSG_EQ(frame.GetSize(), 60, "with padding");
    AIDC_EXPECT(Get(frame.Write()) == Join({ETHERNET, IPV4, PAYLOAD}, 60), "the whole frame");
    NS_TEST_EXPECT_MSG_EQ(frame.GetSize(), 60, "as before");
    AIDC_EXPECT(Get(frame.Write()) == Join({ETHERNET, IPV4, PAYLOAD}, 60), "the second time too");
    AIDC_ASSERT(frame.Read({}), "whole");
    AIDC_EXPECT(!frame.hasTransit, "in the bytes now");
    NS_TEST_EXPECT_MSG_EQ(frame.fields.etherType, 0x0800, "IPv4");
    AIDC_EXPECT(Get(frame.TakePayload()) == Join({IPV4, PAYLOAD}, 46),
                "the payload with its padding");
    NS_TEST_EXPECT_MSG_EQ(frame.packet, nullptr, "taken");

    frame = MakeTransitFrame();
    AIDC_EXPECT(Get(frame.WritePayload()) == Join({IPV4, PAYLOAD}), "the packet");
    Ipv4Header header;
    frame.packet->PeekHeader(header);
    NS_TEST_EXPECT_MSG_EQ(header.GetDestination(), Ipv4Address("10.0.1.2"), "as ns-3 reads it");

    // A whole frame, of which a switch makes values again
    const auto transit = MakeTransitFrame().transit;
    frame = MakeTransitFrame();
    frame.Write();
    frame.Read({});
    const Ptr<const Packet> kept = frame.packet;
    frame.ReadPayload(transit);
    AIDC_EXPECT(Get(frame.packet) == PAYLOAD, "no header, no padding");
    AIDC_EXPECT(Get(kept) == Join({IPV4, PAYLOAD}, 46), "not changed");
    AIDC_EXPECT(Get(frame.Write()) == Join({ETHERNET, IPV4, PAYLOAD}, 60), "the same frame");

    frame = MakeTransitFrame();
    frame.fields.vlans[0].id = 7;
    frame.fields.nVlans = 1;
    AIDC_EXPECT(Get(frame.Write()) == Join({Bytes(ETHERNET.begin(), ETHERNET.begin() + 12),
                                            {0x81, 0x00, 0x00, 0x07, 0x08, 0x00},
                                            IPV4,
                                            PAYLOAD},
                                           60),
                "a tag takes the place of padding");

    frame = MakeTransitFrame();
    AIDC_EXPECT(Get(frame.TakePayload()) == Join({IPV4, PAYLOAD}, 46),
                "with padding, as if it had been read");
}

// Who has kept a packet does not see it change; tags go with the frame.
AIDC_TEST_CASE("Packets that somebody has kept do not change, and tags stay")
{
    auto frame = MakeTransitFrame();
    const Ptr<const Packet> payload = frame.packet;
    const Ptr<const Packet> whole = frame.Write();
    AIDC_EXPECT(Get(payload) == PAYLOAD, "without headers");
    SocketIpTtlTag tag;
    tag.SetTtl(9);
    whole->AddPacketTag(tag); // as traces may
    frame.Read({});
    NS_TEST_EXPECT_MSG_EQ(whole->GetSize(), 60, "still the whole frame");
    const auto taken = frame.TakePayload();
    SocketIpTtlTag read;
    AIDC_ASSERT(taken->PeekPacketTag(read), "the tag of the frame");
    NS_TEST_EXPECT_MSG_EQ(+read.GetTtl(), 9, "the TTL");
    NS_TEST_EXPECT_MSG_EQ(taken->GetUid(), payload->GetUid(), "the same packet to ns-3");
}

// What a station does not know, or takes for something else, it reads from bytes.
AIDC_TEST_CASE("A station reads of values what it would read of their bytes")
{
    const KnownTags known{{{{0x88b6, 4}, {}}}};
    auto frame = MakeTransitFrame();
    frame.fields.tag = {0x88, 0xb6, 0xca, 0xfe};
    frame.fields.tagSize = 4;
    AIDC_EXPECT(frame.Read(known), "a known tag is read");
    AIDC_EXPECT(frame.hasTransit, "values are kept");
    AIDC_EXPECT(frame.Read({}), "a frame without a tag is read");
    NS_TEST_EXPECT_MSG_EQ(frame.fields.etherType, 0x88b6, "the TPID");
    NS_TEST_EXPECT_MSG_EQ(+frame.fields.tagSize, 0, "no tag");
    AIDC_EXPECT(Get(frame.TakePayload()) == Join({{0xca, 0xfe, 0x08, 0x00}, IPV4, PAYLOAD}, 46),
                "the rest of the tag is payload");

    auto raw = EthernetFrame::FromBytes(Create<Packet>(13));
    NS_TEST_EXPECT_MSG_EQ(raw.GetSize(), 13, "as it is");
    AIDC_EXPECT(!raw.Read(known), "too short for a header");
    NS_TEST_EXPECT_MSG_EQ(raw.Write()->GetSize(), 13, "as before");
}

// Headers of a sequence of packets, of which fields change and stay, are the same as ns-3 reads
// from the same bytes.
AIDC_TEST_CASE("Headers of transit packets are those of their bytes")
{
    // The fields behind version and header length, with the bits that they have.
    const std::vector<std::pair<std::size_t, Bytes>> fields{{1, {0xff}},
                                                            {2, {0x03, 0xff}},
                                                            {4, {0xff, 0xff}},
                                                            {6, {0x7f, 0xff}},
                                                            {8, {0xff}},
                                                            {9, {0xff}},
                                                            {12, {0xff, 0xff, 0xff, 0xff}},
                                                            {16, {0xff, 0xff, 0xff, 0xff}}};
    std::mt19937 random(1);
    TransitHeaderReader reader;
    Ipv4Bytes bytes{0x45, 0, 0, 20};
    constexpr int N_PACKETS = 2000;
    for (int i = 0; i < N_PACKETS; ++i)
    {
        for (const auto& [offset, mask] : fields)
        {
            for (std::size_t j = 0; random() % 3 == 0 && j < mask.size(); ++j)
            {
                bytes[offset + j] = static_cast<uint8_t>(random()) & mask[j];
            }
        }
        bytes[3] = std::max<uint8_t>(bytes[3], 20); // at least the header itself
        auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
        packet->AddPaddingAtEnd(load_big_u16(&bytes[2]) - 20);
        Ipv4Header expected;
        packet->RemoveHeader(expected);
        const Ipv4Header& header = reader.Read(bytes);
        std::ostringstream read;
        std::ostringstream other;
        header.Print(read);
        expected.Print(other);
        NS_TEST_ASSERT_MSG_EQ(read.str(), other.str(), "packet " << i);
        NS_TEST_ASSERT_MSG_EQ(header.GetIdentification(),
                              expected.GetIdentification(),
                              "packet " << i);
    }
}
