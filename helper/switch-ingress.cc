/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-ingress.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::aidc
{

SwitchIngress::SwitchIngress(Ptr<Ipv4L3Protocol> ipv4)
    : m_ipv4(ipv4),
      m_time(TimeStep(0))
{
}

void
SwitchIngress::Receive(Ptr<NetDevice> device,
                       Ptr<const Packet> packet,
                       uint16_t protocol,
                       const Address& from,
                       const Address& to,
                       NetDevice::PacketType type)
{
    const Time now = Simulator::Now();
    if (!m_arrivals.empty() && m_time != now)
    {
        // Those of the last time step are about to be handed over in this one.
        m_former.swap(m_arrivals);
    }
    if (m_arrivals.empty())
    {
        m_time = now;
        Simulator::Schedule(TimeStep(1), &SwitchIngress::Flush, Ptr<SwitchIngress>(this));
    }
    m_arrivals.push_back({device, packet, protocol, from, to, type});
}

void
SwitchIngress::Flush()
{
    std::vector<Arrival>& arrivals = m_former.empty() ? m_arrivals : m_former;
    if (arrivals.size() > 1)
    {
        std::stable_sort(arrivals.begin(), arrivals.end(), [](const auto& a, const auto& b) {
            return a.device->GetIfIndex() < b.device->GetIfIndex();
        });
    }
    for (const auto& arrival : arrivals)
    {
        m_ipv4->Receive(arrival.device,
                        arrival.packet,
                        arrival.protocol,
                        arrival.from,
                        arrival.to,
                        arrival.type);
    }
    arrivals.clear();
}

} // namespace ns3::aidc
