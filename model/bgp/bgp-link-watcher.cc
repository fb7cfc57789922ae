/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-link-watcher.h"

#include "ns3/callback.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::aidc
{

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
