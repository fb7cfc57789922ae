/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-port-info.h"

#include "shared-buffer.h"

#include "ns3/net-device-queue-interface.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/queue-disc.h"
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

} // namespace

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

Ptr<SharedBuffer>
FindOrMakeSharedBuffer(Ptr<NetDevice> device, QueueSize size)
{
    const auto buffer = device ? device->GetNode()->GetObject<SharedBuffer>() : nullptr;
    return buffer ? buffer : CreateObjectWithAttributes<SharedBuffer>("Size", QueueSizeValue(size));
}

} // namespace ns3::aidc
