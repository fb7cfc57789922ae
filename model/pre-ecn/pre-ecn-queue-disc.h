// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PRE_ECN_QUEUE_DISC_H
#define AIDC_PRE_ECN_QUEUE_DISC_H

#include "../core/pre-ecn/pre-ecn-marker.h"

#include "ns3/domain-message.h"
#include "ns3/marking-queue.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The counters of a PreEcnQueue.
struct PreEcnStatistics
{
    std::array<uint64_t, PRE_ECN_REGIONS> packets{}; //!< packets by the region of their arrival
    std::array<int64_t, PRE_ECN_REGIONS> time{};     //!< time of the average in each region, in ns
    uint64_t lightMarks{0};                          //!< packets marked ECT(1), here or before
    uint64_t severeMarks{0};                         //!< packets marked CE, here or before
    uint64_t notEctDrops{0}; //!< packets dropped because they cannot be marked CE
    uint64_t unmarkable{0};  //!< packets chosen for a mark whose items cannot be changed
};

/// Marks packets in two steps: ECT(1) for light congestion, CE for severe.
///
/// Implements section 3.2.1 of "Precise ECN in WAN" (draft-hu-rtgwg-pre-ecn-wan-01) on the shared
/// buffer of a switch, as PreEcnMarker computes it. The thresholds are T1, T2 and Maximum, in
/// bytes or, by T1Delay, T2Delay and MaximumDelay, as the time that the link takes to send them.
///
/// The average that decides on a packet's mark includes the packet. While the queue is idle, the
/// average falls as if the link had sent packets of MeanPacketSize.
///
/// Thresholds are checked when they are set and at initialization. Thresholds that are in order,
/// but absurd (section 5.1, Threshold Manipulation), cause a warning or are refused, by attribute
/// Guard: T1 below LeastT1, T1 above the bytes that the link sends in GreatestT1Delay, T2 above the
/// most that the queue can occupy if all others are empty.
///
/// Marking changes the outermost header only. IPv4 and IPv6 are treated alike; other packets are
/// treated as Not-ECT.
class PreEcnQueue : public MarkingQueue
{
  public:
    /// The treatment of absurd thresholds.
    enum Guard
    {
        GUARD_OFF,    //!< nothing
        GUARD_WARN,   //!< they are accepted with a warning on the standard error stream
        GUARD_REFUSE, //!< they are refused
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Get the thresholds and probabilities in force, derived from initialization on.
    /// @return the settings derived from the attributes and the link's rate
    const PreEcnThresholds& GetSettings() const
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
        return m_times.region;
    }

    /// @return the statistics, with the times up to now
    PreEcnStatistics GetStatistics() const;

    /// Reason of a mark by CE.
    static constexpr const char* SEVERE_MARK = "Average queue above T2";
    /// Reason of a drop: chosen for CE, the packet is not ECN-capable.
    static constexpr const char* NOT_ECT_DROP = "Not ECN-capable with the average queue above T2";

    /// TracedCallback signature for a mark of either kind, and for an arrival.
    /// @param [in] item the packet, with its mark
    /// @param [in] severity LIGHT for ECT(1), SEVERE for CE, NONE for an arrival without a mark
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
    void Derive() override; // and warn of absurd thresholds

    /// Mark a packet by ECT(1), which replaces its item. @return whether it was marked
    bool MarkLight(Ptr<QueueDiscItem>& item);

    /// Update the average and the times.
    void CountTime();

    /// @return the packets that the empty queue's link could have sent since; 0 without rate
    double GetIdlePackets() const;

    /// Update the region of the average, and trace a change.
    void UpdateRegion();

    /// Compute the settings that the attributes give. @return the settings
    PreEcnThresholds ComputeSettings() const;

    /// @return what is absurd about the thresholds in a shared buffer, empty without the guard
    std::string FindAbsurdity() const;

    PreEcnMarker m_marker;         //!< decides on marks
    PreEcnRegionTimes m_times;     //!< time by region, and the region traced last
    PreEcnStatistics m_statistics; //!< the statistics
    double m_packetsPerSecond{0};  //!< packets of MeanPacketSize; 0 if not known
    TracedCallback<PreEcnRegion, PreEcnRegion> m_regionTrace; //!< trace of the region
    /// Trace of marks
    TracedCallback<Ptr<const QueueDiscItem>, CongestionSeverity, double> m_markTrace;
    /// Trace of arrivals
    TracedCallback<Ptr<const QueueDiscItem>, CongestionSeverity, double> m_arrivalTrace;

    uint64_t m_t1;              //!< bytes of the attribute T1
    uint64_t m_t2;              //!< bytes of the attribute T2
    uint64_t m_maximum;         //!< bytes of the attribute Maximum
    Time m_t1Delay;             //!< attribute T1Delay
    Time m_t2Delay;             //!< attribute T2Delay
    Time m_maximumDelay;        //!< attribute MaximumDelay
    double m_lightProbability;  //!< attribute LightProbability
    double m_severeProbability; //!< attribute SevereProbability
    double m_averageWeight;     //!< attribute AverageWeight
    bool m_spreadMarks;         //!< attribute SpreadMarks
    uint32_t m_meanPacketSize;  //!< attribute MeanPacketSize
    Guard m_guard;              //!< attribute Guard
    uint64_t m_leastT1;         //!< bytes of the attribute LeastT1
    Time m_greatestT1Delay;     //!< attribute GreatestT1Delay
};

/// The queue disc of a PreEcnQueue, which marks packets in two steps.
///
/// It has the attributes and trace sources of its queue.
class PreEcnQueueDisc : public SharedBufferQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    PreEcnQueueDisc();

    /// @return the queue
    Ptr<PreEcnQueue> GetQueue() const
    {
        return StaticCast<PreEcnQueue>(GetBufferQueue());
    }
};

/// A queue of a router that marks in two steps.
struct PlacedPreEcnQueue
{
    Ptr<PreEcnQueue> queue; //!< the queue
    uint16_t port{0};       //!< the index of its device
    uint8_t index{0};       //!< its class in the root queue disc; 0 for a root
};

/// Find the queues of a router that mark in two steps.
/// @param node the router, with its queue discs
/// @return the queues, by port and class
std::vector<PlacedPreEcnQueue> FindPreEcnQueues(Ptr<Node> node);

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_QUEUE_DISC_H
