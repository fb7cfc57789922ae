// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LONG_FLOWS_H
#define AIDC_LONG_FLOWS_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::aidc
{

/// How fast the flows that are under way are, and how far they may leap: all by the same
/// time, in which each sends as many bytes as it has sent on average in the last windows.
///
/// Rates follow a sawtooth, so they are measured in windows of 1, 2, 4 to 32 intervals, until the
/// bytes that all flows have sent in windows of one length have settled (FindSettled()) for 64
/// intervals and half of the intervals that are known. Acknowledgments tell whether the bytes
/// arrive. In all, flows leap by at most 8 times the time in which they were observed, by 16
/// intervals or more each time. None comes nearer to its end than such a window, and another flow
/// makes all begin anew.
class LongFlows
{
  public:
    /// A flow, and what it has still to do.
    struct Flow
    {
        uint32_t task;           //!< its message
        uint32_t connection;     //!< which one of its connections
        uint64_t unsent;         //!< bytes that were never sent
        uint64_t unacknowledged; //!< these, and bytes that were not acknowledged
    };

    /// A time by which all flows may leap.
    struct Leap
    {
        uint64_t nIntervals{0};       //!< 0 for none
        double error{0};              //!< bound on the relative error of rates
        std::vector<uint64_t> nBytes; //!< by flow
    };

    /// @param error the accepted relative error, above 0
    explicit LongFlows(double error)
        : m_error(error)
    {
    }

    /// Tell of all flows, at regular intervals.
    /// @param flows the flows, in the same order while they are the same
    void Observe(std::vector<Flow> flows);

    /// Tell of a leap that was done.
    /// @param leap what Find() has found
    void Take(const Leap& leap);

    /// @param most the longest leap, in intervals
    /// @return the longest leap
    Leap Find(uint64_t most) const;

  private:
    /// @return the longest leap of up to most intervals, by the bytes in windows of some intervals
    Leap FindIn(std::size_t window, uint64_t most) const;

    double m_error;                       //!< the accepted relative error
    std::deque<std::vector<Flow>> m_past; //!< by interval
    uint64_t m_nObserved{0};              //!< how often these flows were observed
    uint64_t m_nLeapt{0};                 //!< intervals by which they have leapt
};

} // namespace ns3::aidc

#endif // AIDC_LONG_FLOWS_H
