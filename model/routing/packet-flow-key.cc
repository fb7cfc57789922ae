/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-flow-key.h"

#include <array>
#include <cstddef>

namespace ns3::aidc
{

FlowKey
ReadFlow(const Ipv4Header& header, const Ptr<const Packet>& packet)
{
    std::array<uint8_t, FLOW_KEY_MAX_BYTES> bytes;
    const uint8_t protocol = header.GetProtocol();
    const bool isFragment = header.GetFragmentOffset() != 0 || !header.IsLastFragment();
    std::size_t size = 0;
    if (packet && !isFragment)
    {
        // The ports are the first 4 bytes; only a tunnel is looked into.
        const uint32_t wanted = HasInnerFlow(protocol) ? FLOW_KEY_MAX_BYTES : 4;
        size = packet->CopyData(bytes.data(), wanted);
    }
    return DecodeFlowKey(header.GetSource().Get(),
                         header.GetDestination().Get(),
                         protocol,
                         isFragment,
                         bytes.data(),
                         size);
}

} // namespace ns3::aidc
