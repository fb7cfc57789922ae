/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_BFD_STATISTICS_H
#define AIDC_BFD_STATISTICS_H

#include "ns3/bfd-packet.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief The counters of a BfdSpeaker.
struct BfdStatistics
{
    uint64_t sent{0};        //!< packets that were given to IPv4
    uint64_t received{0};    //!< packets that a session has accepted
    uint64_t established{0}; //!< times that a session has come up
    uint64_t failed{0};      //!< times that a session has gone down because the path had failed
    /// Packets that were discarded, by BfdDiscard
    std::array<uint64_t, static_cast<std::size_t>(BfdDiscard::N_DISCARDS)> discarded{};

    /// @param discard the reason
    /// @return the packets that were discarded for it
    uint64_t GetDiscarded(BfdDiscard discard) const
    {
        return discarded.at(static_cast<std::size_t>(discard));
    }

    /// Get all packets that were discarded. @return the sum over the reasons
    uint64_t GetDiscarded() const
    {
        uint64_t sum = 0;
        for (const uint64_t count : discarded)
        {
            sum += count;
        }
        return sum;
    }
};

} // namespace ns3::aidc

#endif // AIDC_BFD_STATISTICS_H
