// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WIRE_CLOCK_H
#define AIDC_WIRE_CLOCK_H

#include <cstdint>

namespace ns3::aidc
{

/// Says how long frames occupy a wire, in whole time steps without drift.
///
/// A frame of 84 bytes takes 0.84 ns at 800 Gb/s. Each frame's time is rounded down to a whole
/// step, and the remainder is added to the time of the next frame if it follows at once, so that a
/// busy wire has its exact rate at any resolution of time.
class WireClock
{
  public:
    /// Set the rate. @param bitsPerSecond the rate of the wire, from 1 to 10^14 bit/s
    /// @param stepsPerSecond the resolution of time, time steps a second
    void SetRate(uint64_t bitsPerSecond, uint64_t stepsPerSecond)
    {
        m_rate = bitsPerSecond;
        m_wholeSteps = stepsPerSecond / bitsPerSecond;
        m_remainder = stepsPerSecond % bitsPerSecond;
        m_carry = 0;
    }

    /// Occupy the wire. start: when, in time steps; not before GetEnd(); bits: for how many bits,
    /// at most 2^20, or 2^17 with more than 10^12 steps a second. @return the end, in time steps
    int64_t Occupy(int64_t start, uint64_t bits)
    {
        const uint64_t fraction = bits * m_remainder + (start == m_end ? m_carry : 0);
        m_end = start + static_cast<int64_t>(bits * m_wholeSteps + fraction / m_rate);
        m_carry = fraction % m_rate;
        return m_end;
    }

    /// Get when the wire is free. @return the time in time steps
    int64_t GetEnd() const
    {
        return m_end;
    }

    /// Get when all but so many bits, at most the bits of the last Occupy(), have gone.
    /// @return the time in time steps, rounded down as GetEnd() is
    int64_t GetEndWithout(uint64_t bits) const
    {
        const uint64_t fraction = bits * m_remainder;
        const uint64_t steps = fraction > m_carry ? (fraction - m_carry + m_rate - 1) / m_rate : 0;
        return m_end - static_cast<int64_t>(bits * m_wholeSteps + steps);
    }

  private:
    int64_t m_end{0};         //!< when the wire is free
    uint64_t m_carry{0};      //!< the rest of a step that is still occupied, in steps times rate
    uint64_t m_rate{1};       //!< bit/s
    uint64_t m_wholeSteps{0}; //!< whole steps a bit
    uint64_t m_remainder{0};  //!< the rest of a bit's time, in steps times rate
};

} // namespace ns3::aidc

#endif // AIDC_WIRE_CLOCK_H
