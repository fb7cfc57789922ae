/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_TCP_SEGMENTS_H
#define AIDC_CSIG_TCP_SEGMENTS_H

#include "../core/csig/csig-fields.h"
#include "../core/csig/csig-reflection.h"
#include "../core/csig/tcp-header-bytes.h"
#include "csig-host-flows.h"
#include "csig-host-statistics.h"

#include "ns3/flow-key.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// Adds CSIG's option to TCP segments and removes it (section 4.2.1 of
/// draft-ravi-ippm-csig-01).
class CsigSegmentOptions
{
  public:
    /// The state of a segment's options.
    enum class Result : uint8_t
    {
        GOOD,      //!< well-formed
        MALFORMED, //!< a length is impossible
        CORRUPT    //!< the checksum is wrong
    };

    /// Constructor @param statistics the counters of failures, which outlive this
    explicit CsigSegmentOptions(CsigHostStatistics& statistics);

    /// Append the option to a segment. option: kind and experiment identifier; fields: the data
    /// fields, or none; mtu: the most bytes of a packet. @return whether there was room for it
    bool Append(Ptr<Packet> segment,
                TcpHeaderBytes& header,
                const TcpExperimentalOption& option,
                const std::optional<CsigFields>& fields,
                const FlowKey& flow,
                uint32_t mtu);

    /**
     * @brief Remove the options from a segment that arrives.
     * @param segment the segment
     * @param header its header
     * @param option kind and experiment identifier
     * @param flow the flow in the direction of the segment
     * @param[out] reflection the reflection; the last one if there are several
     * @return the state of the options; the segment is unchanged unless it is GOOD
     */
    Result Take(Ptr<Packet> segment,
                TcpHeaderBytes& header,
                const TcpExperimentalOption& option,
                const FlowKey& flow,
                std::optional<CsigReflection>& reflection);

  private:
    /// Replace the header of a segment, with a new checksum.
    void ReplaceHeader(Ptr<Packet> segment,
                       std::size_t oldSize,
                       TcpHeaderBytes& header,
                       const FlowKey& flow);

    CsigHostStatistics& m_statistics; //!< where to count
    std::vector<uint8_t> m_bytes;     //!< a segment whose checksum is computed
};

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
