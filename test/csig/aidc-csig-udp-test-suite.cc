// SPDX-License-Identifier: GPL-2.0-only

// What CSIG's signals are used for, with a router that writes what a test wants into tags. Section
// numbers refer to draft-ravi-ippm-csig-01.

#include "csig-use-network.h"
#include "model/csig/csig-l4-protocol.h"
#include "test/helper/test-fabrics.h"
#include "test/test-case.h"

#include "ns3/udp-header.h"

// Applications that reflect signals in the payload of UDP.
AIDC_TEST_SUITE("aidc-csig-udp", UNIT);

// Section 4.2.2: a UDP application reflects signals in its payload.
AIDC_TEST_CASE("Section 4.2.2: source and sink exchange signals, until all has arrived")
{
    UseNetwork network;
    network.WriteAll(42, 0x1234);
    network.source->SetAttribute("Size", UintegerValue(9500));
    network.sink->SetAttribute("Size", UintegerValue(9500));
    std::vector<CsigFields> signals;
    ConnectTrace(network.source, "Signal", [&](const FlowKey& flow, const CsigFields& fields) {
        NS_TEST_EXPECT_MSG_EQ(flow.sourcePort, 5000, "the only port");
        signals.push_back(fields);
    });
    RunFor(MilliSeconds(100));
    AIDC_EXPECT(network.sink->IsDone(), "9500 bytes have arrived");
    // 8 Mbit/s are 1 ms a datagram: the tenth is sent 9 ms after the first, and takes 1028 + 2
    // bytes at 100 Mbit/s and 10 us over each of two links.
    const Time finish = MicroSeconds(10) + MilliSeconds(9) + 2 * NanoSeconds(82400 + 10000);
    NS_TEST_EXPECT_MSG_EQ(network.sink->GetFinish(), finish, "the tenth datagram");
    NS_TEST_EXPECT_MSG_EQ(network.source->GetSentBytes(), 10000U, "the source has stopped");
    NS_TEST_EXPECT_MSG_EQ(network.sink->GetReceivedBytes(), 10000U, "nothing is lost");
    NS_TEST_ASSERT_MSG_EQ(signals.size(), 10U, "each datagram is answered");
    NS_TEST_EXPECT_MSG_EQ(signals[0].value, 42U, "what the router has written");
    NS_TEST_EXPECT_MSG_EQ(signals[0].locator, 0x1234, "and where");
}

// Losses are made up for, answers are as rare as configured.
AIDC_TEST_CASE("A source goes on until as much has arrived as it has to send")
{
    UseNetwork network;
    uint32_t nArrived = 0;
    uint32_t nAnswers = 0;
    network.toB->edit = [&](Ptr<Packet>) { return ++nArrived % 2 == 0; };
    network.toA->edit = [&](Ptr<Packet>) {
        ++nAnswers;
        return true;
    };
    network.source->SetAttribute("Size", UintegerValue(10000));
    network.sink->SetAttribute("Size", UintegerValue(10000));
    network.sink->SetAttribute("Period", UintegerValue(4));
    RunFor(MilliSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(network.source->GetSentBytes(), 20000U, "half of it is lost");
    NS_TEST_EXPECT_MSG_EQ(network.sink->GetReceivedBytes(), 10000U, "the other half arrives");
    NS_TEST_EXPECT_MSG_EQ(nAnswers, 3U, "to datagrams 4, 8, and the tenth, which is the last");
}

AIDC_TEST_CASE("Section 8.2.1: source ports are taken in turn, or kept until a rehash")
{
    using Counts = std::map<uint16_t, uint32_t>;
    {
        UseNetwork network;
        network.WriteAll(42, 0);
        network.source->SetAttribute("Ports", UintegerValue(3));
        network.source->SetAttribute("Rotate", BooleanValue(true));
        RunFor(MicroSeconds(6500));
        const Counts expected{{5000, 3}, {5001, 2}, {5002, 2}};
        AIDC_EXPECT(network.nOfPort == expected, "7 probes in turn");
    }
    UseNetwork network;
    network.WriteAll(42, 0);
    network.source->SetAttribute("Ports", UintegerValue(2));
    for (const int64_t us : {2500, 5500, 6500})
    {
        Simulator::Schedule(MicroSeconds(us), &CsigUdpSource::Rehash, network.source);
    }
    RunFor(MicroSeconds(8500));
    const Counts expected{{5000, 3 + 1}, {5001, 3 + 2}};
    AIDC_EXPECT(network.nOfPort == expected, "two ports, round and round");
    NS_TEST_EXPECT_MSG_EQ(network.source->GetNRehashes(), 3U, "as often as told");
}

/// Hand a datagram to the source as if the sink had sent it.
void
Give(const UseNetwork& network, Ptr<Packet> payload)
{
    const auto flow = network.source->GetFlow();
    UdpHeader udp;
    udp.SetSourcePort(flow.destinationPort);
    udp.SetDestinationPort(flow.sourcePort);
    payload->AddHeader(udp);
    Ipv4Header header;
    header.SetSource(network.addressB);
    header.SetDestination(network.addressA);
    header.SetProtocol(UDP_PROTOCOL);
    header.SetPayloadSize(static_cast<uint16_t>(payload->GetSize()));
    const auto ipv4 = network.nodes.Get(0)->GetObject<Ipv4L3Protocol>();
    ipv4->GetProtocol(UDP_PROTOCOL)->Receive(payload, header, ipv4->GetInterface(1));
}

// Bytes that are no answer.
AIDC_TEST_CASE("Answers that end too early are counted, and stop nothing")
{
    // The whole answer: a reflection header of flags and empty compact fields, and 8 bytes.
    constexpr uint32_t WHOLE = 1 + 2 + 8;
    for (uint32_t size = 0; size <= WHOLE; ++size)
    {
        UseNetwork network;
        network.source->SetAttribute("Size", UintegerValue(1));
        network.toB->edit = [](Ptr<Packet>) { return false; };
        auto answer = Create<Packet>();
        answer->AddHeader(CsigAnswerHeader(1));
        answer->AddHeader(CsigReflectionHeader());
        NS_TEST_ASSERT_MSG_EQ(answer->GetSize(), WHOLE, "as computed");
        answer->RemoveAtEnd(WHOLE - size);
        Simulator::Schedule(MicroSeconds(500), [&network, answer] { Give(network, answer); });
        RunFor(MicroSeconds(2500));
        const uint32_t nSent = size < WHOLE ? 3 : 1;
        NS_TEST_EXPECT_MSG_EQ(network.source->GetSentBytes(), 1000 * nSent, size << " bytes");
    }

    CsigAnswerHeader answer;
    for (uint32_t size = 0; size < 8; ++size)
    {
        NS_TEST_EXPECT_MSG_EQ(Create<Packet>(size)->PeekHeader(answer), 0U, "too short");
    }
    auto packet = Create<Packet>(3);
    packet->AddHeader(CsigAnswerHeader(0x0102030405060708));
    uint8_t bytes[9];
    NS_TEST_EXPECT_MSG_EQ(packet->CopyData(bytes, 9), 9U, "8 bytes before the payload");
    for (uint32_t i = 0; i < 8; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(bytes[i], i + 1, "big endian");
    }
    packet->RemoveHeader(answer);
    NS_TEST_EXPECT_MSG_EQ(answer.GetReceivedBytes(), 0x0102030405060708U, "as written");
}
