/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-transmit-queue.h"

namespace ns3::aidc
{

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

void
EthernetTransmitQueue::SetPort(EthernetPort* device)
{
    m_port = device;
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
    m_wake = cb;
    if (m_port)
    {
        m_port->NotifyQueueDisc(!cb.IsNull());
    }
}

} // namespace ns3::aidc
