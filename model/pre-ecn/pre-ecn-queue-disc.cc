// SPDX-License-Identifier: GPL-2.0-only

#include "pre-ecn-queue-disc.h"

#include "../aidc-compat.h"
#include "../core/multiply-divide.h"
#include "../core/require-argument.h"
#include "../core/tunnel/tunnel-ecn.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/ethernet-frame.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv6-queue-disc-item.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-item.h"
#include "ns3/simulator.h"
#include "ns3/switch-port-queue-disc.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"
#include "ns3/warning.h"

#include <algorithm>
#include <sstream>
#include <typeinfo>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcPreEcnQueue");

NS_OBJECT_ENSURE_REGISTERED(PreEcnQueue);
NS_OBJECT_ENSURE_REGISTERED(PreEcnQueueDisc);

namespace
{

/// Make an item of ns-3's with another header. @return the new item
template <typename Item, typename Header>
Ptr<QueueDiscItem>
CopyWithHeader(const QueueDiscItem& item, const Header& header)
{
    return Create<Item>(item.GetPacket(), item.GetAddress(), item.GetProtocol(), header);
}

/// @return an item with the same packet and another ECN codepoint, null if that is impossible
Ptr<QueueDiscItem>
Copy(const QueueDiscItem& item, EcnCodepoint codepoint)
{
    // Exactly this class: a copy of a derived item would lose the derived members.
    if (typeid(item) == typeid(EthernetQueueItem))
    {
        const auto& transit = static_cast<const EthernetQueueItem&>(item);
        return transit.CopyWithTos(SetEcn(transit.GetHeader().GetTos(), codepoint));
    }
    if (item.GetSize() == item.GetPacket()->GetSize())
    {
        return nullptr; // the header has been added
    }
    if (typeid(item) == typeid(Ipv4QueueDiscItem))
    {
        auto header = static_cast<const Ipv4QueueDiscItem&>(item).GetHeader();
        header.SetTos(SetEcn(header.GetTos(), codepoint));
        return CopyWithHeader<Ipv4QueueDiscItem>(item, header);
    }
    if (typeid(item) == typeid(Ipv6QueueDiscItem))
    {
        auto header = static_cast<const Ipv6QueueDiscItem&>(item).GetHeader();
        header.SetTrafficClass(SetEcn(header.GetTrafficClass(), codepoint));
        return CopyWithHeader<Ipv6QueueDiscItem>(item, header);
    }
    return nullptr;
}

/// @return the codepoint of a packet's outermost header, NOT_ECT if it is not IP
EcnCodepoint
ReadEcn(const QueueDiscItem& item)
{
    uint8_t tos = 0;
    return item.GetUint8Value(QueueItem::IP_DSFIELD, tos) ? GetEcn(tos) : EcnCodepoint::NOT_ECT;
}

/// Copy a packet with another ECN codepoint, as Mark() of ns-3's items only sets CE. The new item
/// is ns-3's for IPv4 or IPv6, or an EthernetQueueItem; the header is written when it leaves.
Ptr<QueueDiscItem>
CopyWithEcn(const Ptr<QueueDiscItem>& item, EcnCodepoint codepoint)
{
    const auto copy = Copy(*item, codepoint);
    if (copy)
    {
        copy->SetTimeStamp(item->GetTimeStamp());
        copy->SetTxQueueIndex(item->GetTxQueueIndex());
    }
    return copy;
}

} // namespace

TypeId
PreEcnQueue::GetTypeId()
{
    using C = PreEcnQueue;
    static TypeId tid =
        TypeId("ns3::aidc::PreEcnQueue")
            .SetParent<MarkingQueue>()
            .SetGroupName("Aidc")
            .AddConstructor<PreEcnQueue>()
            .AddAttribute("T1",
                          "Average queue in bytes above which packets are marked ECT(1).",
                          QueueSizeValue(QueueSize("400kB")),
                          MakeQueueAccessor<QueueSizeValue>(&C::m_t1),
                          MakeByteSizeChecker())
            .AddAttribute("T2",
                          "Average queue in bytes above which packets are marked CE.",
                          QueueSizeValue(QueueSize("1600kB")),
                          MakeQueueAccessor<QueueSizeValue>(&C::m_t2),
                          MakeByteSizeChecker())
            .AddAttribute("Maximum",
                          "Average queue in bytes above which all packets are marked CE.",
                          QueueSizeValue(QueueSize("4MB")),
                          MakeQueueAccessor<QueueSizeValue>(&C::m_maximum),
                          MakeByteSizeChecker())
            .AddAttribute("T1Delay",
                          "T1 as the time in which the link sends it; 0 to use T1.",
                          TimeValue(Seconds(0)),
                          MakeQueueAccessor<TimeValue>(&C::m_t1Delay),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("T2Delay",
                          "T2 as the time in which the link sends it; 0 to use T2.",
                          TimeValue(Seconds(0)),
                          MakeQueueAccessor<TimeValue>(&C::m_t2Delay),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("MaximumDelay",
                          "Maximum as the time in which the link sends it; 0 to use Maximum.",
                          TimeValue(Seconds(0)),
                          MakeQueueAccessor<TimeValue>(&C::m_maximumDelay),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("LightProbability",
                          "Probability of ECT(1) at T2 and above; it is 0 at T1.",
                          DoubleValue(1),
                          MakeQueueAccessor<DoubleValue>(&C::m_lightProbability),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("SevereProbability",
                          "Probability of CE at Maximum, RED's max_p; it is 0 at T2 and 1 above "
                          "Maximum.",
                          DoubleValue(0.2),
                          MakeQueueAccessor<DoubleValue>(&C::m_severeProbability),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AverageWeight",
                          "Weight of an arrival in the average, RED's w_q; 1 for the queue itself.",
                          DoubleValue(0.002),
                          MakeQueueAccessor<DoubleValue>(&C::m_averageWeight),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("SpreadMarks",
                          "Whether marks by CE are spread by RED's count of unmarked packets.",
                          BooleanValue(false),
                          MakeQueueAccessor<BooleanValue>(&C::m_spreadMarks),
                          MakeBooleanChecker())
            .AddAttribute("MeanPacketSize",
                          "Size in bytes of the packets by which idle time is counted; 0 is the "
                          "device's MTU.",
                          UintegerValue(0),
                          MakeQueueAccessor<UintegerValue>(&C::m_meanPacketSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "Guard",
                "How absurd thresholds are treated.",
                EnumValue(GUARD_WARN),
                MakeQueueAccessor<EnumValueOf<Guard>>(&C::m_guard),
                MakeEnumChecker(GUARD_OFF, "Off", GUARD_WARN, "Warn", GUARD_REFUSE, "Refuse"))
            .AddAttribute("LeastT1",
                          "A lower T1 is absurd; 0 for two MTUs of the device.",
                          QueueSizeValue(QueueSize("0B")),
                          MakeQueueAccessor<QueueSizeValue>(&C::m_leastT1),
                          MakeByteSizeChecker())
            .AddAttribute("GreatestT1Delay",
                          "A T1 that the link takes longer to send is absurd; 0 for none.",
                          TimeValue(MilliSeconds(10)),
                          MakeQueueAccessor<TimeValue>(&C::m_greatestT1Delay),
                          MakeTimeChecker(Seconds(0)))
            .AddTraceSource("CongestionMark",
                            "A packet has been marked, or was so already and is chosen again: "
                            "ECT(1) or CE.",
                            MakeTraceSourceAccessor(&PreEcnQueue::m_markTrace),
                            "ns3::aidc::PreEcnQueue::CongestionMarkTracedCallback")
            .AddTraceSource("Arrival",
                            "A packet has been admitted, marked or not.",
                            MakeTraceSourceAccessor(&PreEcnQueue::m_arrivalTrace),
                            "ns3::aidc::PreEcnQueue::CongestionMarkTracedCallback")
            .AddTraceSource("Region",
                            "The average queue has come into another region, as seen at an "
                            "arrival or a reconfiguration.",
                            MakeTraceSourceAccessor(&PreEcnQueue::m_regionTrace),
                            "ns3::aidc::PreEcnQueue::RegionTracedCallback");
    return tid;
}

PreEcnStatistics
PreEcnQueue::GetStatistics() const
{
    auto statistics = m_statistics;
    auto times = m_times;
    times.Count(Simulator::Now().GetNanoSeconds(), GetIdlePackets(), m_marker);
    statistics.time = times.times;
    return statistics;
}

double
PreEcnQueue::GetIdlePackets() const
{
    // While this packet arrives, it is not queued yet.
    const Time since = NanoSeconds(m_times.since);
    return IsEmpty() ? (Simulator::Now() - since).GetSeconds() * m_packetsPerSecond : 0;
}

void
PreEcnQueue::CountTime()
{
    const double packets = GetIdlePackets();
    m_times.Count(Simulator::Now().GetNanoSeconds(), packets, m_marker);
    if (packets > 0)
    {
        m_marker.Decay(packets);
    }
}

void
PreEcnQueue::UpdateRegion()
{
    const auto region = m_marker.GetRegion();
    const auto before = m_times.region;
    if (region != before)
    {
        CountTime();
        m_regionTrace(before, region);
        m_times.region = region;
    }
}

const char*
PreEcnQueue::DoAdmit(Ptr<QueueDiscItem>& item)
{
    if (IsEmpty())
    {
        CountTime();
    }
    m_marker.Update(GetOccupancy());
    UpdateRegion();
    ++m_statistics.packets[static_cast<std::size_t>(m_times.region)];
    auto severity = CongestionSeverity::NONE;
    switch (m_marker.Decide(ReadEcn(*item), [this]() { return m_uniform->GetValue(); }))
    {
    case PreEcnAction::DROP_NOT_ECT:
        ++m_statistics.notEctDrops;
        return NOT_ECT_DROP;
    case PreEcnAction::LIGHT_MARK:
        severity = MarkLight(item) ? CongestionSeverity::LIGHT : severity;
        break;
    case PreEcnAction::SEVERE_MARK:
        if (!Mark(item, SEVERE_MARK))
        {
            ++m_statistics.unmarkable;
            break;
        }
        severity = CongestionSeverity::SEVERE;
        ++m_statistics.severeMarks;
        m_markTrace(item, CongestionSeverity::SEVERE, m_marker.GetAverage());
        break;
    case PreEcnAction::NONE:
        break;
    }
    m_arrivalTrace(item, severity, m_marker.GetAverage());
    return nullptr;
}

bool
PreEcnQueue::MarkLight(Ptr<QueueDiscItem>& item)
{
    if (ReadEcn(*item) != EcnCodepoint::ECT_1)
    {
        const auto marked = CopyWithEcn(item, EcnCodepoint::ECT_1);
        if (!marked)
        {
            ++m_statistics.unmarkable;
            return false;
        }
        item = marked;
    }
    ++m_statistics.lightMarks;
    m_markTrace(item, CongestionSeverity::LIGHT, m_marker.GetAverage());
    return true;
}

void
PreEcnQueue::DoRelease(const Ptr<QueueDiscItem>&)
{
    if (IsEmpty())
    {
        // From now on the queue is idle.
        m_times.Count(Simulator::Now().GetNanoSeconds(), 0, m_marker);
    }
}

PreEcnThresholds
PreEcnQueue::ComputeSettings() const
{
    const uint64_t rate = GetEffectiveRate().GetBitRate();
    const auto bytes = [rate](uint64_t size, const Time& delay) {
        return delay.IsZero() ? size : MultiplyDivide(rate, delay.GetNanoSeconds(), 8000000000);
    };
    PreEcnThresholds settings;
    settings.t1 = bytes(m_t1, m_t1Delay);
    settings.t2 = bytes(m_t2, m_t2Delay);
    settings.maximum = bytes(m_maximum, m_maximumDelay);
    settings.lightProbability = m_lightProbability;
    settings.severeProbability = m_severeProbability;
    settings.weight = m_averageWeight;
    settings.isSpread = m_spreadMarks;
    return settings;
}

std::string
PreEcnQueue::FindConfigError() const
{
    const bool needsRate = !m_t1Delay.IsZero() || !m_t2Delay.IsZero() || !m_maximumDelay.IsZero();
    if (needsRate && GetEffectiveRate().GetBitRate() == 0)
    {
        return "T1Delay, T2Delay or MaximumDelay is set, but the device does not tell the rate of "
               "its link: set LinkRate";
    }
    const auto error = FindTwoThresholdsError(ComputeSettings());
    const bool isRefused = m_guard == GUARD_REFUSE && IsInitialized();
    return error.empty() && isRefused ? FindAbsurdity() : error;
}

std::string
PreEcnQueue::FindAbsurdity() const
{
    if (m_guard == GUARD_OFF)
    {
        return "";
    }
    const uint64_t rate = GetEffectiveRate().GetBitRate();
    const auto& limits = GetLimits();
    const auto size = static_cast<double>(GetSharedBuffer()->GetSize());
    PreEcnBounds bounds;
    bounds.leastT1 = m_leastT1 > 0 ? m_leastT1 : 2 * uint64_t{GetDeviceMtu()};
    bounds.greatestT1 = MultiplyDivide(rate, m_greatestT1Delay.GetNanoSeconds(), 8000000000);
    // The dynamic threshold of a queue that is busy alone (Choudhury and Hahne); a lossless one has
    // none
    const double share = limits.chargedElsewhere ? 1 : limits.alpha / (1 + limits.alpha);
    bounds.greatestT2 = std::min(limits.cap, limits.reserved + static_cast<uint64_t>(share * size));
    return FindAbsurdThreshold(ComputeSettings(), bounds);
}

void
PreEcnQueue::Derive()
{
    CountTime();
    m_marker.Configure(ComputeSettings());
    const uint32_t packetSize = m_meanPacketSize > 0 ? m_meanPacketSize : GetDeviceMtu();
    m_packetsPerSecond = static_cast<double>(GetEffectiveRate().GetBitRate()) / 8 / packetSize;
    UpdateRegion();
    const auto absurdity = FindAbsurdity();
    if (!absurdity.empty())
    {
        WarnOnce(absurdity);
    }
}

std::string
PreEcnQueue::Describe() const
{
    const auto settings = ComputeSettings();
    std::ostringstream os;
    os << "T1 " << settings.t1 << "B, T2 " << settings.t2 << "B, Maximum " << settings.maximum
       << "B, LightProbability " << settings.lightProbability << ", SevereProbability "
       << settings.severeProbability << ", AverageWeight " << settings.weight
       << (settings.isSpread ? ", spread" : "");
    return os.str();
}

void
PreEcnQueue::DoOpen()
{
    NS_LOG_FUNCTION(this);
    AIDC_REFUSED_IF(m_guard == GUARD_REFUSE && !FindAbsurdity().empty(),
                    "PreEcnQueue: " << FindAbsurdity());
    m_times.since = Simulator::Now().GetNanoSeconds();
    MakeUniform();
    Derive();
}

// The queue disc

TypeId
PreEcnQueueDisc::GetTypeId()
{
    static TypeId tid = MirrorQueue(TypeId("ns3::aidc::PreEcnQueueDisc")
                                        .SetParent<SharedBufferQueueDisc>()
                                        .SetGroupName("Aidc")
                                        .AddConstructor<PreEcnQueueDisc>(),
                                    PreEcnQueue::GetTypeId());
    return tid;
}

PreEcnQueueDisc::PreEcnQueueDisc()
    : SharedBufferQueueDisc(CreateObject<PreEcnQueue>())
{
    NS_LOG_FUNCTION(this);
}

std::vector<PlacedPreEcnQueue>
FindPreEcnQueues(Ptr<Node> node)
{
    std::vector<PlacedPreEcnQueue> queues;
    const auto layer = node->GetObject<TrafficControlLayer>();
    for (uint32_t i = 0; layer && i < node->GetNDevices(); ++i)
    {
        for (const auto& placed :
             FindMarkingQueues(layer->GetRootQueueDiscOnDevice(node->GetDevice(i))))
        {
            if (const auto queue = DynamicCast<PreEcnQueue>(placed.queue))
            {
                queues.push_back({queue, static_cast<uint16_t>(i), placed.index});
            }
        }
    }
    return queues;
}

} // namespace ns3::aidc
