/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TCP_FLOW_PROTOCOL_H
#define AIDC_TCP_FLOW_PROTOCOL_H

#include "ns3/callback.h"
#include "ns3/ip-l4-protocol.h"

#include <cstdint>

namespace ns3
{
class Node;
} // namespace ns3

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Takes packets from under a node's TCP, those of the flows of a TcpFlowApplication.
 *
 * It has the place of TCP in IPv4's list of protocols, or behind CSIG's layer if there is one. What
 * TCP sends does not pass it.
 */
class TcpFlowProtocol : public IpL4Protocol
{
  public:
    /**
     * @brief Get the TypeId.
     * @return the TypeId
     */
    static TypeId GetTypeId();

    TcpFlowProtocol();
    ~TcpFlowProtocol() override;

    /// Is given a packet for a local port; false leaves it to TCP.
    using PortHook = Callback<bool, uint16_t, Ptr<Packet>, const Ipv4Header&, Ptr<Ipv4Interface>>;

    /**
     * @brief Step between IPv4 and TCP of a node.
     * @param node the node
     * @param hook is given what arrives
     */
    void Insert(Ptr<Node> node, PortHook hook);

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
    Ptr<IpL4Protocol> m_tcp; //!< the protocol above
    PortHook m_hook;         //!< is given what arrives
};

} // namespace ns3::aidc

#endif // AIDC_TCP_FLOW_PROTOCOL_H
