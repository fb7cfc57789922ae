// SPDX-License-Identifier: GPL-2.0-only

// CSIG on hosts: TCP segments, from limits to nonsense.

#include "csig-host-traffic.h"
#include "test/test-case.h"

#include "ns3/csig-helper.h"
#include "ns3/global-value.h"

AIDC_TEST_SUITE("aidc-csig-host-segments", UNIT);

constexpr uint16_t MTU = 1500; //!< of all devices, in bytes

struct Mtu
{
    CsigFormat format; //!< the format of the tags
    uint32_t excess;   //!< by how much segments are larger than recommended
};

// Segments with the option stay within the MTU (section 7.3: no fragmentation), and segments of the
// recommended size fill it.
AIDC_TEST_CASE_P(MtuTestCase,
                 Mtu,
                 row,
                 "7.3: segments fit the MTU, " +
                     std::string(row.format == CsigFormat::COMPACT ? "compact" : "expanded") +
                     ", data " + std::to_string(row.excess) + " bytes too large")
{
    CsigHostNetwork network(MTU);
    CsigHostHelper helper;
    helper.SetAttribute("Format", EnumValue(row.format));
    helper.Install(NodeContainer(network.nodes.Get(0), network.nodes.Get(2)));
    const auto& statistics = network.nodes.Get(0)->GetObject<CsigHost>()->GetStatistics();
    uint32_t largest = 0;
    uint32_t fragments = 0;
    network.toB->edit = [&](Ptr<Packet> packet) {
        const auto seen = Look(packet);
        fragments += seen.header.bytes[0] != 0x13 || seen.header.bytes[1] != 0x88;
        largest = std::max(largest, packet->GetSize() + 20);
        return true;
    };
    const auto size = row.excess + CsigHostHelper::GetSegmentSize(MTU,
                                                                  row.format == CsigFormat::COMPACT
                                                                      ? CsigFormat::COMPACT
                                                                      : CsigFormat::EXPANDED);
    TcpConnection tcp(network, 500000, 500000, 8, size);
    RunFor(Seconds(2));

    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(0) + tcp.GetReceived(1), 1000000, "data arrives");
    NS_TEST_EXPECT_MSG_EQ(fragments, 0, "nothing is fragmented");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(largest, MTU, "nothing exceeds the MTU");
    NS_TEST_EXPECT_MSG_GT(statistics.reflectionsReceived, 10, "signals come back");
    if (row.excess == 0)
    {
        NS_TEST_EXPECT_MSG_EQ(largest, MTU, "the recommended size fills the MTU");
        NS_TEST_EXPECT_MSG_EQ(statistics.overMtu, 0, "and all options fit");
    }
    else
    {
        NS_TEST_EXPECT_MSG_GT(statistics.overMtu, 0, "options are put off");
    }
}

// Section 4.2: with timestamps and three SACK blocks the header is full; the reflection waits.
AIDC_TEST_CASE("4.2: timestamps and SACK leave no room")
{
    CsigHostNetwork network;
    auto hostA = network.InstallA();
    auto hostB = network.InstallB();
    uint32_t data = 0;
    network.toB->edit = [&](Ptr<Packet> packet) {
        data += Look(packet).data > 0;
        // Two losses near each other, so that there are several blocks
        return data % 60 != 40 && data % 60 != 43 && data % 60 != 46;
    };
    uint32_t malformed = 0;
    uint64_t reflections = 0;
    network.toA->edit = [&](Ptr<Packet> packet) {
        const auto seen = Look(packet);
        malformed += seen.header.size == 0 || !FindTcpOption(seen.header, {253, 0});
        reflections += seen.reflection && seen.reflection->fields;
        return true;
    };
    TcpConnection tcp(network, 1000000, 0);
    RunFor(Seconds(20));

    const auto& a = hostA->GetStatistics();
    const auto& b = hostB->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 1000000, "data arrives");
    // Of each 60 segments three are lost, which leave three gaps. Until the first one is
    // closed, a round trip later, each further segment is acknowledged with three SACK blocks:
    // 12 bytes of timestamps and 26 of SACK leave 2 of 40. The last 60 segments may be
    // incomplete.
    NS_TEST_EXPECT_MSG_GT_OR_EQ(b.noRoom, data / 60, "there were full headers");
    NS_TEST_EXPECT_MSG_EQ(malformed, 0, "all headers are well-formed");
    NS_TEST_EXPECT_MSG_EQ(b.reflectionsSent, reflections, "reflections on the wire");
    NS_TEST_EXPECT_MSG_EQ(a.reflectionsReceived, reflections, "reflections that arrive");
    NS_TEST_EXPECT_MSG_GT(reflections, 500, "most acknowledgments had room");
    AIDC_EXPECT(hostA->GetCapability(tcp.GetFlowOfA()) == CsigCapability::CAPABLE,
                "losses do not look like stripping");
}

// Segments that are cut anywhere are counted and dropped, and never end the program.
AIDC_TEST_CASE("RFC 9293, 3.1: cut segments")
{
    CsigHostNetwork network;
    auto host = network.InstallB();
    uint64_t dropped = 0;
    ConnectTrace(host, "Drop", [&](Ptr<const Packet>) { ++dropped; });
    const auto whole = MakeSegment({253, 6, 0xC5, 0x16, 0x0F, 0x80, 1, 1});
    Simulator::Schedule(MilliSeconds(1), [&] {
        for (std::size_t size = 0; size <= whole.size(); ++size)
        {
            const Bytes cut(whole.begin(), whole.begin() + size);
            const auto status = GiveToB(network, cut);
            NS_TEST_EXPECT_MSG_EQ((status == IpL4Protocol::RX_CSUM_FAILED),
                                  (size < whole.size()),
                                  "only the whole one gets to TCP, size " << size);
        }
    });
    RunFor(MilliSeconds(2));
    NS_TEST_EXPECT_MSG_EQ(dropped, whole.size(), "drops are traced");
    NS_TEST_EXPECT_MSG_EQ(host->GetStatistics().malformedSegments, whole.size(), "and counted");
    NS_TEST_EXPECT_MSG_EQ(host->GetStatistics().unexpectedOptions, 1, "there is no agreement");
}

// Section 4.2.1: the option with every length that there is.
AIDC_TEST_CASE("4.2.1: options of every length")
{
    CsigHostNetwork network;
    auto host = network.InstallB();
    Simulator::Schedule(MilliSeconds(1), [&] {
        const auto& statistics = host->GetStatistics();
        for (uint32_t length = 0; length < 256; ++length)
        {
            const auto before = statistics;
            Bytes options(40);
            options[0] = 253;
            options[1] = static_cast<uint8_t>(length);
            if (length >= 4) // else they are of what follows it
            {
                options[2] = 0xC5;
                options[3] = 0x16;
            }
            const auto status = GiveToB(network, MakeSegment(options));
            const bool isPossible = length >= 2 && length <= 40; // RFC 9293, 3.1
            const bool isOurs = length >= 4;                     // RFC 6994: has its identifier
            const bool isGood = length == 4 || length == 6 || length == 10;
            NS_TEST_EXPECT_MSG_EQ((status == IpL4Protocol::RX_CSUM_FAILED),
                                  !isPossible,
                                  "dropped if impossible, length " << length);
            NS_TEST_EXPECT_MSG_EQ(statistics.malformedSegments - before.malformedSegments,
                                  (isPossible ? 0 : 1),
                                  "impossible lengths are counted, length " << length);
            NS_TEST_EXPECT_MSG_EQ(statistics.malformedOptions - before.malformedOptions,
                                  (isPossible && isOurs && !isGood ? 1 : 0),
                                  "other lengths of the option are counted, length " << length);
            NS_TEST_EXPECT_MSG_EQ(statistics.unexpectedOptions - before.unexpectedOptions,
                                  (isPossible && isGood ? 1 : 0),
                                  "good ones without agreement are counted, length " << length);
        }
    });
    RunFor(MilliSeconds(2));
}

// Random options of random segments never end the program, nor spoil a connection.
AIDC_TEST_CASE("Random segments")
{
    constexpr std::array<uint8_t, 13> LIKELY{0, 1, 2, 3, 4, 5, 6, 8, 10, 253, 253, 0xC5, 0x16};
    CsigHostNetwork network;
    auto hostB = network.InstallB();
    auto hostA = network.InstallA();
    hostB->SetAttribute("MaxFlows", UintegerValue(16));
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    const auto draw = [&](uint32_t n) { return random->GetInteger(0, n - 1); };
    constexpr uint32_t SEGMENTS = 20000;
    uint32_t dropped = 0;
    Simulator::Schedule(MilliSeconds(1), [&] {
        for (uint32_t i = 0; i < SEGMENTS; ++i)
        {
            Bytes options(4 * draw(11));
            for (auto& byte : options)
            {
                byte = LIKELY[draw(LIKELY.size())];
            }
            auto segment = MakeSegment(options);
            segment[1] = static_cast<uint8_t>(draw(256)); // the port
            constexpr std::array<uint8_t, 4> FLAGS{TcpHeader::SYN,
                                                   TcpHeader::SYN | TcpHeader::ACK,
                                                   TcpHeader::ACK,
                                                   TcpHeader::RST};
            segment[13] = FLAGS[draw(4)];
            segment[12] = static_cast<uint8_t>(
                draw(20) == 0 ? draw(16) << 4 : segment[12]); // sometimes a wrong offset
            dropped += GiveToB(network, segment) == IpL4Protocol::RX_CSUM_FAILED;
        }
    });
    RunFor(MilliSeconds(2));
    NS_TEST_EXPECT_MSG_EQ(dropped, hostB->GetStatistics().malformedSegments, "drops are counted");
    NS_TEST_EXPECT_MSG_GT(dropped, SEGMENTS / 10, "many are malformed");
    NS_TEST_EXPECT_MSG_LT(dropped, SEGMENTS, "and some are not");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(hostB->GetNFlows(), 16, "the table is bounded");

    TcpConnection tcp(network, 100000, 0);
    RunFor(Seconds(2));
    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 100000, "data arrives");
    NS_TEST_EXPECT_MSG_EQ(hostA->GetStatistics().reflectionsReceived, 100, "with all signals");
}

void
RunWithChecksums()
{
    CsigHostNetwork network;
    auto host = network.InstallA();
    network.InstallB();
    const auto a = network.addressA.Get();
    const auto b = network.addressB.Get();
    uint32_t wrong = 0;
    uint32_t options = 0;
    const auto check = [&](Ptr<Packet> packet) {
        Bytes bytes(packet->GetSize());
        packet->CopyData(bytes.data(), packet->GetSize());
        // The sum does not tell the directions apart.
        wrong += ComputeTcpChecksum(a, b, bytes.data(), bytes.size()) != 0;
        options += Look(packet).hasOption;
    };
    network.toB->edit = [&](Ptr<Packet> packet) {
        check(packet);
        return true;
    };
    uint32_t acks = 0;
    uint32_t spoilt = 0;
    network.toA->edit = [&](Ptr<Packet> packet) {
        check(packet);
        auto seen = Look(packet);
        if (seen.reflection && seen.reflection->fields && ++acks % 10 == 0)
        {
            const auto place = FindTcpOption(seen.header, {253, CSIG_DEFAULT_EXID});
            seen.header.bytes[place->offset + 5] ^= 1; // the lowest bit of the locator
            packet->RemoveAtStart(packet->GetSize());  // an ACK without data
            packet->AddAtEnd(
                Create<Packet>(seen.header.bytes.data(), static_cast<uint32_t>(seen.header.size)));
            ++spoilt;
        }
        return true;
    };
    uint32_t spoiltSignals = 0;
    ConnectTrace(host, "Signal", [&](const FlowKey&, const CsigFields& fields) {
        spoiltSignals += fields.locator != 0;
    });
    TcpConnection tcp(network, 200000, 0);
    RunFor(Seconds(5));

    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 200000, "data arrives");
    NS_TEST_EXPECT_MSG_GT(options, 150, "options were on the wire");
    NS_TEST_EXPECT_MSG_EQ(wrong, 0, "all checksums are right");
    NS_TEST_EXPECT_MSG_GT(spoilt, 10, "then some were spoilt");
    NS_TEST_EXPECT_MSG_EQ(host->GetStatistics().corruptSegments, spoilt, "which is counted");
    NS_TEST_EXPECT_MSG_EQ(spoiltSignals, 0, "and believed by nobody");
}

// RFC 9293, section 3.1: checksums are right with the option and without, and a wrong one is not
// made right.
AIDC_TEST_CASE("RFC 9293, 3.1: checksums")
{
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    RunWithChecksums();
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
}

AIDC_ADD_TEST_CASES()
{
    for (const auto format : {CsigFormat::COMPACT, CsigFormat::EXPANDED})
    {
        for (const uint32_t excess : {0, 1, 4}) // 4: what TCP alone just fits
        {
            AddTestCase(new MtuTestCase({format, excess}));
        }
    }
}
