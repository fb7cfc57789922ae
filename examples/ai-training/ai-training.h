/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_AI_TRAINING_H
#define AIDC_AI_TRAINING_H

#include "ns3/experiment-base.h"
#include "ns3/experiment-leap-options.h"
#include "ns3/experiment-placement.h"
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
        std::vector<NodeIndex> ranks;  //!< the host of each rank, of all jobs
        std::vector<NodeIndex> others; //!< the hosts that are for storage
        std::vector<FlowSpec> flows;   //!< storage traffic
    };

    /// @return the network, who is in it, and the storage traffic
    Job MakeJob(const std::string& scenario, uint32_t nRanks, Time alone) const;

    /// Let a user set checkpoints and failures.
    void AddFailureSettings();

    /// @return the ranks of a job
    uint32_t GetNRanks(const std::string& scenario) const;

    /// @return the programs of the ranks of a job, none of which is slow
    WorkloadPlan MakeStep(const std::string& scenario) const;

    /// @return the programs of the ranks of a job, with the slow one
    WorkloadPlan MakeSlowedStep(const std::string& scenario) const;

    ExperimentWorkloadOptions m_workload;        //!< the workload, if a user names one
    ExperimentPlacement m_placement{"shuffled"}; //!< where ranks are
    ExperimentSlowRank m_slowRank;               //!< the one that computes slowly
    uint32_t m_k{8};                             //!< ports of a switch of the fat-tree
    uint32_t m_jobRanks{0};                      //!< ranks of a job; 0 for as many as there may be
    uint32_t m_layers{4};                        //!< layers of the model
    uint32_t m_layerBytes{4000000};              //!< bytes of a layer's gradients
    uint32_t m_chunks{4};                        //!< chunks of an all-reduce
    Time m_compute{MicroSeconds(100)};        //!< computation of a layer, forward and backward each
    uint32_t m_storageBytes{500000};          //!< bytes that a storage host sends in an incast
    uint32_t m_storageSenders{8};             //!< storage hosts of an incast
    Time m_storageInterval{MicroSeconds(50)}; //!< mean time between incasts
    uint32_t m_checkpointBytes{16000000};     //!< bytes of a rank's checkpoint
    uint32_t m_failedRank{0};                 //!< the rank whose host loses its link
    Time m_failureTime;                       //!< when it does; 0 for half of the step's time
    Time m_restartDelay{MilliSeconds(10)};    //!< from the failure until the ranks begin again
    ExperimentSwitchOptions m_switch;         //!< the switches
    ExperimentLeapOptions m_leap;             //!< whether ranks leap
};

} // namespace ns3::aidc

#endif // AIDC_AI_TRAINING_H
