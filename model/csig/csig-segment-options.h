/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_SEGMENT_OPTIONS_H
#define AIDC_CSIG_SEGMENT_OPTIONS_H

#include "../core/csig/csig-fields.h"
#include "../core/csig/csig-reflection.h"
#include "../core/csig/tcp-header-bytes.h"
#include "csig-host-statistics.h"

#include "ns3/flow-key.h"
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

} // namespace ns3::aidc

#endif // AIDC_CSIG_SEGMENT_OPTIONS_H
