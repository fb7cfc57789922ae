/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-quantizer.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// Make buckets from numbers of a larger unit.
CsigBuckets
MakeBuckets(uint64_t unit, std::initializer_list<uint64_t> lows)
{
    std::vector<uint64_t> scaled(lows);
    for (auto& low : scaled)
    {
        low *= unit;
    }
    return CsigBuckets(scaled);
}

/// Get a signal's index in the arrays.
constexpr std::size_t
Index(CsigSignal signal)
{
    return static_cast<std::size_t>(signal);
}

} // namespace

CsigBuckets
GetDefaultCsigBuckets(CsigSignal signal)
{
    // clang-format off
    switch (signal)
    {
    case CsigSignal::ABW: // 100 Mbit/s
        return MakeBuckets(100000000, {0,    1,    2,    5,    10,   20,   30,   40,
                                       50,   60,   80,   100,  125,  150,  200,  250,
                                       300,  400,  500,  600,  750,  900,  1000, 1250,
                                       1500, 1750, 2000, 2500, 3000, 3500, 4000, 6000});
    case CsigSignal::ABW_RATIO: // 1 %
        return MakeBuckets(10000, {0,  1,  2,  3,  4,  5,  6,  8,
                                   10, 12, 14, 16, 18, 20, 23, 26,
                                   30, 34, 38, 42, 46, 50, 55, 60,
                                   65, 70, 75, 80, 85, 90, 95, 98});
    case CsigSignal::HOP_DELAY:
    case CsigSignal::QUEUE_DEPTH: // 0.5 us
        break;
    }
    return MakeBuckets(500, {0,   1,   2,   4,   6,    8,    10,   12,
                             16,  20,  24,  30,  40,   50,   60,   80,
                             100, 120, 160, 200, 250,  300,  400,  500,
                             600, 800, 1000, 1300, 1600, 2000, 3000, 4000});
    // clang-format on
}

uint64_t
GetDefaultCsigQuantum(CsigSignal signal)
{
    switch (signal)
    {
    case CsigSignal::ABW:
        return 8000000;
    case CsigSignal::ABW_RATIO:
        return 1;
    case CsigSignal::HOP_DELAY:
    case CsigSignal::QUEUE_DEPTH:
        break;
    }
    return 128;
}

CsigQuantizer::CsigQuantizer()
{
    for (std::size_t i = 0; i < CSIG_SIGNALS; ++i)
    {
        m_buckets[i] = GetDefaultCsigBuckets(static_cast<CsigSignal>(i));
        m_quanta[i] = GetDefaultCsigQuantum(static_cast<CsigSignal>(i));
    }
}

void
CsigQuantizer::SetBuckets(CsigSignal signal, const CsigBuckets& buckets)
{
    m_buckets[Index(signal)] = buckets;
}

const CsigBuckets&
CsigQuantizer::GetBuckets(CsigSignal signal) const
{
    return m_buckets[Index(signal)];
}

void
CsigQuantizer::SetQuantum(CsigSignal signal, uint64_t quantum)
{
    if (quantum == 0 || quantum > MAX_QUANTUM)
    {
        throw std::invalid_argument("The CSIG quantum of " + std::string(GetCsigName(signal)) +
                                    " must be from 1 to " + std::to_string(MAX_QUANTUM) + ", not " +
                                    std::to_string(quantum));
    }
    m_quanta[Index(signal)] = quantum;
}

uint64_t
CsigQuantizer::GetQuantum(CsigSignal signal) const
{
    return m_quanta[Index(signal)];
}

bool
CsigQuantizer::HasCode(CsigFormat format, CsigSignal signal, uint32_t code) const
{
    return format == CsigFormat::COMPACT ? code < m_buckets[Index(signal)].GetNBuckets()
                                         : code <= GetCsigMaxValue(format);
}

CsigRange
CsigQuantizer::Decode(CsigFormat format, CsigSignal signal, uint32_t code) const
{
    if (format == CsigFormat::COMPACT)
    {
        return m_buckets[Index(signal)].Decode(code);
    }
    const auto quantum = m_quanta[Index(signal)];
    const uint64_t last = GetCsigMaxValue(format);
    const uint64_t step = std::min<uint64_t>(code, last);
    return {step * quantum, step == last ? CsigRange::OPEN : (step + 1) * quantum};
}

} // namespace ns3::aidc
