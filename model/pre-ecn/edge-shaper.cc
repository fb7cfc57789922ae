// SPDX-License-Identifier: GPL-2.0-only

#include "edge-shaper.h"

#include "../core/ipv4-bytes.h"
#include "../core/require-argument.h"

#include "ns3/ingress-buffer.h"
#include "ns3/ip-tunnel-net-device.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/switch-port-queue-disc.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEdgeShaper");

NS_OBJECT_ENSURE_REGISTERED(EdgeShaper);

namespace
{

/// Get the size of a packet, as queue discs count it. @return bytes with the inner header
uint32_t
GetSize(const TunnelPacket& packet)
{
    return packet.payload->GetSize() + static_cast<uint32_t>(packet.header.bytes.size());
}

/// Get the time. @return now in ns
int64_t
Now()
{
    return Simulator::Now().GetNanoSeconds();
}

} // namespace

TypeId
EdgeShaper::GetTypeId()
{
    using C = EdgeShaper;
    static TypeId tid =
        TypeId("ns3::aidc::EdgeShaper")
            .SetParent<Object>()
            .SetGroupName("Aidc")
            .AddConstructor<C>()
            .AddAttribute("Burst",
                          "Bytes that a flow may send at once after a pause. A larger packet "
                          "leaves too, and the next ones wait for it.",
                          UintegerValue(20000),
                          MakeUintegerAccessor(&C::m_burst),
                          MakeUintegerChecker<uint32_t>(1, TokenBucket::MAX_BURST))
            .AddAttribute("BufferSize",
                          "Size in bytes of the buffer that the shaper makes for itself when its "
                          "node has no SharedBuffer.",
                          QueueSizeValue(QueueSize("12MB")),
                          MakeQueueSizeAccessor(&C::m_bufferSize),
                          MakeByteSizeChecker(1))
            .AddAttribute("BufferQueue",
                          "The share of the buffer of the packets that are not lossless.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&C::GetBufferQueue),
                          MakePointerChecker<SharedBufferQueue>())
            .AddTraceSource("Waiting",
                            "Bytes that wait.",
                            MakeTraceSourceAccessor(&C::m_bytes),
                            "ns3::TracedValueCallback::Uint64")
            .AddTraceSource("Drop",
                            "A packet is dropped, because the buffer has no room for it.",
                            MakeTraceSourceAccessor(&C::m_dropTrace),
                            "ns3::aidc::EdgeShaper::DropTracedCallback");
    return tid;
}

EdgeShaper::EdgeShaper()
    : m_share(CreateObject<SharedBufferQueue>())
{
    NS_LOG_FUNCTION(this);
}

void
EdgeShaper::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    m_release = ReleaseCallback();
    m_queues.clear();
    m_due = {};
    m_ports.clear();
    m_node = nullptr;
    m_buffer = nullptr;
    m_share = nullptr;
    Object::DoDispose();
}

void
EdgeShaper::Install(Ptr<Node> node, ReleaseCallback release)
{
    NS_LOG_FUNCTION(this << node);
    AIDC_REFUSED_IF(!m_release.IsNull(), "EdgeShaper serves one node");
    m_release = release;
    m_node = node;
    m_buffer = node->GetObject<SharedBuffer>();
    if (!m_buffer)
    {
        m_buffer = CreateObjectWithAttributes<SharedBuffer>("Size", QueueSizeValue(m_bufferSize));
    }
    m_buffer->AddQueue(m_share);
}

uint8_t
EdgeShaper::FindIngressClass(const TunnelPacket& packet)
{
    const uint16_t index = packet.context.ingressPort;
    if (index == FrameContext::NO_PORT)
    {
        return LOSSY;
    }
    if (index >= m_ports.size())
    {
        m_ports.resize(index + 1);
    }
    auto& port = m_ports[index];
    if (!port.isKnown)
    {
        port.isKnown = true;
        const auto layer = m_node->GetObject<TrafficControlLayer>();
        const auto root =
            layer ? layer->GetRootQueueDiscOnDevice(m_node->GetDevice(index)) : nullptr;
        port.classes = dynamic_cast<SwitchPortQueueDisc*>(PeekPointer(root));
        for (uint32_t i = 0; port.classes && i < port.classes->GetNClasses(); ++i)
        {
            const auto portClass = port.classes->GetClass(i);
            port.lossless |= static_cast<uint32_t>(portClass->IsLossless()) << i;
        }
    }
    if (port.lossless == 0)
    {
        return LOSSY;
    }
    const uint32_t number =
        port.classes->GetClassMap().GetClassOfTos(packet.header.bytes[Ipv4Offset::TOS]);
    return ((port.lossless >> number) & 1U) != 0 ? static_cast<uint8_t>(number) : LOSSY;
}

uint32_t
EdgeShaper::Open(uint64_t rate)
{
    uint32_t index = static_cast<uint32_t>(m_queues.size());
    if (m_free.empty())
    {
        m_queues.emplace_back();
    }
    else
    {
        index = m_free.back();
        m_free.pop_back();
    }
    NS_LOG_FUNCTION(this << rate << index);
    auto& queue = m_queues[index];
    queue.serial = m_serial++;
    queue.group = NO_GROUP;
    queue.isLimited = false;
    SetRate(index, rate);
    return index;
}

void
EdgeShaper::SetRate(uint32_t queue, uint64_t rate)
{
    NS_LOG_FUNCTION(this << queue << rate);
    const int64_t now = Now();
    auto& flow = m_queues[queue];
    if (rate != UNLIMITED && flow.isLimited)
    {
        flow.bucket.SetRate(now, rate);
    }
    else if (rate != UNLIMITED)
    {
        // A flow that is limited has been sending: it has saved no tokens.
        flow.bucket.Start(now, rate, m_burst, 0);
    }
    flow.isLimited = rate != UNLIMITED;
    if (IsHeldBack(queue))
    {
        m_due.Remove([queue](const Due& due) { return due.index == queue && !due.isGroup; });
        Schedule(queue, now);
        SetEvent();
    }
}

uint32_t
EdgeShaper::OpenGroup(uint64_t rate, uint32_t overhead)
{
    NS_LOG_FUNCTION(this << rate << overhead);
    auto& group = m_groups.emplace_back();
    group.bucket.Start(Now(), rate, m_burst, 0);
    group.serial = m_serial++;
    group.overhead = overhead;
    return static_cast<uint32_t>(m_groups.size() - 1);
}

void
EdgeShaper::Close(uint32_t queue)
{
    NS_LOG_FUNCTION(this << queue);
    AIDC_REFUSED_IF(IsWaiting(queue), "Packets of the flow wait");
    m_free.push_back(queue);
}

uint32_t
EdgeShaper::GetLinkBytes(const Group& group, const IpTunnelNetDevice& tunnel, uint32_t bytes)
{
    return bytes + tunnel.GetPaths().GetHeaderBytes() + group.overhead;
}

bool
EdgeShaper::PassGroup(uint32_t group, const IpTunnelNetDevice& tunnel, const TunnelPacket& packet)
{
    auto& all = m_groups[group];
    const int64_t now = Now();
    const uint32_t bytes = GetLinkBytes(all, tunnel, GetSize(packet));
    const bool isReady = !all.isScheduled && all.bucket.GetReadyTime(now, bytes) <= now;
    if (isReady)
    {
        all.bucket.Take(now, bytes);
    }
    return isReady;
}

bool
EdgeShaper::Pass(uint32_t queue, IpTunnelNetDevice& tunnel, TunnelPacket& packet, uint32_t group)
{
    auto& flow = m_queues[queue];
    const int64_t now = Now();
    const uint32_t bytes = GetSize(packet);
    const bool isFirst = flow.packets.IsEmpty();
    if (isFirst && flow.group != group)
    {
        flow.group = group;
        flow.finish = 0;
    }
    if (isFirst && GetReadyTime(flow, now, bytes) <= now &&
        (group == NO_GROUP || PassGroup(group, tunnel, packet)))
    {
        if (flow.isLimited)
        {
            flow.bucket.Take(now, bytes);
        }
        ++m_statistics.passedPackets;
        m_statistics.passedBytes += bytes;
        return true;
    }
    const uint8_t ingressClass = FindIngressClass(packet);
    const char* const reason =
        ingressClass == LOSSY
            ? SharedBufferQueue::GetDropReason(m_share->Admit(bytes))
            : IngressBuffer::GetDropReason(
                  m_buffer->AdmitIngress(packet.context.ingressPort, ingressClass, bytes));
    if (reason)
    {
        NS_LOG_LOGIC("No room for " << bytes << " B: " << reason);
        ++m_statistics.droppedPackets;
        m_statistics.droppedBytes += bytes;
        m_dropTrace(packet, reason);
        packet.payload = nullptr;
        return false;
    }
    ++m_statistics.heldPackets;
    m_statistics.heldBytes += bytes;
    m_bytes += bytes;
    flow.packets.Push({std::move(packet), &tunnel, ingressClass});
    packet.payload = nullptr;
    if (isFirst)
    {
        Schedule(queue, now);
        SetEvent();
    }
    return false;
}

void
EdgeShaper::Schedule(uint32_t queue, int64_t now)
{
    auto& flow = m_queues[queue];
    const int64_t time = GetReadyTime(flow, now, GetSize(flow.packets[0].packet));
    if (flow.group == NO_GROUP || time > now)
    {
        m_due.Push({time, flow.serial, queue, false});
    }
    else
    {
        auto& group = m_groups[flow.group];
        flow.isReady = true;
        group.ready.Add(queue, flow.finish);
        if (!group.isScheduled)
        {
            group.isScheduled = true;
            m_due.Push({now, group.serial, flow.group, true});
        }
    }
}

void
EdgeShaper::SetEvent()
{
    if (m_due.IsEmpty())
    {
        m_event.Cancel();
        return;
    }
    const int64_t time = m_due.GetFirst().time;
    if (!m_event.IsExpired() && m_eventTime == time)
    {
        return;
    }
    m_event.Cancel();
    m_eventTime = time;
    // A time step may be longer than a nanosecond: time has to go on.
    const Time delay = NanoSeconds(time) - Simulator::Now();
    m_event = Simulator::Schedule(std::max(delay, time > Now() ? TimeStep(1) : TimeStep(0)),
                                  &EdgeShaper::Release,
                                  this);
}

void
EdgeShaper::Release()
{
    const int64_t now = Now();
    while (!m_due.IsEmpty() && m_due.GetFirst().time <= now)
    {
        const Due due = m_due.Pop();
        if (due.isGroup)
        {
            ReleaseGroup(due.index, now);
        }
        else if (m_queues[due.index].group == NO_GROUP)
        {
            ReleaseFirst(due.index, now);
        }
        else
        {
            Schedule(due.index, now);
        }
    }
    SetEvent();
}

void
EdgeShaper::ReleaseGroup(uint32_t index, int64_t now)
{
    auto& group = m_groups[index];
    while (!group.ready.IsEmpty())
    {
        const uint32_t first = group.ready.GetFirst();
        auto& queue = m_queues[first];
        const auto& waiting = queue.packets[0];
        const uint32_t bytes = GetLinkBytes(group, *waiting.tunnel, GetSize(waiting.packet));
        const int64_t time = group.bucket.GetReadyTime(now, bytes);
        if (time > now)
        {
            m_due.Push({time, group.serial, index, true});
            return;
        }
        group.bucket.Take(now, bytes);
        queue.finish = group.ready.Take(bytes);
        queue.isReady = false;
        ReleaseFirst(first, now);
    }
    group.isScheduled = false;
}

void
EdgeShaper::ReleaseFirst(uint32_t index, int64_t now)
{
    auto& queue = m_queues[index];
    Waiting waiting = std::move(queue.packets[0]);
    queue.packets.Pop();
    const uint32_t bytes = GetSize(waiting.packet);
    if (queue.isLimited)
    {
        queue.bucket.Take(now, bytes);
    }
    // Before the packet is charged again, where it waits for the link.
    if (waiting.ingressClass == LOSSY)
    {
        m_share->Release(bytes);
    }
    else
    {
        m_buffer->ReleaseIngress(waiting.packet.context.ingressPort, waiting.ingressClass, bytes);
    }
    ++m_statistics.releasedPackets;
    m_statistics.releasedBytes += bytes;
    m_bytes -= bytes;
    if (!queue.packets.IsEmpty())
    {
        Schedule(index, now);
    }
    m_release(index, *waiting.tunnel, waiting.packet);
}

} // namespace ns3::aidc
