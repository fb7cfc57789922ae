// SPDX-License-Identifier: GPL-2.0-only

#include "csig-port-pair.h"
#include "model/core/csig/csig-quantizer.h"
#include "test/test-case.h"

#include "ns3/csig-path-signals.h"

// What adapters write and read.
AIDC_TEST_SUITE("aidc-csig-roce-bytes", UNIT);

FrameContext
MakeContext(const Bytes& tag)
{
    FrameContext context;
    std::copy(tag.begin(), tag.end(), context.tag.begin());
    context.tagSize = static_cast<uint8_t>(tag.size());
    return context;
}

// Bytes of tags and reflections: figures 1, 2 and 4 of the draft.
AIDC_TEST_CASE("4.1.3, 4.2.2: tags of hosts, and what is reflected")
{
    auto signals = CreateObject<CsigPathSignals>();
    FrameContext context;
    signals->Tag(context, {});
    // T 0, S 31, LM 0: 000 0 11111 0000000
    AIDC_EXPECT((Bytes(context.tag.begin(), context.tag.begin() + context.tagSize) ==
                 Bytes{0x88, 0xb5, 0x0f, 0x80}),
                "compact");
    SetAll(signals, {{"Format", "Expanded"}, {"Signals", "max(PD)"}});
    signals->Tag(context, {});
    // LM 0, T 2, S 0, R 0
    AIDC_EXPECT((Bytes(context.tag.begin(), context.tag.begin() + context.tagSize) ==
                 Bytes{0x88, 0xb6, 0, 0, 0x20, 0, 0, 0}),
                "expanded");

    // Both formats are reflected, whatever is sent.
    uint8_t bytes[8] = {};
    const Bytes compact{0x88, 0xb5, 0x07, 0x05};
    NS_TEST_EXPECT_MSG_EQ(signals->Reflect(MakeContext(compact), bytes, 8), 3, "compact");
    AIDC_EXPECT((Bytes(bytes, bytes + 3) == Bytes{0x80, 0x07, 0x05}), "V");
    const Bytes expanded{0x88, 0xb6, 0x12, 0x34, 0x20, 0x00, 0x8c, 0x00};
    NS_TEST_EXPECT_MSG_EQ(signals->Reflect(MakeContext(expanded), bytes, 8), 7, "expanded");
    AIDC_EXPECT((Bytes(bytes, bytes + 7) == Bytes{0xc0, 0x12, 0x34, 0x20, 0x00, 0x8c, 0x00}),
                "V and F");
    NS_TEST_EXPECT_MSG_EQ(signals->Reflect(MakeContext(expanded), bytes, 6), 0, "no room");
    NS_TEST_EXPECT_MSG_EQ(signals->Reflect(MakeContext({}), bytes, 8), 0, "no tag");
    NS_TEST_EXPECT_MSG_EQ(signals->Reflect(MakeContext({0x88, 0xa8, 0, 0}), bytes, 8),
                          0,
                          "another tag");
    // 140 steps of 128 ns at the device 72, port 52
    const auto reading = signals->Read({}, bytes, 7);
    AIDC_ASSERT(reading.has_value(), "there is a reading");
    AIDC_EXPECT(reading->signal == CsigSignal::HOP_DELAY, "of the signal that was asked for");
    NS_TEST_EXPECT_MSG_EQ(reading->range.low, 140 * 128, "140 steps of 128 ns");
    AIDC_EXPECT(reading->hasBottleneck, "it names the bottleneck");

    const std::vector<Bytes> malformed{
        {},
        {0x80},
        {0x80, 0x07},
        {0x80, 0x07, 0x05, 0x00},                         // more than a reflection
        {0xc0, 0x07, 0x05},                               // F, but too short
        {0x00, 0x07, 0x05},                               // not valid
        {0x20, 0x00, 0x00},                               // packets came without tags
        {0x80, 0xe0, 0x00},                               // T 7 is no signal
        {0xc0, 0x12, 0x34, 0x20, 0x00, 0x8c, 0x00, 0x00}, // more than a reflection
    };
    for (const auto& wrong : malformed)
    {
        AIDC_EXPECT(!signals->Read({}, wrong.data(), wrong.size()).has_value(),
                    "of " << wrong.size() << " bytes");
    }
}
