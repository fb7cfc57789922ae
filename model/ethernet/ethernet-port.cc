/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-port.h"

#include "mac-bytes.h"

#include "ns3/log.h"
#include "ns3/node.h"

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcEthernetPort");

void
EthernetPort::DoDispose()
{
    m_receive = NetDevice::ReceiveCallback();
    m_promiscReceive = NetDevice::PromiscReceiveCallback();
    m_node = nullptr;
    NetDevice::DoDispose();
}

void
EthernetPort::NotifyLinkChange()
{
    m_linkChange();
}

void
EthernetPort::Deliver(const MacBytes& address,
                      const Ptr<const Packet>& whole,
                      const Ptr<Packet>& packet,
                      const EthernetFields& fields,
                      EthernetPortRecord& record)
{
    PacketType type = PACKET_OTHERHOST;
    if (fields.destination == address)
    {
        type = PACKET_HOST;
    }
    else if (IsGroup(fields.destination))
    {
        type = fields.destination == MAC_BROADCAST ? PACKET_BROADCAST : PACKET_MULTICAST;
    }
    NS_LOG_LOGIC("Packet of type " << type << " and EtherType " << fields.etherType);
    const Address source = ToMac48Address(fields.source);
    if (!m_promiscReceive.IsNull())
    {
        record.NotifyOverheard(whole);
        m_promiscReceive(this,
                         packet,
                         fields.etherType,
                         source,
                         ToMac48Address(fields.destination),
                         type);
    }
    if (type != PACKET_OTHERHOST)
    {
        record.NotifyReceived(whole);
        if (!m_receive(this, packet, fields.etherType, source) && m_promiscReceive.IsNull())
        {
            NS_LOG_LOGIC("Nobody in the node takes EtherType " << fields.etherType);
            record.Count(&EthernetPortStatistics::inUnknownProtocols);
        }
    }
}

void
EthernetPort::SetNode(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    m_node = node;
}

void
EthernetPort::SetReceiveCallback(NetDevice::ReceiveCallback cb)
{
    NS_LOG_FUNCTION(this);
    m_receive = cb;
}

void
EthernetPort::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb)
{
    NS_LOG_FUNCTION(this);
    m_promiscReceive = cb;
}

Address
EthernetPort::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

Address
EthernetPort::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
EthernetPort::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

} // namespace ns3::aidc
