/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TRAINING_STEP_H
#define AIDC_TRAINING_STEP_H

#include "collective-schedule-settings.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The collectives of one kind in a training step.
 */
struct TrainingCollective
{
    uint64_t bytes{0};                                        //!< the size of one
    CollectiveAlgorithm algorithm{CollectiveAlgorithm::RING}; //!< in which steps
    uint32_t nChunks{1};                                      //!< into how many chunks
    uint32_t nPerServer{1};                                   //!< members of a group in a server
    uint32_t nChannels{1};                                    //!< channels of a ring or tree

    /// @param kind what is done
    /// @param nMembers the members of a group
    /// @return one of these collectives
    CollectiveScheduleSettings GetSettings(CollectiveKind kind, uint32_t nMembers) const;
};

/**
 * @ingroup aidc
 * @brief A training step of a model, by the sizes of its data, tensor, pipeline and expert
 *        parallelism.
 *
 * The rank of data index d, tensor index t and stage p is t + tp * (d + dp * p). Expert groups are
 * of ep consecutive data indices.
 *
 * Each stage has an equal share of the layers. For each microbatch, a stage waits for the
 * activations of the stage before, goes through its layers and sends activations on; when all
 * microbatches have gone forward, they go backward in the same way. In a layer: an all-to-all of
 * the experts, the computation, an all-to-all back, and the all-reduces of the tensors. These
 * follow each other at a rank, while messages between stages are on their way. The pipeline's
 * bubble is that of any schedule without interleaving: with p stages and m microbatches, computing
 * takes (m + p - 1) times a stage's time for a microbatch.
 *
 * If the expert of the first rank of a group gets more tokens than the others (expertLoad), the
 * all-to-alls have unequal sizes; computations take the same time.
 *
 * The gradients of a layer are reduced over the data-parallel ranks when its last microbatch has
 * gone backward, or after all layers, one layer after another; then the optimizer runs. If sharded,
 * gradients are reduce-scattered before it, and parameters all-gathered after it, layer by layer.
 *
 * Groups of one rank do nothing.
 */
struct TrainingStep
{
    uint32_t dp{1};            //!< data-parallel size
    uint32_t tp{1};            //!< tensor-parallel size
    uint32_t pp{1};            //!< stages of the pipeline
    uint32_t ep{1};            //!< ranks of an expert group; divides dp
    uint32_t nLayers{1};       //!< layers of the model; a multiple of pp
    uint32_t nMicrobatches{1}; //!< microbatches of the step
    uint64_t forwardNs{0};     //!< nanoseconds that a rank computes in a layer forward
    uint64_t backwardNs{0};    //!< the same, backward
    uint64_t optimizerNs{0};   //!< nanoseconds of the optimizer at each rank
    uint64_t pipelineBytes{0}; //!< bytes that a rank sends to the next stage for a microbatch
    TrainingCollective tensor; //!< an all-reduce of tensors
    uint32_t nTensor{1};       //!< how many of them a layer has in each direction
    TrainingCollective expert{0, CollectiveAlgorithm::PAIRWISE, 1}; //!< an all-to-all
    double expertLoad{1};    //!< tokens of the first rank of an expert group over the mean
    TrainingCollective data; //!< the gradients of a layer at a rank
    bool isSharded{false};   //!< whether gradients are reduce-scattered, and parameters gathered
    bool overlaps{true};     //!< whether gradients are reduced while other layers go backward

    /// @return the number of ranks, dp * tp * pp
    uint64_t GetNRanks() const;

    /// Check the sizes.
    /// @throws std::invalid_argument if they do not fit together
    void Check() const;
};

} // namespace ns3::aidc

#endif // AIDC_TRAINING_STEP_H
