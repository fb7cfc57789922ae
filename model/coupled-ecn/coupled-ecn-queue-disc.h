// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_COUPLED_ECN_QUEUE_DISC_H
#define AIDC_COUPLED_ECN_QUEUE_DISC_H

#include "../core/cache-line.h"
#include "../core/coupled-ecn/ecn-before-pause.h"
#include "../core/coupled-ecn/ecn-threshold.h"
#include "../core/occupancy-average.h"

#include "ns3/data-rate.h"
#include "ns3/marking-queue.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <string>

namespace ns3::aidc
{

/// Marks ECN-capable packets at or above a threshold that follows the dynamic buffer
/// threshold.
///
/// Implements the draft "Dynamic ECN Threshold" (Yang et al., March 2026): ECN_Thrd is derived from
/// Buf_Thrd, Offset and EcnFloor in three regions (section 5.2) each time that it is used. By
/// default, an arriving ECN-capable packet is marked if the occupancy, with this packet, is at or
/// above ECN_Thrd. With the attribute MarkingPoint, a leaving packet is marked if the occupancy
/// without it is at or above ECN_Thrd. The attribute Mode also has the static thresholds that the
/// draft is compared with, in the same shared buffer.
///
/// Packets that are not ECN-capable are admitted up to Buf_Thrd. With DropNotEct, they are dropped
/// where ECN-capable packets would be marked (RFC 3168, section 5).
///
/// It does not reorder packets, and does not use sojourn times. IPv4 and IPv6 are treated alike.
class alignas(CACHE_LINE) CoupledEcnQueue : public MarkingQueue
{
  public:
    /// How the marking threshold is set.
    enum Mode
    {
        COUPLED,     //!< by Buf_Thrd, Offset and EcnFloor
        STATIC_STEP, //!< by Threshold
        STATIC_RED,  //!< with a probability that rises from Kmin to Kmax
        PROPORTIONAL //!< by Buf_Thrd and Share
    };

    /// When a packet is marked or not.
    enum MarkingPoint
    {
        AT_ENQUEUE,      //!< when it arrives, by the occupancy with this packet
        AT_DEQUEUE,      //!< when it leaves, by the occupancy without this packet
        AT_DEQUEUE_WITH, //!< when it leaves, by the occupancy with this packet, as chips do
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Get how the marking threshold is set. @return the mode
    Mode GetMode() const
    {
        return m_mode;
    }

    /// Get the Offset that is used: the attribute, or what LinkRate and Rtt give.
    /// @return bytes; known from initialization on
    uint64_t GetEffectiveOffset() const
    {
        return m_effectiveOffset;
    }

    /// @return the ECN_Thrd that would apply to a packet that arrives now, in bytes; in mode
    ///         STATIC_STEP it is Threshold, in mode STATIC_RED Kmin
    uint64_t GetEcnThreshold() const
    {
        return ComputeThreshold().bytes;
    }

    /// @return the present region of ECN_Thrd; it has a meaning in mode COUPLED
    EcnRegion GetRegion() const
    {
        return ComputeThreshold().region;
    }

    /// Reason of a mark: the occupancy has reached ECN_Thrd.
    static constexpr const char* THRESHOLD_MARK = "At or above the ECN threshold";
    /// Reason of a mark: a random decision between Kmin and Kmax, or an occupancy above Kmax.
    static constexpr const char* RED_MARK = "Marked by the RED band";
    /// Reason of a drop: the packet would have been marked, but is not ECN-capable.
    static constexpr const char* NOT_ECT_DROP = "Not ECN-capable at or above the ECN threshold";

    /// TracedCallback signature for a change of region. @param [in] oldRegion the region before
    /// @param [in] newRegion the region after
    typedef void (*RegionTracedCallback)(EcnRegion oldRegion, EcnRegion newRegion);

    /// TracedCallback signature for a mark in a region. @param [in] item the packet, with its mark
    /// @param [in] region the region of ECN_Thrd
    typedef void (*RegionMarkTracedCallback)(Ptr<const QueueDiscItem> item, EcnRegion region);

    /// TracedCallback signature for an outdated ECN_Thrd that violates an invariant of
    /// section 5.3.
    /// @param [in] violation which one
    /// @param [in] ecnThrd ECN_Thrd in bytes
    /// @param [in] bufThrd the present Buf_Thrd in bytes
    typedef void (*ViolationTracedCallback)(EcnViolation violation,
                                            uint64_t ecnThrd,
                                            uint64_t bufThrd);

  private:
    const char* DoAdmit(Ptr<QueueDiscItem>& item) override;
    void DoRelease(const Ptr<QueueDiscItem>& item) override;
    void DoOpen() override;
    std::string FindConfigError() const override;
    std::string Describe() const override;
    void Derive() override;
    void NotifyLimits() override;

    /// Compute ECN_Thrd, in any mode. bias: by how much it is lowered in mode COUPLED, in bytes
    EcnThreshold ComputeThreshold(uint64_t bufThrd, uint64_t bias) const;

    /// Compute ECN_Thrd from the Buf_Thrd that is visible now.
    EcnThreshold ComputeThreshold() const;

    /// Mark a packet if a mark is due. occupancy: the queue's, with the packet or without it, in
    /// bytes. @return false if a mark is due, but the packet is not ECN-capable
    bool MarkIfDue(const Ptr<QueueDiscItem>& item, uint64_t occupancy);

    /// Decide by chance, in mode STATIC_RED. @return whether a mark is due
    bool DrawRed(uint64_t occupancy);

    /// Update the average for an arriving packet, which the occupancy includes already.
    void UpdateAverage();

    /// Compute ECN_Thrd and tell the traces. @return ECN_Thrd in bytes
    uint64_t UpdateThreshold();

    /// Compute the thresholds if a trace source of them is connected.
    void UpdateTraces();

    /// Trace an invariant that does not hold. @param ecnThrd ECN_Thrd in bytes
    void CheckInvariants(uint64_t ecnThrd);

    /// Warn of doubtful settings.
    void Warn();

    /// Get the attribute Mtu, or the MTU of the device. @return the MTU in bytes
    uint32_t GetEffectiveMtu() const;

    // What each packet touches comes first.
    Mode m_mode;                                        //!< how the marking threshold is set
    EcnRegion m_lastRegion{EcnRegion::A};               //!< the region last traced
    bool m_useAverage;                                  //!< attribute UseAverage
    bool m_dropNotEct;                                  //!< attribute DropNotEct
    MarkingPoint m_markingPoint;                        //!< attribute MarkingPoint
    uint64_t m_ecnFloor;                                //!< attribute EcnFloor in bytes
    uint64_t m_threshold;                               //!< attribute Threshold in bytes
    uint64_t m_kmin;                                    //!< attribute Kmin in bytes
    uint64_t m_kmax;                                    //!< attribute Kmax in bytes
    uint64_t m_safetyBias;                              //!< attribute SafetyBias in bytes
    uint64_t m_effectiveOffset{0};                      //!< Offset, or what LinkRate and Rtt give
    uint64_t m_lastBufThrd{0};                          //!< the Buf_Thrd last traced
    uint64_t m_lastEcnThrd{0};                          //!< the ECN_Thrd last traced
    TracedCallback<uint64_t, uint64_t> m_bufThrdTrace;  //!< trace of Buf_Thrd
    TracedCallback<EcnRegion, EcnRegion> m_regionTrace; //!< trace of the region
    TracedCallback<uint64_t, uint64_t> m_ecnThrdTrace;  //!< trace of ECN_Thrd

    uint64_t m_offset;           //!< attribute Offset in bytes
    double m_pmax;               //!< attribute Pmax
    double m_share;              //!< attribute Share
    Time m_rtt;                  //!< attribute Rtt
    uint32_t m_mtu;              //!< attribute Mtu
    double m_averageWeight;      //!< attribute AverageWeight
    DataRate m_effectiveRate{0}; //!< LinkRate or the device's
    uint32_t m_effectiveMtu{0};  //!< Mtu or the device's
    OccupancyAverage m_average;  //!< the averaged occupancy
    Time m_idleSince;            //!< when the queue became empty
    /// trace of marks by region
    TracedCallback<Ptr<const QueueDiscItem>, EcnRegion> m_regionMarkTrace;
    /// trace of broken invariants
    TracedCallback<EcnViolation, uint64_t, uint64_t> m_violationTrace;
};

/// A queue disc with one CoupledEcnQueue, whose ECN threshold follows the dynamic buffer
/// threshold.
///
/// It has the attributes and trace sources of the queue.
class CoupledEcnQueueDisc : public SharedBufferQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CoupledEcnQueueDisc();

    /// @return the queue
    Ptr<CoupledEcnQueue> GetQueue() const;
};

} // namespace ns3::aidc

#endif // AIDC_COUPLED_ECN_QUEUE_DISC_H
