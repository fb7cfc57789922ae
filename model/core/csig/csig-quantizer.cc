// SPDX-License-Identifier: GPL-2.0-only

#include "csig-quantizer.h"

#include "../require-argument.h"

#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// @throws std::invalid_argument always
[[noreturn]] void
Refuse(std::size_t index, const std::string& expected, uint64_t found)
{
    throw std::invalid_argument("CSIG bucket " + std::to_string(index) + " must " + expected +
                                ", found " + std::to_string(found));
}

/// Get a signal's index in the arrays.
constexpr std::size_t
Index(CsigSignal signal)
{
    return static_cast<std::size_t>(signal);
}

} // namespace

CsigBuckets::CsigBuckets()
    : CsigBuckets(std::vector<uint64_t>{0})
{
}

CsigBuckets::CsigBuckets(const std::vector<uint64_t>& lows)
    : m_nBuckets(lows.size())
{
    AIDC_REQUIRE(!lows.empty() && lows.size() <= MAX_BUCKETS,
                 "A signal of CSIG needs from 1 to " + std::to_string(MAX_BUCKETS) +
                     " buckets, found " + std::to_string(lows.size()));
    if (lows.front() != 0)
    {
        Refuse(0, "begin at 0", lows.front());
    }
    for (std::size_t i = 1; i < lows.size(); ++i)
    {
        if (lows[i] <= lows[i - 1])
        {
            Refuse(i,
                   "begin above bucket " + std::to_string(i - 1) + ", at more than " +
                       std::to_string(lows[i - 1]),
                   lows[i]);
        }
    }
    if (lows.back() == CsigRange::OPEN)
    {
        Refuse(lows.size() - 1, "begin below the largest number", lows.back());
    }
    m_lows.fill(CsigRange::OPEN);
    std::copy(lows.begin(), lows.end(), m_lows.begin());
}

CsigRange
CsigBuckets::Decode(uint32_t code) const
{
    const std::size_t index = std::min<std::size_t>(code, m_nBuckets - 1);
    return {m_lows[index], index + 1 < m_nBuckets ? m_lows[index + 1] : CsigRange::OPEN};
}

CsigBuckets
GetDefaultCsigBuckets(CsigSignal signal)
{
    uint64_t unit = 500; // 0.5 us
    // clang-format off
    std::vector<uint64_t> lows{0,   1,   2,    4,    6,    8,    10,   12,
                               16,  20,  24,   30,   40,   50,   60,   80,
                               100, 120, 160,  200,  250,  300,  400,  500,
                               600, 800, 1000, 1300, 1600, 2000, 3000, 4000};
    if (signal == CsigSignal::ABW)
    {
        unit = 100000000; // 100 Mbit/s
        lows = {0,    1,    2,    5,    10,   20,   30,   40,
                50,   60,   80,   100,  125,  150,  200,  250,
                300,  400,  500,  600,  750,  900,  1000, 1250,
                1500, 1750, 2000, 2500, 3000, 3500, 4000, 6000};
    }
    else if (signal == CsigSignal::ABW_RATIO)
    {
        unit = 10000; // 1 %
        lows = {0,  1,  2,  3,  4,  5,  6,  8,  10, 12, 14, 16, 18, 20, 23, 26,
                30, 34, 38, 42, 46, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 98};
    }
    // clang-format on
    for (auto& low : lows)
    {
        low *= unit;
    }
    return CsigBuckets(lows);
}

uint64_t
GetDefaultCsigQuantum(CsigSignal signal)
{
    return signal == CsigSignal::ABW ? 8000000 : signal == CsigSignal::ABW_RATIO ? 1 : 128;
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
CsigQuantizer::SetQuantum(CsigSignal signal, uint64_t quantum)
{
    AIDC_REQUIRE(quantum >= 1 && quantum <= MAX_QUANTUM,
                 "The CSIG quantum of " + std::string(GetCsigName(signal)) + " must be from 1 to " +
                     std::to_string(MAX_QUANTUM) + ", not " + std::to_string(quantum));
    m_quanta[Index(signal)] = quantum;
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

CsigBuckets
ParseCsigBuckets(CsigSignal signal, const std::string& text)
{
    return CsigBuckets(ParseCsigValues(signal, "CSIG bucket", text, CsigBuckets::MAX_BUCKETS));
}

std::string
FormatCsigBuckets(CsigSignal signal, const CsigBuckets& buckets)
{
    std::string text;
    for (uint32_t code = 0; code < buckets.GetNBuckets(); ++code)
    {
        text += (code == 0 ? "" : ",") + FormatCsigValue(signal, buckets.Decode(code).low);
    }
    return text;
}

std::optional<CsigReading>
ReadCsig(const CsigFields& fields,
         const CsigSignalSettings& signals,
         const CsigQuantizer& quantizer,
         const CsigLocatorLayout& layout)
{
    const auto signal = signals.Find(fields.type);
    if (!signal)
    {
        return std::nullopt;
    }
    const bool isInitial =
        fields.value == GetCsigInitialValue(GetCsigAggregation(*signal), fields.format);
    const bool hasCode = fields.format == CsigFormat::COMPACT
                             ? fields.value < quantizer.GetBuckets(*signal).GetNBuckets()
                             : fields.value <= GetCsigMaxValue(fields.format);
    if (!isInitial && !hasCode)
    {
        return std::nullopt;
    }
    return CsigReading{*signal,
                       quantizer.Decode(fields.format, *signal, fields.value),
                       layout.Decode(fields.locator),
                       !isInitial};
}

} // namespace ns3::aidc
