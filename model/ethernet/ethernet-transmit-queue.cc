/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-transmit-queue.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/queue-disc.h"
#include "ns3/traffic-control-layer.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetTransmitQueue");

NS_OBJECT_ENSURE_REGISTERED(EthernetTransmitQueue);

TypeId
EthernetTransmitQueue::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::EthernetTransmitQueue")
                            .SetParent<NetDeviceQueue>()
                            .SetGroupName("Aidc")
                            .AddConstructor<EthernetTransmitQueue>();
    return tid;
}

Ptr<QueueDisc>
EthernetTransmitQueue::FindQueueDisc() const
{
    const auto layer = m_port->GetNode()->GetObject<TrafficControlLayer>();
    auto root = layer->GetRootQueueDiscOnDevice(m_port);
    if (root->GetWakeMode() == QueueDisc::WAKE_CHILD)
    {
        root = root->GetQueueDiscClass(0)->GetQueueDisc();
    }
    return root;
}

bool
EthernetTransmitQueue::IsStopped() const
{
    return m_port && m_port->MustWait();
}

void
EthernetTransmitQueue::Wake()
{
    // At once: ns-3 would do so by one more event of the same instant.
    if (!m_wake.IsNull())
    {
        m_wake();
    }
}

void
EthernetTransmitQueue::SetWakeCallback(WakeCallback cb)
{
    NS_LOG_FUNCTION(this << cb.IsNull());
    m_wake = cb;
    if (m_port)
    {
        m_port->NotifyQueueDisc(!cb.IsNull());
    }
}

} // namespace ns3::aidc
