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
    uint32_t run{1};       //!< number of the run, which draws other numbers with the same seed
    uint32_t processes{1}; //!< processes of a parallel run
    std::string out;       //!< folder of series and records; empty for none
    bool small{false};     //!< a variant that takes seconds
    std::string only{};    //!< SCHEME\@SCENARIO to run; empty for the first one
    bool plan{false};      //!< print what may be run, and run nothing
    bool json{false};      //!< print progress and results as JSON, a line each

    std::string devices{"ethernet"};  //!< of the links: ethernet or point-to-point
    std::string datapath{"fast"};     //!< of switches with Ethernet: fast or stack
    std::string simulator{"windows"}; //!< what runs the events of one process: windows or default

    /// Let a user set the options.
    /// @param [in,out] parameters what the user may set
    /// @param abilities what the experiment can do
    void AddTo(ExperimentParameters& parameters, const ExperimentAbilities& abilities);

    /// Check the options.
    /// @param abilities what the experiment can do
    /// @throws std::runtime_error with what was expected, if one is not as it should be
    void Check(const ExperimentAbilities& abilities) const;

    /// Give a network the devices and the datapath of the options.
    /// @param [in,out] network the network, before it is built
    void Configure(FabricHelper& network) const;
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_OPTIONS_H
