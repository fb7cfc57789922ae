/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TCP_FLOW_PROTOCOL_H
#define AIDC_TCP_FLOW_PROTOCOL_H

#include "../transport-shim.h"

#include "ns3/callback.h"

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
class TcpFlowProtocol : public TransportShim
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    TcpFlowProtocol();
    ~TcpFlowProtocol() override;

    /// Is given a packet for a local port; false leaves it to TCP.
    using PortHook = Callback<bool, uint16_t, Ptr<Packet>, const Ipv4Header&, Ptr<Ipv4Interface>>;

    /// Step between IPv4 and TCP of a node.
    /// @param node the node
    /// @param hook is given what arrives
    void Insert(Ptr<Node> node, PortHook hook);

    // From IpL4Protocol
    using TransportShim::Receive; // of IPv6
    RxStatus Receive(Ptr<Packet> p,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> incomingInterface) override;

  protected:
    void DoDispose() override;

  private:
    PortHook m_hook; //!< is given what arrives
};

} // namespace ns3::aidc

#endif // AIDC_TCP_FLOW_PROTOCOL_H
