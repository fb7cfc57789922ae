/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_TCP_SEGMENTS_H
#define AIDC_CSIG_TCP_SEGMENTS_H

#include "csig-host-flows.h"
#include "csig-segment-options.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-header.h"

namespace ns3::aidc
{

/// CSIG in the TCP segments of a host: agrees on it by SYNs, tags segments, and reflects in an
/// option (sections 4.2.1 and 6.3.3 of draft-ravi-ippm-csig-01).
class CsigTcpSegments
{
  public:
    /// Constructor. flows: the host's flows, which outlive this; settings: the host's settings;
    /// they may change, and outlive this.
    CsigTcpSegments(CsigHostFlows& flows, const CsigHostSettings& settings);

    /// Process a segment that leaves; a CsigL4Protocol::SendHook. route: its route, may be null.
    void Send(Ptr<Packet> segment,
              const Ipv4Address& source,
              const Ipv4Address& destination,
              const Ptr<Ipv4Route>& route);

    /// Process a segment that arrives; a CsigL4Protocol::ReceiveHook. @return whether TCP gets it
    bool Receive(Ptr<Packet> segment, const Ipv4Header& ipHeader);

    /// @return the flow of the segment that has arrived last, local to remote
    const FlowKey& GetArrivingFlow() const
    {
        return m_arriving;
    }

  private:
    /// Let a SYN that leaves offer or accept CSIG. route: its route, may be null.
    void SendSyn(Ptr<Packet> segment,
                 TcpHeaderBytes& header,
                 const FlowKey& key,
                 const Ptr<Ipv4Route>& route);

    /// Handle a SYN that arrives.
    void ReceiveSyn(const FlowKey& key, bool isAnswer, bool hasOption);

    /// Drop a malformed segment. @return false
    bool Drop(Ptr<const Packet> segment);

    CsigHostFlows& m_flows;             //!< the host's flows
    const CsigHostSettings& m_settings; //!< the host's settings
    CsigSegmentOptions m_options;       //!< adds the option to segments
    FlowKey m_arriving;                 //!< the flow of the last segment that has arrived
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_TCP_SEGMENTS_H
