// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LEAP_RECORD_H
#define AIDC_LEAP_RECORD_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// What a series of durations says about the durations that come after it.
///
/// If the trend of the last durations goes on, the mean of the durations to come differs from the
/// mean of the last ones by the trend times half of both numbers. The bound on the relative error
/// is the sum of the interval of the mean and of the greatest trend that the durations allow (95 %,
/// Student's t). So a slow drift, and noise that may hide one, allow few durations ahead, and a
/// series that repeats allows thousands.
struct SettledSeries
{
    std::size_t nUsed{0}; //!< the last durations, of which this is; 0 if they have not settled
    double mean{0};       //!< their mean
    double halfWidth{0};  //!< relative half-width of the interval of the mean
    double trend{0};      //!< relative bound on the change from one duration to the next
    uint64_t nAhead{0};   //!< how many durations ahead have an error up to the accepted one

    /// @param n how many durations are ahead
    /// @return the bound on the relative error of their mean
    double GetError(uint64_t n) const
    {
        return halfWidth + trend * (static_cast<double>(nUsed) + static_cast<double>(n)) / 2;
    }
};

/// Find the last durations of a series that say the most about the durations to come.
///
/// With 3 to 7 durations, all must be the same within a tenth of the accepted error. With 8 or
/// more, residuals may be correlated with the ones before them.
/// @param durations the series in ns, oldest first
/// @param error the accepted relative error, above 0
/// @param isRepeated whether the last two are known to be the same, by more than these numbers;
///        then two may do, which differ by at most 10^-5
/// @return what it says; nUsed is 0 if no last durations allow one ahead
SettledSeries FindSettled(const std::vector<double>& durations,
                          double error,
                          bool isRepeated = false);

/// A task that was executed. Times are in ns, from when its last member has started.
struct LeapSample
{
    std::vector<int64_t> ends;    //!< when it ended, by member
    int64_t duration{0};          //!< when it ended at the last one
    int64_t stagger{0};           //!< how much earlier the first one has started
    std::set<uint32_t> neighbors; //!< kinds of tasks that touch it and were under way meanwhile
    double pace{0};               //!< of its members' congestion controls as they have started

    /// @param other another one
    /// @return whether all members have started and ended in the same way, within 10^-5 of the
    /// duration
    bool IsSame(const LeapSample& other) const;
};

/// What is known of tasks to come.
struct LeapEstimate
{
    SettledSeries series;      //!< of their durations; nUsed is 0 if they are not known
    std::vector<int64_t> ends; //!< mean of the ends, by member
    int64_t leastStagger{0};   //!< of the samples
    int64_t mostStagger{0};    //!< of the samples
    std::set<uint32_t> always; //!< families of neighbors that all samples have had
    std::set<uint32_t> ever;   //!< kinds of neighbors that a sample has had
    bool isOfFamily{false};    //!< whether samples of other kinds of the family are used
};

/// The last samples of some tasks that do the same.
class LeapRecord
{
  public:
    /// The most samples that are kept.
    static constexpr std::size_t MAX_SAMPLES = 64;

    /// @param sample the newest one
    void Add(std::shared_ptr<const LeapSample> sample);

    /// Find what the samples say about the next ones.
    /// @param error the accepted relative error
    /// @param families the family of each kind
    /// @return the estimate
    LeapEstimate Estimate(double error, const std::vector<uint32_t>& families) const;

    /// @return the samples, oldest first
    const std::deque<std::shared_ptr<const LeapSample>>& GetSamples() const
    {
        return m_samples;
    }

    /// Tell why Estimate() does not know.
    /// @return such as "12 durations, the last of which vary by 3.1 %"
    std::string Describe() const;

  private:
    /// From the last start, from the first one, and the pace; windows may be longer than needed.
    using Series = std::array<std::vector<double>, 3>;

    Series GetSeries() const;

    std::deque<std::shared_ptr<const LeapSample>> m_samples; //!< oldest first
};

} // namespace ns3::aidc

#endif // AIDC_LEAP_RECORD_H
