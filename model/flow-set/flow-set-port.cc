/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-set-port.h"

#include "../device-link-properties.h"

#include "ns3/node.h"
#include "ns3/traffic-control-layer.h"

namespace ns3::aidc
{

namespace
{

/// Get the capacity of a queue disc: its MaxSize or, as those that only hold others have none, that
/// of its children together. mtu: the size of a packet in bytes. @return bytes, 0 if it does not
/// say
uint64_t
GetCapacity(const QueueDisc& queueDisc, uint16_t mtu)
{
    TypeId::AttributeInformation information;
    if (queueDisc.GetInstanceTypeId().LookupAttributeByName("MaxSize", &information))
    {
        const QueueSize size = queueDisc.GetMaxSize();
        const uint64_t unit = size.GetUnit() == QueueSizeUnit::PACKETS ? mtu : 1;
        return size.GetValue() * unit;
    }
    uint64_t sum = 0;
    for (std::size_t i = 0; i < queueDisc.GetNQueueDiscClasses(); ++i)
    {
        const uint64_t capacity = GetCapacity(*queueDisc.GetQueueDiscClass(i)->GetQueueDisc(), mtu);
        if (capacity == 0)
        {
            return 0;
        }
        sum += capacity;
    }
    return sum;
}

} // namespace

FlowSetPort::FlowSetPort(const CongestionIndexSettings& settings)
    : m_index(settings)
{
}

void
FlowSetPort::FindQueue(Ptr<NetDevice> device)
{
    m_rate = GetLinkRate(device).GetBitRate();
    const auto trafficControl = device->GetNode()->GetObject<TrafficControlLayer>();
    if (!trafficControl)
    {
        return;
    }
    m_queueDisc = trafficControl->GetRootQueueDiscOnDevice(device);
    m_buffer = dynamic_cast<const PortBuffer*>(PeekPointer(m_queueDisc));
    if (m_queueDisc && !m_buffer)
    {
        m_capacity = GetCapacity(*m_queueDisc, device->GetMtu());
    }
}

PortReading
FlowSetPort::Read(uint64_t capacity) const
{
    PortReading reading;
    reading.queueBytes = GetDepth();
    reading.dropsTotal = m_queueDisc->GetStats().nTotalDroppedPackets;
    PortBufferUse use{reading.queueBytes, m_capacity > 0 ? m_capacity : capacity, m_capacity};
    if (m_buffer)
    {
        use = m_buffer->GetBufferUse();
    }
    reading.bufferBytes = use.held;
    reading.bufferLimit = use.limit;
    reading.queueCapacity = capacity > 0 ? capacity : use.share;
    return reading;
}

uint64_t
FlowSetPort::CountSentBytes()
{
    const uint64_t sentBytes = m_queueDisc->GetStats().nTotalSentBytes;
    const uint64_t more = sentBytes - m_sentBytes;
    m_sentBytes = sentBytes;
    return more;
}

} // namespace ns3::aidc
