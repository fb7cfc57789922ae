/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_LAYER_MODEL_H
#define AIDC_LAYER_MODEL_H

#include "collective-kind.h"
#include "layer-policy.h"
#include "layer-workload-settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Which ranks take part in a collective of a layer.
enum class LayerGroup : uint8_t
{
    BY_POLICY,  //!< those that the policy tells
    EXPERT,     //!< ranks that hold different experts (_EP)
    DATA_EXPERT //!< ranks that hold the same experts (_DP_EP)
};

/// What a layer does in one of three phases: it computes, and then communicates.
struct LayerPhase
{
    uint64_t computeNs{0};                    //!< nanoseconds that a rank computes
    std::optional<CollectiveKind> collective; //!< what it communicates, if anything
    LayerGroup group{LayerGroup::BY_POLICY};  //!< among which ranks
    uint64_t bytes{0};                        //!< the size in the file
};

/// A layer of a model.
struct WorkloadLayer
{
    std::string name;                      //!< its name
    LayerPhase forward;                    //!< forward
    LayerPhase inputGradient;              //!< backward, for the layer before
    LayerPhase weightGradient;             //!< backward, for the weights
    uint64_t updateNs{0};                  //!< delay after each of its collectives
    LayerPolicy policy{LayerPolicy::DATA}; //!< its own, if that of the file is HYBRID_CUSTOMIZED
    bool isCheckpoint{false};              //!< whether layers go forward again from here
    bool recomputes{false};                //!< whether layers before it go forward again for it
};

/**
 * @brief A workload of SimAI or of ASTRA-sim 1.0: the layers of a model.
 *
 * Its sizes fit together: tp * pp divides the number of ranks, ep what is left, and each layer that
 * makes others go forward again has a checkpoint before it.
 */
struct LayerWorkload
{
    LayerWorkloadFormat format{LayerWorkloadFormat::ASTRA_SIM}; //!< as what it has been read
    LayerPolicy policy{LayerPolicy::DATA};                      //!< the policy
    uint32_t nRanks{1};                                         //!< the number of ranks
    uint32_t tp{1};              //!< neighbors of a group: tensor-parallel ones, or nNeighbors
    uint32_t pp{1};              //!< stages of the pipeline
    uint32_t ep{1};              //!< ranks of an expert group
    bool isInference{false};     //!< whether it goes forward only, whatever the policy
    uint64_t pipelineBytes{0};   //!< bytes of a message from a stage to the next one
    uint32_t nMicrobatches{1};   //!< how often these layers go to the next stage: in blocks
    uint32_t firstBlockLayer{0}; //!< the layers before it are of no microbatch
    uint32_t layersPerBlock{0};  //!< layers of a microbatch
    uint32_t lastBottomLayer{0}; //!< of HYBRID_DLRM: after it, the embeddings are needed
    std::vector<WorkloadLayer> layers; //!< the layers
    std::vector<std::string> notes;    //!< what a user should know, a line each
};

} // namespace ns3::aidc

#endif // AIDC_LAYER_MODEL_H
