/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_L4_PROTOCOL_H
#define AIDC_CSIG_L4_PROTOCOL_H

#include "../transport-shim.h"

#include "ns3/callback.h"

namespace ns3
{
class Ipv4;
} // namespace ns3

namespace ns3::aidc
{

/**
 * @brief Stands between IPv4 and a transport protocol, in both directions.
 *
 * It replaces the transport in IPv4's list of protocols, and IPv4 as the transport's down target.
 * So every packet passes it, with any kind of device, and the packet's first header is that of the
 * transport.
 */
class CsigL4Protocol : public TransportShim
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Changes an outgoing packet, which leaves by the device of its route.
    using SendHook =
        Callback<void, Ptr<Packet>, const Ipv4Address&, const Ipv4Address&, const Ptr<Ipv4Route>&>;

    /// Changes an incoming packet; false drops it.
    using ReceiveHook = Callback<bool, Ptr<Packet>, const Ipv4Header&>;

    /// Insert this between IPv4 and a transport protocol. ipv4: the node's IPv4; transport: the
    /// protocol, TCP or UDP; send: changes outgoing packets; receive: changes incoming packets.
    void Insert(Ptr<Ipv4> ipv4, Ptr<IpL4Protocol> transport, SendHook send, ReceiveHook receive);

    // From IpL4Protocol
    using TransportShim::Receive; // of IPv6
    RxStatus Receive(Ptr<Packet> p,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> incomingInterface) override;

    void SetDownTarget(DownTargetCallback cb) override
    {
        m_down = cb;
    }

    DownTargetCallback GetDownTarget() const override
    {
        return m_down;
    }

  protected:
    void DoDispose() override;

  private:
    /// Send a packet of the transport; its down target. route: its route, may be null.
    void Send(Ptr<Packet> packet,
              Ipv4Address source,
              Ipv4Address destination,
              uint8_t protocol,
              Ptr<Ipv4Route> route);

    DownTargetCallback m_down; //!< where its packets went before
    SendHook m_send;           //!< changes outgoing packets
    ReceiveHook m_receive;     //!< changes incoming packets
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_L4_PROTOCOL_H
