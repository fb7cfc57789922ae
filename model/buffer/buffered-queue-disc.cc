/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "buffered-queue-disc.h"

#include "ring-queue.h"

#include "ns3/net-device-queue-interface.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"

namespace ns3::aidc
{

namespace
{

/// Tell whether a queue disc is the root or below the root.
bool
Contains(const QueueDisc* root, const QueueDisc* queueDisc)
{
    if (root == queueDisc)
    {
        return true;
    }
    for (std::size_t i = 0; root && i < root->GetNQueueDiscClasses(); ++i)
    {
        if (Contains(PeekPointer(root->GetQueueDiscClass(i)->GetQueueDisc()), queueDisc))
        {
            return true;
        }
    }
    return false;
}

/// Find the device that a queue disc serves. @return the device, null if there is none
Ptr<NetDevice>
FindNetDevice(const QueueDisc* queueDisc)
{
    if (auto interface = queueDisc->GetNetDeviceQueueInterface())
    {
        return interface->GetObject<NetDevice>();
    }
    const uint32_t context = Simulator::GetContext();
    if (context >= NodeList::GetNNodes())
    {
        return nullptr;
    }
    const auto node = NodeList::GetNode(context);
    const auto layer = node->GetObject<TrafficControlLayer>();
    for (uint32_t i = 0; layer && i < node->GetNDevices(); ++i)
    {
        const auto root = layer->GetRootQueueDiscOnDevice(node->GetDevice(i));
        if (Contains(PeekPointer(root), queueDisc))
        {
            return node->GetDevice(i);
        }
    }
    return nullptr;
}

} // namespace

void
BufferedQueueDisc::DoDispose()
{
    m_packets = nullptr;
    QueueDisc::DoDispose();
}

void
BufferedQueueDisc::AddPackets(uint32_t nClasses)
{
    const auto packets = CreateObject<RingQueue>();
    packets->SetNClasses(nClasses);
    AddInternalQueue(packets);
    m_packets = PeekPointer(packets);
}

Ptr<NetDevice>
BufferedQueueDisc::FindPort()
{
    const auto device = FindNetDevice(this);
    if (!m_buffer && device)
    {
        m_buffer = device->GetNode()->GetObject<SharedBuffer>();
    }
    if (!m_buffer)
    {
        m_buffer = CreateObjectWithAttributes<SharedBuffer>("Size", QueueSizeValue(m_bufferSize));
    }
    return device;
}

PortBufferUse
BufferedQueueDisc::GetUse(const SharedBufferQueue& queue) const
{
    PortBufferUse use;
    use.held = queue.GetOccupancy();
    use.limit = queue.GetThreshold();
    use.share = m_buffer->GetSize() / m_buffer->GetNQueues();
    return use;
}

} // namespace ns3::aidc
