/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-schedule-settings.h"

#include "../require-argument.h"

#include <algorithm>
#include <string>

namespace ns3::aidc
{

namespace
{

using Algorithm = CollectiveAlgorithm; //!< a short name

/// Require that a setting of a collective is from 1 to a maximum. what: the setting.
void
RequireRange(uint32_t number, uint32_t max, const std::string& name, const char* what)
{
    RequireArgument(number >= 1 && number <= max,
                    name + " has from 1 to " + std::to_string(max) + " " + what + ", not " +
                        std::to_string(number));
}

} // namespace

bool
CollectiveScheduleSettings::HasChannels(CollectiveAlgorithm algorithm)
{
    return algorithm == Algorithm::RING || algorithm == Algorithm::CHAIN ||
           algorithm == Algorithm::DOUBLE_TREE;
}

bool
CollectiveScheduleSettings::KnowsServers(CollectiveAlgorithm algorithm)
{
    return HasChannels(algorithm) || algorithm == Algorithm::HIERARCHICAL ||
           algorithm == Algorithm::PAIRWISE || algorithm == Algorithm::DIRECT;
}

void
CollectiveScheduleSettings::Check() const
{
    const std::string name =
        std::string(GetCollectiveName(kind)) + " by " + GetCollectiveName(algorithm);
    const auto& possible = GetCollectiveAlgorithms(kind);
    RequireArgument(std::find(possible.begin(), possible.end(), algorithm) != possible.end(),
                    "there is no " + name);
    RequireArgument(nMembers > 0, name + " has at least one member");
    RequireArgument(bytes <= MAX_BYTES,
                    name + " has at most 2^60 bytes, not " + std::to_string(bytes));
    RequireRange(nChunks, MAX_CHUNKS, name, "chunks");
    RequireRange(nChannels, HasChannels(algorithm) ? MAX_CHANNELS : 1, name, "channels");
    RequireArgument(uint64_t{GetNStreams()} * nChunks <= MAX_LANES,
                    name + " has at most " + std::to_string(MAX_LANES) +
                        " chunks of all channels, trees and peers, not " +
                        std::to_string(uint64_t{GetNStreams()} * nChunks));
    RequireArgument(nSlots <= MAX_SLOTS,
                    name + " has at most " + std::to_string(MAX_SLOTS) + " slots, not " +
                        std::to_string(nSlots));
    RequireArgument(root < nMembers,
                    "the root is one of " + std::to_string(nMembers) +
                        " members, counted from 0, not " + std::to_string(root));
    RequireArgument(nPerServer > 0 && nMembers % nPerServer == 0,
                    name + " has a multiple of the members of a server, " +
                        std::to_string(nPerServer) + ", not " + std::to_string(nMembers));
    RequireArgument(nPerServer == 1 || KnowsServers(algorithm),
                    name + " has no steps inside of servers");
    RequireArgument(!sizes || kind == CollectiveKind::ALL_TO_ALL,
                    name + " has no sizes of each pair");
    RequireArgument(!sizes || (sizes->GetNMembers() == nMembers && sizes->GetBytes() == bytes),
                    name + " has the sizes of other members, or another number of bytes");
    if (algorithm == Algorithm::HALVING_DOUBLING && kind != CollectiveKind::ALL_REDUCE)
    {
        RequireArgument((nMembers & (nMembers - 1)) == 0,
                        name + " needs a power of two members, not " + std::to_string(nMembers));
        RequireArgument(nChunks == 1, name + " has one chunk, not " + std::to_string(nChunks));
    }
}

uint32_t
CollectiveScheduleSettings::GetNStreams() const
{
    switch (algorithm)
    {
    case Algorithm::RING:
    case Algorithm::CHAIN:
        return nChannels;
    case Algorithm::DOUBLE_TREE:
        return 2 * nChannels;
    case Algorithm::DIRECT:
        return std::max(nMembers, 2U) - 1;
    default:
        return 1;
    }
}

CollectivePart
CollectiveScheduleSettings::GetBlocks(uint32_t lane,
                                      uint32_t nBlocks,
                                      uint32_t first,
                                      uint32_t count) const
{
    const CollectivePart all = {0, bytes};
    if (kind == CollectiveKind::ALL_REDUCE || kind == CollectiveKind::BROADCAST)
    {
        return all.Divide(GetNLanes(), lane).Divide(nBlocks, first, count);
    }
    // Blocks belong to members, so that a lane has a part of each block
    return all.Divide(nBlocks, first, count).Divide(GetNLanes(), lane);
}

} // namespace ns3::aidc
