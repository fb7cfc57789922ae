// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_MULTIPLY_DIVIDE_H
#define AIDC_MULTIPLY_DIVIDE_H

#include <cstdint>

/// @file
/// Exact quotients of products that may exceed 64 bits.

namespace ns3::aidc
{

/// @param a a factor @param b a factor @param c the divisor, > 0
/// @return a * b / c exactly, rounded down; the largest number if it would be more
uint64_t MultiplyDivide(uint64_t a, uint64_t b, uint64_t c);

/// @param a a factor @param b a factor @param c the divisor, > 0
/// @return a * b / c exactly, rounded up; the largest number if it would be more
uint64_t MultiplyDivideUp(uint64_t a, uint64_t b, uint64_t c);

/// Get the share that an amount has of a whole, exactly, for any two numbers.
/// @return millionths, rounded down, above 1,000,000 if the amount is more than the whole; the
/// largest number if there would be more, or if the whole is 0 and the amount is not
uint64_t ComputeShare(uint64_t amount, uint64_t whole);

} // namespace ns3::aidc

#endif // AIDC_MULTIPLY_DIVIDE_H
