/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_LAYER_GROUPS_H
#define AIDC_LAYER_GROUPS_H

#include "layer-model.h"
#include "rank-groups.h"

#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/// A phase of a layer.
enum class LayerPhaseKind : uint8_t
{
    FORWARD,        //!< forward
    INPUT_GRADIENT, //!< backward, for the layer before
    WEIGHT_GRADIENT //!< backward, for the weights
};

/// Which ranks communicate in a phase of a layer.
enum class LayerRanks : uint8_t
{
    NOBODY,     //!< none
    ALL,        //!< all
    NEIGHBORS,  //!< groups of neighbors
    APART,      //!< one of each group of neighbors of a stage
    EXPERT,     //!< ranks of different experts
    DATA_EXPERT //!< ranks of the same experts
};

/// @param workload a workload
/// @param layer the number of a layer
/// @param kind a phase
/// @return which ranks communicate by the policy, if the phase has a collective
LayerRanks GetLayerRanks(const LayerWorkload& workload, std::size_t layer, LayerPhaseKind kind);

/// @return how many of them a group has; 0 for NOBODY
uint32_t GetLayerGroupSize(const LayerWorkload& workload, LayerRanks ranks);

/// @return the phase
const LayerPhase& GetLayerPhase(const WorkloadLayer& layer, LayerPhaseKind kind);

/**
 * @brief The ranks that communicate in a workload of layers.
 *
 * With tensor-parallel size tp, neighbors are tp consecutive ranks, and pp groups of neighbors the
 * stages of a pipeline. Data-parallel groups have every n / dp-th rank, as in SimAI. Expert groups
 * are ep consecutive ranks of a data-parallel group. Ranks with the same experts are the others of
 * the same place in such groups. (SimAI's expert groups have ranks of several stages.)
 */
class LayerGroups
{
  public:
    /// @param workload the workload, which outlives this object
    explicit LayerGroups(const LayerWorkload& workload);

    /// @return the groups that communicate; none if they would have one rank each
    const RankGroups& Get(std::size_t layer, LayerPhaseKind phase) const;

  private:
    const LayerWorkload& m_workload; //!< the workload
    RankGroups m_none;               //!< nobody
    RankGroups m_all;                //!< all ranks
    RankGroups m_neighbors;          //!< groups of tp consecutive ranks
    RankGroups m_apart;              //!< a rank of each group of neighbors of a stage
    RankGroups m_expert;             //!< ranks of different experts
    RankGroups m_dataExpert;         //!< ranks of the same experts
};

} // namespace ns3::aidc

#endif // AIDC_LAYER_GROUPS_H
