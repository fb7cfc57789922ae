/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pre-ecn-queues.h"

#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv4.h"
#include "ns3/net-device.h"
#include "ns3/queue-disc.h"
#include "ns3/switch-port-queue-disc.h"
#include "ns3/traffic-control-layer.h"

#include <array>

namespace ns3::aidc
{

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

Ipv4Address
FindOwnAddress(Ptr<Node> node)
{
    constexpr uint32_t LOOPBACK_NETWORK = 127;
    const auto ipv4 = node->GetObject<Ipv4>();
    for (uint32_t i = 0; ipv4 && i < ipv4->GetNInterfaces(); ++i)
    {
        for (uint32_t k = 0; k < ipv4->GetNAddresses(i); ++k)
        {
            const Ipv4Address address = ipv4->GetAddress(i, k).GetLocal();
            if (address.Get() >> 24 != LOOPBACK_NETWORK)
            {
                return address;
            }
        }
    }
    return Ipv4Address::GetAny();
}

TunneledFlowResult
FindTunneledFlow(const QueueDiscItem& item,
                 CongestionNotification& notification,
                 uint32_t* innerBytes)
{
    const auto ipv4 = dynamic_cast<const Ipv4QueueDiscItem*>(&item);
    if (!ipv4)
    {
        return TunneledFlowResult::NOT_TUNNELED;
    }
    const Ipv4Header& header = ipv4->GetHeader();
    const uint16_t fragment = static_cast<uint16_t>(header.GetFragmentOffset() / 8);
    std::array<uint8_t, TUNNELED_FLOW_MAX_BYTES> bytes;
    const uint32_t size = item.GetPacket()->CopyData(bytes.data(), bytes.size());
    uint32_t egress = header.GetDestination().Get();
    std::size_t offset = 0;
    const auto result = FindTunneledFlow(header.GetSource().Get(),
                                         header.GetProtocol(),
                                         fragment,
                                         bytes.data(),
                                         size,
                                         notification.flow,
                                         egress,
                                         &offset);
    if (result == TunneledFlowResult::OK)
    {
        notification.ingress = header.GetSource().Get();
        notification.egress = egress;
        if (innerBytes)
        {
            *innerBytes = item.GetPacket()->GetSize() - static_cast<uint32_t>(offset);
        }
    }
    return result;
}

} // namespace ns3::aidc
