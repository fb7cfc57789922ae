// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-link.h"

#include "ns3/callback.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <optional>
#include <utility>

namespace ns3::aidc
{

/// @return a node's address at an interface, of a network that another address is on, if there is
/// one
static std::optional<Ipv4Address>
FindAddressFor(const Ipv4& ipv4, uint32_t interface, Ipv4Address other)
{
    for (uint32_t i = 0; i < ipv4.GetNAddresses(interface); ++i)
    {
        const Ipv4InterfaceAddress own = ipv4.GetAddress(interface, i);
        if (own.GetMask().IsMatch(own.GetLocal(), other))
        {
            return own.GetLocal();
        }
    }
    return std::nullopt;
}

BgpPeerLink::BgpPeerLink(Ptr<Ipv4> ipv4, Ipv4Address peer)
    : m_ipv4(std::move(ipv4)),
      m_localAddress(Ipv4Address::GetAny())
{
    for (uint32_t i = 0; m_interface < 0 && i < m_ipv4->GetNInterfaces(); ++i)
    {
        if (const auto own = FindAddressFor(*m_ipv4, i, peer))
        {
            m_localAddress = *own;
            m_interface = static_cast<int32_t>(i);
        }
    }
    Update();
}

bool
BgpPeerLink::HasAddress(Ipv4Address address) const
{
    return m_interface >= 0 && FindAddressFor(*m_ipv4, m_interface, address);
}

bool
BgpPeerLink::Update()
{
    const bool wasUp = m_isUp;
    m_isUp = m_interface < 0 || (m_ipv4->IsUp(static_cast<uint32_t>(m_interface)) &&
                                 m_ipv4->GetNetDevice(m_interface)->IsLinkUp());
    return m_isUp != wasUp;
}

BgpLinkWatcher::BgpLinkWatcher(uint32_t node, std::function<void()> check)
    : m_node(node),
      m_check(std::move(check))
{
}

void
BgpLinkWatcher::Watch(Ptr<Ipv4> ipv4, Ptr<MultipathRouting> routing)
{
    const auto notify = MakeCallback(&BgpLinkWatcher::Notify, Ptr<BgpLinkWatcher>(this));
    if (routing)
    {
        routing->TraceConnectWithoutContext("RoutesChange", notify);
    }
    for (uint32_t i = 0; i < ipv4->GetNInterfaces(); ++i)
    {
        ipv4->GetNetDevice(i)->AddLinkChangeCallback(notify);
    }
}

bool
BgpLinkWatcher::SetActive(bool isActive)
{
    return std::exchange(m_isActive, isActive);
}

void
BgpLinkWatcher::Notify()
{
    if (m_isDue || !m_isActive)
    {
        return;
    }
    m_isDue = true;
    Simulator::ScheduleWithContext(m_node, Time(0), [self = Ptr<BgpLinkWatcher>(this)] {
        if (self->m_isActive)
        {
            self->m_check();
        }
        self->m_isDue = false;
    });
}

} // namespace ns3::aidc
