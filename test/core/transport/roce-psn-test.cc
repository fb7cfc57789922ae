// SPDX-License-Identifier: GPL-2.0-only

// Packet sequence numbers: InfiniBand Architecture Specification, volume 1, section 9.7.2.

#include "test/core/core-test.h"

#include "ns3/roce-packet.h"

constexpr uint32_t TURN = 1 << 24;
constexpr int32_t HALF = 1 << 23;

uint32_t
DrawPsn()
{
    return DrawInRange<uint32_t>(0, TURN);
}

/// The number that is n packets later.
uint32_t
AddPsn(uint32_t psn, uint32_t n)
{
    return (psn + n) & PSN_MASK;
}

TEST(RocePsn, NewerForLessThanHalfATurnElseOlder)
{
    EXPECT_EQ(SubtractPsn(0, 0xffffff), 1);
    EXPECT_EQ(SubtractPsn(0xffffff, 0), -1);
    EXPECT_EQ(SubtractPsn(5, 0xfffffb), 10);
    EXPECT_EQ(SubtractPsn(0x7fffff, 0), 8388607);
    EXPECT_EQ(SubtractPsn(7, 7), 0);
}

TEST(RocePsn, ExactlyHalfATurnIsOlderBothWays)
{
    EXPECT_EQ(SubtractPsn(0x800000, 0), -8388608);
    EXPECT_EQ(SubtractPsn(0, 0x800000), -8388608);
}

TEST(RocePsn, PositionsWrapWithTheirNumbers)
{
    EXPECT_EQ(GetPsnPosition(0xffffff) + (1U << 8), GetPsnPosition(0));
    EXPECT_EQ(GetPsnPosition(2) - GetPsnPosition(1), 1U << 8);
}

TEST(RocePsn, NumbersWrapAt24Bits)
{
    EXPECT_EQ(PSN_MASK, 0xffffffU);
}

RC_GTEST_PROP(RocePsn, LaterNumbersAreThatMuchLater, ())
{
    const uint32_t psn = DrawPsn();
    const auto n = DrawInRange<int32_t>(-HALF, HALF);
    const uint32_t later = AddPsn(psn, static_cast<uint32_t>(n));
    RC_ASSERT(SubtractPsn(later, psn) == n);
}

RC_GTEST_PROP(RocePsn, OfTwoNumbersOneIsLaterButAtHalfATurn, ())
{
    const uint32_t a = DrawPsn();
    const uint32_t b = *rc::gen::oneOf(rc::gen::inRange<uint32_t>(0, TURN),
                                       rc::gen::just(AddPsn(a, HALF)),
                                       rc::gen::just(a));
    const int32_t d = SubtractPsn(a, b);
    RC_ASSERT(AddPsn(b, static_cast<uint32_t>(d)) == a);
    RC_ASSERT(SubtractPsn(b, a) == (d == -HALF ? d : -d));
}

RC_GTEST_PROP(RocePsn, WhatIsAboveTheNumbersDoesNotCount, ())
{
    const auto a = DrawAny<uint32_t>();
    const auto b = DrawAny<uint32_t>();
    RC_ASSERT(SubtractPsn(a, b) == SubtractPsn(a % TURN, b % TURN));
}
