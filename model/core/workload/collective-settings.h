/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COLLECTIVE_SETTINGS_H
#define AIDC_COLLECTIVE_SETTINGS_H

#include "collective-kind.h"
#include "collective-schedule.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// How the collectives of a workload are done whose format does not tell it.
struct CollectiveSettings
{
    CollectiveAlgorithm allReduce{CollectiveAlgorithm::RING};          //!< for all-reduces
    CollectiveAlgorithm allGather{CollectiveAlgorithm::RING};          //!< for all-gathers
    CollectiveAlgorithm reduceScatter{CollectiveAlgorithm::RING};      //!< for reduce-scatters
    CollectiveAlgorithm allToAll{CollectiveAlgorithm::DIRECT};         //!< for all-to-alls
    CollectiveAlgorithm broadcast{CollectiveAlgorithm::BINOMIAL_TREE}; //!< for broadcasts
    uint32_t nChunks{1}; //!< chunks of each collective
    /// Channels of each ring, chain and double tree, from 1 to CollectiveScheduleSettings's
    /// MAX_CHANNELS; 0 for as many as a group of several servers has ranks in each of them, so that
    /// a ring leaves servers by all of their adapters, and otherwise one.
    uint32_t nChannels{1};
    uint32_t nPerServer{1}; //!< how many consecutive ranks are in one server, at least 1

    /// Make a collective of a group.
    /// @param kind what is done
    /// @param algorithm in which steps
    /// @param ranks the ranks of the group. If it has as many of them, one after another, in each
    ///        of its servers, the steps go by servers.
    /// @param bytes the size
    /// @return the collective
    /// @throws std::invalid_argument if there is no such collective
    CollectiveSchedule MakeSchedule(CollectiveKind kind,
                                    CollectiveAlgorithm algorithm,
                                    const std::vector<uint32_t>& ranks,
                                    uint64_t bytes) const;
};

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_SETTINGS_H
