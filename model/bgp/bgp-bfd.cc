/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-bfd.h"

#include "../core/require-argument.h"

#include "ns3/bfd-speaker.h"

#include <cstdint>

namespace ns3::aidc
{

void
FollowBfd(Ptr<Node> node, BgpSpeakerPeer& peer)
{
    const auto speaker = BfdSpeaker::Find(node);
    const auto address = peer.GetSettings().address;
    AIDC_REFUSED_UNLESS(speaker,
                        "BgpSpeaker: peer " << address << " uses BFD: expected node "
                                            << node->GetId() << " to have a BfdSpeaker");
    const int32_t interface = peer.GetLink().GetInterface();
    AIDC_REFUSED_IF(interface < 0,
                    "BgpSpeaker: peer " << address << " uses BFD: expected an address on a link");
    const uint32_t session = speaker->AddSession(static_cast<uint32_t>(interface), address);
    speaker->Follow(session, [&peer](bool hasFailed) { peer.NotifyBfd(hasFailed); });
}

} // namespace ns3::aidc
