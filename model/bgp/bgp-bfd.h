/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BGP_BFD_H
#define AIDC_BGP_BFD_H

#include "bgp-speaker-peer.h"

#include "ns3/node.h"
#include "ns3/ptr.h"

namespace ns3::aidc
{

/**
 * @brief Have the session of a peer follow the node's BFD session with it (RFC 5882, section 4).
 *
 * The program ends if the node has no BfdSpeaker, or the peer is not on a link.
 *
 * @param node the node
 * @param peer the peer, opened, which outlives the simulation's events
 */
void FollowBfd(Ptr<Node> node, BgpSpeakerPeer& peer);

} // namespace ns3::aidc

#endif // AIDC_BGP_BFD_H
