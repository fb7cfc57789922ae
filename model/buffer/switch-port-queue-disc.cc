// SPDX-License-Identifier: GPL-2.0-only

#include "switch-port-queue-disc.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/require-argument.h"
#include "buffered-queue-disc.h"
#include "marking-queue.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/object-vector.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcSwitchPortQueueDisc");

NS_OBJECT_ENSURE_REGISTERED(SwitchPortClass);
NS_OBJECT_ENSURE_REGISTERED(SwitchPortQueueDisc);

namespace
{

/// The queue of a class that is given none, by name: its folder depends on this one.
constexpr const char* DEFAULT_QUEUE = "ns3::aidc::CoupledEcnQueueDisc";

/// The error if there is no reader of priority code points.
constexpr const char* UNKNOWN_PRIORITIES = "nothing tells the priority code points of packets";

} // namespace

TypeId
SwitchPortClass::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::SwitchPortClass")
            .SetParent<QueueDiscClass>()
            .SetGroupName("Aidc")
            .AddConstructor<SwitchPortClass>()
            .AddAttribute("Quantum",
                          "Bytes that the class may send a round of deficit round robin; 0 gives "
                          "it strict priority over the classes with a quantum and over those with "
                          "a lower number. Read at initialization.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SwitchPortClass::m_quantum),
                          MakeUintegerChecker<uint32_t>(0, 1000000))
            .AddAttribute("Lossless",
                          "Whether the class's packets are charged to the ports that they came in "
                          "by, whose peers can be told to stop, and not to the class. Read at "
                          "initialization.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&SwitchPortClass::m_isLossless),
                          MakeBooleanChecker())
            .AddAttribute("BufferQueue",
                          "The class's share of the shared buffer, with its limits as attributes.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&SwitchPortClass::GetBufferQueue),
                          MakePointerChecker<SharedBufferQueue>());
    return tid;
}

void
SwitchPortClass::SetQueue(Ptr<Object> queue)
{
    NS_LOG_FUNCTION(this << queue);
    if (const auto own = DynamicCast<SharedBufferQueueDisc>(queue))
    {
        m_share = own->GetBufferQueue();
        m_queueDiscType = own->GetInstanceTypeId();
    }
    else if (const auto marking = DynamicCast<MarkingQueue>(queue))
    {
        m_share = marking;
    }
    else
    {
        const auto queueDisc = DynamicCast<QueueDisc>(queue);
        AIDC_REFUSED_UNLESS(queueDisc,
                            "SwitchPortClass: expected a queue disc or a ns3::aidc::MarkingQueue, "
                            "found "
                                << queue->GetInstanceTypeId().GetName());
        SetQueueDisc(queueDisc);
    }
}

Ptr<MarkingQueue>
SwitchPortClass::GetQueue() const
{
    return DynamicCast<MarkingQueue>(m_share);
}

Ptr<SharedBufferQueue>
SwitchPortClass::GetBufferQueue() const
{
    if (!m_share)
    {
        m_share = CreateObject<SharedBufferQueue>();
    }
    return m_share;
}

TypeId
SwitchPortQueueDisc::GetTypeId()
{
    static TypeId tid = AddClassAttributes(
        TypeId("ns3::aidc::SwitchPortQueueDisc")
            .SetParent<QueueDisc>()
            .SetGroupName("Aidc")
            .AddConstructor<SwitchPortQueueDisc>()
            .AddAttribute("NClasses",
                          "Number of classes to make when none is added before initialization.",
                          UintegerValue(MAX_CLASSES),
                          MakeUintegerAccessor(&SwitchPortQueueDisc::m_nClasses),
                          MakeUintegerChecker<uint32_t>(1, MAX_CLASSES))
            .AddAttribute("BufferSize",
                          "Size in bytes of the buffer that the port makes for itself when its "
                          "node has no SharedBuffer.",
                          QueueSizeValue(QueueSize("12MB")),
                          MakeQueueSizeAccessor(&SwitchPortQueueDisc::m_bufferSize),
                          MakeByteSizeChecker(1))
            .AddAttribute("ClassList",
                          "The classes.",
                          TypeId::ATTR_GET,
                          ObjectVectorValue(),
                          MakeObjectVectorAccessor(&SwitchPortQueueDisc::m_classes),
                          MakeObjectVectorChecker<SwitchPortClass>())
            .AddTraceSource("Pause",
                            "A class has been paused or resumed.",
                            MakeTraceSourceAccessor(&SwitchPortQueueDisc::m_pauseTrace),
                            "ns3::aidc::SwitchPortQueueDisc::PauseTracedCallback"));
    return tid;
}

TypeId
SwitchPortQueueDisc::AddClassAttributes(TypeId tid)
{
    using C = SwitchPortQueueDisc;
    return tid
        .AddAttribute("DscpMap",
                      "Class by DSCP, as `DSCP:class` pairs separated by commas; a DSCP that "
                      "is not named goes to the class of its three upper bits (the class "
                      "selector), or to the highest class where there are fewer.",
                      StringValue(""),
                      MakeFunctionAccessor<C, StringValue>(
                          [](const C& port) { return port.m_classMap.GetDscps(); },
                          [](C& port, const StringValue& map) {
                              port.m_classMap.SetDscps(map.Get(), port.GetMostClasses());
                              port.FillMap();
                          }),
                      MakeTextChecker([](const std::string& text) {
                          TrafficClassMap().SetDscps(text, MAX_CLASSES);
                      }))
        .AddAttribute("Trust",
                      "What tells the class of a packet: its DSCP, or the priority code point "
                      "of the VLAN tag that it has come with (IEEE 802.1Q), if it has one. "
                      "It is set by SharedBufferSwitchHelper::SetPortAttribute() or "
                      "PriorityFlowControlHelper::SetHostPortAttribute().",
                      EnumValue(DSCP),
                      MakeMemberAccessor<EnumValueOf<TrustKind>>(
                          &C::m_trust,
                          [](C& port, auto, TrustKind trust) { port.SetTrust(trust); }),
                      MakeEnumChecker(DSCP, "Dscp", PCP, "Pcp"))
        .AddAttribute("PcpMap",
                      "Class by priority code point, as `PCP:class` pairs separated by commas; "
                      "one that is not named goes to the class of its number, or to the "
                      "highest class where there are fewer.",
                      StringValue(""),
                      MakeFunctionAccessor<C, StringValue>(
                          [](const C& port) { return port.m_classMap.GetPcps(); },
                          [](C& port, const StringValue& map) {
                              port.m_classMap.SetPcps(map.Get(), port.GetMostClasses());
                              port.FillMap();
                          }),
                      MakeTextChecker([](const std::string& text) {
                          TrafficClassMap().SetPcps(text, MAX_CLASSES);
                      }))
        .AddAttribute("L4sClass",
                      "Class of the packets that are ECT(1) or CE, whatever their DSCP and "
                      "priority code point; -1 is none.",
                      IntegerValue(-1),
                      MakeFunctionAccessor<C, IntegerValue>(
                          [](const C& port) { return port.m_classMap.GetL4sClass(); },
                          [](C& port, const IntegerValue& index) {
                              port.SetL4sClass(static_cast<int32_t>(index.Get()));
                          }),
                      MakeIntegerChecker<int32_t>(-1, MAX_CLASSES - 1))
        .AddAttribute("NonIpClass",
                      "Class of packets that are not IP, such as ARP's; the highest class "
                      "where there are fewer.",
                      UintegerValue(MAX_CLASSES - 1),
                      MakeFunctionAccessor<C, UintegerValue>(
                          [](const C& port) { return port.m_classMap.GetNonIpClass(); },
                          [](C& port, const UintegerValue& index) {
                              port.m_classMap.SetNonIpClass(static_cast<uint32_t>(index.Get()));
                              port.FillMap();
                          }),
                      MakeUintegerChecker<uint32_t>(0, MAX_CLASSES - 1));
}

SwitchPortQueueDisc::SwitchPortQueueDisc()
    : BufferedQueueDisc(QueueDiscSizePolicy::MULTIPLE_QUEUES, QueueSizeUnit::BYTES)
{
    NS_LOG_FUNCTION(this);
}

void
SwitchPortQueueDisc::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_states.clear();
    m_classes.clear();
    BufferedQueueDisc::DoDispose();
}

// The class of a packet

void
SwitchPortQueueDisc::FillMap()
{
    if (m_packets)
    {
        m_classMap.Fill(GetMostClasses());
    }
}

void
SwitchPortQueueDisc::SetL4sClass(int32_t index)
{
    const uint32_t n = GetMostClasses(); // more than the checker lets by, while it is not known
    if (index >= static_cast<int32_t>(n))
    {
        throw std::invalid_argument("L4sClass: expected a class below " + std::to_string(n) +
                                    ", found " + std::to_string(index));
    }
    m_classMap.SetL4sClass(index);
    FillMap();
}

void
SwitchPortQueueDisc::SetTrust(TrustKind trust)
{
    if (trust == PCP && m_packets && !m_priorityReader)
    {
        throw std::invalid_argument(std::string("Trust: ") + UNKNOWN_PRIORITIES);
    }
    m_trust = trust;
}

void
SwitchPortQueueDisc::SetPriorityReader(PriorityReader reader)
{
    m_priorityReader = std::move(reader);
}

void
SwitchPortQueueDisc::CheckMap() const
{
    const auto n = static_cast<int32_t>(GetNClasses());
    const auto check = [n](const char* name, const char* verb, int32_t index) {
        AIDC_REFUSED_IF(index >= n,
                        "SwitchPortQueueDisc: " << name << verb << index << ", there are " << n
                                                << " classes");
    };
    check("L4sClass", " is ", m_classMap.GetL4sClass());
    check("DscpMap", " names class ", m_classMap.GetHighestOfDscps());
    check("PcpMap", " names class ", m_classMap.GetHighestOfPcps());
    AIDC_REFUSED_IF(m_trust == PCP && !m_priorityReader,
                    "SwitchPortQueueDisc: " << UNKNOWN_PRIORITIES);
}

uint32_t
SwitchPortQueueDisc::Classify(const QueueDiscItem& item) const
{
    uint8_t tos = 0;
    const bool isIp = item.GetUint8Value(QueueItem::IP_DSFIELD, tos);
    if (m_trust == PCP)
    {
        const uint8_t pcp = m_priorityReader(item);
        if (pcp < MAX_CLASSES)
        {
            return m_classMap.GetClassOfPcp(pcp, tos);
        }
    }
    return isIp ? m_classMap.GetClassOfTos(tos) : m_classMap.GetNonIpClass();
}

// Classes

void
SwitchPortQueueDisc::AddClass(Ptr<SwitchPortClass> portClass)
{
    NS_LOG_FUNCTION(this << portClass);
    AIDC_REFUSED_IF(m_classes.size() == MAX_CLASSES,
                    "SwitchPortQueueDisc: at most " << MAX_CLASSES << " classes are possible");
    m_classes.push_back(portClass);
    if (portClass->GetQueueDisc())
    {
        AddQueueDiscClass(portClass);
    }
}

uint32_t
SwitchPortQueueDisc::GetNClasses() const
{
    return static_cast<uint32_t>(m_classes.size());
}

bool
SwitchPortQueueDisc::IsWaiting(uint32_t index) const
{
    return m_packets && m_packets->GetPackets().IsWaiting(index);
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
    AIDC_REFUSED_IF(index >= m_states.size(), "There is no class " << index);
    m_packets->GetPackets().SetDiscarding(index, discarding);
    if (!discarding)
    {
        return;
    }
    m_current = index;
    uint32_t bytes = 0;
    while (const auto item = Take(index, bytes))
    {
        DropAfterDequeue(item, STORM_DROP);
    }
}

void
SwitchPortQueueDisc::SetPaused(uint32_t index, bool paused)
{
    NS_LOG_FUNCTION(this << index << paused);
    AIDC_REFUSED_IF(index >= m_states.size(), "There is no class " << index);
    if (IsPaused(index) == paused)
    {
        return;
    }
    m_packets->GetPackets().SetPaused(index, paused);
    m_pauseTrace(index, paused);
    if (!paused && GetSendCallback())
    {
        Run();
    }
}

bool
SwitchPortQueueDisc::IsPaused(uint32_t index) const
{
    return m_packets && m_packets->GetPackets().IsPaused(index);
}

PortBufferUse
SwitchPortQueueDisc::GetBufferUse() const
{
    PortBufferUse fullest;
    uint64_t share = 0;
    for (const auto& state : m_states)
    {
        const PortBufferUse use = GetUse(*state.share);
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
    const uint32_t index = Classify(*item);
    if (m_packets->GetPackets().IsDiscarding(index))
    {
        DropBeforeEnqueue(item, STORM_DROP);
        return false;
    }
    const uint32_t bytes = item->GetSize();
    if (!m_states[index].isLossless)
    {
        return EnqueueInClass(index, item, bytes);
    }
    const uint32_t port = GetIngressPort(*item);
    if (const char* reason =
            IngressBuffer::GetDropReason(m_buffer->AdmitIngress(port, index, bytes)))
    {
        DropBeforeEnqueue(item, reason);
        return false;
    }
    const bool queued = EnqueueInClass(index, item, bytes);
    if (!queued)
    {
        m_buffer->ReleaseIngress(port, index, bytes);
    }
    return queued;
}

bool
SwitchPortQueueDisc::EnqueueInClass(uint32_t index, Ptr<QueueDiscItem>& item, uint32_t bytes)
{
    auto& state = m_states[index];
    if (!state.queue)
    {
        return EnqueueInChild(index, item);
    }
    if (const char* reason = state.queue->AdmitPacket(item, bytes))
    {
        DropBeforeEnqueue(item, reason);
        return false;
    }
    m_packets->Push(index, item, bytes);
    return true;
}

bool
SwitchPortQueueDisc::EnqueueInChild(uint32_t index, const Ptr<QueueDiscItem>& item)
{
    auto& state = m_states[index];
    m_current = index;
    if (const char* reason = SharedBufferQueue::GetDropReason(state.share->Check(item->GetSize())))
    {
        DropBeforeEnqueue(item, reason);
        return false;
    }
    const bool queued = state.child->Enqueue(item);
    // Enqueuing may also have dropped packets that were in the queue.
    FollowChild(index);
    return queued;
}

void
SwitchPortQueueDisc::FollowChild(uint32_t index)
{
    auto& state = m_states[index];
    const bool isInCells = m_buffer->GetCellSize() > 0;
    state.share->Follow(isInCells ? state.childCharge : state.child->GetNBytes());
    m_packets->GetPackets().SetWaiting(index, state.child->GetNPackets() > 0);
}

void
SwitchPortQueueDisc::CountChildCells(uint32_t index)
{
    // Each packet takes cells of its own, so that the sum does not follow from the child's bytes.
    using Listener = Callback<void, Ptr<const QueueDiscItem>>;
    auto& state = m_states[index];
    const auto& pool = state.share->GetPool();
    state.child->TraceConnectWithoutContext(
        "Enqueue",
        Listener([&state, &pool](Ptr<const QueueDiscItem> item) {
            state.childCharge += pool.GetCharge(item->GetSize());
        }));
    state.child->TraceConnectWithoutContext(
        "Dequeue",
        Listener([&state, &pool](Ptr<const QueueDiscItem> item) {
            state.childCharge -= pool.GetCharge(item->GetSize());
        }));
}

Ptr<QueueDiscItem>
SwitchPortQueueDisc::Take(uint32_t index, uint32_t& bytes)
{
    auto& state = m_states[index];
    if (!state.queue)
    {
        m_current = index;
        auto item = state.child->Dequeue();
        FollowChild(index);
        bytes = item ? item->GetSize() : 0;
        return item;
    }
    auto item = m_packets->Pop(index, bytes);
    if (item)
    {
        state.queue->ReleasePacket(item, bytes);
    }
    return item;
}

uint32_t
SwitchPortQueueDisc::GetHeadSize(uint32_t index)
{
    auto& state = m_states[index];
    if (state.queue)
    {
        return m_packets->GetPackets().GetFront(index)->GetSize();
    }
    m_current = index;
    const auto head = state.child->Peek();
    // CoDel and its like drop packets while they look for the first.
    FollowChild(index);
    return head ? head->GetSize() : 0;
}

Ptr<QueueDiscItem>
SwitchPortQueueDisc::DoDequeue()
{
    auto& packets = m_packets->GetPackets();
    while (packets.IsReady())
    {
        const uint32_t index = packets.Next([this](uint32_t i) { return GetHeadSize(i); });
        // A child may have dropped all that it had.
        uint32_t bytes = 0;
        if (const auto item = Take(index, bytes))
        {
            auto& state = m_states[index];
            ++state.sent;
            if (state.isLossless)
            {
                m_buffer->ReleaseIngress(GetIngressPort(*item), index, bytes);
            }
            return item;
        }
    }
    return nullptr;
}

void
SwitchPortQueueDisc::ReleaseDropped(Ptr<const QueueDiscItem> item, const char*)
{
    // By the class at work, not by the packet's class, which a mark may change.
    if (m_states[m_current].isLossless)
    {
        m_buffer->ReleaseIngress(GetIngressPort(*item), m_current, item->GetSize());
    }
}

bool
SwitchPortQueueDisc::CheckConfig()
{
    NS_LOG_FUNCTION(this);
    AIDC_REFUSED_IF(GetNInternalQueues() > 0 || GetNPacketFilters() > 0,
                    "SwitchPortQueueDisc takes no internal queues and no packet filters");
    const bool hasClasses = !m_classes.empty();
    for (uint32_t i = 0; !hasClasses && i < m_nClasses; ++i)
    {
        AddClass(CreateObject<SwitchPortClass>());
    }
    TypeId checked;
    std::size_t nChildren = 0;
    for (const auto& portClass : m_classes)
    {
        if (portClass->GetQueueDisc())
        {
            ++nChildren;
        }
        else if (!portClass->GetQueue())
        {
            portClass->SetQueue(ObjectFactory(DEFAULT_QUEUE).Create<QueueDisc>());
        }
        // Most ports have queues of one type.
        const TypeId mirror = portClass->GetQueueDiscType();
        if (mirror != checked && mirror != TypeId())
        {
            RefuseMirroredDefaults(portClass->GetQueue()->GetInstanceTypeId(),
                                   SharedBufferQueue::GetTypeId(),
                                   mirror);
            checked = mirror;
        }
    }
    AIDC_REFUSED_IF(nChildren != GetNQueueDiscClasses(),
                    "SwitchPortQueueDisc: a class was added by AddQueueDiscClass(), expected "
                    "AddClass() with a ns3::aidc::SwitchPortClass");
    CheckMap();
    AddPackets(GetNClasses());
    FillMap();
    return true;
}

void
SwitchPortQueueDisc::InitializeParams()
{
    NS_LOG_FUNCTION(this);
    const auto device = FindPort();
    m_states.resize(m_classes.size());
    for (uint32_t i = 0; i < m_states.size(); ++i)
    {
        const auto& portClass = m_classes[i];
        auto& state = m_states[i];
        m_packets->GetPackets().SetQuantum(i, portClass->GetQuantum());
        state.share = PeekPointer(portClass->GetBufferQueue());
        state.queue = PeekPointer(portClass->GetQueue());
        state.child = PeekPointer(portClass->GetQueueDisc());
        state.isLossless = portClass->IsLossless();
        state.share->SetChargedElsewhere(state.isLossless, i);
        if (state.queue)
        {
            state.queue->Open(*this, device);
        }
        else
        {
            m_buffer->AddQueue(state.share, device ? device->GetIfIndex() : SharedBuffer::NO_PORT);
            if (m_buffer->GetCellSize() > 0)
            {
                CountChildCells(i);
            }
        }
    }
    if (std::any_of(m_states.begin(), m_states.end(), [](const ClassState& state) {
            return state.isLossless;
        }))
    {
        TraceConnectWithoutContext("DropAfterDequeue",
                                   MakeCallback(&SwitchPortQueueDisc::ReleaseDropped, this));
    }
}

std::vector<PlacedQueue>
FindMarkingQueues(const Ptr<QueueDisc>& root)
{
    std::vector<PlacedQueue> found;
    if (const auto own = DynamicCast<SharedBufferQueueDisc>(root))
    {
        found.push_back({own->GetBufferQueue(), 0});
    }
    if (const auto port = DynamicCast<SwitchPortQueueDisc>(root))
    {
        for (uint32_t i = 0; i < port->GetNClasses(); ++i)
        {
            if (const auto queue = port->GetClass(i)->GetQueue())
            {
                found.push_back({queue, static_cast<uint8_t>(i)});
            }
        }
        return found;
    }
    for (std::size_t i = 0; root && i < root->GetNQueueDiscClasses(); ++i)
    {
        for (const auto& placed : FindMarkingQueues(root->GetQueueDiscClass(i)->GetQueueDisc()))
        {
            found.push_back({placed.queue, static_cast<uint8_t>(i)});
        }
    }
    return found;
}

} // namespace ns3::aidc
