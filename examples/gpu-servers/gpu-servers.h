/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_GPU_SERVERS_H
#define AIDC_GPU_SERVERS_H

#include "measured-collectives.h"

#include "ns3/experiment-base.h"
#include "ns3/experiment-leap-options.h"
#include "ns3/experiment-placement.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-workload-options.h"
#include "ns3/server-fabric.h"
#include "ns3/workload-plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The experiment gpu-servers, which the comment of gpu-servers.cc describes.
 */
class GpuServersExperiment : public ExperimentBase
{
  public:
    GpuServersExperiment();

  private:
    void Prepare(ExperimentPlan& plan) override;
    ExperimentOutcome MakeRun(const ExperimentRun& run) const override;

    /// Let a user set the rest.
    void AddSettings();

    /// @return the fabric, as the options say
    /// @throws std::runtime_error if they do not fit together
    ServerFabric MakeNetwork() const;

    /// Check that the links have rates that the schemes can use.
    static void CheckLinks(const ExperimentPlan& plan, const ServerFabric& network);

    /// Read the rows that --measured names, which are the scenarios then.
    void PrepareMeasured(ExperimentPlan& plan);

    /// @return the row of the scenario; null if it is none
    const MeasuredCollective* FindMeasured(const std::string& scenario) const;

    /// @return the chunks of its collective
    uint32_t GetNChunks(const std::string& scenario) const;

    /// @return the programs of all ranks
    WorkloadPlan MakePlan(const std::string& scenario) const;

    /// Compute how long a collective takes at least. @return seconds: the bytes, with headers on
    /// the fabric, at the links of the GPUs that take longest; NaN for a workload
    double GetBound(const std::string& scenario) const;

    ExperimentWorkloadOptions m_workload;      //!< the workload, if a user names one
    ExperimentPlacement m_placement{"packed"}; //!< which GPU each rank is
    std::string m_topology;                    //!< file of servers; empty for a template
    std::string m_template{"spectrum-x"};      //!< of the fabric
    uint32_t m_gpus{64};                       //!< GPUs of a template
    uint32_t m_gpusPerServer{8};               //!< of a template
    uint32_t m_spines{8};                      //!< of a template
    uint32_t m_bytes{64000000};                //!< of a collective
    uint32_t m_chunks{0};                      //!< of an all-reduce; 0 for GetNChunks()
    uint32_t m_nSlots{0};                      //!< of a collective; 0 if all may be under way
    std::string m_protocol{"none"};            //!< NCCL's protocol of an all-reduce, or none
    bool m_isPxn{false};                       //!< whether messages change the rail in their server
    uint32_t m_nQueuePairs{1};                 //!< of two GPUs
    ExperimentSwitchOptions m_switch;          //!< the switches
    std::string m_measured;                    //!< rows of clusters' measurements, if any
    std::string m_costs{"fitted"};             //!< of these rows
    std::vector<MeasuredCollective> m_rows;    //!< these rows, and all others
    ExperimentLeapOptions m_leap;              //!< whether ranks leap
    std::optional<ServerFabric> m_network;     //!< the fabric and its servers, after Prepare()
};

} // namespace ns3::aidc

#endif // AIDC_GPU_SERVERS_H
