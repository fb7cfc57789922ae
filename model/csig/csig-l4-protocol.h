/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_L4_PROTOCOL_H
#define AIDC_CSIG_L4_PROTOCOL_H

#include "ns3/callback.h"
#include "ns3/ip-l4-protocol.h"

namespace ns3
{
class Ipv4;
} // namespace ns3

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Stands between IPv4 and a transport protocol, in both directions.
 *
 * It takes the transport's place in IPv4's list of protocols, and its own place in front of IPv4 as
 * the transport's down target. So every packet passes it, with any kind of device, and its
 * transport header comes first.
 */
class CsigL4Protocol : public IpL4Protocol
{
  public:
    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    /// Changes an outgoing packet; its route tells the device.
    using SendHook =
        Callback<void, Ptr<Packet>, const Ipv4Address&, const Ipv4Address&, const Ptr<Ipv4Route>&>;

    /// Changes an incoming packet; false drops it.
    using ReceiveHook = Callback<bool, Ptr<Packet>, const Ipv4Header&>;

    /**
     * @brief Step between IPv4 and a transport protocol.
     * @param ipv4 the node's IPv4
     * @param transport the protocol, TCP or UDP
     * @param send changes what it sends
     * @param receive changes what it receives
     */
    void Insert(Ptr<Ipv4> ipv4, Ptr<IpL4Protocol> transport, SendHook send, ReceiveHook receive);

    /**
     * @brief Set who gets incoming packets.
     * @param transport the protocol, or another one that stands below it
     */
    void SetTransport(Ptr<IpL4Protocol> transport);

    /**
     * @brief Get who gets incoming packets.
     * @return who
     */
    Ptr<IpL4Protocol> GetTransport() const;

    // From IpL4Protocol
    int GetProtocolNumber() const override;
    RxStatus Receive(Ptr<Packet> p,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> incomingInterface) override;
    RxStatus Receive(Ptr<Packet> p,
                     const Ipv6Header& header,
                     Ptr<Ipv6Interface> incomingInterface) override;
    void ReceiveIcmp(Ipv4Address icmpSource,
                     uint8_t icmpTtl,
                     uint8_t icmpType,
                     uint8_t icmpCode,
                     uint32_t icmpInfo,
                     Ipv4Address payloadSource,
                     Ipv4Address payloadDestination,
                     const uint8_t payload[8]) override;
    void ReceiveIcmp(Ipv6Address icmpSource,
                     uint8_t icmpTtl,
                     uint8_t icmpType,
                     uint8_t icmpCode,
                     uint32_t icmpInfo,
                     Ipv6Address payloadSource,
                     Ipv6Address payloadDestination,
                     const uint8_t payload[8]) override;
    void SetDownTarget(DownTargetCallback cb) override;
    void SetDownTarget6(DownTargetCallback6 cb) override;
    DownTargetCallback GetDownTarget() const override;
    DownTargetCallback6 GetDownTarget6() const override;

  protected:
    void DoDispose() override;

  private:
    /**
     * @brief Send a packet of the transport; its down target.
     * @param packet the packet
     * @param source its source
     * @param destination its destination
     * @param protocol the protocol
     * @param route its route, may be null
     */
    void Send(Ptr<Packet> packet,
              Ipv4Address source,
              Ipv4Address destination,
              uint8_t protocol,
              Ptr<Ipv4Route> route);

    Ptr<IpL4Protocol> m_transport; //!< the protocol above
    DownTargetCallback m_down;     //!< where its packets went before
    SendHook m_send;               //!< changes what is sent
    ReceiveHook m_receive;         //!< changes what is received
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_L4_PROTOCOL_H
