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
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <array>

namespace ns3::aidc
{

namespace
{

/**
 * @brief Add the queues of a queue disc and those below it.
 * @param root the queue disc, may be null
 * @param found its port and class
 * @param [out] queues the queues
 */
void
AddQueues(const Ptr<QueueDisc>& root, PreEcnQueue found, std::vector<PreEcnQueue>& queues)
{
    if (!root)
    {
        return;
    }
    found.queueDisc = DynamicCast<PreEcnQueueDisc>(root);
    if (found.queueDisc)
    {
        queues.push_back(found);
    }
    for (std::size_t i = 0; i < root->GetNQueueDiscClasses(); ++i)
    {
        found.queue = static_cast<uint8_t>(i);
        AddQueues(root->GetQueueDiscClass(i)->GetQueueDisc(), found, queues);
    }
}

} // namespace

std::vector<PreEcnQueue>
FindPreEcnQueues(Ptr<Node> node)
{
    std::vector<PreEcnQueue> queues;
    const auto layer = node->GetObject<TrafficControlLayer>();
    for (uint32_t i = 0; layer && i < node->GetNDevices(); ++i)
    {
        AddQueues(layer->GetRootQueueDiscOnDevice(node->GetDevice(i)),
                  {nullptr, static_cast<uint16_t>(i), 0},
                  queues);
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
FindTunneledFlow(const QueueDiscItem& item, CongestionNotification& notification)
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
    const auto result = FindTunneledFlow(header.GetProtocol(),
                                         fragment,
                                         bytes.data(),
                                         size,
                                         notification.flow,
                                         egress);
    if (result == TunneledFlowResult::OK)
    {
        notification.ingress = header.GetSource().Get();
        notification.egress = egress;
    }
    return result;
}

} // namespace ns3::aidc
