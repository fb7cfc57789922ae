/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_PLACEMENT_H
#define AIDC_EXPERIMENT_PLACEMENT_H

#include "experiment-parameters.h"

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The option of an experiment that says at which places the ranks of a job are: --placement.
 *
 * A place is a host, or a GPU of a server. Packed ranks are at the places of their numbers. A file
 * has a line for each rank, with the number of its place, counted from 0. Each place is there once.
 * Blank lines and those that begin with # are skipped.
 */
class ExperimentPlacement
{
  public:
    /// @param placement where ranks are if the user does not say: "packed" or "shuffled"
    explicit ExperimentPlacement(const std::string& placement);

    /// Let a user set the option.
    /// @param [in,out] parameters what the user may set; this object outlives it
    void AddTo(ExperimentParameters& parameters);

    /// Read the file, if the user has named one.
    /// @param nRanks the number of ranks
    /// @param nPlaces the number of places, at least nRanks
    /// @throws AidcInputError that names file and line, if it is no placement
    void Prepare(uint32_t nRanks, uint32_t nPlaces);

    /// Place the ranks.
    /// @param nPlaces the number of places
    /// @param uniform draws the order of shuffled places; it draws as much with each placement, so
    ///        that what it draws behind them is the same
    /// @return the places of ranks, by rank; there may be more
    std::vector<uint32_t> Place(uint32_t nPlaces, const Ptr<UniformRandomVariable>& uniform) const;

  private:
    std::string m_placement;        //!< packed, shuffled, or a file
    std::vector<uint32_t> m_places; //!< what the file says, by rank
};

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_PLACEMENT_H
