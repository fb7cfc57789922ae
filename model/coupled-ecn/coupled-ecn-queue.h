/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COUPLED_ECN_QUEUE_H
#define AIDC_COUPLED_ECN_QUEUE_H

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

/**
 * @ingroup aidc
 * @brief Marks ECN-capable packets from a threshold on that follows the dynamic buffer threshold.
 *
 * Implements the draft "Dynamic ECN Threshold" (Yang et al., March 2026): ECN_Thrd is derived from
 * Buf_Thrd, Offset and EcnFloor in three regions (section 5.2) whenever it is used. An arriving
 * ECN-capable packet is marked when the occupancy, itself included, is at or above ECN_Thrd; or, by
 * the attribute MarkingPoint, a leaving one when the occupancy that it leaves behind is. The static
 * alternatives to which it is compared are here too, by the Mode attribute, in the same shared
 * buffer.
 *
 * Packets that are not ECN-capable are admitted up to Buf_Thrd, or, with DropNotEct, dropped where
 * they would have been marked (RFC 3168, section 5).
 *
 * It does not reorder packets, and makes no use of sojourn times. IPv4 and IPv6 are treated alike.
 */
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

    /// When it is decided whether a packet is marked.
    enum MarkingPoint
    {
        AT_ENQUEUE, //!< as it arrives, by the occupancy with it
        AT_DEQUEUE, //!< as it leaves, by the occupancy that it leaves behind
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Get how the marking threshold is set. @return the mode
    Mode GetMode() const
    {
        return m_mode;
    }

    /// Get the Offset in force, given or derived from LinkRate and Rtt.
    /// @return bytes; derived from initialization on
    uint64_t GetEffectiveOffset() const
    {
        return m_effectiveOffset;
    }

    /**
     * @brief Get ECN_Thrd as it would be applied to a packet that arrives now.
     *
     * In mode STATIC_STEP it is Threshold, in mode STATIC_RED Kmin.
     *
     * @return bytes
     */
    uint64_t GetEcnThreshold() const;

    /// @return the region in which ECN_Thrd is now; of use in mode COUPLED
    EcnRegion GetRegion() const;

    /// Reason of a mark: the occupancy has reached ECN_Thrd.
    static constexpr const char* THRESHOLD_MARK = "At or above the ECN threshold";
    /// Reason of a mark: drawn within or above the RED band.
    static constexpr const char* RED_MARK = "Marked by the RED band";
    /// Reason of a drop: marking was called for, the packet is not ECN-capable.
    static constexpr const char* NOT_ECT_DROP = "Not ECN-capable at or above the ECN threshold";

    /// TracedCallback signature for a change of region. @param [in] oldRegion the region before
    /// @param [in] newRegion the region after
    typedef void (*RegionTracedCallback)(EcnRegion oldRegion, EcnRegion newRegion);

    /// TracedCallback signature for a mark in a region. @param [in] item the packet, with its mark
    /// @param [in] region the region that ECN_Thrd is in
    typedef void (*RegionMarkTracedCallback)(Ptr<const QueueDiscItem> item, EcnRegion region);

    /**
     * @brief TracedCallback signature for a stale ECN_Thrd that breaks an invariant of section 5.3.
     * @param [in] violation which one
     * @param [in] ecnThrd ECN_Thrd in bytes
     * @param [in] bufThrd Buf_Thrd as it is now, in bytes
     */
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

    /// Compute ECN_Thrd from Buf_Thrd as it is visible now. @return ECN_Thrd and its region
    EcnThreshold ComputeThreshold() const;

    /// Compute ECN_Thrd and tell the traces. @return ECN_Thrd in bytes
    uint64_t UpdateThreshold();

    /// Tell the trace if an invariant does not hold. @param ecnThrd ECN_Thrd in bytes
    void CheckInvariants(uint64_t ecnThrd);

    /// Have an arriving packet, which has been counted, contribute to the average.
    void UpdateAverage();

    /// Compute the thresholds if a trace source of them is connected.
    void UpdateTraces();

    /// Mark a packet, and call the trace source of marks by region.
    /// @return false if the packet is not ECN-capable
    bool MarkInRegion(const Ptr<QueueDiscItem>& item, const char* reason);

    /// Decide whether a packet is to be marked that has just been counted, or given back.
    /// @return the reason, null if it is not to be marked
    const char* Decide();

    /// Warn of what is doubtful about the configuration.
    void Warn();

    /**
     * @brief Compute ECN_Thrd.
     * @tparam BufThrd a callable: -> uint64_t, Buf_Thrd in bytes; called if the mode has a use for
     * it
     * @param bufThrd gives Buf_Thrd
     * @param bias how much lower ECN_Thrd is in mode COUPLED, in bytes
     * @return ECN_Thrd in bytes
     */
    template <typename BufThrd>
    uint64_t ComputeThreshold(BufThrd bufThrd, uint64_t bias) const;

    /// Get Mtu, or what the device has instead. @return the MTU in bytes
    uint32_t GetEffectiveMtu() const;

    /// Settings in bytes: a QueueSize has a call for each of its numbers.
    struct Thresholds
    {
        uint64_t floor{0}; //!< EcnFloor
        uint64_t step{0};  //!< Threshold
        uint64_t kmin{0};  //!< Kmin
        uint64_t kmax{0};  //!< Kmax
    };

    // What each packet touches comes first.
    Mode m_mode;                                        //!< how the marking threshold is set
    EcnRegion m_lastRegion{EcnRegion::A};               //!< the region last traced
    bool m_useAverage;                                  //!< attribute UseAverage
    bool m_dropNotEct;                                  //!< attribute DropNotEct
    MarkingPoint m_markingPoint;                        //!< attribute MarkingPoint
    Thresholds m_bytes;                                 //!< the settings of thresholds
    uint64_t m_effectiveOffset{0};                      //!< Offset, or what LinkRate and Rtt give
    uint64_t m_lastBufThrd{0};                          //!< the Buf_Thrd last traced
    uint64_t m_lastEcnThrd{0};                          //!< the ECN_Thrd last traced
    TracedCallback<uint64_t, uint64_t> m_bufThrdTrace;  //!< trace of Buf_Thrd
    TracedCallback<EcnRegion, EcnRegion> m_regionTrace; //!< trace of the region
    TracedCallback<uint64_t, uint64_t> m_ecnThrdTrace;  //!< trace of ECN_Thrd

    QueueSize m_offset;          //!< attribute Offset
    QueueSize m_ecnFloor;        //!< attribute EcnFloor
    QueueSize m_threshold;       //!< attribute Threshold
    QueueSize m_kmin;            //!< attribute Kmin
    QueueSize m_kmax;            //!< attribute Kmax
    QueueSize m_safetyBias;      //!< attribute SafetyBias
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

} // namespace ns3::aidc

#endif // AIDC_COUPLED_ECN_QUEUE_H
