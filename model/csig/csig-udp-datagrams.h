/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_UDP_DATAGRAMS_H
#define AIDC_CSIG_UDP_DATAGRAMS_H

#include "csig-host-flows.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-header.h"

namespace ns3::aidc
{

/// CSIG in the UDP datagrams of a host: tags them, and reflects in a header of the payload (section
/// 4.2.2 of draft-ravi-ippm-csig-01).
class CsigUdpDatagrams
{
  public:
    /// Constructor. flows: the host's flows, which outlive this; settings: the host's settings;
    /// they may change, and outlive this.
    CsigUdpDatagrams(CsigHostFlows& flows, const CsigHostSettings& settings);

    /// Process a datagram that leaves; a CsigL4Protocol::SendHook. route: its route, may be null.
    void Send(Ptr<Packet> datagram,
              const Ipv4Address& source,
              const Ipv4Address& destination,
              const Ptr<Ipv4Route>& route);

    /// Process a datagram that arrives; a CsigL4Protocol::ReceiveHook. @return whether UDP gets it
    bool Receive(Ptr<Packet> datagram, const Ipv4Header& ipHeader);

    /// Put the reflection header before a payload. flow: the flow that the datagram belongs to,
    /// local to remote.
    void AddReflection(Ptr<Packet> payload, const FlowKey& flow);

    /// Remove the reflection header from a payload, and take the reflection.
    /// @param payload the payload, which begins with the header
    /// @param flow the flow of this host's packets to the datagram's sender, local to remote
    /// @return whether there was one; if not, the payload is unchanged
    bool RemoveReflection(Ptr<Packet> payload, const FlowKey& flow);

  private:
    CsigHostFlows& m_flows;             //!< the host's flows
    const CsigHostSettings& m_settings; //!< the host's settings
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_UDP_DATAGRAMS_H
