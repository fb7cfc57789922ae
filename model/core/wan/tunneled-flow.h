/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TUNNELED_FLOW_H
#define AIDC_TUNNELED_FLOW_H

#include "ns3/flow-key.h"

#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/// The most headers of IP in IP that a packet may have, the innermost one apart.
constexpr uint32_t MAX_TUNNEL_HEADERS = 8;

/// The most bytes behind an outermost header that FindTunneledFlow looks at: headers of the longest
/// kind, and the ports.
constexpr std::size_t TUNNELED_FLOW_MAX_BYTES = 60 * MAX_TUNNEL_HEADERS + 4;

/// @ingroup aidc
/// What came of looking for the flow in a tunnel packet.
enum class TunneledFlowResult : uint8_t
{
    OK,           //!< found
    NOT_TUNNELED, //!< the packet is no IP in IP
    MALFORMED,    //!< an inner header is cut short or is none of IPv4, or is in another fragment
    TOO_DEEP,     //!< there are more headers than MAX_TUNNEL_HEADERS
};

/**
 * @ingroup aidc
 * @brief Find the flow that a tunnel packet belongs to: that of its innermost header.
 *
 * A packet may have any number of outer headers: a tunnel's, and one for each waypoint of its path.
 * The innermost header is the one that the ingress PE has encapsulated; the key is what
 * DecodeFlowKey makes of it, as the PE does. Of inner headers are checked that they are whole, the
 * version and the IHL; not their total lengths nor their checksums.
 *
 * @param protocol IP protocol number of the outermost header
 * @param fragment flags and fragment offset of the outermost header, its bytes 6 and 7
 * @param payload what follows the outermost header; may be null if size is 0
 * @param size the bytes that may be read there
 * @param [out] flow the key of the innermost header, unchanged unless the result is OK
 * @param [in,out] egress the destination of the outermost header; if the result is OK, that of the
 *        innermost outer header, where the tunnel ends
 * @return OK, or why there is none
 */
TunneledFlowResult FindTunneledFlow(uint8_t protocol,
                                    uint16_t fragment,
                                    const uint8_t* payload,
                                    std::size_t size,
                                    FlowKey& flow,
                                    uint32_t& egress);

} // namespace ns3::aidc

#endif // AIDC_TUNNELED_FLOW_H
