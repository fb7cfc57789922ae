// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TRAINING_STEP_PLANNER_H
#define AIDC_TRAINING_STEP_PLANNER_H

#include "collective-schedule-settings.h"
#include "pipeline-schedule.h"
#include "workload-plan.h"

#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/// The collectives of one kind in a training step: the size of one and how it is done. The kind and
/// the members follow from the groups.
struct TrainingCollective : CollectiveScheduleSettings
{
    TrainingCollective() = default;

    /// @param size the size of one
    /// @param steps in which steps
    /// @param chunks into how many chunks
    TrainingCollective(uint64_t size, CollectiveAlgorithm steps, uint32_t chunks)
    {
        bytes = size;
        algorithm = steps;
        nChunks = chunks;
    }
};

/// The attention of a layer whose sequence is divided among the ranks of a context group.
///
/// Keys and values go around a ring, as in NVIDIA's TransformerEngine ("p2p"): a rank computes with
/// a block while the next one is under way. Forward, each rank passes on cp - 1 blocks. Backward,
/// gradients of the keys and values follow these in the other direction, and one step more brings
/// them to their rank: a block, cp - 2 times a block and its gradients, and gradients.
struct TrainingContext
{
    uint64_t bytes{0}; //!< of the keys and values of a rank, or of their gradients
    double share{1};   //!< of a layer's computation that uses the blocks, in cp equal parts
};

/// A training step of a model, by the sizes of its data, tensor, context, pipeline and expert
/// parallelism.
///
/// The rank of data index d, context index c, tensor index t and stage p is
/// t + tp * (c + cp * (d + dp * p)), as in Megatron-LM. Replicas are numbered c + cp * d: gradients
/// are reduced over all dp * cp of them, and expert groups are of ep consecutive ones.
///
/// Each stage has an equal share of the layers. A stage takes its microbatches forward and backward
/// in the order of a PipelineSchedule; if it has several chunks of layers, chunk k of stage p has
/// the layers of part p + pp * k of the model. For each microbatch, a stage waits for the
/// activations of the part before, goes through its layers and sends activations on, and backward
/// in the same way. In a layer: attention around the ring of a context group, an all-to-all of the
/// experts, the (other) computation, an all-to-all back, and the all-reduces of the tensors. These
/// follow each other at a rank, while messages between stages are on their way. With p stages, m
/// microbatches and one chunk, computing takes (m + p - 1) times a stage's time for a microbatch.
///
/// If the expert of the first rank of a group gets more tokens than the others (expertLoad), the
/// all-to-alls have unequal sizes; computations take the same time.
///
/// The gradients of a layer are reduced when its last microbatch has gone backward, or after all
/// layers, one layer after another; then the optimizer runs. If sharded, gradients are
/// reduce-scattered before it, and parameters all-gathered after it, layer by layer. If there are
/// gradients of experts, each layer's are reduced after the others, over the dp * cp / ep ranks
/// that have the same experts.
///
/// Groups of one rank do nothing.
struct TrainingStep
{
    uint32_t dp{1};            //!< data-parallel size
    uint32_t tp{1};            //!< tensor-parallel size
    uint32_t cp{1};            //!< context-parallel size
    uint32_t pp{1};            //!< stages of the pipeline
    uint32_t ep{1};            //!< ranks of an expert group; divides dp * cp
    uint32_t nLayers{1};       //!< layers of the model; a multiple of pp * nChunks
    uint32_t nMicrobatches{1}; //!< microbatches of the step
    uint64_t forwardNs{0};     //!< nanoseconds that a rank computes in a layer forward
    uint64_t backwardNs{0};    //!< the same, backward
    uint64_t optimizerNs{0};   //!< nanoseconds of the optimizer at each rank
    uint64_t pipelineBytes{0}; //!< bytes that a rank sends to the next part for a microbatch
    uint32_t nChunks{1};       //!< chunks of layers of a stage
    PipelineOrder order{PipelineOrder::GPIPE}; //!< of the microbatches at a stage
    TrainingContext context;                   //!< attention over context groups
    TrainingCollective tensor;                 //!< an all-reduce of tensors
    uint32_t nTensor{1};                       //!< how many of them a layer has in each direction
    TrainingCollective expert{0, CollectiveAlgorithm::DIRECT, 1}; //!< an all-to-all
    double expertLoad{1};    //!< tokens of the first rank of an expert group over the mean
    TrainingCollective data; //!< the gradients of a layer at a rank
    std::optional<TrainingCollective> expertData; //!< the gradients of its experts, if not in data
    bool isSharded{false}; //!< whether gradients are reduce-scattered, and parameters gathered
    bool overlaps{true};   //!< whether gradients are reduced while other layers go backward

    /// @return the number of replicas, dp * cp
    uint64_t GetNReplicas() const
    {
        return uint64_t{dp} * cp;
    }

    /// @return the number of ranks, dp * cp * tp * pp; it is right if Check() finds no error
    uint64_t GetNRanks() const
    {
        return GetNReplicas() * tp * pp;
    }

    /// Check the sizes.
    /// @throws std::invalid_argument if they do not fit together
    void Check() const;
};

/// Add the operations of a training step to a plan, on the ranks from 0 on.
///
/// Collectives have names such as "tensor-forward/microbatch-2/layer-5/rank-8", the rank being the
/// first one of the group.
/// @param plan the plan
/// @param step the training step
/// @param nSteps how often it is done, at least 1: a rank begins a step when it has done the one
///        before and has its gradients. Names of collectives begin with "step-0/" and so on, if
///        there are several steps
/// @throws std::invalid_argument if the step's sizes do not fit together, or the plan has fewer
///         ranks
void AddTrainingStep(WorkloadPlan& plan, const TrainingStep& step, uint32_t nSteps = 1);

} // namespace ns3::aidc

#endif // AIDC_TRAINING_STEP_PLANNER_H
