// SPDX-License-Identifier: GPL-2.0-only

// What the fields of a tag say. Section numbers refer to draft-ravi-ippm-csig-01.

#include "model/core/csig/csig-quantizer.h"
#include "random-buckets.h"
#include "test/core/core-test.h"

constexpr auto COMPACT = CsigFormat::COMPACT;
constexpr auto EXPANDED = CsigFormat::EXPANDED;

std::optional<CsigReading>
Read(const CsigFields& fields)
{
    return ReadCsig(fields, {}, {}, CsigLocatorLayout(fields.format));
}

CsigFields
MakeFields(CsigFormat format, uint8_t type, uint32_t value, uint16_t locator)
{
    CsigFields fields;
    fields.format = format;
    fields.type = type;
    fields.value = value;
    fields.locator = locator;
    return fields;
}

TEST(CsigReading, Section4_1_3ValuesHaveTheUnitOfTheirSignal)
{
    // Quanta of 8 Mbit/s: 1000 is from 8 Gbit/s to 8.008 Gbit/s. LM: device 5, port 3.
    const auto abw = Read(MakeFields(EXPANDED, 0, 1000, 5 << 6 | 3));
    ASSERT_TRUE(abw);
    EXPECT_EQ(abw->signal, CsigSignal::ABW);
    EXPECT_EQ(abw->range, (CsigRange{8000000000, 8008000000}));
    EXPECT_EQ(abw->GetValue(), 8004000000U);
    EXPECT_EQ(std::string(abw->GetUnit()), "bit/s");
    EXPECT_TRUE(abw->hasBottleneck);
    EXPECT_EQ(abw->locator.Get(CsigAttribute::DEVICE), 5U);
    EXPECT_EQ(abw->locator.Get(CsigAttribute::PORT), 3U);
    // Quanta of one millionth.
    const auto ratio = Read(MakeFields(EXPANDED, 1, 250000, 1));
    ASSERT_TRUE(ratio);
    EXPECT_EQ(ratio->GetValue(), 250000U);
    EXPECT_EQ(std::string(ratio->GetUnit()), "ppm");
    // Quanta of 128 ns: 10 is from 1280 ns to 1408 ns.
    const auto delay = Read(MakeFields(EXPANDED, 2, 10, 1));
    ASSERT_TRUE(delay);
    EXPECT_EQ(delay->GetValue(), 1344U);
    EXPECT_EQ(std::string(delay->GetUnit()), "ns");
    // Compact: bucket 3 of max(PD) is from 2 to 3 us; LM capacity 4, stage 2, orientation down.
    const auto compact = Read(MakeFields(COMPACT, 2, 3, 4 << 4 | 2 << 2 | 2));
    ASSERT_TRUE(compact);
    EXPECT_EQ(compact->range, (CsigRange{2000, 3000}));
    EXPECT_EQ(compact->locator.Get(CsigAttribute::CAPACITY), 4U);
    EXPECT_EQ(compact->locator.Get(CsigAttribute::STAGE), 2U);
    EXPECT_EQ(compact->locator.Get(CsigAttribute::ORIENTATION), 2U);
}

TEST(CsigReading, Section4_1_3ATagThatNoSwitchHasChangedNamesNoBottleneck)
{
    for (const auto format : {COMPACT, EXPANDED})
    {
        for (const auto signal : {CsigSignal::ABW, CsigSignal::ABW_RATIO, CsigSignal::HOP_DELAY})
        {
            const auto reading = Read(MakeCsigRequest(format, signal));
            ASSERT_TRUE(reading);
            EXPECT_EQ(reading->signal, signal);
            EXPECT_FALSE(reading->hasBottleneck);
        }
    }
}

TEST(CsigReading, WhatIsNoSignalOrInNoBucketSaysNothing)
{
    EXPECT_FALSE(Read(MakeFields(COMPACT, 3, 1, 0))); // max(nQD) is off
    EXPECT_FALSE(Read(MakeFields(EXPANDED, 15, 1, 0)));
    CsigSignalSettings queueDepth;
    queueDepth.queueDepth = true;
    EXPECT_TRUE(ReadCsig(MakeFields(COMPACT, 3, 1, 0), queueDepth, {}, CsigLocatorLayout(COMPACT)));
    // Two buckets, codes 0 and 1; hosts begin with 31.
    CsigQuantizer two;
    two.SetBuckets(CsigSignal::ABW, CsigBuckets({0, 1000}));
    const auto read = [&](uint32_t value) {
        return ReadCsig(MakeFields(COMPACT, 0, value, 0), {}, two, CsigLocatorLayout(COMPACT));
    };
    EXPECT_TRUE(read(1));
    EXPECT_FALSE(read(2));
    EXPECT_FALSE(read(30));
    EXPECT_TRUE(read(31));
    // 20 bits.
    EXPECT_TRUE(Read(MakeFields(EXPANDED, 2, 0xFFFFF, 0)));
    EXPECT_FALSE(Read(MakeFields(EXPANDED, 2, 0x100000, 0)));
}

RC_GTEST_PROP(CsigReading, WhatWasEncodedIsInTheRangeThatIsRead, ())
{
    const auto format = DrawElement({COMPACT, EXPANDED});
    const auto signal =
        DrawElement({CsigSignal::ABW, CsigSignal::ABW_RATIO, CsigSignal::HOP_DELAY});
    const auto value = DrawInRange<uint64_t>(0, 1'000'000'000'000);
    const auto locator = DrawAny<uint16_t>();
    const CsigQuantizer quantizer;
    const auto reading =
        Read(MakeFields(format,
                        CsigSignalSettings().GetType(signal),
                        quantizer.Encode(format, signal, value),
                        format == COMPACT ? static_cast<uint16_t>(locator & 0x7f) : locator));
    RC_ASSERT(reading.has_value());
    RC_ASSERT(reading->signal == signal);
    RC_ASSERT(reading->range.low <= value);
    RC_ASSERT(reading->range.high == CsigRange::OPEN || value < reading->range.high);
}
