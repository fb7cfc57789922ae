// SPDX-License-Identifier: GPL-2.0-only

#include "roce-timeout.h"

#include "../mix-bits.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace ns3::aidc
{

namespace
{

constexpr int64_t LEAST_LOW = 100'000;      //!< the least low timeout in ns: IRN's
constexpr int64_t LOW_ROUND_TRIPS = 4;      //!< IRN's low timeout in idle round-trip times, about
constexpr uint32_t MAX_DOUBLINGS = 7;       //!< of a timeout: as often as there are attempts
constexpr uint8_t CODE_MASK = 31;           //!< codes and exponents have five bits
constexpr uint32_t RNR_UNIT = 10;           //!< microseconds
constexpr uint32_t RNR_LONGEST = 65536;     //!< units of code 0
constexpr uint64_t ACK_TIMEOUT_UNIT = 4096; //!< nanoseconds

/// @return a number that looks random, 0 to below 1 (SplitMix64, G. Steele et al., OOPSLA 2014)
double
DrawPart(uint64_t& state)
{
    const uint64_t mixed = MixBits(state);
    state += 0x9e3779b97f4a7c15;
    constexpr int BITS = 53; // of a double
    return static_cast<double>(mixed >> (64 - BITS)) / static_cast<double>(uint64_t{1} << BITS);
}

} // namespace

uint32_t
GetRnrTimerMicroseconds(uint8_t code)
{
    code &= CODE_MASK;
    if (code == 0)
    {
        return RNR_LONGEST * RNR_UNIT;
    }
    if (code < 4)
    {
        return code * RNR_UNIT;
    }
    // From 4 on, the even codes are powers of two, and the odd ones half as much again.
    return ((code % 2 == 0 ? 2U : 3U) << (code / 2 - 1)) * RNR_UNIT;
}

uint64_t
GetAckTimeoutNanoseconds(uint8_t exponent)
{
    exponent &= CODE_MASK;
    return exponent == 0 ? 0 : ACK_TIMEOUT_UNIT << exponent;
}

uint32_t
GetRoceWindow(int64_t baseRtt, int64_t queueing, uint64_t rate, uint32_t packetSize)
{
    if (baseRtt <= 0)
    {
        return ROCE_MIN_WINDOW;
    }
    const double time = 2.0 * static_cast<double>(baseRtt) + static_cast<double>(queueing);
    const double packets = std::ceil(time * static_cast<double>(rate) / 8e9 / packetSize);
    return static_cast<uint32_t>(std::clamp<double>(packets, ROCE_MIN_WINDOW, ROCE_MAX_WINDOW));
}

RoceTimeout::RoceTimeout(const Settings& settings)
    : m_settings(settings),
      m_draws(settings.seed),
      m_isMeasured(settings.baseRtt == 0)
{
}

int64_t
RoceTimeout::GetHigh(const Settings& settings)
{
    const int64_t longest = settings.baseRtt + settings.queueing;
    return settings.baseRtt == 0 ? UNKNOWN
           : settings.isLossless ? std::max(UNKNOWN, longest)
                                 : longest;
}

int64_t
RoceTimeout::GetLow(const Settings& settings)
{
    const int64_t high = GetHigh(settings);
    return settings.baseRtt > 0 && !settings.isLossless
               ? std::min(std::max(LEAST_LOW, LOW_ROUND_TRIPS * settings.baseRtt), high)
               : high;
}

int64_t
RoceTimeout::Get(uint64_t nPackets) const
{
    const int64_t measured = m_smoothed + 4 * m_variation;
    if (nPackets <= m_settings.lowPackets && m_nTimeouts == 0)
    {
        if (m_settings.low)
        {
            return *m_settings.low;
        }
        return std::min(std::max(GetLow(m_settings), measured),
                        m_settings.high.value_or(std::numeric_limits<int64_t>::max()));
    }
    if (m_settings.high)
    {
        return *m_settings.high;
    }
    const int64_t high = std::max(GetHigh(m_settings), measured) << m_nTimeouts;
    return high + static_cast<int64_t>(m_part * static_cast<double>(high));
}

void
RoceTimeout::NotifyRtt(int64_t rtt)
{
    if (m_isMeasured)
    {
        m_settings.baseRtt = m_settings.baseRtt == 0 ? rtt : std::min(rtt, m_settings.baseRtt);
    }
    // RFC 6298, section 2.
    if (m_smoothed == 0)
    {
        m_smoothed = rtt;
        m_variation = rtt / 2;
        return;
    }
    m_variation += (std::abs(rtt - m_smoothed) - m_variation) / 4;
    m_smoothed += (rtt - m_smoothed) / 8;
}

void
RoceTimeout::NotifyTimeout(uint64_t next)
{
    m_nTimeouts = std::min(m_nTimeouts + 1, MAX_DOUBLINGS);
    m_next = next;
    m_part = DrawPart(m_draws);
}

} // namespace ns3::aidc
