/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PARTS_PER_MILLION_H
#define AIDC_PARTS_PER_MILLION_H

#include <cstdint>

namespace ns3::aidc
{

/// Get the share that an amount has of a whole, exactly, for any two numbers.
/// @return millionths, rounded down, above 1,000,000 if the amount is more than the whole; the
/// largest number if there would be more, or if the whole is 0 and the amount is not
uint64_t ComputeShare(uint64_t amount, uint64_t whole);

} // namespace ns3::aidc

#endif // AIDC_PARTS_PER_MILLION_H
