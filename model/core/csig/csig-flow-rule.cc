/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-flow-rule.h"

namespace ns3::aidc
{

bool
CsigFlowRule::Matches(const FlowKey& flow, uint8_t packetDscp) const
{
    // A shift by all 32 bits is undefined for 32-bit numbers.
    const uint64_t difference = flow.destination ^ destination;
    return difference >> (32 - prefixLength) == 0 &&
           (!port || *port == flow.sourcePort || *port == flow.destinationPort) &&
           (!protocol || *protocol == flow.protocol) && (!dscp || *dscp == packetDscp);
}

} // namespace ns3::aidc
