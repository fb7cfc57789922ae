/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_OPTIONS_H
#define AIDC_EXPERIMENT_OPTIONS_H

#include "experiment-parameters.h"

#include "ns3/fabric-helper.h"

#include <cstdint>
#include <string>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Abilities that not all experiments have.
 */
struct ExperimentAbilities
{
    bool isParallel{false};      //!< run as several processes, by mpirun
    bool hasPointToPoint{false}; //!< run over ns-3's point-to-point links, too
};

/**
 * @ingroup aidc
 * @brief The options that all experiments have.
 */
struct ExperimentOptions
{
    uint32_t seed{1};      //!< of the random number generators
    uint32_t runs{1};      //!< number of runs
    uint32_t ranks{1};     //!< processes of a parallel run
    uint32_t jobs{1};      //!< runs at once, each in a process of its own; all here if it is 1,
                           //!< as many as processors if it is 0
    std::string out;       //!< folder of the results
    bool overwrite{false}; //!< replace the results of another experiment
    bool small{false};     //!< a variant that takes seconds
    bool table{false};     //!< print the table of metrics where there are findings, too
    bool noFigures{false}; //!< no figures by gnuplot, which can take longer than a short run

    /// Whether the user sees the progress on a terminal, where a line can be written anew. It is no
    /// option of the command line.
    bool isTerminal{false};

    /// Whether the user sees the table on a terminal that shows colors. It is no option of the
    /// command line.
    bool hasColors{false};

    std::string devices{"ethernet"};  //!< of the links: ethernet or point-to-point
    std::string datapath{"fast"};     //!< of switches with Ethernet: fast or stack
    std::string simulator{"windows"}; //!< what runs the events of one rank: windows or default

    /// Let a user set the options. ExperimentRunner writes them into the summary.
    /// @param [in,out] parameters what the user may set
    /// @param abilities what the experiment can do
    void AddTo(ExperimentParameters& parameters, const ExperimentAbilities& abilities);

    /// Check the options.
    /// @param abilities what the experiment can do
    /// @throws std::runtime_error with what was expected, if one is not as it should be
    void Check(const ExperimentAbilities& abilities) const;

    /// @return how many runs are made at once
    uint32_t CountJobs() const;

    /// Give a network the devices and the datapath of the options.
    /// @param [in,out] network the network, before it is built
    void Configure(FabricHelper& network) const;
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_OPTIONS_H
