// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_EXPERIMENT_WORKLOAD_OPTIONS_H
#define AIDC_EXPERIMENT_WORKLOAD_OPTIONS_H

#include "experiment-parameters.h"

#include "ns3/workload-file.h"
#include "ns3/workload-plan.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The options of an experiment that name a workload of training, and how it is read: --workload,
/// all that begin with --workload-, --flops and --memory-bandwidth.
class ExperimentWorkloadOptions
{
  public:
    /// Let a user set the options.
    /// @param [in,out] parameters what the user may set; this object outlives it
    /// @param instead the options of which the workload takes the place, for the help
    void AddTo(ExperimentParameters& parameters, const std::string& instead);

    /// @return whether the user has named a workload
    bool IsGiven() const
    {
        return !m_workload.empty();
    }

    /// Read the workload, if there is one. Notes are printed once.
    /// @param nPerServer how many consecutive ranks are in one server
    /// @throws std::runtime_error if an option or the workload is wrong
    void Prepare(uint32_t nPerServer = 1);

    /// @return the programs of all ranks; null if there is no workload, or before Prepare()
    const std::shared_ptr<const WorkloadPlan>& GetPlan() const
    {
        return m_plan;
    }

    /// @return the name of the workload, as the user has given it
    const std::string& GetName() const
    {
        return m_workload;
    }

  private:
    /// @return what the options say
    WorkloadFileSettings MakeSettings() const;

    /// @return the sizes of the dimensions of ASTRA-sim's network
    std::vector<uint32_t> ReadDimensions() const;

    void ReadAlgorithms(CollectiveSettings& settings) const;

    std::string m_workload;             //!< the workload
    std::string m_format{"auto"};       //!< whose text it is
    uint32_t m_nRanks{0};               //!< the number of ranks
    uint32_t m_nNeighbors{0};           //!< ranks of the first dimension
    uint32_t m_nPasses{1};              //!< passes
    std::string m_layers{"first"};      //!< layers of MICRO
    std::string m_gather{"auto"};       //!< what the size of all-gathers is
    std::string m_unknown{"refuse"};    //!< what happens to unknown types
    std::string m_groups;               //!< file of process groups
    std::string m_dependencies{"data"}; //!< what nodes wait for
    std::string m_dimensions;           //!< sizes of the dimensions of ASTRA-sim's network
    double m_operationRate{0};          //!< operations per second
    double m_memoryRate{0};             //!< bytes per second of memory
    std::string m_algorithms;           //!< algorithms of collectives
    uint32_t m_nChunks{1};              //!< chunks of collectives
    uint32_t m_nChannels{0};            //!< channels of collectives; 0 for the servers' number

    WorkloadFileKind m_kind{WorkloadFileKind::TRAINING_STEP}; //!< what the workload is
    std::shared_ptr<const WorkloadPlan> m_plan;               //!< its programs
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_WORKLOAD_OPTIONS_H
