/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-channel.h"
#include "ethernet-net-device.h"
#include "mac-bytes.h"

#include "ns3/node.h"

/**
 * @file
 * @ingroup aidc
 * What ns-3 asks of every device, and an EthernetNetDevice answers.
 */

namespace ns3::aidc
{

void
EthernetNetDevice::SetIfIndex(uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
EthernetNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
EthernetNetDevice::GetChannel() const
{
    return m_channel;
}

void
EthernetNetDevice::SetAddress(Address address)
{
    m_address = ToMacBytes(address);
    if (m_channel)
    {
        m_channel->ExchangeAddresses();
    }
}

Address
EthernetNetDevice::GetAddress() const
{
    return ToMac48Address(m_address);
}

void
EthernetNetDevice::SetMacAddress(Mac48Address address)
{
    SetAddress(address);
}

Mac48Address
EthernetNetDevice::GetMacAddress() const
{
    return ToMac48Address(m_address);
}

bool
EthernetNetDevice::IsBroadcast() const
{
    return true;
}

Address
EthernetNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
EthernetNetDevice::IsMulticast() const
{
    return true;
}

Address
EthernetNetDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
EthernetNetDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
EthernetNetDevice::IsBridge() const
{
    return false;
}

bool
EthernetNetDevice::IsPointToPoint() const
{
    // ns-3's parallel simulators need to know, and look at such links only.
    return !m_needsArp;
}

Ptr<Node>
EthernetNetDevice::GetNode() const
{
    return m_node;
}

void
EthernetNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
    m_nodeId = node ? node->GetId() : 0;
}

bool
EthernetNetDevice::NeedsArp() const
{
    return m_needsArp;
}

void
EthernetNetDevice::SetReceiveCallback(NetDevice::ReceiveCallback cb)
{
    m_receive = cb;
}

void
EthernetNetDevice::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb)
{
    m_promiscReceive = cb;
}

bool
EthernetNetDevice::SupportsSendFrom() const
{
    return true;
}

} // namespace ns3::aidc
