/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-peer-link.h"

#include "ns3/net-device.h"

#include <utility>

namespace ns3::aidc
{

BgpPeerLink::BgpPeerLink(Ptr<Ipv4> ipv4, Ipv4Address peer)
    : m_ipv4(std::move(ipv4)),
      m_localAddress(Ipv4Address::GetAny())
{
    for (uint32_t i = 0; m_interface < 0 && i < m_ipv4->GetNInterfaces(); ++i)
    {
        for (uint32_t j = 0; m_interface < 0 && j < m_ipv4->GetNAddresses(i); ++j)
        {
            const Ipv4InterfaceAddress own = m_ipv4->GetAddress(i, j);
            if (own.GetMask().IsMatch(own.GetLocal(), peer))
            {
                m_localAddress = own.GetLocal();
                m_interface = static_cast<int32_t>(i);
            }
        }
    }
    Update();
}

bool
BgpPeerLink::HasAddress(Ipv4Address address) const
{
    for (uint32_t i = 0; m_interface >= 0 && i < m_ipv4->GetNAddresses(m_interface); ++i)
    {
        const Ipv4InterfaceAddress own = m_ipv4->GetAddress(m_interface, i);
        if (own.GetMask().IsMatch(own.GetLocal(), address))
        {
            return true;
        }
    }
    return false;
}

bool
BgpPeerLink::Update()
{
    const bool wasUp = m_isUp;
    m_isUp = m_interface < 0 || (m_ipv4->IsUp(static_cast<uint32_t>(m_interface)) &&
                                 m_ipv4->GetNetDevice(m_interface)->IsLinkUp());
    return m_isUp != wasUp;
}

} // namespace ns3::aidc
