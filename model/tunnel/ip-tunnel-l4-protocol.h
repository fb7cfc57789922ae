/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_IP_TUNNEL_L4_PROTOCOL_H
#define AIDC_IP_TUNNEL_L4_PROTOCOL_H

#include "ns3/callback.h"
#include "ns3/ip-l4-protocol.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4.h"
#include "ns3/packet.h"

#include <cstdint>

namespace ns3::aidc
{

/// Takes the packets of a protocol from ns-3's IPv4, and sends none. Of UDP, it takes those of
/// VXLAN and leaves all others to ns-3's UDP.
class IpTunnelL4Protocol : public IpL4Protocol
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Takes a packet without its header, and the header.
    using Taker = Callback<void, Ptr<Packet>, const Ipv4Header&>;

    /// Insert a taker into a stack, unless the protocol has one. Of UDP, it gets VXLAN's packets.
    static void Insert(Ipv4& ipv4, uint8_t protocol, Taker taker);

    // From IpL4Protocol
    int GetProtocolNumber() const override
    {
        return m_protocol;
    }

    RxStatus Receive(Ptr<Packet> p,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> incomingInterface) override;

    RxStatus Receive(Ptr<Packet>, const Ipv6Header&, Ptr<Ipv6Interface>) override
    {
        return RX_OK;
    }

    void ReceiveIcmp(Ipv4Address source,
                     uint8_t ttl,
                     uint8_t type,
                     uint8_t code,
                     uint32_t info,
                     Ipv4Address quotedSource,
                     Ipv4Address quotedDestination,
                     const uint8_t quoted[8]) override;

    void SetDownTarget(DownTargetCallback) override
    {
    }

    void SetDownTarget6(DownTargetCallback6) override
    {
    }

    DownTargetCallback GetDownTarget() const override
    {
        return {};
    }

    DownTargetCallback6 GetDownTarget6() const override
    {
        return {};
    }

  protected:
    void DoDispose() override;

  private:
    /// Tell whether a packet is for the taker.
    bool IsTaken(const Packet& packet) const;

    uint8_t m_protocol{0};   //!< the protocol number
    Taker m_taker;           //!< takes the packets
    Ptr<IpL4Protocol> m_udp; //!< ns-3's UDP, null for other protocols
};

} // namespace ns3::aidc

#endif // AIDC_IP_TUNNEL_L4_PROTOCOL_H
