/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "edge-buffer.h"

#include "../core/ipv4-bytes.h"

#include "ns3/ingress-buffer.h"
#include "ns3/object-factory.h"
#include "ns3/switch-port-class.h"
#include "ns3/switch-port-queue-disc.h"
#include "ns3/traffic-control-layer.h"

namespace ns3::aidc
{

EdgeBuffer::EdgeBuffer()
    : m_share(CreateObject<SharedBufferQueue>())
{
}

void
EdgeBuffer::Install(Ptr<Node> node, const QueueSize& size)
{
    m_node = node;
    m_buffer = node->GetObject<SharedBuffer>();
    if (!m_buffer)
    {
        m_buffer = CreateObjectWithAttributes<SharedBuffer>("Size", QueueSizeValue(size));
    }
    m_buffer->AddQueue(m_share);
}

void
EdgeBuffer::Dispose()
{
    m_ports.clear();
    m_node = nullptr;
    m_buffer = nullptr;
    m_share = nullptr;
}

uint8_t
EdgeBuffer::FindIngressClass(const TunnelPacket& packet)
{
    const uint16_t index = packet.context.ingressPort;
    if (index == FrameContext::NO_PORT)
    {
        return LOSSY;
    }
    if (index >= m_ports.size())
    {
        m_ports.resize(index + 1);
    }
    auto& port = m_ports[index];
    if (!port.isKnown)
    {
        port.isKnown = true;
        const auto layer = m_node->GetObject<TrafficControlLayer>();
        const auto root =
            layer ? layer->GetRootQueueDiscOnDevice(m_node->GetDevice(index)) : nullptr;
        port.classes = dynamic_cast<SwitchPortQueueDisc*>(PeekPointer(root));
        for (uint32_t i = 0; port.classes && i < port.classes->GetNClasses(); ++i)
        {
            const auto portClass = port.classes->GetClass(i);
            port.lossless |= static_cast<uint32_t>(portClass->IsLossless()) << i;
        }
    }
    if (port.lossless == 0)
    {
        return LOSSY;
    }
    const uint32_t number =
        port.classes->GetClassifier().GetClassOfTos(packet.header.bytes[Ipv4Offset::TOS]);
    return ((port.lossless >> number) & 1U) != 0 ? static_cast<uint8_t>(number) : LOSSY;
}

const char*
EdgeBuffer::Admit(const TunnelPacket& packet, uint32_t bytes, uint8_t ingressClass)
{
    const bool isLossy = ingressClass == LOSSY;
    const Admission admission =
        isLossy ? m_share->Admit(bytes)
                : m_buffer->AdmitIngress(packet.context.ingressPort, ingressClass, bytes);
    if (admission == Admission::ADMITTED || admission == Admission::HEADROOM)
    {
        return nullptr;
    }
    return isLossy ? SharedBufferQueue::GetDropReason(admission) : IngressBuffer::INGRESS_DROP;
}

void
EdgeBuffer::Release(const TunnelPacket& packet, uint32_t bytes, uint8_t ingressClass)
{
    if (ingressClass == LOSSY)
    {
        m_share->Release(bytes);
    }
    else
    {
        m_buffer->ReleaseIngress(packet.context.ingressPort, ingressClass, bytes);
    }
}

} // namespace ns3::aidc
