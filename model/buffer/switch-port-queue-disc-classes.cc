/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// SwitchPortQueueDisc: which class a packet goes to.

#include "switch-port-queue-disc.h"

#include "ns3/try-set-attribute.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::aidc
{

void
SwitchPortQueueDisc::SetPriorityReader(PriorityReader reader)
{
    m_priorityReader = std::move(reader);
}

bool
SwitchPortQueueDisc::IsPcpTrusted() const
{
    return m_trust == PCP;
}

uint32_t
SwitchPortQueueDisc::Classify(const QueueDiscItem& item) const
{
    uint8_t tos = 0;
    const bool isIp = item.GetUint8Value(QueueItem::IP_DSFIELD, tos);
    if (m_trust == PCP)
    {
        const uint8_t pcp = m_priorityReader(item);
        if (pcp < MAX_CLASSES)
        {
            return m_map.GetClassOfPcp(pcp, tos);
        }
    }
    return isIp ? m_map.GetClassOfTos(tos) : m_map.GetNonIpClass();
}

bool
SwitchPortQueueDisc::SetDscpMap(std::string map)
{
    return TrySetAttribute(*this, [this, &map] {
        m_map.SetDscps(map, IsInitialized() ? GetNClasses() : MAX_CLASSES);
        FillMap();
    });
}

std::string
SwitchPortQueueDisc::GetDscpMap() const
{
    return m_map.GetDscps();
}

bool
SwitchPortQueueDisc::SetPcpMap(std::string map)
{
    return TrySetAttribute(*this, [this, &map] {
        m_map.SetPcps(map, IsInitialized() ? GetNClasses() : MAX_CLASSES);
        FillMap();
    });
}

std::string
SwitchPortQueueDisc::GetPcpMap() const
{
    return m_map.GetPcps();
}

bool
SwitchPortQueueDisc::SetTrust(TrustKind trust)
{
    return TrySetAttribute(*this, [this, trust] {
        if (trust == PCP && IsInitialized() && !m_priorityReader)
        {
            throw std::invalid_argument(std::string("Trust: ") + UNKNOWN_PRIORITIES);
        }
        m_trust = trust;
    });
}

SwitchPortQueueDisc::TrustKind
SwitchPortQueueDisc::GetTrust() const
{
    return m_trust;
}

bool
SwitchPortQueueDisc::SetL4sClass(int32_t index)
{
    return TrySetAttribute(*this, [this, index] {
        if (IsInitialized() && index >= static_cast<int32_t>(GetNQueueDiscClasses()))
        {
            throw std::invalid_argument("L4sClass: there is no class " + std::to_string(index));
        }
        m_map.SetL4sClass(index);
        FillMap();
    });
}

int32_t
SwitchPortQueueDisc::GetL4sClass() const
{
    return m_map.GetL4sClass();
}

void
SwitchPortQueueDisc::SetNonIpClass(uint32_t index)
{
    m_map.SetNonIpClass(index);
    FillMap();
}

uint32_t
SwitchPortQueueDisc::GetNonIpClass() const
{
    return m_map.GetNonIpClass();
}

void
SwitchPortQueueDisc::FillMap()
{
    if (IsInitialized())
    {
        m_map.Fill(GetNClasses());
    }
}

} // namespace ns3::aidc
