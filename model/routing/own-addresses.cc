/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "own-addresses.h"

namespace ns3::aidc
{

void
OwnAddresses::Update(const Ipv4& ipv4)
{
    m_hashes.reset();
    m_addresses.clear();
    m_routerId = Ipv4Address::GetAny();
    for (uint32_t interface = 0; interface < ipv4.GetNInterfaces(); ++interface)
    {
        for (uint32_t i = 0; i < ipv4.GetNAddresses(interface); ++i)
        {
            const auto address = ipv4.GetAddress(interface, i);
            m_addresses.push_back(address.GetLocal().Get());
            m_addresses.push_back(address.GetBroadcast().Get());
            if (interface == 0 && m_routerId == Ipv4Address::GetAny() &&
                !address.GetLocal().IsLocalhost())
            {
                m_routerId = address.GetLocal();
            }
        }
    }
    std::sort(m_addresses.begin(), m_addresses.end());
    for (const uint32_t address : m_addresses)
    {
        m_hashes.set(Hash(address));
    }
}

} // namespace ns3::aidc
