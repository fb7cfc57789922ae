/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-port-queue-disc.h"

#include "queue-size-bytes.h"
#include "shared-buffer-queue-disc.h"
#include "switch-port-info.h"

#include "ns3/abort.h"
#include "ns3/aidc-compat.h"
#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcSwitchPortQueueDisc");

NS_OBJECT_ENSURE_REGISTERED(SwitchPortQueueDisc);

namespace
{

/// The queue disc of a class that is given none, by name: it stands on this folder.
constexpr const char* DEFAULT_CHILD = "ns3::aidc::CoupledEcnQueueDisc";

} // namespace

TypeId
SwitchPortQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::SwitchPortQueueDisc")
            .SetParent<QueueDisc>()
            .SetGroupName("Aidc")
            .AddConstructor<SwitchPortQueueDisc>()
            .AddAttribute("NClasses",
                          "Number of classes to make when none is added before initialization.",
                          UintegerValue(MAX_CLASSES),
                          MakeUintegerAccessor(&SwitchPortQueueDisc::m_nClasses),
                          MakeUintegerChecker<uint32_t>(1, MAX_CLASSES))
            .AddAttribute("DscpMap",
                          "Class by DSCP, as `DSCP:class` pairs separated by commas; a DSCP that "
                          "is not named goes to the class of its three upper bits (the class "
                          "selector), or to the highest class where there are fewer.",
                          StringValue(""),
                          MakeStringAccessor(&SwitchPortQueueDisc::SetDscpMap,
                                             &SwitchPortQueueDisc::GetDscpMap),
                          MakeTextChecker([](const std::string& text) {
                              TrafficClassMap().SetDscps(text, MAX_CLASSES);
                          }))
            .AddAttribute("Trust",
                          "What tells the class of a packet: its DSCP, or the priority code point "
                          "of the VLAN tag that it has come with (IEEE 802.1Q), if it has one. "
                          "It is set by SharedBufferSwitchHelper::SetPortAttribute() or "
                          "PriorityFlowControlHelper::SetHostPortAttribute().",
                          EnumValue(DSCP),
                          MakeEnumAccessorFor<TrustKind>(&SwitchPortQueueDisc::SetTrust,
                                                         &SwitchPortQueueDisc::GetTrust),
                          MakeEnumChecker(DSCP, "Dscp", PCP, "Pcp"))
            .AddAttribute("PcpMap",
                          "Class by priority code point, as `PCP:class` pairs separated by commas; "
                          "one that is not named goes to the class of its number, or to the "
                          "highest class where there are fewer.",
                          StringValue(""),
                          MakeStringAccessor(&SwitchPortQueueDisc::SetPcpMap,
                                             &SwitchPortQueueDisc::GetPcpMap),
                          MakeTextChecker([](const std::string& text) {
                              TrafficClassMap().SetPcps(text, MAX_CLASSES);
                          }))
            .AddAttribute("L4sClass",
                          "Class of the packets that are ECT(1) or CE, whatever their DSCP and "
                          "priority code point; -1 is none.",
                          IntegerValue(-1),
                          MakeIntegerAccessor(&SwitchPortQueueDisc::SetL4sClass,
                                              &SwitchPortQueueDisc::GetL4sClass),
                          MakeIntegerChecker<int32_t>(-1, MAX_CLASSES - 1))
            .AddAttribute("NonIpClass",
                          "Class of packets that are not IP, such as ARP's; the highest class "
                          "where there are fewer.",
                          UintegerValue(MAX_CLASSES - 1),
                          MakeUintegerAccessor(&SwitchPortQueueDisc::SetNonIpClass,
                                               &SwitchPortQueueDisc::GetNonIpClass),
                          MakeUintegerChecker<uint32_t>(0, MAX_CLASSES - 1))
            .AddAttribute("BufferSize",
                          "Size in bytes of the buffer that the port makes for itself when its "
                          "node has no SharedBuffer.",
                          QueueSizeValue(QueueSize("12MB")),
                          MakeQueueSizeAccessor(&SwitchPortQueueDisc::m_bufferSize),
                          MakeByteSizeChecker(1))
            .AddAttribute("CountOnDeparture",
                          "Whether packets are counted only as they leave, which saves a sixth to "
                          "a quarter of the time of a packet-hop. GetStats() then knows nothing of "
                          "packets that are queued, the queue discs' sizes are 0, and their trace "
                          "sources Enqueue, Dequeue, PacketsInQueue, BytesInQueue and SojournTime "
                          "are silent. Drops and marks are counted and traced as ever. Only for "
                          "ports that are EthernetNetDevices, with classes that draw on the "
                          "shared buffer by themselves; read at initialization.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&SwitchPortQueueDisc::m_countOnDeparture),
                          MakeBooleanChecker())
            .AddTraceSource("Pause",
                            "A class has been paused or resumed.",
                            MakeTraceSourceAccessor(&SwitchPortQueueDisc::m_pauseTrace),
                            "ns3::aidc::SwitchPortQueueDisc::PauseTracedCallback");
    return tid;
}

SwitchPortQueueDisc::SwitchPortQueueDisc()
    : QueueDisc(QueueDiscSizePolicy::MULTIPLE_QUEUES, QueueSizeUnit::BYTES)
{
    NS_LOG_FUNCTION(this);
}

SwitchPortQueueDisc::~SwitchPortQueueDisc()
{
    NS_LOG_FUNCTION(this);
}

void
SwitchPortQueueDisc::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_states.clear();
    QueueDisc::DoDispose();
}

void
SwitchPortQueueDisc::SetSharedBuffer(Ptr<SharedBuffer> buffer)
{
    m_buffer = buffer;
}

Ptr<SharedBuffer>
SwitchPortQueueDisc::GetSharedBuffer() const
{
    return m_buffer;
}

uint32_t
SwitchPortQueueDisc::GetClassOfTos(uint8_t tos) const
{
    return m_map.GetClassOfTos(tos);
}

void
SwitchPortQueueDisc::SetIngressPortReader(IngressPortReader reader)
{
    m_ingressPortReader = reader;
}

uint32_t
SwitchPortQueueDisc::GetNClasses() const
{
    return static_cast<uint32_t>(GetNQueueDiscClasses());
}

bool
SwitchPortQueueDisc::IsWaiting(uint32_t index) const
{
    return ((m_waiting >> index) & 1U) != 0;
}

uint64_t
SwitchPortQueueDisc::GetSent(uint32_t index) const
{
    return m_states.at(index).sent;
}

void
SwitchPortQueueDisc::SetDiscarding(uint32_t index, bool discarding)
{
    NS_LOG_FUNCTION(this << index << discarding);
    NS_ABORT_MSG_IF(index >= m_states.size(), "There is no class " << index);
    const uint32_t bit = 1U << index;
    m_discarding = discarding ? (m_discarding | bit) : (m_discarding & ~bit);
    if (!discarding)
    {
        return;
    }
    auto& state = m_states[index];
    m_current = index;
    while (const auto item = state.Take())
    {
        if (m_totals.IsAttached())
        {
            m_totals.CountDeparture(item->GetSize());
        }
        DropAfterDequeue(item, STORM_DROP);
    }
    if (state.follow)
    {
        state.follow->Follow(state.queueDisc->GetNBytes());
    }
    UpdateWaiting(index);
}

void
SwitchPortQueueDisc::SetPaused(uint32_t index, bool paused)
{
    NS_LOG_FUNCTION(this << index << paused);
    NS_ABORT_MSG_IF(index >= GetNQueueDiscClasses(), "There is no class " << index);
    if (IsPaused(index) == paused)
    {
        return;
    }
    m_paused ^= 1U << index;
    m_pauseTrace(index, paused);
    if (!paused && GetSendCallback())
    {
        Run();
    }
}

bool
SwitchPortQueueDisc::IsPaused(uint32_t index) const
{
    return ((m_paused >> index) & 1U) != 0;
}

PortBufferUse
SwitchPortQueueDisc::GetBufferUse() const
{
    PortBufferUse fullest;
    uint64_t share = 0;
    for (const auto& state : m_states)
    {
        const PortBufferUse use = state.share->GetUse();
        share += use.share;
        // Fractions in floating point: both products may exceed 64 bits.
        if (fullest.limit == 0 || static_cast<double>(use.held) * fullest.limit >
                                      static_cast<double>(fullest.held) * use.limit)
        {
            fullest = use;
        }
    }
    fullest.share = share;
    return fullest;
}

bool
SwitchPortQueueDisc::DoEnqueue(Ptr<QueueDiscItem> item)
{
    const bool queued = Accept(item);
    if (queued && m_totals.IsAttached())
    {
        m_totals.PutOff(item->GetSize());
    }
    return queued;
}

bool
SwitchPortQueueDisc::Accept(const Ptr<QueueDiscItem>& item)
{
    const uint32_t index = Classify(*item);
    if (((m_discarding >> index) & 1U) != 0)
    {
        DropBeforeEnqueue(item, STORM_DROP);
        return false;
    }
    if (!m_states[index].isLossless)
    {
        return EnqueueInClass(index, item);
    }
    const uint32_t port = GetIngressPort(*item);
    const uint32_t bytes = item->GetSize();
    const Admission admission = m_buffer->AdmitIngress(port, index, bytes);
    if (admission != Admission::ADMITTED && admission != Admission::HEADROOM)
    {
        DropBeforeEnqueue(item, IngressBuffer::INGRESS_DROP);
        return false;
    }
    const bool queued = EnqueueInClass(index, item);
    if (!queued)
    {
        m_buffer->ReleaseIngress(port, index, bytes);
    }
    return queued;
}

bool
SwitchPortQueueDisc::EnqueueInClass(uint32_t index, const Ptr<QueueDiscItem>& item)
{
    auto& state = m_states[index];
    m_current = index;
    if (!state.follow)
    {
        const bool queued =
            state.direct ? state.direct->Push(item) : state.queueDisc->Enqueue(item);
        m_waiting |= static_cast<uint32_t>(queued) << index;
        return queued;
    }
    const Admission admission = state.follow->Check(item->GetSize());
    if (admission != Admission::ADMITTED && admission != Admission::HEADROOM)
    {
        DropBeforeEnqueue(item, SharedBufferQueue::GetDropReason(admission));
        return false;
    }
    const bool queued = state.queueDisc->Enqueue(item);
    // Enqueuing may also have dropped packets that were in the queue.
    state.follow->Follow(state.queueDisc->GetNBytes());
    UpdateWaiting(index);
    return queued;
}

Ptr<QueueDiscItem>
SwitchPortQueueDisc::DoDequeue()
{
    while (true)
    {
        const uint32_t index =
            m_scheduler.Next(m_waiting & ~m_paused, m_waiting, [this](uint32_t i) {
                const auto& state = m_states[i];
                m_current = i;
                const auto head = state.queueDisc->Peek();
                if (state.follow)
                {
                    // CoDel and its like drop packets while they look for the first.
                    state.follow->Follow(state.queueDisc->GetNBytes());
                }
                return head ? head->GetSize() : 0;
            });
        if (index == TrafficClassScheduler::NONE)
        {
            return nullptr;
        }
        auto& state = m_states[index];
        m_current = index;
        auto item = state.Take();
        if (state.follow)
        {
            state.follow->Follow(state.queueDisc->GetNBytes());
        }
        if (item)
        {
            ++state.sent;
            if (m_totals.IsAttached())
            {
                m_totals.CountDeparture(item->GetSize());
            }
            if (state.isLossless)
            {
                m_buffer->ReleaseIngress(GetIngressPort(*item), index, item->GetSize());
            }
        }
        UpdateWaiting(index);
        // A queue disc may have dropped all that it had.
        if (item || (m_waiting & ~m_paused) == 0)
        {
            return item;
        }
    }
}

void
SwitchPortQueueDisc::ReleaseDropped(Ptr<const QueueDiscItem> item, const char*)
{
    // By the class at work, not by the packet's: what marks packets may change that.
    if (m_states[m_current].isLossless)
    {
        m_buffer->ReleaseIngress(GetIngressPort(*item), m_current, item->GetSize());
    }
}

void
SwitchPortQueueDisc::UpdateWaiting(uint32_t index)
{
    const uint32_t bit = 1U << index;
    const auto& state = m_states[index];
    const bool waits = state.direct ? !state.direct->IsEmpty() : state.queueDisc->GetNPackets() > 0;
    m_waiting = waits ? (m_waiting | bit) : (m_waiting & ~bit);
}

bool
SwitchPortQueueDisc::CheckConfig()
{
    NS_LOG_FUNCTION(this);
    if (GetNInternalQueues() > 0 || GetNPacketFilters() > 0)
    {
        NS_LOG_ERROR("SwitchPortQueueDisc takes no internal queues and no packet filters");
        return false;
    }
    for (uint32_t i = 0; GetNQueueDiscClasses() == i && i < m_nClasses; ++i)
    {
        auto qdClass = CreateObject<SwitchPortClass>();
        qdClass->SetQueueDisc(ObjectFactory(DEFAULT_CHILD).Create<QueueDisc>());
        AddQueueDiscClass(qdClass);
    }
    const std::size_t n = GetNQueueDiscClasses();
    NS_ABORT_MSG_IF(n > MAX_CLASSES,
                    "SwitchPortQueueDisc: " << n << " classes, at most " << MAX_CLASSES
                                            << " are possible");
    NS_ABORT_MSG_IF(GetL4sClass() >= static_cast<int32_t>(n),
                    "SwitchPortQueueDisc: L4sClass is " << GetL4sClass() << ", there are " << n
                                                        << " classes");
    const int32_t highest = m_map.GetHighestOfDscps();
    NS_ABORT_MSG_IF(highest >= static_cast<int32_t>(n),
                    "SwitchPortQueueDisc: DscpMap names class " << highest << ", there are " << n
                                                                << " classes");
    const int32_t highestOfPcps = m_map.GetHighestOfPcps();
    NS_ABORT_MSG_IF(highestOfPcps >= static_cast<int32_t>(n),
                    "SwitchPortQueueDisc: PcpMap names class " << highestOfPcps << ", there are "
                                                               << n << " classes");
    NS_ABORT_MSG_IF(m_trust == PCP && !m_priorityReader,
                    "SwitchPortQueueDisc: " << UNKNOWN_PRIORITIES);
    for (std::size_t i = 0; i < n; ++i)
    {
        NS_ABORT_MSG_UNLESS(DynamicCast<SwitchPortClass>(GetQueueDiscClass(i)),
                            "SwitchPortQueueDisc: class "
                                << i << " must be a ns3::aidc::SwitchPortClass");
    }
    return true;
}

void
SwitchPortQueueDisc::InitializeParams()
{
    NS_LOG_FUNCTION(this);
    const auto device = FindNetDevice(this);
    if (!m_buffer)
    {
        m_buffer = FindOrMakeSharedBuffer(device, m_bufferSize);
    }
    m_states.resize(GetNQueueDiscClasses());
    for (uint32_t i = 0; i < m_states.size(); ++i)
    {
        const auto qdClass = DynamicCast<SwitchPortClass>(GetQueueDiscClass(i));
        m_scheduler.SetQuantum(i, qdClass->GetQuantum());
        m_states[i].queueDisc = PeekPointer(qdClass->GetQueueDisc());
        if (auto child = DynamicCast<SharedBufferQueueDisc>(qdClass->GetQueueDisc()))
        {
            child->SetSharedBuffer(m_buffer);
            child->SetDevice(device);
            m_states[i].share = PeekPointer(child->GetBufferQueue());
        }
        else
        {
            m_buffer->AddQueue(qdClass->GetBufferQueue());
            m_states[i].share = PeekPointer(qdClass->GetBufferQueue());
            m_states[i].follow = m_states[i].share;
        }
        m_states[i].isLossless = qdClass->IsLossless();
        m_states[i].share->SetChargedElsewhere(qdClass->IsLossless(), i);
    }
    if (std::any_of(m_states.begin(), m_states.end(), [](const ClassState& state) {
            return state.isLossless;
        }))
    {
        TraceConnectWithoutContext("DropAfterDequeue",
                                   MakeCallback(&SwitchPortQueueDisc::ReleaseDropped, this));
    }
    m_map.Fill(GetNClasses());
    TryCountOnDeparture();
}

} // namespace ns3::aidc
