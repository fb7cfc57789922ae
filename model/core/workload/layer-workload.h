/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_LAYER_WORKLOAD_H
#define AIDC_LAYER_WORKLOAD_H

#include "layer-model.h"
#include "text-reader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Read a workload of SimAI or of ASTRA-sim 1.0.
/// @param text the text
/// @param settings how it is read
/// @return the workload
/// @throws TextError if it is no such text
LayerWorkload ParseLayerWorkload(const std::string& text, const LayerWorkloadSettings& settings);

/// Layers that the header of a workload lists.
struct LayerList
{
    std::vector<uint32_t> layers; //!< the layers, counted from 0
    uint32_t line{1};             //!< the line of the list
};

/// What stands before the layers of a workload of SimAI or ASTRA-sim 1.0.
struct LayerWorkloadHeader
{
    LayerWorkloadFormat format{LayerWorkloadFormat::ASTRA_SIM}; //!< as what it has been read
    bool isGuess{false};                   //!< whether it may be of the other format
    bool isOldAicb{false};                 //!< whether it is known by what early AICB wrote
    LayerPolicy policy{LayerPolicy::DATA}; //!< the policy
    uint32_t nRanks{0};                    //!< the number of ranks, 0 if it does not tell
    bool hasTp{true};                      //!< whether it tells the tensor-parallel size
    uint32_t tp{1};                        //!< the tensor-parallel size
    uint32_t pp{1};                        //!< stages of the pipeline
    uint32_t ep{1};                        //!< ranks of an expert group
    uint64_t pipelineBytes{0};             //!< bytes of an activation between stages
    uint32_t nMicrobatches{1};             //!< how often the layers of a stage stand in the text
    LayerList checkpoints;                 //!< layers from which others go forward again
    LayerList initiates;                   //!< layers that make others go forward again
    uint32_t lastBottomLayer{0};           //!< of HYBRID_DLRM: the embeddings are needed after it
    uint32_t lastBottomLine{1};            //!< its line
    bool isInference{false};               //!< whether it goes forward only (AICB's mode: 1)
    uint32_t nLayers{0};                   //!< the number of layers that it announces
    std::vector<std::string> unused;       //!< keys of SimAI that have no effect here
};

/// Read a header, and choose the number of ranks and of neighbors.
/// @param text the text
/// @param words its words, of which those of the header are read
/// @param settings how it is read
/// @return the header, whose sizes divide the number of ranks
/// @throws TextError if there is none
LayerWorkloadHeader ReadLayerWorkloadHeader(const std::string& text,
                                            WordReader& words,
                                            const LayerWorkloadSettings& settings);

} // namespace ns3::aidc

#endif // AIDC_LAYER_WORKLOAD_H
