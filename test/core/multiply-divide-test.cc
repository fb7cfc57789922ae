// SPDX-License-Identifier: GPL-2.0-only

#include "model/core/multiply-divide.h"
#include "test/core/core-test.h"

constexpr uint64_t MOST = std::numeric_limits<uint64_t>::max(); //!< the largest number

TEST(MultiplyDivide, IsExactBeyond64Bits)
{
    EXPECT_EQ(MultiplyDivide(0, MOST, 1), 0U);
    EXPECT_EQ(MultiplyDivide(7, 3, 2), 10U); // 10.5
    EXPECT_EQ(MultiplyDivide(MOST, 1, 1), MOST);
    EXPECT_EQ(MultiplyDivide(MOST, 2, 1), MOST); // saturates
    // (n + 1) (n - 1) / n = n - 1 / n
    EXPECT_EQ(MultiplyDivide(MOST, MOST - 2, MOST - 1), MOST - 2);
    // (n + 1) (n + 1) / n = n + 2 + 1 / n
    EXPECT_EQ(MultiplyDivide(MOST - 1, MOST - 1, MOST - 2), MOST);
    EXPECT_EQ(MultiplyDivide(MOST - 2, MOST - 2, MOST - 3), MOST - 1);
}

TEST(MultiplyDivideUp, IsExactBeyond64Bits)
{
    EXPECT_EQ(MultiplyDivideUp(0, MOST, 1), 0U);
    EXPECT_EQ(MultiplyDivideUp(7, 3, 2), 11U); // 10.5
    EXPECT_EQ(MultiplyDivideUp(MOST, 1, 1), MOST);
    EXPECT_EQ(MultiplyDivideUp(MOST, 2, 1), MOST); // saturates
    // 2^63 * 2^40 / 2^41 = 2^62
    EXPECT_EQ(MultiplyDivideUp(uint64_t{1} << 63, uint64_t{1} << 40, uint64_t{1} << 41),
              uint64_t{1} << 62);
    // (10^18 + 1) * 10^18 / 10^18
    EXPECT_EQ(MultiplyDivideUp(1000000000000000001, 1000000000000000000, 1000000000000000000),
              1000000000000000001U);
    // (n + 1) (n - 1) / n = n - 1 / n
    EXPECT_EQ(MultiplyDivideUp(MOST, MOST - 2, MOST - 1), MOST - 1);
    // n n / (n + 1) = n - 1 + 1 / (n + 1)
    EXPECT_EQ(MultiplyDivideUp(MOST - 1, MOST - 1, MOST), MOST - 1);
}

RC_GTEST_PROP(MultiplyDivideUp, IsTheSchoolsDivision, ())
{
    const auto a = DrawInRange<uint64_t>(0, uint64_t{1} << 32);
    const auto b = DrawInRange<uint64_t>(0, uint64_t{1} << 31);
    const auto c = DrawInRange<uint64_t>(1, uint64_t{1} << 31);
    RC_ASSERT(MultiplyDivide(a, b, c) == a * b / c);
    RC_ASSERT(MultiplyDivideUp(a, b, c) == (a * b + c - 1) / c);
}

RC_GTEST_PROP(MultiplyDivideUp, UndoesAnyMultiplication, ())
{
    const auto a = DrawAny<uint64_t>();
    const auto b = *rc::gen::nonZero<uint64_t>();
    RC_ASSERT(MultiplyDivide(a, b, b) == a);
    RC_ASSERT(MultiplyDivideUp(a, b, b) == a);
}
