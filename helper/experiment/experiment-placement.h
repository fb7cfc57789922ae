/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_PLACEMENT_H
#define AIDC_EXPERIMENT_PLACEMENT_H

#include "experiment-parameters.h"

#include "ns3/fabric-plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The option of an experiment that says at which hosts the ranks of a job are: --placement.
 *
 * A file has a line for each rank, with the number of its place, counted from 0 in the order of the
 * hosts. Each place is there once. Blank lines and those that begin with # are skipped.
 */
class ExperimentPlacement
{
  public:
    /// Let a user set the option.
    /// @param [in,out] parameters what the user may set; this object outlives it
    void AddTo(ExperimentParameters& parameters);

    /// Read the file, if the user has named one.
    /// @param nRanks the number of ranks
    /// @param nPlaces the number of places, at least nRanks
    /// @throws AidcInputError that names file and line, if it is no placement
    void Prepare(uint32_t nRanks, uint32_t nPlaces);

    /// @param places the hosts for ranks, in their order
    /// @param shuffled the same in the order that is taken if the user says so
    /// @return the hosts of ranks, by rank; there may be more
    std::vector<NodeIndex> Place(const std::vector<NodeIndex>& places,
                                 const std::vector<NodeIndex>& shuffled) const;

  private:
    std::string m_placement{"shuffled"}; //!< packed, shuffled, or a file
    std::vector<uint32_t> m_places;      //!< what the file says, by rank
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_PLACEMENT_H
