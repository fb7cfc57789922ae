// SPDX-License-Identifier: GPL-2.0-only

// CSIG in network adapters: paths that lose tags, or tagged packets; section 6.3 of
// draft-ravi-ippm-csig-01.

#include "csig-port-pair.h"
#include "csig-roce-network.h"
#include "test/test-case.h"

#include "ns3/csig-path-signals.h"
#include "ns3/error-model.h"
#include "ns3/ethernet-frame.h"

// Capability of the paths of network adapters.
AIDC_TEST_SUITE("aidc-csig-roce-capability", UNIT);

/// A device that knows no tags: it drops frames with the EtherType of a compact tag.
class TagDropper : public ErrorModel
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("aidctest::TagDropper").SetParent<ErrorModel>();
        return tid;
    }

    uint32_t nDropped{0}; //!< frames that were dropped

  private:
    bool DoCorrupt(Ptr<Packet> frame) override
    {
        EthernetFrameHeader header;
        frame->PeekHeader(header);
        const bool isTagged = IsEnabled() && header.GetFields().etherType == 0x88b5;
        nDropped += isTagged;
        return isTagged;
    }

    void DoReset() override
    {
    }
};

NS_OBJECT_ENSURE_REGISTERED(TagDropper);

/// Get the signals of a host's adapter.
Ptr<CsigPathSignals>
GetSignals(const RoceNetwork& network, uint32_t host)
{
    PointerValue signals;
    network.GetNic(host)->GetAttribute("Signals", signals);
    return signals.Get<CsigPathSignals>();
}

/// Send a packet. Returns the signal type it asks for, -1 for none.
int
Send(Ptr<CsigPathSignals> signals, uint32_t flow, uint32_t position, bool isRepeat = false)
{
    FrameContext context;
    PathSignals::Request request;
    request.flow = flow;
    request.position = position;
    request.isRepeat = isRepeat;
    signals->Tag(context, request);
    return context.tagSize > 0 ? context.tag[2] >> 5 : -1;
}

// Answers with and without reflections, one by one.
AIDC_TEST_CASE("6.3.3: three tags in a row without a reflection, and adapters do not tag")
{
    // A reflection of a compact tag with T 0, S 14, LM 5.
    const Bytes valid{0x80, 0x07, 0x05};
    auto signals = CreateObject<CsigPathSignals>();
    std::vector<CsigCapability> told;
    ConnectTrace(signals, "Capability", [&told](uint32_t, CsigCapability capability) {
        told.push_back(capability);
    });
    constexpr uint32_t FIRST = 0xfffffd00;
    uint32_t position = FIRST; // it wraps around
    for (int i = 0; i < 3; ++i, position += 256)
    {
        NS_TEST_EXPECT_MSG_EQ(Send(signals, 1, position), 0, "tagged");
        signals->Read({1, FIRST - 256}, nullptr, 0); // of an earlier packet
    }
    AIDC_EXPECT(signals->GetCapability(1) == CsigCapability::UNKNOWN,
                "nothing has answered the tags");
    for (int i = 0; i < 2; ++i, position += 256)
    {
        signals->Read({1, position - 256}, nullptr, 0);
        Send(signals, 1, position);
    }
    signals->Read({1, position - 256}, valid.data(), valid.size());
    AIDC_EXPECT(signals->GetCapability(1) == CsigCapability::CAPABLE,
                "after two strikes, a reflection");
    for (int i = 0; i < 3; ++i, position += 256)
    {
        NS_TEST_EXPECT_MSG_EQ(Send(signals, 1, position), 0, "tagged");
        signals->Read({1, position}, nullptr, 0);
    }
    AIDC_EXPECT(signals->GetCapability(1) == CsigCapability::NOT_CAPABLE, "three strikes");
    AIDC_EXPECT(
        (told == std::vector<CsigCapability>{CsigCapability::CAPABLE, CsigCapability::NOT_CAPABLE}),
        "traced");
    NS_TEST_EXPECT_MSG_EQ(Send(signals, 1, position), -1, "no tags any more");
    NS_TEST_EXPECT_MSG_EQ(Send(signals, 2, 0), 0, "of other flows, yes");
    NS_TEST_EXPECT_MSG_EQ(Send(signals, 2, 0, true), -1, "what is sent again has no tag");

    // Of two signals the path loses one. 3 times 16 reflections of the other are as many
    // strikes.
    auto two = CreateObject<CsigPathSignals>();
    SetAll(two, {{"Signals", "min(ABW),max(PD)"}});
    for (uint32_t i = 0; i < 200; ++i)
    {
        Send(two, 1, i);
        two->Read({1, i}, valid.data(), valid.size());
    }
    AIDC_EXPECT(two->GetCapability(1, CsigSignal::HOP_DELAY) == CsigCapability::NOT_CAPABLE,
                "never reflected");
    AIDC_EXPECT(two->GetCapability(1, CsigSignal::ABW) == CsigCapability::CAPABLE,
                "always reflected");
    AIDC_EXPECT(two->GetCapability(1) == CsigCapability::CAPABLE, "of one");
    for (uint32_t i = 200; i < 220; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(Send(two, 1, i), 0, "the other one only");
    }
}

// A switch strips tags: the adapter stops tagging after three strikes. Expected results: all
// packets until then are tagged, and none after it. Packets of 4186 bytes leave the host each 0.335
// us, and the bottleneck of 40 Gb/s each 0.837 us. Each 16th has an ACK, 6 us later. So packet 1 is
// a strike at 16 x 0.837 + 6 = 19.4 us, when 58 have been sent; packet 59 with the ACK of packet 64
// at 59.6 us, when 178 have; and packet 179 with the ACK of packet 192 at 166.7 us, when 498 have,
// of 977.
AIDC_TEST_CASE("6.3.2: an adapter finds out that tags are stripped")
{
    CsigRoceNetwork network(MakeTwoLeaves(1, 40000000000));
    network.csig.Exclude(NodeIndex(1));
    network.StartCsig();
    const uint32_t qp = network.GetQp(0, 1);
    uint64_t sent = 0;
    uint32_t nTold = 0;
    ConnectTrace(GetSignals(network, 0),
                 "Capability",
                 [&](uint32_t flow, CsigCapability capability) {
                     ++nTold;
                     sent = network.GetNic(0)->GetStatistics().sentPackets;
                     NS_TEST_EXPECT_MSG_EQ(flow, qp, "the queue pair that the trace names");
                     AIDC_EXPECT(capability == CsigCapability::NOT_CAPABLE,
                                 "the capability that the trace names");
                 });
    network.Write(0, 1, 4000000);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(network.completions.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(nTold, 1, "found out, once");
    const auto port = network.network.GetPort(NodeIndex(0), PortIndex(0));
    NS_TEST_EXPECT_MSG_EQ(port->GetObject<CsigPort>()->GetStatistics().stripped,
                          sent,
                          "tags until then, and none after it");
    NS_TEST_EXPECT_MSG_EQ_TOL(sent, 498, 5, "after three strikes");
    AIDC_EXPECT(GetSignals(network, 0)->GetCapability(qp) == CsigCapability::NOT_CAPABLE,
                "what the source reports");
}

// A device drops tagged frames: messages arrive nevertheless, and when it drops them no longer, the
// adapter finds this out, too. All 245 packets of the first message are sent before the timeout,
// which is one strike. From then on one tagged packet is on its way at a time.
AIDC_TEST_CASE("6.3.1: tagged packets of an adapter vanish, and messages arrive")
{
    CsigRoceNetwork network(MakeTwoLeaves(1, 40000000000));
    network.StartCsig();
    GetSignals(network, 0)->SetAttribute("RetryInterval", StringValue("5ms"));
    auto dropper = CreateObject<TagDropper>();
    const auto port = network.network.GetPort(NodeIndex(1), PortIndex(0));
    port->SetAttribute("ReceiveErrorModel", PointerValue(dropper));
    const uint32_t qp = network.GetQp(0, 1);
    network.Write(0, 1, 1000000, 1);
    Simulator::Schedule(MilliSeconds(5), [&] { network.Write(0, 1, 1000000, 2); });
    CsigCapability found = CsigCapability::UNKNOWN;
    Simulator::Schedule(MilliSeconds(19), [&] {
        NS_TEST_EXPECT_MSG_EQ(network.GetStatuses(0), "SS", "messages arrive");
        NS_TEST_EXPECT_MSG_LT(dropper->nDropped, 250, "few, but those of the first window");
        found = GetSignals(network, 0)->GetCapability(qp);
        dropper->Disable();
    });
    Simulator::Schedule(MilliSeconds(200), [&] { network.Write(0, 1, 1000000, 3); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(network.GetStatuses(0), "SSS", "and the last one");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(dropper->nDropped, 245, "those of the first message have vanished");
    AIDC_EXPECT(found == CsigCapability::NOT_CAPABLE, "found out");
    AIDC_EXPECT(GetSignals(network, 0)->GetCapability(qp) == CsigCapability::CAPABLE,
                "and that it is capable again");
}
