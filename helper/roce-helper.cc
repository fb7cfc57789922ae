/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-helper.h"

#include "fabric-role.h"
#include "factory-attribute.h"
#include "local-node.h"
#include "remote-host.h"
#include "user-default.h"

#include "ns3/abort.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"

#include <memory>

namespace ns3::aidc
{

namespace
{

/// @param ipv4 the host's IPv4
/// @param interface the interface of the port
/// @return its own, or that of the host if it has none, as hosts with several links have one of a
///         FabricHelper; 0.0.0.0 if there is neither
Ipv4Address
GetPortAddress(const Ipv4& ipv4, uint32_t interface)
{
    if (ipv4.GetNAddresses(interface) > 0)
    {
        return ipv4.GetAddress(interface, 0).GetLocal();
    }
    for (uint32_t i = 0; i < ipv4.GetNInterfaces(); ++i)
    {
        for (uint32_t j = 0; j < ipv4.GetNAddresses(i); ++j)
        {
            const auto address = ipv4.GetAddress(i, j).GetLocal();
            if (!address.IsLocalhost())
            {
                return address;
            }
        }
    }
    return Ipv4Address::GetAny();
}

/// One end of a connection, whose host may be another rank's.
class ConnectionEnd
{
  public:
    /// @param host the host
    explicit ConnectionEnd(const Ptr<Node>& host)
        : m_nic(RoceHelper::IsLocal(host) ? RoceHelper::GetNic(host) : nullptr),
          m_remote(m_nic ? nullptr : RemoteHost::Get(host))
    {
    }

    /// Make a queue pair, which goes to the ports in turn.
    void Create()
    {
        m_qp = m_nic ? m_nic->Create() : m_remote->CreateQueuePair();
        m_port = m_nic ? m_nic->GetPortOf(m_qp) : m_remote->TakePort();
    }

    /// Make a queue pair at the port of the other end, as far as there are so many.
    /// @param other the other end
    void CreateFor(const ConnectionEnd& other)
    {
        m_port = other.m_port % (m_nic ? m_nic->GetNPorts() : m_remote->GetNPorts());
        m_qp = m_nic ? m_nic->CreateAt(m_port) : m_remote->CreateQueuePair();
    }

    /// @param other the other end
    /// @param path the delays of the path
    void Connect(const ConnectionEnd& other, const RocePath& path) const
    {
        if (m_nic)
        {
            m_nic->Connect(m_qp, other.GetAddress(), other.m_qp, path);
        }
    }

    /// @return the number of the queue pair
    uint32_t GetQueuePair() const
    {
        return m_qp;
    }

  private:
    /// @return the address of the port
    Ipv4Address GetAddress() const
    {
        return m_nic ? m_nic->GetAddress(m_port) : m_remote->GetAddress(m_port);
    }

    Ptr<RoceNic> m_nic;       //!< the adapter, null if the host is another rank's
    Ptr<RemoteHost> m_remote; //!< what is known of the host then
    uint32_t m_qp{0};         //!< the number of the queue pair
    uint32_t m_port{0};       //!< the place of its port
};

} // namespace

RoceHelper::RoceHelper()
    : m_factory("ns3::aidc::RoceNic")
{
    SetDerived(m_factory,
               "CongestionControl",
               ObjectFactoryValue(ObjectFactory("ns3::aidc::DcqcnControl")));
}

void
RoceHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    SetFactoryAttribute(m_factory, name, value);
}

void
RoceHelper::Install(const NodeContainer& hosts) const
{
    const auto warned = std::make_shared<RoceTimeoutSettings::Warned>();
    for (auto it = hosts.Begin(); it != hosts.End(); ++it)
    {
        const Ptr<Node> host = *it;
        FabricRole::Check(host, FabricRole::HOST, "RoceHelper");
        const auto nic = m_factory.Create<RoceNic>();
        nic->ShareWarned(warned);
        nic->Install(host);
        const auto ipv4 = host->GetObject<Ipv4>();
        for (uint32_t i = 0; ipv4 && i < host->GetNDevices(); ++i)
        {
            const auto device = DynamicCast<EthernetNetDevice>(host->GetDevice(i));
            const int32_t interface = device ? ipv4->GetInterfaceForDevice(device) : -1;
            const auto address = interface < 0
                                     ? Ipv4Address::GetAny()
                                     : GetPortAddress(*ipv4, static_cast<uint32_t>(interface));
            if (!address.IsAny())
            {
                nic->AddPort(device, address);
            }
        }
        NS_ABORT_MSG_IF(nic->GetNPorts() == 0,
                        "RoceHelper: node " << host->GetId()
                                            << " has no Ethernet port with an IPv4 address");
    }
}

Ptr<RoceNic>
RoceHelper::GetNic(Ptr<Node> host)
{
    const auto nic = host->GetObject<RoceNic>();
    NS_ABORT_MSG_UNLESS(nic, "RoceHelper: node " << host->GetId() << " has no RoceNic");
    return nic;
}

std::pair<uint32_t, uint32_t>
RoceHelper::Connect(Ptr<RoceNic> a, Ptr<RoceNic> b, const RocePath& path)
{
    const uint32_t first = a->Create();
    const uint32_t port = a->GetPortOf(first);
    const uint32_t second = b->CreateAt(port % b->GetNPorts());
    a->Connect(first, b->GetAddress(b->GetPortOf(second)), second, path);
    b->Connect(second, a->GetAddress(port), first, path);
    return {first, second};
}

std::pair<uint32_t, uint32_t>
RoceHelper::Connect(Ptr<Node> a, Ptr<Node> b, const RocePath& path)
{
    ConnectionEnd first(a);
    ConnectionEnd second(b);
    first.Create();
    second.CreateFor(first);
    first.Connect(second, path);
    second.Connect(first, path);
    return {first.GetQueuePair(), second.GetQueuePair()};
}

bool
RoceHelper::IsLocal(Ptr<Node> host)
{
    return IsLocalNode(host);
}

} // namespace ns3::aidc
