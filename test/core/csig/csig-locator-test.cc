// SPDX-License-Identifier: GPL-2.0-only

// CSIG's locator metadata: section 5.5 of the draft.

#include "model/core/csig/csig-locator.h"
#include "test/core/core-test.h"

constexpr auto COMPACT = CsigFormat::COMPACT;
constexpr auto EXPANDED = CsigFormat::EXPANDED;
constexpr uint64_t GBPS = 1000000000; //!< bit/s

using Attribute = CsigAttribute;

TEST(CsigLocator, Section5_5_2CompactDefaultIsCapacityStageAndOrientation)
{
    const CsigLocatorLayout layout(COMPACT);
    EXPECT_EQ(layout.Format(), "capacity:3,stage:2,orientation:2");
    CsigLocator locator;
    locator.Set(Attribute::CAPACITY, CsigSpeeds().Encode(100 * GBPS)); // the 4th
    locator.Set(Attribute::STAGE, 1);
    locator.Set(Attribute::ORIENTATION, static_cast<uint32_t>(CsigOrientation::DOWN));
    EXPECT_EQ(layout.Encode(locator), 0b1000110);
    EXPECT_EQ(layout.Decode(0b1000110), locator);
}

TEST(CsigLocator, Section5_5_2ExpandedDefaultIsDeviceAndPort)
{
    const CsigLocatorLayout layout(EXPANDED);
    EXPECT_EQ(layout.Format(), "device:10,port:6");
    CsigLocator locator;
    locator.Set(Attribute::DEVICE, 1023);
    locator.Set(Attribute::PORT, 5);
    EXPECT_EQ(layout.Encode(locator), 0xffc5);
    EXPECT_EQ(layout.Decode(0xffc5), locator);
}

TEST(CsigLocator, Section5_5_1SizeIsWithin7And16Bits)
{
    EXPECT_NO_THROW(CsigLocatorLayout::Parse(COMPACT, "custom:7"));
    EXPECT_NO_THROW(CsigLocatorLayout::Parse(COMPACT, "capacity:5,orientation:2"));
    EXPECT_EQ(CatchMessage([] { CsigLocatorLayout::Parse(COMPACT, "capacity:5,stage:3"); }),
              "The attributes of a CSIG locator must be within 7 bits, found 8");
    EXPECT_EQ(CatchMessage([] { CsigLocatorLayout::Parse(COMPACT, "custom:8"); }),
              "The CSIG attribute custom must have from 1 to 7 bits, found 8");
    EXPECT_NO_THROW(CsigLocatorLayout::Parse(EXPANDED, "port:8,ttl:8"));
    EXPECT_EQ(CatchMessage([] { CsigLocatorLayout::Parse(EXPANDED, "port:9,ttl:8"); }),
              "The attributes of a CSIG locator must be within 16 bits, found 17");
    EXPECT_THROW(CsigLocatorLayout::Parse(EXPANDED, "port:17"), std::invalid_argument);
}

TEST(CsigLocator, Section5_5_2TtlHas8Bits)
{
    EXPECT_EQ(CatchMessage([] { CsigLocatorLayout::Parse(EXPANDED, "ttl:7"); }),
              "The CSIG attribute ttl must have 8 bits, found 7");
    EXPECT_THROW(CsigLocatorLayout::Parse(COMPACT, "ttl:8"), std::invalid_argument);
}

TEST(CsigLocator, AttributeTwiceOrWithoutBitsIsRefused)
{
    EXPECT_EQ(CatchMessage([] { CsigLocatorLayout::Parse(EXPANDED, "port:3,port:3"); }),
              "A CSIG locator must have each attribute once, found port again");
    EXPECT_EQ(CatchMessage([] { CsigLocatorLayout::Parse(EXPANDED, "port:0"); }),
              "The CSIG attribute port must have from 1 to 16 bits, found 0");
}

TEST(CsigLocator, TextErrorsSayWhatWasExpectedAndFound)
{
    const std::string expected = "A CSIG locator layout must be attributes as NAME:BITS with "
                                 "commas between, NAME one of capacity, stage, orientation, port, "
                                 "device, ttl and custom; found ";
    for (const std::string text :
         {"port", "port:", "port:x", "port:-1", "port:123", "Port:3", ":3", " port:3", "port:3:4"})
    {
        EXPECT_EQ(CatchMessage([&] { CsigLocatorLayout::Parse(EXPANDED, text); }),
                  expected + "\"" + text + "\"");
    }
    for (const std::string text : {"port:3,", ",port:3", ","})
    {
        EXPECT_EQ(CatchMessage([&] { CsigLocatorLayout::Parse(EXPANDED, text); }),
                  expected + "\"\"");
    }
}

TEST(CsigLocator, EmptyLayoutIsAlwaysZero)
{
    const auto layout = CsigLocatorLayout::Parse(COMPACT, "");
    EXPECT_EQ(layout.Format(), "");
    CsigLocator locator;
    locator.Set(Attribute::STAGE, 3);
    EXPECT_EQ(layout.Encode(locator), 0);
    EXPECT_EQ(layout.Decode(0x7f), CsigLocator());
    EXPECT_EQ(layout.SetTtl(0x12, 64), 0x12);
}

TEST(CsigLocator, NumberThatDoesNotFitIsRefused)
{
    const auto layout = CsigLocatorLayout::Parse(EXPANDED, "device:4,port:4");
    CsigLocator locator;
    locator.Set(Attribute::DEVICE, 15);
    EXPECT_EQ(layout.Encode(locator), 0xf0);
    locator.Set(Attribute::DEVICE, 16);
    EXPECT_EQ(CatchMessage([&] { layout.Encode(locator); }),
              "The CSIG attribute device must be at most 15, as it has 4 bits, not 16");
}

TEST(CsigLocator, TtlIsWrittenOverThatOfThePort)
{
    const auto layout = CsigLocatorLayout::Parse(EXPANDED, "stage:3,ttl:8,port:5");
    EXPECT_EQ(layout.SetTtl(0b1010000000010011, 0xff), 0b1011111111110011);
    EXPECT_EQ(layout.SetTtl(0b1011111111110011, 62), 0b1010011111010011);
    EXPECT_EQ(layout.Decode(0b1010011111010011).Get(Attribute::TTL), 62U);
    EXPECT_EQ(CsigLocatorLayout(EXPANDED).SetTtl(0x1234, 62), 0x1234);
}

TEST(CsigSpeeds, SpeedIsItsPlaceFrom1)
{
    const CsigSpeeds speeds({40 * GBPS, 100 * GBPS});
    EXPECT_EQ(speeds.Encode(40 * GBPS), 1U);
    EXPECT_EQ(speeds.Encode(100 * GBPS), 2U);
    EXPECT_EQ(speeds.Encode(50 * GBPS), 0U);
    EXPECT_EQ(speeds.Decode(0), 0U);
    EXPECT_EQ(speeds.Decode(1), 40 * GBPS);
    EXPECT_EQ(speeds.Decode(2), 100 * GBPS);
    EXPECT_EQ(speeds.Decode(3), 0U);
}

TEST(CsigSpeeds, DefaultFitsTheCompactDefault)
{
    const CsigSpeeds speeds;
    const uint64_t expected[]{10, 25, 40, 100, 200, 400, 800};
    for (uint32_t number = 1; number <= 7; ++number)
    {
        EXPECT_EQ(speeds.Decode(number), expected[number - 1] * GBPS);
    }
    EXPECT_EQ(speeds.Decode(8), 0U);
}

TEST(CsigSpeeds, WrongListIsRefused)
{
    EXPECT_THROW(CsigSpeeds({1, 0}), std::invalid_argument);
    EXPECT_THROW(CsigSpeeds({1, 2, 1}), std::invalid_argument);
    std::vector<uint64_t> speeds;
    for (uint64_t i = 1; i <= 31; ++i)
    {
        speeds.push_back(i);
    }
    EXPECT_NO_THROW(CsigSpeeds{speeds});
    speeds.push_back(32);
    EXPECT_THROW(CsigSpeeds{speeds}, std::invalid_argument);
}

/// Any layout and bits: unpacking and packing gives the bits that the layout has, its text reads
/// back, and TTL is where Unpack finds it.
RC_GTEST_PROP(CsigLocator, Section5_5_1AnyLayoutPacksWhatItUnpacks, ())
{
    const auto format = DrawElement({COMPACT, EXPANDED});
    uint32_t room = format == COMPACT ? 7 : 16;
    std::vector<CsigLocatorLayout::Field> fields;
    const auto order = *rc::gen::map(
        rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(0, CSIG_ATTRIBUTES)),
        [](std::vector<uint32_t> all) {
            std::vector<uint32_t> once;
            std::vector<bool> has(CSIG_ATTRIBUTES);
            for (const auto i : all)
            {
                if (!has[i])
                {
                    once.push_back(i);
                }
                has[i] = true;
            }
            return once;
        });
    uint32_t used = 0;
    for (const auto i : order)
    {
        const auto attribute = static_cast<Attribute>(i);
        const bool isTtl = attribute == Attribute::TTL;
        if (room < (isTtl ? 8 : 1))
        {
            continue;
        }
        const auto bits = isTtl ? 8 : DrawInRange<uint32_t>(1, room + 1);
        fields.push_back({attribute, bits});
        room -= bits;
        used += bits;
    }
    const CsigLocatorLayout layout(format, fields);
    const auto bits = DrawAny<uint16_t>();
    const auto inLayout = static_cast<uint16_t>(bits & ((1U << used) - 1));
    RC_ASSERT(layout.Encode(layout.Decode(bits)) == inLayout);

    const auto readBack = CsigLocatorLayout::Parse(format, layout.Format());
    RC_ASSERT(readBack.Format() == layout.Format());
    RC_ASSERT(readBack.Decode(bits) == layout.Decode(bits));

    const auto ttl = DrawAny<uint8_t>();
    auto expected = layout.Decode(bits);
    for (const auto& field : fields)
    {
        if (field.attribute == Attribute::TTL)
        {
            expected.Set(Attribute::TTL, ttl);
        }
    }
    RC_ASSERT(layout.Decode(layout.SetTtl(bits, ttl)) == expected);
}
