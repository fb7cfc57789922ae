/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TUNNELED_FLOW_H
#define AIDC_TUNNELED_FLOW_H

#include "tunnel-shim.h"

#include "ns3/flow-key.h"

#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/// The most outer headers that a packet may have.
constexpr uint32_t MAX_TUNNEL_HEADERS = 8;

/// The most bytes after an outermost header that FindTunneledFlow reads: the longest headers, the
/// shim of a tunnel, and the ports.
constexpr std::size_t TUNNELED_FLOW_MAX_BYTES = 60 * MAX_TUNNEL_HEADERS + MAX_TUNNEL_SHIM + 4;

/// The result of a search for the flow in a tunnel packet.
enum class TunneledFlowResult : uint8_t
{
    OK,           //!< found
    NOT_TUNNELED, //!< the packet is neither IP in IP, nor GRE or VXLAN with IPv4
    MALFORMED,    //!< an inner header is incomplete, not IPv4, or in another fragment
    TOO_DEEP,     //!< there are more headers than MAX_TUNNEL_HEADERS
};

/**
 * @brief Find the flow of a tunnel packet's innermost header.
 *
 * A packet may have several outer headers: the tunnel's, and one for each waypoint of its path. The
 * innermost header is the one that the ingress PE has encapsulated. Its key is from DecodeFlowKey,
 * as at the PE. The function checks the version and IHL of inner headers, and that these headers
 * are complete, but neither total lengths nor checksums.
 *
 * A header of IP in IP is always an outer one. A header of GRE or VXLAN is one if its source is
 * that of the outermost header, as a PE is the source of all outer headers. Otherwise it is a
 * tunnel of somebody else, which the PE has taken for a flow.
 *
 * @param source source address of the outermost header, host byte order
 * @param protocol IP protocol number of the outermost header
 * @param fragment flags and fragment offset of the outermost header, its bytes 6 and 7
 * @param payload the bytes after the outermost header; may be null if size is 0
 * @param size the number of readable bytes
 * @param [out] flow the key of the innermost header, unchanged unless the result is OK
 * @param [in,out] egress the destination of the outermost header; if the result is OK, afterwards
 *        the destination of the innermost outer header, where the tunnel ends
 * @param [out] offset if not null and the result is OK, where the innermost header is in the bytes
 * @return OK, or why there is none
 */
TunneledFlowResult FindTunneledFlow(uint32_t source,
                                    uint8_t protocol,
                                    uint16_t fragment,
                                    const uint8_t* payload,
                                    std::size_t size,
                                    FlowKey& flow,
                                    uint32_t& egress,
                                    std::size_t* offset = nullptr);

} // namespace ns3::aidc

#endif // AIDC_TUNNELED_FLOW_H
