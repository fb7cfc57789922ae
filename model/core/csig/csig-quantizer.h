// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_QUANTIZER_H
#define AIDC_CSIG_QUANTIZER_H

#include "csig-fields.h"
#include "csig-locator.h"
#include "csig-signal.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The values that one code of a signal stands for.
struct CsigRange
{
    /// The end of an open range.
    static constexpr uint64_t OPEN = std::numeric_limits<uint64_t>::max();

    uint64_t low;  //!< the smallest value, in the signal's unit
    uint64_t high; //!< one more than the largest value, or OPEN

    /// @return one value for the whole range: the middle, rounded down; if it is open, its
    /// beginning
    uint64_t GetRepresentative() const
    {
        return high == OPEN ? low : low + (high - low) / 2;
    }
};

/// The buckets of a signal in the compact format (section 4.1.3 of the draft).
///
/// Up to 32 ranges [low, high) cover all values from 0 on without a gap; the last one is open. The
/// code of a value is the number of its bucket. The draft's tables share end points; here, a value
/// on the border belongs to the upper bucket. Fewer than 32 buckets are allowed: the draft's
/// appendix A has 8. A look-up takes five comparisons and no memory.
class CsigBuckets
{
  public:
    /// The most buckets that a 5-bit code can name.
    static constexpr std::size_t MAX_BUCKETS = 32;

    /// Make one bucket of all values.
    CsigBuckets();

    /// Make buckets from the beginning of each.
    /// @param lows the smallest value of each bucket in the signal's unit: 1 to 32, the first 0,
    ///        each above the one before
    /// @throws std::invalid_argument if not; the text says which bucket is wrong and why
    explicit CsigBuckets(const std::vector<uint64_t>& lows);

    /// @return the number of a value's bucket, from 0. value: in the signal's unit.
    uint32_t Encode(uint64_t value) const
    {
        // The number of buckets that begin at or below the value, by halves: places after the last
        // bucket hold OPEN, and the bucket of OPEN itself is the last.
        uint32_t code = 0;
        for (uint32_t half = MAX_BUCKETS / 2; half > 0; half /= 2)
        {
            if (m_lows[code + half] <= value && code + half < m_nBuckets)
            {
                code += half;
            }
        }
        return code;
    }

    /// @return the bucket of a code; a larger code than the last bucket's, such as a host's initial
    /// value, counts as the last bucket's
    CsigRange Decode(uint32_t code) const;

    /// @return the number of buckets, from 1 to 32
    std::size_t GetNBuckets() const
    {
        return m_nBuckets;
    }

  private:
    /// The smallest value of each bucket; OPEN, which no bucket has, after the last one.
    std::array<uint64_t, MAX_BUCKETS> m_lows;
    std::size_t m_nBuckets; //!< how many there are
};

/// @return the default buckets of a signal, 32. The draft has no defaults; these are ours. They are
/// roughly logarithmic, finer at low values, where a difference matters most to a sender (section
/// 4.1.3), and reach 800 Gbit/s and 2 ms
CsigBuckets GetDefaultCsigBuckets(CsigSignal signal);

/// @return the default quantum of a signal: 8 Mbit/s and 128 ns, the examples of section 4.1.3; one
/// millionth; 128 ns
uint64_t GetDefaultCsigQuantum(CsigSignal signal);

/// Converts measured values to codes and back: by buckets in the compact format, by uniform
/// steps in the expanded one, both for each signal (section 4.1.3 of the draft).
///
/// All devices of a path MUST have the same buckets and steps (section 5.3.3), and so must the
/// hosts that interpret the codes: use one quantizer for all.
class CsigQuantizer
{
  public:
    /// Make a quantizer with the default buckets and quanta.
    CsigQuantizer();

    /// Set the buckets of a signal for the compact format.
    void SetBuckets(CsigSignal signal, const CsigBuckets& buckets)
    {
        m_buckets[static_cast<std::size_t>(signal)] = buckets;
    }

    /// @return the buckets of a signal for the compact format
    const CsigBuckets& GetBuckets(CsigSignal signal) const
    {
        return m_buckets[static_cast<std::size_t>(signal)];
    }

    /// Set the quantum of a signal for the expanded format: the width of a step in its unit, from 1
    /// to 10^12. @throws std::invalid_argument if it is not
    void SetQuantum(CsigSignal signal, uint64_t quantum);

    /// @return the quantum of a signal
    uint64_t GetQuantum(CsigSignal signal) const
    {
        return m_quanta[static_cast<std::size_t>(signal)];
    }

    /// @return the code S of a measured value, which is in the signal's unit; in the expanded
    /// format 0xFFFFF for all values beyond the last step
    uint32_t Encode(CsigFormat format, CsigSignal signal, uint64_t value) const
    {
        const auto index = static_cast<std::size_t>(signal);
        if (format == CsigFormat::COMPACT)
        {
            return m_buckets[index].Encode(value);
        }
        return static_cast<uint32_t>(
            std::min<uint64_t>(value / m_quanta[index], GetCsigMaxValue(format)));
    }

    /// @return the values of a code; the last bucket or step has no end
    CsigRange Decode(CsigFormat format, CsigSignal signal, uint32_t code) const;

    /// The largest quantum: with it, the end of no step overflows.
    static constexpr uint64_t MAX_QUANTUM = 1000000000000;

  private:
    std::array<CsigBuckets, CSIG_SIGNALS> m_buckets; //!< by signal, for the compact format
    std::array<uint64_t, CSIG_SIGNALS> m_quanta;     //!< by signal, for the expanded format
};

/// Read a table of buckets: the beginning of each, separated by commas, as "0,1Gbps,5Gbps".
/// @throws std::invalid_argument if it is no such text; says which bucket is wrong, what was
///        expected and what was found
CsigBuckets ParseCsigBuckets(CsigSignal signal, const std::string& text);

/// @return a text of buckets that ParseCsigBuckets reads back
std::string FormatCsigBuckets(CsigSignal signal, const CsigBuckets& buckets);

/// The decoded fields of a tag.
struct CsigReading
{
    CsigSignal signal;   //!< the signal
    CsigRange range;     //!< the values that S stands for, in the signal's unit
    CsigLocator locator; //!< the attributes of the bottleneck, from LM
    bool hasBottleneck;  //!< whether some switch has written its value; if not, ignore locator

    /// @return one value for the whole range
    uint64_t GetValue() const
    {
        return range.GetRepresentative();
    }

    /// @return the unit of the values
    const char* GetUnit() const
    {
        return GetCsigUnit(signal);
    }
};

/// Read the fields of a tag. layout: the layout of the locator metadata in the tag's format.
/// @return the reading; none if no signal has the type, or if no bucket or step has the value and
/// it is not the initial value of hosts
std::optional<CsigReading> ReadCsig(const CsigFields& fields,
                                    const CsigSignalSettings& signals,
                                    const CsigQuantizer& quantizer,
                                    const CsigLocatorLayout& layout);

} // namespace ns3::aidc

#endif // AIDC_CSIG_QUANTIZER_H
