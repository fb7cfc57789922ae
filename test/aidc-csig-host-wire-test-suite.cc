/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// CSIG on hosts: what is on the wire, from limits to nonsense, UDP and configuration. Sections are
// those of draft-ravi-ippm-csig-01.

#include "csig-host-network.h"
#include "death-test.h"

#include "ns3/boolean.h"
#include "ns3/csig-host-helper.h"
#include "ns3/csig-reflection-header.h"
#include "ns3/enum.h"
#include "ns3/global-value.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/tcp-header.h"
#include "ns3/test.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

using Bytes = std::vector<uint8_t>;

constexpr uint16_t MTU = 1500;

/**
 * @brief Hand a TCP segment to a host as if it came from the wire.
 * @param network the network
 * @param bytes the segment
 * @return what IPv4 is told
 */
IpL4Protocol::RxStatus
GiveToB(const CsigHostNetwork& network, const Bytes& bytes)
{
    auto ipv4 = network.nodes.Get(2)->GetObject<Ipv4L3Protocol>();
    Ipv4Header header;
    header.SetSource(network.addressA);
    header.SetDestination(network.addressB);
    header.SetProtocol(6);
    header.SetPayloadSize(static_cast<uint16_t>(bytes.size()));
    auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    return ipv4->GetProtocol(6)->Receive(packet, header, ipv4->GetInterface(1));
}

/**
 * @brief Make a TCP segment without data to a port where nobody listens.
 * @param options its options, a multiple of 4 bytes
 * @return the segment
 */
Bytes
MakeSegment(const Bytes& options)
{
    Bytes bytes(20 + options.size());
    bytes[0] = 0x13; // port 5000
    bytes[1] = 0x88;
    bytes[3] = 9;
    bytes[12] = static_cast<uint8_t>(bytes.size() / 4 << 4);
    bytes[13] = TcpHeader::ACK;
    std::copy(options.begin(), options.end(), bytes.begin() + 20);
    return bytes;
}

/**
 * @ingroup aidc-test
 * @brief Segments with the option stay within the MTU (section 7.3: no fragmentation), and those of
 *        the recommended size fill it.
 */
class MtuTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param format the format of the tags
     * @param excess by how much segments are larger than recommended, in bytes
     */
    MtuTestCase(CsigHost::Format format, uint32_t excess)
        : TestCase("7.3: segments fit the MTU, " +
                   std::string(format == CsigHost::COMPACT ? "compact" : "expanded") + ", data " +
                   std::to_string(excess) + " bytes too large"),
          m_format(format),
          m_excess(excess)
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network(MTU);
        CsigHostHelper helper;
        helper.SetAttribute("Format", EnumValue(m_format));
        helper.Install(NodeContainer(network.nodes.Get(0), network.nodes.Get(2)));
        const auto& counters = network.nodes.Get(0)->GetObject<CsigHost>()->GetCounters();
        uint32_t largest = 0;
        uint32_t fragments = 0;
        network.toB->edit = [&](Ptr<Packet> packet) {
            const auto seen = Look(packet);
            fragments += seen.header.bytes[0] != 0x13 || seen.header.bytes[1] != 0x88;
            largest = std::max(largest, packet->GetSize() + 20);
            return true;
        };
        const auto size = m_excess + CsigHostHelper::GetSegmentSize(MTU,
                                                                    m_format == CsigHost::COMPACT
                                                                        ? CsigFormat::COMPACT
                                                                        : CsigFormat::EXPANDED);
        TcpConnection tcp(network, 500000, 500000, 8, size);
        Simulator::Stop(Seconds(2));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(0) + tcp.GetReceived(1), 1000000, "data arrives");
        NS_TEST_EXPECT_MSG_EQ(fragments, 0, "nothing is fragmented");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(largest, MTU, "nothing exceeds the MTU");
        NS_TEST_EXPECT_MSG_GT(counters.reflectionsReceived, 10, "signals come back");
        if (m_excess == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(largest, MTU, "the recommended size fills the MTU");
            NS_TEST_EXPECT_MSG_EQ(counters.overMtu, 0, "and all options fit");
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT(counters.overMtu, 0, "options are put off");
        }
    }

    CsigHost::Format m_format; //!< the format of the tags
    uint32_t m_excess;         //!< by how much segments are larger than recommended
};

/**
 * @ingroup aidc-test
 * @brief Section 4.2: with timestamps and three SACK blocks the header is full; the reflection
 *        waits.
 */
class FullHeaderTestCase : public TestCase
{
  public:
    FullHeaderTestCase()
        : TestCase("4.2: timestamps and SACK leave no room")
    {
    }

  private:
    void DoRun() override
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
        Simulator::Stop(Seconds(20));
        Simulator::Run();

        const auto& a = hostA->GetCounters();
        const auto& b = hostB->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 1000000, "data arrives");
        NS_TEST_EXPECT_MSG_GT(b.noRoom, 0, "there were full headers");
        NS_TEST_EXPECT_MSG_EQ(malformed, 0, "all headers are well-formed");
        NS_TEST_EXPECT_MSG_EQ(b.reflectionsSent, reflections, "reflections on the wire");
        NS_TEST_EXPECT_MSG_EQ(a.reflectionsReceived, reflections, "reflections that arrive");
        NS_TEST_EXPECT_MSG_GT(reflections, 500, "most acknowledgments had room");
        NS_TEST_EXPECT_MSG_EQ((hostA->GetCapability(tcp.GetFlowOfA()) == CsigCapability::CAPABLE),
                              true,
                              "losses do not look like stripping");
    }
};

/**
 * @ingroup aidc-test
 * @brief Segments that are cut anywhere are counted and dropped, and never end the program.
 */
class CutSegmentTestCase : public TestCase
{
  public:
    CutSegmentTestCase()
        : TestCase("RFC 9293, 3.1: cut segments")
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto host = network.InstallB();
        uint64_t dropped = 0;
        host->TraceConnectWithoutContext(
            "Drop",
            Callback<void, Ptr<const Packet>>([&](Ptr<const Packet>) { ++dropped; }));
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
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(dropped, whole.size(), "drops are traced");
        NS_TEST_EXPECT_MSG_EQ(host->GetCounters().malformedSegments, whole.size(), "and counted");
        NS_TEST_EXPECT_MSG_EQ(host->GetCounters().unexpectedOptions, 1, "there is no agreement");
    }
};

/**
 * @ingroup aidc-test
 * @brief Section 4.2.1: the option with every length that there is.
 */
class OptionLengthTestCase : public TestCase
{
  public:
    OptionLengthTestCase()
        : TestCase("4.2.1: options of every length")
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto host = network.InstallB();
        Simulator::Schedule(MilliSeconds(1), [&] {
            const auto& counters = host->GetCounters();
            for (uint32_t length = 0; length < 256; ++length)
            {
                const auto before = counters;
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
                NS_TEST_EXPECT_MSG_EQ(counters.malformedSegments - before.malformedSegments,
                                      (isPossible ? 0 : 1),
                                      "impossible lengths are counted, length " << length);
                NS_TEST_EXPECT_MSG_EQ(counters.malformedOptions - before.malformedOptions,
                                      (isPossible && isOurs && !isGood ? 1 : 0),
                                      "other lengths of the option are counted, length " << length);
                NS_TEST_EXPECT_MSG_EQ(counters.unexpectedOptions - before.unexpectedOptions,
                                      (isPossible && isGood ? 1 : 0),
                                      "good ones without agreement are counted, length " << length);
            }
        });
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run();
    }
};

/**
 * @ingroup aidc-test
 * @brief Random options of random segments never end the program, nor spoil a connection.
 */
class RandomSegmentTestCase : public TestCase
{
  public:
    RandomSegmentTestCase()
        : TestCase("Random segments")
    {
    }

  private:
    void DoRun() override
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
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(dropped, hostB->GetCounters().malformedSegments, "drops are counted");
        NS_TEST_EXPECT_MSG_GT(dropped, SEGMENTS / 10, "many are malformed");
        NS_TEST_EXPECT_MSG_LT(dropped, SEGMENTS, "and some are not");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(hostB->GetNFlows(), 16, "the table is bounded");

        TcpConnection tcp(network, 100000, 0);
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 100000, "data arrives");
        NS_TEST_EXPECT_MSG_EQ(hostA->GetCounters().reflectionsReceived, 100, "with all signals");
    }
};

/**
 * @ingroup aidc-test
 * @brief RFC 9293, section 3.1: checksums are right with the option and without, and a wrong one is
 *        not made right.
 */
class ChecksumTestCase : public TestCase
{
  public:
    ChecksumTestCase()
        : TestCase("RFC 9293, 3.1: checksums")
    {
    }

  private:
    void DoRun() override
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        RunWithChecksums();
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    }

    /// Run it with checksums.
    void RunWithChecksums()
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
                packet->AddAtEnd(Create<Packet>(seen.header.bytes.data(),
                                                static_cast<uint32_t>(seen.header.size)));
                ++spoilt;
            }
            return true;
        };
        uint32_t spoiltSignals = 0;
        host->TraceConnectWithoutContext("Signal",
                                         Callback<void, const FlowKey&, const CsigFields&>(
                                             [&](const FlowKey&, const CsigFields& fields) {
                                                 spoiltSignals += fields.locator != 0;
                                             }));
        TcpConnection tcp(network, 200000, 0);
        Simulator::Stop(Seconds(5));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 200000, "data arrives");
        NS_TEST_EXPECT_MSG_GT(options, 150, "options were on the wire");
        NS_TEST_EXPECT_MSG_EQ(wrong, 0, "all checksums are right");
        NS_TEST_EXPECT_MSG_GT(spoilt, 10, "then some were spoilt");
        NS_TEST_EXPECT_MSG_EQ(host->GetCounters().corruptSegments, spoilt, "which is counted");
        NS_TEST_EXPECT_MSG_EQ(spoiltSignals, 0, "and believed by nobody");
    }
};

/**
 * @ingroup aidc-test
 * @brief RFC 6994: hosts that use different experiments do not agree, and do not disturb each
 * other.
 */
class OtherExperimentTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param attribute the attribute in which the hosts differ
     * @param value its value
     * @param isAtBoth whether both have it
     */
    OtherExperimentTestCase(const std::string& attribute, uint16_t value, bool isAtBoth)
        : TestCase("RFC 6994: " + attribute + (isAtBoth ? " of both hosts" : " of one host")),
          m_attribute(attribute),
          m_value(value),
          m_isAtBoth(isAtBoth)
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto hostA = network.InstallA();
        auto hostB = network.InstallB();
        hostA->SetAttribute(m_attribute, UintegerValue(m_value));
        if (m_isAtBoth)
        {
            hostB->SetAttribute(m_attribute, UintegerValue(m_value));
        }
        TcpConnection tcp(network, 100000, 0);
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 100000, "data arrives");
        NS_TEST_EXPECT_MSG_EQ(hostA->IsAgreed(tcp.GetFlowOfA()), m_isAtBoth, "agreement");
        NS_TEST_EXPECT_MSG_EQ(hostA->GetCounters().reflectionsReceived,
                              (m_isAtBoth ? 100 : 0),
                              "signals");
    }

    std::string m_attribute; //!< the attribute in which the hosts differ
    uint16_t m_value;        //!< its value
    bool m_isAtBoth;         //!< whether both have it
};

/**
 * @ingroup aidc-test
 * @brief Section 4.2.2: an application of requests and answers over UDP that reflects.
 */
class UdpTestCase : public TestCase
{
  public:
    /// What happens to the tags.
    enum Network
    {
        WRITES, ///< the router writes into them
        STRIPS, ///< the router strips them
        NO_TAGS ///< the hosts do not tag datagrams
    };

    /**
     * @brief Constructor.
     * @param kind what happens to the tags
     */
    explicit UdpTestCase(Network kind)
        : TestCase(std::string("4.2.2: reflection over UDP, ") +
                   (kind == WRITES   ? "tags arrive"
                    : kind == STRIPS ? "tags are stripped"
                                     : "datagrams are not tagged")),
          m_kind(kind)
    {
    }

  private:
    static constexpr uint32_t REQUESTS = 100; //!< how many there are

    void DoRun() override
    {
        CsigHostNetwork network;
        m_hosts[0] = network.InstallA();
        m_hosts[1] = network.InstallB();
        for (const auto& host : m_hosts)
        {
            host->SetAttribute("TagUdp", BooleanValue(m_kind != NO_TAGS));
        }
        m_hosts[1]->SetAttribute("Format", EnumValue(CsigHost::EXPANDED));
        m_flow = {network.addressA.Get(), network.addressB.Get(), 6000, 7, 17};
        std::vector<CsigFields> written[2];
        std::vector<CsigFields> signals[2];
        for (const int side : {0, 1})
        {
            (side == 0 ? network.toB : network.toA)->edit = [&, side](Ptr<Packet> packet) {
                CsigTag tag;
                if (m_kind == STRIPS)
                {
                    ReplaceTag(packet, std::nullopt);
                }
                else if (packet->PeekPacketTag(tag))
                {
                    auto fields = tag.GetFields();
                    fields.value = written[side].size() % 30;
                    fields.locator = static_cast<uint16_t>(side + 1);
                    written[side].push_back(fields);
                    ReplaceTag(packet, fields);
                }
                return true;
            };
            m_hosts[side]->TraceConnectWithoutContext(
                "Signal",
                Callback<void, const FlowKey&, const CsigFields&>(
                    [&, side](const FlowKey&, const CsigFields& fields) {
                        signals[side].push_back(fields);
                    }));
        }
        Open(network, 0, 6000);
        Open(network, 1, 7);
        m_sockets[0]->Connect(InetSocketAddress(network.addressB, 7));
        for (uint32_t i = 0; i < REQUESTS; ++i)
        {
            Simulator::Schedule(MilliSeconds(2 * i + 1), [this] { Request(); });
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(m_answers, REQUESTS, "all requests are answered");
        if (m_kind != WRITES)
        {
            NS_TEST_EXPECT_MSG_EQ(signals[0].size() + signals[1].size(), 0, "no signals");
            const auto capability = m_hosts[0]->GetCapability(m_flow);
            NS_TEST_EXPECT_MSG_EQ((capability == CsigCapability::NOT_CAPABLE),
                                  (m_kind == STRIPS),
                                  "6.3.3: the path is not capable");
            if (m_kind == STRIPS)
            {
                NS_TEST_EXPECT_MSG_LT(m_hosts[0]->GetCounters().tagsSent,
                                      REQUESTS / 4,
                                      "6.3.3: no more tags then");
            }
            return;
        }
        // A's last tag comes back with the last answer; B's has no request after it.
        NS_TEST_EXPECT_MSG_EQ(written[0].size(), REQUESTS, "requests are tagged");
        NS_TEST_EXPECT_MSG_EQ((signals[0] == written[0]), true, "4.4.4: A's signals");
        NS_TEST_EXPECT_MSG_EQ(written[1].size(), REQUESTS, "answers are tagged");
        written[1].pop_back();
        NS_TEST_EXPECT_MSG_EQ((signals[1] == written[1]), true, "4.4.4: B's signals");
    }

    /**
     * @brief Open a socket.
     * @param network the network
     * @param side 0 for A, 1 for B
     * @param port its port
     */
    void Open(const CsigHostNetwork& network, uint32_t side, uint16_t port)
    {
        m_sockets[side] =
            Socket::CreateSocket(network.nodes.Get(2 * side), UdpSocketFactory::GetTypeId());
        m_sockets[side]->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        m_sockets[side]->SetRecvCallback(
            MakeCallback(side == 0 ? &UdpTestCase::TakeAnswer : &UdpTestCase::Answer, this));
    }

    /// Send a request from A.
    void Request()
    {
        auto packet = Create<Packet>(100);
        m_hosts[0]->AddReflection(packet, m_flow);
        m_sockets[0]->Send(packet);
    }

    /**
     * @brief Answer a request at B: the same payload back, with what B reflects.
     * @param socket B's socket
     */
    void Answer(Ptr<Socket> socket)
    {
        const FlowKey flow{m_flow.destination, m_flow.source, 7, 6000, 17};
        Address from;
        while (auto packet = socket->RecvFrom(from))
        {
            NS_TEST_EXPECT_MSG_EQ(m_hosts[1]->RemoveReflection(packet, flow), true, "a header");
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 100, "the request is whole");
            m_hosts[1]->AddReflection(packet, flow);
            // The request's tag is still on it, and must not leave.
            socket->SendTo(packet, 0, from);
        }
    }

    /**
     * @brief Take an answer at A.
     * @param socket A's socket
     */
    void TakeAnswer(Ptr<Socket> socket)
    {
        while (auto packet = socket->Recv())
        {
            NS_TEST_EXPECT_MSG_EQ(m_hosts[0]->RemoveReflection(packet, m_flow), true, "a header");
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 100, "the answer is whole");
            ++m_answers;
        }
    }

    Network m_kind;           //!< what happens to the tags
    Ptr<CsigHost> m_hosts[2]; //!< of A and B
    Ptr<Socket> m_sockets[2]; //!< of A and B
    FlowKey m_flow;           //!< from A to B
    uint32_t m_answers{0};    //!< answers that have come
};

/**
 * @ingroup aidc-test
 * @brief Section 9: tags that an application leaves on a packet do not leave the host.
 */
class ForeignTagTestCase : public TestCase
{
  public:
    ForeignTagTestCase()
        : TestCase("9: applications cannot tag packets")
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto host = network.InstallA();
        uint32_t packets = 0;
        uint32_t tags = 0;
        network.toB->edit = [&](Ptr<Packet> packet) {
            CsigTag tag;
            tags += packet->PeekPacketTag(tag);
            ++packets;
            return true;
        };
        auto socket = Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
        Simulator::Schedule(MilliSeconds(1), [&] {
            auto packet = Create<Packet>(100);
            packet->AddPacketTag(CsigTag(CsigFields{CsigFormat::COMPACT, 0, 0, 0, 1}));
            socket->SendTo(packet, 0, InetSocketAddress(network.addressB, 7));
        });
        Simulator::Stop(MilliSeconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(packets, 1, "the packet leaves");
        NS_TEST_EXPECT_MSG_EQ(tags, 0, "without its tag");
        NS_TEST_EXPECT_MSG_EQ(host->GetCounters().foreignTags, 1, "which is counted");
    }
};

/**
 * @ingroup aidc-test
 * @brief Section 4.2.2: payloads that are too short for the header are left as they are.
 */
class ShortPayloadTestCase : public TestCase
{
  public:
    ShortPayloadTestCase()
        : TestCase("4.2.2: payloads without a whole header")
    {
    }

  private:
    void DoRun() override
    {
        auto host = CreateObject<CsigHost>();
        uint64_t bad = 0;
        for (const uint8_t flags : {0x80, 0xC0}) // 3 and 7 bytes
        {
            const std::size_t whole = flags == 0x80 ? 3 : 7;
            for (std::size_t size = 0; size <= 8; ++size)
            {
                Bytes bytes(size, 0);
                if (size > 0)
                {
                    bytes[0] = flags;
                }
                auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(size));
                const bool isTaken = host->RemoveReflection(packet, FlowKey());
                NS_TEST_EXPECT_MSG_EQ(isTaken, (size >= whole), "taken if whole, size " << size);
                NS_TEST_EXPECT_MSG_EQ(packet->GetSize(),
                                      (isTaken ? size - whole : size),
                                      "what is left, size " << size);
                bad += !isTaken;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(host->GetCounters().malformedReflections, bad, "counted");
        NS_TEST_EXPECT_MSG_EQ(bad, 3 + 7, "sizes below 3 and below 7");
    }
};

/**
 * @ingroup aidc-test
 * @brief Section 4.1.3: type codes are the domain's.
 */
class TypeCodeTestCase : public TestCase
{
  public:
    TypeCodeTestCase()
        : TestCase("4.1.3: other type codes")
    {
    }

  private:
    void DoRun() override
    {
        CsigHostNetwork network;
        auto domain = CreateObject<CsigDomain>();
        domain->SetAttribute("AbwType", UintegerValue(2));
        domain->SetAttribute("HopDelayType", UintegerValue(7));
        CsigHostHelper helper;
        helper.SetAttribute("Domain", PointerValue(domain));
        helper.SetAttribute("Signals", StringValue("max(PD),min(ABW)"));
        helper.SetAttribute("Mode", EnumValue(CsigHost::SUMMARY));
        helper.Install(NodeContainer(network.nodes.Get(0), network.nodes.Get(2)));
        std::vector<CsigFields> asked;
        uint32_t value = 0;
        network.toB->edit = [&](Ptr<Packet> packet) {
            CsigTag tag;
            if (packet->PeekPacketTag(tag))
            {
                auto fields = tag.GetFields();
                asked.push_back(fields);
                // Of four segments: a delay of 20, a bandwidth of 3, a delay of 10, a bandwidth of
                // 5
                constexpr uint32_t VALUES[]{20, 3, 10, 5};
                fields.value = VALUES[value++ % 4];
                ReplaceTag(packet, fields);
            }
            return true;
        };
        TcpConnection tcp(network, 4000, 0, 4);
        Simulator::Stop(Seconds(2));
        Simulator::Run();

        const std::vector<CsigFields> expected{{CsigFormat::COMPACT, 7, 0, 0, 0},
                                               {CsigFormat::COMPACT, 2, 0, 0, 31},
                                               {CsigFormat::COMPACT, 7, 0, 0, 0},
                                               {CsigFormat::COMPACT, 2, 0, 0, 31}};
        NS_TEST_EXPECT_MSG_EQ((asked == expected), true, "the domain's codes are asked for");
        auto host = network.nodes.Get(0)->GetObject<CsigHost>();
        NS_TEST_EXPECT_MSG_EQ(host->GetDomain(), domain, "users find the domain");
        const auto bandwidth = host->GetSignal(tcp.GetFlowOfA(), CsigSignal::ABW);
        NS_TEST_ASSERT_MSG_EQ(bandwidth.has_value(), true, "one ACK reflects the first type");
        NS_TEST_EXPECT_MSG_EQ(bandwidth->fields.value, 3, "the smallest bandwidth");
    }
};

/**
 * @ingroup aidc-test
 * @brief Configuration that cannot be.
 */
class ConfigurationTestCase : public TestCase
{
  public:
    ConfigurationTestCase()
        : TestCase("Impossible configuration is refused")
    {
    }

  private:
    void DoRun() override
    {
        auto host = CreateObject<CsigHost>();
        for (const std::string names : {"", ",", "min(ABW),", "min(ABW),,max(PD)", "abw", "min"})
        {
            NS_TEST_EXPECT_MSG_EQ(host->SetAttributeFailSafe("Signals", StringValue(names)),
                                  false,
                                  "no signals: " << names);
        }
        StringValue signals;
        host->GetAttribute("Signals", signals);
        NS_TEST_EXPECT_MSG_EQ(signals.Get(), "min(ABW)", "nothing has changed");
        NS_TEST_EXPECT_MSG_EQ(
            host->SetAttributeFailSafe("Signals", StringValue("max(PD),min(ABW/C)")),
            true,
            "two signals");
        host->GetAttribute("Signals", signals);
        NS_TEST_EXPECT_MSG_EQ(signals.Get(), "max(PD),min(ABW/C)", "in the order of asking");
        for (const auto& [name, value] :
             std::vector<std::pair<std::string, uint64_t>>{{"Period", 0},
                                                           {"Patience", 0},
                                                           {"MaxFlows", 0},
                                                           {"OptionKind", 252},
                                                           {"OptionKind", 255},
                                                           {"OptionExId", 65536}})
        {
            NS_TEST_EXPECT_MSG_EQ(host->SetAttributeFailSafe(name, UintegerValue(value)),
                                  false,
                                  name << " " << value);
        }
        const auto dies = [](const std::string& text, const std::function<void()>& call) {
            return RunInChild(call).Says(text);
        };
        NS_TEST_EXPECT_MSG_EQ(
            dies("InternetStackHelper", [] { CsigHostHelper().Install(NodeContainer(1)); }),
            true,
            "a node without IPv4");
        NS_TEST_EXPECT_MSG_EQ(dies("already",
                                   [] {
                                       NodeContainer node(1);
                                       InternetStackHelper().Install(node);
                                       CsigHostHelper().Install(node);
                                       CsigHostHelper().Install(node);
                                   }),
                              true,
                              "a second one on a node");
        const auto askForDepth = [](bool isOn) {
            NodeContainer node(1);
            InternetStackHelper().Install(node);
            CsigHostHelper helper;
            auto domain = CreateObject<CsigDomain>();
            domain->SetAttribute("QueueDepth", BooleanValue(isOn));
            helper.SetAttribute("Domain", PointerValue(domain));
            helper.SetAttribute("Signals", StringValue("max(nQD)"));
            helper.Install(node);
        };
        NS_TEST_EXPECT_MSG_EQ(dies("max(nQD)", [&] { askForDepth(false); }),
                              true,
                              "a signal that is off");
        NS_TEST_EXPECT_MSG_EQ(RunInChild([&] { askForDepth(true); }).died, false, "and on");
        CsigFlowRule rule;
        rule.prefixLength = 33;
        NS_TEST_EXPECT_MSG_EQ(dies("32 bits", [&] { host->Authorize(rule); }), true, "a prefix");
        rule = CsigFlowRule();
        rule.dscp = 64;
        NS_TEST_EXPECT_MSG_EQ(dies("63", [&] { host->Authorize(rule); }), true, "a DSCP");
    }
};

/**
 * @ingroup aidc-test
 * @brief The suite.
 */
class CsigHostWireTestSuite : public TestSuite
{
  public:
    CsigHostWireTestSuite()
        : TestSuite("aidc-csig-host-wire", TestSuite::Type::UNIT)
    {
        for (const auto format : {CsigHost::COMPACT, CsigHost::EXPANDED})
        {
            for (const uint32_t excess : {0, 1, 4}) // 4: what TCP alone just fits
            {
                AddTestCase(new MtuTestCase(format, excess));
            }
        }
        AddTestCase(new FullHeaderTestCase);
        AddTestCase(new CutSegmentTestCase);
        AddTestCase(new OptionLengthTestCase);
        AddTestCase(new RandomSegmentTestCase);
        AddTestCase(new ChecksumTestCase);
        AddTestCase(new OtherExperimentTestCase("OptionKind", 254, false));
        AddTestCase(new OtherExperimentTestCase("OptionKind", 254, true));
        AddTestCase(new OtherExperimentTestCase("OptionExId", 1, false));
        AddTestCase(new OtherExperimentTestCase("OptionExId", 1, true));
        AddTestCase(new UdpTestCase(UdpTestCase::WRITES));
        AddTestCase(new UdpTestCase(UdpTestCase::STRIPS));
        AddTestCase(new UdpTestCase(UdpTestCase::NO_TAGS));
        AddTestCase(new ForeignTagTestCase);
        AddTestCase(new ShortPayloadTestCase);
        AddTestCase(new TypeCodeTestCase);
        AddTestCase(new ConfigurationTestCase);
    }
};

CsigHostWireTestSuite g_csigHostWireTestSuite; //!< the suite

} // namespace
