/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FRAME_OVERHEAD_H
#define AIDC_FRAME_OVERHEAD_H

#include <cstdint>

namespace ns3::aidc
{

/// Preamble and gap, which are on the wire beside the octets that a port counts (IEEE 802.3).
constexpr uint64_t PREAMBLE_AND_GAP = 20;

/// The bytes that a packet takes on a link besides its own.
struct FrameOverhead
{
    uint32_t bytes{0}; ///< all of it: header, check sequence, preamble, gap
    uint32_t gap{0};   ///< the part that follows the last bit of the frame
};

} // namespace ns3::aidc

#endif // AIDC_FRAME_OVERHEAD_H
