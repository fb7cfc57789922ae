// SPDX-License-Identifier: GPL-2.0-only

#include "csig-flow-rule.h"

#include "../require-argument.h"

#include <stdexcept>
#include <string>

namespace ns3::aidc
{

bool
CsigFlowRule::Matches(const FlowKey& flow, uint8_t packetDscp) const
{
    // A shift by all 32 bits is undefined for 32-bit numbers.
    const uint64_t toOther = flow.destination ^ destination;
    const uint64_t fromOther = flow.source ^ source;
    return toOther >> (32 - prefixLength) == 0 && fromOther >> (32 - sourcePrefixLength) == 0 &&
           (!port || *port == flow.sourcePort || *port == flow.destinationPort) &&
           (!protocol || *protocol == flow.protocol) && (!dscp || *dscp == packetDscp);
}

void
CheckCsigFlowRule(const CsigFlowRule& rule)
{
    for (const auto length : {rule.prefixLength, rule.sourcePrefixLength})
    {
        AIDC_REQUIRE(length <= 32,
                     "The prefix of a CSIG rule must have at most 32 bits, found " +
                         std::to_string(length));
    }
    if (rule.dscp && *rule.dscp > 63)
    {
        throw std::invalid_argument("The DSCP of a CSIG rule must be at most 63, found " +
                                    std::to_string(*rule.dscp));
    }
}

} // namespace ns3::aidc
