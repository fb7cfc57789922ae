/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COLLECTIVE_SETTINGS_H
#define AIDC_COLLECTIVE_SETTINGS_H

#include "collective-kind.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief How the collectives of a workload are done whose format does not tell it.
 *
 * All-to-alls are pairwise.
 */
struct CollectiveSettings
{
    CollectiveAlgorithm allReduce{CollectiveAlgorithm::RING};          //!< for all-reduces
    CollectiveAlgorithm allGather{CollectiveAlgorithm::RING};          //!< for all-gathers
    CollectiveAlgorithm reduceScatter{CollectiveAlgorithm::RING};      //!< for reduce-scatters
    CollectiveAlgorithm broadcast{CollectiveAlgorithm::BINOMIAL_TREE}; //!< for broadcasts
    uint32_t nChunks{1}; //!< chunks of each collective
};

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_SETTINGS_H
