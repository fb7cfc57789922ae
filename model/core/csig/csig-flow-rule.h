// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_FLOW_RULE_H
#define AIDC_CSIG_FLOW_RULE_H

#include "ns3/flow-key.h"

#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/// A rule for flows that a host may tag, or whose tags a switch accepts: it matches the flows that
/// match all members which are set (section 9 of draft-ravi-ippm-csig-01).
struct CsigFlowRule
{
    uint32_t destination{0};         //!< IPv4 network of the destination, host byte order
    uint8_t prefixLength{0};         //!< bits of that network, 0 (any destination) to 32
    std::optional<uint16_t> port;    //!< source or destination port
    std::optional<uint8_t> protocol; //!< IP protocol: 6 TCP, 17 UDP
    std::optional<uint8_t> dscp;     //!< DSCP of the packet, 0 to 63
    uint32_t source{0};              //!< IPv4 network of the source, host byte order
    uint8_t sourcePrefixLength{0};   //!< bits of that network, 0 (any source) to 32

    /// Tell whether a packet matches. flow: its flow, in the direction of the packet.
    /// @return whether it does
    bool Matches(const FlowKey& flow, uint8_t packetDscp) const;
};

/// Check that all numbers of a rule are possible in packets. @throws std::invalid_argument if a
/// prefix is longer than 32 bits, or the DSCP above 63
void CheckCsigFlowRule(const CsigFlowRule& rule);

} // namespace ns3::aidc

#endif // AIDC_CSIG_FLOW_RULE_H
