/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parts-per-million.h"

#include "multiply-divide.h"

#include <limits>

namespace ns3::aidc
{

uint64_t
ComputeShare(uint64_t amount, uint64_t whole)
{
    constexpr uint64_t MILLION = 1000000;
    if (whole == 0)
    {
        return amount == 0 ? 0 : std::numeric_limits<uint64_t>::max();
    }
    return MultiplyDivide(amount, MILLION, whole);
}

} // namespace ns3::aidc
