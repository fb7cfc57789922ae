/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "point-to-point-rank-helper.h"

#include "../model/simulator/point-to-point-rank-channel.h"
#include "factory-attribute.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-net-device.h"

#include <array>

namespace ns3::aidc
{

PointToPointRankHelper::PointToPointRankHelper()
{
    m_deviceFactory.SetTypeId(PointToPointNetDevice::GetTypeId());
    m_channelFactory.SetTypeId(PointToPointRankChannel::GetTypeId());
}

void
PointToPointRankHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    SetFactoryAttribute(m_deviceFactory, name, value);
}

void
PointToPointRankHelper::SetChannelAttribute(const std::string& name, const AttributeValue& value)
{
    SetFactoryAttribute(m_channelFactory, name, value);
}

NetDeviceContainer
PointToPointRankHelper::Install(Ptr<Node> a, Ptr<Node> b) const
{
    const auto channel = m_channelFactory.Create<PointToPointRankChannel>();
    NetDeviceContainer devices;
    for (const auto& node : std::array{a, b})
    {
        const auto device = m_deviceFactory.Create<PointToPointNetDevice>();
        device->SetAddress(Mac48Address::Allocate());
        node->AddDevice(device);
        const auto queue = CreateObject<DropTailQueue<Packet>>();
        device->SetQueue(queue);
        // As PointToPointHelper: the queue disc waits while the device's queue is full.
        const auto interface = CreateObject<NetDeviceQueueInterface>();
        interface->GetTxQueue(0)->ConnectQueueTraces(queue);
        device->AggregateObject(interface);
        device->Attach(channel);
        devices.Add(device);
    }
    return devices;
}

} // namespace ns3::aidc
