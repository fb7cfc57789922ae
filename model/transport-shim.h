// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TRANSPORT_SHIM_H
#define AIDC_TRANSPORT_SHIM_H

#include "ns3/ip-l4-protocol.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-interface.h"
#include "ns3/packet.h"

namespace ns3::aidc
{

/// Stands between IP and a transport protocol, and passes everything on to it.
///
/// Derived classes override the part that they change.
class TransportShim : public IpL4Protocol
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::aidc::TransportShim").SetParent<IpL4Protocol>().SetGroupName("Aidc");
        return tid;
    }

    /// Set the protocol that gets incoming packets. @param transport the protocol, or another one
    /// that stands below it
    void SetTransport(Ptr<IpL4Protocol> transport)
    {
        m_transport = transport;
    }

    /// @return the protocol that gets incoming packets
    Ptr<IpL4Protocol> GetTransport() const
    {
        return m_transport;
    }

    // From IpL4Protocol
    int GetProtocolNumber() const override
    {
        return m_transport->GetProtocolNumber();
    }

    RxStatus Receive(Ptr<Packet> p, const Ipv4Header& header, Ptr<Ipv4Interface> incoming) override
    {
        return m_transport->Receive(p, header, incoming);
    }

    RxStatus Receive(Ptr<Packet> p, const Ipv6Header& header, Ptr<Ipv6Interface> incoming) override
    {
        return m_transport->Receive(p, header, incoming);
    }

    void ReceiveIcmp(Ipv4Address source,
                     uint8_t ttl,
                     uint8_t type,
                     uint8_t code,
                     uint32_t info,
                     Ipv4Address from,
                     Ipv4Address to,
                     const uint8_t payload[8]) override
    {
        m_transport->ReceiveIcmp(source, ttl, type, code, info, from, to, payload);
    }

    void ReceiveIcmp(Ipv6Address source,
                     uint8_t ttl,
                     uint8_t type,
                     uint8_t code,
                     uint32_t info,
                     Ipv6Address from,
                     Ipv6Address to,
                     const uint8_t payload[8]) override
    {
        m_transport->ReceiveIcmp(source, ttl, type, code, info, from, to, payload);
    }

    void SetDownTarget(DownTargetCallback cb) override
    {
        m_transport->SetDownTarget(cb);
    }

    void SetDownTarget6(DownTargetCallback6 cb) override
    {
        m_transport->SetDownTarget6(cb);
    }

    DownTargetCallback GetDownTarget() const override
    {
        return m_transport->GetDownTarget();
    }

    DownTargetCallback6 GetDownTarget6() const override
    {
        return m_transport->GetDownTarget6();
    }

  protected:
    void DoDispose() override
    {
        m_transport = nullptr;
        IpL4Protocol::DoDispose();
    }

  private:
    Ptr<IpL4Protocol> m_transport; //!< the protocol above
};

} // namespace ns3::aidc

#endif // AIDC_TRANSPORT_SHIM_H
