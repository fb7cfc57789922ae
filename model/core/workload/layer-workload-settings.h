/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_LAYER_WORKLOAD_SETTINGS_H
#define AIDC_LAYER_WORKLOAD_SETTINGS_H

#include "collective-settings.h"

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/// Whose text a workload of layers is.
enum class LayerWorkloadFormat : uint8_t
{
    GUESS,    //!< SIMAI if the header has a key that only SimAI has, else ASTRA_SIM
    SIMAI,    //!< that of SimAI, which AICB writes: keys in the first line
    ASTRA_SIM //!< that of ASTRA-sim 1.0: a header by position
};

/// What the size of an all-gather is.
enum class GatherSize : uint8_t
{
    BY_FORMAT,   //!< TOTAL in SimAI, CONTRIBUTION in ASTRA-sim 1.0
    TOTAL,       //!< the bytes that each rank has in the end
    CONTRIBUTION //!< the bytes that each rank has at first
};

/// How a workload of layers is read and executed.
struct LayerWorkloadSettings : CollectiveSettings
{
    LayerWorkloadFormat format{LayerWorkloadFormat::GUESS}; //!< whose text it is
    GatherSize gatherSize{GatherSize::BY_FORMAT};           //!< what the size of all-gathers is
    uint32_t nRanks{0}; //!< the number of ranks; 0 if the file tells it
    /// How many consecutive ranks are neighbors, as the first dimension of ASTRA-sim's topology:
    /// for HYBRID_DATA_MODEL, HYBRID_MODEL_DATA and HYBRID_CUSTOMIZED.
    uint32_t nNeighbors{0};
    uint32_t nPasses{1};        //!< how often the model goes forward and backward
    bool allLayers{false};      //!< whether all layers of MICRO communicate, not only the first one
    bool ignoresUnknown{false}; //!< whether collectives of unknown types are left out

    std::string ranksName{"nRanks"};         //!< what sets nRanks, for errors
    std::string neighborsName{"nNeighbors"}; //!< what sets nNeighbors, for errors
};

} // namespace ns3::aidc

#endif // AIDC_LAYER_WORKLOAD_SETTINGS_H
