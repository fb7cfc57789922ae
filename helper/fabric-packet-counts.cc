/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-packet-counts.h"

#include "ns3/ethernet-net-device.h"
#include "ns3/node.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"
#include "ns3/rank-gather.h"
#include "ns3/traffic-control-layer.h"

namespace ns3::aidc
{

namespace
{

/// @return the packets whose sending has begun; 0 if it is of another kind
uint64_t
GetSent(const Ptr<NetDevice>& device)
{
    if (const auto port = DynamicCast<EthernetNetDevice>(device))
    {
        const auto& counted = port->GetStatistics();
        return counted.outFrames - counted.outControlFrames;
    }
    // ns-3's device does not count. What it sends has been in its queue, and has left it.
    const auto port = DynamicCast<PointToPointNetDevice>(device);
    const auto queue = port ? port->GetQueue() : nullptr;
    return queue ? queue->GetTotalReceivedPackets() - queue->GetNPackets() : 0;
}

} // namespace

void
FabricPacketCounts::Add(Ptr<NetDevice> device)
{
    sent += GetSent(device);
    const auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
    if (const auto queueDisc = layer ? layer->GetRootQueueDiscOnDevice(device) : nullptr)
    {
        dropped += queueDisc->GetStats().nTotalDroppedPackets;
        marked += queueDisc->GetStats().nTotalMarkedPackets;
    }
}

FabricPacketCounts
FabricPacketCounts::GetSumOverRanks() const
{
    FabricPacketCounts sum;
    sum.sent = SumOverRanks(sent);
    sum.dropped = SumOverRanks(dropped);
    sum.marked = SumOverRanks(marked);
    return sum;
}

} // namespace ns3::aidc
