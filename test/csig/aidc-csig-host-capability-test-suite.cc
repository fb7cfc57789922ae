// SPDX-License-Identifier: GPL-2.0-only

// CSIG on hosts: paths that lose tagged packets, or the tags of some signals; sections 6.2 and 6.3
// of draft-ravi-ippm-csig-01.

#include "csig-host-traffic.h"
#include "test/test-case.h"

#include "ns3/csig-signal.h"

#include <boost/endian/conversion.hpp>

AIDC_TEST_SUITE("aidc-csig-host-capability", UNIT);

struct Vanishing
{
    Time from; //!< when tagged packets begin to vanish
    Time to;   //!< when they do no longer
};

// Section 6.3.1: a device on the way drops tagged packets, and the connection goes on.
AIDC_TEST_CASES(Vanishing,
                row,
                "6.3.1: tagged packets vanish from " + std::to_string(row.from.GetMilliSeconds()) +
                    " ms on",
                ({{Seconds(0), Seconds(25)}, {MilliSeconds(40), Seconds(25)}}))
{
    CsigHostNetwork network;
    const auto host = network.InstallA();
    network.InstallB();
    uint32_t end = 0;
    uint32_t taggedRepeats = 0;
    uint32_t vanished = 0;
    network.toB->edit = [&](Ptr<Packet> packet) {
        const auto seen = Look(packet);
        const auto sequence = boost::endian::load_big_u32(seen.header.bytes.data() + 4);
        taggedRepeats += seen.tag && seen.data > 0 && sequence < end;
        end = std::max(end, sequence + seen.data);
        const bool vanishes = seen.tag && Simulator::Now() >= row.from && Simulator::Now() < row.to;
        vanished += vanishes;
        return !vanishes;
    };
    TcpConnection tcp(network, 1000000, 0);
    // Sends on when the tries have become rare
    Simulator::Schedule(Seconds(30), [&] { tcp.Send(0, 1000000); });
    uint32_t early = 0;
    Simulator::Schedule(Seconds(20), [&] { early = tcp.GetReceived(1); });
    CsigCapability found = CsigCapability::UNKNOWN;
    Simulator::Schedule(Seconds(20), [&] { found = host->GetCapability(tcp.GetFlowOfA()); });
    RunFor(Seconds(60));

    NS_TEST_EXPECT_MSG_EQ(early, 1000000, "data arrives");
    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 2000000, "all of it");
    NS_TEST_EXPECT_MSG_EQ(taggedRepeats, 0, "what is sent again has no tag");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(vanished, 3, "Patience: tagged packets have vanished");
    NS_TEST_EXPECT_MSG_LT(vanished, 200, "not many more than a window of them");
    AIDC_EXPECT(found == CsigCapability::NOT_CAPABLE, "the path is found out");
    AIDC_EXPECT(host->GetCapability(tcp.GetFlowOfA()) == CsigCapability::CAPABLE,
                "and that it is capable again");
}

// Section 6.3.1: tagged acknowledgments vanish, and the connection goes on.
AIDC_TEST_CASE("6.3.1: tagged acknowledgments vanish")
{
    CsigHostNetwork network;
    network.InstallA();
    const auto host = network.InstallB();
    host->SetAttribute("TagAcks", BooleanValue(true));
    uint32_t vanished = 0;
    network.toA->edit = [&](Ptr<Packet> packet) {
        const bool vanishes = Look(packet).tag.has_value();
        vanished += vanishes;
        return !vanishes;
    };
    TcpConnection tcp(network, 100000, 0);
    RunFor(Seconds(30));
    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 100000, "data arrives");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(vanished, 3, "Patience: tagged acknowledgments have vanished");
    AIDC_EXPECT(host->GetCapability(tcp.GetFlowOfB()) == CsigCapability::NOT_CAPABLE,
                "the path is found out");
}

// Section 6.3.2: a device on the way strips the tags of a signal that it does not support, and the
// path is capable of the other ones.
AIDC_TEST_CASES(uint32_t,
                delayedAcks,
                "6.3.2: one of three signals is stripped, an ACK for " +
                    std::to_string(delayedAcks),
                ({1, 2, 3}))
{
    CsigHostNetwork network;
    const auto host = network.InstallA();
    network.InstallB();
    host->SetAttribute("Signals", StringValue("min(ABW),min(ABW/C),max(PD)"));
    uint32_t tagged[3]{};
    network.toB->edit = [&](Ptr<Packet> packet) {
        const auto tag = Look(packet).tag;
        if (tag)
        {
            ++tagged[tag->type];
        }
        if (tag && tag->type == 2)
        {
            ReplaceTag(packet, std::nullopt);
        }
        return true;
    };
    TcpConnection tcp(network, 600000, 0, delayedAcks);
    RunFor(Seconds(2));
    const auto flow = tcp.GetFlowOfA();
    NS_TEST_EXPECT_MSG_EQ(tcp.GetReceived(1), 600000, "data arrives");
    for (const auto signal : {CsigSignal::ABW, CsigSignal::ABW_RATIO})
    {
        AIDC_EXPECT(host->GetCapability(flow, signal) == CsigCapability::CAPABLE,
                    GetCsigName(signal));
    }
    AIDC_EXPECT(host->GetCapability(flow, CsigSignal::HOP_DELAY) == CsigCapability::NOT_CAPABLE,
                "max(PD)");
    AIDC_EXPECT(host->GetCapability(flow) == CsigCapability::CAPABLE,
                "a flow whose path is capable of some signals");
    NS_TEST_EXPECT_MSG_LT(tagged[2], 100, "no longer asked for");
    NS_TEST_EXPECT_MSG_GT(tagged[0], 220, "others take its turns");
    NS_TEST_EXPECT_MSG_GT(tagged[1], 220, "others take its turns");
    NS_TEST_EXPECT_MSG_EQ(tagged[0] + tagged[1] + tagged[2], 600, "each segment has a tag");
}
