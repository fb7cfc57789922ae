// SPDX-License-Identifier: GPL-2.0-only

#include "ethernet-pair.h"
#include "test/test-case.h"

#include "ns3/ethernet-port-hooks.h"
#include "ns3/priority-flow-control.h"

// The bytes of frames: VLANs, garbage, MAC control and tags of other kinds.
AIDC_TEST_SUITE("aidc-ethernet-frames", UNIT);

/// size: bytes of the frame; zeros follow, or it is cut off.
Bytes
MakeFrame(const EthernetEnd& port, const Bytes& rest, std::size_t size = 60)
{
    Bytes frame(12 + rest.size());
    Mac48Address::ConvertFrom(port->GetAddress()).CopyTo(frame.data());
    std::copy(rest.begin(), rest.end(), frame.begin() + 12);
    frame.resize(size);
    return frame;
}

struct VlanSend
{
    std::string name;
    Attributes attributes; //!< the port's VLAN
    Bytes tags;            //!< the tags on the wire
};

// The tags that a port's frames have (IEEE 802.1Q, section 9.6).
AIDC_TEST_CASES(VlanSend,
                row,
                "Frames of a port with " + row.name,
                ({{"VLAN 291 and priority 5",
                   {{"VlanId", "291"}, {"VlanPriority", "5"}},
                   {0x81, 0x00, 0xa1, 0x23}},
                  {"priority 7 only", {{"VlanPriority", "7"}}, {0x81, 0x00, 0xe0, 0x00}},
                  {"service VLAN 100", {{"ServiceVlanId", "100"}}, {0x88, 0xa8, 0x00, 0x64}},
                  {"service VLAN 100 and VLAN 200",
                   {{"ServiceVlanId", "100"}, {"VlanId", "200"}, {"VlanPriority", "1"}},
                   {0x88, 0xa8, 0x20, 0x64, 0x81, 0x00, 0x20, 0xc8}}}))
{
    EthernetPair pair(row.attributes);
    pair.a.Trace("PhyTxBegin");
    pair.a.Send(1);
    pair.a.Send(1500);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 2, "a port of the same VLAN takes them");
    Bytes expected = row.tags;
    expected.insert(expected.end(), {0x88, 0xb5});
    const Bytes& small = pair.a.traced[0].bytes;
    AIDC_EXPECT(std::equal(expected.begin(), expected.end(), small.begin() + 12),
                "tags and EtherType");
    NS_TEST_EXPECT_MSG_EQ(small.size(), 60, "tags count for the smallest frame");
    // 802.3, section 3.2.7: tags do not count for the largest payload.
    const auto nTags = static_cast<int64_t>(row.tags.size());
    NS_TEST_EXPECT_MSG_EQ(pair.b.received[1].packet->GetSize(), 1500, "the payload");
    NS_TEST_EXPECT_MSG_EQ(pair.b.received[1].time,
                          GetWireTime(1) + GetWireTime(1500) + nTags - GAP + LINK_DELAY,
                          "tags take time");
}

/// Tags that a frame may have, by name.
const std::vector<std::pair<std::string, Bytes>> TAGS{
    {"untagged", {}},
    {"C0", {0x81, 0x00, 0xe0, 0x00}},
    {"C5", {0x81, 0x00, 0x00, 0x05}},
    {"C6", {0x81, 0x00, 0x00, 0x06}},
    {"S0", {0x88, 0xa8, 0xe0, 0x00}},
    {"S9", {0x88, 0xa8, 0x00, 0x09}},
    {"C0 C0", {0x81, 0x00, 0x00, 0x00, 0x81, 0x00, 0x00, 0x00}},
    {"C5 C5", {0x81, 0x00, 0x00, 0x05, 0x81, 0x00, 0x00, 0x05}},
    {"C6 C5", {0x81, 0x00, 0x00, 0x06, 0x81, 0x00, 0x00, 0x05}},
    {"S0 C0", {0x88, 0xa8, 0x00, 0x00, 0x81, 0x00, 0x00, 0x00}},
    {"S0 C5", {0x88, 0xa8, 0x00, 0x00, 0x81, 0x00, 0x00, 0x05}},
    {"S9 C0", {0x88, 0xa8, 0x00, 0x09, 0x81, 0x00, 0x00, 0x00}},
    {"S9 C5", {0x88, 0xa8, 0x00, 0x09, 0x81, 0x00, 0x00, 0x05}},
    {"S5 C9", {0x88, 0xa8, 0x00, 0x05, 0x81, 0x00, 0x00, 0x09}},
    {"C5 S9", {0x81, 0x00, 0x00, 0x05, 0x88, 0xa8, 0x00, 0x09}},
    {"S9 S9 C5", {0x88, 0xa8, 0x00, 0x09, 0x88, 0xa8, 0x00, 0x09, 0x81, 0x00, 0x00, 0x05}},
};

struct VlanReceive
{
    std::string name;
    Attributes attributes;          //!< the port's VLAN
    std::vector<std::string> taken; //!< names of the tags
};

// A port takes the frames of its VLAN, and an identifier of 0 is no VLAN.
AIDC_TEST_CASES(
    VlanReceive,
    row,
    "What a port with " + row.name + " takes",
    ({{"no VLAN", {}, {"untagged", "C0", "S0", "S0 C0"}},
      {"VLAN 5", {{"VlanId", "5"}}, {"C5", "S0 C5"}},
      {"service VLAN 9", {{"ServiceVlanId", "9"}}, {"S9", "S9 C0"}},
      {"service VLAN 9 and VLAN 5", {{"ServiceVlanId", "9"}, {"VlanId", "5"}}, {"S9 C5"}}}))
{
    EthernetPair pair(row.attributes);
    pair.b.Trace("PhyRxDrop");
    uint64_t nTaken = 0;
    for (const auto& [name, tags] : TAGS)
    {
        Bytes rest = tags;
        rest.insert(rest.end(), {0x88, 0xb5});
        pair.b.Inject(MakeFrame(pair.b, rest));
        const bool isTaken = std::count(row.taken.begin(), row.taken.end(), name) > 0;
        nTaken += isTaken ? 1 : 0;
        NS_TEST_EXPECT_MSG_EQ(pair.b.received.size(), nTaken, name);
        if (isTaken)
        {
            AIDC_ASSERT(!pair.b.received.empty(), name);
            NS_TEST_EXPECT_MSG_EQ(pair.b.received.back().protocol, 0x88b5, name);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(nTaken, row.taken.size(), "all names are known");
    const uint64_t nDiscarded = TAGS.size() - nTaken;
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inUnicastFrames, nTaken, "delivered");
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inDiscards, nDiscarded, "no errors, though");
    NS_TEST_EXPECT_MSG_EQ(pair.b.Count("PhyRxDrop"), nDiscarded, "traced");
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inOctets, 64 * TAGS.size(), "all are valid");
}

// Bytes that are no frames: less than 60 bytes (IEEE 802.3, section 4.2.4.1.1), and bytes without a
// whole header or with a length in place of an EtherType.
AIDC_TEST_CASE("Bytes of any length and kind are counted and harm nobody")
{
    EthernetPair pair;
    pair.b.Trace("PhyRxDrop");
    // A whole frame of four VLAN tags, and where the tags begin anew without end.
    const Bytes tags{0x88, 0xa8, 0, 0, 0x81, 0, 0, 0, 0x81, 0, 0, 0, 0x81, 0, 0, 0, 0x88, 0xb5};
    uint64_t injected = 0;
    for (std::size_t size = 0; size < 60; ++size)
    {
        for (const auto& frame : {MakeFrame(pair.b, tags, size),
                                  MakeFrame(pair.b, {0x08, 0x00}, size),
                                  Bytes(size, 0x00),
                                  Bytes(size, 0x81),
                                  Bytes(size, 0xff)})
        {
            pair.b.Inject(frame);
            ++injected;
        }
    }
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inErrors, injected, "all are too short");
    NS_TEST_EXPECT_MSG_EQ(pair.b.Count("PhyRxDrop"), injected, "traced");
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inOctets, 0, "not of valid frames");

    // IEEE 802.3, section 3.2.6: up to 1535 it is a length, of a kind of frame that is not
    // supported. 0x8181 is no tag that is known.
    for (std::size_t size = 60; size <= 64; ++size)
    {
        pair.b.Inject(Bytes(size, 0x00));
        pair.b.Inject(MakeFrame(pair.b, {0x05, 0xff}, size));
        injected += 2;
        NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inErrors, injected, "lengths");
    }
    for (const uint16_t number : {0, 1, 0x05ff, 0x0600})
    {
        NS_TEST_EXPECT_MSG_EQ(pair.a->Send(Create<Packet>(60), pair.a->GetRemoteAddress(), number),
                              (number == 0x0600),
                              "nor is one sent");
    }
    NS_TEST_EXPECT_MSG_EQ(pair.a->GetStatistics().outErrors, 3, "counted");
    pair.b.Inject(MakeFrame(pair.b, {0x06, 0x00}));
    pair.b.Inject(Bytes(60, 0xff));
    pair.b.Inject(Bytes(60, 0x81));
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inErrors, injected, "these are frames");
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inUnicastFrames, 1, "the least EtherType");
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inBroadcastFrames, 1, "of ones");
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inMulticastFrames, 1, "81:81:...");

    // Whatever else comes is in one counter each.
    uint32_t random = 1;
    for (std::size_t i = 0; i < 20000; ++i)
    {
        Bytes frame(i % 100);
        for (auto& byte : frame)
        {
            random = random * 1664525 + 1013904223;
            byte = static_cast<uint8_t>(random >> 24);
        }
        if (i % 2 == 0 && frame.size() > 20)
        {
            frame[12] = frame[16] = 0x81;
            frame[13] = frame[17] = 0x00;
        }
        pair.b.Inject(frame);
    }
    NS_TEST_EXPECT_MSG_EQ(CountIn(pair.b->GetStatistics()), injected + 3 + 20000, "all");
}

// MAC control goes next, without tags, even if the link's VLAN has some.
AIDC_TEST_CASE("MAC control frames go ahead of all others and have no tag")
{
    EthernetPair pair(Attributes{{"VlanId", "5"}});
    pair.a.Trace("PhyTxBegin");
    for (int i = 0; i < 3; ++i)
    {
        pair.a.Send(1000);
    }
    const auto control = CreateObject<PriorityFlowControl>();
    control->Install(pair.a.Get());
    control->SetXoff(3, true);
    RunFor(MicroSeconds(10));
    // With its tag a packet of 1,000 bytes takes 1,042 ns; the control frame 84.
    const std::vector<int64_t> times{0, 1042, 1126, 2168};
    NS_TEST_ASSERT_MSG_EQ(pair.a.traced.size(), times.size(), "all are sent");
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        const Bytes& frame = pair.a.traced[i].bytes;
        NS_TEST_EXPECT_MSG_EQ(pair.a.traced[i].time, times[i], "without a gap");
        const bool isControl = frame[12] == 0x88 && frame[13] == 0x08 && frame.size() == 60;
        NS_TEST_EXPECT_MSG_EQ(isControl, (i == 1), "next after what is being sent");
    }
}

/// Puts a tag of 4 bytes on frames, and looks at the tags of frames that arrive.
class TestTagProcessor : public EthernetTagProcessor
{
  public:
    KnownTags GetKnownTags() const override
    {
        return {{{{0x88b6, 4}, {}}}};
    }

    bool Receive(EthernetNetDevice&, const EthernetFrame& frame, FrameContext& context) override
    {
        sizes.push_back(frame.GetPayloadSize());
        contexts.push_back(context);
        return !isRefusing;
    }

    void Transmit(EthernetNetDevice&, const EthernetFrame&, FrameContext& context) override
    {
        context.tag = {0x88, 0xb6, 0xca, 0xfe};
        context.tagSize = 4;
    }

    bool isRefusing{false};             //!< whether frames are to be dropped
    std::vector<uint32_t> sizes;        //!< the payloads that have arrived
    std::vector<FrameContext> contexts; //!< what was known of them
};

/// Takes the packets of a size.
class TestFrameHandler : public EthernetFrameHandler
{
  public:
    bool Handle(EthernetNetDevice&, EthernetFrame& frame, const FrameContext&) override
    {
        ++nAsked;
        const bool isTaken = frame.GetPayloadSize() == 200 && frame.fields.etherType == 0x88b5;
        frame.packet = isTaken ? nullptr : frame.packet;
        return isTaken;
    }

    uint32_t nAsked{0}; //!< how many frames it was asked about
};

// What is plugged into a port.
AIDC_TEST_CASE("Tag processors see frames at both ends, handlers take those for this node")
{
    EthernetPair pair;
    auto sender = CreateObject<TestTagProcessor>();
    auto receiver = CreateObject<TestTagProcessor>();
    auto handler = CreateObject<TestFrameHandler>();
    pair.a->SetTagProcessor(sender);
    pair.b->SetTagProcessor(receiver);
    pair.b->SetFrameHandler(handler);
    pair.a.Trace("PhyTxBegin");
    pair.b.Trace("MacRx");
    pair.a.Send(100);                                                  // to the stack
    pair.a.Send(200);                                                  // to the handler
    pair.a->Send(Create<Packet>(200), pair.a->GetBroadcast(), 0x88b5); // to the stack
    Simulator::Run();
    const Bytes& frame = pair.a.traced[0].bytes;
    NS_TEST_EXPECT_MSG_EQ(frame.size(), 14 + 4 + 100, "the tag is in the frame");
    AIDC_EXPECT((Bytes(frame.begin() + 12, frame.begin() + 18) ==
                 Bytes{0x88, 0xb6, 0xca, 0xfe, 0x88, 0xb5}),
                "the tag");
    NS_TEST_ASSERT_MSG_EQ(receiver->contexts.size(), 3, "all are shown");
    const auto& context = receiver->contexts[0];
    NS_TEST_EXPECT_MSG_EQ(receiver->sizes[0], 100, "the payload");
    NS_TEST_EXPECT_MSG_EQ(context.tagSize, 4, "the tag");
    AIDC_EXPECT(context.tag[2] == 0xca && context.tag[3] == 0xfe, "the tag");
    NS_TEST_EXPECT_MSG_EQ(TimeStep(static_cast<uint64_t>(context.arrival)),
                          NanoSeconds(GetWireTime(104) - GAP + LINK_DELAY),
                          "when");
    NS_TEST_EXPECT_MSG_EQ(context.ingressPort, 0, "where");
    NS_TEST_EXPECT_MSG_EQ(handler->nAsked, 2, "not about what is for all");
    NS_TEST_ASSERT_MSG_EQ(pair.b.received.size(), 2, "what the handler leaves");
    NS_TEST_EXPECT_MSG_EQ(pair.b.received[0].packet->GetSize(), 100, "the first");
    NS_TEST_EXPECT_MSG_EQ(pair.b.Count("MacRx"), 3, "what the handler took too");
    FrameContextTag kept;
    AIDC_ASSERT(pair.b.received[0].packet->PeekPacketTag(kept), "kept");
    AIDC_EXPECT(kept.GetContext().tag == context.tag, "kept");

    receiver->isRefusing = true;
    pair.a.Send(100);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.b.received.size(), 2, "refused");
    NS_TEST_EXPECT_MSG_EQ(pair.b->GetStatistics().inDiscards, 1, "refused");
    NS_TEST_EXPECT_MSG_EQ(CountIn(pair.b->GetStatistics()), 4, "each once");

    // A port that knows no such tag gets a packet of that EtherType.
    pair.b->SetTagProcessor(nullptr);
    pair.a.Send(100);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.b.received.back().protocol, 0x88b6, "the tag's TPID");
}
