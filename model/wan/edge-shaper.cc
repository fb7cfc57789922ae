/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-shaper.h"

#include "../buffer/queue-size-bytes.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEdgeShaper");

NS_OBJECT_ENSURE_REGISTERED(EdgeShaper);

namespace
{

/// Get the size of a packet, as queue discs count it.
/// @param packet the packet
/// @return bytes with the inner header
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

void
EdgeShaper::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    m_release = ReleaseCallback();
    m_queues.clear();
    m_due = {};
    m_buffer.Dispose();
    Object::DoDispose();
}

void
EdgeShaper::Install(Ptr<Node> node, ReleaseCallback release)
{
    NS_LOG_FUNCTION(this << node);
    NS_ABORT_MSG_IF(!m_release.IsNull(), "EdgeShaper serves one node");
    m_release = release;
    m_buffer.Install(node, m_bufferSize);
}

uint32_t
EdgeShaper::Open(uint64_t rate, uint32_t overhead)
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
    // What is limited has been sending: it has saved nothing.
    queue.bucket.Start(Now(), rate, m_burst, 0);
    queue.serial = m_serial++;
    queue.overhead = overhead;
    return index;
}

void
EdgeShaper::SetRate(uint32_t queue, uint64_t rate)
{
    NS_LOG_FUNCTION(this << queue << rate);
    const int64_t now = Now();
    m_queues[queue].bucket.SetRate(now, rate);
    if (IsWaiting(queue))
    {
        m_due.Remove([queue](const Due& due) { return due.queue == queue; });
        Schedule(queue, now);
    }
}

void
EdgeShaper::Close(uint32_t queue)
{
    NS_LOG_FUNCTION(this << queue);
    NS_ABORT_MSG_IF(IsWaiting(queue), "Packets of the flow wait");
    m_free.push_back(queue);
}

bool
EdgeShaper::Pass(uint32_t queue, IpTunnelNetDevice& tunnel, TunnelPacket& packet)
{
    auto& flow = m_queues[queue];
    const int64_t now = Now();
    const uint32_t bytes = GetSize(packet);
    const bool isFirst = flow.packets.IsEmpty();
    if (isFirst && flow.bucket.GetReadyTime(now, bytes + flow.overhead) <= now)
    {
        flow.bucket.Take(now, bytes + flow.overhead);
        ++m_statistics.passedPackets;
        m_statistics.passedBytes += bytes;
        return true;
    }
    const uint8_t ingressClass = m_buffer.FindIngressClass(packet);
    if (const char* reason = m_buffer.Admit(packet, bytes, ingressClass))
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
    flow.bytes += bytes;
    flow.packets.Push({std::move(packet), &tunnel, ingressClass});
    packet.payload = nullptr;
    if (isFirst)
    {
        Schedule(queue, now);
    }
    return false;
}

void
EdgeShaper::Schedule(uint32_t queue, int64_t now)
{
    auto& flow = m_queues[queue];
    const uint32_t bytes = GetSize(flow.packets[0].packet) + flow.overhead;
    const int64_t time = flow.bucket.GetReadyTime(now, bytes);
    m_due.Push({time, flow.serial, queue});
    SetEvent();
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
        const uint32_t index = m_due.Pop().queue;
        auto& queue = m_queues[index];
        Waiting waiting = std::move(queue.packets[0]);
        queue.packets.Pop();
        const uint32_t bytes = GetSize(waiting.packet);
        queue.bucket.Take(now, bytes + queue.overhead);
        // Before the packet is charged again, where it waits for the link.
        m_buffer.Release(waiting.packet, bytes, waiting.ingressClass);
        ++m_statistics.releasedPackets;
        m_statistics.releasedBytes += bytes;
        m_bytes -= bytes;
        queue.bytes -= bytes;
        if (!queue.packets.IsEmpty())
        {
            const uint32_t next = GetSize(queue.packets[0].packet) + queue.overhead;
            m_due.Push({queue.bucket.GetReadyTime(now, next), queue.serial, index});
        }
        m_release(index, *waiting.tunnel, waiting.packet);
    }
    SetEvent();
}

} // namespace ns3::aidc
