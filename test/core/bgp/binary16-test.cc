// SPDX-License-Identifier: GPL-2.0-only

// binary16 (IEEE 754-2019) against a table of all numbers, which is made without binary16.

#include "model/core/fare/path-bandwidth.h"
#include "test/core/core-test.h"

#include <cstring>

constexpr double INFINITE = std::numeric_limits<double>::infinity();

/// A number by way of the bits of binary32, whose exponent has 8 bits and its fraction 23.
double
WidenBits(uint16_t bits)
{
    const uint32_t exponent = bits >> 10 & 0x1f;
    const uint32_t fraction = bits & 0x3ff;
    const uint32_t sign = static_cast<uint32_t>(bits >> 15) << 31;
    uint32_t wide = 0;
    if (exponent == 0)
    {
        const double size = fraction / 16777216.0; // units of 2^-24
        return sign != 0 ? -size : size;
    }
    wide = exponent == 31 ? sign | 0xffU << 23 | fraction << 13
                          : sign | (exponent + 127 - 15) << 23 | fraction << 13;
    float number = 0;
    std::memcpy(&number, &wide, sizeof(number));
    return number;
}

TEST(Binary16, AllBitsAreDecodedAsBinary32Has)
{
    for (uint32_t bits = 0; bits < 0x10000; ++bits)
    {
        const auto bits16 = static_cast<uint16_t>(bits);
        const double number = DecodeBinary16(bits16);
        const double expected = WidenBits(bits16);
        ASSERT_EQ(std::isnan(number), std::isnan(expected)) << bits;
        if (!std::isnan(number))
        {
            ASSERT_EQ(number, expected) << bits;
            ASSERT_EQ(std::signbit(number), std::signbit(expected)) << bits;
        }
    }
}

TEST(Binary16, AllFiniteNumbersAreEncodedAsTheyWere)
{
    for (uint32_t bits = 0; bits < 0x10000; ++bits)
    {
        const auto bits16 = static_cast<uint16_t>(bits);
        if ((bits & 0x7c00) != 0x7c00)
        {
            ASSERT_EQ(EncodeBinary16(WidenBits(bits16)), bits) << bits;
        }
    }
}

TEST(Binary16, BetweenNumbersItIsTheNearerOneAndInTheMiddleTheEvenOne)
{
    for (uint16_t bits = 0; bits < 0x7bff; ++bits)
    {
        const auto next = static_cast<uint16_t>(bits + 1);
        const double middle = (WidenBits(bits) + WidenBits(next)) / 2; // exact in double
        const uint16_t even = bits % 2 == 0 ? bits : next;
        ASSERT_EQ(EncodeBinary16(middle), even) << bits;
        ASSERT_EQ(EncodeBinary16(std::nextafter(middle, 0)), bits) << bits;
        ASSERT_EQ(EncodeBinary16(std::nextafter(middle, INFINITE)), next) << bits;
        ASSERT_EQ(EncodeBinary16(-middle), 0x8000 | even) << bits;
    }
}

TEST(Binary16, WhatIsTooLargeIsTheLargestNumber)
{
    EXPECT_EQ(DecodeBinary16(0x7bff), BINARY16_MAX);
    for (const double number : {65504.0, 65505.0, 65519.9, 65520.0, 1e6, 1e300, INFINITE})
    {
        EXPECT_EQ(EncodeBinary16(number), 0x7bff) << number;
        EXPECT_EQ(EncodeBinary16(-number), 0xfbff) << number;
    }
}

TEST(Binary16, WhatIsNoNumberStaysNone)
{
    EXPECT_EQ(EncodeBinary16(std::numeric_limits<double>::quiet_NaN()), 0x7e00);
    EXPECT_TRUE(std::isnan(DecodeBinary16(0x7e00)));
    EXPECT_TRUE(std::isinf(DecodeBinary16(0x7c00)));
}

TEST(Binary16, WhatIsTooSmallIsZero)
{
    EXPECT_EQ(EncodeBinary16(std::ldexp(1, -25)), 0);
    EXPECT_EQ(EncodeBinary16(std::nextafter(std::ldexp(1, -25), 1)), 1);
    EXPECT_EQ(EncodeBinary16(std::numeric_limits<double>::denorm_min()), 0);
}

RC_GTEST_PROP(Binary16, OrderIsKept, ())
{
    const auto draw = [] {
        return std::ldexp(DrawInRange<int>(0, 1 << 30), DrawInRange<int>(-60, -10));
    };
    const double a = draw();
    const double b = draw();
    RC_ASSERT((EncodeBinary16(a) <= EncodeBinary16(b)) || a > b);
}
