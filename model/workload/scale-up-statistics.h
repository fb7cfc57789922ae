/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SCALE_UP_STATISTICS_H
#define AIDC_SCALE_UP_STATISTICS_H

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief What a ScaleUpEndpoint counts.
 */
struct ScaleUpStatistics
{
    uint64_t sentMessages{0};   //!< messages that left over the scale-up switch, also to relays
    uint64_t sentBytes{0};      //!< their bytes
    uint64_t receivedBytes{0};  //!< bytes that came in over the scale-up switch, also to be relayed
    uint64_t relayedBytes{0};   //!< of these, bytes that were sent on by the adapter for other GPUs
    uint64_t fabricMessages{0}; //!< messages of this GPU that it sent by its own adapter
    uint64_t fabricBytes{0};    //!< their bytes
};

} // namespace ns3::aidc

#endif // AIDC_SCALE_UP_STATISTICS_H
