/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EDGE_SHAPER_STATISTICS_H
#define AIDC_EDGE_SHAPER_STATISTICS_H

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What a shaper has done so far with the packets of limited flows.
 *
 * All bytes are those of inner packets with their IPv4 header. What was held and not yet released
 * is waiting.
 */
struct EdgeShaperStatistics
{
    uint64_t passedPackets{0};   //!< packets that did not have to wait
    uint64_t passedBytes{0};     //!< bytes of them
    uint64_t heldPackets{0};     //!< packets that were taken to wait
    uint64_t heldBytes{0};       //!< bytes of them
    uint64_t releasedPackets{0}; //!< packets that have left after a wait
    uint64_t releasedBytes{0};   //!< bytes of them
    uint64_t droppedPackets{0};  //!< packets that the buffer had no room for
    uint64_t droppedBytes{0};    //!< bytes of them
};

} // namespace ns3::aidc

#endif // AIDC_EDGE_SHAPER_STATISTICS_H
