/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_QUANTIZER_H
#define AIDC_CSIG_QUANTIZER_H

#include "csig-buckets.h"
#include "csig-fields.h"
#include "csig-signal.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief Get the default buckets of a signal.
 *
 * The draft has no defaults; these are ours. They are roughly logarithmic, finer at low values,
 * where a difference matters most to a sender (section 4.1.3), and reach 800 Gbit/s and 2 ms.
 *
 * @param signal the signal
 * @return 32 buckets
 */
CsigBuckets GetDefaultCsigBuckets(CsigSignal signal);

/// Get the default quantum of a signal.
/// @return 8 Mbit/s and 128 ns, the examples of section 4.1.3; one millionth; 128 ns
uint64_t GetDefaultCsigQuantum(CsigSignal signal);

/**
 * @brief Converts measured values to codes and back: by buckets in the compact format, by uniform
 *        steps in the expanded one, both for each signal (section 4.1.3 of the draft).
 *
 * All devices of a path MUST have the same buckets and steps (section 5.3.3), and so must the hosts
 * that interpret the codes: use one quantizer for all.
 */
class CsigQuantizer
{
  public:
    /// Make a quantizer with the default buckets and quanta.
    CsigQuantizer();

    /// Set the buckets of a signal for the compact format.
    void SetBuckets(CsigSignal signal, const CsigBuckets& buckets);

    /// @return the buckets of the signal for the compact format
    const CsigBuckets& GetBuckets(CsigSignal signal) const;

    /// Set the quantum of a signal for the expanded format.
    /// @param signal the signal
    /// @param quantum the width of a step in the signal's unit, from 1 to 10^12
    /// @throws std::invalid_argument if the quantum is outside its range
    void SetQuantum(CsigSignal signal, uint64_t quantum);

    /// Get the quantum of a signal for the expanded format. @return the width of a step in the
    /// signal's unit
    uint64_t GetQuantum(CsigSignal signal) const;

    /// Get the code of a measured value. value: the value in the signal's unit. @return S; in the
    /// expanded format 0xFFFFF for all values beyond the last step
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

    /// Tell whether some value has a code. @return whether there is such a bucket or step
    bool HasCode(CsigFormat format, CsigSignal signal, uint32_t code) const;

    /// Get the values of a code. @return the values; the last bucket or step has no end
    CsigRange Decode(CsigFormat format, CsigSignal signal, uint32_t code) const;

    /// The largest quantum: with it, the end of no step overflows.
    static constexpr uint64_t MAX_QUANTUM = 1000000000000;

  private:
    std::array<CsigBuckets, CSIG_SIGNALS> m_buckets; //!< by signal, for the compact format
    std::array<uint64_t, CSIG_SIGNALS> m_quanta;     //!< by signal, for the expanded format
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_QUANTIZER_H
