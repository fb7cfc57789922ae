// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PRE_ECN_MARKER_H
#define AIDC_PRE_ECN_MARKER_H

#include "../occupancy-average.h"
#include "../tunnel/tunnel-ecn.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3::aidc
{

/// The region of the average queue by the two thresholds (section 3.2.1 of
/// draft-hu-rtgwg-pre-ecn-wan-01).
enum class PreEcnRegion : uint8_t
{
    NORMAL, //!< at most T1: nothing is marked
    LIGHT,  //!< above T1: incipient or light congestion
    SEVERE, //!< above T2: severe congestion
};

/// The number of regions.
constexpr std::size_t PRE_ECN_REGIONS = 3;

/// Parameters of a PreEcnMarker.
struct PreEcnThresholds
{
    uint64_t t1{0};              //!< T1 in bytes, above 0
    uint64_t t2{0};              //!< T2 in bytes, above T1
    uint64_t maximum{0};         //!< from here on all packets are marked CE, in bytes, above T2
    double lightProbability{1};  //!< probability of ECT(1) at T2 and above, from 0 to 1
    double severeProbability{1}; //!< probability of CE at the maximum, RED's max_p, from 0 to 1
    double weight{0.002};        //!< weight of an arrival in the average, RED's w_q, from 0 to 1
    bool isSpread{false};        //!< whether CE marks are spread by RED's count
};

/// Find what is wrong with settings. @return the error, empty if there is none
std::string FindTwoThresholdsError(const PreEcnThresholds& settings);

/// The bounds beyond which thresholds are absurd (section 5.1, Threshold Manipulation).
struct PreEcnBounds
{
    uint64_t leastT1{0};    //!< a lower T1 marks packets without a queue: bytes
    uint64_t greatestT1{0}; //!< a higher T1 is no early warning: bytes; 0 for none
    uint64_t greatestT2{0}; //!< a higher T2 is never reached: bytes; 0 for none
};

/// Find what is absurd about thresholds. @return the first error, empty if there is none
std::string FindAbsurdThreshold(const PreEcnThresholds& settings, const PreEcnBounds& bounds);

/// The decision on a packet that arrives at the queue.
enum class PreEcnAction : uint8_t
{
    NONE,         //!< it is not changed
    LIGHT_MARK,   //!< it leaves as ECT(1)
    SEVERE_MARK,  //!< it leaves as CE
    DROP_NOT_ECT, //!< it is dropped, because it cannot be marked CE (RFC 3168, section 5)
};

/// The two-threshold marking of section 3.2.1, on the average queue.
///
/// The average is RED's, with its weight and its idle periods. ECT(0) and ECT(1) become ECT(1) with
/// a probability that rises linearly from 0 at T1 to lightProbability at T2. Above T2, packets
/// become CE as RED marks them: with a probability that rises from 0 at T2 to severeProbability at
/// the maximum, and all packets above it. The average exceeds T1 there as well, so a packet that is
/// not chosen for CE becomes ECT(1) with lightProbability: the early warning does not end when the
/// first packets are marked CE.
///
/// No mark is removed: CE stays CE. A packet that arrives with CE counts as marked if it is chosen
/// for CE, and does not count if it is chosen for ECT(1). Not-ECT packets are dropped if they are
/// chosen for CE, and unchanged otherwise.
///
/// With isSpread, the probability of CE is pa = pb / (1 - count * pb), with RED's count of unmarked
/// packets: marks come at more even distances, and about twice as often (Floyd and Jacobson 1993,
/// section VII). Otherwise it is pb, as in DCQCN's profile.
///
/// It has no clock and no random variable of its own.
class PreEcnMarker
{
  public:
    /// Set the parameters, and keep the average. @param settings parameters without errors
    void Configure(const PreEcnThresholds& settings)
    {
        m_settings = settings;
    }

    /// @return the parameters
    const PreEcnThresholds& GetSettings() const
    {
        return m_settings;
    }

    /// Count an arrival in the average. @param occupancy the size of the queue in bytes
    void Update(uint64_t occupancy)
    {
        m_average.Update(occupancy, m_settings.weight);
    }

    /// Count an idle period that has ended.
    /// @param packets how many packets could have been sent in it
    void Decay(double packets)
    {
        m_average.Decay(packets, m_settings.weight);
    }

    /// Compute how the average passes through the regions in an idle period. @param packets how
    /// many packets could have been sent in it, at least 0 @return the part of these packets for
    /// each region
    std::array<double, PRE_ECN_REGIONS> SplitIdle(double packets) const;

    /// Get the average queue. @return bytes
    double GetAverage() const
    {
        return m_average.Get();
    }

    /// @return the region of the average queue
    PreEcnRegion GetRegion() const;

    /// @return the probability of ECT(1) for a packet that is not marked CE
    double GetLightProbability() const;

    /// Get the probability of CE, before marks are spread. @return the probability, RED's pb
    double GetSevereProbability() const;

    /// Decide on a packet that has been counted in the average.
    /// @tparam Draw a function
    /// @param codepoint its ECN field
    /// @param draw draws a number from 0 to below 1; called only where chance decides, and at most
    ///        twice
    /// @return the decision
    template <typename Draw>
    PreEcnAction Decide(EcnCodepoint codepoint, Draw draw)
    {
        if (m_average.Get() <= static_cast<double>(m_settings.t1))
        {
            m_count = -1;
            return PreEcnAction::NONE;
        }
        const auto happens = [&draw](double p) { return p >= 1 || (p > 0 && draw() < p); };
        if (happens(NextSevereProbability()))
        {
            m_count = 0;
            return codepoint == EcnCodepoint::NOT_ECT ? PreEcnAction::DROP_NOT_ECT
                                                      : PreEcnAction::SEVERE_MARK;
        }
        const bool canBeLight =
            codepoint == EcnCodepoint::ECT_0 || codepoint == EcnCodepoint::ECT_1;
        return canBeLight && happens(GetLightProbability()) ? PreEcnAction::LIGHT_MARK
                                                            : PreEcnAction::NONE;
    }

  private:
    /// Count a packet. @return its probability of CE, RED's pa if marks are spread
    double NextSevereProbability();

    PreEcnThresholds m_settings; //!< the parameters
    OccupancyAverage m_average;  //!< the average queue
    int64_t m_count{-1};         //!< RED's count: packets above T2 since the last mark
};

/// Counts the time that the average queue of a PreEcnMarker spends in each region.
///
/// While the queue is idle, the average falls as if packets were sent (SplitIdle()).
struct PreEcnRegionTimes
{
    /// Times by PreEcnRegion, in ns.
    using Times = std::array<int64_t, PRE_ECN_REGIONS>;

    PreEcnRegion region{PreEcnRegion::NORMAL}; //!< the region of the average from now on
    int64_t since{0};                          //!< when time was counted last, in ns
    Times times{};                             //!< the times that were counted

    /// Count the time since the last call.
    /// @param now the time in ns
    /// @param idlePackets how many packets could have been sent meanwhile; 0 if the queue was not
    ///        idle
    /// @param marker the marker, whose average has not fallen yet
    void Count(int64_t now, double idlePackets, const PreEcnMarker& marker);
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_MARKER_H
