// SPDX-License-Identifier: GPL-2.0-only

#include "coupled-ecn-queue-disc.h"

#include "../aidc-compat.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/warning.h"

#include <algorithm>
#include <sstream>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcCoupledEcnQueue");

NS_OBJECT_ENSURE_REGISTERED(CoupledEcnQueue);
NS_OBJECT_ENSURE_REGISTERED(CoupledEcnQueueDisc);

// The threshold (section 5.2), and the thresholds that it is compared with

EcnThreshold
CoupledEcnQueue::ComputeThreshold(uint64_t bufThrd, uint64_t bias) const
{
    switch (m_mode)
    {
    case STATIC_STEP:
        return {m_threshold, EcnRegion::A};
    case STATIC_RED:
        return {m_kmin, EcnRegion::A};
    case PROPORTIONAL:
        return {static_cast<uint64_t>(m_share * static_cast<double>(bufThrd)), EcnRegion::A};
    default:
        return ComputeEcnThreshold(bufThrd, m_effectiveOffset, m_ecnFloor, bias);
    }
}

EcnThreshold
CoupledEcnQueue::ComputeThreshold() const
{
    return ComputeThreshold(GetVisibleThreshold(), IsPolled() ? m_safetyBias : 0);
}

// Packets

const char*
CoupledEcnQueue::DoAdmit(Ptr<QueueDiscItem>& item)
{
    if (m_useAverage)
    {
        UpdateAverage();
    }
    if (m_markingPoint != AT_ENQUEUE)
    {
        UpdateTraces();
        return nullptr;
    }
    return MarkIfDue(item, GetOccupancy()) || !m_dropNotEct ? nullptr : NOT_ECT_DROP;
}

void
CoupledEcnQueue::DoRelease(const Ptr<QueueDiscItem>& item)
{
    if (m_useAverage && IsEmpty())
    {
        m_idleSince = Simulator::Now();
    }
    if (m_markingPoint == AT_ENQUEUE)
    {
        UpdateTraces();
        return;
    }
    const bool isWith = m_markingPoint == AT_DEQUEUE_WITH;
    MarkIfDue(item, GetOccupancy() + (isWith ? GetPool().GetCharge(item->GetSize()) : 0));
}

bool
CoupledEcnQueue::MarkIfDue(const Ptr<QueueDiscItem>& item, uint64_t occupancy)
{
    const uint64_t length = m_useAverage ? static_cast<uint64_t>(m_average.Get()) : occupancy;
    const uint64_t ecnThrd = UpdateThreshold();
    if (m_mode == COUPLED && IsPolled())
    {
        CheckInvariants(ecnThrd);
    }
    const bool isRed = m_mode == STATIC_RED;
    const bool isDue = isRed ? DrawRed(length) : length >= ecnThrd;
    if (!isDue)
    {
        return true;
    }
    if (!Mark(item, isRed ? RED_MARK : THRESHOLD_MARK))
    {
        return false;
    }
    if (m_mode == COUPLED)
    {
        m_regionMarkTrace(item, m_lastRegion);
    }
    return true;
}

bool
CoupledEcnQueue::DrawRed(uint64_t occupancy)
{
    const double p = ComputeRedProbability(occupancy, m_kmin, m_kmax, m_pmax);
    // Draws only where chance decides.
    return p >= 1 || (p > 0 && m_uniform->GetValue() < p);
}

void
CoupledEcnQueue::UpdateAverage()
{
    if (IsEmpty() && m_effectiveRate.GetBitRate() > 0)
    {
        const double idleBits = (Simulator::Now() - m_idleSince).GetSeconds() *
                                static_cast<double>(m_effectiveRate.GetBitRate());
        m_average.Decay(idleBits / 8 / m_effectiveMtu, m_averageWeight);
        // If this packet is dropped, the time up to it has been counted nevertheless.
        m_idleSince = Simulator::Now();
    }
    m_average.Update(GetOccupancy(), m_averageWeight);
}

// Traces of the threshold

uint64_t
CoupledEcnQueue::UpdateThreshold()
{
    if (!m_bufThrdTrace.IsEmpty())
    {
        const uint64_t bufThrd = GetThreshold();
        if (bufThrd != m_lastBufThrd)
        {
            m_bufThrdTrace(m_lastBufThrd, bufThrd);
            m_lastBufThrd = bufThrd;
        }
    }
    const auto [ecnThrd, region] = ComputeThreshold();
    if (m_mode == COUPLED && region != m_lastRegion)
    {
        m_regionTrace(m_lastRegion, region);
        m_lastRegion = region;
    }
    if (ecnThrd != m_lastEcnThrd)
    {
        m_ecnThrdTrace(m_lastEcnThrd, ecnThrd);
        m_lastEcnThrd = ecnThrd;
    }
    return ecnThrd;
}

void
CoupledEcnQueue::UpdateTraces()
{
    if (!m_regionTrace.IsEmpty() || !m_bufThrdTrace.IsEmpty() || !m_ecnThrdTrace.IsEmpty())
    {
        UpdateThreshold();
    }
}

void
CoupledEcnQueue::CheckInvariants(uint64_t ecnThrd)
{
    const uint64_t bufThrd = GetThreshold();
    const auto violation = FindEcnViolation(ecnThrd, bufThrd, m_ecnFloor);
    if (violation != EcnViolation::NONE)
    {
        m_violationTrace(violation, ecnThrd, bufThrd);
    }
}

// Settings

std::string
CoupledEcnQueue::FindConfigError() const
{
    if (m_markingPoint != AT_ENQUEUE && m_dropNotEct)
    {
        return "DropNotEct drops packets as they arrive, but with MarkingPoint Dequeue it is "
               "decided as they leave which are marked: set one of them only";
    }
    if (m_mode == STATIC_RED)
    {
        return m_kmin <= m_kmax ? "" : "Kmax is less than Kmin";
    }
    if (m_mode == STATIC_STEP || m_mode == PROPORTIONAL)
    {
        return "";
    }
    if (!m_rtt.IsZero() && GetEffectiveRate().GetBitRate() == 0)
    {
        return "Rtt is set, but the device does not tell the rate of its link: set LinkRate";
    }
    return FindEcnFloorError(m_ecnFloor, GetEffectiveMtu());
}

uint32_t
CoupledEcnQueue::GetEffectiveMtu() const
{
    return m_mtu > 0 ? m_mtu : GetDeviceMtu();
}

void
CoupledEcnQueue::DoOpen()
{
    NS_LOG_FUNCTION(this);
    Derive();
    // The traces tell changes from the thresholds of an empty buffer on.
    m_lastBufThrd = GetThreshold();
    m_lastEcnThrd = GetEcnThreshold();
    m_lastRegion = GetRegion();
}

void
CoupledEcnQueue::Derive()
{
    m_effectiveMtu = GetEffectiveMtu();
    m_effectiveRate = GetEffectiveRate();
    m_effectiveOffset =
        m_rtt.IsZero()
            ? m_offset
            : DeriveEcnLevels(m_effectiveRate.GetBitRate(), m_rtt.GetNanoSeconds(), m_effectiveMtu)
                  .offset;
    if (m_mode == STATIC_RED && !m_uniform)
    {
        // In this mode only, as its seeding takes time.
        MakeUniform();
    }
    Warn();
}

std::string
CoupledEcnQueue::Describe() const
{
    std::ostringstream os;
    os << "In force: Offset " << m_effectiveOffset << "B, MTU " << m_effectiveMtu << "B, rate "
       << m_effectiveRate;
    return os.str();
}

void
CoupledEcnQueue::NotifyLimits()
{
    Warn();
}

void
CoupledEcnQueue::Warn()
{
    const auto& limits = GetLimits();
    ConfiguredMarking marking;
    marking.bufferSize = GetPool().GetSize();
    marking.isCoupled = m_mode == COUPLED;
    marking.offset = m_effectiveOffset;
    marking.floor = m_ecnFloor;
    auto& queue = marking.queue;
    queue.alpha = limits.alpha;
    queue.reserved = limits.reserved;
    queue.cap = limits.cap;
    queue.fixedBy = m_mode == STATIC_STEP ? "Threshold" : m_mode == STATIC_RED ? "Kmin" : "";
    queue.ecnThrd = [this](uint64_t bufThrd) { return ComputeThreshold(bufThrd, 0).bytes; };
    const auto accounts = GetSharedBuffer()->GetIngressLimits(GetPriority());
    if (limits.chargedElsewhere && !accounts.empty())
    {
        // The account that is paused first.
        const auto& account =
            *std::min_element(accounts.begin(), accounts.end(), [](const auto& a, const auto& b) {
                return a.xoffAlpha < b.xoffAlpha;
            });
        queue.shared = GetPool().GetShared();
        queue.xoffAlpha = account.xoffAlpha;
        queue.ingressReserved = account.reserved;
        marking.pausedPorts = static_cast<uint32_t>(accounts.size());
    }
    for (const auto& warning : FindEcnWarnings(marking))
    {
        WarnOnce(warning);
    }
}

// Attributes and trace sources

TypeId
CoupledEcnQueue::GetTypeId()
{
    using C = CoupledEcnQueue;
    static TypeId tid =
        TypeId("ns3::aidc::CoupledEcnQueue")
            .SetParent<MarkingQueue>()
            .SetGroupName("Aidc")
            .AddConstructor<CoupledEcnQueue>()
            .AddAttribute("Mode",
                          "How the marking threshold is set.",
                          EnumValue(COUPLED),
                          MakeQueueAccessor<EnumValueOf<Mode>>(&C::m_mode),
                          MakeEnumChecker(COUPLED,
                                          "Coupled",
                                          STATIC_STEP,
                                          "StaticStep",
                                          STATIC_RED,
                                          "StaticRed",
                                          PROPORTIONAL,
                                          "Proportional"))
            .AddAttribute(
                "MarkingPoint",
                "Whether packets are marked as they arrive, by the occupancy with them, or "
                "as they leave, by the occupancy that they leave behind, or by that with them.",
                EnumValue(AT_ENQUEUE),
                MakeQueueAccessor<EnumValueOf<MarkingPoint>>(&C::m_markingPoint),
                MakeEnumChecker(AT_ENQUEUE,
                                "Enqueue",
                                AT_DEQUEUE,
                                "Dequeue",
                                AT_DEQUEUE_WITH,
                                "DequeueWith"))
            .AddAttribute("Offset",
                          "Headroom in bytes to keep between ECN_Thrd and Buf_Thrd; replaced by "
                          "what LinkRate and Rtt give when Rtt is set.",
                          QueueSizeValue(QueueSize("1MB")),
                          MakeQueueAccessor<QueueSizeValue>(&C::m_offset),
                          MakeByteSizeChecker())
            .AddAttribute("EcnFloor",
                          "Minimum of ECN_Thrd in bytes, unless Buf_Thrd is below it; at least the "
                          "MTU.",
                          QueueSizeValue(QueueSize("30kB")),
                          MakeQueueAccessor<QueueSizeValue>(&C::m_ecnFloor),
                          MakeByteSizeChecker())
            .AddAttribute("Rtt",
                          "Round-trip time of the congestion control loop, to derive Offset from; "
                          "0 to use Offset.",
                          TimeValue(Seconds(0)),
                          MakeQueueAccessor<TimeValue>(&C::m_rtt),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("Mtu",
                          "MTU of the link in bytes; 0 is the device's, or 1500 without a device.",
                          UintegerValue(0),
                          MakeQueueAccessor<UintegerValue>(&C::m_mtu),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Threshold",
                          "The threshold of mode StaticStep in bytes. More than the shared "
                          "buffer has means no marks.",
                          QueueSizeValue(QueueSize("200kB")),
                          MakeQueueAccessor<QueueSizeValue>(&C::m_threshold),
                          MakeByteSizeChecker())
            .AddAttribute("Kmin",
                          "Lower end of the band of mode StaticRed in bytes.",
                          QueueSizeValue(QueueSize("400kB")),
                          MakeQueueAccessor<QueueSizeValue>(&C::m_kmin),
                          MakeByteSizeChecker())
            .AddAttribute("Kmax",
                          "Upper end of the band of mode StaticRed in bytes, at least Kmin.",
                          QueueSizeValue(QueueSize("1600kB")),
                          MakeQueueAccessor<QueueSizeValue>(&C::m_kmax),
                          MakeByteSizeChecker())
            .AddAttribute("Pmax",
                          "Marking probability at Kmax; it is 1 above.",
                          DoubleValue(0.2),
                          MakeQueueAccessor<DoubleValue>(&C::m_pmax),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "Share",
                "ECN_Thrd of mode Proportional, as a share of Buf_Thrd. The draft does not have "
                "this mode; it is for comparison.",
                DoubleValue(0.5),
                MakeQueueAccessor<DoubleValue>(&C::m_share),
                MakeDoubleChecker<double>(0, 1))
            .AddAttribute("UseAverage",
                          "Compare the averaged occupancy instead of the instantaneous one.",
                          BooleanValue(false),
                          MakeQueueAccessor<BooleanValue>(&C::m_useAverage),
                          MakeBooleanChecker())
            .AddAttribute("AverageWeight",
                          "Weight of an arrival in the average.",
                          DoubleValue(0.002),
                          MakeQueueAccessor<DoubleValue>(&C::m_averageWeight),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("SafetyBias",
                          "Bytes by which ECN_Thrd is lower while Buf_Thrd is polled, so that a "
                          "stale threshold errs on the low side (section 6.1); not below EcnFloor "
                          "unless the polled Buf_Thrd is.",
                          QueueSizeValue(QueueSize("0B")),
                          MakeQueueAccessor<QueueSizeValue>(&C::m_safetyBias),
                          MakeByteSizeChecker())
            .AddAttribute("DropNotEct",
                          "Drop packets that are not ECN-capable where others are marked; with "
                          "MarkingPoint Enqueue only.",
                          BooleanValue(false),
                          MakeQueueAccessor<BooleanValue>(&C::m_dropNotEct),
                          MakeBooleanChecker())
            .AddTraceSource("Region",
                            "The region of ECN_Thrd has changed, as seen at an arrival or a "
                            "departure; mode Coupled only.",
                            MakeTraceSourceAccessor(&CoupledEcnQueue::m_regionTrace),
                            "ns3::aidc::CoupledEcnQueue::RegionTracedCallback")
            .AddTraceSource("RegionMark",
                            "A packet has been marked, and the region of ECN_Thrd as it was; mode "
                            "Coupled only.",
                            MakeTraceSourceAccessor(&CoupledEcnQueue::m_regionMarkTrace),
                            "ns3::aidc::CoupledEcnQueue::RegionMarkTracedCallback")
            .AddTraceSource("BufThrd",
                            "Buf_Thrd has changed, as seen at an arrival or a departure.",
                            MakeTraceSourceAccessor(&CoupledEcnQueue::m_bufThrdTrace),
                            "ns3::aidc::SharedBuffer::BytesTracedCallback")
            .AddTraceSource("EcnThrd",
                            "ECN_Thrd has changed, as seen at an arrival or a departure.",
                            MakeTraceSourceAccessor(&CoupledEcnQueue::m_ecnThrdTrace),
                            "ns3::aidc::SharedBuffer::BytesTracedCallback")
            .AddTraceSource("InvariantViolation",
                            "ECN_Thrd exceeds the current Buf_Thrd, or is below EcnFloor, which "
                            "Buf_Thrd is not (section 5.3), as a packet is about to be marked or "
                            "not: only a polled one can.",
                            MakeTraceSourceAccessor(&CoupledEcnQueue::m_violationTrace),
                            "ns3::aidc::CoupledEcnQueue::ViolationTracedCallback");
    return tid;
}

// The queue disc

TypeId
CoupledEcnQueueDisc::GetTypeId()
{
    static TypeId tid = MirrorQueue(TypeId("ns3::aidc::CoupledEcnQueueDisc")
                                        .SetParent<SharedBufferQueueDisc>()
                                        .SetGroupName("Aidc")
                                        .AddConstructor<CoupledEcnQueueDisc>(),
                                    CoupledEcnQueue::GetTypeId());
    return tid;
}

CoupledEcnQueueDisc::CoupledEcnQueueDisc()
    : SharedBufferQueueDisc(CreateObject<CoupledEcnQueue>())
{
    NS_LOG_FUNCTION(this);
}

Ptr<CoupledEcnQueue>
CoupledEcnQueueDisc::GetQueue() const
{
    return StaticCast<CoupledEcnQueue>(GetBufferQueue());
}

} // namespace ns3::aidc
