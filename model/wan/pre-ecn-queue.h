/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRE_ECN_QUEUE_H
#define AIDC_PRE_ECN_QUEUE_H

#include "../core/wan/two-threshold-marker.h"
#include "pre-ecn-statistics.h"

#include "ns3/congestion-notification.h"
#include "ns3/marking-queue.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Marks packets in two steps: ECT(1) for light congestion, CE for severe.
 *
 * Implements section 3.2.1 of "Precise ECN in WAN" (draft-hu-rtgwg-pre-ecn-wan-01) on the shared
 * buffer of a switch, as TwoThresholdMarker computes it. The thresholds are T1, T2 and Maximum, in
 * bytes or, by T1Delay, T2Delay and MaximumDelay, as the time that the link takes to send them.
 *
 * A packet counts in the average that it is marked by. An idle queue lowers the average by the
 * packets of MeanPacketSize that the link could have sent.
 *
 * Thresholds are checked when they are set and at initialization. Those that are in order and yet
 * absurd (section 5.1, Threshold Manipulation) are told or refused, as Guard says: T1 below
 * LeastT1, T1 above what the link sends in GreatestT1Delay, T2 above what the queue may hold alone.
 *
 * Marking changes the outermost header only. IPv4 and IPv6 are treated alike; what is not IP is
 * treated as Not-ECT.
 */
class PreEcnQueue : public MarkingQueue
{
  public:
    /// What is done about absurd thresholds.
    enum Guard
    {
        GUARD_OFF,    //!< nothing
        GUARD_WARN,   //!< they are told on the standard error stream, and taken
        GUARD_REFUSE, //!< they are refused
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Get the thresholds and probabilities in force, derived from initialization on.
    /// @return what the attributes and the link's rate give
    const TwoThresholdSettings& GetSettings() const
    {
        return m_marker.GetSettings();
    }

    /// Get the average queue, as the last arrival has left it. @return bytes
    double GetAverage() const
    {
        return m_marker.GetAverage();
    }

    /// @return the region of the average queue, as the last arrival has left it
    PreEcnRegion GetRegion() const
    {
        return m_region;
    }

    /// Get what has been counted. @return the statistics, with the times up to now
    PreEcnStatistics GetStatistics() const;

    /// Reason of a mark by CE.
    static constexpr const char* SEVERE_MARK = "Average queue above T2";
    /// Reason of a drop: chosen for CE, the packet is not ECN-capable.
    static constexpr const char* NOT_ECT_DROP = "Not ECN-capable with the average queue above T2";

    /// TracedCallback signature for a mark of either kind.
    /// @param [in] item the packet, with its mark
    /// @param [in] severity LIGHT for ECT(1), SEVERE for CE
    /// @param [in] average the average queue in bytes
    typedef void (*CongestionMarkTracedCallback)(Ptr<const QueueDiscItem> item,
                                                 CongestionSeverity severity,
                                                 double average);

    /// TracedCallback signature for a change of region.
    /// @param [in] oldRegion the region before
    /// @param [in] newRegion the region after
    typedef void (*RegionTracedCallback)(PreEcnRegion oldRegion, PreEcnRegion newRegion);

  private:
    const char* DoAdmit(Ptr<QueueDiscItem>& item) override;
    void DoRelease(const Ptr<QueueDiscItem>& item) override;
    void DoOpen() override;
    std::string FindConfigError() const override;
    std::string Describe() const override;
    void Derive() override; // and warn of what is absurd

    /// Have a packet leave as ECT(1). @param [in,out] item the packet, whose item is replaced
    void MarkLight(Ptr<QueueDiscItem>& item);

    /// Bring the average and the times up to now.
    void CountTime();

    /// Get how many packets the link could have sent since the last arrival or departure.
    /// @return the number, 0 if the queue is not empty or the link's rate is not known
    double GetIdlePackets() const;

    /// Add the time since the last arrival or departure to times.
    /// @param times time in each region in ns
    void AddTime(std::array<int64_t, PRE_ECN_REGIONS>& times) const;

    /// Note the region that the average is in now, and tell a change.
    void UpdateRegion();

    /// Compute the settings that the attributes give. @return the settings
    TwoThresholdSettings ComputeSettings() const;

    /// Say what is absurd about the thresholds; there has to be a shared buffer.
    /// @return the first thing, empty if there is none, or if the guard is off
    std::string FindAbsurdity() const;

    TwoThresholdMarker m_marker;                 //!< decides
    PreEcnRegion m_region{PreEcnRegion::NORMAL}; //!< the region that has been told last
    Time m_since;                                //!< when time was last counted
    PreEcnStatistics m_statistics;               //!< what has been counted
    double m_packetsPerSecond{0};                //!< of the link; 0 if it is not known
    TracedCallback<PreEcnRegion, PreEcnRegion> m_regionTrace; //!< trace of the region
    /// trace of marks
    TracedCallback<Ptr<const QueueDiscItem>, CongestionSeverity, double> m_markTrace;

    QueueSize m_t1;             //!< attribute T1
    QueueSize m_t2;             //!< attribute T2
    QueueSize m_maximum;        //!< attribute Maximum
    Time m_t1Delay;             //!< attribute T1Delay
    Time m_t2Delay;             //!< attribute T2Delay
    Time m_maximumDelay;        //!< attribute MaximumDelay
    double m_lightProbability;  //!< attribute LightProbability
    double m_severeProbability; //!< attribute SevereProbability
    double m_averageWeight;     //!< attribute AverageWeight
    bool m_spreadMarks;         //!< attribute SpreadMarks
    uint32_t m_meanPacketSize;  //!< attribute MeanPacketSize
    Guard m_guard;              //!< attribute Guard
    QueueSize m_leastT1;        //!< attribute LeastT1
    Time m_greatestT1Delay;     //!< attribute GreatestT1Delay
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_QUEUE_H
