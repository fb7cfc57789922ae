/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_AI_TRAINING_H
#define AIDC_AI_TRAINING_H

#include "ns3/experiment-base.h"
#include "ns3/experiment-placement.h"
#include "ns3/experiment-runner.h"
#include "ns3/experiment-slow-rank.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-workload-options.h"
#include "ns3/fabric-plan.h"
#include "ns3/flow-spec-file.h"
#include "ns3/nstime.h"
#include "ns3/workload-plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The experiment ai-training, which the comment of ai-training.cc describes.
 */
class AiTrainingExperiment : public ExperimentBase
{
  public:
    AiTrainingExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run) const override;

    /// A network and who is in it.
    struct Job
    {
        FabricPlan fabric;             //!< the network
        std::vector<NodeIndex> ranks;  //!< the host of each rank
        std::vector<FlowSpec> storage; //!< storage traffic
    };

    /// @param nRanks the number of ranks
    /// @param duration how long storage traffic arrives; 0 for none
    /// @return the job
    Job MakeJob(uint32_t nRanks, Time duration) const;

    /// Add how much sooner than with the baseline a step ends, run by run.
    /// @param [in,out] summary the summary, with all runs
    void AddGains(ExperimentSummary& summary) const;

    /// @return the programs of all ranks
    WorkloadPlan MakeStep() const;

    ExperimentWorkloadOptions m_workload;        //!< the workload, if a user names one
    ExperimentPlacement m_placement{"shuffled"}; //!< where ranks are
    ExperimentSlowRank m_slowRank;               //!< the one that computes slowly
    uint32_t m_k{8};                             //!< ports of a switch of the fat-tree
    uint32_t m_layers{4};                        //!< layers of the model
    uint32_t m_layerBytes{4000000};              //!< bytes of a layer's gradients
    uint32_t m_chunks{4};                        //!< chunks of an all-reduce
    Time m_compute{MicroSeconds(100)};        //!< computation of a layer, forward and backward each
    uint32_t m_storageBytes{500000};          //!< bytes that a storage host sends in an incast
    uint32_t m_storageSenders{8};             //!< storage hosts of an incast
    Time m_storageInterval{MicroSeconds(50)}; //!< mean time between incasts
    ExperimentSwitchOptions m_switch;         //!< the switches
};

} // namespace ns3::aidc

#endif // AIDC_AI_TRAINING_H
