/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_TABLE_H
#define AIDC_FABRIC_TABLE_H

#include "fabric-addressing.h"
#include "fabric-index.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * The forwarding tables of FabricRoutes.
 */

namespace ns3::aidc
{

/// A route of a FabricTable.
struct FabricRoute
{
    uint32_t network{0}; //!< the network, in host byte order
    uint8_t length{0};   //!< the length of the prefix in bits
    uint32_t group{0};   //!< the index of the group of next hops, or FabricTable::DISCARD
};

/**
 * @brief The forwarding table of a switch or host, for a longest prefix match.
 *
 * Packets that match no route are dropped.
 */
struct FabricTable
{
    /// The group of routes whose packets are dropped.
    static constexpr uint32_t DISCARD = 0xffffffff;

    std::vector<FabricRoute> routes;            //!< by ascending network, then length
    std::vector<std::vector<PortIndex>> groups; //!< of each group the ports, ascending
    /// Of each group the weights of its ports, none where all are equal; empty: of all groups
    std::vector<std::vector<double>> weights;

    /// Discard the numbers of a prefix beyond the last one in use.
    /// @param prefix the prefix in which pods or leaves are numbered
    /// @param itemLength the length of the prefix of a pod or leaf
    /// @param used how many numbers are in use, at least 1
    void DiscardBeyond(const FabricPrefix& prefix, uint8_t itemLength, uint32_t used)
    {
        // The largest aligned blocks: 5 to 15 of 16 are 5, 6 and 7, 8 to 15.
        const uint32_t end = 1U << (itemLength - prefix.length);
        while (used < end)
        {
            uint32_t block = 1;
            uint8_t length = itemLength;
            for (; used % (2 * block) == 0; block *= 2)
            {
                --length;
            }
            routes.push_back({prefix.network | used << (32U - itemLength), length, DISCARD});
            used += block;
        }
    }
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_TABLE_H
