/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRE_ECN_QUEUES_H
#define AIDC_PRE_ECN_QUEUES_H

#include "../core/tunnel/tunneled-flow.h"
#include "pre-ecn-queue-disc.h"

#include "ns3/domain-message.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/ptr.h"
#include "ns3/queue-item.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// A queue of a router that marks in two steps.
struct PlacedPreEcnQueue
{
    Ptr<PreEcnQueue> queue; //!< the queue
    uint16_t port{0};       //!< the index of its device
    uint8_t index{0};       //!< its class in the root queue disc; 0 for a root
};

/// Find the queues of a router that mark in two steps.
/// @param node the router, with its queue discs
/// @return the queues, by port and class
std::vector<PlacedPreEcnQueue> FindPreEcnQueues(Ptr<Node> node);

/// Find the source address of a node's own packets.
/// @return its first IPv4 address that is not a loopback address; 0.0.0.0 if there is none
Ipv4Address FindOwnAddress(Ptr<Node> node);

/// Find the tunnel and the flow of a queued packet.
/// @param item the packet, before its header is added
/// @param [out] notification receives the ingress PE, which is the source of the outermost header;
///        the egress PE, which is the destination of the innermost outer header; and the flow.
///        Unchanged unless the result is OK
/// @param [out] innerBytes if not null and the result is OK, the bytes of the innermost packet,
/// with
///        its header
/// @return OK, or why there is no such flow; packets other than IPv4 are not tunneled
TunneledFlowResult FindTunneledFlow(const QueueDiscItem& item,
                                    CongestionNotification& notification,
                                    uint32_t* innerBytes = nullptr);

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_QUEUES_H
