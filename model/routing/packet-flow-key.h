/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PACKET_FLOW_KEY_H
#define AIDC_PACKET_FLOW_KEY_H

#include "ns3/flow-key.h"
#include "ns3/ipv4-header.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief Read the flow of a packet.
/// @param header its IPv4 header
/// @param packet the bytes behind that header, may be null
/// @return the flow
FlowKey ReadFlow(const Ipv4Header& header, const Ptr<const Packet>& packet);

} // namespace ns3::aidc

#endif // AIDC_PACKET_FLOW_KEY_H
